# SPDX-License-Identifier: GPL-3.0-or-later
"""replay - traces of a real kernel, each figure against an independent count.

Stepped, with ties in file order, on the CPUs' own threads, and from a pipe: the
figures must be the same to the last one, what the lab's caches hold must be what
lives in the trace, every invariant must hold, and freeing what the replay left
must empty the caches.
"""
import fnmatch
import json
import os
import subprocess

from kernel import EVERY, HERE, PROGRAM, Tally

FOLDER = os.path.join(HERE, 'data', 'traces', 'kernel-6.1')
BUNDLED = os.path.join(HERE, '..', 'scripts', 'examples', 'unix-stream.trace.gz')
tally = Tally('replay')


def expected():
    """{trace: {figure: value}}"""
    table = {}
    with open(os.path.join(FOLDER, 'expected.tsv')) as f:
        for line in list(f)[1:]:
            trace, key, value = line.rstrip('\n').split('\t')
            table.setdefault(trace, {})[key] = int(value)
    return table


def answers(commands, stdin=subprocess.DEVNULL, shape=None):
    """The JSON lines of these commands, or None when one of them failed."""
    lab = ['--lab', shape] if shape else []
    p = subprocess.run([PROGRAM, '--json', '--quiet'] + lab + ['-c', '\n'.join(commands)], stdin=stdin,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    lines = [json.loads(l) for l in p.stdout.decode(errors='replace').split('\n') if l.startswith('{')]
    if p.returncode or len(lines) != len(commands):
        tally.check(False, '%s: exit %d, %s' % (commands, p.returncode, p.stderr.decode(errors='replace')[:300]))
        return None
    return [l.get('data') for l in lines]


def dotted(o, at=''):
    """{path: number} of a JSON value; arrays give their indexes."""
    if isinstance(o, dict):
        return {k: v for key, x in o.items() for k, v in dotted(x, at + '.' + key if at else key).items()}
    if isinstance(o, list):
        return {k: v for i, x in enumerate(o) for k, v in dotted(x, '%s.%d' % (at, i)).items()}
    return {at: o}


def held(caches):
    """Objects out, over all caches, of a `get cache.*.objects`."""
    return sum(v for k, v in caches.items() if fnmatch.fnmatch(k, 'cache.*.objects') and '.sysfs.' not in k)


def compare(what, want, paths, model):
    seen = dotted(model)
    for key, value in want.items():
        tally.equal(paths.get('replay.' + key), value, '%s: replay.%s' % (what, key))
        tally.equal(seen.get(key), value, '%s: %s of the JSON' % (what, key))


def replay(what, file, want, options='', stdin=None, shape=None):
    """One replay against what is wanted; returns its JSON."""
    name = '-' if stdin else "'%s'" % file
    a = answers(['get cache.*.objects', 'replay %s %s' % (name, options), 'get replay.*', 'get cache.*.objects',
                 'lab check', 'free replayed replayed_pages', 'get cache.*.objects', 'lab check'],
                stdin=stdin or subprocess.DEVNULL, shape=shape)
    if not a:
        return None
    before, model, paths, caches, _, _, after, _ = a
    compare(what, want, paths, model)
    large = paths.get('replay.live.kmalloc-large', 0)
    tally.equal(held(caches) - held(before), paths['replay.objects.live'] - large, '%s: objects in the lab' % what)
    tally.equal(held(after), held(before), '%s: objects after the free' % what)
    tally.equal(paths['replay.lab_failed'], 0, '%s: lab_failed' % what)
    return paths, caches


def by_name(what, paths, caches):
    """Each cache holds what lives under its name."""
    for path, n in paths.items():
        if path.startswith('replay.live.') and path != 'replay.live.kmalloc-large':
            name = path[len('replay.live.'):]
            tally.equal(caches.get('cache.%s.objects' % name), n, '%s: cache %s' % (what, name))


def piped(what, file, want):
    """Through a pipe names come late, but every figure is the same."""
    unpacked = subprocess.Popen(['gzip', '-dc', file], stdout=subprocess.PIPE)
    replay(what + ' (pipe)', file, want, stdin=unpacked.stdout)
    unpacked.stdout.close()
    unpacked.wait()


table = expected()
for i, trace in enumerate(sorted(table)):
    if i % EVERY:
        continue
    path = BUNDLED if trace == 'unix-stream' else os.path.join(FOLDER, trace + '.trace.gz')
    plain = {k: v for k, v in table[trace].items() if not k.startswith('ties_file.')}
    tied = {k[10:]: v for k, v in table[trace].items() if k.startswith('ties_file.')}
    got = replay(trace, path, plain)
    if got:
        by_name(trace, *got)
    replay(trace + ' ties=file', path, tied, 'ties=file')
    got = replay(trace + ' parallel', path, plain, 'mode=parallel', shape='mem=1G,cpus=4')
    if got:
        by_name(trace + ' parallel', *got)
    piped(trace, path, plain)

tally.close()
