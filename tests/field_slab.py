# SPDX-License-Identifier: GPL-3.0-or-later
"""field_slab - what people paste of slabs: recognised unasked, and the figures that are in it.

Expectations were worked out from the files by hand. The lab's own reports are read back, too.
"""
import glob
import json
import os
import subprocess
import tempfile

from kernel import HERE, PROGRAM, Tally

DIR = os.path.join(HERE, 'data', 'field')

# file, path into the answer, value; a list index by number, a row of caches by name
WANT = '''
slabinfo-1.1-2.4.26-sparse-inodes kind slabinfo
slabinfo-1.1-2.4.26-sparse-inodes totals.caches 27
slabinfo-1.1-2.4.26-sparse-inodes totals.objects 647181
slabinfo-1.1-2.4.26-sparse-inodes totals.total_objects 1040130
slabinfo-1.1-2.4.26-sparse-inodes totals.slab_kb 347692
slabinfo-1.1-2.4.26-sparse-inodes totals.active_bytes 222424672
slabinfo-1.1-2.4.26-sparse-inodes caches.size-131072(DMA).object_size 131072
slabinfo-1.1-statistics-2.4.19-with-sysrq-m totals.caches 42
slabinfo-1.1-statistics-2.4.19-with-sysrq-m totals.slab_kb 1288
slabinfo-2.0-statistics-wrapped-leak totals.total_objects 2486
slabinfo-2.1-sorted-no-header totals.slab_kb 80436
slabinfo-2.1-sorted-no-header caches.radix_tree_node.fallback_slabs 1
slabinfo-2.1-sorted-no-header caches.radix_tree_node.missing_objects 21
slabinfo-2.1-debug-kernel-inflated totals.objects 943
slabtop-734M-objects kind slabtop
slabtop-734M-objects totals.caches 8
slabtop-734M-objects caches.kmalloc-2048.fallback_slabs 1
slabtop-734M-objects caches.ext4_inode_cache.fallback_slabs 13
slabtop-734M-objects caches.dentry.fallback_slabs 29
slabtop-734M-objects caches.task_struct.use_pct 95.6
crash-kmem-s-with-unknowns kind crash
crash-kmem-s-with-unknowns caches.kmalloc-256.objects 6304
crash-kmem-s-with-unknowns skipped.0 10
crash-kmem-S-cpu-slab caches.kmalloc-512.total_objects 3680
slub-cannot-allocate-memcg-names kind slubdbg
slub-cannot-allocate-memcg-names shortages.0.nodes.0.fallback_slabs 9
slub-cannot-allocate-memcg-names shortages.2.nodes.0.fallback_slabs 10
slub-cannot-allocate-pageptl shortages.1.cache page->ptl
slub-cannot-allocate-pageptl shortages.1.nodes.0.fallback_slabs 0
slubdbg-3.2-validate-race reports.0.cache anon_vma
slubdbg-3.2-validate-race reports.0.object.offset 3136
slubdbg-3.2-validate-race reports.0.slab.used 9
slubdbg-3.2-validate-race reports.1.expected 187
slubdbg-3.2-validate-race reports.1.fixes.1 Marking all objects used
slubdbg-4.9-quoted-arm reports.0.bytes 5
slubdbg-4.9-quoted-arm reports.0.alloc.age 11951
slubdbg-5.x-object-already-free-hashed reports.0.message Object already free
slubdbg-5.x-object-already-free-hashed reports.0.free.cpu 13
slubdbg-5.x-object-already-free-hashed reports.0.object.offset 24832
slubdbg-6.0-kmalloc-redzone-printk-caller reports.0.offset 1612
slubdbg-6.0-kmalloc-redzone-printk-caller reports.0.found 7
slubdbg-6.11-arm64-fix-before-slab reports.0.slab.used 23
slubdbg-3.10-el7-memcg-name-repeated reports.0.slab.used 33
slubdbg-3.10-i686-poison-one-byte reports.0.bytes 1
slubdbg-3.13-pageptl-zeros reports.0.cache page->ptl
slubdbg-3.2-pi-usb-uaf reports.0.bytes 4
slabinfo-1.1-statistics-2.4.19-with-sysrq-m freelists.0.stated_kb 132
slabinfo-1.1-statistics-2.4.19-with-sysrq-m freelists.1.sum_kb 204
slabinfo-1.1-statistics-2.4.19-with-sysrq-m freelists.1.zone Normal
allocfail-3.x-markdown-ate-asterisks kind allocfail
allocfail-3.x-markdown-ate-asterisks freelists.1.sum_kb 48932
allocfail-3.8-order4-slab-mailqp zones.1.free_kb 167276
allocfail-3.8-order4-slab-mailqp freelists.2.stated_kb 86428
allocfail-4.15-two-cpus-interleaved freelists.0.stated_kb 15908
allocfail-4.15-two-cpus-interleaved freelists.1.sum_kb 2939236
pagetypeinfo-x86-highatomic-nonzero kind pagetypeinfo
pagetypeinfo-x86-highatomic-nonzero type_sums.1.pages 16808
pagetypeinfo-x86-highatomic-nonzero blocks.1.total 504
snap-arm-3.4-highmem-pagetypeinfo types.3.pages 1024
zoneinfo-watermark-variants-quoted zones.0.node 3
zoneinfo-watermark-variants-quoted zones.0.low 1801
snap-el8-4.18-zoneinfo zones.1.managed 995127
snap-el8-4.18-zoneinfo zones.4.spanned 0
snap-el8-4.18-zoneinfo arranged True
snap-el8-4.18-zoneinfo shape zones=DMA:16M:3977p+DMA32:3888M:995127p+Normal:4072M:1042033p,cpus=4,seed=1
snap-el8-4.18-zoneinfo min_free_kbytes 67580
allocfail-3.8-order4-slab-mailqp freelists.1.types.5 R
allocfail-3.8-order4-slab-mailqp freelists.1.beyond_free_kb 1740
allocfail-3.8-order4-slab-mailqp freelists.2.verdict ok
allocfail-3.8-order4-slab-mailqp arranged True
allocfail-4.15-two-cpus-interleaved freelists.1.zone DMA32
allocfail-4.15-two-cpus-interleaved freelists.1.verdict truncated
allocfail-4.15-two-cpus-interleaved freelists.1.partial_sum_kb 2939236
allocfail-5.1x-serial-console-overwritten freelists.0.verdict damaged
allocfail-5.1x-serial-console-overwritten freelists.0.orders 13
allocfail-5.1x-serial-console-overwritten freelists.0.partial_sum_kb 134588
allocfail-5.1x-serial-console-overwritten skipped.0 21
allocfail-5.4-arm64-64k-cma-oom requests.0.oom True
allocfail-5.4-arm64-64k-cma-oom requests.1.line 27
allocfail-5.4-arm64-64k-cma-oom freelists.0.page_kb 64
allocfail-5.4-arm64-64k-cma-oom min_free_kbytes 5724
allocfail-6.x-boost-all-zero zones.0.boost_kb 4096
allocfail-6.x-boost-all-zero zones.0.below min
allocfail-6.x-boost-all-zero min_free_kbytes 948
allocfail-2.6-ia64-16k-underflowed-zone requests.0.gfp 32
allocfail-2.6-ia64-16k-underflowed-zone zones.2.present_kb -1584
allocfail-2.6-ia64-16k-underflowed-zone freelists.1.orders 17
allocfail-4.14-android-highatomic requests.0.suitable.0.set_aside True
pagetypeinfo-x86-highatomic-nonzero pageblock_order 9
pagetypeinfo-x86-highatomic-nonzero blocks.1.Reclaimable 10
snap-arm-3.4-highmem-pagetypeinfo pageblock_order 10
snap-el8-4.18-vmstat counters.nr_free_pages 213021
snap-el8-4.18-meminfo kind meminfo
snap-el8-4.18-meminfo counters.MemFree 851960
perfkmem-2009-raw-addresses-quoted totals.waste_bytes 20086
perfkmem-2009-raw-addresses-quoted totals.frag_pct 0.853375
perfkmem-2009-raw-addresses-quoted sites.13.hits 1
perfkmem-pingpong-columns kind perfkmem
perfkmem-pingpong-columns sites.1.pingpong 1
perfkmem-pingpong-columns sites.4.site cgroup_alloc_name.isra.23+1f
'''


def ask(kind, path):
    p = subprocess.run([PROGRAM, '--json', '-q', '-k', '-c', "import %s '%s'" % (kind, path)], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    return json.loads(p.stdout) if p.stdout.strip() else {'ok': False, 'stderr': p.stderr}


def at(data, path):
    # cache names hold dots and brackets: only the first and last parts are split off
    head, _, rest = path.partition('.')
    if head == 'caches':
        name, _, key = rest.rpartition('.')
        return next((c.get(key) for c in data.get('caches', []) if c['name'] == name), None)
    for part in path.split('.'):
        data = data[int(part)] if isinstance(data, list) and int(part) < len(data) else data.get(part) if isinstance(data, dict) else None
    return data


tally = Tally('field_slab')
answers = {}
for f in sorted(glob.glob(DIR + '/*.txt')):
    name = os.path.basename(f)[:-4]
    answers[name] = ask('auto', f)
    tally.check(answers[name].get('ok') is True, name + ' is not recognised')
for line in WANT.strip().splitlines():
    name, path, value = line.split(' ', 2)
    have = at(answers[name].get('data') or {}, path)
    tally.check(str(have) == value, '%s %s: %r, should be %s' % (name, path, have, value))
with tempfile.NamedTemporaryFile('w', suffix='.log') as log:
    run = subprocess.run([PROGRAM, '-q', '-k', '-c', '\n'.join([
        'kmem_cache create N 100', 'set cache.N.debug FZPU', 'a = kmem_cache alloc N x3', 'poke a[1] 100 0x41', 'kmem_cache free N a[1]'])],
        stdout=subprocess.PIPE, text=True)
    log.write(run.stdout)
    log.flush()
    mine = ask('auto', log.name)
    report = (mine.get('data') or {}).get('reports', [{}])[0]
    tally.check(report.get('message') == 'Right Redzone overwritten' and report.get('found') == 0x41 and
                report.get('object', {}).get('bad_byte') == 100 and len(report.get('fixes', [])) == 2, 'the lab\'s own report: %r' % report)

# pagetypeinfo there and back: the lab's free lists are those of the file, type by type
def free_rows(text):
    return [' '.join(l.split()) for l in text.splitlines() if l.startswith('Node') and ', type ' in l and ' CMA ' not in l]


def after(path, then):
    return subprocess.run([PROGRAM, '-q', '-k', '-c', "import auto '%s'\n%s\nlab check" % (path, then)], stdout=subprocess.PIPE, text=True).stdout


machines = glob.glob(os.path.join(HERE, 'data', 'kernel-6.1', 'pages', '*', 'pagetypeinfo'))
tally.check(len(machines) >= 2, 'no machines in the data')
for path in [os.path.join(DIR, 'pagetypeinfo-x86-highatomic-nonzero.txt')] + sorted(machines):
    out = after(path, 'pagetypeinfo')
    with open(path) as f:
        tally.check(free_rows(out) == free_rows(f.read()) and 'every invariant holds' in out, path + ' does not come out as it went in')
out = after(os.path.join(DIR, 'allocfail-4.14-android-highatomic.txt'), 'pagetypeinfo')
tally.check('Node 0, zone Normal, type HighAtomic 505 357 201 65 1 0 0 0 0 0 0' in free_rows(out), 'a list of one letter: ' + out)


# A terminal broke its lines, or somebody quoted it: the figures are the same.
def figures(o):
    d = o.get('data') or {}
    return ([[l.get(k) for k in ('node', 'zone', 'counts', 'stated_kb', 'verdict')] for l in d.get('freelists', [])],
            [[z.get(k) for k in ('node', 'zone', 'free_kb', 'min_kb')] for z in d.get('zones', [])])


def changed(text, change):
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write('\n'.join(change(l) for l in text.split('\n')))
        f.flush()
        return figures(ask('auto', f.name))


for name in ('allocfail-3.x-markdown-ate-asterisks', 'allocfail-5.4-arm64-64k-cma-oom', 'allocfail-2.6-ia64-16k-underflowed-zone'):
    with open(os.path.join(DIR, name + '.txt')) as f:
        text = f.read()
    for width in (80, 76, 61, 40):
        got = changed(text, lambda l: '\n'.join(l[i:i + width] for i in range(0, len(l), width)))
        tally.check(got == figures(answers[name]), '%s broken at %d: %r' % (name, width, got))
    for prefix in ('> > ', 'Jan  3 12:00:01 host kernel: ', '[   12.345678][  T154] '):
        got = changed(text, lambda l: prefix + l)
        tally.check(got == figures(answers[name]), '%s behind %r: %r' % (name, prefix, got))

# The lab's own report of a failed request makes a lab like it.
with tempfile.NamedTemporaryFile('w', suffix='.log') as log:
    log.write(subprocess.run([PROGRAM, '-q', '-k', '--lab', 'mem=64M,cpus=1', '-c', 'a = alloc_pages 0 x16300\nallocfail\nbuddyinfo'],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout)
    log.flush()
    with open(log.name) as f:
        rows = [l for l in f if l.startswith('Node 0, zone')]
    mine = ask('allocfail', log.name).get('data') or {}
    tally.check(mine.get('arranged') is True and mine['requests'][0]['order'] == 0 and mine['freelists'][0]['verdict'] == 'ok', 'the lab\'s own failure: %r' % mine)
    tally.check(rows and rows[0] in after(log.name, 'buddyinfo'), 'a lab after its own failure: ' + after(log.name, 'buddyinfo'))
# Sizes in larger units, with fractions: what tools make of a kernel's kB.
def pasted(text):
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write(text)
        f.flush()
        return ask('auto', f.name).get('data') or {}


got = pasted('MemTotal:  15.5 GiB\nMemFree:   1023.4 MiB\nSlab:      512 MB\nSReclaimable: 400 MiB\nCached: 12 kB\n').get('counters', {})
tally.check([got.get(k) for k in ('MemTotal', 'MemFree', 'Slab', 'SReclaimable', 'Cached')] == [16252928, 1047962, 524288, 409600, 12],
            'meminfo in MiB and GiB: %r' % got)
got = pasted('Mem-Info:\nNode 0 Normal free:100.5MB min:16MB low:20MB high:24MiB present:1.5GB managed:1500MB\n'
             'Normal: 1*4kB 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 1*512kB 0*1MB 0*2MB 25*4MB = 100.5MB\n')
tally.check(got.get('zones', [{}])[0].get('free_kb') == 102912 and got['zones'][0].get('min_kb') == 16384, 'a zone in MB: %r' % got)
tally.check(got.get('freelists', [{}])[0].get('sum_kb') == 102916 and got['freelists'][0].get('verdict') == 'ok', 'a free list in MB: %r' % got)

# A slabinfo of pages other than 4 kB: what fits into its slabs says of what size.
def slabinfo_of(kb):
    rows = ['%s %d %d %d %d %d : tunables 0 0 0 : slabdata %d %d 0' % (name, 2 * n, 2 * n, size, n, pages, 2, 2)
            for name, size, pages in (('inode', 1080, 1), ('dentry', 192, 1), ('kmalloc-1k', 1024, 1), ('task', 3776, 2))
            for n in (pages * kb * 1024 // size,)]
    return 'slabinfo - version: 2.1\n' + '\n'.join(rows) + '\n'


for kb in (4, 8, 16, 64):
    got = pasted(slabinfo_of(kb))
    tally.check(got.get('page_kb', 4) == kb and got['totals']['slab_kb'] == 2 * 5 * kb and got['caches'][0]['slab_kb'] == 2 * kb,
                'slabinfo of pages of %d kB: %r' % (kb, got.get('totals')))
got = pasted(slabinfo_of(4).replace('dentry 42 42 192', 'dentry 42 42 9192'))
tally.check('page_kb' not in got, 'one damaged row says nothing of the size of pages')

tally.close()
