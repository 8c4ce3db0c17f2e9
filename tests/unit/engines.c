/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every engine under random work, stepped and on real threads, while policies
 * are switched at random: nothing is lost, and what an object holds stays.
 *
 * Each object carries its own address and its cache's number in every word
 * that is the holder's; both are looked at when it is freed. (Words that an
 * allocator uses while an object is free hold anything when it is given out.)
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "base/rand.h"
#include "op/op.h"
#include "slab/read.h"
#include "slablab.h"

/* Last: cmocka has a macro of the name of our fail(). */
#include "test_lab.h"

#define CPUS 4
#define CACHES 6
#define KEPT 400

static const char *const engines_of[CACHES] = { "slub", "slab", "slqb", "sheaves", "slub", "slab" };
static const unsigned int sizes[CACHES] = { 192, 192, 256, 320, 1024, 64 };

struct held {
	uint64_t off;
	uint32_t cache;
};

struct worker {
	struct lab *lab;
	uint64_t rand;
	struct held held[KEPT];
	unsigned int nr;
	uint64_t rounds;
	const char *broken;
};

/* Objects pass between CPUs here: one slot each, exchanged. */
static uint64_t passed[64];
static uint32_t cache_ids[CACHES];

static struct lab *make(const char *shape)
{
	struct lab *lab = test_lab(shape);

	for (unsigned int i = 0; i < CACHES; i++) {
		char name[16], what[48];
		struct cache_request rq = { .name = name, .size = sizes[i] };

		snprintf(name, sizeof(name), "c%u", i);
		assert_int_equal(op_cache_create(lab, &rq, &cache_ids[i]), 0);
		snprintf(what, sizeof(what), "cache.%s.engine", name);
		assert_int_equal(op_set(lab, what, engines_of[i]), 0);
	}
	assert_int_equal(op_set(lab, "cache.c3.capacity", "12"), 0);
	memset(passed, 0, sizeof(passed));
	return lab;
}

static void write_pattern(struct lab *lab, uint64_t off, uint32_t which)
{
	uint64_t *w = (uint64_t *)(lab->base + off);

	for (unsigned int i = 0; i < sizes[which] / sizeof(*w); i++)
		w[i] = off ^ (uint64_t)which << 56;
}

static bool pattern_holds(struct lab *lab, uint64_t off, uint32_t which)
{
	const uint64_t *w = (const uint64_t *)(lab->base + off);

	for (unsigned int i = 0; i < sizes[which] / sizeof(*w); i++)
		if (w[i] != (off ^ (uint64_t)which << 56))
			return false;
	return true;
}

typedef int (*run_fn)(void *how, const struct op *op, struct op_result *r);

static void give_back(struct worker *w, run_fn run, void *how, unsigned int cpu, uint64_t off, uint32_t which)
{
	struct op op = { .kind = OP_CACHE_FREE, .cpu = (uint16_t)cpu, .cache = cache_ids[which], .owner = cache_ids[which], .off = off };
	struct op_result r;

	if (rand_below(&w->rand, 3) == 0) {
		op.kind = OP_KFREE;
		op.cache = 0;
	}
	if (!pattern_holds(w->lab, off, which))
		w->broken = "an object's content changed while it was out";
	if (run(how, &op, &r) || r.findings)
		w->broken = "a free was refused or found wrong";
}

static void bulk(struct worker *w, run_fn run, void *how, unsigned int cpu, uint32_t which)
{
	uint64_t vec[40];
	uint64_t n = 1 + rand_below(&w->rand, 40);
	struct op op = { .kind = OP_CACHE_ALLOC_BULK, .cpu = (uint16_t)cpu, .node = -1, .gfp = GFP_KERNEL, .cache = cache_ids[which],
			 .n = n, .vec = vec };
	struct op_result r;

	if (run(how, &op, &r))
		return;
	for (uint64_t i = 0; i < n; i++)
		write_pattern(w->lab, vec[i], which);
	for (uint64_t i = 0; i < n; i++)
		if (!pattern_holds(w->lab, vec[i], which))
			w->broken = "two objects of one bulk overlap";
	op.kind = OP_CACHE_FREE_BULK;
	if (rand_below(&w->rand, 4) == 0)
		op.cache = 0;
	run(how, &op, &r);
}

static void one(struct worker *w, run_fn run, void *how, unsigned int cpu)
{
	uint32_t which = (uint32_t)rand_below(&w->rand, CACHES);
	unsigned int what = (unsigned int)rand_below(&w->rand, 10);

	if (what == 0) {
		bulk(w, run, how, cpu, which);
	} else if (what < 6 && w->nr < KEPT) {
		struct op op = { .kind = OP_CACHE_ALLOC, .cpu = (uint16_t)cpu, .node = -1, .gfp = GFP_KERNEL, .cache = cache_ids[which] };
		struct op_result r;

		if (run(how, &op, &r))
			return;
		write_pattern(w->lab, r.off, which);
		w->held[w->nr++] = (struct held){ r.off, which };
	} else if (w->nr) {
		unsigned int i = (unsigned int)rand_below(&w->rand, w->nr);
		struct held h = w->held[i];

		w->held[i] = w->held[--w->nr];
		if (what == 9) {	/* somebody else will free it */
			uint64_t word = __atomic_exchange_n(&passed[rand_below(&w->rand, 64)], h.off | (uint64_t)h.cache << 56,
							    __ATOMIC_ACQ_REL);

			if (!word)
				return;
			h = (struct held){ word & ~(0xffULL << 56), (uint32_t)(word >> 56) };
		}
		give_back(w, run, how, cpu, h.off, h.cache);
	}
}

/* A switch at random; one that cannot be is refused and changes nothing. */
static void switch_something(struct lab *lab, uint64_t *rand)
{
	static const char *const settings[][2] = {
		{ "owner_map", "on" }, { "owner_map", "off" },
		{ "freelist_random", "on" }, { "freelist_random", "off" }, { "freelist_hardened", "on" }, { "freelist_hardened", "off" },
		{ "engine", "slub" }, { "engine", "slab" }, { "engine", "slqb" }, { "engine", "sheaves" },
		{ "merge", "on" }, { "merge", "off" }, { "max_order", "0" }, { "max_order", "2" }, { "min_objects", "4" },
		{ "partial_add", "head" }, { "partial_add", "tail" }, { "cpu_partial", "0" }, { "cpu_partial", "off" },
		{ "cpu_partial", "auto" }, { "min_partial", "0" }, { "debug", "FZP" }, { "debug", "none" }, { "limit", "7" },
		{ "batchcount", "3" }, { "limit", "auto" }, { "batchcount", "auto" }, { "shared", "1" }, { "hiwater", "5" },
		{ "freebatch", "2" }, { "hiwater", "auto" }, { "freebatch", "auto" }, { "capacity", "0" }, { "capacity", "9" },
		{ "order_fallback", "none" }, { "order_fallback", "nopage" }, { "order_fallback", "minorder" }, { "order_fallback", "auto" },
		{ "bulk_form", "v4.3" }, { "bulk_form", "v4.4" }, { "bulk_form", "v5.18" }, { "bulk_form", "fallback" },
	};
	unsigned int i = (unsigned int)rand_below(rand, sizeof(settings) / sizeof(settings[0]));
	char name[48];

	snprintf(name, sizeof(name), "cache.c%u.%s", (unsigned int)rand_below(rand, CACHES), settings[i][0]);
	op_set(lab, name, settings[i][1]);
}

static void must_hold(struct lab *lab)
{
	int ret = lab_check(lab);

	if (ret)
		fail_msg("%s", fail_why());
}

static void free_all(struct worker *w, unsigned int nr, run_fn run, void *how)
{
	for (unsigned int i = 0; i < nr; i++)
		for (; w[i].nr; w[i].nr--)
			give_back(&w[i], run, how, i % CPUS, w[i].held[w[i].nr - 1].off, w[i].held[w[i].nr - 1].cache);
	for (unsigned int i = 0; i < 64; i++)
		if (passed[i])
			give_back(&w[0], run, how, 0, passed[i] & ~(0xffULL << 56), (uint32_t)(passed[i] >> 56));
}

/* With every object freed no store drains any more, and a shrink leaves no slab. */
static void nothing_is_left(struct lab *lab)
{
	uint32_t cursor = 0, store;
	struct op_result r;
	uint64_t out = 0;

	for (unsigned int i = 0; i < CACHES; i++) {
		struct op op = { .kind = OP_CACHE_SHRINK, .cache = cache_ids[i] };
		char name[32];

		snprintf(name, sizeof(name), "cache.c%u.engine", i);
		out += cache_objects(lab, cache_ids[i]);
		assert_int_equal(op_set(lab, name, "slub"), 0);	/* of slqb a shrink leaves something */
		assert_int_equal(op_run(lab, &op, &r), 0);
	}
	assert_int_equal(out, 0);	/* together: a bulk free without a name counts for a shared store's first cache */
	while ((store = store_next(lab, &cursor))) {
		struct store_figures f;

		assert_int_equal(store_figures(lab, store, &f), 0);
		assert_int_equal(f.state, STORE_ACTIVE);
		assert_int_equal(f.slabs, 0);
	}
	must_hold(lab);
}

static int run_stepped(void *how, const struct op *op, struct op_result *r)
{
	return op_run(how, op, r);
}

static void stepped(const char *shape, uint64_t seed)
{
	struct lab *lab = make(shape);
	static struct worker w[CPUS];
	uint64_t rand = seed;

	for (unsigned int i = 0; i < CPUS; i++)
		w[i] = (struct worker){ .lab = lab, .rand = seed + i };
	for (unsigned int n = 0; n < 6000; n++) {
		unsigned int cpu = (unsigned int)rand_below(&rand, CPUS);

		one(&w[cpu], run_stepped, lab, cpu);
		assert_null(w[cpu].broken);
		if (n % 40 == 0)
			switch_something(lab, &rand);
		if (n % 900 == 0) {
			op_sleep(lab, 2000000000);	/* the timers of queued engines */
			must_hold(lab);
		}
	}
	free_all(w, CPUS, run_stepped, lab);
	nothing_is_left(lab);
	lab_drop(lab);
}

static void random_work_and_switches_lose_nothing(void **state)
{
	(void)state;
	stepped("mem=64M,cpus=4", 1);
	stepped("mem=64M,cpus=4,nodes=2", 2);
}

static int run_here(void *how, const struct op *op, struct op_result *r)
{
	return op_exec(how, op, r);
}

static void work(struct cpu *cpu, unsigned int id, void *arg)
{
	struct worker *w = (struct worker *)arg + id;

	for (uint64_t n = 0; n < w->rounds && !w->broken; n++)
		one(w, run_here, cpu, id);
}

struct switcher {
	struct lab *lab;
	int stop;
};

static void *switch_on(void *arg)
{
	struct switcher *s = arg;
	uint64_t rand = 7;

	while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) {
		struct timespec pause = { 0, 300000 };

		switch_something(s->lab, &rand);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void parallel(const char *shape)
{
	struct lab *lab = make(shape);
	static struct worker w[CPUS];
	struct switcher s = { .lab = lab };
	pthread_t thread;

	for (unsigned int i = 0; i < CPUS; i++)
		w[i] = (struct worker){ .lab = lab, .rand = 11 + i, .rounds = 60000 };
	assert_int_equal(pthread_create(&thread, NULL, switch_on, &s), 0);
	assert_int_equal(op_parallel(lab, CPUS, work, w), 0);
	__atomic_store_n(&s.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_true(slab_event_total(lab, -1, EV_allochit) && slab_event_total(lab, -1, EV_alloc_slab_fill) &&
		    slab_event_total(lab, -1, EV_alloc_cpu_sheaf) && slab_event_total(lab, -1, EV_alloc_fastpath));
	for (unsigned int i = 0; i < CPUS; i++)
		if (w[i].broken)
			fail_msg("CPU %u: %s", i, w[i].broken);
	must_hold(lab);
	free_all(w, CPUS, run_stepped, lab);
	nothing_is_left(lab);
	lab_drop(lab);
}

static void switching_under_running_threads_loses_nothing(void **state)
{
	(void)state;
	parallel("mem=64M,cpus=4");
	parallel("mem=64M,cpus=4,nodes=2");
}

/* The C interface's calls, whose short ways know SLUB: every engine behind them, by cache and by size. */
static void calls_reach_every_engine(void **state)
{
	static const char *const names[] = { "slub", "slab", "slqb", "sheaves" };
	const char *why = "";

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		slablab *lab = slablab_new("mem=64M,cpus=2", &why);
		slablab_cpu *cpu = slablab_bind(lab, 0);
		slablab_cache *cache;
		void *p[300];

		assert_int_equal(slablab_set(lab, "slab.engine", names[i], &why), 0);
		assert_int_equal(slablab_set(lab, "sheaves.capacity", "auto", &why), 0);
		cache = slablab_cache_create(lab, "c", 200, 0, "", &why);
		assert_non_null(cache);
		for (unsigned int n = 0; n < 300; n++) {
			p[n] = n % 2 ? slablab_kmalloc(cpu, 8 + n * 20) : slablab_cache_alloc(cpu, cache);
			assert_non_null(p[n]);
			memset(p[n], (int)n, 8 + (n % 2 ? n * 20 : 192));
		}
		for (unsigned int n = 0; n < 300; n++) {
			assert_int_equal(*(uint8_t *)p[n], (uint8_t)n);
			if (n % 2)
				slablab_kfree(cpu, p[n]);
			else
				slablab_cache_free(cpu, cache, p[n]);
		}
		assert_int_equal(slablab_cache_alloc_bulk(cpu, cache, 100, p), 100);
		p[7] = NULL;		/* gaps are left out */
		slablab_cache_free_bulk(cpu, cache, 100, p);
		slablab_unbind(cpu);
		slablab_drop(lab);
	}
}

/* A fixed round of calls on a cache of this engine, without sheaves; an event's count. */
static void count_round(const char *engine, const char *fastpath, const char *const *events, unsigned int nr, uint64_t *n)
{
	const char *why = "";
	slablab *lab = slablab_new("mem=64M,cpus=2", &why);
	slablab_cpu *cpu = slablab_bind(lab, 0);
	uint64_t rand = 7;
	slablab_cache *cache;
	void *p[400] = { NULL };

	assert_int_equal(slablab_set(lab, "slab.engine", engine, &why), 0);
	assert_int_equal(slablab_set(lab, "slub.fastpath", fastpath, &why), 0);
	cache = slablab_cache_create(lab, "c", 200, 0, "nomerge", &why);
	assert_non_null(cache);
	for (unsigned int i = 0; i < 20000; i++) {
		unsigned int at = (unsigned int)rand_below(&rand, 400);

		if (p[at])
			slablab_cache_free(cpu, cache, p[at]);
		p[at] = p[at] ? NULL : slablab_cache_alloc(cpu, cache);
	}
	for (unsigned int i = 0; i < nr; i++) {
		char path[64], text[32];

		snprintf(path, sizeof(path), "cache.c.event.%s", events[i]);
		assert_true(slablab_get(lab, path, text, sizeof(text)) > 0);
		n[i] = strtoull(text, NULL, 10);
	}
	slablab_unbind(cpu);
	slablab_drop(lab);
}

/* What asks for no sheaves is SLUB, by its short ways and by its exchanges. */
static void without_sheaves_all_counts_are_those_of_slub(void **state)
{
	static const char *const events[] = { "alloc_fastpath", "free_fastpath", "alloc_slowpath", "free_slowpath", "alloc_refill",
		"cpu_partial_alloc", "cpu_partial_free", "cpu_partial_drain", "alloc_from_partial", "alloc_slab", "free_slab", "slab_cas" };
	static const char *const fastpaths[] = { "owner", "cmpxchg" };
	enum { NR = sizeof(events) / sizeof(events[0]) };
	uint64_t slub[NR], sheaves[NR];

	(void)state;
	for (unsigned int f = 0; f < 2; f++) {
		count_round("slub", fastpaths[f], events, NR, slub);
		count_round("sheaves", fastpaths[f], events, NR, sheaves);
		for (unsigned int i = 0; i < NR; i++)
			if (slub[i] != sheaves[i])
				fail_msg("%s: %llu with slub, %llu without sheaves", events[i], (unsigned long long)slub[i],
					 (unsigned long long)sheaves[i]);
		assert_true(slub[0] > 1000 && slub[2] > 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_reach_every_engine),
		cmocka_unit_test(without_sheaves_all_counts_are_those_of_slub),
		cmocka_unit_test(random_work_and_switches_lose_nothing),
		cmocka_unit_test(switching_under_running_threads_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
