/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that a bulk free builds from arrays of mixed slabs (letters are slabs; Linux 5.18 to 6.6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/rand.h"
#include "cpu/read.h"
#include "op/op.h"
#include "slab/read.h"
#include "slablab.h"

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

/* ---- short ways give the same objects and count the same as the long one ---- */

#define LIVE 400
#define CACHES 3	/* the last two share a store */

struct side {
	struct lab *lab;
	slablab_cpu *cpu;
	slablab_cache *cache[CACHES];
	void *live[CACHES][LIVE];
	unsigned int nr[CACHES];
};

static void set_up_side(struct side *s, const char *const *settings, bool slow)
{
	static const char *const names[CACHES] = { "own", "one", "two" };
	const char *why = "";

	memset(s, 0, sizeof(*s));
	s->lab = test_lab("mem=64M,cpus=2");
	for (; *settings; settings += 2)
		assert_int_equal(slablab_set(s->lab, settings[0], settings[1], &why), 0);
	for (int c = 0; c < CACHES; c++) {
		s->cache[c] = slablab_cache_create(s->lab, names[c], 256, 0, c ? "" : "nomerge", &why);
		assert_non_null(s->cache[c]);
	}
	s->cpu = slablab_bind(s->lab, 0);
	assert_non_null(s->cpu);
	if (slow)
		assert_int_equal(op_latency(s->lab, OP_LATENCY_ON), 0);
}

static void some_bulk(struct side *s, uint64_t dice, void *const *strange)
{
	unsigned int c = dice % CACHES, n = 1 + (unsigned int)(dice >> 8) % 40, from;
	void *p[64];

	if (s->nr[c] + n <= LIVE && dice >> 16 & 1) {
		assert_int_equal(slablab_cache_alloc_bulk(s->cpu, s->cache[c], n, p), n);
		memcpy(s->live[c] + s->nr[c], p, n * sizeof(*p));
		s->nr[c] += n;
		return;
	}
	if (n > s->nr[c])
		n = s->nr[c];
	from = s->nr[c] - n;
	if (dice >> 17 & 1 && from)	/* from the middle */
		from = (unsigned int)(dice >> 24) % from;
	memcpy(p, s->live[c] + from, n * sizeof(*p));
	memmove(s->live[c] + from, s->live[c] + from + n, (s->nr[c] - from - n) * sizeof(*p));
	s->nr[c] -= n;
	for (unsigned int i = 0; n && !(dice >> 19 & 6) && i < 4; i++) {	/* slabs by turns */
		unsigned int at = (unsigned int)(dice >> (40 + 4 * i)) % n, with = (unsigned int)(dice >> (44 + 3 * i)) % n;
		void *one = p[at];

		p[at] = p[with];
		p[with] = one;
	}
	if (n && !(dice >> 18 & 7)) {	/* and one that is nothing, or of another cache */
		unsigned int at = (unsigned int)(dice >> 50) % n;

		p[n++] = p[at];
		p[at] = *strange;
	}
	slablab_cache_free_bulk(s->cpu, s->cache[c], n, p);
}

static void some_single(struct side *s, uint64_t dice)
{
	unsigned int c = dice % CACHES;

	if (s->nr[c] < LIVE && dice >> 16 & 1)
		s->live[c][s->nr[c]++] = slablab_cache_alloc(s->cpu, s->cache[c]);
	else if (s->nr[c])
		slablab_cache_free(s->cpu, s->cache[c], s->live[c][--s->nr[c]]);
	slablab_kfree(s->cpu, slablab_kmalloc(s->cpu, 1 + (dice >> 32) % 3000));
}

static void assert_alike(const struct side *a, const struct side *b, const char *engine)
{
	static uint64_t x[EV_SLAB_NR], y[EV_SLAB_NR];

	memset(x, 0, sizeof(x));
	memset(y, 0, sizeof(y));
	slab_event_totals(a->lab, x);
	slab_event_totals(b->lab, y);
	for (unsigned int e = 0; e < EV_SLAB_NR; e++)
		if (x[e] != y[e])
			fail_msg("%s: %s counted %llu times, by the long way %llu", engine,
				 event_table[EV_SLAB_FIRST + e].name, (unsigned long long)x[e], (unsigned long long)y[e]);
	for (int c = 0; c < CACHES; c++)
		for (unsigned int i = 0; i < a->nr[c]; i++)
			assert_int_equal((uint8_t *)a->live[c][i] - a->lab->base, (uint8_t *)b->live[c][i] - b->lab->base);
	for (uint32_t id = 1; id < 70; id++) {
		struct cache_figures f, g;

		if (cache_figures(a->lab, id, &f) || cache_figures(b->lab, id, &g))
			continue;
		assert_int_equal(f.allocs, g.allocs);
		assert_int_equal(f.frees, g.frees);
	}
	assert_int_equal(lab_check(a->lab), 0);
	assert_int_equal(lab_check(b->lab), 0);
}

static void short_ways_count_as_the_long_one(void **state)
{
	static const char *const settings[][7] = {
		{ "slab.engine", "slub" }, { "slab.engine", "slab" }, { "slab.engine", "slqb" },
		{ "slab.engine", "sheaves", "sheaves.capacity", "auto" }, { "slab.engine", "sheaves" },
		{ "slub.fastpath", "cmpxchg" }, { "slub.freelist_hardened", "on" }, { "slab.bulk_form", "v4.3" },
		{ "slab.bulk_form", "v4.4" }, { "slab.bulk_form", "fallback", "slab.engine", "slab" },
		{ "slab.engine", "slab", "cache.own.engine", "slub" },
	};
	static struct side quick, slow;

	(void)state;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		uint64_t rand = 1 + i;
		const char *const *with = settings[i];
		const char *first[7] = { with[0], with[1] };
		bool later = with[2] && !strncmp(with[2], "cache.", 6);

		set_up_side(&quick, later ? first : with, false);
		set_up_side(&slow, later ? first : with, true);
		if (later) {
			assert_int_equal(slablab_set(quick.lab, with[2], with[3], NULL), 0);
			assert_int_equal(slablab_set(slow.lab, with[2], with[3], NULL), 0);
		}
		for (int step = 0; step < 4000; step++) {
			uint64_t dice = rand_next(&rand);
			void *strange = NULL, *strange_too = NULL;

			if (dice >> 21 & 1 && quick.nr[0] && dice % CACHES) {
				strange = quick.live[0][--quick.nr[0]];
				strange_too = slow.live[0][--slow.nr[0]];
			}
			if (dice >> 22 & 3) {
				some_bulk(&quick, dice, &strange);
				some_bulk(&slow, dice, &strange_too);
			} else {
				some_single(&quick, dice);
				some_single(&slow, dice);
			}
		}
		assert_alike(&quick, &slow, with[1]);
		slablab_unbind(quick.cpu);
		slablab_unbind(slow.cpu);
		lab_drop(quick.lab);
		lab_drop(slow.lab);
	}
}

static uint64_t timed(struct lab *lab, enum latency_op op)
{
	struct latency_figures f;
	uint64_t n = 0;

	for (int path = 0; path < LATENCY_PATHS; path++) {
		assert_true(latency_read(lab, op, (enum latency_path)path, &f));
		n += f.count;
	}
	return n;
}

static void each_bulk_call_has_a_row_of_its_own(void **state)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");
	slablab_cpu *cpu = slablab_bind(lab, 0);
	slablab_cache *c = slablab_cache_create(lab, "own", 256, 0, "nomerge", NULL);
	uint64_t vec[20];
	void *p[20];

	(void)state;
	assert_non_null(cpu);
	assert_int_equal(op_latency(lab, OP_LATENCY_ON), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(slablab_alloc_pages_bulk(cpu, 20, p), 20);
		slablab_free_pages_bulk(cpu, 20, p);
	}
	assert_int_equal(slablab_cache_alloc_bulk(cpu, c, 20, p), 20);
	slablab_cache_free_bulk(cpu, c, 20, p);
	assert_int_equal(run(lab, (struct op){ .kind = OP_ALLOC_PAGES_BULK, .cpu = 1, .n = 20, .node = -1, .gfp = GFP_KERNEL, .vec = vec }).got, 20);
	run(lab, (struct op){ .kind = OP_FREE_PAGES_LIST, .cpu = 1, .n = 20, .vec = vec });
	assert_int_equal(timed(lab, LATENCY_PAGE_BULK_ALLOC), 4);
	assert_int_equal(timed(lab, LATENCY_PAGE_BULK_FREE), 4);
	assert_int_equal(timed(lab, LATENCY_BULK_ALLOC), 1);
	assert_int_equal(timed(lab, LATENCY_BULK_FREE), 1);
	assert_int_equal(timed(lab, LATENCY_PAGE_ALLOC) + timed(lab, LATENCY_PAGE_FREE), 0);
	slablab_unbind(cpu);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_those_of_the_look_ahead),
		cmocka_unit_test(the_last_of_the_array_comes_first),
		cmocka_unit_test(any_objects_may_be_mixed_when_no_cache_is_named),
		cmocka_unit_test(a_refused_object_is_untouched),
		cmocka_unit_test(short_ways_count_as_the_long_one),
		cmocka_unit_test(each_bulk_call_has_a_row_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
