#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The trace: what it keeps, in which form, what it loses and says so, and that
# replay does from its text what was done.
. "$(dirname "$0")/tally.sh"

say() { "$SLABLAB" -q -k "$@" 2>&1; }
figures="get 'event.*'; get 'cache.*.objects'; get 'cache.*.allocs'; get 'cache.*.slabs'; get 'zone.*.order.*'"

# A stepped run, its trace, and the trace replayed into a fresh lab: every figure the same.
for run in 'churn pages=10' pagefault pingpong 'churn caches=9 life=300 min=8 max=8192'; do
	say -l cpus=4,mem=256M -c "trace on kmem:* size=262144; run $run ops=20000 seed=7 > /dev/null; trace show > $scratch/trace; $figures" >"$scratch/run"
	say -l cpus=4,mem=256M -c "replay $scratch/trace > /dev/null; $figures; lab check > /dev/null" >"$scratch/replay"
	[ "$(wc -l <"$scratch/run")" -gt 400 ] && cmp -s "$scratch/run" "$scratch/replay" && ok || {
		not_ok "replay of the trace of $run does the same (< run, > replay):"
		diff "$scratch/run" "$scratch/replay" | head -n 10
	}
done

# In parallel the order across CPUs is kept: nothing is freed before it is allocated, nothing is left out.
for run in churn pagefault pingpong; do
	say -l cpus=4 -c "trace on kmem:* size=262144; run $run ops=20000 seed=3 mode=parallel > /dev/null
trace show > $scratch/trace; get -v run.live" >"$scratch/live"
	say -l cpus=4 -c "replay $scratch/trace > /dev/null; assert replay.ops.run == 20000; assert replay.objects.reused == 0
assert replay.pages.reused == 0; assert replay.lost == 0; assert replay.objects.unmatched_frees == 0" >"$scratch/out"
	is "$(cat "$scratch/out")" '' "parallel $run: the replay has every op"
	objects=$(say -l cpus=4 -c "replay $scratch/trace > /dev/null; get -v replay.objects.live; get -v replay.pages.live" | sort -n | tail -n 1)
	is "$objects" "$(cat "$scratch/live")" "parallel $run: as much is left"
done

# A ring that is full loses the oldest, and says how many.
out=$(say -c 'trace on size=64; a = kmalloc 64 x1000; trace show')
written=$(printf '%s\n' "$out" | sed -n 's|^# entries-in-buffer/entries-written: 64/\([0-9]*\) .*|\1|p')
[ "${written:-0}" -gt 1000 ] && ok || not_ok 'entries written are counted'
is "$(printf '%s\n' "$out" | grep -vc '^#')" 64 'a full ring shows what it holds'
say -c 'trace on size=64 kmalloc; a = kmalloc 64 x1000; trace show' >"$scratch/trace"
is "$(say -c "replay $scratch/trace > /dev/null; get -v replay.lost; get -v replay.objects.live")" $'936\n64' 'replay is told of the loss'
has "$(say -c 'trace on size=64 kmalloc; a = kmalloc 64 x1000; trace show --json')" '"written":1000,"lost":936,"cpus":[{"cpu":0,"entries":64,"lost":936}' 'JSON too'

# Filters: at the ring, and at the look.
is "$(say -c 'trace on kmalloc kf*; a = kmalloc 64; kfree a; b = alloc_pages 0; trace show' | grep -v '^#' | sed 's/.*: \([a-z_]*\): .*/\1/' | tr '\n' ' ')" 'kmalloc kfree ' 'only what is wanted is kept'
is "$(say -c 'trace on; a = kmalloc 64; kfree a; trace show kmem:k*' | grep -v '^#' | sed 's/.*: \([a-z_]*\): .*/\1/' | tr '\n' ' ')" 'kmalloc kfree ' 'only what is wanted is shown'
is "$(say -c 'trace on; a = on all kmalloc 64; trace show cpu=2 kmalloc' | grep -c '\[002\]')" 1 'those of one CPU'
is "$(say -c 'trace on; a = kmalloc 64 x9; trace show last=3 kmalloc' | grep -vc '^#')" 3 'the last ones'
is "$(say -c 'trace on; a = on all kmalloc 64; trace show last=2 kmalloc' | grep -v '^#' | grep -o '\[00.\]' | tr '\n' ' ')" '[002] [003] ' 'the last ones of all CPUs, in their order'
has "$(say -c 'trace on nonsense')" 'no event is called "nonsense"' 'an event that there is not'
lacks "$(say -c 'trace on; a = kmalloc 64; trace show')" 'mark_seen' 'notes are kept only when asked for'
has "$(say -c 'trace on mark_*; a = kmalloc 64; trace show')" 'mark_seen: in=N0.Normal' 'notes by name'

# What a kernel's line has, ours has.
has "$(say -c 'trace on; a = kmalloc 200 gfp=GFP_ATOMIC; trace show kmalloc')" \
	'kmalloc: call_site=kmalloc-256+0x0/0x0 ptr=ffff888000000000 bytes_req=200 bytes_alloc=256 gfp_flags=GFP_ATOMIC node=-1 accounted=false' 'kmalloc'
has "$(say -c 'kmem_cache create foo 100; trace on; a = kmem_cache alloc foo; kmem_cache free foo a; trace show' | grep kmem_cache_free:)" \
	'ptr=ffff888000000000 name=foo' 'kmem_cache_free names the cache'
has "$(say -c 'trace on; a = alloc_pages 3 gfp=GFP_KERNEL|__GFP_ZERO; trace show mm_page_alloc')" \
	'mm_page_alloc: page=ffffea0000000000 pfn=0x0 order=3 migratetype=0 gfp_flags=GFP_KERNEL|__GFP_ZERO' 'mm_page_alloc'
has "$(say -c 'trace on; a = alloc_pages 0; trace show mm_page_alloc_extfrag')" \
	'alloc_order=0 fallback_order=10 pageblock_order=9 alloc_migratetype=0 fallback_migratetype=1 fragmenting=0 change_ownership=1' 'mm_page_alloc_extfrag'
has "$(say -c 'trace on; a = alloc_pages 0; trace show mm_page_alloc_zone_locked last=1')" 'migratetype=0 percpu_refill=1' 'mm_page_alloc_zone_locked'
has "$(say -c 'kmem_cache create gone 100; trace on; a = kmem_cache alloc gone; kmem_cache free gone a; kmem_cache destroy gone
kmem_cache create later 3000; trace show' | grep kmem_cache_alloc:)" 'call_site=gone+0x0/0x0' 'a cache that is no more keeps its name'
say -c 'trace on; a = kmalloc 64 x20; kfree a[::2]; trace show format=json' | python3 -c 'import json, sys
lines = [json.loads(l) for l in sys.stdin]
assert sum(l["event"] == "kmalloc" for l in lines) == 20 and all(l["bytes_alloc"] == 64 for l in lines if l["event"] == "kmalloc")' && ok || not_ok 'JSON lines'

# Off, on again, cleared, with counters off, undone.
is "$(say -c 'trace on; a = kmalloc 64; trace off; b = kmalloc 64; trace on; c = kmalloc 64; trace show kmalloc' | grep -c kmalloc:)" 2 'off is off'
is "$(say -c 'trace on; a = kmalloc 64; trace clear; b = kmalloc 64; trace show kmalloc' | grep -c kmalloc:)" 1 'clear'
has "$(say -c 'set event.counters off; trace on')" 'counters are off' 'nothing is told with counters off'
is "$(say -c 'trace on; a = kmalloc 64; b = kmalloc 64; undo; trace show kmalloc' | grep -c kmalloc:)" 2 'what undo does again is not traced'
is "$(say -c 'trace on; a = kmalloc 64; b = kmalloc 64; undo; c = kmalloc 8; trace show kmalloc' | grep -c kmalloc:)" 3 'and the trace goes on behind it'
is "$(say -c 'run churn ops=3000 seed=1 > /dev/null; lab hash')" "$(say -c 'trace on pgfree; trace off; run churn ops=3000 seed=1 > /dev/null; lab hash')" 'a trace that is over leaves no trace in the lab'
finish
