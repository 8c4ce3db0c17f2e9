/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * things - what a storm holds of a lab: objects, blocks, prefilled sheaves and pages of a filler.
 *
 * Idea. A player allocates and frees at random, one by one and in bulk, by any
 * route. Every word of a thing is written when it is given out and read back
 * at its free, so memory that is given out twice, or written to by anybody
 * else, is found. A page of a filler keeps its content when compaction moves
 * it, which is read back too where nobody else may evict it meanwhile.
 *
 * The same player plays all CPUs of a stepped lab, or one on its own thread:
 * `run` says how. Caches stand in slots that all players share; a slot is kept
 * from being emptied while it has users: objects out, or a player who is about
 * to allocate.
 *
 * Errors. Players only note what is wrong (player_broke()); the test fails.
 */
#ifndef TESTS_THINGS_H
#define TESTS_THINGS_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/rand.h"
#include "op/op.h"
#include "page/read.h"
#include "slab/read.h"
#include "test_lab.h"

#define SLOTS 16u
#define LIVE 2500u
#define BULK 64u

enum thing_kind { THING_NONE, THING_OBJECT, THING_LARGE, THING_PAGES, THING_LRU, THING_CACHED, THING_SHEAF };	/* CACHED: an object that reclaim may free, off: its entry */

struct thing {
	uint64_t off, mark;	/* mark: what is written all over it */
	uint32_t bytes, cache;	/* cache: asked under, 0: no longer there */
	uint8_t kind, order;
	uint8_t slot;		/* + 1; 0: of none */
	bool painted;
};

struct slot {
	uint32_t id;		/* of the cache; 0: nobody may begin to use it */
	uint32_t users, bytes;
};

struct storm {
	struct lab *lab;
	struct slot slot[SLOTS];
	bool loose;		/* frees may be anonymous, caches go with objects out: counts by name are sums then */
};

struct player {
	struct storm *s;
	struct cpu *cpu;	/* NULL: all of them, stepped */
	int (*run)(struct player *p, struct op *op, struct op_result *r);
	uint64_t rand, marks;
	uint64_t allocs, frees;	/* objects of caches */
	uint64_t most_pages;	/* held at once */
	uint64_t pages;
	unsigned int nr;
	struct thing live[LIVE];
	char broken[200];	/* what went wrong first, "": nothing */
};

static inline void player_broke(struct player *p, const struct thing *t, const char *what)
{
	static const char *const kinds[] = { "nothing", "object", "large object", "block", "filler's page", "cached object", "sheaf" };

	if (!p->broken[0])
		snprintf(p->broken, sizeof(p->broken), "%s of %u bytes at %#llx (slot %d): %s", kinds[t->kind], t->bytes,
			 (unsigned long long)t->off, t->slot - 1, what);
}

/* ---- content ---- */

/* Where the bytes are; NULL: in no page just now. */
static inline uint8_t *thing_memory(struct player *p, const struct thing *t)
{
	struct lru_place place;
	struct cached_place cached;

	if (t->kind == THING_CACHED)
		return cached_place(p->s->lab, t->off, &cached) || !cached.off ? NULL : p->s->lab->base + cached.off;
	if (t->kind != THING_LRU)
		return p->s->lab->base + t->off;
	if (p->cpu || lru_place(p->s->lab, t->off, &place) || !place.resident)
		return NULL;
	return p->s->lab->base + p->s->lab->arena_off + ((uint64_t)place.pfn << PAGE_SHIFT);
}

/* Blocks are only sampled: they are long. */
static inline uint32_t thing_step(const struct thing *t)
{
	return t->kind == THING_OBJECT || t->kind == THING_CACHED ? 8 : t->bytes > 65536 ? 4096 : 512;
}

static inline uint64_t thing_word(const struct thing *t, uint32_t i)
{
	return (t->mark + i) * 0x9e3779b97f4a7c15ULL;
}

static inline void thing_paint(struct player *p, struct thing *t)
{
	uint8_t *at = thing_memory(p, t);

	t->painted = at != NULL;
	if (!at)
		return;
	for (uint32_t i = 0, step = thing_step(t); i < t->bytes; i += step) {
		uint64_t word = thing_word(t, i);

		memcpy(at + i, &word, t->bytes - i < 8 ? t->bytes - i : 8);
	}
}

static inline void thing_read_back(struct player *p, const struct thing *t)
{
	const uint8_t *at = t->painted ? thing_memory(p, t) : NULL;

	for (uint32_t i = 0, step = thing_step(t); at && i < t->bytes; i += step) {
		uint64_t word = thing_word(t, i);

		if (memcmp(at + i, &word, t->bytes - i < 8 ? t->bytes - i : 8)) {
			player_broke(p, t, "does not hold what was written to it");
			return;
		}
	}
}

/* ---- slots ---- */

/* A cache to allocate from; its slot is in use until slot_put(). NULL: the slot drawn is empty. */
static inline struct slot *slot_get(struct player *p, uint32_t *id)
{
	struct slot *slot = &p->s->slot[rand_below(&p->rand, SLOTS)];

	__atomic_add_fetch(&slot->users, 1, __ATOMIC_SEQ_CST);
	*id = __atomic_load_n(&slot->id, __ATOMIC_SEQ_CST);
	if (*id)
		return slot;
	__atomic_sub_fetch(&slot->users, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static inline void slot_put(struct slot *slot)
{
	__atomic_sub_fetch(&slot->users, 1, __ATOMIC_SEQ_CST);
}

/* ---- allocation ---- */

static inline uint32_t random_gfp(struct player *p)
{
	static const uint32_t gfps[] = {
		GFP_KERNEL, GFP_KERNEL, GFP_KERNEL, GFP_ATOMIC, GFP_NOWAIT, GFP_NOFS, GFP_HIGHUSER_MOVABLE, GFP_KERNEL_ACCOUNT,
		GFP_KERNEL | GFP_BIT_RECLAIMABLE, GFP_KERNEL | GFP_BIT_DMA, GFP_KERNEL | GFP_BIT_ZERO, GFP_TRANSHUGE_LIGHT,
		GFP_KERNEL | GFP_BIT_NORETRY, GFP_KERNEL | GFP_BIT_RETRY_MAYFAIL, GFP_KERNEL | GFP_BIT_MEMALLOC,
		GFP_KERNEL | GFP_BIT_NOMEMALLOC, GFP_KERNEL | GFP_BIT_THISNODE, GFP_KERNEL | GFP_BIT_COLD, GFP_KERNEL | GFP_DMA32,
	};
	uint32_t any = (uint32_t)rand_next(&p->rand) & ~(uint32_t)GFP_BIT_NOFAIL;

	return rand_below(&p->rand, 40) || !gfp_is_valid(any) ? gfps[rand_below(&p->rand, ARRAY_SIZE(gfps))] : any;
}

/* Of caches only what kmem_cache_alloc() takes; what a zone or a type is asked for is the cache's. */
static inline uint32_t object_gfp(struct player *p)
{
	static const uint32_t gfps[] = { GFP_KERNEL, GFP_KERNEL, GFP_KERNEL, GFP_ATOMIC, GFP_NOWAIT, GFP_NOFS };

	return gfps[rand_below(&p->rand, ARRAY_SIZE(gfps))];
}

static inline void player_keep(struct player *p, struct thing t)
{
	t.mark = ++p->marks << 16 ^ (uint64_t)(uintptr_t)p;
	if (!t.off || p->nr == LIVE) {
		player_broke(p, &t, "was given out without an address");
		return;
	}
	if (t.kind == THING_OBJECT)
		p->allocs++;
	else
		p->pages += (t.bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	thing_paint(p, &t);
	p->live[p->nr++] = t;
}

/* What may be told of a request and is no mistake: that runs are to stop when memory has run out. */
static inline bool is_wrong(const struct op_result *r)
{
	return r->findings & ~FINDING_RAN_OUT;
}

/* No memory is an outcome; any other refusal is not. */
static inline bool got_it(struct player *p, struct op *op, struct op_result *r, const struct thing *t)
{
	int ret = p->run(p, op, r);

	if (ret && ret != -ENOMEM && ret != -ENOSPC)
		player_broke(p, t, fail_why());
	else if (is_wrong(r))
		player_broke(p, t, "an allocation was found wrong");
	return !ret;
}

/* What the op gives of a slot's cache; the slot is in use by it, or by nobody if there was nothing. */
static inline void keep_of_slot(struct player *p, struct slot *slot, struct op *op, struct thing t)
{
	struct op_result r;

	t.cache = op->cache;
	t.slot = (uint8_t)(slot - p->s->slot + 1);
	if (!got_it(p, op, &r, &t)) {
		slot_put(slot);
		return;
	}
	t.off = r.off;
	player_keep(p, t);
}

static inline void take_object(struct player *p)
{
	struct thing t = { .kind = THING_OBJECT };
	struct op op = { .kind = OP_CACHE_ALLOC, .gfp = object_gfp(p), .node = -1 };
	struct slot *slot = slot_get(p, &op.cache);

	if (!slot)
		return;
	if (!rand_below(&p->rand, 8))
		op.node = (int32_t)rand_below(&p->rand, p->s->lab->nr_nodes);
	t.bytes = slot->bytes;
	keep_of_slot(p, slot, &op, t);
}

static inline void take_bulk(struct player *p)
{
	uint64_t vec[BULK];
	struct thing t = { .kind = THING_OBJECT };
	struct op op = { .kind = OP_CACHE_ALLOC_BULK, .gfp = object_gfp(p), .node = -1, .vec = vec };
	struct slot *slot = slot_get(p, &op.cache);
	struct op_result r;

	if (!slot)
		return;
	op.n = 1 + rand_below(&p->rand, slot->bytes > 2048 ? 6 : BULK);
	t.bytes = slot->bytes;
	t.cache = op.cache;
	t.slot = (uint8_t)(slot - p->s->slot + 1);
	if (got_it(p, &op, &r, &t)) {
		__atomic_add_fetch(&slot->users, (uint32_t)op.n, __ATOMIC_SEQ_CST);
		for (uint64_t i = 0; i < op.n; i++) {
			t.off = vec[i];
			player_keep(p, t);
		}
	}
	slot_put(slot);
}

static inline void take_bytes(struct player *p)
{
	static const uint32_t mosts[] = { 100, 1000, 1000, 9000, 9000, 40000 };
	struct op op = { .kind = OP_KMALLOC, .gfp = random_gfp(p), .node = -1 };
	struct thing t = { .kind = THING_OBJECT };
	struct op_result r;

	op.size = t.bytes = 1 + (uint32_t)rand_below(&p->rand, mosts[rand_below(&p->rand, ARRAY_SIZE(mosts))]);
	if (!got_it(p, &op, &r, &t))
		return;
	t.off = r.off;
	t.cache = r.cache;
	if (!r.cache)
		t.kind = THING_LARGE;
	player_keep(p, t);
}

static inline void take_block(struct player *p)
{
	uint64_t what = rand_below(&p->rand, 100);
	struct op op = { .kind = OP_ALLOC_PAGES, .gfp = random_gfp(p), .node = (int32_t)rand_below(&p->rand, p->s->lab->nr_nodes + 1) - 1 };
	struct thing t = { .kind = THING_PAGES };
	struct op_result r;

	op.order = t.order = (uint8_t)(what < 50 ? 0 : what < 93 ? rand_below(&p->rand, 4) : rand_below(&p->rand, NR_PAGE_ORDERS));
	t.bytes = (uint32_t)PAGE_SIZE << t.order;
	if (!got_it(p, &op, &r, &t))
		return;
	t.off = r.off;
	player_keep(p, t);
}

static inline void take_pages(struct player *p)
{
	uint64_t vec[BULK];
	struct op op = { .kind = OP_ALLOC_PAGES_BULK, .gfp = random_gfp(p), .node = -1, .n = 1 + rand_below(&p->rand, BULK), .vec = vec };
	struct thing t = { .kind = THING_PAGES, .bytes = PAGE_SIZE };
	struct op_result r;

	if (!got_it(p, &op, &r, &t))
		return;
	for (uint64_t i = 0; i < r.got; i++) {
		t.off = vec[i];
		player_keep(p, t);
	}
}

static inline void take_filler(struct player *p)
{
	struct op op = { .kind = OP_LRU_ADD, .gfp = GFP_HIGHUSER_MOVABLE, .node = -1, .size = rand_below(&p->rand, 4) };
	struct thing t = { .kind = THING_LRU, .bytes = PAGE_SIZE };
	struct op_result r;

	for (unsigned int i = (unsigned int)rand_below(&p->rand, 20); i && p->nr + 1 < LIVE && got_it(p, &op, &r, &t); i--) {
		t.off = r.off;
		player_keep(p, t);
	}
}

/* Not painted: it has no bytes of its own. */
static inline void take_sheaf(struct player *p)
{
	struct thing t = { .kind = THING_SHEAF };
	struct op op = { .kind = OP_SHEAF_PREFILL, .gfp = object_gfp(p), .node = -1 };
	struct slot *slot = slot_get(p, &op.cache);

	if (!slot)
		return;
	op.n = 1 + rand_below(&p->rand, 20);
	keep_of_slot(p, slot, &op, t);
}

/* An object of a sheaf, or the sheaf filled again. An empty one gives nothing, which is no memory. */
static inline void use_sheaf(struct player *p, struct thing *sheaf)
{
	struct op op = { .kind = OP_SHEAF_ALLOC, .off = sheaf->off, .gfp = object_gfp(p), .node = -1 };
	struct slot *slot = &p->s->slot[sheaf->slot - 1];
	struct thing t = { .kind = THING_OBJECT, .cache = sheaf->cache, .slot = sheaf->slot, .bytes = slot->bytes };
	struct op_result r;

	if (!rand_below(&p->rand, 5)) {
		op.kind = OP_SHEAF_REFILL;
		op.count = 1 + (uint32_t)rand_below(&p->rand, 30);
		if (got_it(p, &op, &r, sheaf))
			sheaf->off = r.off;
		return;
	}
	if (!got_it(p, &op, &r, &t))
		return;
	__atomic_add_fetch(&slot->users, 1, __ATOMIC_SEQ_CST);
	t.off = r.off;
	player_keep(p, t);
}

/* ---- touching, freeing ---- */

static inline void touch(struct player *p)
{
	struct thing *t = &p->live[rand_below(&p->rand, p->nr)];
	struct op op = { .kind = OP_LRU_TOUCH, .off = t->off, .node = -1 };
	struct op_result r;

	thing_read_back(p, t);
	if (t->kind == THING_SHEAF && t->slot && p->nr < LIVE)
		use_sheaf(p, t);
	if (t->kind == THING_CACHED && !t->cache)
		return;		/* its cache is gone, and it may be */
	if ((t->kind != THING_LRU && t->kind != THING_CACHED) || !got_it(p, &op, &r, t))
		return;
	if (r.got || !t->painted)
		thing_paint(p, t);
}

/* Nobody uses it any more, but it stays until memory is short. Stepped only: entries are given out in a stop. */
static inline void shelve(struct player *p)
{
	struct thing *t = &p->live[rand_below(&p->rand, p->nr)];
	struct op op = { .kind = OP_LRU_CACHE, .off = t->off, .cache = t->cache, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r;

	if (p->cpu || t->kind != THING_OBJECT || !t->cache || p->run(p, &op, &r))
		return;
	t->kind = THING_CACHED;
	t->off = r.off;
}

/* It is the caller's now, no longer the player's. */
static inline struct thing player_lose(struct player *p, unsigned int i)
{
	struct thing t = p->live[i];

	thing_read_back(p, &t);
	if (t.kind != THING_OBJECT && t.kind != THING_CACHED)
		p->pages -= (t.bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	p->live[i] = p->live[--p->nr];
	return t;
}

static inline void thing_freed(struct player *p, const struct thing *t, struct op *op)
{
	struct op_result r;

	int ret = p->run(p, op, &r);

	if (ret == -ENOMEM && (op->kind == OP_KFREE_RCU || op->kind == OP_CACHE_FREE_RCU)) {
		op->kind = op->kind == OP_KFREE_RCU ? OP_KFREE : OP_CACHE_FREE;	/* no side memory to wait in */
		ret = p->run(p, op, &r);
	}
	if (ret)
		player_broke(p, t, fail_why());
	if (is_wrong(&r))
		player_broke(p, t, "its free was found wrong");
	if (t->kind == THING_OBJECT)
		p->frees++;
	if (t->slot)
		slot_put(&p->s->slot[t->slot - 1]);
}

static inline void give(struct player *p, const struct thing *t)
{
	struct op op = { .off = t->off, .owner = t->cache, .order = t->order, .kind = OP_KFREE };

	if (t->kind == THING_PAGES) {
		op.kind = OP_FREE_PAGES;
	} else if (t->kind == THING_LRU) {
		op.kind = OP_LRU_DROP;
	} else if (t->kind == THING_SHEAF) {
		op.kind = OP_SHEAF_RETURN;
		op.gfp = object_gfp(p);
	} else if (t->slot && t->cache && rand_next(&p->rand) & 1) {
		op.kind = OP_CACHE_FREE;
		op.cache = t->cache;
	} else if (p->s->loose && rand_next(&p->rand) & 1) {
		op.owner = 0;
	}
	if ((op.kind == OP_KFREE || op.kind == OP_CACHE_FREE) && !rand_below(&p->rand, 5))
		op.kind = op.kind == OP_KFREE ? OP_KFREE_RCU : OP_CACHE_FREE_RCU;
	thing_freed(p, t, &op);
}

/* Things that one call can free: objects of one cache, or of any where nobody minds, or single pages. */
static inline bool goes_with(const struct player *p, const struct thing *t, const struct thing *first)
{
	if (first->kind == THING_PAGES)
		return t->kind == THING_PAGES && !t->order;
	if (first->kind != THING_OBJECT)
		return false;
	return t->kind == THING_OBJECT && ((first->slot && first->cache && t->slot == first->slot) || (!first->cache && p->s->loose));
}

static inline void give_bulk(struct player *p)
{
	uint64_t vec[BULK];
	uint8_t slots[BULK];
	unsigned int i = (unsigned int)rand_below(&p->rand, p->nr), most = 1 + (unsigned int)rand_below(&p->rand, BULK), nr = 0;
	struct thing first = p->live[i];
	struct op op = { .kind = OP_CACHE_FREE_BULK, .cache = first.cache, .vec = vec };
	struct op_result r;

	if (p->s->loose && rand_next(&p->rand) & 1)
		first.cache = op.cache = 0;
	if (first.kind == THING_PAGES)
		op.kind = OP_FREE_PAGES_LIST;
	for (unsigned int n = 0; n < 3 * BULK && op.n < most && p->nr; n++, i = i ? i - 1 : p->nr - 1) {
		struct thing t;

		if (i >= p->nr || !goes_with(p, &p->live[i], &first))
			continue;
		t = player_lose(p, i);
		vec[op.n++] = t.off;
		p->frees += t.kind == THING_OBJECT;
		if (t.slot)
			slots[nr++] = t.slot;
	}
	if (op.n && (p->run(p, &op, &r) || is_wrong(&r)))
		player_broke(p, &first, is_wrong(&r) ? "a bulk free was found wrong" : fail_why());
	while (nr)
		slot_put(&p->s->slot[slots[--nr] - 1]);
}

/* Off the shelf, if a shrinker left it there. False: it did not. */
static inline bool unshelve(struct player *p, struct thing *t)
{
	struct op op = { .kind = OP_LRU_UNCACHE, .off = t->off, .node = -1 };
	struct op_result r;

	if (p->run(p, &op, &r))
		player_broke(p, t, fail_why());
	t->kind = THING_OBJECT;
	t->off = r.off;
	if (r.off)
		return true;
	p->frees++;
	if (t->slot)
		slot_put(&p->s->slot[t->slot - 1]);
	return false;
}

static inline void give_any(struct player *p)
{
	struct thing t = player_lose(p, (unsigned int)rand_below(&p->rand, p->nr));

	if (t.kind == THING_CACHED && !unshelve(p, &t))
		return;
	give(p, &t);
}

static inline void give_all(struct player *p)
{
	while (p->nr)
		give_any(p);
}

/* ---- a step ---- */

static inline void tidy(struct player *p)
{
	struct op op = { .kind = OP_DRAIN, .node = -1 };
	struct op_result r;
	struct thing none = { .kind = THING_NONE };

	switch (rand_below(&p->rand, 8)) {
	case 0:
		op.kind = OP_COMPACT;
		break;
	case 1:
	case 2:
		op.kind = OP_RECLAIM;
		op.n = 1 + rand_below(&p->rand, 100);
		break;
	default:
		break;
	}
	if (p->run(p, &op, &r))
		player_broke(p, &none, fail_why());
}

/* One random act; in a phase of growth more is taken than given. */
static inline void player_step(struct player *p, bool growing)
{
	uint64_t what = rand_below(&p->rand, 1000);
	bool full = p->nr + BULK >= LIVE || p->pages > p->most_pages;

	if (what < 4)
		tidy(p);
	else if (what < 60 && p->nr)
		what % 3 ? touch(p) : shelve(p);
	else if (p->nr && (full || what < (growing ? 430u : 600u)))
		what % 12 ? give_any(p) : give_bulk(p);
	else if (full)
		give_any(p);
	else if (what < 800)
		what % 16 == 1 ? take_sheaf(p) : what % 16 ? take_object(p) : take_bulk(p);
	else if (what < 900)
		take_bytes(p);
	else if (what < 980)
		take_block(p);
	else
		what % 3 ? take_filler(p) : take_pages(p);
}

#endif
