/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiet - what a storm begins with, and what must be true of a lab once it is over.
 *
 * Everything that was taken was given back: then no count, no store and no
 * page may say otherwise. What fails names the seed of the storm.
 */
#ifndef TESTS_QUIET_H
#define TESTS_QUIET_H

#include <stdlib.h>

#include "draw.h"
#include "things.h"

#include "page/lru.h"
#include "page/pageblock.h"

static inline uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value && atoll(value) > 0 ? (uint64_t)atoll(value) : otherwise;
}

/* Wherever something is slow, fewer of it. */
static inline uint64_t less(uint64_t n)
{
	return n / setting("SLABLAB_TEST_EVERY", 1);
}

static uint64_t now_seed;	/* named by what fails */
static const char *now_shape;

static inline void broken(const char *what)
{
	fail_msg("seed %llu, %s: %s", (unsigned long long)now_seed, now_shape, what);
}

static inline void must_hold(struct lab *lab)
{
	if (lab_check(lab))
		broken(fail_why());
}

/* ---- caches ---- */

static inline struct cache_request draw_request(uint64_t *rand, char name[16])
{
	static const uint32_t flags[] = { CF_HWCACHE, CF_RCU, CF_ACCOUNT, CF_RECLAIM, CF_DMA, CF_NOLEAK, CF_POISON, CF_REDZONE,
					  CF_USER, CF_CONSIST, CF_TRACE, CF_SPREAD, CF_NOMERGE, CF_FAILSLAB };
	static const uint32_t sizes[] = { 8, 24, 64, 64, 192, 192, 200, 256, 700, 1024, 2048, 4096, 5000, 9000 };
	struct cache_request rq = { .name = name, .size = sizes[rand_below(rand, ARRAY_SIZE(sizes))] };

	if (!rand_below(rand, 3))
		rq.size = 1 + rand_below(rand, 3000);
	if (!rand_below(rand, 4))
		rq.align = 1ULL << rand_below(rand, 8);
	while (!rand_below(rand, 3))
		rq.flags |= flags[rand_below(rand, ARRAY_SIZE(flags))];
	rq.usersize = rand_below(rand, 8) ? 0 : rand_below(rand, rq.size);
	rq.ctor = !rand_below(rand, 8);
	rq.merge = rand_below(rand, 6) ? MERGE_AUTO : MERGE_OFF;
	rq.engine = rand_below(rand, 3) ? 0 : 1 + (int)rand_below(rand, 4);
	rq.sheaf_capacity = rand_below(rand, 4) ? 0 : 1 + (int)rand_below(rand, 60);
	return rq;
}

static inline void fill_slot(struct storm *s, uint64_t *rand, unsigned int i)
{
	char name[16];
	struct cache_request rq = draw_request(rand, name);
	uint32_t id;
	int ret;

	snprintf(name, sizeof(name), "t%u", i);
	ret = op_cache_create(s->lab, &rq, &id);
	if (ret && ret != -ENOMEM)
		broken(fail_why());
	if (ret)
		return;
	s->slot[i].bytes = (uint32_t)rq.size;
	__atomic_store_n(&s->slot[i].id, id, __ATOMIC_SEQ_CST);
}

/* -EBUSY where the cache is kept for its objects. */
static inline int destroy(struct storm *s, uint32_t id)
{
	struct op op = { .kind = OP_CACHE_DESTROY, .cache = id };
	struct op_result r;

	while (!op_cpu_is_online(s->lab, op.cpu))
		op.cpu++;
	return op_run(s->lab, &op, &r);
}

/* ---- what must be true of a quiet lab ---- */

static inline uint64_t all_objects(struct lab *lab)
{
	uint32_t cursor = 0, id;
	uint64_t sum = 0;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		sum += cache_objects(lab, id);
	return sum;
}

/* Engine slab keeps the indexes of some slabs in objects of kmalloc. */
static inline uint64_t own_objects(struct lab *lab)
{
	uint32_t cursor = 0, store;
	uint64_t sum = 0;

	while ((store = store_next(lab, &cursor))) {
		struct store_figures f;

		store_figures(lab, store, &f);
		sum += f.management && !strcmp(f.management, "off-slab") ? f.slabs : 0;
	}
	return sum;
}

/* Cached objects that shrinkers freed meanwhile; slot < 0: of any. */
static inline uint32_t shrunk(struct lab *lab, const struct player *players, unsigned int nr, int slot)
{
	struct cached_place place;
	uint32_t gone = 0;

	for (unsigned int i = 0; i < nr; i++)
		for (unsigned int k = 0; k < players[i].nr; k++) {
			const struct thing *t = &players[i].live[k];

			gone += t->kind == THING_CACHED && (slot < 0 || t->slot == slot + 1) &&
				!cached_place(lab, t->off, &place) && !place.off;
		}
	return gone;
}

/* Users of a slot that are no objects. */
static inline uint32_t sheaves_of(unsigned int slot, const struct player *players, unsigned int nr)
{
	uint32_t sheaves = 0;

	for (unsigned int i = 0; i < nr; i++)
		for (unsigned int t = 0; t < players[i].nr; t++)
			sheaves += players[i].live[t].kind == THING_SHEAF && players[i].live[t].slot == slot + 1;
	return sheaves;
}

static inline void counts_are_exact(struct storm *s, struct player *players, unsigned int nr)
{
	uint64_t out;

	op_sleep(s->lab, 0);	/* grace periods end: nobody is in an op */
	out = own_objects(s->lab) - shrunk(s->lab, players, nr, -1);
	for (unsigned int i = 0; i < nr; i++)
		out += players[i].allocs - players[i].frees;
	if (!s->loose && all_objects(s->lab) != out)
		fail_msg("seed %llu: caches count %llu objects, %llu are out", (unsigned long long)now_seed,
			 (unsigned long long)all_objects(s->lab), (unsigned long long)out);
	for (unsigned int i = 0; i < SLOTS && !s->loose; i++)
		if (s->slot[i].id && cache_objects(s->lab, s->slot[i].id) !=
				     s->slot[i].users - shrunk(s->lab, players, nr, (int)i) - sheaves_of(i, players, nr))
			fail_msg("seed %llu: cache t%u counts %llu objects, %u are out", (unsigned long long)now_seed, i,
				 (unsigned long long)cache_objects(s->lab, s->slot[i].id), s->slot[i].users);
}

/* Nobody did anything wrong, so debugging found nothing but what it was told to print. */
static inline void debugging_is_silent(struct lab *lab)
{
	for (unsigned int m = 0; m < DEBUG_MESSAGE_NR; m++)
		if (m != DEBUG_trace_alloc && m != DEBUG_trace_free && m != DEBUG_remaining && m != DEBUG_still_used &&
		    m != DEBUG_cannot_free && m != DEBUG_shortage &&
		    debug_errors(lab, m))
			fail_msg("seed %llu: debugging reports \"%s\"", (unsigned long long)now_seed, debug_messages[m].text);
}

static inline void stores_are_empty(struct lab *lab)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor))) {
		struct store_figures f;

		store_figures(lab, store, &f);
		if (f.state != STORE_ACTIVE || f.slabs || f.pages)
			fail_msg("seed %llu: store %llu of %s has %llu slabs%s with nothing out", (unsigned long long)now_seed,
				 (unsigned long long)f.serial, f.name, (unsigned long long)f.slabs,
				 f.state == STORE_DRAINING ? " and drains" : "");
	}
}

static inline void pages_are_back(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;

		zone_figures(lab, i, true, &z);
		if (z.free != z.managed)
			fail_msg("seed %llu: %llu of zone %u's %llu pages are missing", (unsigned long long)now_seed,
				 (unsigned long long)(z.managed - z.free), i, (unsigned long long)z.managed);
		/* pageblocks that were set aside merge with the next free, and there is none */
		for (unsigned int o = 0; o < (lab->zones[i].unreserved ? pageblock_order(lab) : MAX_PAGE_ORDER); o++)
			if (z.nr_free[o] > 1 + (z.managed >> MAX_PAGE_ORDER << MAX_PAGE_ORDER != z.managed))
				fail_msg("seed %llu: zone %u has %llu blocks of order %u that did not merge", (unsigned long long)now_seed, i,
					 (unsigned long long)z.nr_free[o], o);
	}
}

/* All that was taken was given back: every count and every page says so. */
static inline void nothing_is_left(struct storm *s, struct player *players, unsigned int nr)
{
	struct lab *lab = s->lab;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		op_cpu_online(lab, i, true);
	counts_are_exact(s, players, nr);
	for (unsigned int i = 0; i < SLOTS; i++)
		if (s->slot[i].id && destroy(s, s->slot[i].id))
			broken(fail_why());
	draw_nothing(lab);
	if (op_set(lab, "buddy.highatomic", "off") || op_set(lab, "slab.engine", "slub"))
		broken(fail_why());
	must_hold(lab);
	op_trim(lab);
	debugging_is_silent(lab);
	stores_are_empty(lab);
	assert_int_equal(reclaim_head(lab)->resident + reclaim_head(lab)->evicted, 0);
	pages_are_back(lab);
	must_hold(lab);
}

#endif
