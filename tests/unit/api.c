/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * api - the C interface as other programs use it.
 *
 * Two threads bind CPUs and allocate, write, pass on and free, while this one
 * switches policies, looks at figures and checks every invariant. Each object
 * carries its address and a number, which are compared at its free.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slablab.h"

#include <cmocka.h>

#define CPUS 2
#define LIVE 512
#define FLIPS 60
#define MIN_OPS 20000
#define MAILBOX 64

struct object {
	void *p;
	size_t bytes;
	uint64_t number;
};

struct mailbox {
	pthread_mutex_t lock;
	struct object v[MAILBOX];
	unsigned int nr;
};

struct player {
	slablab *lab;
	slablab_cache *cache;
	struct mailbox *to, *from;
	int id, broken;
	uint32_t *over;
	uint64_t ops;
};

static void paint(const struct object *o)
{
	uint64_t words[2] = { (uint64_t)(uintptr_t)o->p, o->number };

	memset(o->p, (int)o->number, o->bytes);
	if (o->bytes >= sizeof(words))
		memcpy(o->p, words, sizeof(words));
}

static int is_painted(const struct object *o)
{
	uint64_t words[2] = { (uint64_t)(uintptr_t)o->p, o->number };
	const uint8_t *b = o->p;

	if (o->bytes >= sizeof(words) && memcmp(o->p, words, sizeof(words)))
		return 0;
	for (size_t i = o->bytes >= sizeof(words) ? sizeof(words) : 0; i < o->bytes; i++)
		if (b[i] != (uint8_t)o->number)
			return 0;
	return 1;
}

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void give(struct player *p, slablab_cpu *cpu, struct object *o)
{
	if (!is_painted(o))
		__atomic_store_n(&p->broken, 1, __ATOMIC_RELAXED);
	if (o->bytes == 200)
		slablab_cache_free(cpu, p->cache, o->p);
	else
		slablab_kfree(cpu, o->p);
	o->p = NULL;
}

static void take(struct player *p, slablab_cpu *cpu, struct object *o, uint32_t *seed)
{
	o->bytes = draw(seed) & 1 ? 200 : 1 + draw(seed) % 3000;
	o->p = o->bytes == 200 ? slablab_cache_alloc(cpu, p->cache) : slablab_kmalloc(cpu, o->bytes);
	o->number = __atomic_add_fetch(&p->ops, 1, __ATOMIC_RELAXED);
	if (o->p)
		paint(o);
}

/* Leave an object for the other thread, take one that it left. */
static void exchange(struct player *p, slablab_cpu *cpu, struct object *o)
{
	struct object got = { 0 };

	pthread_mutex_lock(&p->to->lock);
	if (p->to->nr < MAILBOX && o->p) {
		p->to->v[p->to->nr++] = *o;
		o->p = NULL;
	}
	pthread_mutex_unlock(&p->to->lock);
	pthread_mutex_lock(&p->from->lock);
	if (p->from->nr)
		got = p->from->v[--p->from->nr];
	pthread_mutex_unlock(&p->from->lock);
	if (got.p)
		give(p, cpu, &got);
}

static void *play(void *arg)
{
	struct player *p = arg;
	static __thread struct object live[LIVE];
	slablab_cpu *cpu = slablab_bind(p->lab, p->id);
	uint32_t seed = 7 + (uint32_t)p->id;

	if (!cpu) {
		__atomic_store_n(&p->broken, 2, __ATOMIC_RELAXED);
		return NULL;
	}
	while (!__atomic_load_n(p->over, __ATOMIC_RELAXED)) {
		struct object *o = &live[draw(&seed) % LIVE];

		if (draw(&seed) % 8 == 0)
			exchange(p, cpu, o);
		else if (o->p)
			give(p, cpu, o);
		else
			take(p, cpu, o, &seed);
	}
	for (int i = 0; i < LIVE; i++)
		if (live[i].p)
			give(p, cpu, &live[i]);
	slablab_unbind(cpu);
	return NULL;
}

/* Everybody has been at work, and not only before the first flip. */
static int all_busy(const struct player *players)
{
	for (int i = 0; i < CPUS; i++)
		if (__atomic_load_n(&players[i].ops, __ATOMIC_RELAXED) < MIN_OPS && !__atomic_load_n(&players[i].broken, __ATOMIC_RELAXED))
			return 0;
	return 1;
}

static void flip_policies(slablab *lab, const struct player *players)
{
	static const char *const flips[][2] = {
		{ "cache.obj.merge", "off" }, { "slub.max_order", "0" }, { "slub.partial_add", "head" },
		{ "cache.obj.cpu_partial", "0" }, { "event.counters", "off" }, { "slab.merge", "off" },
		{ "pcp.high", "40" }, { "slub.min_partial", "0" }, { "event.story", "on" },
		{ "cache.obj.merge", "on" }, { "slub.max_order", "3" }, { "slub.partial_add", "half" },
		{ "cache.obj.cpu_partial", "auto" }, { "event.counters", "on" }, { "slab.merge", "on" },
		{ "pcp.high", "auto" }, { "slub.min_partial", "auto" }, { "event.story", "auto" },
		{ "pcp.enabled", "off" }, { "pcp.enabled", "on" },
	};
	const char *why = "";
	char text[64];

	for (int i = 0; i < FLIPS || !all_busy(players); i++) {
		const char *const *f = flips[(size_t)i % (sizeof(flips) / sizeof(*flips))];

		if (slablab_set(lab, f[0], f[1], &why))
			fail_msg("set %s %s: %s", f[0], f[1], why);
		if (slablab_run(lab, "lab check > /dev/null", &why))
			fail_msg("after set %s %s: %s", f[0], f[1], why);
		assert_true(slablab_get(lab, "zone.N0.Normal.free_pages", text, sizeof(text)) > 0);
	}
}

static void policies_change_under_running_threads(void **state)
{
	const char *why = "";
	slablab *lab = slablab_new("mem=64M,cpus=2", &why);
	slablab_cache *cache = slablab_cache_create(lab, "obj", 200, 0, "hwcache", &why);
	struct mailbox boxes[CPUS] = { { .lock = PTHREAD_MUTEX_INITIALIZER }, { .lock = PTHREAD_MUTEX_INITIALIZER } };
	struct player players[CPUS];
	pthread_t threads[CPUS];
	uint32_t over = 0;
	char text[64];

	(void)state;
	assert_non_null(lab);
	assert_non_null(cache);
	for (int i = 0; i < CPUS; i++) {
		players[i] = (struct player){ lab, cache, &boxes[!i], &boxes[i], i, 0, &over, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, play, &players[i]), 0);
	}
	flip_policies(lab, players);
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < CPUS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(players[i].broken, 0);
		assert_true(players[i].ops > 0);
	}
	slablab_cpu *cpu = slablab_bind(lab, 0);

	for (int i = 0; i < CPUS; i++)
		while (boxes[i].nr)
			give(&players[0], cpu, &boxes[i].v[--boxes[i].nr]);
	slablab_unbind(cpu);
	assert_int_equal(players[0].broken, 0);
	slablab_get(lab, "cache.obj.objects", text, sizeof(text));
	assert_string_equal(text, "0");
	if (slablab_run(lab, "lab check > /dev/null", &why))
		fail_msg("%s", why);
	slablab_trim(lab);
	assert_int_equal(slablab_cache_destroy(cache), 0);
	slablab_drop(lab);
}

static void a_cpu_is_bound_once(void **state)
{
	slablab *lab = slablab_new("mem=16M,cpus=1", NULL);
	slablab_cpu *cpu = slablab_bind(lab, 0);

	(void)state;
	assert_non_null(cpu);
	assert_null(slablab_bind(lab, 0));
	assert_null(slablab_bind(lab, 1));
	assert_null(slablab_bind(lab, -1));
	slablab_unbind(cpu);
	assert_non_null(cpu = slablab_bind(lab, 0));
	slablab_unbind(cpu);
	slablab_drop(lab);
}

static void odd_sizes_and_addresses_are_answered(void **state)
{
	slablab *lab = slablab_new("mem=32M,cpus=1", NULL);
	slablab_cpu *cpu = slablab_bind(lab, 0);
	char text[64];
	int on_stack = 0;
	void *p;

	(void)state;
	assert_ptr_equal(slablab_kmalloc(cpu, 0), (void *)16);
	slablab_kfree(cpu, (void *)16);
	slablab_kfree(cpu, NULL);
	slablab_kfree(cpu, &on_stack);
	assert_true(slablab_get(lab, "event.bad_free", text, sizeof(text)) > 0);
	assert_string_equal(text, "1");
	p = slablab_kmalloc(cpu, 100000);
	assert_non_null(p);
	memset(p, 1, 100000);
	slablab_kfree(cpu, p);
	slablab_kfree(cpu, p);		/* twice: a finding, nothing more */
	slablab_get(lab, "event.bad_free", text, sizeof(text));
	assert_string_equal(text, "2");
	assert_null(slablab_kmalloc(cpu, (size_t)5 << 20));
	p = slablab_alloc_pages(cpu, 3, "GFP_ATOMIC|__GFP_ZERO");
	assert_non_null(p);
	assert_int_equal((uintptr_t)p % (4096 << 3), 0);
	slablab_free_pages(cpu, p, 3);
	assert_null(slablab_alloc_pages(cpu, 11, NULL));
	assert_null(slablab_alloc_pages(cpu, 0, "GFP_NONSENSE"));
	assert_true(slablab_get(lab, "no.such.path", text, sizeof(text)) == -ENOENT);
	slablab_unbind(cpu);
	slablab_drop(lab);
}

static void bulk_is_all_or_nothing(void **state)
{
	slablab *lab = slablab_new("mem=4M,cpus=1", NULL);
	slablab_cpu *cpu = slablab_bind(lab, 0);
	slablab_cache *cache = slablab_cache_create(lab, "big", 4096, 0, "nomerge", NULL);
	static void *v[2048];
	char text[64];

	(void)state;
	assert_int_equal(slablab_cache_alloc_bulk(cpu, cache, 2048, v), 0);
	slablab_get(lab, "cache.big.objects", text, sizeof(text));
	assert_string_equal(text, "0");
	assert_int_equal(slablab_cache_alloc_bulk(cpu, cache, 500, v), 500);
	for (int i = 0; i < 500; i++)
		memset(v[i], i, 4096);
	slablab_cache_free_bulk(cpu, cache, 500, v);
	slablab_get(lab, "cache.big.objects", text, sizeof(text));
	assert_string_equal(text, "0");
	slablab_unbind(cpu);
	slablab_drop(lab);
}

static uint64_t figure(slablab *lab, const char *path)
{
	char text[64];

	assert_true(slablab_get(lab, path, text, sizeof(text)) > 0);
	return strtoull(text, NULL, 0);
}

/* A free that names no cache counts for the first of those that share a store: no name shows what is not there. */
static void names_of_a_store_never_lack_objects(void **state)
{
	slablab *lab = slablab_new("mem=32M,cpus=1", NULL);
	slablab_cpu *cpu = slablab_bind(lab, 0);
	slablab_cache *cache[3];
	void *v[3][10];

	(void)state;
	for (int i = 0; i < 3; i++)
		cache[i] = slablab_cache_create(lab, (const char *[]){ "aa", "bb", "cc" }[i], 104, 0, NULL, NULL);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 10; k++)
			v[i][k] = slablab_cache_alloc(cpu, cache[i]);
	for (int k = 0; k < 10; k++)
		slablab_kfree(cpu, v[1][k]);
	for (int k = 0; k < 4; k++)
		slablab_kfree(cpu, v[2][k]);
	assert_int_equal(figure(lab, "cache.aa.objects") + figure(lab, "cache.bb.objects") + figure(lab, "cache.cc.objects"), 16);
	for (int k = 4; k < 10; k++)
		slablab_cache_free(cpu, cache[2], v[2][k]);
	for (int k = 0; k < 10; k++)
		slablab_cache_free(cpu, cache[0], v[0][k]);
	for (int i = 0; i < 3; i++)
		assert_int_equal(figure(lab, (const char *[]){ "cache.aa.objects", "cache.bb.objects", "cache.cc.objects" }[i]), 0);
	assert_int_equal(slablab_run(lab, "lab check", NULL), 0);
	slablab_unbind(cpu);
	slablab_drop(lab);
}

/* Pages come and go as one list, past what a CPU's list holds; what is no single page is told apart. */
static void pages_go_back_in_bulk(void **state)
{
	slablab *lab = slablab_new("mem=32M,cpus=1", NULL);
	slablab_cpu *cpu = slablab_bind(lab, 0);
	static void *v[3000];
	uint64_t whole = figure(lab, "zone.N0.Normal.order.10");
	void *odd[5];
	int on_stack = 0;

	(void)state;
	assert_int_equal(slablab_alloc_pages_bulk(cpu, 3000, v), 3000);
	for (int i = 0; i < 3000; i++)
		memset(v[i], i, 4096);
	slablab_free_pages_bulk(cpu, 3000, v);
	slablab_free_pages_bulk(cpu, 0, v);
	assert_int_equal(figure(lab, "event.mm_page_free"), 3000);
	assert_int_equal(figure(lab, "event.mm_page_free_batched"), 3000);
	odd[0] = slablab_alloc_pages(cpu, 0, NULL);
	odd[1] = odd[0];			/* twice: a finding */
	odd[2] = slablab_alloc_pages(cpu, 2, NULL);
	odd[3] = NULL;
	odd[4] = &on_stack;
	slablab_free_pages_bulk(cpu, 5, odd);
	assert_int_equal(figure(lab, "event.bad_free"), 2);
	assert_int_equal(figure(lab, "event.mm_page_free"), 3002);
	assert_int_equal(slablab_run(lab, "drain; lab check", NULL), 0);
	assert_int_equal(figure(lab, "zone.N0.Normal.order.10"), whole);
	slablab_unbind(cpu);
	slablab_drop(lab);
}

/* ---- what policies do to each object, on the short ways too ---- */

static int all_are(const unsigned char *p, size_t bytes, unsigned char value)
{
	for (size_t i = 0; i < bytes; i++)
		if (p[i] != value)
			return 0;
	return 1;
}

static void objects_are_wiped_as_policies_say(void **state)
{
	const char *why;
	slablab *lab = slablab_new("mem=64M,cpus=1", &why);
	slablab_cpu *cpu = lab ? slablab_bind(lab, 0) : NULL;
	slablab_cache *cache;
	slablab_cache *rcu = lab ? slablab_cache_create(lab, "read", 200, 0, "RCU", &why) : NULL;
	void *p, *vec[8];

	(void)state;
	assert_non_null(cpu);
	assert_non_null(rcu);
	for (int on_free = 0; on_free < 2; on_free++) {
		assert_int_equal(slablab_set(lab, on_free ? "slab.init_on_free" : "slab.init_on_alloc", "on", &why), 0);
		/* what was freed before stays as it is: a cache that begins with it */
		cache = slablab_cache_create(lab, on_free ? "on_free" : "on_alloc", 200, 0, "nomerge", &why);
		assert_non_null(cache);
		for (int i = 0; i < 3; i++) {
			p = slablab_kmalloc(cpu, 64);
			memset(p, 0x41, 64);
			slablab_kfree(cpu, p);
			if (on_free)	/* all but the link of the freelist, in the middle */
				assert_true(all_are(p, 32, 0) && all_are((unsigned char *)p + 40, 24, 0));
			p = slablab_cache_alloc(cpu, cache);
			assert_true(all_are(p, 200, 0));
			memset(p, 0x42, 200);
			slablab_cache_free(cpu, cache, p);
			assert_int_equal(slablab_cache_alloc_bulk(cpu, cache, 8, vec), 8);
			for (int n = 0; n < 8; n++) {
				assert_true(all_are(vec[n], 200, 0));
				memset(vec[n], 0x43, 200);
			}
			slablab_cache_free_bulk(cpu, cache, 8, vec);
		}
		/* readers may look on */
		p = slablab_cache_alloc(cpu, rcu);
		memset(p, 0x44, 200);
		slablab_cache_free(cpu, rcu, p);
		assert_true(all_are(p, 200, 0x44));
		assert_int_equal(slablab_set(lab, on_free ? "slab.init_on_free" : "slab.init_on_alloc", "off", &why), 0);
		p = slablab_kmalloc(cpu, 64);
		memset(p, 0x45, 64);
		slablab_kfree(cpu, p);
		assert_true(all_are(p, 32, 0x45));
	}
	assert_int_equal(slablab_run(lab, "lab check", &why), 0);
	slablab_unbind(cpu);
	slablab_drop(lab);
}

/* A class that goes, comes and was never there, under the short way of kmalloc. */
static void kmalloc_heeds_its_largest_class(void **state)
{
	static const char *const most[] = { "8192", "4096", "65536", "2M", "16384", "8192" };
	static const int large[] = { 5, 11, 13, 13, 17, 22 };	/* requests so far that were whole pages */
	const char *why;
	slablab *lab = slablab_new("mem=256M,cpus=1", &why);
	slablab_cpu *cpu = lab ? slablab_bind(lab, 0) : NULL;
	void *p[6][7];

	(void)state;
	assert_non_null(cpu);
	for (int i = 0; i < 6; i++) {
		char text[32];

		assert_int_equal(slablab_set(lab, "kmalloc.max_class", most[i], &why), 0);
		for (int n = 0; n < 7; n++) {
			size_t bytes = (size_t)4000 << n;

			p[i][n] = slablab_kmalloc(cpu, bytes);
			assert_non_null(p[i][n]);
			memset(p[i][n], i, bytes);
		}
		slablab_get(lab, "event.kmalloc_large", text, sizeof(text));
		assert_int_equal(atoi(text), large[i]);
	}
	for (int i = 0; i < 6; i++)
		for (int n = 0; n < 7; n++) {
			assert_true(all_are(p[i][n], (size_t)4000 << n, (unsigned char)i));
			slablab_kfree(cpu, p[i][n]);
		}
	assert_int_equal(slablab_run(lab, "assert cache.kmalloc-8k.objects == 0; assert cache.kmalloc-2M.objects == 0; lab check", &why), 0);
	slablab_unbind(cpu);
	slablab_drop(lab);
}

/* Bound, a thread is kept on one host CPU; after its last unbind it may go where it could before. */
static void a_thread_gets_its_host_cpus_back(void **state)
{
	slablab *lab = slablab_new("mem=16M,cpus=2", NULL);
	cpu_set_t before, bound, after;
	slablab_cpu *a, *b;

	(void)state;
	assert_non_null(lab);
	sched_getaffinity(0, sizeof(before), &before);
	a = slablab_bind(lab, 0);
	b = slablab_bind(lab, 1);
	sched_getaffinity(0, sizeof(bound), &bound);
	assert_int_equal(CPU_COUNT(&bound), 1);
	slablab_unbind(a);
	slablab_unbind(b);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
	slablab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies_change_under_running_threads),
		cmocka_unit_test(a_cpu_is_bound_once),
		cmocka_unit_test(odd_sizes_and_addresses_are_answered),
		cmocka_unit_test(bulk_is_all_or_nothing),
		cmocka_unit_test(names_of_a_store_never_lack_objects),
		cmocka_unit_test(pages_go_back_in_bulk),
		cmocka_unit_test(objects_are_wiped_as_policies_say),
		cmocka_unit_test(kmalloc_heeds_its_largest_class),
		cmocka_unit_test(a_thread_gets_its_host_cpus_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
