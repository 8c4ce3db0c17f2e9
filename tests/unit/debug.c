/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debug stores under load: two threads pass objects to each other through
 * checks, red zones, poison and tracks, and nothing is found that is not
 * wrong; what is made wrong is found, and counts stay whole.
 */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <cmocka.h>

#include "op/op.h"
#include "slab/read.h"
#include "slablab.h"

#define OBJECTS 20000
#define RING 64

/* Where all is slow, fewer of it. */
static int less(int n)
{
	const char *every = getenv("SLABLAB_TEST_EVERY");

	return every && atoi(every) > 0 ? n / atoi(every) : n;
}

struct relay {
	slablab *lab;
	slablab_cache *cache;
	_Atomic(void *) ring[RING];
};

static void *give(void *arg)
{
	struct relay *r = arg;
	slablab_cpu *cpu = slablab_bind(r->lab, 0);

	for (int i = 0; cpu && i < less(OBJECTS); i++) {
		uint8_t *p = slablab_cache_alloc(cpu, r->cache);

		if (p)
			memset(p, i, 100);	/* all of it is the holder's */
		while (atomic_load_explicit(&r->ring[i % RING], memory_order_acquire))
			sched_yield();	/* the host may have fewer CPUs */
		atomic_store_explicit(&r->ring[i % RING], p, memory_order_release);
	}
	slablab_unbind(cpu);
	return cpu;
}

static void *take(void *arg)
{
	struct relay *r = arg;
	slablab_cpu *cpu = slablab_bind(r->lab, 1);

	for (int i = 0; cpu && i < less(OBJECTS); i++) {
		void *p;

		while (!(p = atomic_load_explicit(&r->ring[i % RING], memory_order_acquire)))
			sched_yield();
		atomic_store_explicit(&r->ring[i % RING], NULL, memory_order_release);
		slablab_cache_free(cpu, r->cache, p);
	}
	slablab_unbind(cpu);
	return cpu;
}

static const char *const engines[] = { "slub", "slab", "slqb", "sheaves" };

static void relay_finds_nothing_wrong(const char *engine, const char *letters)
{
	struct relay r = { 0 };
	pthread_t a, b;
	void *ok;

	r.lab = slablab_new("mem=64M,cpus=2", NULL);
	assert_int_equal(slablab_set(r.lab, "slab.engine", engine, NULL), 0);
	r.cache = slablab_cache_create(r.lab, "t", 100, 0, NULL, NULL);
	assert_int_equal(slablab_set(r.lab, "cache.t.debug", letters, NULL), 0);
	pthread_create(&a, NULL, give, &r);
	pthread_create(&b, NULL, take, &r);
	pthread_join(a, &ok);
	assert_non_null(ok);
	pthread_join(b, &ok);
	assert_non_null(ok);
	assert_int_equal(debug_reports(r.lab), 0);
	assert_int_equal(lab_check(r.lab), 0);
	assert_int_equal(cache_objects(r.lab, op_cache_find(r.lab, "t")), 0);
	slablab_drop(r.lab);
}

static void two_threads_find_nothing_wrong(void **state)
{
	(void)state;
	for (unsigned int e = 0; e < ARRAY_SIZE(engines); e++) {
		relay_finds_nothing_wrong(engines[e], "FZPU");
		relay_finds_nothing_wrong(engines[e], "F");
		relay_finds_nothing_wrong(engines[e], "P");
	}
}

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	return *x ^= *x << 17;
}

/* Objects overwritten at random beyond their end or after their free: each is found, none is believed. */
static void what_is_made_wrong_by_engine(const char *engine)
{
	slablab *lab = slablab_new("mem=64M,cpus=1", NULL);
	bool is_slab = !strcmp(engine, "slab"), is_slqb = !strcmp(engine, "slqb");
	slablab_cache *cache;
	slablab_cpu *cpu;
	uint64_t x = 88172645463325252ULL;
	uint8_t *held[64] = { NULL };
	unsigned int wrong = 0;

	assert_int_equal(slablab_set(lab, "slab.engine", engine, NULL), 0);
	cache = slablab_cache_create(lab, "t", 64, 0, NULL, NULL);
	assert_int_equal(slablab_set(lab, "cache.t.debug", "FZPU", NULL), 0);
	cpu = slablab_bind(lab, 0);
	assert_non_null(cpu);
	for (int i = 0; i < 3000; i++) {
		unsigned int at = (unsigned int)(next_random(&x) % 64), act = (unsigned int)(next_random(&x) % 40);

		if (!held[at]) {
			held[at] = slablab_cache_alloc(cpu, cache);
			continue;
		}
		if (act == 0)
			held[at][64] ^= 0xff, wrong++;		/* found by its free, which is not done then */
		if (act == 1 && !is_slqb)			/* whose slots begin with the object */
			held[at][-1] ^= 0xff, wrong++;
		slablab_cache_free(cpu, cache, held[at]);
		if (act < 2 && !is_slab && !(act == 1 && is_slqb))	/* slab says so and frees it */
			slablab_cache_free(cpu, cache, held[at]);	/* mended: now it goes */
		if (act == 2)
			held[at][5] ^= 0xff, wrong++;		/* found when it is next handed out, or its slab goes */
		held[at] = NULL;
	}
	for (int i = 0; i < 64; i++)
		slablab_cache_free(cpu, cache, held[i]);
	slablab_unbind(cpu);
	assert_true(wrong > 50);
	assert_true(debug_reports(lab) > wrong / 3);
	assert_int_equal(lab_check(lab), 0);
	/* what is still out lies in slabs that were taken out of use: each such free was refused */
	assert_true(cache_objects(lab, op_cache_find(lab, "t")) <= debug_errors(lab, DEBUG_disabled));
	assert_int_equal(debug_errors(lab, DEBUG_already_free) + debug_errors(lab, DEBUG_double_free), 0);
	slablab_drop(lab);
}

static void what_is_made_wrong_is_found(void **state)
{
	(void)state;
	for (unsigned int e = 0; e < ARRAY_SIZE(engines); e++)
		what_is_made_wrong_by_engine(engines[e]);
}

/* One object, freed by two threads at once, comes back once: of queued engines, which look without a lock. */
struct twice {
	slablab *lab;
	slablab_cache *cache;
	pthread_barrier_t start;
	void *_Atomic object;
};

#define ROUNDS 2000

static void *free_too(void *arg)
{
	struct twice *t = arg;
	slablab_cpu *cpu = slablab_bind(t->lab, 1);

	for (int i = 0; i < less(ROUNDS); i++) {
		pthread_barrier_wait(&t->start);
		slablab_cache_free(cpu, t->cache, t->object);
		pthread_barrier_wait(&t->start);
	}
	slablab_unbind(cpu);
	return NULL;
}

static void both_free(const char *engine, const char *letters)
{
	struct twice t = { .lab = slablab_new("mem=64M,cpus=2", NULL) };
	slablab_cpu *cpu;
	pthread_t other;

	assert_int_equal(slablab_set(t.lab, "slab.engine", engine, NULL), 0);
	t.cache = slablab_cache_create(t.lab, "t", 100, 0, NULL, NULL);
	assert_int_equal(slablab_set(t.lab, "cache.t.debug", letters, NULL), 0);
	pthread_barrier_init(&t.start, NULL, 2);
	pthread_create(&other, NULL, free_too, &t);
	cpu = slablab_bind(t.lab, 0);
	for (int i = 0; i < less(ROUNDS); i++) {
		t.object = slablab_cache_alloc(cpu, t.cache);
		pthread_barrier_wait(&t.start);
		slablab_cache_free(cpu, t.cache, t.object);
		pthread_barrier_wait(&t.start);
	}
	pthread_join(other, NULL);
	slablab_unbind(cpu);
	assert_int_equal(lab_check(t.lab), 0);
	assert_int_equal(cache_objects(t.lab, op_cache_find(t.lab, "t")), 0);
	assert_int_equal(debug_errors(t.lab, DEBUG_already_free) + debug_errors(t.lab, DEBUG_double_free) +
			 debug_errors(t.lab, DEBUG_index_twice), less(ROUNDS));
	slablab_drop(t.lab);
}

static void a_race_of_frees_has_one_winner(void **state)
{
	(void)state;
	both_free("slab", "F");
	both_free("slqb", "F");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_find_nothing_wrong),
		cmocka_unit_test(what_is_made_wrong_is_found),
		cmocka_unit_test(a_race_of_frees_has_one_winner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
