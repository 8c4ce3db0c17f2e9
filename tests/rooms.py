# SPDX-License-Identifier: GPL-3.0-or-later
"""rooms - the include graph of src/ and cmds/ against the table of rooms.

A room may include what stands behind its name, nothing else; `page/policy.h`
names a single header. Every header must also compile alone.
"""
import os
import re
import subprocess
import sys

TOP = os.environ.get('TOP', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
CC = os.environ.get('CC', 'cc').split()

ROOMS = {
    'base': 'base',
    'event': 'base event',
    'lab': 'base event lab',
    'cpu': 'base event lab cpu',
    'page': 'base event lab cpu page',
    'slab': 'base event lab cpu page slab',
    'policy': 'base event lab policy page/policy.h slab/policy.h',
    'op': 'base event lab cpu page slab policy op',
    'formats': 'base event lab policy op formats',
    'work': 'base event lab policy op formats work',
    'view': 'base event lab policy formats view cpu/read.h page/read.h slab/read.h page/policy.h slab/policy.h',
    'measure': 'base event lab op work view measure',
    'shell': 'base event lab policy op formats work measure view shell cmds/list.h',
    'cmds': 'base event lab policy op formats work measure view shell cmds',
    'tui': 'base event view shell tui',
    # The program and the C interface stand above all rooms; the engine's tables are theirs to see.
    'top': 'base event lab cpu page slab policy op formats work view shell tui cmds slablab.h config.h',
}
passed = failed = 0


def check(good, what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print('not so: ' + what)


def sources():
    for top in ('src', 'cmds'):
        for folder, _, names in os.walk(os.path.join(TOP, top)):
            for n in sorted(names):
                if n.endswith(('.c', '.h')):
                    yield os.path.relpath(os.path.join(folder, n), TOP)


def room(path):
    parts = path.split('/')
    return 'cmds' if parts[0] == 'cmds' else parts[1] if len(parts) > 2 else 'top'


def compiles(path):
    p = subprocess.run(CC + ['-std=gnu11', '-D_GNU_SOURCE', '-fsyntax-only', '-x', 'c', '-Isrc', '-I.', '-Wall', '-Wextra',
                             '-Wno-unused', '-Wno-unused-parameter', '-DVARIANT=counted', '-include', path, '/dev/null'],
                       cwd=TOP, stderr=subprocess.PIPE, text=True)
    return p.returncode == 0, p.stderr


for path in sources():
    allowed = ROOMS.get(room(path), '').split()
    check(allowed, '%s: no such room in the table' % path)
    for line in open(os.path.join(TOP, path)):
        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not m:
            continue
        at = m[1]
        if '/' not in at and at not in ('slablab.h', 'config.h'):
            at = '%s/%s' % (room(path), at)       # beside the file
        check(at in allowed or at.split('/')[0] in allowed, '%s may not include %s' % (path, m[1]))
    if path.endswith('.h') and path != 'cmds/list.h':
        good, why = compiles(path)
        check(good, '%s does not compile alone: %s' % (path, why[:300]))

print('%d passed, %d failed' % (passed, failed))
sys.exit(failed != 0 or passed == 0)
