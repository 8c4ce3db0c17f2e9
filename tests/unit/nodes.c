/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nodes - how often SLUB looks at other nodes' partial lists.
 *
 * Idea. Slabs of two objects, each with one free, wait on node 1's list. A CPU
 * of node 0 allocates: each of its slow paths ends with a slab from there or
 * with a new one. The kernel draws of 1024 against ten times the ratio; so does
 * a lab while another CPU has a thread of its own. (slub.md section 3)
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "op/op.h"
#include "slablab.h"

#define SLABS 700
#define SEARCHES 600

struct scene {
	slablab *lab;
	slablab_cache *cache;
	pthread_barrier_t ready, done;
};

static void prepare(slablab_cpu *cpu, struct scene *t)
{
	void *object[2 * SLABS];

	for (unsigned int i = 0; i < ARRAY_SIZE(object); i++)
		assert_non_null(object[i] = slablab_cache_alloc(cpu, t->cache));
	for (unsigned int i = 0; i < ARRAY_SIZE(object); i += 2)
		slablab_cache_free(cpu, t->cache, object[i]);
}

/* A CPU of node 1: makes the slabs, and stays bound while the other one takes them. */
static void *neighbour(void *arg)
{
	struct scene *t = arg;
	slablab_cpu *cpu = slablab_bind(t->lab, 2);

	prepare(cpu, t);
	pthread_barrier_wait(&t->ready);
	pthread_barrier_wait(&t->done);
	slablab_unbind(cpu);
	return NULL;
}

/* Of all nodes, or of node 1: the number behind " N1=". */
static uint64_t figure(const struct scene *t, const char *name, const char *node)
{
	char path[64], text[64];
	const char *at;

	snprintf(path, sizeof(path), "cache.t.sysfs.%s", name);
	assert_true(slablab_get(t->lab, path, text, sizeof(text)) > 0);
	at = node ? strstr(text, node) : text;
	return at ? strtoull(node ? at + strlen(node) : at, NULL, 10) : 0;
}

/* Slabs of node 1 that CPU 0 took in SEARCHES: each other search ended with a new slab. */
static unsigned int taken(struct scene *t, slablab_cpu *cpu)
{
	uint64_t slabs = figure(t, "slabs", NULL), partial = figure(t, "partial", " N1="), made = 0, left = partial;

	while (made + (partial - left) < SEARCHES) {
		assert_non_null(slablab_cache_alloc(cpu, t->cache));
		made = figure(t, "slabs", NULL) - slabs;
		left = figure(t, "partial", " N1=");
	}
	return (unsigned int)(partial - left);
}

static unsigned int scene(const char *ratio, const char *debug, bool side_by_side)
{
	struct scene t = { .lab = slablab_new("mem=64M,cpus=4,nodes=2", NULL) };
	slablab_cpu *cpu;
	pthread_t thread;
	unsigned int nr;

	assert_int_equal(slablab_set(t.lab, "slub.max_order", "0", NULL), 0);
	assert_int_equal(slablab_set(t.lab, "slub.min_partial", "0", NULL), 0);
	assert_int_equal(slablab_set(t.lab, "slub.cpu_partial", "off", NULL), 0);
	assert_int_equal(slablab_set(t.lab, "slub.remote_node_defrag_ratio", ratio, NULL), 0);
	t.cache = slablab_cache_create(t.lab, "t", 1600, 0, NULL, NULL);
	assert_int_equal(slablab_set(t.lab, "cache.t.debug", debug, NULL), 0);
	pthread_barrier_init(&t.ready, NULL, 2);
	pthread_barrier_init(&t.done, NULL, 2);
	if (side_by_side) {
		pthread_create(&thread, NULL, neighbour, &t);
		pthread_barrier_wait(&t.ready);
	} else {
		cpu = slablab_bind(t.lab, 2);
		prepare(cpu, &t);
		slablab_unbind(cpu);
	}
	cpu = slablab_bind(t.lab, 0);
	nr = taken(&t, cpu);
	if (side_by_side) {
		pthread_barrier_wait(&t.done);
		pthread_join(thread, NULL);
	}
	slablab_unbind(cpu);
	assert_int_equal(lab_check(t.lab), 0);
	slablab_drop(t.lab);
	pthread_barrier_destroy(&t.ready);
	pthread_barrier_destroy(&t.done);
	return nr;
}

static void a_draw_decides_side_by_side(void **state)
{
	static const char *const debug[] = { "none", "F" };

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(debug); i++) {
		assert_int_equal(scene("0", debug[i], true), 0);
		assert_in_range(scene("30", debug[i], true), SEARCHES * 24 / 100, SEARCHES * 35 / 100);
		assert_in_range(scene("100", debug[i], true), SEARCHES * 95 / 100, SEARCHES - 1);
	}
}

static void one_at_a_time_nothing_is_refused(void **state)
{
	(void)state;
	assert_int_equal(scene("0", "none", false), 0);
	assert_int_equal(scene("30", "none", false), SEARCHES);
	assert_int_equal(scene("30", "F", false), SEARCHES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_draw_decides_side_by_side),
		cmocka_unit_test(one_at_a_time_nothing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
