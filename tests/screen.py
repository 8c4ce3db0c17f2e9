#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""screen.py COLUMNS PROGRAM [ARG...]: what the program writes to a terminal of that many columns, without colours.

Nothing is typed: its standard input is empty. Ends with the program's status.
With `-f FILE` before COLUMNS messages do not name this command file and its
line, as if its commands were typed.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios


def run(columns, argv):
    pid, fd = pty.fork()
    if not pid:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.update(TERM='dumb', NO_COLOR='1', PAGER='cat')
        os.execvp(argv[0], argv)
    text = b''
    while True:
        try:
            more = os.read(fd, 65536)
        except OSError:         # the program has ended
            break
        if not more:
            break
        text += more
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    text = text.replace(b'\r\n', b'\n')
    text = re.sub(rb'\r[^\n]*?\x1b\[K', b'', text)            # progress, which is gone at the end
    return re.sub(rb'\x1b\[[\d;?]*[A-Za-z]', b'', text), status


def unplaced(text, file, columns):
    """Messages without `FILE:LINE: `, in lines as they are broken without it."""
    lines, out = text.split('\n'), []
    while lines:
        line = lines.pop(0)
        bare = re.sub(r'^slablab: %s:\d+: ' % re.escape(file), 'slablab: ', line)
        if bare != line:
            while lines and lines[0].startswith('    ') and len(line) + 1 + len(lines[0].split(' ')[4]) > columns:
                line = lines.pop(0)
                bare += line[3:]
            line, words = '', bare.split(' ')
            for word in words:
                if line and len(line) + 1 + len(word) > columns:
                    out.append(line)
                    line = '    ' + word
                else:
                    line += ' ' * bool(line) + word
        out.append(line)
    return '\n'.join(out)


if __name__ == '__main__':
    args, name = sys.argv[1:], None
    if args[0] == '-f':
        name, args = args[1], args[2:]
    written, code = run(int(args[0]), args[1:])
    if name:
        written = unplaced(written.decode(), name, int(args[0])).encode()
    sys.stdout.buffer.write(written)
    sys.exit(code if code >= 0 else 128 - code)
