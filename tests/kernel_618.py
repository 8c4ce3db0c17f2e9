# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_618 - every cache and zone of a running Linux 6.18, made anew under preset linux-6.18.

The caches that a lab is made with are there already and are compared as they are.
Merging is left out: each other cache is made alone. Of the zones, what follows
from their sizes and from min_free_kbytes.
"""
import csv
import json
import os
import re
import subprocess

from kernel import HERE, PROGRAM, Tally

FIGURES = ('object_size', 'align', 'slab_size', 'order', 'objs_per_slab', 'min_partial', 'cpu_partial')
FLAGS = {'hwcache_align': 'HWCACHE', 'destroy_by_rcu': 'RCU', 'reclaim_account': 'RECLAIM', 'cache_dma': 'DMA'}
rows = list(csv.DictReader((x for x in open(os.path.join(HERE, 'data', 'kernel-6.18', 'caches.tsv')) if not x.startswith('#')), delimiter='\t'))
commands, asked = [], []
for i, r in enumerate(rows):
    name = r['name']
    boot = name.startswith(('kmalloc-', 'dma-kmalloc-')) or name in ('kmem_cache', 'kmem_cache_node')
    if not boot:
        name = 'c%d' % i
        flags = '|'.join(f for k, f in FLAGS.items() if r[k] == '1')
        commands.append('kmem_cache create %s %s align=%s merge=off%s%s' % (
            name, r['object_size'], r['align'], ' flags=' + flags if flags else '', ' ctor' if r['has_ctor'] == '1' else '')
            # its readers may look at all but a word, which it names; which one, its row does not tell
            + (' freeptr=8' if r['name'] == 'vm_area_struct' else ''))
    for f in FIGURES:
        commands.append('get cache.%s.sysfs.%s' % (name, f))
        asked.append((r, f))
run = subprocess.run([PROGRAM, '--json', '-q', '-k', '-p', 'linux-6.18', '-l', 'mem=1G,cpus=2'], input='\n'.join(commands), stdout=subprocess.PIPE, text=True)
answers = [a for a in map(json.loads, run.stdout.splitlines()) if a.get('command') == 'get']
tally = Tally('kernel_618')
tally.equal(len(answers), len(asked), 'answers')
for (r, f), a in zip(asked, answers):
    tally.equal(str(next(iter((a.get('data') or {'': None}).values()))), r[f], '%s %s' % (r['name'], f))


def marks(text):
    """What zoneinfo says of each zone that formulas give."""
    zones = {}
    for zone, lines in re.findall(r'^Node 0, zone +(\w+)\n((?:  .*\n)*)', text, re.M):
        zones[zone] = [re.findall(r'^ +%s +(\d+)$' % k, lines, re.M) for k in ('min', 'low', 'high', 'promo', 'managed')]
        zones[zone] += [re.findall(r'^ +%s +(\d+)$' % k, lines, re.M) for k in ('batch:', 'high_min:', 'high_max:', 'vm stats threshold:')]
    return zones


theirs = marks(open(os.path.join(HERE, 'data', 'kernel-6.18', 'zoneinfo')).read())
shape = 'zones=DMA:16M:3840p+DMA32:3020M:772807p+Normal:3072M,cpus=2'	# their managed pages
run = subprocess.run([PROGRAM, '-q', '-p', 'linux-6.18', '-l', shape], input='set zone.min_free_kbytes 67584\nzoneinfo\n',
                     stdout=subprocess.PIPE, text=True)
ours = marks(run.stdout)
tally.equal(sorted(ours), sorted(theirs), 'zones')


def names(text):
    """What stands first in each line: the names of counters, and the words of the format."""
    return [re.sub(r'\d+', 'N', line.split()[0]) for line in text.splitlines()]


tally.equal(names(run.stdout), names(open(os.path.join(HERE, 'data', 'kernel-6.18', 'zoneinfo')).read()), 'lines of zoneinfo')
run = subprocess.run([PROGRAM, '-q', '-p', 'linux-6.18', '-l', shape], input='vmstat\n', stdout=subprocess.PIPE, text=True)
tally.equal(names(run.stdout), names(open(os.path.join(HERE, 'data', 'kernel-6.18', 'vmstat')).read()), 'lines of vmstat')
for zone in theirs:
    tally.equal(ours.get(zone), theirs[zone], 'marks and lists of ' + zone)
tally.close()
