# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_debug - every misuse that a kernel was made to report, staged here, line by line.

The kernel's log and the lab's are brought to one form: times, addresses, places,
ages and call stacks go, what stands between and after them stays: which lines, in
which order, messages, objects in use, each dumped byte, what was restored to what.
Offsets must agree with each other (the bad byte's with its object's).
"""
import os
import re
import subprocess

from kernel import DATA, PROGRAM, Tally

DIR = os.path.join(DATA, 'debug')
NULL = '0x0000000000000000'
ADDRESS = re.compile(r'0x[0-9a-f]{16}\b')

# what the kernel's test did, by name: N is the cache
ACTS = {
    'right_overflow': ['a = kmem_cache alloc N x2', 'poke a[0] %(size)d 0x41', 'kmem_cache free N a[0]'],
    'left_underflow': ['a = kmem_cache alloc N x2', 'poke a[0] -1 0x42', 'kmem_cache free N a[0]'],
    'uaf_write': ['a = kmem_cache alloc N x2', 'kmem_cache free N a[0]', 'poke a[0] 1 0x43', 'b = kmem_cache alloc N'],
    'uaf_write_validate': ['a = kmem_cache alloc N x2', 'kmem_cache free N a[0]', 'poke a[0] 1 0x43', 'kmem_cache validate N'],
    'double_free': ['a = kmem_cache alloc N x2', 'kmem_cache free N a[0]', 'kmem_cache free N a[0] --force'],
    'invalid_free': ['a = kmem_cache alloc N x2', 'kmem_cache free N a[0] offset=8 --force'],
    'wrong_cache': ['kmem_cache create N-other %(size)d', 'a = kmem_cache alloc N x2', 'kmem_cache free N-other a[0]'],
    'pad_overwrite': ['a = kmem_cache alloc N x2', 'poke a[0] %(pad)d 0x44', 'kmem_cache free N a[0]'],
    'object_leak': ['a = kmem_cache alloc N', 'b = kmem_cache alloc N', 'kmem_cache destroy N'],
}


def kept(line):
    """Lines that a lab can have, too: no frames, no registers, no machine."""
    return not re.match(r' (?!</?TASK>)|(RIP|Code|RSP|RAX|RDX|RBP|R10|R13|FS|CS|CR2|Hardware name|Modules linked in|slaboracle|Disabling lock debugging)\b', line)


def normal(lines):
    at = {}
    for line in lines:
        line = re.sub(r'^\[ *\d+\.\d+\] ?', '', line.rstrip('\n'))
        if not kept(line):
            continue
        m = re.match(r'Object (0x\w+) @offset=(\d+)', line)
        if m:
            at[m[1]] = int(m[2])
        line = re.sub(r'^(\w[\w ]{8})[0-9a-f]{16}: ', r'\1 ', line)
        line = re.sub(r'fp=' + NULL, 'fp=NULL', line)
        line = ADDRESS.sub('A', line)
        line = re.sub(r'@offset=\d+', '@offset', line)
        line = re.sub(r'(in|from) \S+( \[\w+\])?( age=\d+ cpu=\d+ pid=\d+)?$', lambda m: m[1] + ' P' + (' age cpu pid' if m[3] else ''), line)
        line = re.sub(r'\((Tainted: [^)]*|Not tainted)\)', '(T)', line)
        line = re.sub(r'^CPU: .*', 'CPU', line)
        line = re.sub(r'^WARNING: .*', 'WARNING', line)
        line = re.sub(r'flags=\w+\((.*)node=\d+\|zone=\d+\|', r'flags=(\1node|zone|', line)
        yield line


def offsets_agree(lines):
    """Bad bytes lie in the object that the report names, at the distance that their addresses say."""
    first = [(int(m[1], 16), int(m[2])) for m in (re.search(r'(0x\w{16})-0x\w+ @offset=(\d+)', x) for x in lines) if m]
    objects = [(int(m[1], 16), int(m[2])) for m in (re.search(r'Object (0x\w{16}) @offset=(\d+)', x) for x in lines) if m]
    return all(f[0] - f[1] == o[0] - o[1] for f, o in zip(first, objects))


def taint_is_told(lines):
    """The first report of a boot taints the kernel, and only that one says so behind its stack."""
    first = any(re.search(r'BUG \S+ \((Not tainted|Tainted: [^B)]*)\)', x) for x in lines)
    return first == any('Disabling lock debugging' in x for x in lines)


def lab(boot, commands):
    args = [PROGRAM, '-q', '-k', '-l', 'mem=256M,cpus=2']
    return subprocess.run(args + (['--boot', boot] if boot else []) + ['-c', '\n'.join(commands)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


def padding(size, user):
    """Where the padding of a slot begins: behind the object, the link and the tracks."""
    inuse = size + 8 if size % 8 == 0 else (size + 7) // 8 * 8
    return inuse + 8 + (64 if user else 0)


def misuse(tally, flags, path):
    where = '%s/%s' % (flags, os.path.basename(path))
    want = open(path).read().splitlines()
    name = re.search(r'cache=(\S+)', want[0])[1]
    act, size = re.search(r'BEGIN (\w+) .*size=(\d+)', want[0]).groups()
    words = {'size': int(size), 'pad': padding(int(size), 'U' in flags)}
    commands = ['cpu 1', 'kmem_cache create %s %s' % (name, size)]
    commands += [re.sub(r'\bN\b', name, c % words) for c in ACTS[act]]
    run = lab('slub_debug=' + flags, commands + ['lab check'])
    have = [x for x in run.stdout.splitlines() if re.match(r'\[ *\d+\.\d+\]', x)]
    tally.check(taint_is_told(have) and taint_is_told(want), where + ': when the taint is told')
    want, here = list(normal(want)), list(normal(have))
    for i in range(max(len(want), len(here))):
        tally.equal(here[i] if i < len(here) else '(no line)', want[i] if i < len(want) else '(no line)', '%s line %d' % (where, i))
    tally.check(len(want) > 5, where + ': the kernel said next to nothing')
    tally.check(offsets_agree(have), where + ': offsets do not agree')
    tally.check('every invariant holds' in run.stdout, where + ': lab check: ' + run.stderr)


def silent(tally, name, commands, boot=''):
    """What a kernel without debug flags does not notice, a lab does not report."""
    run = lab(boot, commands + ['lab check'])
    tally.check(not [x for x in run.stdout.splitlines() if x.startswith('[')], name + ': something was reported')
    tally.check('every invariant holds' in run.stdout, name + ': ' + run.stderr)


def traces(tally):
    """50 objects, 10 freed: who holds the rest."""
    run = lab('slub_debug=FZPU', ['kmem_cache create dbgt 200', 'a = kmem_cache alloc dbgt x50', 'kmem_cache free dbgt a[0:20:2]',
                                  'sleep 11ms', 'echo ALLOC', 'alloc_traces dbgt', 'echo FREE', 'free_traces dbgt', 'echo SYSFS'] +
              ['get -v cache.dbgt.sysfs.' + x for x in ('slabs', 'partial', 'objects', 'objects_partial', 'total_objects', 'slab_size',
                                                        'objs_per_slab', 'cpu_partial', 'slabs_cpu_partial', 'cpu_slabs')] + ['slabinfo'])
    have = run.stdout

    def form(text):
        text = re.sub(r'(?m)^        \S.*\n', '', text)
        return re.sub(r'(?m)^( *\d+) (?!<)\S+( \[\w+\])?', r'\1 P', re.sub(r'age=[\d/]+', lambda m: 'age' + '/' * m[0].count('/'), re.sub(r'pid=\d+', lambda m: 'pid=0' if m[0] == 'pid=0' else 'pid', text)))
    want = {k: open(os.path.join(DIR, 'debugfs', k)).read() for k in ('alloc_traces', 'free_traces')}
    tally.equal(form(have[have.index('ALLOC\n') + 6:have.index('FREE\n')]), form(want['alloc_traces']), 'alloc_traces')
    tally.equal(form(have[have.index('FREE\n') + 5:have.index('SYSFS\n')]), form(want['free_traces']), 'free_traces')
    sample = open(os.path.join(DIR, 'debugfs', 'sample_cache.out')).read()
    sysfs = dict((k, v or w) for k, v, w in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', re.search(r'sysfs (.*)', sample)[1]))
    keys = ('slabs', 'partial', 'objects', 'objects_partial', 'total_objects', 'slab_size', 'objs_per_slab', 'cpu_partial', 'slabs_cpu_partial', 'cpu_slabs')
    for key, value in zip(keys, have[have.index('SYSFS\n') + 6:].splitlines()):
        tally.equal(value, sysfs[key], 'debugfs/sample_cache.out ' + key)
    row = re.search(r'slabinfo (dbgt .*)', sample)[1].split()
    tally.equal(next((x.split() for x in have.splitlines() if x.startswith('dbgt ')), None), row, 'slabinfo row')


tally = Tally('kernel_debug')
for flags in ('FZPU', 'FZP'):
    for f in sorted(os.listdir(os.path.join(DIR, flags))):
        misuse(tally, flags, os.path.join(DIR, flags, f))
silent(tally, 'right_overflow', ['kmem_cache create N 64', 'a = kmem_cache alloc N x2', 'poke a[0] 64 0x41', 'kmem_cache free N a[0]'])
silent(tally, 'wrong_cache, merged', ['kmem_cache create N 64', 'kmem_cache create M 64', 'a = kmem_cache alloc N', 'kmem_cache free M a'])
traces(tally)
tally.close()
