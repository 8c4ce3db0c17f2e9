#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run and job as a user meets them: what is left, undo, scripts of a session,
# the background, Ctrl-C, JSON, and what is refused.
. "$(dirname "$0")/tally.sh"

say() { "$SLABLAB" -q -k "$@" 2>&1; }

# Stepped runs repeat: the state, and the words but for times.
hash() { say -c "run $1 ops=20000 > /dev/null; run $1 ops=5000 > /dev/null; lab hash"; }
for w in 'churn pages=20' pagefault pingpong; do
	is "$(hash "$w")" "$(hash "$w")" "$w repeats itself, its seeds drawn from the lab"
	[ "$(hash "$w seed=1")" != "$(hash "$w seed=2")" ] && ok || not_ok "$w minds its seed"
done

# What is left has a handle, and goes with it.
is "$(say -c 'run churn ops=5000 seed=1 > /dev/null; free churn; get -v cache.churn-144.objects; lab check')" $'0\nlab main: every invariant holds' 'what is left is freed by its handle'
has "$(say -c 'mine = run pingpong ops=3000 seed=1; handles')" 'mine' 'the handle is called as asked'
has "$("$SLABLAB" -c 'run pingpong ops=3001 seed=1 > /dev/null; run pingpong ops=3000 seed=2 > /dev/null; handles' 2>&1)" 'pingpong still had live members: they are now _1' 'a name in use moves on'
is "$(say -c 'run pagefault ops=5000 keep=off | tail -n 1; handles pagefault')" $'  left    nothing\nslablab: -c:1: handles: no handle is called "pagefault"' 'keep=off leaves nothing'
is "$(say -c 'on 2 run churn ops=3000 seed=1 > /dev/null; get -v event.alloc_fastpath.cpu1; get -v run.cpus')" $'0\n1' 'on a CPU it runs there alone'
is "$(say -c 'run churn ops=777 > /dev/null; get -v run.ops; run churn time=3ms > /dev/null; get -v run.ops')" $'777\n3000' 'ops and time'
is "$(say -c 'cpu 1 offline; run churn ops=4000 mode=parallel > /dev/null; get -v run.ops; get -v run.cpus; lab check > /dev/null')" $'4000\n3' 'a CPU that is offline has no part'

# Undo takes it back whole, and runs it again where it must; a parallel run too.
before=$(say -c 'a = kmalloc 64 x9; lab hash')
is "$(say -c 'a = kmalloc 64 x9; run churn ops=9000 > /dev/null; undo > /dev/null; lab hash')" "$before" 'undo of a stepped run'
is "$(say -c 'a = kmalloc 64 x9; run churn ops=9000 mode=parallel > /dev/null; b = kmalloc 8; undo 2 > /dev/null; lab hash')" "$before" 'undo of a parallel run'
after=$(say -c 'a = kmalloc 64; run pingpong ops=9000 > /dev/null; lab hash')
is "$(say -c 'a = kmalloc 64; run pingpong ops=9000 > /dev/null; b = kmalloc 8; undo > /dev/null; lab hash')" "$after" 'undo of what came after one'
is "$(say -c 'a = kmalloc 64; run pingpong ops=9000 mode=parallel > /dev/null; b = kmalloc 8 x3; undo > /dev/null; lab check; get -v run.ops')" $'lab main: every invariant holds\n9000' 'behind a parallel one, too'

# A script of the session does the same; what will not is said to be so.
say -c "a = kmalloc 64; b = run churn ops=9000; kfree a; history -s $scratch/script; lab hash" >"$scratch/hash"
is "$(cat "$scratch/script" <(echo 'lab hash') >"$scratch/again"; say "$scratch/again" | tail -n 1)" "$(tail -n 1 "$scratch/hash")" 'history -s'
say -c "run churn mode=parallel ops=1000 > /dev/null; history -s $scratch/script"
is "$(grep -c 'will not repeat itself exactly' "$scratch/script")" 1 'a parallel run in a script'

# In the background: one stretch with what is done beside it.
is "$(say -c 'a = kmalloc 64 x9; run churn mode=parallel &; b = kmalloc 128 x5; sleep 1ms; job stop > /dev/null; undo > /dev/null; lab hash')" "$before" 'a job and the commands beside it are one'
is "$(say -c 'a = kmalloc 64 x9; run churn &; b = kmalloc 128 x5; job stop > /dev/null; c = kmalloc 8; undo > /dev/null; undo > /dev/null; lab hash')" "$before" 'stepped, too'
say -c "run churn seed=3 &; a = kmalloc 64; job stop > /dev/null; history -s $scratch/script; get -v run.ops" >"$scratch/ops"
has "$(cat "$scratch/script")" "run churn seed=3 ops=$(cat "$scratch/ops")" 'the script has it as many ops as it came to'
lacks "$(cat "$scratch/script")" '&' 'and in the foreground'
for mode in stepped parallel; do
	out=$(say -c "run churn mode=$mode &; job pause; lab check; a = kmalloc 100 x50; job step 10 --json; undo; snapshot save s; lab clone other; @other lab check
@other free churn; @other get -v cache.churn-144.objects; job resume; job wait; kmem_cache destroy churn-144; lab new x; lab drop main; job stop | tail -n 1; free churn; lab check; @x lab check")
	is "$(grep -c 'every invariant holds' <<<"$out")" 4 "$mode: labs are sound beside a job"
	has "$out" '{"ops":10}' "$mode: held and stepped"
	has "$out" 'undo: churn goes on in lab main' "$mode: no undo meanwhile"
	has "$out" 'job wait: it was given no end' "$mode: no waiting for ever"
	has "$out" 'destroy: churn uses it in the background' "$mode: its caches stay"
	has "$out" 'drop: churn goes on in lab main' "$mode: its lab stays"
	is "$(grep -cx 0 <<<"$out")" 1 "$mode: a clone has what was out under a handle"
done
is "$(say -c 'run churn ops=1000 seed=1 > /dev/null; run churn &; job pause; job step 200 > /dev/null; job resume; snapshot save s; lab clone b; lab save '"$scratch/saved"'; handles | grep -o "^churn .* 400 "; @b handles | grep -c churn-; job stop > /dev/null; @b lab check')" \
$'churn       400   400 \n2\nlab b: every invariant holds' 'a copy beside a job leaves handles their names'
has "$(say -c 'run churn &; run pingpong')" 'run: churn goes on in lab main' 'one at a time'
has "$(say -c 'lab new b; run churn &; @b run pingpong &; job list; @b job stop | tail -n 1; job stop | tail -n 1')" 'b  pingpong:' 'one a lab'
is "$(say -c 'run churn ops=3000 &; job wait | grep -c ^churn; job wait; job stop')" $'1\nslablab: -c:1: job stop: nothing goes on in lab main (run WORKLOAD & begins something)' 'waiting for one that ends'
has "$("$SLABLAB" -l mem=64M,clock=real -c 'run churn ops=3000 &; repeat 60 { sleep 50ms }; echo end' 2>&1)" 'churn in lab main is over: 3000 ops' 'its end is told'
is "$(say -c 'run churn &')" '' 'leaving ends it'
is "$(say -c 'run pingpong mode=parallel &; trace on kmalloc; a = kmalloc 64; set slub.max_order 0; caches > /dev/null; trace show kmalloc | grep -c kmalloc:; trace off; job stop > /dev/null; lab check')" $'1\nlab main: every invariant holds' 'policies and traces beside it'

# Ctrl-C: between two ops, with a report and nothing lost; the script ends as it should.
for mode in stepped parallel; do
	printf 'run churn ops=100000000000 mode=%s\nlab check\n' "$mode" >"$scratch/long"
	"$SLABLAB" -q "$scratch/long" >"$scratch/out" 2>&1 &
	pid=$!
	sleep 0.7
	kill -INT "$pid"
	wait "$pid"
	is "$?" 130 "$mode: Ctrl-C ends the script"
	has "$(cat "$scratch/out")" 'churn stopped '"$mode" "$mode: the report says so"
	has "$(cat "$scratch/out")" 'in handle churn' "$mode: and what is left has its handle"
done

# JSON, figures, refusals, help.
is "$(say -j -c 'run churn ops=1000 seed=5' | python3 -c 'import json, sys
d = json.loads(sys.stdin.readline())["data"]
assert d["ops"] == 1000 == d["allocs"] + d["frees"] + d["failed"] and d["keys"]["life"] == 4096 and d["handle"] == "churn"
print(d["workload"], d["mode"], d["state"], d["seed"])')" 'churn stepped done 5' 'JSON of a run'
has "$(say -c 'run churn min=300 max=200')" 'min=300 is more than max=200' 'keys that contradict'
has "$(say -c 'run churn deep=2')" 'churn has no key "deep" (its own are caches, min, max, life, pages)' 'a key it has not'
has "$(say -c 'run pingpong depth=0')" 'depth=0 is out of range (1 .. 1048576)' 'out of range'
has "$(say -l cpus=1 -c 'run pingpong')" 'pingpong needs two CPUs' 'ping-pong alone'
has "$(say -c 'run nothing')" 'is not one of churn, pagefault, pingpong' 'no such workload'
has "$(say -c 'kmem_cache create churn-112 64; run churn caches=64 min=112 max=112')" 'cache churn-112 is there already, with objects of 64 bytes' 'a cache in the way'
has "$(say -c 'help run')" 'pages that a process uses, on average (default: 256)' 'help has the keys'
has "$(say -c 'time run churn ops=1000 | tail -n 1')" 'lab clock: 1.0' 'time of a run'
is "$(say -c 'repeat 3 { run pingpong ops=100 keep=off > /dev/null }; get -v run.ops')" 100 'in a loop'
has "$(say -l mem=4M -c 'run pagefault pages=2000 ops=20000')" 'that the lab could not serve' 'out of memory is an outcome'

# A command file of many lines stays quick.
awk 'BEGIN { for (i = 0; i < 200000; i++) print "a = kmalloc " 8 + i % 500 "\nkfree a" }' >"$scratch/many"
start=$(date +%s)
say "$scratch/many" >"$scratch/out"
is "$(cat "$scratch/out")" '' '400000 lines'
[ $(($(date +%s) - start)) -lt 120 ] && ok || not_ok "400000 lines took $(($(date +%s) - start)) s"
finish
