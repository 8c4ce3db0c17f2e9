# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_sequences - scripts of operations that a 6.1 kernel ran, run here, compared at every mark.

    kernel_sequences.py    the distribution's kernel
    kernel_stats.py        the same with SLUB's statistics: every counter, per CPU too; and with
                           slabs put at the head or the tail of the lists

Shortage of high orders: `eat 0 N` leaves nothing free but N single pages, which is
`import buddyinfo` here. What `eat` frees besides, in blocks of higher order, lies on
per-CPU page lists in pieces there and served no slab, so none of it is made.

A mark compares each sysfs file, the slabinfo row, every node list and CPU list
from head to tail, and the slabs on no list. `where` lines compare the slab of
each object, `reuse` lines which object last had the same address.
"""
import os
import re
import tempfile

from kernel import EVERY, Lab, Tally, create_command, packed

SHAPES = {'numa': 'mem=1G,cpus=4,nodes=2', 'fallback': 'mem=128M,cpus=2', 'fallback_max0': 'mem=128M,cpus=2'}
ORDERS = 11
PLACEMENTS = {'placement-kernel': 'deactivate', 'placement-head': 'head', 'placement-tail': 'tail'}
LAYOUT = ('object_size align size order objs_per_slab min_partial cpu_partial cpu_partial_slabs '
          'fallback_order fallback_objs inuse freeptr_offset red_left_pad').split()


# ---- what the kernel said ----

def settings(text):
    """name=value and name="two values" of one line."""
    return {k: v.strip('"') for k, v in re.findall(r'(\w+)=("[^"]*"|\S+)', text)}


def kernel_slab(text):
    m = re.fullmatch(r'S(\d+):(\d+)/(\d+)(?:@n(\d+))?', text)
    return None if m is None else (int(m[1]), int(m[2]), int(m[3]), int(m[4] or 0))


def kernel_mark(lines):
    """The answer to a mark as {part: value}; parts that stand for nothing are left out."""
    parts = {}
    for line in lines:
        word, _, rest = line.partition(' ')
        listed = re.search(r'partial=\[(.*?)\]', line)
        slabs = [kernel_slab(s) for s in listed[1].split()] if listed else []
        s = settings(rest)
        if word in ('sysfs', 'stats'):
            parts.update(('file ' + k, v) for k, v in s.items())
        elif word == 'slabinfo':
            parts['slabinfo'] = rest.split()
        elif word.startswith('node'):
            parts[word] = tuple(int(s[k]) for k in ('nr_partial', 'nr_slabs', 'total_objects')) + (slabs,)
        elif word.startswith('cpu'):
            has = s['slab'] != 'none'
            parts[word] = (kernel_slab(s['slab']) if has else None,
                           tuple(int(s[k]) for k in ('cpu_free', 'slab_free', 'slab_inuse')) if has else None,
                           slabs, int(s['partial_slabs']))
        elif word.startswith('unlisted='):
            parts['unlisted'] = sorted(kernel_slab(x) for x in line[len('unlisted=['):-1].split())
    return parts


def answers(out):
    """[(words of the operation, answer lines)] of an .out file."""
    found = []
    for line in out.splitlines():
        m = re.match(r'\[\d+\] (.*)', line)
        if m:
            found.append((m[1].split(), []))
        elif line.startswith('    ') and found:
            found[-1][1].append(line.strip())
    return found


# ---- what the lab says ----

def lab_slab(s, node=0):
    return (s['slab'], s['inuse'], s['objects'], s.get('node', node))


def lab_mark(cache, files, rows, slabs):
    parts = {'file ' + p.rsplit('.', 1)[1]: str(v) for p, v in (files or {}).items()}
    if rows:
        parts['slabinfo'] = rows.get(cache)
    for n in slabs['nodes']:
        parts['node%d' % n['node']] = (n['nr_partial'], n['nr_slabs'], n['total_objects'],
                                       [lab_slab(s, n['node']) for s in n['partial']])
    for c in slabs['cpus']:
        chain = [lab_slab(s) for s in c['partial']]
        if c['slab'] or chain:
            parts['cpu%d' % c['cpu']] = (lab_slab(c['slab']) if c['slab'] else None,
                                         tuple(c[k] for k in ('cpu_free', 'slab_free', 'slab_inuse')) if c['slab'] else None,
                                         chain, c['partial_slabs'])
    parts['unlisted'] = sorted(lab_slab(s) for s in slabs['unlisted'])
    return parts


def slabinfo_rows(data):
    """{cache: words of its row}, from the model of the slabinfo view."""
    return {r['name']: slabinfo_words(r) for r in data['caches']}


def slabinfo_words(r):
    return [str(w) for w in (r['name'], r['active_objs'], r['num_objs'], r['objsize'], r['objperslab'], r['pagesperslab'],
                             ':', 'tunables', 0, 0, 0, ':', 'slabdata', r['active_slabs'], r['num_slabs'], 0)]


# ---- one script ----

class Script:
    """A kernel script turned into commands, and the comparisons that its answers call for."""

    def __init__(self, name, machine, ops, out, tally):
        self.name, self.tally = name, tally
        cpus = re.search(r'(\d+) CPU\(s\)', out)[1]
        options = re.search(r'kernel options: ([^;\n]*)', out)
        boot = options[1] if options and options[1] != '(none)' else ''
        self.lab = self.make_lab(machine, cpus, boot)
        if machine in PLACEMENTS:
            self.lab.do('set slub.partial_add %s' % PLACEMENTS[machine])
        self.where_now = {}     # object number: (handle, index)
        self.handle = {}        # handle: object numbers, by index
        self.tracking = 'reuse ' in ops
        # What `reuse` asks for: addresses now, who last left one and when, who came after whom.
        self.address, self.last, self.clock, self.reused = {}, {}, 0, {}
        self.checks = []        # run after the lab
        self.files = []         # read by the lab, gone after it
        for words, answer in answers(out):
            getattr(self, 'op_' + words[0])(words[1:], answer)

    def make_lab(self, machine, cpus, boot):
        return Lab(SHAPES.get(machine, 'mem=1G,cpus=%s' % cpus), boot)

    def run(self):
        try:
            trouble = self.lab.run()
        finally:
            for name in self.files:
                os.unlink(name)
        for check in self.checks:
            if trouble:
                self.tally.check(False, '%s: %s' % (self.name, trouble))
            else:
                check()

    @staticmethod
    def numbers(first, count, step='1'):
        return [int(first) + i * int(step) for i in range(int(count))]

    def members(self, numbers):
        """The objects as members of handles, in order; runs of neighbours become slices."""
        out, i = [], 0
        at = [self.where_now[n] for n in numbers]
        while i < len(at):
            h, first = at[i]
            n = 1
            while i + n < len(at) and at[i + n] == (h, first + n):
                n += 1
            out.append('%s[%d]' % (h, first) if n == 1 else '%s[%d:%d]' % (h, first, first + n))
            i += n
        return ' '.join(out)

    def new_handle(self, numbers, command):
        h = 'h%d' % len(self.handle)
        self.handle[h] = numbers
        self.where_now.update((n, (h, i)) for i, n in enumerate(numbers))
        self.lab.do('%s = %s' % (h, command))
        if self.tracking:
            self.lab.do('where %s' % h, lambda data, error: self.note_addresses(numbers, data))

    # Addresses are followed while answers are read, which is in the order of the script.
    def note_addresses(self, numbers, data):
        for member in data or []:
            n, a = numbers[member['index']], member['address']
            self.address[n] = a
            former = [(when, k) for k, (b, when) in self.last.items() if b == a]
            self.reused[n] = max(former)[1] if former else -1

    def forget_objects(self, numbers):
        def note(data, error):
            for n in numbers:
                self.clock += 1
                self.last[n] = (self.address.pop(n, None), self.clock)
        if self.tracking:
            self.lab.do('echo freed', note)
        for n in numbers:
            del self.where_now[n]

    # -- operations --

    def op_cpu(self, a, answer):
        self.lab.do('cpu %s' % a[0])

    def op_create(self, a, answer):
        self.lab.do(create_command(*a[:6]))

    def op_alloc(self, a, answer):
        numbers = self.numbers(*a[1:4])
        self.new_handle(numbers, 'kmem_cache alloc %s x%d' % (a[0], len(numbers)))

    def op_allocnode(self, a, answer):
        numbers = self.numbers(a[1], a[2])
        self.new_handle(numbers, 'kmem_cache alloc %s node=%s x%d' % (a[0], a[3], len(numbers)))

    def op_bulkalloc(self, a, answer):
        numbers = self.numbers(*a[1:4])
        self.new_handle(numbers, 'kmem_cache alloc_bulk %s %d' % (a[0], len(numbers)))

    def op_free(self, a, answer, verb='free'):
        numbers = self.numbers(*a[1:4])
        self.lab.do('kmem_cache %s %s %s' % (verb, a[0], self.members(numbers)))
        self.forget_objects(numbers)

    def op_bulkfree(self, a, answer):
        self.op_free(a, answer, 'free_bulk')

    def op_shrink(self, a, answer):
        self.lab.do('kmem_cache shrink %s' % a[0])

    def op_destroy(self, a, answer):
        got = {}
        self.lab.do('kmem_cache destroy %s' % a[0], lambda data, error: got.update(error=error))
        live = answer[0] != 'ok live=0'
        self.checks.append(lambda: self.tally.check(
            bool(got['error']) == live, '%s: destroy %s: %s, the kernel says %s' % (self.name, a[0], got['error'], answer[0])))

    def op_set(self, a, answer):
        self.lab.do('set cache.%s.%s %s' % tuple(a[:3]))

    def op_forget(self, a, answer):
        self.lab.do('echo forget', lambda data, error: self.last.clear())

    def op_eat(self, a, answer):
        assert a[0] == '0', 'only single pages are left over'
        with tempfile.NamedTemporaryFile('w', suffix='.buddyinfo', delete=False) as f:
            f.write('Node 0, zone Normal %s%s\n' % (a[1], ' 0' * (ORDERS - 1)))
        self.files.append(f.name)
        self.lab.do('import buddyinfo %s' % f.name)

    def op_uneat(self, a, answer):
        self.lab.do('free imported')

    def op_buddy(self, a, answer):
        """Counts of free blocks, which vary from boot to boot and are not in the data."""

    def op_layout(self, a, answer):
        got = {}
        for figure in LAYOUT:
            self.lab.read('get cache.%s.%s' % (a[0], figure), got, figure)
        want = dict(zip(LAYOUT, answer[0].split()))
        self.checks.append(lambda: self.tally.equal(
            {k: str(v['cache.%s.%s' % (a[0], k)]) for k, v in got.items()}, want, '%s: layout' % self.name))

    def op_refcount(self, a, answer):
        got = {}
        self.lab.read('get cache.%s.aliases' % a[0], got, 'n')
        self.checks.append(lambda: self.tally.equal(
            'ok %s refcount=%d' % (a[0], got['n']['cache.%s.aliases' % a[0]] + 1), answer[0], '%s: users' % self.name))

    def op_mark(self, a, answer):
        label, cache = a[0], a[1]
        got, want = {}, kernel_mark(answer)
        self.lab.read('get cache.%s.sysfs.*' % cache, got, 'files')
        self.lab.read('slabinfo', got, 'info')
        self.lab.read('slabs %s' % cache, got, 'slabs')

        def compare():
            if not got['slabs']:
                return self.tally.check(False, '%s: mark %s: no lists' % (self.name, label))
            have = lab_mark(cache, got['files'], slabinfo_rows(got['info']), got['slabs'])
            wrong = ['%s: %s, the kernel says %s' % (k, have.get(k), v) for k, v in want.items() if have.get(k) != v]
            wrong += ['%s: %s, the kernel has none' % (k, v) for k, v in have.items()
                      if k.startswith('cpu') and k not in want]
            return self.tally.check(not wrong, '%s: mark %s: %s' % (self.name, label, '; '.join(wrong)[:300]))
        self.checks.append(compare)

    def op_where(self, a, answer):
        numbers, places = self.numbers(a[1], a[2]), {}
        at = [self.where_now.get(n) for n in numbers]
        for h in sorted({x[0] for x in at if x}):
            self.lab.read('where %s' % h, places, h)

        def compare():
            slab = {(h, m['index']): m['slab'] for h, members in places.items() for m in members or []}
            have = ' '.join(str(slab.get(x, -1)) for x in at)
            self.tally.equal(have, ' '.join(answer), '%s: slabs of %s' % (self.name, ' '.join(a)))
        self.checks.append(compare)

    def op_reuse(self, a, answer):
        numbers, have = self.numbers(a[1], a[2]), []

        def look(data, error):
            have.append(' '.join(str(self.reused.get(n, -1)) if n in self.address else '-2' for n in numbers))
        self.lab.do('echo reuse', look)
        self.checks.append(lambda: self.tally.equal(
            have[0], ' '.join(answer), '%s: earlier users of %s' % (self.name, ' '.join(a))))


def compare(which):
    tally = Tally(which)
    files = packed(which + '.tar.xz')
    names = [n[:-4] for n in sorted(files) if n.endswith('.ops') and 'churn' not in n]
    for name in names[::EVERY]:
        Script(name, name.split('/')[0], files[name + '.ops'], files[name + '.out'], tally).run()
    tally.close()


if __name__ == '__main__':
    compare('sequences')
