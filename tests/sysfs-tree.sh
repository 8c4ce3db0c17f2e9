#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# export sysfs: folders, links and files as the kernel's own slabinfo expects them (it was tried on such a tree).
. "$(dirname "$0")/tally.sh"

tree=$scratch/tree
out=$("$SLABLAB" -q -l mem=64M,cpus=2 -c "kmem_cache create foo 256; kmem_cache create bar 256; kmem_cache create t 100
set cache.t.debug FZPU
a = kmem_cache alloc foo x40; b = kmem_cache alloc t x12; kmem_cache free t b[3]; c = kmem_cache alloc t
alloc_traces t > $scratch/alloc; free_traces t > $scratch/free
export sysfs $tree" 2>&1)
has "$out" 'folders, 2 links' 'what it wrote'
is "$(readlink "$tree/foo") $(readlink "$tree/bar")" ':0000256 :0000256' 'merged caches are links to one folder'
is "$(cat "$tree/foo/total_objects")" '48 N0=48' 'an attribute'
is "$(cat "$tree/t/alloc_traces")" "$(cat "$scratch/alloc")" 'with user tracking: who holds the objects'
is "$(cat "$tree/t/free_traces")" "$(cat "$scratch/free")" 'and who freed them before'
has "$(cat "$tree/t/alloc_traces")" ' pid=1 cpus=0' 'in the words of the kernel'
is "$(ls "$tree/foo" | grep -c traces)" 0 'without tracking there are no such files'
finish
