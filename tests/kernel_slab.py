# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_slab - engine slab against a 6.1 kernel built with the queued allocator.

Tables: every figure of every cache that the kernel sized, and its kmalloc
classes. Scripts: at every mark all statistics, the three lists of each node
from head to tail, every array; entries of arrays and places of objects where
the script asks for them.

The wait for the timer (`settle`) is made of single passes here, for the script
shifts the time at which the node is due.
"""
import glob
import os
import re

from kernel import EVERY, HERE, Lab, Tally, boot_line, create_command, packed, table
import kernel
from kernel_sequences import Script, settings

DATA = os.environ.get('KERNEL_SLAB_DATA', os.path.join(HERE, 'data', 'kernel-6.1-slab'))
SHAPES = {'numa': 'mem=1G,cpus=4,nodes=2'}
FIGURES = {'object_size': 'object_size', 'align': 'align', 'size': 'slab_size', 'order': 'order',
           'objs_per_slab': 'objs_per_slab', 'colours': 'colours', 'colour_off': 'colour_off',
           'management': 'management', 'index_bytes': 'index_bytes', 'limit': 'limit', 'batchcount': 'batchcount',
           'shared': 'sharedfactor', 'shared_limit': 'shared_limit', 'alien_limit': 'alien_limit', 'free_limit': 'free_limit'}
STATISTICS = ('listallocs maxobjs grown reaped error maxfreeable nodeallocs remotefrees alienoverflow '
              'allochit allocmiss freehit freemiss').split()
TICK, NODE_TICK = 2000, 4000


def a_lab(machine, cpus, boot):
    lab = Lab(SHAPES.get(machine, 'mem=1G,cpus=%s' % cpus), boot)
    lab.arguments += ['--set', 'slab.engine=slab']
    return lab


# ---- what the kernel said ----

def kernel_slab(text):
    m = re.fullmatch(r'S(\d+):(\d+)/(\d+)/(\d+)(?:\+(\d+))?', text)
    return (int(m[1]), int(m[2]), int(m[3]), int(m[4]), int(m[5] or 0))


def kernel_lists(line):
    return {k: [kernel_slab(s) for s in v.split()] for k, v in re.findall(r'(full|partial|free)=\[(.*?)\]', line)}


def array_of(s, name):
    """(avail, limit) and touched of `shared=0/480 ... touched=0`; None for none."""
    return None if s[name] == 'none' else tuple(int(x) for x in s[name].split('/'))


def kernel_mark(lines):
    parts = {}
    for line in lines:
        word, _, rest = line.partition(' ')
        s = settings(rest)
        if word == 'slabinfo':
            parts['slabinfo'] = [int(w) for w in rest.split()[1:] if w.isdigit()]
        elif word.startswith('node') and 'full=[' in rest:
            parts[word + ' lists'] = kernel_lists(rest)
        elif word.startswith('node') and 'total_slabs' in s:
            parts[word] = tuple(int(s[k]) for k in ('total_slabs', 'free_slabs', 'free_objects', 'free_limit',
                                                    'colour_next', 'free_touched'))
            shared = array_of(s, 'shared')
            parts[word + ' shared'] = shared and shared + (int(s['touched']),)
            for k in s:
                if k.startswith('alien'):
                    parts['%s %s' % (word, k)] = array_of(s, k)
        elif word.startswith('cpu') and 'avail' in s:
            parts[word] = tuple(int(s[k]) for k in ('avail', 'limit', 'batchcount', 'touched'))
        entries = re.match(r'(\w*?)_?entries=\[(.*?)\]', rest)
        if entries:
            parts[' '.join(w for w in (word, entries[1], 'entries') if w)] = entries[2].split()
    return parts


# ---- what the lab says ----

def lab_mark(cache, rows, slabs):
    r = next(r for r in rows['caches'] if r['name'] == cache)
    parts = {'slabinfo': [r[k] for k in ('active_objs num_objs objsize objperslab pagesperslab limit batchcount sharedfactor '
                                         'active_slabs num_slabs sharedavail').split()] + [r[k] for k in STATISTICS]}
    for n in slabs['nodes']:
        name = 'node%d' % n['node']
        parts[name] = tuple(n[k] for k in ('nr_slabs', 'free_slabs', 'free_objects', 'free_limit', 'colour_next', 'free_touched'))
        parts[name + ' shared'] = None
        parts[name + ' lists'] = {l: [(s['slab'], s['inuse'], s['active'], s['objects'], s['start']) for s in n[l]]
                                  for l in ('full', 'partial', 'free')}
    for q in slabs['queues']:
        if q['kind'] == 'array':
            name = 'cpu%d' % q['cpu']
            parts[name] = tuple(q[k] for k in ('avail', 'limit', 'batchcount', 'touched'))
        elif q['kind'] == 'shared':
            name = 'node%d shared' % q['node']
            parts[name] = (q['avail'], q['limit'], q['touched'])
        else:
            name = 'node%d alien%d' % (q['node'], q['of_node'])
            parts[name] = (q['avail'], q['limit'])
        parts[name + ' entries'] = q['entries']
    return parts


# ---- one script ----

class SlabScript(Script):
    def __init__(self, name, machine, ops, out, tally):
        self.time, self.due = 0, NODE_TICK
        super().__init__(name, machine, ops, out, tally)

    def make_lab(self, machine, cpus, boot):
        self.cpus = int(cpus)
        return a_lab(machine, cpus, boot)

    def op_reap(self, a, answer):
        """The lab's clock stands still between commands: nothing reaps."""

    def op_tune(self, a, answer):
        # A kernel ignores sizes that cannot be; the lab refuses them. Neither changes anything.
        self.lab.do('kmem_cache tune %s' % ' '.join(a))

    def op_tick(self, a, answer):
        words = [a[0]] + (['node'] if a[1] == 'node' else []) + (['alien=' + a[2]] if len(a) > 2 else [])
        self.lab.do('kmem_cache reap %s' % ' '.join(words))

    def op_nextreap(self, a, answer):
        self.due = self.time + int(a[1])

    def op_settle(self, a, answer):
        for _ in range(int(a[0])):
            self.time += TICK
            for cpu in range(self.cpus):
                node = cpu == 0 and self.time >= self.due
                self.lab.do('on %d kmem_cache reap A%s' % (cpu, ' node' if node else ''))
            if self.time >= self.due:
                self.due = self.time + NODE_TICK

    def op_create(self, a, answer):
        got = {}
        super().op_create(a, answer)
        for figure in ('size', 'objs_per_slab', 'order', 'colours', 'colour_off', 'management'):
            self.lab.read('get -v cache.%s.%s' % (a[0], figure), got, figure)
        self.checks.append(lambda: self.tally.equal(
            'ok size=%s num=%s order=%s colour=%s colour_off=%s management=%s refcount=1' % tuple(
                (list(v.values())[0] if isinstance(v, dict) else v) for v in got.values()), answer[0], '%s: create' % self.name))

    def op_layout(self, a, answer):
        got = {}
        for figure in FIGURES:
            self.lab.read('get cache.%s.%s' % (a[0], figure), got, figure)
        self.checks.append(lambda: self.tally.equal(
            [str(list(v.values())[0]) for v in got.values()], answer[0].split(), '%s: layout' % self.name))

    def op_mark(self, a, answer, cache=None):
        label, cache = a[0], cache or a[1]
        got, want = {}, kernel_mark(answer)
        self.lab.read('slabinfo', got, 'info')
        self.lab.read('slabs %s' % cache, got, 'slabs')

        def compare():
            have = lab_mark(cache, got['info'], got['slabs'])
            wrong = ['%s: %s, the kernel says %s' % (k, have.get(k), v) for k, v in want.items() if have.get(k) != v]
            return self.tally.check(not wrong, '%s: mark %s: %s' % (self.name, label, '; '.join(wrong)[:400]))
        self.checks.append(compare)

    def op_arrays(self, a, answer):
        self.op_mark(['arrays', a[0]], answer)

    def op_where(self, a, answer):
        numbers, places = self.numbers(a[1], a[2]), {}
        at = [self.where_now.get(n) for n in numbers]
        for h in sorted({x[0] for x in at if x}):
            self.lab.read('where %s' % h, places, h)

        def compare():
            found = {(h, m['index']): '%d.%d' % (m['slab'], m['object']) for h, members in places.items() for m in members or []}
            self.tally.equal(' '.join(found.get(x, '-1') for x in at), ' '.join(answer),
                             '%s: places of %s' % (self.name, ' '.join(a)))
        self.checks.append(compare)


# ---- tables ----

def shape(comments):
    cpus, nodes = re.search(r'(\d+) CPU\(s\), (\d+) node', '\n'.join(comments)).groups()
    return ('numa' if nodes == '2' else ''), cpus


def compare_layouts(tally, path):
    comments, rows = table(path)
    name = os.path.basename(path)[:-4]
    lab, have = a_lab(*shape(comments), boot_line(comments)), {}
    for i, r in enumerate(rows):
        lab.do(create_command('t%d' % i, r['obj_size_req'], r['align_req'], r['flags_req'], r['ctor']))
    for figure in FIGURES:
        lab.read('get cache.t*.%s' % figure, have, figure)
    trouble = lab.run()
    for i, row in enumerate(rows):
        wrong = ['%s %s, not %s' % (f, have[f].get('cache.t%d.%s' % (i, f)), row[c]) for f, c in FIGURES.items()
                 if str((have.get(f) or {}).get('cache.t%d.%s' % (i, f))) != row[c]]
        tally.check(not wrong, '%s: t%d %s: %s %s' % (name, i, row, '; '.join(wrong), trouble))


def compare_classes(tally, path):
    comments, rows = table(path)
    name = os.path.basename(path)[:-4]
    lab, seen = a_lab(*shape(comments), boot_line(comments)), []
    for row in rows:
        for size in sorted({row['from'], row['to']}, key=int):
            a = {'row': row, 'size': size}
            seen.append(a)
            lab.read('get cache.kmalloc-*.objects', a, 'before')
            lab.do('probe = kmalloc %s' % size, lambda data, error, a=a: a.__setitem__('error', error))
            lab.read('get cache.kmalloc-*.objects', a, 'after')
            lab.do('kfree probe')
    trouble = lab.run()
    for a in seen:
        row, what = a['row'], '%s: kmalloc %s' % (name, a['size'])
        if trouble:
            tally.check(False, '%s: %s' % (what, trouble))
            continue
        grown = [p.split('.')[1] for p, v in a['after'].items() if p.count('.') == 2 and v != a['before'][p]]
        tally.equal(grown, [row['name']] if row.get('kind') == 'slab' else [], what)
        tally.equal(bool(a['error']), row['usable'] == 'fail', what)


def main():
    tally = Tally('slab')
    for path in sorted(glob.glob(os.path.join(DATA, 'calc', '*.tsv'))):
        (compare_classes if 'kmalloc_map' in path else compare_layouts)(tally, path)
    kernel.DATA = DATA
    files = packed('scripts.tar.xz')
    for name in [n[:-4] for n in sorted(files) if n.endswith('.ops')][::EVERY]:
        SlabScript(name, name.split('/')[0], files[name + '.ops'], files[name + '.out'], tally).run()
    tally.close()


if __name__ == '__main__':
    main()
