#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Command files with assertions: each file of tests/lab runs twice, each run ends
# with `lab check`, and both must leave the same region (`lab hash`).
. "$(dirname "$0")/tally.sh"

run() {
	printf 'source %s\nlab check\nlab hash\n' "$1" |
		(cd "$TESTS/lab" && timeout 120 "$SLABLAB" -q 2>&1)
}

for f in "$TESTS"/lab/*.lab; do
	name=$(basename "$f")
	case "$(head -n 1 "$f")" in '# '?*) ok ;; *) not_ok "$name does not begin with its claim" ;; esac
	grep -q '^[^#]*assert ' "$f" && ok || not_ok "$name asserts nothing"
	first=$(run "$f")
	if [ $? = 0 ]; then ok; else not_ok "$name: $(printf '%s' "$first" | tail -n 3)"; continue; fi
	is "$(run "$f")" "$first" "$name: the second run"
done
finish
