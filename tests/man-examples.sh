#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The examples of the manual: in `.Bd -literal` blocks, lines after the prompt
# `main> ` are run in order, in one fresh lab a page, and what they print on a
# terminal of 75 columns must be what the page shows (a page has 5 more before it).
# Wider is only what a kernel prints so, and what is said of that.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/tally.sh"

for page in "$TOP"/man/slablab*.1 "$TOP"/man/slablab-tutorial.7; do
	name=$(basename "$page")
	# The block as a reader sees it: mdoc's escapes undone.
	sed -n '/^\.Bd -literal/,/^\.Ed/{/^\.Bd/d;/^\.Ed/d;p}' "$page" | sed 's/^\\&//; s/\\e/\\/g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\&//g' >"$scratch/shown"
	grep -q '^main> ' "$scratch/shown" || continue
	# Each command is preceded by an echo of its own line, so that outputs stand where the page has them.
	awk '/^main> / { sub(/^main> /, ""); quoted = $0; gsub(/\047/, "\047\\\047\047", quoted)
		print "echo \047main> " quoted "\047"; print }' "$scratch/shown" >"$scratch/commands"
	(cd "$TOP/scripts/examples" && python3 -B "$TESTS/screen.py" -f "$scratch/commands" 75 "$SLABLAB" -k "$scratch/commands") >"$scratch/printed" </dev/null
	if diff "$scratch/shown" "$scratch/printed" >"$scratch/diff"; then ok; else not_ok "$name (< page, > run):"; head -n 20 "$scratch/diff"; fi
done
# What fits 80 columns has them: but for kernels' own lines, reports, and tables whose columns cannot be narrower.
wide() {
	sed 's/\\&//g; s/\\e/\\/g; s/ *$//' "$@" | python3 -c '
import re, sys
kernel = r"Node \d|Number of blocks|\[ *\d+\.\d|slablab: page allocation failure|the last hope|\S+ .* : tunables|  gfp  "
table = r"(zone|N0 Normal|name|kmalloc-\S*) .* {2}"
for line in sys.stdin.read().split("\n"):
    if len(line) > 80 and not re.match(kernel, line) and not re.match(table, line):
        print(line)'
}
is "$(wide "$TOP/README")" '' 'lines of README wider than 80 columns'
for page in "$TOP"/man/slablab*.[17]; do
	sed -n '/^\.Bd -literal/,/^\.Ed/p' "$page" >"$scratch/shown"
	is "$(wide "$scratch/shown")" '' "examples of $(basename "$page") wider than 80 columns"
done
rm -f /tmp/slablab-example.lab /tmp/slablab-example.trace	# of lab-save, trace-show
[ $((passed + failed)) -ge 35 ] && ok || not_ok "only $((passed + failed)) pages have examples"
finish
