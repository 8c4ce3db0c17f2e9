#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What views say of merged caches with slab.owner_map, and what no longer goes unnoticed.
. "$(dirname "$0")/tally.sh"

say() { "$SLABLAB" -q "$@" 2>&1; }
two='set slab.owner_map on; kmem_cache create left 256; kmem_cache create right 256; a = kmem_cache alloc left x20; b = kmem_cache alloc right x12;'

has "$(say -c "$two slabs left")" 'S1▕■■■■■■■■■■■■■■■■▏16/16 (left 4, right 12)' 'slabs: who has what of a slab'
has "$(say -c "$two caches -v left")" "owner map: 20 of the store's 32 objects out are left's; 128 bytes noted" 'caches -v: its share'
has "$(say -c "$two where addr:0x1400")" 'out of right' 'where: whose object an address is'
is "$(say --json -c "$two kmem_cache free left a[0]; where addr:0" | grep -o '"last_owner":"[a-z]*"')" '"last_owner":"left"' 'where: whose it was'
has "$(say -c "$two pin right")" '(left 4, right 12)' 'pin: whose objects hold a slab'
has "$(say -c "$two map by=owner")" right 'map by=owner: the cache that has most of a slab'
has "$(say -c "$two kmem_cache destroy right")" '12 of right are out' 'a merged cache with objects out is not destroyed'
is "$(say -c "$two kmem_cache free right b; kmem_cache destroy right; get -v cache.left.objects")" 20 'an empty one is'
has "$("$SLABLAB" -c "$two kmem_cache free right a[3]" 2>&1)" 'freed to a cache they are not of' "another's object"
has "$(say -c "$two set cache.left.debug F; set cache.right.debug F; c = kmem_cache alloc left; kmem_cache free right c; dmesg")" \
	'cache_from_obj: Wrong slab cache. right but object is from left' 'with checks there is a report, by both names'

# without a map nobody can know, as in a kernel
off=${two#set slab.owner_map on;}
is "$(say -c "$off kmem_cache free right a[3]")" '' 'no map: nothing is noticed'
is "$(say -c "$off kmem_cache destroy right")" '' 'no map: a merged cache goes'
finish
