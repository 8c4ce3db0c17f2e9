# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel - drive slablab and keep count, for the comparisons with a real kernel.

A Lab collects commands, each with a function that is given its JSON line, then
runs them in one process: `slablab --json` prints exactly one line a command, so
the n-th line answers the n-th command.

A Tally counts single comparisons, shows the first failures and ends with the
line `N passed, N failed` that tests/count reads.

Environment: SLABLAB (the program), KERNEL_DATA (another folder than
tests/data/kernel-6.1), SLABLAB_TEST_EVERY=N (only every N-th script, for slow
sanitizer builds).
"""
import json
import os
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get('KERNEL_DATA', os.path.join(HERE, 'data', 'kernel-6.1'))
PROGRAM = os.environ.get('SLABLAB', './slablab')
EVERY = int(os.environ.get('SLABLAB_TEST_EVERY', '1'))


class Tally:
    def __init__(self, name, show=12):
        self.name, self.show = name, show
        self.passed = self.failed = 0

    def check(self, good, what=''):
        """Count one comparison; `what` may be a function, called only on failure."""
        if good:
            self.passed += 1
            return True
        self.failed += 1
        if self.failed <= self.show:
            print('not so: %s' % (what() if callable(what) else what))
        return False

    def equal(self, have, want, what):
        return self.check(have == want, lambda: '%s: %r, the kernel says %r' % (what, have, want))

    def close(self):
        if self.passed + self.failed == 0:
            self.check(False, 'nothing was compared')
        if self.failed > self.show:
            print('... and %d more' % (self.failed - self.show))
        print('%s: against the kernel\'s data' % self.name)
        print('%d passed, %d failed' % (self.passed, self.failed))
        sys.exit(1 if self.failed else 0)


class Lab:
    def __init__(self, shape, boot=''):
        self.arguments = ['--json', '--keep-going', '--quiet', '--lab', shape]
        if boot:
            self.arguments += ['--boot', boot]
        self.commands, self.readers = [], []

    def do(self, command, reader=None):
        """Add a command; reader(data, error) is called with what it answered."""
        self.commands.append(command)
        self.readers.append(reader)

    def read(self, command, into, key):
        """Add a command whose data is kept as into[key] (None if it failed)."""
        self.do(command, lambda data, error: into.__setitem__(key, data))

    def run(self, timeout=300):
        """Returns a sentence when the program did not do its part, else ''."""
        with tempfile.NamedTemporaryFile('w', suffix='.lab') as script:
            script.write('\n'.join(self.commands) + '\n')
            script.flush()
            try:
                p = subprocess.run([PROGRAM] + self.arguments + [script.name], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, text=True)
            except subprocess.TimeoutExpired:
                return 'no end after %d s' % timeout
        lines = p.stdout.splitlines()
        if p.returncode not in (0, 1) or len(lines) != len(self.commands):
            return 'exit status %d, %d answers to %d commands: %s' % (
                p.returncode, len(lines), len(self.commands), p.stderr[-300:].strip())
        self.errors = []
        for line, command, reader in zip(lines, self.commands, self.readers):
            answer = json.loads(line)
            error = None if answer['ok'] else answer['error']['message']
            if error:
                self.errors.append('%s: %s' % (command, error))
            if reader:
                reader(answer.get('data'), error)
        return ''


def table(path):
    """A TSV with comment lines before the header: (comments, list of dicts)."""
    comments, rows, names = [], [], None
    with open(path) as f:
        for line in f:
            line = line.rstrip('\n')
            if line.startswith('#'):
                comments.append(line[1:].strip())
            elif names is None:
                names = line.split('\t')
            else:
                rows.append(dict(zip(names, line.split('\t'))))
    return comments, rows


def boot_line(comments):
    """The kernel command line that a file's comments name."""
    for c in comments:
        if c.startswith('kernel options: '):
            options = c[len('kernel options: '):].split(';')[0]
            return '' if options == '(none)' else options
    return ''


def create_command(name, size, align='0', flags='0', ctor='0', usersize='0', merge=''):
    words = ['kmem_cache', 'create', name, size]
    if align not in ('0', ''):
        words.append('align=' + align)
    if flags not in ('0', ''):
        words.append('flags=' + flags)
    if ctor == '1':
        words.append('ctor')
    if usersize not in ('0', ''):
        words.append('usersize=' + usersize)
    if merge:
        words.append('merge=' + merge)
    return ' '.join(words)


def flag_set(text):
    return {w for w in text.replace(',', '|').split('|') if w not in ('', '0', 'none', 'NOLEAK', 'NOMERGE')}


def packed(name):
    """Files of a packed set: {path: text}."""
    with tarfile.open(os.path.join(DATA, name)) as t:
        return {m.name.lstrip('./'): t.extractfile(m).read().decode() for m in t.getmembers() if m.isfile()}
