#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Twins: what labs print is shown once where it is the same, else side by side, differences marked.
. "$(dirname "$0")/tally.sh"
export LC_ALL=C COLUMNS=80

run() { printf '%s\n' 'lab clone B' 'twin on main B' "$@" | "$SLABLAB" -q 2>&1; }

is "$(run 'buddyinfo' | wc -l)" 1 'the same view, once'
is "$(run '@B set pcp.batch 7' 'get -v pcp.batch')" $'main   B\nauto ! 7' 'a difference, side by side'
out=$(COLUMNS=60 run '@B set pcp.enabled off' 'alloc_pages 0 x2' 'zoneinfo')
has "$out" $'\nmain:\n' 'a wide view, one below the other'
has "$out" $'\nB:\n' 'a wide view, one below the other'
[ "$(grep -c '^! ' <<<"$out")" -ge 2 ] && ok || not_ok 'lines that differ bear no mark'
[ "$(grep -c '^  ' <<<"$out")" -ge 20 ] && ok || not_ok 'lines that are the same bear one'

json=$(run '@B kmalloc 64 x5' 'get cache.kmalloc-64.objects --json' | tail -n 1)
is "$json" '{"command":"get","lab":["main","B"],"ok":true,"data":{"main":{"cache.kmalloc-64.objects":0},"B":{"cache.kmalloc-64.objects":5}}}' 'JSON'
json=$(run '@B kmem_cache create X 64' 'slabs X --json' 2>/dev/null | grep '^{')
has "$json" '"ok":false' 'JSON where one fails'
has "$json" '"main":{"message":"' 'whose failure it is'
err=$(run '@B kmem_cache create X 64' 'kmem_cache alloc X' | grep '^slablab')
has "$err" 'lab main:' 'the lab in an error'
lacks "$err" 'lab B' 'the lab in an error'

refused() { has "$(printf '%s\n' 'lab clone B' "$1" | "$SLABLAB" -q 2>&1)" "$2" "$1"; }
refused 'twin on main' '2 to 16 labs'
refused 'twin on main C' 'there is no lab "C"'
refused 'twin on B B' 'named twice'
refused 'twin off' 'no labs are twins'
has "$(run 'lab drop B' 'kmalloc 64' | tail -n 1)" '_1' 'a dropped twin'
finish
