#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every command file: run, undone to the start and run again it gives the same
# region; so does the script that its history writes.
. "$(dirname "$0")/tally.sh"

# Commands in the lab that the file's first lines made, if they did.
run() {
	{ cat "$scratch/lab"; printf '%s\n' "$@"; } | (cd "$TESTS/lab" && timeout 120 "$SLABLAB" -qk 2>&1)
}
hashes() { grep -E '^[0-9a-f]{16}$' | tr '\n' ' '; }

for f in "$TESTS"/lab/*.lab; do
	name=$(basename "$f")
	# What takes back or goes elsewhere by itself has a start of its own.
	grep -qE '^[[:space:]]*(lab (drop|load)|@|undo|snapshot)' "$f" && continue
	[ "$(grep -cE '^[[:space:]]*lab use' "$f")" -le 1 ] || continue
	grep -E '^lab (new|use)' "$f" >"$scratch/lab"
	grep -vE '^lab (new|use)' "$f" >"$scratch/body"
	body="source $scratch/body"
	left=$(run "$body" 'undo --json' | sed -n 's/.*"undone":1,"left":\([0-9]*\).*/\1/p')
	[ -n "$left" ] || { not_ok "$name: nothing to undo"; continue; }
	out=$(run 'lab hash' "$body" 'lab hash' "undo $((left + 1))" 'lab check' 'lab hash' "$body" 'lab hash' | hashes)
	read -r fresh once undone again <<<"$out"
	is "$undone" "$fresh" "$name: undone to the start"
	is "$again" "$once" "$name: run again"
	again=$(run "$body" "history -s $scratch/script" 'lab hash' | hashes)
	is "$(run "source $scratch/script" 'lab hash' | hashes)" "$again" "$name: its history as a script"
	[ "$fresh" != "$once" ] && ok || not_ok "$name changes nothing"
done
[ $passed -ge 60 ] && ok || not_ok "only $passed checks of command files"
# Without memory for checkpoints there is no undo, from the moment that says so.
out=$("$SLABLAB" -qk -c 'kmalloc 8; kmalloc 8; set lab.undo_mem 0; kmalloc 64; undo; get -v lab.undo_mem' 2>&1)
has "$out" 'nothing can be undone: lab.undo_mem is 0' 'undo with lab.undo_mem 0'

# A script of the history where snapshots were gone back to: after undo, twice, and in a clone.
cat >"$scratch/snap" <<'L'
cpu 1; a = kmalloc 64 x3; snapshot save q; kfree a; undo; kfree a; snapshot restore q; snapshot restore q
b = kmalloc 8; snapshot save z; kfree b; kfree a; snapshot restore z; kfree a[0]; lab clone B
L
once=$("$SLABLAB" -qk -c "source $scratch/snap; history -s $scratch/main; lab hash; @B history -s $scratch/clone" 2>&1 | hashes)
for which in main clone; do
	is "$("$SLABLAB" -q -c "source $scratch/$which; lab hash" 2>&1 | hashes)" "$once" "history across snapshots, $which"
	lacks "$(cat "$scratch/$which")" snapshot "history across snapshots names none, $which"
done

finish
