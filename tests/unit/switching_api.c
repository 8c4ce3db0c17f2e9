/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * switching_api - programs at work through the C interface while everything changes.
 *
 * Threads bind CPUs, call whatever slablab.h offers, pass objects on, give the
 * CPU up and come back as another one. Meanwhile this thread switches policies
 * drawn from the table, engines and debugging, runs commands, takes snapshots
 * and clones, looks at figures and views, and opens and closes traces, stacks
 * and latency. What a call gave is whole until it is freed; at the end nothing
 * is out.
 *
 * Settings by environment as for switching.c.
 */
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "quiet.h"

#include "slablab.h"
#include "view/figure.h"

#define THREADS 4u
#define KEPT 600u
#define CALLS 30000u

struct held {
	void *p;
	uint64_t mark;
	uint32_t bytes;
	uint16_t order;		/* + 1 of a block, 0: an object */
	uint16_t cache;		/* + 1; 0: of kmalloc */
};

#define CACHES 5u

struct user {
	slablab *lab;
	slablab_cache *const *caches;
	uint64_t rand, marks, calls;
	unsigned int nr;
	struct held held[KEPT];
	const char *broken;
};

/* Where things change hands: whoever puts one in takes what lay there. */
static struct held *passed[32];
static const uint32_t sizes[CACHES] = { 24, 64, 200, 700, 2048 };
static uint32_t over;

static void write_all(const struct held *h)
{
	uint64_t *w = h->p;

	for (uint32_t i = 0; i < h->bytes / 8; i += h->order ? 64 : 1)
		w[i] = h->mark + i;
}

static void read_all(struct user *u, const struct held *h)
{
	const uint64_t *w = h->p;

	for (uint32_t i = 0; i < h->bytes / 8; i += h->order ? 64 : 1)
		if (w[i] != h->mark + i)
			u->broken = "memory does not hold what was written to it";
}

static void keep(struct user *u, struct held h)
{
	if (!h.p)
		return;		/* no memory is an outcome */
	h.mark = ++u->marks << 20 ^ (uint64_t)(uintptr_t)u << 40;
	write_all(&h);
	u->held[u->nr++] = h;
}

static void take_one(struct user *u, slablab_cpu *cpu)
{
	static const char *const gfps[] = { NULL, "GFP_ATOMIC", "GFP_NOWAIT", "GFP_HIGHUSER_MOVABLE", "GFP_KERNEL|__GFP_DMA", "GFP_NOFS" };
	uint64_t what = rand_below(&u->rand, 10);
	uint16_t which = (uint16_t)rand_below(&u->rand, CACHES);
	struct held h = { .bytes = sizes[which], .cache = which + 1 };

	if (what < 5) {
		h.p = slablab_cache_alloc(cpu, u->caches[which]);
	} else if (what < 8) {
		h = (struct held){ .bytes = 8 + (uint32_t)rand_below(&u->rand, rand_below(&u->rand, 20) ? 3000 : 40000) };
		h.p = slablab_kmalloc(cpu, h.bytes);
	} else {
		unsigned int order = (unsigned int)rand_below(&u->rand, rand_below(&u->rand, 8) ? 2 : 5);

		h = (struct held){ .bytes = 4096u << order, .order = (uint16_t)(order + 1) };
		h.p = what == 8 ? slablab_alloc_pages(cpu, order, gfps[rand_below(&u->rand, ARRAY_SIZE(gfps))])
				: slablab_alloc_pages_mask(cpu, order, (unsigned int)rand_next(&u->rand) & ~(GFP_BIT_NOFAIL | GFP_BIT_RECLAIMABLE));
	}
	keep(u, h);
}

static void take_many(struct user *u, slablab_cpu *cpu)
{
	uint16_t which = (uint16_t)rand_below(&u->rand, CACHES);
	bool pages = !rand_below(&u->rand, 4);
	size_t n = 1 + rand_below(&u->rand, 40), got;
	void *p[40];

	got = pages ? slablab_alloc_pages_bulk(cpu, n, p) : slablab_cache_alloc_bulk(cpu, u->caches[which], n, p);
	if (!pages && got && got != n)
		u->broken = "a bulk call gave some of what was asked for";
	for (size_t i = 0; i < got; i++)
		keep(u, pages ? (struct held){ .p = p[i], .bytes = 4096, .order = 1 }
			      : (struct held){ .p = p[i], .bytes = sizes[which], .cache = which + 1 });
}

/* Some objects by way of a sheaf, which goes back. */
static void take_from_sheaf(struct user *u, slablab_cpu *cpu)
{
	uint16_t which = (uint16_t)rand_below(&u->rand, CACHES);
	size_t n = 1 + rand_below(&u->rand, 12);
	slablab_sheaf *sheaf = slablab_cache_prefill_sheaf(cpu, u->caches[which], n);

	if (!sheaf)
		return;
	for (size_t i = 0; i < n; i++) {
		void *p = slablab_cache_alloc_from_sheaf(cpu, sheaf);

		if (!p)
			u->broken = "a prefilled sheaf holds less than was asked for";
		keep(u, (struct held){ .p = p, .bytes = sizes[which], .cache = which + 1 });
	}
	if (!slablab_cache_refill_sheaf(cpu, &sheaf, 5) && slablab_sheaf_size(sheaf) < 5)
		u->broken = "a sheaf that was filled again holds less than was asked for";
	slablab_cache_return_sheaf(cpu, sheaf);
}

static void give_one(struct user *u, slablab_cpu *cpu, const struct held *h)
{
	read_all(u, h);
	if (h->order)
		slablab_free_pages(cpu, h->p, h->order - 1u);
	else if (!rand_below(&u->rand, 5))
		slablab_kfree_rcu(cpu, h->p);
	else if (h->cache && rand_below(&u->rand, 3))
		slablab_cache_free(cpu, u->caches[h->cache - 1], h->p);
	else
		slablab_kfree(cpu, h->p);
}

static void give_many(struct user *u, slablab_cpu *cpu)
{
	uint16_t which = (uint16_t)rand_below(&u->rand, 1 + CACHES);	/* 0: single pages */
	void *p[40];
	size_t n = 0;

	for (unsigned int i = u->nr; i-- > 0 && n < 40; )
		if (which ? u->held[i].cache == which : u->held[i].order == 1) {
			read_all(u, &u->held[i]);
			p[n++] = u->held[i].p;
			u->held[i] = u->held[--u->nr];
		}
	if (which)
		slablab_cache_free_bulk(cpu, u->caches[which - 1], n, p);
	else
		slablab_free_pages_bulk(cpu, n, p);
}

static void pass(struct user *u, slablab_cpu *cpu, unsigned int i)
{
	struct held *h = malloc(sizeof(*h));

	*h = u->held[i];
	u->held[i] = u->held[--u->nr];
	h = __atomic_exchange_n(&passed[rand_below(&u->rand, ARRAY_SIZE(passed))], h, __ATOMIC_ACQ_REL);
	if (h)
		give_one(u, cpu, h);
	free(h);
}

static void call(struct user *u, slablab_cpu *cpu)
{
	uint64_t what = rand_below(&u->rand, 1000);
	bool growing = u->calls++ / 3000 % 2 == 0;

	if (what < 10)
		slablab_kfree(cpu, what & 1 ? NULL : slablab_kmalloc(cpu, 0));
	else if (u->nr && (u->nr + 40 > KEPT || what < (growing ? 400u : 600u))) {
		unsigned int i = (unsigned int)rand_below(&u->rand, u->nr);
		struct held h = u->held[i];

		if (what % 20 == 0) {
			give_many(u, cpu);
		} else if (what % 4 == 1) {
			pass(u, cpu, i);
		} else {
			u->held[i] = u->held[--u->nr];
			give_one(u, cpu, &h);
		}
	} else if (what % 20 == 0) {
		take_many(u, cpu);
	} else if (what % 50 == 1) {
		take_from_sheaf(u, cpu);
	} else {
		take_one(u, cpu);
	}
}

/* Some calls as one CPU, then as another one; one that is taken is refused. */
static void *use(void *arg)
{
	struct user *u = arg;
	slablab_cpu *cpu = NULL;

	while (u->calls < less(CALLS) && !u->broken) {
		uint64_t turn = 1 + rand_below(&u->rand, 3000);

		cpu = slablab_bind(u->lab, (int)rand_below(&u->rand, THREADS + 2));
		while (cpu && turn-- && !u->broken)
			call(u, cpu);
		slablab_unbind(cpu);
	}
	while (!(cpu = slablab_bind(u->lab, (int)rand_below(&u->rand, THREADS + 2))))
		;
	while (u->nr)
		give_one(u, cpu, &u->held[--u->nr]);
	slablab_unbind(cpu);
	__atomic_add_fetch(&over, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* ---- the other side ---- */

static void run_some_commands(struct lab *lab, uint64_t *rand)
{
	static const char *const lines[] = {
		"lab check", "caches", "caches -v", "slabinfo", "buddyinfo", "pagetypeinfo", "zoneinfo", "pcp", "frag", "map", "meminfo", "vmstat",
		"stat latency", "why", "a = kmalloc 100 x20; kfree a", "b = alloc_pages 1 x5; free_pages b", "on all drain", "compact", "reclaim 10",
		"snapshot save s", "trace on; trace off", "stack alloc_slab; stack off", "lab clone twin; lab drop twin", "slabs A", "kmem_cache shrink A",
		"l = lru add file 20; lru touch l; free l", "sleep 2s", "lab info", "stores", "handles", "policy", "stat latency on; stat latency off", "get event.*",
	};
	const char *why = "", *line = lines[rand_below(rand, ARRAY_SIZE(lines))];

	/* programs write to their objects when they like, copy or no copy: a race by design */
	if (CPU_MARKS_ARE_LOCKS && (strstr(line, "clone") || strstr(line, "snapshot")))
		return;
	slablab_run(lab, line, &why);
}

static void disturb(struct lab *lab, uint64_t *rand)
{
	char buf[64];

	switch (rand_below(rand, 12)) {
	case 0:
	case 1:
		run_some_commands(lab, rand);
		break;
	case 2:
		must_hold(lab);
		break;
	case 3:
		slablab_trim(lab);
		break;
	case 4:
		slablab_get(lab, "cache.A.objects", buf, sizeof(buf));
		slablab_get(lab, "event.alloc_fastpath", buf, sizeof(buf));
		break;
	default:
		draw_switch(lab, rand);
	}
}

/* Commands print; this is no place for what they say. */
static int hush(void)
{
	int out = dup(1), null = open("/dev/null", O_WRONLY);

	fflush(stdout);
	dup2(null, 1);
	close(null);
	return out;
}

static void unhush(int out)
{
	fflush(stdout);
	dup2(out, 1);
	close(out);
}

static void at_work(const char *shape, uint64_t seed)
{
	static struct user users[THREADS];
	const char *const names[CACHES] = { "A", "B", "C", "D", "E" }, *const flags[CACHES] = { NULL, "hwcache", "rcu", "account", NULL };
	slablab_cache *caches[CACHES];
	pthread_t threads[THREADS];
	const char *why = "";
	slablab *lab = slablab_new(shape, &why);
	uint64_t rand = seed;
	int out;

	now_seed = seed;
	now_shape = shape;
	over = 0;
	for (unsigned int i = 0; i < CACHES; i++)
		caches[i] = slablab_cache_create(lab, names[i], sizes[i], 0, flags[i], &why);
	for (unsigned int i = 0; i < THREADS; i++) {
		users[i] = (struct user){ .lab = lab, .caches = caches, .rand = seed * 10 + i };
		assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
	}
	out = hush();
	while (__atomic_load_n(&over, __ATOMIC_ACQUIRE) < THREADS) {
		struct timespec pause = { 0, 300000 };

		disturb(lab, &rand);
		nanosleep(&pause, NULL);
	}
	unhush(out);
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		if (users[i].broken)
			broken(users[i].broken);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(passed); i++)
		if (passed[i]) {
			slablab_cpu *cpu = slablab_bind(lab, 0);

			give_one(&users[0], cpu, passed[i]);
			slablab_unbind(cpu);
			free(passed[i]);
			passed[i] = NULL;
		}
	must_hold(lab);
	for (unsigned int i = 0; i < CACHES; i++)
		if (slablab_cache_destroy(caches[i]))
			broken(fail_why());
	/* frees without a name may have been counted for another cache of the same store */
	nothing_is_left(&(struct storm){ .lab = lab, .loose = true }, NULL, 0);
	slablab_drop(lab);
}

static void programs_do_not_mind_what_is_switched(void **state)
{
	uint64_t first = setting("SLABLAB_TEST_SEED", 1);

	(void)state;
	for (uint64_t n = 0; n < setting("SLABLAB_TEST_LONG", 1); n++) {
		at_work("mem=64M,cpus=6", first + 2 * n);
		at_work("mem=64M,cpus=6,nodes=2", first + 2 * n + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_do_not_mind_what_is_switched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
