#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The examples of the manual: in `.Bd -literal` blocks, lines after the prompt
# `main> ` are run in order, in one fresh lab a page, and what they print must be
# what the page shows.
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
	(cd "$TOP/scripts/examples" && "$SLABLAB" -k "$scratch/commands") >"$scratch/printed" 2>&1 </dev/null
	# Errors name the file of this test; the shell would not.
	sed -i "s|^slablab: $scratch/commands:[0-9]*: |slablab: |" "$scratch/printed"
	if diff "$scratch/shown" "$scratch/printed" >"$scratch/diff"; then ok; else not_ok "$name (< page, > run):"; head -n 20 "$scratch/diff"; fi
done
rm -f /tmp/slablab-example.lab /tmp/slablab-example.trace	# of lab-save, trace-show
[ $((passed + failed)) -ge 35 ] && ok || not_ok "only $((passed + failed)) pages have examples"
finish
