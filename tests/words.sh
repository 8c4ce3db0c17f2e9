#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What people are told: help of figures, lists of handles, timed blocks, notes
# on merging, which round of a loop failed, reports of import and replay.
. "$(dirname "$0")/tally.sh"
examples=$TOP/scripts/examples

say() { "$SLABLAB" -k "$@" 2>&1; }
shown() { printf '%s\n' "$1" >"$scratch/in"; say "$scratch/in"; }

# Figures: a path, a form, an override, an event, and what is none.
has "$(say -c 'help zone.N0.Normal.free_pages')" 'now      65536' 'help of a path has its value'
has "$(say -c 'help zone.N0.Normal.order.10')" 'zone.N<node>.<zone>.order.<order>' 'and its form'
is "$(say -c "help 'kmem_cache free'")" "$(say -c 'help kmem_cache free')" 'help of a command of two words in quotes'
lacks "$(say -c 'help zone.N<node>.<zone>.free_pages')" 'now' 'a form has no value'
has "$(say -c 'help cache.kmalloc-64.sysfs.order')" 'sysfs.<attribute>' 'a subtree is not taken for a name'
has "$(say -c 'help cache.kmalloc-64.max_order')" 'slub.max_order' 'an override names its policy'
has "$(say -c 'help event.buddy_split.order.3')" 'a block was cut' 'a count tells of its event'
has "$(say -c 'help zone.N0.Normal.free_page')" 'no figure' 'a slip in a path'
has "$(say -c 'help slub')" 'policy slub' 'a group of policies'
has "$(say -c 'help slub.partial_add')" 'emptier_head: at most a quarter' 'what each value means'

# Handles, also those whose members were freed or are of several kinds.
is "$(say -c 'a = kmalloc 64 x3; b = on 2 alloc_pages 3; c = on all kmalloc 8; l = kmalloc 9000; kfree a[1]; handles')" \
'handle  members  live  what              cpu
a             3     2  kmalloc-64        0
b             1     1  order 3           2
c             4     4  kmalloc-8         0,1,2,3
l             1     1  kmalloc of pages  0' 'handles'
has "$(say -c 'a = kmalloc 64; ab = kmalloc 8; handles ab* --json')" '"data":[{"name":"ab","members":1,"live":1' 'handles by pattern'
lacks "$(say -c 'a = kmalloc 64; ab = kmalloc 8; handles ab*')" 'kmalloc-64' 'handles by pattern'
has "$(say -c 'handles nix')" 'no handle is called "nix"' 'no such handle'

# Cached objects: where they are, how they came, and what is said once a shrinker freed them, or their cache is gone, too.
cached='kmem_cache create c 192 merge=off; a = kmem_cache alloc c x3; lru cache a'
has "$(say -c "$cached; lru touch a[1]; where a")" 'a[1]    c, cached, referenced' 'where says cached'
has "$(say -c "$cached; why a[1]")" 'kmem_cache alloc, c, GFP_KERNEL' 'why tells how a cached object was allocated'
has "$(say -c "$cached; reclaim slab; why a[1]")" 'a[1] has no object: a shrinker freed it' 'why of what was shrunk'
has "$(say -c "$cached; reclaim slab; lru touch a[1]; why a[1]")" 'a[1]: lru touch, on cpu0' 'why of what came back'
has "$(say -c 'f = lru add file 3; why f[1]')" 'f[1]: lru add, on cpu0' 'why of a page of a filler'
has "$(say -c 'f = lru add file 3; reclaim 3; lru touch f[1]; why f[1]')" 'f[1]: lru touch, on cpu0' 'why of a page that came back'
has "$(say -c "$cached; reclaim slab; why")" 'freed 3: 0 pages of slabs' 'why of a reclaim of all cached objects'
has "$(say -c "$cached; reclaim 5 slab; reclaim slab")" 'no number of pages beside them' 'reclaim of all takes no number'
has "$(say -c 'kmem_cache create c 192 merge=off; a = kmem_cache alloc c; lru cache a; reclaim slab')" '; 1 cached object was freed' 'one is one'
is "$(say -q -c 'f = lru add file 1; reclaim pagecache')" '1 page was taken away' 'one page is one'
gone=$(say -c "$cached; reclaim slab; kmem_cache destroy c; where a[0]; handles")
has "$gone" 'of no cache any more  freed by a shrinker' 'where of one whose cache is gone'
has "$gone" 'cached  0' 'a handle of such'
# Before 4.16 a share of the pages looked at counts: all of them, where all that can go goes. Nothing is put off.
has "$(say -c "set reclaim.slab_by scanned; $cached; reclaim slab; lru touch a; lru list --json")" '"cached":3,"referenced":0,"deferred":0' \
	'nothing is put off where everything was looked at'

# Colour by meaning: it adds to the text and never stands alone; the same text without.
cat >"$scratch/colour.lab" <<'L'
kmem_cache create foo 256
a = kmem_cache alloc foo x70
kmem_cache free foo a[::3]
q = alloc_pages 0 gfp=GFP_HIGHUSER_MOVABLE x20
snapshot save s
free_pages q[::2]
caches; stores; slabs foo; freelist foo; freelist cpu0; freelist Normal; pcp; frag; why; why a[1]; where a[1] q[1]
handles; stat foo; snapshot diff s; lab clone twin; twin on main twin
@twin kmalloc 64
stat
L
coloured=$("$SLABLAB" --color=always "$scratch/colour.lab" 2>&1)
is "$(printf '%s\n' "$coloured" | sed 's/\x1b\[[0-9;]*m//g')" "$("$SLABLAB" --color=never "$scratch/colour.lab" 2>&1)" \
	'colours change no text and no column'
esc=$'\033'
for want in "${esc}[36mMovable" "${esc}[1mname" "${esc}[36mS3" "${esc}[2m-" "${esc}[1;33m≠"; do
	has "$coloured" "$want" "coloured: ${want#?}"
done

# Several places at once.
is "$(say -c 'a = kmalloc 64 x2; c = kmalloc 8; where a[1] c[0]' | grep -c '^[ac]\[')" 2 'where of two'
has "$(say -c 'a = kmalloc 64; where a[0] --json')" '"data":[{"index":0' 'JSON of one place is its answer'
has "$(say -c 'a = kmalloc 64; where a[0] a[0] --json')" '"data":[[{"index":0' 'of two a list'

# time: a handle, blocks, JSON.
is "$(say -c 'time a = kmalloc 64 x10; get -v cache.kmalloc-64.objects' | tail -n 1)" 10 'time keeps the name'
is "$(say -c 'time repeat 3 { echo x }' | sed 's/:.*//' | tr '\n' ' ')" 'x x x time ' 'time of a block'
has "$(say -c 'time for c in 1 2 { kmalloc 8 }')" 'lab clock: 2.000 us' 'time by the lab'
has "$(say -j -c 'time { echo x }')" '{"command":"time","lab":"main","ok":true,"data":{"host_ns":' 'time in JSON'
has "$(say -c 'repeat 2 { time }')" 'COMMAND is missing' 'time of nothing'

# Errors that lead on.
has "$(shown 'for c in x y { repeat 2 { assert lab.cpus == 5 } }' | tail -n 1)" '(round 2 of repeat, c = y)' 'the round is named'
has "$(shown 'assert 5 == lab.cpus')" 'does not hold: lab.cpus is 4' 'the value of a path'
lacks "$(shown 'assert 5 == lab.cpus')" '5 is 5' 'and none of a number'
lacks "$(shown 'assert lab.cpus == 5')" 'round' 'no round without a loop'
has "$(shown 'on 9 kmem_cache alloc x')" 'kmem_cache alloc: there is no CPU 9' 'the command is named'
has "$(shown 'set pcp.batch=3')" 'set pcp.batch 3' 'a blank for ='
has "$(shown 'lab new x mem=1K')" '4M .. 16T' 'sizes as people write them'
has "$(shown 'lab new x nodes=3')" '256M over 3 nodes' 'memory that was not given'
lacks "$(shown 'lab new main')" 'lab drop' 'no advice that cannot be followed'
has "$(shown 'policy qqqq')" 'lists them' 'policies are listed by policy'

# > of a command that others run is that command's.
watched=$(cd "$scratch" && say -c 'watch n=2 1ms assert lab.cpus > 1; watch n=2 1ms get lab.cpus > twice')
is "$watched$(grep -c 4 "$scratch/twice")" 2 'get writes a file'
[ ! -e "$scratch/1" ]; is $? 0 'assert compares and writes none'

# Merging is told, quietly not.
has "$(say -c 'kmem_cache create A 200; kmem_cache create B 200')" 'note: B shares store #55 with A' 'merging'
lacks "$(say -q -c 'kmem_cache create A 200; kmem_cache create B 200')" 'shares' 'merging with -q'
lacks "$(say -c 'kmem_cache create A 200; kmem_cache create B 200 merge=off')" 'shares' 'no merging'

# Numbers in JSON are numbers.
has "$(say -c 'assert lab.cpus == 4 --json')" '"left":4,"right":4' 'assert'
is "$(say -c 'a = kmalloc 8; get frag.N0.Normal.order.10.unusable --json' | grep -cE 'unusable":0\.[0-9]{3}}')" 1 'reals'

# What import made, and what it did not.
has "$(say -q -c 'import slabinfo $1' "$examples/unix-stream.slabinfo")" 'the objects were not made' 'import without objects'
filled=$(say -q -c 'import slabinfo $1 fill=yes' "$examples/unix-stream.slabinfo")
has "$filled" 'kmalloc-32 1003 (report: 896)' 'rows that differ are named'
lacks "$filled" 'not made' 'import with objects'

# A replay in a lab that has other caches tells of its own.
replayed=$(say -q -c 'import slabinfo $1 fill=yes; replay $2' "$examples/unix-stream.slabinfo" "$examples/unix-stream.trace.gz")
has "$replayed" '  dentry ' 'a cache of the trace'
lacks "$replayed" 'kmalloc-2k' 'no cache that the trace never touched'
has "$replayed" 'of caches without objects' 'why empty caches have slabs'
# What nobody reads, or can be written, ends a run that would go on for ever.
for endless in 'watch 1s get lab.time_ns' 'repeat 1000000000 { get lab.ops }' 'repeat 1000000000 { watch n=2 1s get lab.ops }'; do
	timeout 20 "$SLABLAB" -q -c "$endless" | head -n 1 >/dev/null
	is "${PIPESTATUS[0]}" 141 "$endless, and its reader left"
	timeout 20 "$SLABLAB" -q -c "$endless" >/dev/full 2>/dev/null
	is $? 1 "$endless, on a full disk"
done

finish
