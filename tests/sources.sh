#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file is built, installed or shipped: it stands in a list of Makefile.am or sources.am.
. "$(dirname "$0")/tally.sh"
cd "$TOP" || exit 99

listed=$(cat sources.am Makefile.am)
in_list() {
	case "$listed" in *"$1"*) ok ;; *) not_ok "$1 is in no list of sources.am or Makefile.am" ;; esac
}

for f in src/*.[ch] src/*/*.[ch] cmds/*.[ch]; do
	in_list "$f"
done
for f in tests/unit/*.c; do
	in_list "${f%.c}"
done
for f in tests/*.sh tests/*.py tests/unit/*.h tests/fuzz/*.[ch] tests/bench/*.[ch] man/*.[17] man/*.c; do
	in_list "$f"
done

# A hot file (one that names things with V() or tells events) must be compiled in the three variants, and no other file is.
hot=$(sed -n '/^HOT_SOURCES/,/^$/p' sources.am | grep -o 'src/[a-z_/0-9]*\.c' | sort)
is "$(grep -lE '(^|[^A-Za-z_])V\(|COUNTING|TELLING|THIS_VARIANT|include "[a-z]+/(emit|slub_fast)\.h"' src/*/*.c | sort)" "$hot" "files compiled in three variants and HOT_SOURCES"

# Each source says its licence first.
for f in $(git ls-files 'src/*.[ch]' 'cmds/*.[ch]' 'tests/*.[ch]' 2>/dev/null || ls src/*/*.[ch] cmds/*.[ch]); do
	[ -f "$f" ] || continue
	is "$(head -n 1 "$f")" '/* SPDX-License-Identifier: GPL-3.0-or-later */' "first line of $f"
done
finish
