#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Presets: kernels by name, as option, for one lab, and for a lab at work.
. "$(dirname "$0")/tally.sh"

say() { "$SLABLAB" -q "$@" 2>&1; }
names=$(say -c 'preset' | awk 'NR > 1 { print $1 }')
is "$(echo "$names" | tr '\n' ' ')" 'linux-2.5.9 linux-2.6.29 linux-3.2 linux-3.16 linux-4.2 linux-6.1 linux-6.18 sysv-lazy-buddy ' 'the presets'

# The file that people read is what the program does: sourced in a lab of 6.1 it leads to the preset.
for p in $names; do
	file=$TOP/scripts/presets/$p.lab
	has "$(head -n 1 "$file")" "# $p: " 'the first line names it'
	is "$(grep '^[^#]' "$file" | grep -vc '# .')" 0 "$p: each value says from where it comes"
	is "$(say -p "$p" -c "policy --diff $p")" '' "--preset $p"
	is "$(say -c "lab new x preset=$p; @x policy --diff $p")" '' "lab new preset=$p"
	is "$(say -p "$p" -c 'get -v lab.preset')" "$p" "lab.preset of $p"
	is "$(say -p "$p" -c 'a = kmalloc 64 x100; b = alloc_pages 1 x9; kfree a; free b; drain; lab check')" \
		'lab main: every invariant holds' "$p: a lab at work"
	# what a shape fixes cannot be sourced later
	grep -vE '^set (kmalloc.types|lab.pageblock_order|slab.cas16) ' "$file" >"$scratch/file"
	say "$scratch/file" >"$scratch/out"; is "$(cat "$scratch/out")" '' "$p: its file runs"
	(cat "$scratch/file"; echo "policy --diff $p") >"$scratch/diff"
	is "$(say "$scratch/diff" | grep -cE '^[a-z]+\.' | tr -d ' ')" "$(say -c "preset $p" | grep -c ' stays ')" "$p: its file leads to it"
done

# A live lab: everything stays, one step back undoes all of it.
out=$(say -c 'a = kmalloc 64 x100; b = alloc_pages 0 x50; kmem_cache create own 200; d = kmem_cache alloc own x20
set cache.own.max_order 1
preset linux-2.6.29
get cache.kmalloc-64.objects; get cache.own.max_order; get zone.watermark_rule; lab check
undo; policy --diff linux-6.1; get lab.preset; kfree a; free b d; lab check' -k)
has "$(printf '%s' "$out" | tr -s ' ')" 'zone.watermark_rule scale quarter' 'what changed and from what'
has "$out" 'low = min + min/4, high = min + min/2, to 4.5' 'from where it comes'
has "$out" 'kmalloc.types stays normal,cg,rcl,dma, there normal,dma' 'what the shape fixes is named'
has "$out" 'cache.own.max_order = 1' 'an override stays'
has "$out" 'cache.kmalloc-64.objects = 100' 'objects stay'
has "$out" 'lab.preset = linux-6.1' 'undone as one'
is "$(printf '%s\n' "$out" | grep -c 'every invariant holds')" 2 'invariants'

# Precedence, from weak to strong: preset, --boot, --set, set; unset leads back to the preset.
is "$(say -p linux-2.5.9 -c 'get -v slab.merge')" off 'the preset'
is "$(say -p linux-2.5.9 -b slab_merge -c 'get -v slab.merge')" on '--boot goes before the preset'
is "$(say -p linux-2.5.9 -b slab_merge -s slab.merge=off -c 'get -v slab.merge')" off '--set goes before --boot'
is "$(say -p linux-2.5.9 -c 'set slab.merge on; unset slab.merge; get -v slab.merge')" off 'unset'
is "$(say -p linux-3.2 -c 'get -v kmalloc.types')" normal,dma 'what the shape fixes is there from the start'
is "$(say -p linux-3.2 -c 'lab save $1; lab load y $1; @y get -v lab.preset' "$scratch/f" | tail -n 1)" linux-3.2 'a saved lab knows its preset'
# A replay that sizes the lab keeps it.
is "$(say -p linux-3.2 -c 'replay $1 > /dev/null; get -v lab.preset; policy --diff linux-3.2' "$TOP/scripts/examples/unix-stream.trace.gz")" linux-3.2 'a lab that is sized'

# Out again, in a kernel's words: the command line leads to the same policies where a kernel has them.
line=$(say -c 'set slub.max_order 0; set slub.min_objects 7; set slab.merge off; set slub.debug FZ,kmalloc-64; export cmdline')
is "$line" 'slab_nomerge slub_debug=FZ,kmalloc-64 slub_max_order=0 slub_min_objects=7' 'a command line'
is "$(say -b "$line" -c 'export cmdline')" "$line" 'and back'
for one in interval=3 probability=9 space=64 times=7; do	# four policies, one parameter
	line=$(say -s "failslab.$one" -c 'export cmdline')
	is "$(printf '%s\n' "$line" | grep -c .)" 1 "failslab.$one alone has its word"
	is "$(say -b "$line" -c "get -v failslab.${one%=*}")" "${one#*=}" "failslab.$one and back"
done
is "$(say -s fail_page_alloc.space=9 -c 'export cmdline')" 'fail_page_alloc=1,0,9,1' 'those of pages have a word of their own'
is "$(say -b fail_page_alloc=4,5,6,7 -c 'get -v fail_page_alloc.times')" 7 'fail_page_alloc= and back'
is "$(say -s failslab.interval=3 -s failslab.times=7 -c 'export cmdline')" 'failslab=3,0,0,7' 'two of them are one word'
is "$(say -c 'export cmdline; export sysctl')" '' 'nothing differs'
out=$(say -p sysv-lazy-buddy -c 'set zone.min_free_kbytes 4096; set slub.min_partial 9; export sysctl')
has "$out" 'vm.min_free_kbytes = 4096' 'a sysctl'
has "$out" 'vm.lowmem_reserve_ratio = 0 0 0 0' 'a list as a kernel takes it'
has "$out" '# buddy.coalesce lazy: no kernel offers it' 'what no kernel offers'
has "$out" '# slub.min_partial 9: an attribute of each cache' 'what stands elsewhere'
is "$(say -b 'vm.min_free_kbytes=4096' -c 'export sysctl')" 'vm.min_free_kbytes = 4096' 'a sysctl on the command line'

# Words whose sense changed with 6.8, and back; defaults that machine and era decide.
is "$(say -b 'slab_max_order=0' -c 'export cmdline')" 'slab_max_order=0' 'the queued engine'"'"'s word'
is "$(say -s slab.era=6.8 -b 'slab_max_order=0' -c 'get -v slub.max_order')" 3 'before --set'
is "$(say -p linux-6.18 -b 'slab_max_order=0 slab_min_order=0 slab_min_objects=7 slab_debug=F' -c 'export cmdline' | head -n 1)" \
	'slub_debug=F slub_max_order=0 slub_min_objects=7' 'since 6.8 they are of SLUB'
has "$(say -b 'slab_min_objects=7' -c 'echo x')" slab_min_objects 'before, there is no such word'
has "$(say -p linux-6.18 -c 'set slabq.max_order 2; export cmdline')" '# slabq.max_order 2: no kernel offers it' 'nor one for this, since'
is "$(say -b 'init_on_alloc=1 init_on_free=1' -c 'export cmdline')" 'init_on_alloc=1 init_on_free=1' 'two that are 0 or 1'
is "$(say -l mem=32M -c 'get -v slabq.max_order; policy --diff linux-6.1; export cmdline')" 0 'a small machine'
is "$(say -s slab.era=2.6.24 -c 'get -v slub.max_order; set slub.max_order 3; get -v slub.max_order; unset slub.max_order; get -v slub.max_order')" \
	"$(printf '1\n3\n1')" 'an era'"'"'s own order'
is "$(say -p linux-2.6.29 -c 'set cache.kmalloc-64.era 6.1; get -v cache.kmalloc-64.sysfs.align; get -v cache.kmalloc-64.sysfs.cpu_partial')" \
	"$(printf '64\n0')" 'one cache of another era'

# What a kernel of before 3.1 does is told as it did it.
out=$(say -p linux-2.6.29 -l mem=64M,cpus=1 -c 'a = kmalloc 64 x64; b = kmalloc 64; why')
has "$out" 'Nobody freed anything into S0 meanwhile' 'a look at the CPU'"'"'s slab'
has "$out" 'S0 has nothing free: it waits on no list' 'which is given up'
has "$out" 'counted at its end' 'the slow path'
out=$(say -p linux-2.6.29 -l mem=64M,cpus=2 -c 'a = on 0 kmalloc 2048 x32; on 1 kfree a[:16]; why')
has "$out" 'its last object came back: it goes' 'no empty slab is kept by a free'
has "$out" 'slub.discard_test: lt; ge or gt would have kept the slab' 'what decided it'

# What cannot be.
is "$(say -p linux-9.9 -c 'echo x' >/dev/null; echo $?)" 2 'an unknown preset'
has "$(say -c 'preset linux-3.1')" 'near: ' 'near names'
has "$(say -c 'policy --diff')" '--diff is missing' 'an option without its value'
has "$(say -c 'lab new y preset=z')" 'there is no preset "z"' 'no lab of an unknown preset'
has "$(say -c 'preset linux-4.2 --json')" '"changed":[{"name":' 'JSON'
has "$(say -c 'policy pcp.batch --json')" '"preset":"auto","from":' 'JSON of the table'
finish
