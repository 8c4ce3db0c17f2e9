/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that a bulk free builds from arrays of mixed slabs (letters are slabs; Linux 5.18 to 6.6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "op/op.h"
#include "slab/read.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

#define SLABS 4
#define OBJS 8

struct bench {
	struct lab *lab;
	uint32_t cache;
	uint64_t object[SLABS][OBJS];	/* by slab, address order */
};

static struct op_result run(struct lab *lab, struct op op)
{
	struct op_result r;

	if (op_run(lab, &op, &r))
		fail_msg("op %d: %s", op.kind, fail_why());
	return r;
}

static void set_up(struct bench *b)
{
	struct cache_request rq = { .name = "runs", .size = 512, .merge = MERGE_OFF };

	b->lab = test_lab("mem=16M,cpus=2");
	assert_int_equal(op_set(b->lab, "slub.max_order", "0"), 0);
	assert_int_equal(op_cache_create(b->lab, &rq, &b->cache), 0);
	for (int s = 0; s < SLABS; s++)
		for (int i = 0; i < OBJS; i++)
			b->object[s][i] = run(b->lab, (struct op){ .kind = OP_CACHE_ALLOC, .cache = b->cache,
								   .gfp = GFP_KERNEL, .node = -1 }).off;
}

static uint64_t count(struct bench *b, enum event_id ev)
{
	return cache_event(b->lab, b->cache, -1, ev);
}

static void runs_are_those_of_the_look_ahead(void **state)
{
	static const struct { const char *array; unsigned int runs; } cases[] = {
		{ "AAAAAAAA", 1 }, { "AAAABBBB", 2 }, { "AABBAABB", 2 }, { "ABABABAB", 3 }, { "ABBBBA", 3 },
		{ "BBABBA", 2 }, { "ABCDABCD", 8 }, { "ABCABCABCABC", 6 }, { "A", 1 },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct bench b;
		uint64_t vec[16];
		unsigned int used[SLABS] = { 0 };
		size_t n = strlen(cases[c].array);

		set_up(&b);
		for (size_t i = 0; i < n; i++) {
			int s = cases[c].array[i] - 'A';

			vec[i] = b.object[s][used[s]++];
		}
		run(b.lab, (struct op){ .kind = OP_CACHE_FREE_BULK, .cache = b.cache, .n = n, .vec = vec });
		if (count(&b, EV_bulk_free_runs) != cases[c].runs)
			fail_msg("%s: %llu runs, not %u", cases[c].array,
				 (unsigned long long)count(&b, EV_bulk_free_runs), cases[c].runs);
		assert_int_equal(count(&b, EV_bulk_free_objs), n);
		assert_int_equal(count(&b, EV_free_fastpath) + count(&b, EV_free_slowpath), cases[c].runs);
		if (lab_check(b.lab))
			fail_msg("%s: %s", cases[c].array, fail_why());
		lab_drop(b.lab);
	}
}

/* A run lies on the freelist as it was collected: the array's last object is the next to be given. */
static void the_last_of_the_array_comes_first(void **state)
{
	struct bench b;
	uint64_t vec[6];

	(void)state;
	set_up(&b);
	memcpy(vec, b.object[3], sizeof(vec));
	run(b.lab, (struct op){ .kind = OP_CACHE_FREE_BULK, .cache = b.cache, .n = 6, .vec = vec });
	for (int i = 5; i >= 0; i--)
		assert_int_equal(run(b.lab, (struct op){ .kind = OP_CACHE_ALLOC, .cache = b.cache,
							 .gfp = GFP_KERNEL, .node = -1 }).off, b.object[3][i]);
	lab_drop(b.lab);
}

/* Objects of several caches and a large block in one array, no cache named. */
static void any_objects_may_be_mixed_when_no_cache_is_named(void **state)
{
	struct bench b;
	uint64_t vec[5];

	(void)state;
	set_up(&b);
	vec[0] = b.object[0][0];
	vec[1] = run(b.lab, (struct op){ .kind = OP_KMALLOC, .size = 100, .gfp = GFP_KERNEL, .node = -1 }).off;
	vec[2] = run(b.lab, (struct op){ .kind = OP_KMALLOC, .size = 50000, .gfp = GFP_KERNEL, .node = -1 }).off;
	vec[3] = b.object[0][1];
	vec[4] = b.object[2][7];
	run(b.lab, (struct op){ .kind = OP_CACHE_FREE_BULK, .n = 5, .vec = vec });
	assert_int_equal(cache_objects(b.lab, b.cache), SLABS * OBJS - 3);
	assert_int_equal(lab_check(b.lab), 0);
	lab_drop(b.lab);
}

/* Under slab.wrong_cache=refuse an object of another cache keeps its content and stays out. */
static void a_refused_object_is_untouched(void **state)
{
	struct cache_request rq = { .name = "other", .size = 512, .merge = MERGE_OFF };
	struct op op = { .kind = OP_CACHE_FREE_BULK, .n = 3 };
	struct op_result r;
	struct bench b;
	uint64_t vec[3];
	char before[512];

	(void)state;
	set_up(&b);
	assert_int_equal(op_cache_create(b.lab, &rq, &op.cache), 0);
	assert_int_equal(op_set(b.lab, "slab.wrong_cache", "refuse"), 0);
	memcpy(vec, b.object[1], sizeof(vec));
	memset(b.lab->base + vec[1], 0x5c, 512);
	memcpy(before, b.lab->base + vec[1], 512);
	op.vec = vec;
	assert_true(op_run(b.lab, &op, &r) < 0);
	assert_true(r.findings & FINDING_REFUSED);
	assert_int_equal(cache_objects(b.lab, b.cache), SLABS * OBJS);
	assert_memory_equal(b.lab->base + b.object[1][1], before, 512);
	assert_int_equal(lab_check(b.lab), 0);
	lab_drop(b.lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_those_of_the_look_ahead),
		cmocka_unit_test(the_last_of_the_array_comes_first),
		cmocka_unit_test(any_objects_may_be_mixed_when_no_cache_is_named),
		cmocka_unit_test(a_refused_object_is_untouched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
