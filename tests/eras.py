# SPDX-License-Identifier: GPL-3.0-or-later
"""eras - slab.era: geometry, limits and names of kernels from 2.6.24 to 6.18.

First what is written down of single sizes; then, for some hundred sizes, eras and
numbers of CPUs, a model of each era's rules in a few lines, and what the eras
differ in: 6.1 and 6.8 for sizes 10928 to 12280, 2.6.29 and 3.1 for a few others.
"""
import json
import subprocess

from kernel import PROGRAM, Tally

ERAS = ['2.6.24', '2.6.29', '3.1', '3.2', '4.2', '6.1', '6.8', '6.18']
PAGE = 4096
tally = Tally('eras')


def run(commands, *options):
    out = subprocess.run([PROGRAM, '--json', '-q', '-k', *options], input='\n'.join(commands) + '\n', stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def figures(caches, attrs, *options):
    """caches: (name, words behind the name). Their attributes, as numbers, by cache."""
    commands = ['kmem_cache create %s %s merge=off' % c for c in caches]
    commands += ['get cache.%s.%s' % (c[0], a) for c in caches for a in attrs]
    values = [next(iter(a['data'].values())) for a in run(commands, *options)[len(caches):]]
    return [tuple(int(v) for v in values[i:i + len(attrs)]) for i in range(0, len(values), len(attrs))]


# ---- orders ----

def get_order(size):
    return max(0, ((size - 1) // PAGE).bit_length())


def order_of(era, size, cpus, lo=0, hi=None, want=0):
    e = ERAS.index(era)
    if hi is None:
        hi = 1 if e == 0 else 3

    def attempt(m, top, f):
        for o in range(max(lo, get_order(m * size)), top + 1):
            if (PAGE << o) % size <= (PAGE << o) // f:
                return o
        return top + 1

    m = want or (4 if e == 0 else 4 * (cpus.bit_length() + 1))
    most = (PAGE << hi) // size
    if e >= 6:
        for f in 16, 8, 4, 2:
            o = attempt(max(min(m, most), 1), hi, f)
            if o <= hi:
                return o
        return get_order(size)
    if e >= 2:
        m = min(m, most)
    while m > 1:
        for f in (8, 4) if e == 0 else (16, 8, 4):
            o = attempt(m, hi, f)
            if o <= hi:
                return o
        m = m // 2 if e < 2 else m - 1
    o = attempt(1, hi, 1)
    return o if o <= hi else attempt(1, 10, 1)


WRITTEN = {  # size: order in 2.6.24; 2.6.29 on 2 and 8 CPUs; 3.1 on 2 and 8; 6.1 and 6.8 on 2, 8 and 64
    192: (0, 0, 0, 0, 0, 0, 0, 1), 256: (0, 0, 1, 0, 1, 0, 1, 1), 320: (0, 0, 1, 0, 1, 0, 1, 2),
    512: (0, 1, 2, 1, 2, 1, 2, 2), 704: (1, 2, 2, 2, 2, 2, 2, 3), 1024: (0, 2, 3, 2, 3, 2, 3, 3),
    2048: (1, 3, 3, 3, 3, 3, 3, 3), 4096: (1, 3, 3, 3, 3, 3, 3, 3), 8192: (1, 3, 2, 3, 3, 3, 3, 3),
    12288: (2, 2, 3, 3, 3, 3, 3, 3), 40960: (4, 4, 4, 4, 4, 4, 4, 4),
}
COLUMNS = (('2.6.24', 2), ('2.6.29', 2), ('2.6.29', 8), ('3.1', 2), ('3.1', 8), ('6.1', 2), ('6.1', 8), ('6.1', 64))
sizes = sorted(set(WRITTEN) | {12000} | set(range(8, 2048, 88)) | set(range(2048, 16400, 328)) |
               set(range(10920, 12296, 88)) | {6552, 6560, 8200, 12280, 12296, 16384, 16392, 20000, 32768})
caches = [('c%d' % s, s) for s in sizes]
have = {}
for era in ERAS:
    for cpus in (1, 2, 4, 8, 64) if era in ('2.6.29', '3.1', '6.1', '6.8') else (2, 8):
        got = figures(caches, ('sysfs.order', 'sysfs.objs_per_slab'), '-s', 'slab.era=' + era, '-l', 'mem=256M,cpus=%d' % cpus)
        for size, (order, objs) in zip(sizes, got):
            have[era, cpus, size] = order
            tally.equal((order, objs), (order_of(era, size, cpus), (PAGE << order) // size), 'era %s, %d CPUs, size %d' % (era, cpus, size))
for size, orders in WRITTEN.items():
    for (era, cpus), order in zip(COLUMNS, orders):
        tally.equal(have[era, cpus, size], order, 'size %d in %s on %d CPUs' % (size, era, cpus))
        if era == '6.1':
            tally.equal(have['6.8', cpus, size], order, 'size %d in 6.8 on %d CPUs' % (size, cpus))
tally.equal((have['6.1', 2, 12000], have['6.8', 2, 12000], have['2.6.24', 2, 12000]), (2, 3, 2), 'size 12000')
for cpus in 1, 2, 4, 8, 64:
    for size in sizes:
        if not 10928 <= size <= 12280:
            tally.equal(have['6.8', cpus, size], have['6.1', cpus, size], 'size %d, 6.8 is as 6.1' % size)
        apart = have['2.6.29', cpus, size] != have['3.1', cpus, size]
        tally.check(not apart or (cpus == 8 and 6560 <= size <= 8192) or (cpus in (1, 2) and 12288 <= size <= 16384) or cpus == 1,
                    'size %d, 2.6.29 and 3.1 differ on %d CPUs' % (size, cpus))
tally.check(any(have['6.8', 2, s] != have['6.1', 2, s] for s in sizes), '6.1 and 6.8 differ somewhere')
for cpus in 2, 8:
    tally.check(any(have['2.6.29', cpus, s] != have['3.1', cpus, s] for s in sizes), '2.6.29 and 3.1 differ on %d CPUs' % cpus)
# max_order 0 never makes a slab too small; present CPUs count since 5.12, ids before
for era in ERAS:
    tally.equal(figures([('x', 4352)], ('sysfs.order',), '-s', 'slab.era=' + era, '-s', 'slub.max_order=0'), [(1,)], 'max_order 0 in ' + era)
for era, order in ('4.2', 2), ('6.1', 1):
    tally.equal(figures([('x', 512)], ('sysfs.order',), '-s', 'slab.era=' + era, '-l', 'mem=64M,cpus=2,possible=8'), [(order,)], 'CPUs counted in ' + era)
# explicit values go before an era's own
tally.equal(figures([('x', 4096)], ('sysfs.order',), '-s', 'slab.era=2.6.24', '-s', 'slub.max_order=3', '-s', 'slub.min_objects=8'), [(3,)], 'set in 2.6.24')

# ---- objects ----

LAYOUT = [  # request; slot, align, offset of the link by era: to 5.6 in front, then in the middle
    ('100', (104, 8, 0), (104, 8, 48)), ('100 flags=HWCACHE', (128, 64, 0), (128, 64, 48)),
    ('616 ctor', (624, 8, 616), (624, 8, 616)), ('184 flags=RCU|HWCACHE', (192, 64, 184), (192, 64, 184)),
    ('2080 ctor flags=RCU|HWCACHE', (2112, 64, 2080), (2112, 64, 2080)), ('1', (8, 8, 0), (8, 8, 0)),
    ('100 flags=REDZONE', (112, 8, 0), (120, 8, 48)), ('104 flags=REDZONE', (120, 8, 0), (128, 8, 48)),
    ('24 flags=HWCACHE', (32, 32, 0), (32, 32, 8)), ('20 flags=HWCACHE align=128', (128, 128, 0), (128, 128, 8)),
]
for era in ERAS:
    late = ERAS.index(era) >= 5
    got = figures([('x%d' % i, row[0]) for i, row in enumerate(LAYOUT)], ('sysfs.slab_size', 'sysfs.align', 'freeptr_offset'), '-s', 'slab.era=' + era)
    for row, have_it in zip(LAYOUT, got):
        want = row[1 + late]
        if era == '2.6.24' and row[0] == '24 flags=HWCACHE':
            want = (24, 8, 0)       # more than half a line, or no alignment
        tally.equal(have_it, want, 'layout of %s in %s' % (row[0], era))
for era, link in ('6.18', 8), ('6.8', 192):
    tally.equal(figures([('v', '192 flags=RCU freeptr=8')], ('freeptr_offset',), '-s', 'slab.era=' + era), [(link,)], 'a link that the cache places, ' + era)
# limits
LIMITS = {100: (5, 6, 5), 24: (5, 5, 5), 4096: (5, 10, 6), 1024: (5, 10, 5), 300: (5, 8, 5), 65536: (5, 10, 8)}
PARTIAL = {100: (30, 120), 24: (30, 120), 300: (13, 52), 1024: (6, 24), 4096: (2, 6), 65536: (2, 6)}
for era in ERAS:
    e = ERAS.index(era)
    got = figures([('x%d' % s, s) for s in LIMITS], ('min_partial', 'cpu_partial'), '-s', 'slab.era=' + era)
    for size, have_it in zip(LIMITS, got):
        want = (LIMITS[size][0 if e < 2 else 1 if e == 2 else 2], 0 if e < 3 else PARTIAL[size][e >= 5])
        tally.equal(have_it, want, 'limits of size %d in %s' % (size, era))

# ---- kmalloc ----

def names(*options):
    return {path[6:-8] for path in run(['get cache.*.objects'], *options)[0]['data']}


ALIGN = {'2.6.29': (8, 8, 8), '4.2': (8, 8, 8), '6.1': (64, 8, 8), '6.8': (64, 8, 8), '6.18': (64, 32, 64)}
for era, want in ALIGN.items():
    data = run(['get cache.kmalloc-%d.sysfs.align' % s for s in (64, 96, 192)], '-s', 'slab.era=' + era)
    tally.equal(tuple(int(next(iter(a['data'].values()))) for a in data), want, 'alignment of kmalloc-64, -96, -192 in ' + era)
for options, there, gone in (
        (('-s', 'slab.era=2.6.29'), ('kmalloc-1024', 'kmalloc_dma-1024'), ('kmalloc-1k', 'dma-kmalloc-1k')),
        (('-s', 'slab.era=4.2'), ('kmalloc-1024', 'dma-kmalloc-1024'), ('kmalloc-1k',)),
        (('-s', 'slab.era=6.18'), ('kmalloc-1k', 'dma-kmalloc-1k', 'kmalloc-96'), ('kmalloc-1024', 'kmalloc-16k')),
        (('-p', 'linux-2.5.9'), ('size-32', 'size-1024', 'size-131072', 'size-96(DMA)'), ('kmalloc-64', 'size-16', 'size-262144')),
        (('-p', 'linux-2.6.29'), ('kmalloc-4096',), ('kmalloc-8192',)),
        (('-s', 'slab.engine=slqb'), ('kmalloc-192', 'kmalloc-2M', 'kmalloc-8'), ('kmalloc-96', 'kmalloc-4M')),
        (('-s', 'slab.engine=slab'), ('kmalloc-32', 'kmalloc-8k', 'kmalloc-96'), ('kmalloc-16', 'kmalloc-16k'))):
    have_it = names(*options)
    for n in there:
        tally.check(n in have_it, '%s has %s' % (options[1], n))
    for n in gone:
        tally.check(n not in have_it, '%s has no %s' % (options[1], n))

# ---- files ----

COUNTERS = {'2.6.29': 18, '3.1': 22, '3.2': 24, '4.2': 26, '6.1': 26, '6.18': 26}
ALL = ('alloc_fastpath alloc_slowpath free_fastpath free_slowpath free_frozen free_add_partial free_remove_partial alloc_from_partial '
       'alloc_slab alloc_refill alloc_node_mismatch free_slab cpuslab_flush deactivate_full deactivate_empty deactivate_to_head '
       'deactivate_to_tail deactivate_remote_frees deactivate_bypass order_fallback cmpxchg_double_cpu_fail cmpxchg_double_fail '
       'cpu_partial_alloc cpu_partial_free cpu_partial_node cpu_partial_drain').split()
for era, nr in COUNTERS.items():
    got = run(['get cache.kmalloc-64.sysfs.' + c for c in ALL], '-s', 'slab.era=' + era)
    tally.equal(sum(a['ok'] for a in got), nr, 'counters in ' + era)
for era, attr, has in (('2.6.24', 'defrag_ratio', True), ('2.6.24', 'remote_node_defrag_ratio', False), ('3.2', 'reserved', True),
                       ('4.2', 'reserved', False), ('3.1', 'cpu_partial', False), ('3.2', 'cpu_partial', True), ('6.1', 'skip_kfence', True)):
    tally.equal(run(['get cache.kmalloc-64.sysfs.' + attr], '-s', 'slab.era=' + era)[0]['ok'], has, '%s in %s' % (attr, era))
tally.close()
