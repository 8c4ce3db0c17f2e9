#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Slab debugging in every engine: flags on live caches, each wrong act, what is said of it and by whom.
. "$(dirname "$0")/tally.sh"

# run COMMAND...: sets out, err and status; goes on after failures.
run() {
	out=$("$SLABLAB" -q -k -l mem=256M,cpus=2 -c "$1" 2>"$scratch/err" </dev/null)
	status=$?
	err=$(cat "$scratch/err")
}

# ---- flags that a cache cannot have: said with its name, and nobody moves ----
run 'set kmalloc.max_class 2M; kmem_cache create a 100; get -v cache.a.store; set slub.debug FZPU; get -v cache.a.store; get -v slub.debug; get -v cache.a.debug'
has "$err" 'kmalloc-2M keeps its store, and all others theirs' 'a class whose slots no block holds'
is "$(sed -n 1p <<<"$out")" "$(sed -n 2p <<<"$out")" 'a refused change moves nobody'
is "$(sed -n 3,4p <<<"$out")" $'\nnone' 'a refused change leaves no flags'
run 'set kmalloc.max_class 2M; set slub.debug FZPUO; get -v cache.kmalloc-2M.size; get -v cache.kmalloc-64.size; lab check'
is "$err" '' 'letter O'
is "$(sed -n 1,2p <<<"$out")" $'2097152\n256' 'letter O: who would grow goes without'
run 'set slub.debug FZPU; set kmalloc.max_class 2M; lab check'
has "$err" 'no cache kmalloc-2M' 'a class that cannot be made is named'
# ---- no memory for a slab: SLUB says so behind the failed request for pages, since 2.6.31, ten times in five seconds at most ----
# short SHAPE COMMANDS: as run, in a lab that memory runs out of.
short() {
	out=$("$SLABLAB" -k -l "$1" -c "set reclaim.kswapd off; $2" 2>"$scratch/err" </dev/null)
	status=$?
	err=$(cat "$scratch/err")
}
unable='SLUB: Unable to allocate memory on node'
short mem=16M,cpus=2,nodes=2 'kmem_cache create b 1000; a = kmem_cache alloc b x20000; dmesg b; kmem_cache alloc b gfp=GFP_KERNEL|__GFP_NOWARN; on 1 kmem_cache alloc b node=1; get -v cache.b.slabs; lab check'
is "$(grep -c "$unable -1, gfp=0xcc0(GFP_KERNEL)" <<<"$out")" 1 'dmesg: no memory for a slab'
is "$(grep -n "$unable\|^the last hope" <<<"$err" | sed 's/^[0-9]*:\(\[[^]]*\] \)*//; s/ was .*//; s/, gfp.*//' | tr '\n' ';')" "the last hope;$unable -1;the last hope;$unable 1;" 'it stands behind the failure of the pages; __GFP_NOWARN: not at all'
has "$out" '  cache: b, object size: 1000, buffer size: 1000, default order: 2, min order: 0' 'the cache and its orders'
nodes=$(grep -o 'node [01]: slabs: [0-9]*' <<<"$out" | awk '{ n += $4 } END { print n }')
is "$nodes" "$(grep -x '[0-9]*' <<<"$out")" 'the slabs of each node'
has "$out" 'every invariant holds' 'no memory: the lab goes on'
short mem=16M,cpus=1 'kmem_cache create b 4096 flags=REDZONE|USER; a = kmem_cache alloc b x20000; dmesg b; set slab.era 6.18; b = kmem_cache alloc b x20000; dmesg b'
has "$out" '  b debugging increased min order, use slub_debug=O to disable.' 'debug flags that made the least order larger'
has "$out" '  b debugging increased min order, use slab_debug=O to disable.' 'since 6.8 the parameter is called slab_debug'
short mem=16M,cpus=1 'kmem_cache create b 4000; a = kmem_cache alloc b x20000; repeat 14 { kmem_cache alloc b }; dmesg --json; sleep 6s; kmem_cache alloc b; dmesg --json; lab save '"$scratch"'/kept; lab load z '"$scratch"'/kept; @z dmesg --json'
is "$(grep -o '"errors":{"shortage":[0-9]*' <<<"$out" | tr '\n' ' ')" '"errors":{"shortage":10 "errors":{"shortage":11 "errors":{"shortage":11 ' 'ten in five seconds; a saved lab keeps them'
short mem=16M,cpus=1 'set slab.era 2.6.29; kmem_cache create b 4000; a = kmem_cache alloc b x20000; dmesg b'
is "$(grep -c "$unable" <<<"$out$err")" 0 'before 2.6.31 nothing was said'

# ---- a sheaf is no object, whatever it holds: it has no bytes in the arena ----
run 's = kmem_cache prefill kmalloc-64 5; peek s; poke s[0] 0 1; kmem_cache return s; peek s; a = kmem_cache alloc_from s; lab check'
has "$err" 'peek: s[0] is a prefilled sheaf' 'peek at a sheaf'
has "$err" 'poke: s[0] is a prefilled sheaf' 'poke at a sheaf'
has "$err" 'peek: s[0] was a prefilled sheaf' 'peek at a sheaf that was given back'
has "$out" 'every invariant holds' 'the lab goes on'
# ---- layouts: object 100, then one of a cache line, by engine ----
layout() {
	run "set slab.engine $1; kmem_cache create a 100; set cache.a.debug $2; get -v cache.a.size; get -v cache.a.red_left_pad; get -v cache.a.objs_per_slab; get -v cache.a.limit; lab check"
	is "$(sed -n 1,4p <<<"$out" | tr '\n' ' ')" "$3 " "$1 with $2: slot, left pad, objects, limit"
}
layout slab FZPU '128 8 32 32'
layout slab Z '120 8 34 32'
layout slab U '112 0 36 32'
layout slab F '104 0 39 32'
layout slab A '104 0 39 120'
layout slqb FZPU '184 0 22 0'
layout slqb P '112 0 36 0'
layout slqb U '168 0 24 0'
layout sheaves FZPU '192 8 21 0'
run 'set slab.engine slab; kmem_cache create h 100 flags=HWCACHE; set cache.h.debug FZPU; get -v cache.h.size; get -v cache.h.flags; lab check'
is "$(sed -n 1,2p <<<"$out")" $'128\nHWCACHE|POISON|CONSIST' 'slab: where objects lie on more than a word there are no red words and no last caller'
run 'set slab.engine sheaves; set sheaves.capacity 32; kmem_cache create a 100; get -v cache.a.sheaf_capacity; set cache.a.debug F; get -v cache.a.sheaf_capacity; set cache.a.debug none; get -v cache.a.sheaf_capacity'
is "$out" $'32\n0\n32' 'sheaves: none while there are debug flags'
run 'set slab.engine slqb; kmem_cache create a 96; get -v cache.a.colours; set cache.a.debug F; get -v cache.a.colours'
is "$out" $'1\n0' 'slqb: no colours with debug flags'

# ---- wrong acts. staged ENGINE FLAGS COMMANDS: one cache of 100 bytes, three objects a, one of another cache ----
staged() {
	run "set slab.engine $1; kmem_cache create t 100; set cache.t.debug $2; kmem_cache create other 700; set cache.other.debug F; a = kmem_cache alloc t x3; $3; lab check"
	is "$err" '' "$1, $2: $3"
}
reported() { has "$out" "$1" "what is said: $1"; }
counts() { is "$(grep -c "^.*\\(BUG t\\|slab error in\\|Slab corruption\\|kernel BUG\\|slab: double\\)" <<<"$out")" "$1" "reports: $2"; }

for e in slub sheaves; do
	staged $e FZPU 'poke a[0] 100 0x41; kmem_cache free t a[0]; get -v cache.t.objects'
	reported 'Right Redzone overwritten'; counts 1 "$e, overrun"; has "$out" $'\n3\n' "$e: a damaged object is not freed"
done
staged slqb FZPU 'poke a[0] 100 0x41; kmem_cache free t a[0]; assert cache.t.objects == 3; kmem_cache free t a[0]; assert cache.t.objects == 2'
reported 'Right Redzone overwritten'; reported 'First byte 0x41 instead of 0xcc'; reported 'Allocated in kmem_cache_alloc_t_x3'
reported 'not freed'; counts 1 'slqb, overrun'
staged slqb FZPU 'kmem_cache free t a[1]; poke a[1] 3 0x42; b = kmem_cache alloc t; assert cache.t.objects == 3; assert event.debug_object_dropped == 1; where b'
reported 'Poison overwritten'; reported 'Freed in kmem_cache_free_t_a[1]'; reported 'dropped'; counts 1 'slqb, use after free'
is "$(grep -c 'object 1 of' <<<"$out")" 0 'slqb: a damaged object is not handed out'
for flags in F FZPU; do
	staged slqb $flags 'kmem_cache free t a[2]; kmem_cache free t a[2] --force; assert cache.t.objects == 2'
	reported 'Object already free'; counts 1 "slqb with $flags, second free"
	staged slab $flags 'kmem_cache free t a[2]; kmem_cache free t a[2] --force; assert cache.t.objects == 2'
	reported 'double free detected'; counts 1 "slab with $flags, second free"
	staged slqb $flags 'kmem_cache free t a[0] offset=8 --force; assert cache.t.objects == 3'
	reported 'Invalid object pointer'; counts 1 "slqb with $flags, into an object"
	staged slab $flags 'kmem_cache free t a[0] offset=8 --force; assert cache.t.objects == 3'
	reported 'is no object of t'; counts 1 "slab with $flags, into an object"
done
# after the object went back to its slab, too, and from another CPU
staged slab F 'kmem_cache free t a; kmem_cache shrink t; b = kmem_cache alloc t x3; kmem_cache free t b[0]; on 1 kmem_cache free t b[0] --force; assert cache.t.objects == 2'
reported "double free detected in cache 't'"
staged slab FZPU 'poke a[0] 104 0x41; kmem_cache free t a[0]; assert cache.t.objects == 2'
reported 'memory outside object was overwritten'; reported 'redzone 2:0xd84156c563568841'; counts 1 'slab, overrun'
staged slab FZPU 'poke a[0] -1 0x42; kmem_cache free t a[0]; assert cache.t.objects == 2'
reported 'redzone 1:0x424156c5635688c0'; counts 1 'slab, underrun'
staged slab FZPU 'poke a[0] 100 0x41; kmem_cache free t a[0]'
counts 0 'slab: what lies between object and red word is nobody'"'"'s'
staged slab FZPU 'kmem_cache free t a[1]; poke a[1] 3 0x6a; b = kmem_cache alloc t; assert cache.t.objects == 3; peek b 0 4'
reported 'Slab corruption (Not tainted): t start='; reported 'Last user: (kmem_cache_free_t_a[1])'; reported 'Single bit error detected'
reported 'Prev obj: start='; reported 'Next obj: start='; counts 1 'slab, use after free'
reported '5a 5a 5a 5a'
staged slab FZPU 'kmem_cache free t a[1]; poke a[1] 104 0x41; b = kmem_cache alloc t'
reported 'double free, or memory outside object was overwritten'; counts 1 'slab, red word of a free object'
# destroying a cache of which objects are out: SLUB and SLQB list them slab by slab, those in stores that were left, too; SLAB has its own words
listed() { grep -oE 'Object 0x[0-9a-f]+ @offset=[0-9]+|BUG .*Objects remaining|slab error.*|Slab cache still.*when' <<<"$out" | sed 's/ (.*taint[^)]*)//'; }
for e in slub sheaves slqb; do
	run "kmem_cache create t 100 engine=$e merge=off; a = kmem_cache alloc t x4; kmem_cache free t a[1]; kmem_cache destroy t; lab check"
	is "$(listed | grep -o 'offset=.*' | tr '\n' ' ')" 'offset=0 offset=208 offset=312 ' "$e lists what is out"
	run "kmem_cache create t 100 engine=$e merge=off; a = kmem_cache alloc t x2; set cache.t.engine slab; b = kmem_cache alloc t; kmem_cache destroy t; lab check"
	is "$(listed | grep -o 'offset=.*' | tr '\n' ' ')" 'offset=0 offset=104 ' "$e lists what is out of a store that was left"
	has "$err" '3 of t are out (pin t lists them)' "$e: and says where to look"
done
run 'kmem_cache create t 100 engine=slab; a = kmem_cache alloc t x4; kmem_cache free t a[1]; kmem_cache destroy t; dmesg --json; lab check'
lacks "$out" 'Objects remaining' 'SLAB lists nothing'
is "$(grep -o '"remaining":.*' <<<"$out" | grep -oE '"address": ?[0-9]+' | wc -l)" 3 'but JSON has the objects'
for era in 2.6.24 3.2 4.2 6.1; do
	run "set slab.era $era; kmem_cache create t 100 engine=slab; a = kmem_cache alloc t; kmem_cache destroy t; dmesg"
	case $era in
	[23]*) has "$out" "slab error in kmem_cache_destroy(): cache \`t': Can't free all objects" "$era: SLAB's own words" ;;
	*) has "$out" 'kmem_cache_destroy t: Slab cache still has objects' "$era: those of all engines" ;;
	esac
	lacks "$out" 'redzone' "$era: no object, no red zone"
done
run 'kmem_cache create t 100 engine=slab; a = kmem_cache alloc t; kmem_cache destroy t'
has "$err" '1 of t is out (pin t lists it)' 'one object'
# a move says where new objects come from and where the old ones stay
run 'kmem_cache create t 100 merge=off; a = kmem_cache alloc t x50; set cache.t.max_order 1; set cache.t.engine slab; set cache.t.engine slqb; b = kmem_cache alloc t; set cache.t.debug F'
is "$err" '' 'no notes with -q'
err=$("$SLABLAB" -k -c 'kmem_cache create t 1000 merge=off; a = kmem_cache alloc t x50; set cache.t.max_order 1; set cache.t.engine slab; set cache.t.engine slqb; b = kmem_cache alloc t; set cache.t.debug F' 2>&1)
is "$err" 'slablab: note: t: new objects come from store #56; the 50 handed out from #55 stay there until they are freed: 4 slabs, 64.0K
slablab: note: t: new objects come from store #57 (slab); the 50 handed out stay in stores that it left earlier (stores)
slablab: note: t: new objects come from store #58 (slqb); the 50 handed out stay in stores that it left earlier (stores)
slablab: note: t: new objects come from store #59; the 1 handed out from #58 stays there until it is freed: 1 slab, 4.0K; 50 more are in stores left earlier' 'notes of moves'
# without debug flags: refused since 6.1; SLUB before it looks at listed slabs' counts and freelists, the other engines cannot
run 'kmem_cache create t 100; a = kmem_cache alloc t x50; kmem_cache validate t'
has "$err" 'has no debug flags' '6.1 validates debug caches alone'
for era in 2.6.24 2.6.29 3.1 3.2 4.2; do
	run "set slab.era $era; kmem_cache create t 100; a = kmem_cache alloc t x100; kmem_cache free t a[::2]; kmem_cache validate t; kmem_cache shrink t; lab check"
	[[ $err$out =~ ^store\ #[0-9]+:\ ([0-9]+)\ slabs,\ ([0-9]+)\ objects\ checked,\ 0\ errors.*every\ invariant\ holds ]] && ok ||
		not_ok "era $era validates without flags: $err$out"
	for e in slab slqb; do
		run "set slab.era $era; set slab.engine $e; kmem_cache create t 100; kmem_cache validate t"
		has "$err" 'has no debug flags' "era $era, $e: nothing to check objects by"
	done
done
for e in slab slqb; do
	staged $e FZPU 'kmem_cache free other a[0]; assert cache.t.objects == 2; assert event.free_wrong_cache == 1'
	reported 'Wrong slab cache. other but object is from t'; reported "kmem_cache_alloc_t_x3"
	staged $e FZPU 'kmem_cache validate t'; reported '0 errors'
	staged $e FZPU 'poke a[0] 104 0x41; kmem_cache validate t; kmem_cache validate t; free a'
	counts $([ $e = slab ] && echo 1 || echo 0) "$e, validation finds it and mends it"
	run "set slab.engine $e; kmem_cache create t 100; set cache.t.debug FZPU; a = kmem_cache alloc t x3; kmem_cache destroy t"
	has "$err" 'still has objects: 3' "$e: objects remaining"
	has "$out" 'Slab cache still has objects' "$e: objects remaining are reported"
	# to other engines and back, by every route
	staged $e FZPU "set cache.t.engine slub; b = kmem_cache alloc t x3; set cache.t.engine $e; c = kmem_cache alloc_bulk t 40; set cache.t.debug none; kfree a[0]; kmem_cache free t a[1]; kmem_cache free_bulk t b; kmem_cache free_bulk t c; free a; assert cache.t.objects == 0"
	counts 0 "$e: nothing wrong, nothing said"
done
staged slqb FZPU 'poke a[0] 100 0x41; kmem_cache validate t; kmem_cache validate t'
reported '1 error'; counts 1 'slqb, validation'
staged slqb FZPU 'alloc_traces t; kmem_cache free t a[0]; b = kmem_cache alloc t; free_traces t'
reported '      3 kmem_cache_alloc_t_x3'; reported '      1 kmem_cache_free_t_a[0]'
staged slab FZPU 'where a[0]'
reported 'last used by kmem_cache_alloc_t_x3'
run 'set slab.engine slab; kmem_cache create t 100; set cache.t.debug FZPU; alloc_traces t'
has "$err" 'keeps no tracks' 'slab: one word is no track'
for e in slab slqb; do
	run "set slab.engine $e; kmem_cache create t 100; set cache.t.debug P; a = kmem_cache alloc t x3; kmem_cache free t a[0]; kmem_cache free t a[0] --force"
	has "$err$out" "$([ $e = slab ] && echo 'double free' || echo 'no consistency checks')" "$e with P, second free"
done
run 'set slab.engine slqb; kmem_cache create t 100; set cache.t.debug FZPU; a = kmem_cache alloc t x3; kmem_cache free t a; get -v cache.t.freeptr_offset; poke a[0] 104 1'
has "$err" 'engine slqb does not check' 'slqb: links of free objects'
run 'set slab.engine slab; kmem_cache create t 100; set cache.t.debug FZPU; a = kmem_cache alloc t; poke a[0] 2048 1; lab check'
has "$err" 'numbers of the free objects' 'slab: free indexes'
for e in slab slqb sheaves; do
	run "set slab.engine $e; kmem_cache create t 100; set cache.t.debug FZPU; fail t rate=100 times=1; set failslab.ignore_wait off; a = kmem_cache alloc t; b = kmem_cache alloc t; lab check"
	has "$err" 'fault injection' "$e: fail t"
	run "set slab.engine $e; kmem_cache create t 100; get -v cache.t.store; set cache.t.debug FZ; get -v cache.t.store; set cache.t.debug FZT; get -v cache.t.store; set cache.t.debug FZA; get -v cache.t.store"
	is "$(sed -n 2p <<<"$out")" "$(sed -n 4p <<<"$out")" "$e: T and A in place"
	staged $e FZT 'kmem_cache free t a[0]'
	reported 'TRACE t alloc'; reported 'TRACE t free'
	run "set slab.engine $e; kmem_cache create t 100; set slub.debug FZPU; a = kmem_cache alloc t x50; export sysfs $scratch/sys-$e; lab save $scratch/$e.lab; lab load $scratch/$e.lab; lab check; lab clone twin; lab use twin; kmem_cache validate t; undo 1"
	is "$(cat "$scratch/sys-$e"/*/t/red_zone "$scratch/sys-$e"/t/red_zone 2>/dev/null | head -n 1)" 1 "$e: red_zone of sysfs"
	has "$out" '0 errors' "$e: saved, loaded, cloned"
done
finish
