/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The region: cheap when large, restored to the byte, cloned elsewhere; handles and side memory in it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "lab/handle.h"
#include "lab/heap.h"
#include "op/op.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

static uint64_t resident_bytes(void)
{
	unsigned long size, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu %lu", &size, &resident), 2);
	fclose(f);
	return resident * 4096ULL;
}

static uint64_t take(struct lab *lab, uint64_t bytes)
{
	struct op op = { .kind = OP_KMALLOC, .size = bytes, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r;

	assert_int_equal(op_run(lab, &op, &r), 0);
	return r.off;
}

static void give(struct lab *lab, uint64_t off)
{
	struct op op = { .kind = OP_KFREE, .off = off };
	struct op_result r;

	assert_int_equal(op_run(lab, &op, &r), 0);
}

static void a_large_lab_costs_what_is_touched(void **state)
{
	uint64_t before = resident_bytes();
	struct lab *lab = test_lab("mem=256G,cpus=4");
	uint64_t more = resident_bytes() - before;

	(void)state;
	if (!CPU_MARKS_ARE_LOCKS)	/* ThreadSanitizer's shadow is resident too */
		assert_true(more < 64ULL << 20);
	give(lab, take(lab, 1000));
	assert_int_equal(lab_check(lab), 0);
	assert_true(lab_hash(lab) != 0);
	lab_drop(lab);
}

static void the_largest_lab_can_be_made(void **state)
{
	struct lab *lab;

	(void)state;
	if (CPU_MARKS_ARE_LOCKS)	/* ThreadSanitizer has no room for it */
		skip();
	lab = test_lab("mem=16T,cpus=1024,nodes=64");
	give(lab, take(lab, 1 << 20));
	lab_drop(lab);
}

static void a_restored_lab_is_the_same_to_the_byte(void **state)
{
	struct lab *lab = test_lab("mem=64M,cpus=2");
	struct snapshot *snap;
	uint64_t hash, kept = take(lab, 300), twice;

	(void)state;
	strcpy((char *)lab->base + kept, "what was written stays");
	assert_int_equal(lab_snapshot(lab, &snap), 0);
	hash = lab_hash(lab);
	twice = take(lab, 5000);
	give(lab, kept);
	assert_int_equal(op_set(lab, "slub.max_order", "0"), 0);
	assert_true(lab_hash(lab) != hash);
	assert_int_equal(lab_restore(lab, snap), 0);
	assert_true(lab_hash(lab) == hash);
	assert_string_equal((char *)lab->base + kept, "what was written stays");
	assert_int_equal(lab_check(lab), 0);
	/* and goes on as it did the first time */
	assert_true(take(lab, 5000) == twice);
	snapshot_free(snap);
	lab_drop(lab);
}

static void a_bound_cpu_forbids_restore(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1");
	struct snapshot *snap;
	struct cpu *cpu;

	(void)state;
	assert_int_equal(lab_snapshot(lab, &snap), 0);
	assert_int_equal(cpu_bind(lab, 0, &cpu), 0);
	assert_int_equal(lab_restore(lab, snap), -EBUSY);
	cpu_unbind(cpu);
	assert_int_equal(lab_restore(lab, snap), 0);
	snapshot_free(snap);
	lab_drop(lab);
}

static void a_name_given_again_moves_its_live_members(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1");
	char moved[HANDLE_NAME];
	struct member m = { .off = 4096 };
	struct handle *a;

	(void)state;
	a = handle_new(lab, "a", moved);
	assert_string_equal(moved, "");
	assert_true(handle_add(lab, a, &m));
	a = handle_new(lab, "a", moved);
	assert_string_equal(moved, "_1");
	assert_int_equal(handle_find(lab, "_1")->live, 1);
	assert_int_equal(a->live, 0);
	assert_int_equal(handle_check(lab), 0);
	/* thousands of names, and members by the thousand under one */
	for (int i = 0; i < 5000; i++)
		assert_non_null(handle_new(lab, NULL, NULL));
	a = handle_find(lab, "a");
	for (int i = 0; i < 5000; i++)
		assert_true(handle_add(lab, a, &m));
	assert_int_equal(handle_find(lab, "a")->live, 5000);
	assert_int_equal(handle_check(lab), 0);
	lab_drop(lab);
}

static void side_memory_is_zero_and_used_again(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=1");
	uint64_t a = heap_alloc(lab, 100), b;

	(void)state;
	memset(lab->base + a, 0xff, 100);
	heap_free(lab, a, 100);
	b = heap_alloc(lab, 65);	/* the same power of two */
	assert_true(a == b);
	for (int i = 0; i < 128; i++)
		assert_int_equal(lab->base[b + i], 0);
	assert_true(heap_alloc(lab, 1ULL << 40) == 0);
	lab_drop(lab);
}

static void shapes_say_what_is_wrong(void **state)
{
	static const char *const wrong[] = {
		"mem=3M", "mem=", "cpus=0", "cpus=9999", "nodes=3,mem=64M", "zones=Normal", "zones=High:4M",
		"zones=Normal:5M", "zones=Normal:4M+DMA:4M", "zones=DMA:4M+DMA:4M", "zones=Normal:4M:0p",
		"zones=Normal:4M:2000p", "zones=Normal:4M,mem=4M", "possible=2,cpus=4", "layout=round", "clock=sun",
		"colour=red", "mem", "mem=20T", "zones=N70.Normal:4M", "pageblock_order=2",
	};
	struct shape shape;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		shape_default(&shape);
		if (shape_parse(&shape, wrong[i]) >= 0)
			fail_msg("\"%s\" was taken", wrong[i]);
		assert_true(strlen(fail_why()) > 10);
		assert_int_equal(shape.pages, 65536);	/* nothing half changed */
	}
}

static void a_printed_shape_makes_the_same_lab(void **state)
{
	static const char *const texts[] = {
		"mem=1G,cpus=8", "zones=DMA:16M:3840p+DMA32:112M+Normal:128M,cpus=3,possible=6",
		"mem=8G,layout=x86_64,nodes=2,cpus=4,seed=9", "zones=N0.Normal:64M+N1.Movable:64M,cpus=2",
	};
	struct shape a, b;
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		shape_default(&a);
		shape_default(&b);
		assert_int_equal(shape_parse(&a, texts[i]), 0);
		assert_int_equal(shape_parse(&b, shape_print(&a, text, sizeof(text))), 0);
		assert_int_equal(a.zones, b.zones);
		assert_memory_equal(a.zone, b.zone, sizeof(a.zone[0]) * a.zones);
		assert_int_equal(a.cpus, b.cpus);
		assert_int_equal(a.possible, b.possible);
		assert_int_equal(a.nodes, b.nodes);
		assert_int_equal(a.seed, b.seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_lab_costs_what_is_touched),
		cmocka_unit_test(the_largest_lab_can_be_made),
		cmocka_unit_test(a_restored_lab_is_the_same_to_the_byte),
		cmocka_unit_test(a_bound_cpu_forbids_restore),
		cmocka_unit_test(a_name_given_again_moves_its_live_members),
		cmocka_unit_test(side_memory_is_zero_and_used_again),
		cmocka_unit_test(shapes_say_what_is_wrong),
		cmocka_unit_test(a_printed_shape_makes_the_same_lab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
