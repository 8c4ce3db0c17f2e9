# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_618 - every cache of a running Linux 6.18, made anew under preset linux-6.18.

kmalloc caches are there already and are compared as they are; what 6.18 alone does
with start-up caches (a node's size, the alignment of 96 and 192) is no part of a
preset. Merging is left out: each cache is made alone.
"""
import csv
import json
import os
import subprocess

from kernel import HERE, PROGRAM, Tally

FIGURES = ('object_size', 'align', 'slab_size', 'order', 'objs_per_slab', 'min_partial', 'cpu_partial')
FLAGS = {'hwcache_align': 'HWCACHE', 'destroy_by_rcu': 'RCU', 'reclaim_account': 'RECLAIM', 'cache_dma': 'DMA'}
rows = list(csv.DictReader((x for x in open(os.path.join(HERE, 'data', 'kernel-6.18', 'caches.tsv')) if not x.startswith('#')), delimiter='\t'))
commands, asked = [], []
for i, r in enumerate(rows):
    name = r['name']
    if name in ('kmem_cache', 'kmem_cache_node', 'vm_area_struct'):
        # the last one names its own place for the link, which its row does not tell
        continue
    boot = name.startswith(('kmalloc-', 'dma-kmalloc-'))
    if not boot:
        name = 'c%d' % i
        flags = '|'.join(f for k, f in FLAGS.items() if r[k] == '1')
        commands.append('kmem_cache create %s %s align=%s merge=off%s%s' % (
            name, r['object_size'], r['align'], ' flags=' + flags if flags else '', ' ctor' if r['has_ctor'] == '1' else ''))
    for f in FIGURES:
        if boot and f == 'align' and name.endswith(('-96', '-192')):
            continue
        commands.append('get cache.%s.sysfs.%s' % (name, f))
        asked.append((r, f))
run = subprocess.run([PROGRAM, '--json', '-q', '-k', '-p', 'linux-6.18', '-l', 'mem=1G,cpus=2'], input='\n'.join(commands), stdout=subprocess.PIPE, text=True)
answers = [a for a in map(json.loads, run.stdout.splitlines()) if a.get('command') == 'get']
tally = Tally('kernel_618')
tally.equal(len(answers), len(asked), 'answers')
skipped = 0
for (r, f), a in zip(asked, answers):
    if not a.get('ok') and r['name'].startswith(('kmalloc-', 'dma-')):
        skipped += 1         # a class that a lab does not have
        continue
    tally.equal(str(next(iter((a.get('data') or {'': None}).values()))), r[f], '%s %s' % (r['name'], f))
if skipped:
    print('left out: %d figures of kmalloc classes that no lab has' % skipped)
tally.close()
