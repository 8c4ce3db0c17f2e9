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
finish
