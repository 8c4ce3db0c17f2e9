/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cached - objects that shrinkers free: how many are looked at, which go, what
 * pages come of it, and that freeing them in the middle of a request of the
 * same cache, whatever its engine, breaks nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "cpu/read.h"
#include "op/op.h"
#include "page/policy.h"
#include "page/read.h"
#include "page/zone.h"
#include "slab/cached.h"
#include "test_lab.h"

#define MOST 20000u

/* A lab with cached objects of one cache; entries are region offsets. */
struct cached_lab {
	struct lab *lab;
	uint32_t cache;
	uint64_t entry[MOST];
	unsigned int nr;
};

static void check(struct lab *lab)
{
	if (lab_check(lab))
		fail_msg("%s", fail_why());
}

static void set(struct lab *lab, const char *name, const char *value)
{
	if (op_set(lab, name, value))
		fail_msg("%s", fail_why());
}

static int run(struct lab *lab, struct op op, struct op_result *r)
{
	op.gfp = op.gfp ? op.gfp : GFP_KERNEL;
	return op_run(lab, &op, r);
}

/* An object that is cached at once. False: no memory. */
static bool add(struct cached_lab *l, unsigned int cpu)
{
	struct op_result r;

	if (run(l->lab, (struct op){ .kind = OP_CACHE_ALLOC, .cpu = (uint16_t)cpu, .cache = l->cache, .node = -1 }, &r))
		return false;
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_CACHE, .cpu = (uint16_t)cpu, .cache = l->cache, .off = r.off }, &r), 0);
	l->entry[l->nr++] = r.off;
	return true;
}

static struct cached_lab *make(const char *shape, const char *engine, unsigned int nr)
{
	struct cached_lab *l = calloc(1, sizeof(*l));
	struct cache_request rq = { .name = "dentry", .size = 192, .flags = CF_RECLAIM };

	l->lab = test_lab(shape);
	set(l->lab, "slab.engine", engine);
	set(l->lab, "slab.merge", "off");
	assert_int_equal(op_cache_create(l->lab, &rq, &l->cache), 0);
	while (nr--)
		assert_true(add(l, 0));
	return l;
}

static void drop(struct cached_lab *l)
{
	check(l->lab);
	lab_drop(l->lab);
	free(l);
}

static uint64_t here(const struct cached_lab *l)
{
	uint64_t nr = 0;

	for (unsigned int n = 0; n < l->lab->nr_nodes; n++)
		nr += cached_list(l->lab, n, l->cache)->nr;
	return nr;
}

/* One call of the node's shrinkers. */
static struct shrink shrink(struct cached_lab *l, int priority)
{
	struct shrink s = { .priority = priority, .may_fs = true };

	lab_hold(l->lab);
	l->lab->shrinker->shrink[VARIANT_COUNTED](l->lab->cpus[0], &s);
	lab_release(l->lab);
	return s;
}

static uint64_t happened(const struct lab *lab, enum event_id ev)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		nr += cpu_event(lab, i, ev);
	return nr;
}

static uint64_t scanned(const struct lab *lab)
{
	return happened(lab, EV_slabs_scanned);
}

/* ---- how many ---- */

static void a_call_looks_at_four_halves_of_the_size_by_priority(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 4200);
	static const unsigned int want[] = { 2, 4, 8, 16, 32, 64, 126, 246, 462, 810 };	/* 4200 >> 12 = 1, times 4, over 2; … */

	for (unsigned int i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct shrink s = shrink(l, 12 - (int)i);

		assert_int_equal(s.scanned, want[i]);
		assert_int_equal(s.freed, want[i]);
	}
	assert_int_equal(scanned(l->lab), 1770);
	assert_int_equal(here(l), 4200 - 1770);
	drop(l);
}

static void cost_pressure_and_way_decide(void **state)
{
	static const struct { const char *name, *value; unsigned int want; } rows[] = {
		{ "reclaim.slab_cost", "1", 64 }, { "reclaim.slab_cost", "8", 8 }, { "reclaim.slab_cost", "0", 2048 },
		{ "reclaim.vfs_cache_pressure", "50", 16 }, { "reclaim.vfs_cache_pressure", "200", 64 },
		{ "reclaim.vfs_cache_pressure", "0", 0 },
		{ "reclaim.slab_by", "scanned", 2 * 32 * 4096 },	/* of no pages: 32 count as looked at, of 1 */
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cached_lab *l = make("mem=64M,cpus=1", "slub", 4096);
		unsigned int want = rows[i].want > 2 * 4096 ? 2 * 4096 : rows[i].want;	/* never twice over */

		set(l->lab, rows[i].name, rows[i].value);
		assert_int_equal(shrink(l, 8).scanned, want);
		drop(l);
	}
}

static void what_makes_no_batch_is_put_off(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 4096);

	set(l->lab, "reclaim.slab_batch", "128");
	assert_int_equal(shrink(l, 6).scanned, 128);		/* 4096 >> 6, times 2: just one batch */
	assert_int_equal(shrink(l, 7).scanned, 0);		/* 62 wait */
	assert_int_equal(cached_list(l->lab, 0, l->cache)->deferred, 62);
	assert_int_equal(shrink(l, 0).scanned, 2 * 3968);	/* 62 and twice 3968, but not more than that: 62 batches */
	assert_int_equal(here(l), 0);
	drop(l);
}

static void without_fs_all_is_put_off(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 4096);
	struct shrink s = { .priority = 6 };

	lab_hold(l->lab);
	l->lab->shrinker->shrink[VARIANT_COUNTED](l->lab->cpus[0], &s);
	lab_release(l->lab);
	assert_int_equal(s.scanned, 0);
	assert_int_equal(here(l), 4096);
	assert_int_equal(cached_list(l->lab, 0, l->cache)->deferred, 128);
	assert_int_equal(shrink(l, 4).scanned, (128 >> 4) + 512);	/* of what was put off, too, a share by priority */
	drop(l);
}

/* ---- which ---- */

static void one_used_meanwhile_stays_for_another_round(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 100);
	struct op_result r;
	struct cached_place p;

	for (unsigned int i = 0; i < 10; i++) {
		assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_TOUCH, .off = l->entry[i] }, &r), 0);
		assert_int_equal(r.got, 0);
	}
	assert_int_equal(shrink(l, 3).scanned, 24);	/* 100 >> 3, times 2 */
	assert_int_equal(here(l), 100 - 14);
	for (unsigned int i = 0; i < 30; i++) {
		assert_int_equal(cached_place(l->lab, l->entry[i], &p), 0);
		assert_int_equal(p.off != 0, i < 10 || i >= 24);
	}
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_TOUCH, .off = l->entry[20] }, &r), 0);
	assert_int_equal(r.got, 1);			/* it came back */
	assert_int_equal(cached_place(l->lab, l->entry[20], &p), 0);
	assert_true(p.off != 0);
	drop(l);
}

static void one_object_in_use_holds_its_slab(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 2100);
	struct op_result r;

	set(l->lab, "cache.dentry.cpu_partial", "0");
	set(l->lab, "cache.dentry.min_partial", "0");
	for (unsigned int i = 0; i < 2100; i += 21)	/* one of each slab is in use again */
		assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_UNCACHE, .off = l->entry[i] }, &r), 0);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_RECLAIM, .node = -1, .order = RECLAIM_SLAB }, &r), 0);
	assert_int_equal(r.shrunk, 2000);
	assert_int_equal(r.got, 0);
	assert_int_equal(happened(l->lab, EV_drop_slab), 1);
	drop(l);
}

/* ---- in the middle of requests ---- */

static const char *const engines_of[] = { "slub", "slab", "slqb", "sheaves" };

/* Memory is full of the cache's own objects: every new slab is made of old ones. */
static void a_cache_lives_on_what_it_cached(void **state)
{
	for (unsigned int e = 0; e < sizeof(engines_of) / sizeof(*engines_of); e++) {
		struct cached_lab *l = make("mem=8M,cpus=2", engines_of[e], 0);
		uint64_t rand = 7 + e;
		struct op_result r;

		set(l->lab, "reclaim.kswapd", e & 1 ? "on" : "off");
		for (unsigned int i = 0; i < 60000; i++) {
			unsigned int at = l->nr ? (unsigned int)rand_below(&rand, l->nr) : 0, cpu = (unsigned int)rand_below(&rand, 2);

			if (l->nr < MOST && !rand_below(&rand, 2)) {
				if (!add(l, cpu))
					fail_msg("%s: %s after %u", engines_of[e], fail_why(), i);
			} else if (l->nr && rand_below(&rand, 3)) {
				struct op op = { .kind = OP_LRU_TOUCH, .cpu = (uint16_t)cpu, .off = l->entry[at] };

				if (run(l->lab, op, &r))
					fail_msg("%s: %s after %u", engines_of[e], fail_why(), i);
			} else if (l->nr && rand_below(&rand, 2)) {	/* back to its owner, and freed by that */
				assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_UNCACHE, .cpu = (uint16_t)cpu, .off = l->entry[at] }, &r), 0);
				l->entry[at] = l->entry[--l->nr];
				if (r.off)
					assert_int_equal(run(l->lab, (struct op){ .kind = OP_KFREE, .cpu = (uint16_t)cpu, .off = r.off, .owner = l->cache }, &r), 0);
			} else if (!rand_below(&rand, 200)) {
				assert_int_equal(run(l->lab, (struct op){ .kind = OP_RECLAIM, .node = -1, .n = 20 }, &r), 0);
			}
			if (i % 5000 == 4999)
				check(l->lab);
		}
		assert_true(scanned(l->lab) > 1000);
		assert_int_equal(cache_objects(l->lab, l->cache), here(l));
		drop(l);
	}
}

/* ---- on threads ---- */

#define THREADS 3u

struct eater {
	struct cached_lab *l;
	uint64_t got;
};

static void eat(struct cpu *cpu, unsigned int id, void *arg)
{
	struct eater *e = (struct eater *)arg + id;

	for (unsigned int i = 0; i < 3000; i++) {
		struct op op = { .kind = OP_CACHE_ALLOC, .cache = e->l->cache, .gfp = GFP_KERNEL, .node = -1 };
		struct op_result r;

		if (op_exec(cpu, &op, &r))
			return;
		e->got++;
	}
}

static void threads_shrink_side_by_side(void **state)
{
	for (unsigned int e = 0; e < sizeof(engines_of) / sizeof(*engines_of); e++) {
		struct cached_lab *l = make("mem=16M,cpus=3,nodes=1", engines_of[e], 0);
		struct eater eaters[THREADS];
		uint64_t before, got = 0;

		while (l->nr < MOST && happened(l->lab, EV_slabs_scanned) == 0 && add(l, l->nr % THREADS))
			;
		before = cache_objects(l->lab, l->cache);
		for (unsigned int i = 0; i < THREADS; i++)
			eaters[i] = (struct eater){ .l = l };
		{
			struct op hog = { .kind = OP_ALLOC_PAGES, .gfp = GFP_KERNEL | GFP_BIT_NORETRY | GFP_BIT_NOWARN, .node = -1, .order = 3 };
			struct op_result r;

			set(l->lab, "reclaim.direct", "off");
			set(l->lab, "reclaim.kswapd", "off");
			while (!run(l->lab, hog, &r))
				;
			set(l->lab, "reclaim.direct", "on");
			set(l->lab, "reclaim.kswapd", "on");
		}
		assert_int_equal(op_parallel(l->lab, THREADS, eat, eaters), 0);
		for (unsigned int i = 0; i < THREADS; i++)
			got += eaters[i].got;
		assert_true(got > 0);
		assert_true(scanned(l->lab) > 0);
		assert_int_equal(cache_objects(l->lab, l->cache), before + got - (before - here(l)));
		drop(l);
	}
}

/* ---- a cache goes ---- */

static void entries_outlive_their_cache(void **state)
{
	struct cached_lab *l = make("mem=64M,cpus=1", "slub", 50);
	struct op_result r;

	assert_int_equal(run(l->lab, (struct op){ .kind = OP_CACHE_DESTROY, .cache = l->cache }, &r), -EBUSY);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_RECLAIM, .node = -1, .order = RECLAIM_SLAB }, &r), 0);
	assert_int_equal(r.shrunk, 50);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_CACHE_DESTROY, .cache = l->cache }, &r), 0);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_TOUCH, .off = l->entry[3] }, &r), -ENOENT);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_UNCACHE, .off = l->entry[3] }, &r), 0);
	assert_int_equal(r.off, 0);
	assert_int_equal(run(l->lab, (struct op){ .kind = OP_LRU_UNCACHE, .off = l->entry[3] }, &r), -EINVAL);
	drop(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_looks_at_four_halves_of_the_size_by_priority),
		cmocka_unit_test(cost_pressure_and_way_decide),
		cmocka_unit_test(what_makes_no_batch_is_put_off),
		cmocka_unit_test(without_fs_all_is_put_off),
		cmocka_unit_test(one_used_meanwhile_stays_for_another_round),
		cmocka_unit_test(one_object_in_use_holds_its_slab),
		cmocka_unit_test(a_cache_lives_on_what_it_cached),
		cmocka_unit_test(threads_shrink_side_by_side),
		cmocka_unit_test(entries_outlive_their_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
