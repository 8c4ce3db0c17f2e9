# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_pages - each machine rebuilt as a lab with the pages its kernel counted when it computed its marks.

Watermarks, reserves, min_free_kbytes and the sizes of the CPUs' page lists must
be the kernel's to the page; the reports must have the kernel's lines, in its
order and its columns. `import buddyinfo` must bring a lab to the machine's free
lists, `buddyinfo` then prints the machine's own file.
"""
import glob
import os
import re
import subprocess

from kernel import DATA, PROGRAM, Lab, Tally, table

REPORTS = ('zoneinfo', 'buddyinfo', 'pagetypeinfo', 'vmstat', 'meminfo')


def run(arguments, commands):
    """Text of each command's output, told apart by echoed lines."""
    script = '\n'.join('echo ==== %s\n%s' % (c, c) for c in commands)
    p = subprocess.run([PROGRAM, '-k', '-q'] + arguments + ['-c', script], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    parts = re.split(r'^==== (.*)\n', p.stdout, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2])), p.stderr


def zones(report):
    """zoneinfo as [(node, zone, lines)]."""
    found = []
    for line in report.splitlines():
        m = re.match(r'Node (\d+), zone +(\S+)', line)
        if m:
            found.append((int(m[1]), m[2], []))
        elif found:
            found[-1][2].append(line.rstrip())
    return found


def figure(lines, name):
    for line in lines:
        m = re.match(r' +%s +(\d+)$' % name, line)
        if m:
            return int(m[1])
    return None


def cpu_lists(lines):
    """Per CPU (high, batch, stat threshold)."""
    text = '\n'.join(lines)
    return re.findall(r'    cpu: \d+\n +count: \d+\n +high: +(\d+)\n +batch: (\d+)\n  vm stats threshold: (\d+)', text)


def form(lines):
    """The lines with every number made alike; CPUs after the first are like the first."""
    same = [re.sub(r'\d+', '0', re.sub(r'\d+ *$', '0', l)) for l in lines]
    return list(dict.fromkeys(same))


def lab_shape(machine, managed, report):
    parts = []
    for node, zone, lines in zones(report):
        pages = managed.get((node, zone))
        if pages:
            size = -(-max(figure(lines, 'present'), pages) // 1024) * 4
            parts.append('N%d.%s:%dM:%dp' % (node, zone, size, pages))
    nodes = len({node for node, _ in managed})
    cpus = machine.rsplit('_', 1)[1]
    return 'zones=%s,cpus=%s' % ('+'.join(parts), cpus) + (',nodes=%d' % nodes if nodes > 1 else '')


def compare_zones(tally, machine, kernel, lab):
    here = {(n, z): lines for n, z, lines in zones(lab)}
    for node, zone, lines in zones(kernel):
        what = '%s: node %d %s' % (machine, node, zone)
        have = here.get((node, zone))
        if have is None:
            tally.check(figure(lines, 'present') == 0, what + ' is not in zoneinfo')
            continue
        for name in ('boost', 'min', 'low', 'high'):
            tally.equal(figure(have, name), figure(lines, name), '%s: %s' % (what, name))
        tally.equal([l for l in have if 'protection' in l], [l for l in lines if 'protection' in l], what)
        tally.equal(cpu_lists(have), cpu_lists(lines), '%s: high, batch, threshold of each CPU' % what)
        tally.equal(form(have), form(lines), '%s: lines' % what)


def head_and_columns(report):
    """A table report's lines with each run of digits as wide as it is."""
    return [re.sub(r'\d', '0', l.rstrip()) for l in report.splitlines()]


def compare_names(tally, what, kernel, lab):
    """The names of a name-value report: none that the kernel lacks, in its order."""
    order = [re.split(r'[\s:]', l)[0] for l in kernel.splitlines()]
    have = [re.split(r'[\s:]', l)[0] for l in lab.splitlines() if l]
    rest = iter(order)
    tally.check(have and all(n in rest for n in have), '%s: names or their order: %s' % (what, have))


def compare_machine(tally, machine, managed):
    folder = os.path.join(DATA, 'pages', machine)
    kernel = {r: open(os.path.join(folder, r)).read() for r in REPORTS + ('sysctl_vm',)}
    shape = lab_shape(machine, managed, kernel['zoneinfo'])
    lab, stderr = run(['-s', 'zone.min_free_thp_adjust=on', '--lab', shape], list(REPORTS) + ['get zone.min_free_kbytes_now'])
    if not tally.check(set(REPORTS) <= set(lab), '%s: reports missing: %s' % (machine, stderr)):
        return
    compare_zones(tally, machine, kernel['zoneinfo'], lab['zoneinfo'])
    pages = sum(int(c) << o for l in lab['buddyinfo'].splitlines() for o, c in enumerate(l.split()[4:]))
    tally.equal(pages, sum(managed.values()), '%s: free pages in buddyinfo' % machine)
    names = lambda report: [l.split()[:4] for l in report.splitlines()]
    tally.equal(names(lab['buddyinfo']), names(kernel['buddyinfo']), '%s: rows of buddyinfo' % machine)
    # Both tables, with every count replaced by blanks of its width, so that columns count.
    blank = lambda report: [re.sub(r' +\d+', '', l.rstrip()) if 'order' not in l else l.rstrip() for l in report.splitlines()]
    tally.equal(blank(lab['pagetypeinfo']), blank(kernel['pagetypeinfo']), '%s: lines of pagetypeinfo' % machine)
    for report in ('vmstat', 'meminfo'):
        compare_names(tally, '%s: %s' % (machine, report), kernel[report], lab[report])


def compare_import(tally, machine):
    """A machine's free lists, brought into a fresh lab and printed again."""
    path = os.path.join(DATA, 'pages', machine, 'buddyinfo')
    lab, stderr = run(['--lab', 'mem=256M'], ['import buddyinfo %s' % path, 'buddyinfo', 'lab check'])
    want = [l.rstrip() for l in open(path)]
    tally.equal([l.rstrip() for l in lab.get('buddyinfo', '').splitlines()], want, '%s: import buddyinfo %s' % (machine, stderr))
    tally.check('lab check' not in stderr, '%s: after import: %s' % (machine, stderr))


def main():
    tally = Tally('pages')
    _, rows = table(os.path.join(DATA, 'pages', 'managed.tsv'))
    for r in rows:
        managed = {}
        for z in r['zones'].split():
            name, pages = z.split('=')
            node, zone = name.split('.')
            managed[int(node[1:]), zone] = int(pages)
        compare_machine(tally, r['machine'], managed)
        compare_import(tally, r['machine'])
    tally.close()


main()
