#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The map: cells add up to the zone, say who holds what, and cost what is shown.
. "$(dirname "$0")/tally.sh"

say() { LC_ALL=C.UTF-8 "$SLABLAB" -q "$@" 2>&1; }
plain() { LC_ALL=C "$SLABLAB" -q "$@" 2>&1; }
rows() { grep -E '^ *(0|0x[0-9a-f]+) '; }
load='a = alloc_pages 0 gfp=GFP_HIGHUSER_MOVABLE x3000; b = kmalloc 100 x20000; kfree b[::3]; free a[::2]
c = alloc_pages 3 gfp=GFP_KERNEL|__GFP_RECLAIMABLE x40; d = kmalloc 20000 x4; e = alloc_pages 10'

is "$(plain -c map | rows | tr -dc . | wc -c)" 128 'a fresh lab'
# Cells of every kind add up to what the zone says.
for how in '' 'cell=page cells=65536' 'by=owner'; do
	is "$(say -c "$load; map $how --json" | python3 -c '
import json, sys
cells = json.loads(sys.stdin.read())["data"]["zones"][0]["cells"]
print(*(sum(c.get(k, 0) for c in cells) for k in ("free", "pcp", "held")))')" \
		"$(say -c "$load; get -v zone.N0.Normal.free_pages; get -v pcp.N0.Normal.cpu0.count" |
		awk 'NR == 1 { free = $1 } NR == 2 { print free, $1, 65536 - free - $1 }')" "sums of map $how"
done
owners=$(say -c "$load; map by=owner")
has "$owners" 'handle a: 1500 pages' 'pages of a handle'
has "$owners" 'handle e: 1024 pages' 'pages of a large block'
has "$owners" 'handle c: 320 pages' 'blocks of a handle'
has "$owners" 'handle d: 32 pages' 'large objects'
has "$owners" 'cache kmalloc-128: 625 pages' 'slabs of a cache'
named=$(say -c 'kmem_cache create foo 4096; x = kmem_cache alloc foo x300; foo = alloc_pages 3 x60; map by=owner cells=4')
has "$(printf '%s' "$named" | rows)" '0 ba··' 'a handle and a cache of one name'
has "$(plain -c "$load; map cell=page from=0x400 cells=8" | rows)" '0x400 .M.M.M.M' 'page by page'
has "$(plain -c 'a = alloc_pages 0 type=unmovable x600; map' | rows | head -n 1)" ' 0 Uu..' 'blocks taken over as a whole'
# A block whose pages were asked for by another type.
mixed='set pcp.enabled off; set zone.min_free_kbytes 128; set zone.watermark_boost_factor 0; a = alloc_pages 0 gfp=GFP_HIGHUSER_MOVABLE x65400
free a[700:64000:1000]; b = alloc_pages 0 x160'
is "$(plain -c "$mixed; map" | rows | sed 's,0x8000,,' | tr -dc x | wc -c)" 25 'blocks with pages of two types'
lacks "$(say -c "$load; map")" $'\033' 'no colour in a pipe'
has "$(say --color=always -c "$load; map")" $'\033' 'colour where it is asked for'
# Every row of a wide and of a narrow screen holds whole sixteens.
is "$(COLUMNS=50 plain -c map | rows | head -n 1 | wc -c)" "$(plain -c map | rows | head -n 1 | wc -c)" 'a pipe has no width'
# Several pageblocks a cell; only whole ones are free.
big=$(plain -l mem=64G -c 'a = alloc_pages 0; map --json')
big=$(printf '%s' "$big" | cut -c1-400)
has "$big" '"cell_pages":16384' 'cells of a large zone'
has "$big" '"blocks":32,"free_blocks":31' 'a page is held in one of them'
is "$(plain -l mem=64G -c 'map from=0x100000 cells=3 --json' | grep -o '"free":512' | wc -l)" 3 'a part of it in detail'
is "$(plain -l nodes=2,layout=x86_64,mem=8G -c 'map' | grep -c '^N')" 3 'zones'
has "$(say -c 'map HighMem')" 'no zone' 'a zone that is not there'
has "$(say -c 'map from=0x100000')" 'no such zone' 'a page that is not there'

# What frag explain promises of a step is what the step brings.
value() { python3 -c 'import json, sys
for line in sys.stdin:
    z = json.loads(line)["data"]["zones"][0]
    print(*(z[k] for k in sys.argv[1:]))' "$@"; }
load='a = alloc_pages 0 gfp=GFP_HIGHUSER_MOVABLE x3000; b = kmalloc 100 x20000; free a[::2]; c = alloc_pages 0 x700; free c'
for order in 0 1 3 9 10; do
	said=$(say -c "$load; frag explain $order --json; drain; frag explain $order --json" -k | grep explain | value free drain)
	# shellcheck disable=SC2086
	set -- $(printf '%s' "$said" | tr '\n' ' ')
	is "$(($1 + $2)) 0" "$3 $4" "a drain, order $order"
	said=$(say -c "set pcp.enabled off; set buddy.coalesce lazy; $load; frag explain $order --json; set buddy.coalesce eager; frag explain $order --json" | grep explain | value free merge)
	# shellcheck disable=SC2086
	set -- $(printf '%s' "$said" | tr '\n' ' ')
	is "$(($1 + $2)) 0" "$3 $4" "merging what is due, order $order"
	said=$(say -c "$load; drain; frag explain $order --json; free a; drain; frag explain $order --json" | grep explain | python3 -c 'import json, sys
before, after = (json.loads(l)["data"]["zones"][0] for l in sys.stdin)
a = [h for h in before["holders"] if h["name"] == "a"][0]
print(after["free"] - before["free"] - a["alone"], a["pages"])')
	is "$said" '0 1500' "what a alone keeps, order $order"
done
has "$(say -c "$load; frag explain 9")" 'handle a                 6      6   1500' 'who keeps regions'
has "$(say -c 'frag explain 11')" 'out of range' 'no such order'
finish
