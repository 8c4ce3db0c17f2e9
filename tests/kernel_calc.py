# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_calc - the layout of every cache that the kernel made, and its kmalloc classes.

One lab a boot configuration. Every row of a table becomes a cache that is kept
alone; a row agrees when all its figures do.
"""
import glob
import os
import re

from kernel import DATA, Lab, Tally, boot_line, create_command, flag_set, table

# figure of the lab: column of the tables
FIGURES = {'object_size': 'object_size', 'align': 'align', 'size': 'slab_size', 'order': 'order',
           'objs_per_slab': 'objs_per_slab', 'min_partial': 'min_partial', 'cpu_partial': 'cpu_partial',
           'cpu_partial_slabs': 'cpu_partial_slabs', 'fallback_order': 'fallback_order',
           'fallback_objs': 'fallback_objs', 'inuse': 'inuse', 'freeptr_offset': 'freeptr_offset',
           'red_left_pad': 'red_left_pad', 'flags': 'flags'}
BOOT_FLAGS = {'hwcache_align': 'HWCACHE', 'destroy_by_rcu': 'RCU', 'reclaim_account': 'RECLAIM', 'cache_dma': 'DMA'}


def shape(comments):
    online, possible = re.search(r'CPUs online (\d+), present \d+, nr_cpu_ids (\d+)', '\n'.join(comments)).groups()
    return 'mem=512M,cpus=%s' % online + (',possible=%s' % possible if possible != online else '')


def requests(name, rows):
    """(row, creating command) of each row that is a cache and can be asked for again."""
    boots = name.startswith('boot_caches')
    for i, r in enumerate(rows):
        cache = 't%d' % i
        if not boots:
            yield cache, r, create_command(cache, r['obj_size_req'], r['align_req'], r['flags_req'], r['ctor'], merge='off')
        elif r.get('has_ctor') is not None and not ('debug' in name and 'kmalloc-' in r['name']):
            # (the alias table that follows has fewer columns; debugged kmalloc caches also keep the size asked for)
            flags = '|'.join(f for k, f in BOOT_FLAGS.items() if r[k] == '1')
            yield cache, r, create_command(cache, r['object_size'], r['align'], flags, r['has_ctor'], r['usersize'], 'off')


def compare_layouts(tally, path):
    comments, rows = table(path)
    name = os.path.basename(path)[:-4]
    lab, have = Lab(shape(comments), boot_line(comments)), {}
    asked = list(requests(name, rows))
    for _, _, command in asked:
        lab.do(command)
    for figure in FIGURES:
        lab.read('get cache.t*.%s' % figure, have, figure)
    trouble = lab.run()
    for cache, row, command in asked:
        wrong = []
        for figure, column in FIGURES.items():
            if column not in row:
                continue
            value = str((have.get(figure) or {}).get('cache.%s.%s' % (cache, figure)))
            same = flag_set(value) == flag_set(row[column]) if figure == 'flags' else value == row[column]
            if not same:
                wrong.append('%s %s, not %s' % (figure, value, row[column]))
        tally.check(not wrong, '%s: %s: %s %s' % (name, command, '; '.join(wrong), trouble))


def compare_classes(tally, path):
    """Which kmalloc cache gains an object, or how many whole pages go, at both ends of each range of sizes."""
    comments, rows = table(path)
    name = os.path.basename(path)[:-4]
    lab, answers = Lab(shape(comments), boot_line(comments)), []
    for row in rows:
        for size in sorted({row['from'], row['to']}, key=int):
            a = {'row': row, 'size': size}
            answers.append(a)
            lab.do('drain')
            lab.read('get cache.kmalloc-*.objects', a, 'objects_before')
            lab.read('get zone.N0.*.free_pages', a, 'free_before')
            lab.do('probe = kmalloc %s' % size, lambda data, error, a=a: a.__setitem__('error', error))
            lab.read('get cache.kmalloc-*.objects', a, 'objects_after')
            lab.do('kfree probe')
            lab.do('drain')
            lab.read('get zone.N0.*.free_pages', a, 'free_after')
    trouble = lab.run()
    for a in answers:
        row, what = a['row'], '%s: kmalloc %s' % (name, a['size'])
        if trouble or not a.get('objects_after'):
            tally.check(False, '%s: %s' % (what, trouble or a))
            continue
        grown = sorted(p.split('.')[1] for p, v in a['objects_after'].items() if p.count('.') == 2 and v != a['objects_before'][p])
        if row['kind'] == 'slab':
            tally.equal(grown, [row['cache_or_order']], what)
        elif row['kind'] == 'pages':
            tally.check(not grown and not a['error'], '%s: should take pages, was given %s %s' % (what, grown, a['error']))
        else:
            tally.check(not grown and a['error'], '%s: should fail' % what)
        if row['kind'] != 'slab':
            tally.equal(a['free_after'], a['free_before'], '%s: pages after giving it back' % what)


def main():
    tally = Tally('calc')
    for path in sorted(glob.glob(os.path.join(DATA, 'calc', '*.tsv'))):
        if 'kmalloc_map' in path:
            compare_classes(tally, path)
        else:
            compare_layouts(tally, path)
    tally.close()


main()
