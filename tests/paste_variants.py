# SPDX-License-Identifier: GPL-3.0-or-later
"""paste_variants - a paste tells the same whatever loggers, listings, mailers and web pages did to its lines."""
import html
import json
import os
import quopri
import re
import subprocess
import tempfile

from kernel import HERE, PROGRAM, Tally

DIR = os.path.join(HERE, 'data', 'field')
FILES = ('slabinfo-2.1-sorted-no-header', 'crash-kmem-s-with-unknowns', 'slabtop-734M-objects', 'slubdbg-3.10-i686-poison-one-byte',
         'slub-cannot-allocate-pageptl', 'pagetypeinfo-x86-highatomic-nonzero', 'snap-el8-4.18-zoneinfo', 'snap-el8-4.18-vmstat',
         'snap-el8-4.18-meminfo', 'perfkmem-pingpong-columns', 'allocfail-5.4-arm64-64k-cma-oom', 'zoneinfo-watermark-variants-quoted')
PLACES = {'line', 'last_line', 'skipped', 'repaired', 'unquoted', 'unfolded', 'notes'}     # line numbers, and what was mended


def each(how):
    return lambda text: ''.join(how(n, line) + '\n' for n, line in enumerate(text.splitlines(), 1))


def front(mark):
    return each(lambda n, line: mark + line)


def wrapped(width):
    def how(n, line):
        out = []
        while len(line) > width and ' ' in line[1:width].strip():
            cut = line.rfind(' ', 1, width + 1)
            out.append(line[:cut])
            line = line[cut + 1:]
        return '\n'.join(out + [line])
    return each(how)


FRONTS = ('> ', '>> ', '> > ', '>', '| ', '+', 'MG> ', 'messages:', '\t', '[12345.678901] ', '[   45.678901] [   T1234] ',
          '[   45.678901][    C3] ', '[Mon Nov 30 12:00:00 2026] ', '[Nov30 12:00] ', '[  +0.000012] ', '[12345.678901 <    0.000012>] ',
          '[2026-11-30 12:00:00] ', 'Nov  3 12:00:00 host kernel: ', 'Nov 30 12:00:00.123456 host kernel: [   12.345678] ',
          '2026-11-30T12:00:00.123456+00:00 host kernel: [  12.3] ', '2026-11-30T12:00:00,123456+00:00 ',
          '2026-11-30 12:00:00.123456 ', '<4>', '<4>[  12.3] ', 'kern  :warn  : [   12.345678] ', 'host kernel: ', 'kernel: ',
          '> Nov 30 12:00:00 host kernel: [  12.345678] ', '[   1.5] > ')
VARIANTS = {repr(mark): front(mark) for mark in FRONTS}
VARIANTS.update({
    'nl': each(lambda n, line: '%6d\t%s' % (n, line)),
    'nl of lines that are not blank': lambda text: each(lambda n, line: '%6d  %s' % (n, line) if line.strip() else '')(
        re.sub(r'\n\s*\n', '\n', text)),
    'grep -n': each(lambda n, line: '%d:%s' % (n, line)),
    'numbers in a quote in a log': each(lambda n, line: 'Nov 30 12:00:00 host kernel: > %4d %s' % (n, line)),
    'carriage returns': each(lambda n, line: line + '\r'),
    'blanks behind': each(lambda n, line: line + '  \t'),
    'one blank': lambda text: re.sub(r'[ \t]+', ' ', text),
    'tabs': lambda text: text.replace(' ', '\t'),
    'no-break blanks': lambda text: text.replace(' ', '\u00a0'),
    'no indent': each(lambda n, line: line.lstrip()),
    'colours': each(lambda n, line: '\033[32m[   45.678901] \033[0m\033[33m' + line[:9] + '\033[0m' + line[9:] + '\033[m'),
    'entities': html.escape,
    'quoted entities': lambda text: html.escape(front('> ')(text)),
    'web page': lambda text: '<pre>' + html.escape(text).replace(' ', '&nbsp;').replace('\n', '<br>\n') + '</pre>\n',
    'prose': lambda text: 'Hello,\n\nour server (5.10, 64 GB) shows, see bug 12345:\n\n' + text + '\n\nIs it a leak?\n--\nA. User, phone: 123 456\n',
})
VARIANTS.update({
    'quoted-printable': lambda text: quopri.encodestring(text.encode()).decode(),
    'quoted-printable of a quote': lambda text: quopri.encodestring(front('> ')(text).encode()).decode(),
    'quoted-printable, carriage returns': lambda text: quopri.encodestring(text.encode()).decode().replace('\n', '\r\n'),
    'a mail': lambda text: 'Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: quoted-printable\n\n' +
                           quopri.encodestring(text.encode()).decode(),
})
# what a mailer broke comes out where the reader counts fields
BROKEN = {'pagetypeinfo-x86-highatomic-nonzero': 78, 'slubdbg-3.10-i686-poison-one-byte': 78, 'allocfail-5.4-arm64-64k-cma-oom': 76}


def places_off(x):
    if isinstance(x, dict):
        return {k: places_off(v) for k, v in x.items() if k not in PLACES}
    return [places_off(v) for v in x] if isinstance(x, list) else x


def told(data):
    with tempfile.NamedTemporaryFile() as paste:
        paste.write(data)
        paste.flush()
        p = subprocess.run([PROGRAM, '--json', '-q', '-k', '-c', 'import auto ' + paste.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answer = json.loads(p.stdout) if p.stdout.strip() else {}
    return places_off(answer.get('data', {'said': p.stderr or answer}))


tally = Tally('paste_variants')
for name in FILES:
    with open(os.path.join(DIR, name + '.txt'), encoding='utf-8', errors='surrogateescape') as f:
        text = f.read()
    want = told(text.encode('utf-8', 'surrogateescape'))
    tally.check('kind' in want, name + ' is not recognised')
    for how, vary in VARIANTS.items():
        have = told(vary(text).encode('utf-8', 'surrogateescape'))
        tally.check(have == want, '%s, %s: %.300s' % (name, how, have))
    tally.check(told(text.encode('utf-16', 'replace')) == want, name + ', UTF-16')
    if name in BROKEN:
        have = told(wrapped(BROKEN[name])(text).encode())
        tally.check(have == want, '%s, broken at %d: %.300s' % (name, BROKEN[name], have))
    for mark in ('Nov  3 12:00:00 host kernel: ', 'Nov 30 12:00:00 host kernel: [   12.345678] ', '[   12.345678] '):
        for width in (72, 76, 80):
            have = told(wrapped(width)(front(mark)(text)).encode('utf-8', 'surrogateescape'))
            tally.check(have == want, '%s, broken at %d behind %r: %.300s' % (name, width, mark, have))
tally.close()
