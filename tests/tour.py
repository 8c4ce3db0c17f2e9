#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guided tour: in a script it runs through, on a terminal it waits for Enter at every station; `pause` by itself."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

PROGRAM = os.environ.get('SLABLAB', 'build/slablab')
TOP = os.environ.get('TOP', os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOUR = os.path.join(TOP, 'scripts', 'tour.lab')
passed = failed = 0


def check(good, what):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print('not so:', what)


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *words):
        self.text = ''
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM='xterm', LC_ALL='C.UTF-8', PAGER='cat')
            os.execv(PROGRAM, [PROGRAM, *words])

    def read(self, seconds):
        """What comes until nothing does for that long."""
        new = ''
        while select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            new += data.decode('utf-8', 'replace')
        self.text += new
        return new

    def until(self, part, seconds=30):
        end = time.monotonic() + seconds
        while part not in self.text and time.monotonic() < end:
            self.read(0.1)
        return part in self.text

    def enter(self):
        self.text = ''
        os.write(self.fd, b'\n')

    def status(self):
        self.read(0.2)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


# As a script.
runs = [subprocess.run([PROGRAM, *words], stdin=stdin, capture_output=True, text=True)
        for words, stdin in (([TOUR], subprocess.DEVNULL), ([], open(TOUR)))]
check(runs[0].returncode == 0, 'the tour fails: ' + runs[0].stderr[-300:])
check(runs[0].stdout == runs[1].stdout, 'the tour prints something else from standard input')
check('Enter goes on' not in runs[0].stdout, 'a script waits')
stations = runs[0].stdout.count('\n== ') + runs[0].stdout.startswith('== ')
check(stations >= 8, f'{stations} stations')

# On a terminal: one station at a time.
tour = Terminal(TOUR)
for station in range(1, stations):
    check(tour.until('Enter goes on'), f'no pause behind station {station}')
    check(f'== {station}. ' in tour.text and f'== {station + 1}. ' not in tour.text, f'station {station} is not alone')
    check(tour.read(0.2) == '', f'the pause behind station {station} does not wait')
    tour.enter()
check(tour.until('The end.'), 'the tour has no end')
check(tour.status() == 0, 'the tour on a terminal fails')

# Words of its own; -q and --json do not wait; Ctrl-C ends the file.
here = Terminal('-c', 'pause look at this; echo done')
check(here.until('-- look at this -- '), 'the words of pause')
check('done' not in here.text.replace('look', ''), 'pause does not wait')
here.enter()
check(here.until('done') and here.status() == 0, 'Enter does not go on')
for option in '-q', '--json':
    here = Terminal(option, '-c', 'pause; echo done')
    check(here.until('done', 5) and here.status() == 0, f'pause waits with {option}')
here = Terminal('-c', 'pause; echo done')
here.until('Enter goes on')
os.kill(here.pid, signal.SIGINT)
check(here.status() in (1, 130) and 'done' not in here.text, 'Ctrl-C does not end it')

print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
