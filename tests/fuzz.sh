#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A short run of each fuzz target over its seeds and changed copies of them.
. "$(dirname "$0")/tally.sh"
cd "$scratch" || exit 99

# fuzz TARGET ROUNDS SEED-FILE...
fuzz() {
	local target=$1 rounds=$2
	shift 2
	if "$BUILD/tests/fuzz/$target" -help=1 2>&1 | grep -q libFuzzer; then
		mkdir -p corpus && cp "$@" corpus/
		timeout 120 "$BUILD/tests/fuzz/$target" -runs="$rounds" -seed=1 corpus >log 2>&1
	else
		timeout 240 "$BUILD/tests/fuzz/$target" "$rounds" 1 "$@" >log 2>&1
	fi
	if [ $? = 0 ]; then ok; else not_ok "$target: $(tail -n 5 log)"; [ -f fuzz-input ] && od -c fuzz-input | head -n 20; fi
}

scale=${SLABLAB_TEST_EVERY:-1}
gzip -dc "$TOP/scripts/examples/unix-stream.trace.gz" | head -c 3500 >trace
printf '%s\n' ' perf  1234 [001]  12.345678: kmem:kmalloc: call_site=ffffffff81 ptr=0xffff88 bytes_req=10 bytes_alloc=16 gfp_flags=GFP_KERNEL' >perf
printf '%s\n' '   sh-12  [000]  5.1: mm_page_alloc: page=0xffffea pfn=0x1234 order=2 migratetype=1 gfp_flags=GFP_HIGHUSER' >cmd
fuzz trace $((20000 / scale)) trace perf cmd

for f in "$TESTS"/lab/*.lab; do head -c 3000 "$f" >"seed-$(basename "$f")"; done
fuzz commands $((1500 / scale)) seed-*

fuzz fuzz_shell $((20000 / scale)) seed-*

printf 'slub_max_order=0 slab_nomerge slub_debug=FZ,kmalloc-64 mem=512M nr_cpus=2\n' >boot-1
printf 'quiet slub_min_objects=4 slub_debug=P,dentry;-,zs_* numa=fake=2 init_on_alloc=1\n' >boot-2
fuzz boot $((20000 / scale)) boot-*

data=$TESTS/data/kernel-6.1/pages/1G_2
i=0
for f in "$data"/buddyinfo "$data"/pagetypeinfo; do { printf '\1'; head -c 3000 "$f"; } >"import-$((i++))"; done
printf '\2slabinfo - version: 2.1\n# name <active_objs>\nfoo 10 20 64 64 1 : tunables 0 0 0 : slabdata 1 1 0\n' >import-s
for f in "$TESTS"/data/field/{allocfail-4.14-android-highatomic,allocfail-5.1x-serial-console-overwritten,allocfail-3.8-order4-slab-mailqp,pagetypeinfo-x86-highatomic-nonzero,zoneinfo-watermark-variants-quoted,perfkmem-pingpong-columns,snap-el8-4.18-meminfo}.txt; do
	{ printf '\0'; head -c 5000 "$f"; } >"import-$((i++))"
done
fuzz import $((1500 / scale)) import-*

"$SLABLAB" -q -l mem=4M,cpus=1 -c 'a = kmalloc 64 x20; lab save load-1; kfree a; lab save load-2'
fuzz load $((3000 / scale)) load-*
finish
