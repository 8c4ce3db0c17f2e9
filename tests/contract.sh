#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line's contract: starting, exit statuses, errors with their place, quoting, blocks, pipes, JSON.
. "$(dirname "$0")/tally.sh"
cd "$scratch" || exit 99

# run ARGUMENT...: sets out, err and status.
run() {
	out=$("$SLABLAB" "$@" 2>err </dev/null)
	status=$?
	err=$(cat err)
}

# ---- starting ----
run -V; has "$out" slablab '-V'; is "$status" 0 '-V'
run --version; has "$out" slablab '--version'
run --help; is "$status" 0 '--help'
for option in --lab --set --boot --json --keep-going --quiet --version --help; do
	has "$out" "$option" '--help names every option'
done
run -c 'echo one; echo two'; is "$out" $'one\ntwo' '-c'; is "$status" 0 '-c'
out=$(printf 'echo in\n' | "$SLABLAB" -q); is "$out" in 'standard input'
printf '#!/usr/bin/env slablab\necho $1 $# "$2"\n' >file
run file a 'b c'; is "$out" 'a 2 b c' 'a command file and its arguments'
printf 'echo $@\n' >all
run all 1 2 3; is "$out" '1 2 3' '$@'
run kmalloc 64; is "$status" 0 'one command in a fresh lab'
run echo -n; is "$status" 0 'one command that takes words'
run --lab mem=64M,cpus=2 -c 'get -v lab.cpus'; is "$out" 2 '--lab'
run -l mem=64M -c 'get -v lab.mem'; is "$out" 67108864 '-l'
run -s slub.max_order=0 -c 'get -v slub.max_order'; is "$out" 0 '-s'
run --set slub.max_order=1 --set slub.min_order=1 -c 'get -v slub.min_order'; is "$out" 1 '--set twice'
run --boot 'slub_max_order=0 slab_nomerge' -c 'get -v slub.max_order; get -v slab.merge'; is "$out" $'0\noff' '--boot'
run --boot 'slub_max_order=0 no_such_word=1' -c 'echo x'; is "$status" 0 'an unknown boot word'
has "$err" no_such_word 'an unknown boot word is named'

# ---- exit statuses ----
run -c 'assert lab.cpus == 99'; is "$status" 1 'a failed assert'
has "$err" 4 'a failed assert prints both sides'; has "$err" 99 'a failed assert prints both sides'
run -c 'no_such_command'; is "$status" 1 'an unknown command in -c'
run no_such_file_or_command; is "$status" 2 'a first word that is neither command nor file'
run --no-such-option; is "$status" 2 'an unknown option'
run --lab mem=banana -c 'echo x'; is "$status" 2 'a lab shape that cannot be'
run --set no.such=1 -c 'echo x'; is "$status" 2 'an unknown policy in --set'
run -c 'echo x' extra; case $status in 0|2) ok ;; *) not_ok "status $status of a word too many" ;; esac
"$SLABLAB" -q -c 'repeat 1000000000 { a = kmalloc 8; kfree a }' >/dev/null 2>&1 & pid=$!
sleep 0.5; kill -TERM $pid; wait $pid; is $? 143 'stopped by a signal: 128 + N'

# ---- errors and their place ----
printf 'echo a\n\nkmalloc banana\necho b\n' >bad
run bad; is "$out" a 'a script stops at its first failure'; is "$status" 1 'a failed script'
has "$err" 'slablab: bad:3: kmalloc: ' 'file and line of an error'
run -k bad; is "$out" $'a\nb' '-k goes on'; is "$status" 1 '-k still fails at the end'
printf 'echo x\nsource bad\n' >outer
run outer; has "$err" 'bad:3: kmalloc' 'the place in a sourced file'
run -c 'set slub.max_order 99'; has "$err" '0 .. 10' 'an error names the range'
run -c 'set slub.max_oder 1'; has "$err" slub.max_order 'an error names what is near'
run -c 'set slub.max_order 99'; run -c 'get -v slub.max_order'; is "$out" 3 'what fails changes nothing'
run -c 'kfree nobody'; is "$status" 1 'an unknown handle'; has "$err" nobody 'an unknown handle is named'
run -c 'a = kmalloc 8; kfree a; kfree a'; is "$status" 1 'a handle without live members'
run -k -c 'a = kmalloc 8 x2; kfree a[0]; kfree a[0] a[1]; get -v cache.kmalloc-8.objects'
is "${out##*$'\n'}" 1 'naming a freed member frees nothing'
run -c 'kmem_cache create A 64; kmem_cache create A 64'; is "$status" 1 'a name in use'
run -c 'kmem_cache create A 64; kmem_cache alloc A; kmem_cache destroy A'; is "$status" 1 'destroy with live objects'
run --lab mem=4M -c 'a = alloc_pages 0 x100000'; is "$status" 1 'out of memory is a failure'
run -k --lab mem=4M -c 'a = alloc_pages 0 x100000; free a; echo freed'; has "$out" freed 'what xN got is kept'
run -c 'get no.such.*'; is "$status" 1 'a glob that matches nothing'
run -c 'set zone.N0.Normal.free_pages 5'; is "$status" 1 'set on a figure'
run -c 'set event.counters off; get event.alloc_slab'; is "$status" 1 'counters off'; has "$err" 'counters are off' 'counters off'
run -c 'set lab.pageblock_order 5'; is "$status" 1 'a policy of the shape, later'
for words in 'alloc_pages 11' 'alloc_pages -1' 'alloc_pages' 'alloc_pages 0 gfp=NONSENSE' 'kmalloc 0x' 'on 99 kmalloc 8' \
	'@nolab buddyinfo' 'a[0] = kmalloc 8' 'repeat { }' 'kmalloc 8 {' 'echo "open' 'free a[' \
	'alloc_pages 0 gfp=GFP_KERNEL type=movable node=0 bogus=1' 'kmem_cache' 'kmem_cache frob' 'lab' 'lab use nowhere' \
	'alloc_pages 0 gfp=GFP_HIGHUSER_MOVABLE type=unmovable' 'unset lab.cpus' 'cpu 77' 'assert lab.cpus ~ 3' 'source nowhere'; do
	run -c "$words"; case $status in 1|2) ok ;; *) not_ok "'$words': exit status $status" ;; esac; [ -n "$err" ] && ok || not_ok "'$words' says nothing"
done

# ---- words, quotes, blocks, pipes ----
run -c "echo 'a  b' \"c  d\" e'f g'h"; is "$out" 'a  b c  d ef gh' 'quotes'
run -c 'echo one \
two'; is "$out" 'one two' 'a line goes on after \'
run -c 'echo a # a comment'; is "$out" a 'a comment'
run -c 'for n in 1 2 3 { echo $n }'; is "$out" $'1\n2\n3' 'for'
run -c 'repeat 2 {
	echo x
	echo y
}'; is "$out" $'x\ny\nx\ny' 'a block over several lines'
run -c 'buddyinfo | wc -l'; is "$((out))" 1 'a pipe'
run -c 'buddyinfo > bi; buddyinfo >> bi'; is "$(wc -l <bi)" 2 '> and >>'
run -c 'kmem_cache create F 64 flags=HWCACHE|RCU; get -v cache.F.flags'; has "$out" RCU '| inside a word'
run -c 'buddyinfo | false'; is "$status" 1 'a host command that fails'
run -c 'a = kmalloc 64 x3; a = kmalloc 64; kfree _1; kfree a'; is "$status" 0 'a name given again keeps the old members'
run -c 'kmalloc 64'; has "$out$err" _1 'an automatic name is printed'
run -c 'a = on all kmalloc 64 x2; get -v cache.kmalloc-64.objects'; is "${out##*$'\n'}" 8 'on all'
run -c 'lab new b mem=64M; @b kmalloc 64; lab use b; get -v cache.kmalloc-64.objects'; is "${out##*$'\n'}" 1 '@LAB'
run -c 'get -v lab.mem'; is "$out" 268435456 'K, M and G are binary'
run -c 'time echo x'; has "$out$err" x 'time runs the command'

# ---- JSON ----
# field JSON PATH...: one value of a JSON line
field() { printf '%s' "$1" | python3 -c 'import json,sys
v = json.load(sys.stdin)
for k in sys.argv[1:]:
    v = v[int(k)] if isinstance(v, list) else v[k]
print(json.dumps(v))' "${@:2}"; }
run --json -c 'get lab.cpus'; is "$(field "$out" command)" '"get"' 'JSON: command'
is "$(field "$out" ok)" true 'JSON: ok'; is "$(field "$out" data lab.cpus)" 4 'JSON: data of get'; is "$(field "$out" lab)" '"main"' 'JSON: lab'
run --json -c 'kmalloc banana'; is "$(field "$out" ok)" false 'JSON: a failure'; [ "$(field "$out" error message)" != '""' ] && ok || not_ok 'JSON: message'
run --json bad; is "$(field "${out##*$'\n'}" error line)" 3 'JSON: line'; is "$(field "${out##*$'\n'}" error file)" '"bad"' 'JSON: file'
is "$(printf '%s\n' "$out" | wc -l)" 2 'JSON: one line a command'
run -c 'echo before; get lab.cpus --json'; is "$(field "${out##*$'\n'}" data lab.cpus)" 4 '--json ends a single command'
run --json -c 'kmem_cache create A 64 merge=off; a = kmem_cache alloc A x65; slabs A'
shape=${out##*$'\n'}
is "$(field "$shape" data cache)" '"A"' 'slabs: cache'; is "$(field "$shape" data engine)" '"slub"' 'slabs: engine'
is "$(field "$shape" data objs_per_slab)" 64 'slabs: objs_per_slab'
is "$(field "$shape" data nodes 0 nr_slabs)" 2 'slabs: nr_slabs'; is "$(field "$shape" data nodes 0 partial)" '[]' 'slabs: partial'
is "$(field "$shape" data cpus 0 slab)" '{"slab": 1, "inuse": 1, "objects": 64}' 'slabs: the slab of CPU 0'
is "$(field "$shape" data cpus 0 cpu_free)" 63 'slabs: cpu_free'; is "$(field "$shape" data cpus 3 slab)" null 'slabs: a CPU without'
is "$(field "$shape" data unlisted 0)" '{"slab": 0, "inuse": 64, "objects": 64}' 'slabs: unlisted'
run --json -c 'a = kmalloc 64 x2; where a'
is "$(field "${out##*$'\n'}" data 1 index)" 1 'where: index'; is "$(field "${out##*$'\n'}" data 1 slab)" 0 'where: slab'
run --json -c 'lab check'; is "$(field "$out" command)" '"lab check"' 'JSON: a command of two words'

# ---- the report of a failed request for pages: once, on standard error, behind the sentence ----
small='lab new s mem=16M,cpus=1; lab use s; set reclaim.kswapd off; a = alloc_pages 0 x3900; b = alloc_pages 0 x100'
reports() { printf '%s\n' "$1" | grep -c 'page allocation failure: order:'; }
run -c "$small"; is "$status" 1 'a failed request'
is "$out" '' 'its report is not on standard output'
is "$(reports "$err")" 1 'it is reported once'
has "$(printf '%s\n' "$err" | head -n 1)" 'slablab: -c:1: alloc_pages: after' 'the sentence comes first'
has "$(printf '%s\n' "$err" | head -n 1)" 'the last hope was' 'the sentence names the last hope'
for line in 'mode:0xcc0(GFP_KERNEL), nodemask=(null)' Mem-Info: ' free:128 free_pcp:' 'Node 0 Normal free:512kB' \
	'lowmem_reserve[]:' '= 512kB' 'total pagecache pages'; do
	has "$err" "$line" 'the report is the one that a kernel writes'
done
run -k -c "$small; c = alloc_pages 0; d = kmalloc 3000"; is "$(reports "$err")" 3 'each command that fails reports'
has "$err" 'no memory for a slab of kmalloc-4k; the last hope was' 'a kmalloc names it too'
run -k -c "$small; alloc_pages 0 gfp=GFP_KERNEL|__GFP_NOWARN"; is "$(reports "$err")" 1 '__GFP_NOWARN: no report'
run -q -c "$small"; is "$(reports "$err")" 0 'with -q there is none'
run -k -j -c "$small"; is "$(reports "$out$err")" 0 'nor with --json'
run -k -c "$small; dmesg"; is "$(reports "$out")" 1 'dmesg has it'
run -k -q -c "$small; sleep 1s; b = kmalloc 3000; dmesg | grep 'allocation failure'; lab save kept.lab; lab load y kept.lab; @y dmesg --json"
is "$(reports "$out")" 2 'and those before it, oldest first'
has "$out" '"allocation_failures_ever":2' 'a saved lab keeps them'
run -k -q -c "$small; dmesg --json" ; has "$out" '"allocation_failure"' 'also as JSON'
# a block that the request may not have does not count: not of a type it takes nothing from, not of a zone closed to it
err=$(printf '%s\n' 'set buddy.fallback off' 'on 0 alloc_pages 9 type=Reclaimable' 'why' |
	"$SLABLAB" -k -q -l mem=256M,nodes=2 2>&1)
has "$err" 'one, but of other types than Reclaimable (set buddy.fallback on' 'the sentence names the type'
has "$err" 'At the end N1 Normal has 32768 pages free (more than 767 needed), largest block for this request: none' 'and so does why'
lacks "$err" '(enough)' 'whom a type keeps out, no mark lets in'
err=$("$SLABLAB" -k -q -l zones=DMA:16M+Normal:64M -c 'alloc_pages 0 gfp=GFP_DMA x5000; alloc_pages 8 gfp=GFP_DMA' 2>&1)
has "$err" 'no zone that the gfp flags allow has a free block of order 8 or above' 'zones closed to the request are not named'
err=$("$SLABLAB" -q -l zones=DMA:16M+Normal:64M -c 'alloc_pages 0 x50000' 2>&1)
has "$err" '(min 57 + 64 kept from requests that could go higher)' 'what is kept for others is part of the mark'
run -k -c 'lab new s mem=16M,cpus=2; lab use s; run pagefault pages=8000 ops=9000; run pagefault pages=8000 ops=9000'
is "$(reports "$err")" 1 'of failures that runs bear, one in ten seconds of lab time'

# ---- requests that fail on purpose say so, and say nothing of marks that had no part in it ----
run -k -q -c 'fail fail_page_alloc rate=100 times=5; alloc_pages 1; alloc_pages_bulk 3; kmalloc 100000; kmem_cache create z 64 merge=off; kmem_cache alloc z gfp=GFP_ATOMIC
	a = alloc_pages 1; get -v event.fail_page_alloc_hits'
is "$(grep -c 'fault injection let a request for pages fail (fail_page_alloc' <<<"$err")" 4 'pages, in bulk, for kmalloc and for a slab'
is "$out" 5 'a slab asks twice; the sixth request is served'

# ---- a request that may not wait and finds no block (worked example of the slow path) ----
run -k -q -c 'set pcp.enabled off; set compact.direct off; set compact.background off; set reclaim.kswapd off
	set zone.watermark_boost_factor 0; x = alloc_pages 0 gfp=GFP_KERNEL|__GFP_MEMALLOC x65536; free x[0:1280:2]
	set reclaim.kswapd on; on 2 alloc_pages 3 gfp=GFP_NOWAIT
	get -v event.alloc_fail.cpu2; get -v event.wmark_fail.cpu2; get -v event.allocstall_normal.cpu2'
is "$out" $'1\n4\n0' 'GFP_NOWAIT of order 3: two marks failed twice, nobody reclaimed'

# ---- a costly request that may fail, may reclaim and may start no I/O comes to an end (to 6.7 kernels went round for ever) ----
run -k -q --lab mem=32M,cpus=1 -c 'a = alloc_pages 0 type=movable x7800; free_pages a[::2]; drain
	alloc_pages 9 gfp=__GFP_DIRECT_RECLAIM|__GFP_KSWAPD_RECLAIM|__GFP_RETRY_MAYFAIL
	assert event.slowpath_retry < 20; assert event.alloc_fail == 1'
has "$err" 'order 9' 'a costly request without __GFP_IO fails'
is "$(grep -c assert <<<"$err")" 0 'and does not go round again and again'

# ---- sizes of a cache that is no class of kmalloc ----
run -k -c 'kmem_cache create foo 64; sizes foo; sizes nosuch; sizes kmalloc-64'
has "$err" 'foo is no class of kmalloc' 'sizes says what a cache is not'
has "$err" 'there is no cache "nosuch"' 'and that there is none'
has "$out" 'no kmalloc cache tracks its users' 'a class that nobody tracks'

# ---- the engine's promises ----
run --lab mem=256G,cpus=8 -c 'get -v zone.N0.Normal.free_pages'; is "$out" 67108864 'a lab of 256 GiB'
is "$(run -c 'lab hash'; echo "$out")" "$(run -c 'lab hash'; echo "$out")" 'two fresh labs are the same'
run -c 'set slab.merge off; kmem_cache create a 64; kmem_cache create b 64; assert cache.a.store != cache.b.store'; is "$status" 0 'slab.merge off'
finish
