#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# stat lifetime: how long objects were out, by cache, of those taken since it was switched on.
. "$(dirname "$0")/tally.sh"

say() { "$SLABLAB" -q "$@" 2>&1; }
is "$(say -c 'stat lifetime')" 'lifetimes are not measured (stat lifetime on)' 'off'
is "$(say -c 'stat lifetime on; stat lifetime')" 'lifetimes are measured; nothing that was taken since was freed' 'on, nothing yet'
json() { say --json -c "kmem_cache create t 100 merge=off; old = kmem_cache alloc t; $2 stat lifetime on; $1; stat lifetime" | tail -n 1 | grep -o '"cache":"t","count":[0-9]*,"mean_ns":[0-9]*'; }
for engine in slub slab slqb sheaves; do
	first="set cache.t.engine $engine; set cache.t.capacity 8;"
	is "$(json 'a = kmem_cache alloc t; sleep 5ms; kmem_cache free t a; kmem_cache free t old' "$first")" \
		'"cache":"t","count":1,"mean_ns":5001000' "$engine: one object, and one that was out before is not counted"
	is "$(json 'a = kmem_cache alloc_bulk t 20; sleep 1ms; kmem_cache free_bulk t a' "$first" | cut -d, -f2)" \
		'"count":20' "$engine: in bulk"
done
is "$(json 'a = kmem_cache alloc t; kmem_cache free t a; stat lifetime clear')" '' 'begun anew'
has "$(say -c 'stat lifetime on; a = kmalloc 64 x10; kfree a; stat lifetime')" kmalloc-64 'text'
finish
