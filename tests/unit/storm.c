/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * storm - long runs of random operations, and every invariant after them.
 *
 * Idea. Objects and blocks are allocated and freed at random while policies are
 * switched under them. Each carries a pattern made of its own number, written
 * over all of it and read back at its free: whoever hands memory out twice, or
 * loses a byte of it, is found. lab_check() walks everything in between and at
 * the end. The same storm runs stepped (one thread plays all CPUs, twice with
 * the same seed: equal hashes) and parallel (a thread a CPU).
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/rand.h"
#include "op/op.h"
#include "slab/read.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

#define LIVE 4096u
#define OPS 100000u	/* of one storm; fewer where SLABLAB_TEST_EVERY says that all is slow */
#define CPUS 4u

struct thing {
	uint64_t off;		/* 0: free place */
	uint32_t bytes, pattern;
	uint8_t order;
	bool pages;
};

/* One player's things: its own random numbers, its own places. */
struct player {
	struct lab *lab;
	const uint32_t *caches;
	const uint32_t *sizes;
	uint64_t rand;
	struct thing live[LIVE];
	uint32_t next_pattern;
	const char *broken;	/* what went wrong, NULL: nothing */
};

static const uint32_t cache_sizes[] = { 24, 64, 200, 256, 700, 2048, 5000 };
#define CACHES (sizeof(cache_sizes) / sizeof(*cache_sizes))

static unsigned int ops(void)
{
	const char *every = getenv("SLABLAB_TEST_EVERY");

	return OPS / (every && atoi(every) > 0 ? (unsigned int)atoi(every) : 1);
}

static struct lab *make_lab(uint32_t caches[CACHES])
{
	struct lab *lab = test_lab("mem=128M,cpus=4,nodes=2");

	for (size_t i = 0; i < CACHES; i++) {
		char name[16];
		struct cache_request rq = { .name = name, .size = cache_sizes[i], .ctor = i == 3 };

		snprintf(name, sizeof(name), "c%zu", i);
		assert_int_equal(op_cache_create(lab, &rq, &caches[i]), 0);
	}
	return lab;
}

static void check(struct lab *lab)
{
	if (lab_check(lab))
		fail_msg("%s", fail_why());
}

static void paint(struct player *p, struct thing *t)
{
	uint8_t *at = p->lab->base + t->off;

	for (uint32_t i = 0; i + 4 <= t->bytes; i += 4)
		memcpy(at + i, &t->pattern, 4);
}

static bool is_painted(struct player *p, const struct thing *t)
{
	const uint8_t *at = p->lab->base + t->off;

	for (uint32_t i = 0; i + 4 <= t->bytes; i += 4)
		if (memcmp(at + i, &t->pattern, 4))
			return false;
	return true;
}

/* An allocating op of a random kind, and what it will give. */
static struct op draw_alloc(struct player *p, struct thing *t)
{
	struct op op = { .node = -1, .gfp = GFP_KERNEL };
	unsigned int kind = (unsigned int)rand_below(&p->rand, 10);

	*t = (struct thing){ .pattern = ++p->next_pattern };
	if (kind < 6) {
		size_t i = rand_below(&p->rand, CACHES);

		op.kind = OP_CACHE_ALLOC;
		op.cache = p->caches[i];
		t->bytes = p->sizes[i];
	} else if (kind < 8) {
		op.kind = OP_KMALLOC;
		op.size = t->bytes = 1 + (uint32_t)rand_below(&p->rand, rand_below(&p->rand, 20) ? 2000 : 20000);
	} else {
		op.kind = OP_ALLOC_PAGES;
		op.order = t->order = (uint8_t)rand_below(&p->rand, rand_below(&p->rand, 8) ? 2 : 6);
		op.gfp = kind == 8 ? GFP_KERNEL : GFP_HIGHUSER_MOVABLE;
		t->bytes = 4096u << t->order;
		t->pages = true;
	}
	if (!rand_below(&p->rand, 16))
		op.node = (int32_t)rand_below(&p->rand, 2);
	return op;
}

static struct op free_of(const struct thing *t)
{
	struct op op = { .node = -1, .kind = t->pages ? OP_FREE_PAGES : OP_KFREE, .order = t->order, .off = t->off };

	return op;
}

/* One random step, run by `run`. */
static void step(struct player *p, int (*run)(struct player *p, struct op *op, struct op_result *r))
{
	struct thing *t = &p->live[rand_below(&p->rand, LIVE)];
	struct op_result r = { 0 };
	struct op op;

	if (t->off) {
		if (!is_painted(p, t))
			p->broken = "an object does not hold what was written to it";
		op = free_of(t);
		t->off = 0;
		if (run(p, &op, &r) || r.findings)
			p->broken = "a free was refused";
		return;
	}
	op = draw_alloc(p, t);
	if (run(p, &op, &r))
		return;		/* no memory is an outcome */
	t->off = r.off;
	paint(p, t);
}

static void free_all(struct player *p, int (*run)(struct player *p, struct op *op, struct op_result *r))
{
	for (unsigned int i = 0; i < LIVE; i++) {
		struct op op = free_of(&p->live[i]);
		struct op_result r = { 0 };

		if (!p->live[i].off)
			continue;
		if (!is_painted(p, &p->live[i]))
			p->broken = "an object does not hold what was written to it";
		if (run(p, &op, &r) || r.findings)
			p->broken = "a free was refused";
		p->live[i].off = 0;
	}
}

/* ---- stepped ---- */

static int play(struct player *p, struct op *op, struct op_result *r)
{
	op->cpu = (uint16_t)rand_below(&p->rand, CPUS);
	return op_play(p->lab, op, r);
}

/* Something that changes the rules under the objects that are out. */
static void flip(struct player *p)
{
	static const char *const flips[][2] = {
		{ "slab.merge", "off" }, { "slab.merge", "on" }, { "slub.max_order", "0" }, { "slub.max_order", "3" },
		{ "slub.min_objects", "4" }, { "slub.min_objects", "0" }, { "slub.partial_add", "head" },
		{ "slub.partial_add", "tail" }, { "slub.partial_add", "half" }, { "slub.partial_add", "deactivate" },
		{ "slub.cpu_partial", "0" }, { "slub.cpu_partial", "auto" }, { "slub.min_partial", "2" },
		{ "slub.min_partial", "auto" }, { "cache.c3.merge", "off" }, { "cache.c3.merge", "auto" },
		{ "cache.c1.max_order", "1" }, { "pcp.batch", "7" }, { "pcp.batch", "auto" }, { "pcp.high", "20" },
		{ "pcp.high", "auto" }, { "pcp.enabled", "off" }, { "pcp.enabled", "on" },
		{ "buddy.coalesce", "lazy" }, { "buddy.coalesce", "eager" }, { "buddy.lazy_rule", "watermark" },
		{ "buddy.lazy_rule", "delay2" }, { "zone.fair", "batch" }, { "zone.fair", "lowcost" }, { "zone.fair", "off" }, { "pcp.model", "none" }, { "pcp.model", "akpm16" },
		{ "pcp.model", "hotcold" }, { "pcp.model", "hotcold1" }, { "pcp.model", "types" }, { "pcp.model", "5.14" },
		{ "pcp.model", "6.1" }, { "pcp.model", "6.7" }, { "pcp.model", "6.18" },
		{ "event.counters", "off" }, { "event.counters", "on" }, { "cache.c2.min_partial", "9" },
	};
	size_t i = rand_below(&p->rand, sizeof(flips) / sizeof(*flips));

	if (op_set(p->lab, flips[i][0], flips[i][1]))
		fail_msg("set %s %s: %s", flips[i][0], flips[i][1], fail_why());
}

static uint64_t stepped_storm(uint64_t seed, bool flips)
{
	static struct player p;
	uint32_t caches[CACHES];
	uint64_t hash;

	memset(&p, 0, sizeof(p));
	p.lab = make_lab(caches);
	p.caches = caches;
	p.sizes = cache_sizes;
	p.rand = seed;
	for (unsigned int i = 0, nr = ops(); i < nr && !p.broken; i++) {
		step(&p, play);
		if (flips && i % 500 == 499)
			flip(&p);
		if (i % 20000 == 19999)
			check(p.lab);
	}
	hash = lab_hash(p.lab);
	free_all(&p, play);
	if (p.broken)
		fail_msg("%s", p.broken);
	check(p.lab);
	for (size_t i = 0; i < CACHES; i++)
		assert_int_equal(cache_objects(p.lab, caches[i]), 0);
	lab_drop(p.lab);
	return hash;
}

static void a_stepped_storm_breaks_nothing(void **state)
{
	for (uint64_t seed = 1; seed <= 3; seed++)
		stepped_storm(seed, false);
}

static void policies_switched_in_a_storm_lose_no_object(void **state)
{
	for (uint64_t seed = 11; seed <= 13; seed++)
		stepped_storm(seed, true);
}

static void equal_seeds_give_equal_regions(void **state)
{
	assert_true(stepped_storm(5, true) == stepped_storm(5, true));
	assert_true(stepped_storm(5, true) != stepped_storm(6, true));
}

static void a_clone_at_another_base_is_the_same(void **state)
{
	static struct player p;
	uint32_t caches[CACHES];
	struct lab *clone;

	memset(&p, 0, sizeof(p));
	p.lab = make_lab(caches);
	p.caches = caches;
	p.sizes = cache_sizes;
	p.rand = 77;
	for (unsigned int i = 0; i < 20000; i++)
		step(&p, play);
	assert_int_equal(lab_clone(p.lab, "twin", &clone), 0);
	assert_true(clone->base != p.lab->base);
	assert_true(lab_hash(clone) == lab_hash(p.lab));
	check(clone);
	/* What is done to both goes on being the same. */
	for (unsigned int i = 0; i < LIVE; i++) {
		struct op op = free_of(&p.live[i]);
		struct op_result a = { 0 }, b = { 0 };

		if (!p.live[i].off)
			continue;
		assert_int_equal(op_play(p.lab, &op, &a), 0);
		assert_int_equal(op_play(clone, &op, &b), 0);
	}
	assert_true(lab_hash(clone) == lab_hash(p.lab));
	lab_drop(clone);
	lab_drop(p.lab);
}

/* ---- parallel ---- */

struct hub {
	struct player *players;
	pthread_mutex_t lock;
	uint64_t passed[256];	/* objects for anybody to free: handed over between CPUs */
	unsigned int nr;
};

static __thread struct cpu *here;

static int execute(struct player *p, struct op *op, struct op_result *r)
{
	(void)p;
	return op_exec(here, op, r);
}

/* Leave an object for another CPU, or free one that was left. */
static void pass_on(struct hub *hub, struct player *p)
{
	struct op op = { .kind = OP_CACHE_ALLOC, .cache = p->caches[3], .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r = { 0 };
	uint64_t off = 0;

	pthread_mutex_lock(&hub->lock);
	if (hub->nr > 128 || (hub->nr && rand_below(&p->rand, 2)))
		off = hub->passed[--hub->nr];
	pthread_mutex_unlock(&hub->lock);
	if (off) {
		op = (struct op){ .kind = OP_KFREE, .node = -1, .off = off };
		if (op_exec(here, &op, &r) || r.findings)
			p->broken = "another CPU's object could not be freed";
		return;
	}
	if (op_exec(here, &op, &r))
		return;
	pthread_mutex_lock(&hub->lock);
	hub->passed[hub->nr++] = r.off;
	pthread_mutex_unlock(&hub->lock);
}

static void storm_on_cpu(struct cpu *cpu, unsigned int id, void *arg)
{
	struct hub *hub = arg;
	struct player *p = &hub->players[id];

	here = cpu;
	for (unsigned int i = 0, nr = ops() / CPUS; i < nr && !p->broken; i++) {
		step(p, execute);
		if (i % 3 == 0)
			pass_on(hub, p);
	}
	free_all(p, execute);
}

static void a_parallel_storm_breaks_nothing(void **state)
{
	static struct player players[CPUS];
	struct hub hub = { .players = players, .lock = PTHREAD_MUTEX_INITIALIZER };
	uint32_t caches[CACHES];
	struct lab *lab = make_lab(caches);

	memset(players, 0, sizeof(players));
	for (unsigned int i = 0; i < CPUS; i++) {
		players[i].lab = lab;
		players[i].caches = caches;
		players[i].sizes = cache_sizes;
		players[i].rand = 100 + i;
	}
	assert_int_equal(op_parallel(lab, CPUS, storm_on_cpu, &hub), 0);
	for (unsigned int i = 0; i < CPUS; i++)
		if (players[i].broken)
			fail_msg("CPU %u: %s", i, players[i].broken);
	check(lab);
	while (hub.nr) {
		struct op op = { .kind = OP_KFREE, .node = -1, .off = hub.passed[--hub.nr] };
		struct op_result r = { 0 };

		assert_int_equal(op_run(lab, &op, &r), 0);
	}
	check(lab);
	for (size_t i = 0; i < CACHES; i++)
		assert_int_equal(cache_objects(lab, caches[i]), 0);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stepped_storm_breaks_nothing),
		cmocka_unit_test(policies_switched_in_a_storm_lose_no_object),
		cmocka_unit_test(equal_seeds_give_equal_regions),
		cmocka_unit_test(a_clone_at_another_base_is_the_same),
		cmocka_unit_test(a_parallel_storm_breaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
