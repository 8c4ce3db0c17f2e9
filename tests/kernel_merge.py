# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_merge - who shares a store with whom, one creation after the other.

The caches that the kernel had before the first row are made first, in their
order, because each may be a partner; those that never merge are kept alone.
"""
import glob
import os

from kernel import DATA, Lab, Tally, boot_line, create_command, flag_set, table

FIGURES = {'sysfs.slab_size': 'slab_size', 'sysfs.object_size': 'object_size_now', 'sysfs.align': 'align_now'}


def earlier(lab, rows, nomerge):
    """Make what existed before; returns {kernel name: name here} of possible partners."""
    names = {}
    for i, r in enumerate(rows):
        alone = int(r['refcount']) < 0 or nomerge
        here = 'old%d' % i
        lab.do(create_command(here, r['object_size'], r['align'], r['flags'], r['ctor'], r['usersize'],
                              'off' if alone else ''))
        names[r['name']] = here
    return names


def compare(tally, path):
    comments, rows = table(path)
    name, options = os.path.basename(path)[:-4], boot_line(comments)
    _, before = table(path[:-4] + '_preexisting.tsv')
    lab = Lab('mem=512M,cpus=2', options)
    known = earlier(lab, before, 'slab_nomerge' in options)
    users = {r['name']: int(r['refcount']) for r in before}
    stores, have = {}, []
    for here in known.values():
        lab.read('get cache.%s.store' % here, stores, here)
    for r in rows:
        h = {}
        have.append(h)
        lab.do(create_command(r['name'], r['size'], r['align'], r['flags'], r['ctor'], r['usersize']))
        for figure in ('store', 'flags', 'sysfs.aliases', *FIGURES):
            lab.read('get cache.%s.%s' % (r['name'], figure), h, figure)
    trouble = lab.run()

    def value(h, row, figure):
        return (h.get(figure) or {}).get('cache.%s.%s' % (row['name'], figure))

    store_of = {k: (stores.get(v) or {}).get('cache.%s.store' % v) for k, v in known.items()}
    taken = set(store_of.values())
    for r, h in zip(rows, have):
        what = '%s: row %s: %s %s align %s %s' % (name, r['seq'], r['name'], r['size'], r['align'], r['flags'])
        store = value(h, r, 'store')
        if store is None:
            tally.check(False, '%s: no store: %s' % (what, trouble or lab.errors[:1]))
            continue
        if r['primary_name'] in store_of:
            tally.equal(store, store_of[r['primary_name']], '%s: the store of %s' % (what, r['primary_name']))
        else:
            tally.check(store not in taken, '%s: shares store %s, should be alone' % (what, store))
            store_of[r['primary_name']] = store
        taken.add(store)
        for figure, column in FIGURES.items():
            tally.equal(str(value(h, r, figure)), r[column], '%s: %s' % (what, figure))
        tally.equal(flag_set(str(value(h, r, 'flags'))), flag_set(r['flags_now']), '%s: flags' % what)
        # Users that an earlier cache had in that kernel are not here.
        others = int(r['refcount_now']) - 1 - (users.get(r['primary_name'], 1) - 1)
        tally.equal(str(value(h, r, 'sysfs.aliases')), str(max(others, 0)), '%s: aliases' % what)


def main():
    tally = Tally('merge')
    for path in sorted(glob.glob(os.path.join(DATA, 'merge', '*.tsv'))):
        if not path.endswith('_preexisting.tsv'):
            compare(tally, path)
    tally.close()


main()
