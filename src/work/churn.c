/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * churn - objects of random sizes that live for random times, over several caches.
 *
 * Each allocation draws a cache (or, with pages=, a block of pages) and a
 * lifetime, counted in allocations of its CPU: any power of two up to life= is
 * as likely as another, so most die young and a few live long, as in a kernel.
 * What is due is freed before the next allocation. After about life=
 * allocations a CPU holds life / ln(life) of them on average, and goes on so.
 *
 * Who dies when lies in a wheel of lists, one a moment, threaded through the slots.
 */
#include <errno.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/fail.h"
#include "work/workload.h"

#define NONE UINT32_MAX
#define PAGE_ORDERS 4		/* of blocks: 0 .. 3 */

struct churn {
	uint64_t now, moments;		/* moments: of the wheel, a power of two */
	uint32_t *due;			/* first slot that is due at a moment */
	uint32_t *next;			/* of the same moment, or free */
	uint32_t free;
	uint32_t life;			/* of the allocation under way */
	uint64_t most, pages;		/* keys life= and pages= */
};

static int churn_prepare(struct run *run)
{
	uint64_t min = run_key(run, "min"), max = run_key(run, "max"), caches = run_key(run, "caches");
	uint64_t rand = caches ^ min << 20 ^ max << 40;	/* the same caches for the same keys, whatever the seed */

	if (min > max)
		return fail(EINVAL, "min=%llu is more than max=%llu", (unsigned long long)min, (unsigned long long)max);
	for (uint64_t i = 0; i < caches; i++) {
		uint64_t from = min + (max - min) * i / caches, to = min + (max - min) * (i + 1) / caches;
		uint32_t bytes = (uint32_t)(from + rand_below(&rand, to - from + 1)) & ~7U;
		char name[32];
		int ret;

		bytes = bytes < 8 ? 8 : bytes;
		snprintf(name, sizeof(name), "churn-%u", bytes);
		ret = run_cache(run, name, bytes);
		if (ret)
			return ret;
	}
	return 0;
}

static int churn_prepare_cpu(struct run *run, struct work_cpu *w)
{
	uint64_t life = run_key(run, "life");
	struct churn *c = run_alloc(run, sizeof(*c));

	if (!c)
		return -ENOMEM;
	w->own = c;
	c->most = life;
	c->pages = run_key(run, "pages");
	c->moments = 1ULL << fls(life);
	c->due = run_alloc(run, c->moments * sizeof(*c->due));
	c->next = run_alloc(run, (life + 1) * sizeof(*c->next));
	if (!c->due || !c->next || run_slots(run, w, life + 1))
		return -ENOMEM;
	for (uint64_t i = 0; i < c->moments; i++)
		c->due[i] = NONE;
	for (uint32_t i = 0; i <= life; i++)
		c->next[i] = i == life ? NONE : i + 1;
	return 0;
}

static void churn_free(const struct member *m, struct op *op)
{
	op->kind = m->kind == MEMBER_PAGES ? OP_FREE_PAGES : OP_CACHE_FREE;
}

static void churn_pages(struct work_cpu *w, struct op *op)
{
	static const uint32_t gfp[] = { GFP_KERNEL, GFP_HIGHUSER_MOVABLE, GFP_KERNEL | GFP_BIT_RECLAIMABLE };

	op->kind = OP_ALLOC_PAGES;
	op->order = (uint8_t)rand_below(&w->rand, PAGE_ORDERS);
	op->gfp = gfp[rand_below(&w->rand, ARRAY_SIZE(gfp))];
}

static void churn_object(struct work_cpu *w, struct op *op)
{
	const struct run_caches *caches = run_caches(w->run);

	op->kind = OP_CACHE_ALLOC;
	op->gfp = GFP_KERNEL;
	op->cache = caches->id[rand_below(&w->rand, caches->nr)];
}

/* From 1 to `most`, every power of two as likely as another. */
static uint32_t draw_life(uint64_t *rand, uint64_t most)
{
	uint64_t top = 1ULL << rand_below(rand, fls(most)), life = top + rand_below(rand, top);

	return (uint32_t)min_u64(life, most);
}

static bool churn_next(struct work_cpu *w, struct op *op)
{
	struct churn *c = w->own;
	uint32_t due = c->due[c->now & (c->moments - 1)];

	if (due != NONE) {
		w->at = due;
		churn_free(&w->slot[due], op);
		return true;
	}
	w->at = c->free;	/* never NONE: what lives was allocated in the last life= moments */
	c->life = draw_life(&w->rand, c->most);
	if (rand_below(&w->rand, 100) < c->pages)
		churn_pages(w, op);
	else
		churn_object(w, op);
	return true;
}

static void churn_done(struct work_cpu *w, const struct op *op, bool failed)
{
	struct churn *c = w->own;
	uint32_t *list;

	if (op->kind == OP_FREE_PAGES || op->kind == OP_CACHE_FREE) {
		c->due[c->now & (c->moments - 1)] = c->next[w->at];
		c->next[w->at] = c->free;
		c->free = w->at;
		return;
	}
	list = &c->due[(c->now + c->life) & (c->moments - 1)];
	if (!failed) {
		c->free = c->next[w->at];
		c->next[w->at] = *list;
		*list = w->at;
	}
	c->now++;
}

const struct workload workload_churn = {
	.name = "churn",
	.summary = "objects of random sizes and lifetimes over several caches",
	.keys = {
		{ "caches", 4, 1, WORK_CACHES_MAX, "how many caches, named churn-BYTES" },
		{ "min", 32, 8, 8192, "bytes of the smallest object" },
		{ "max", 1024, 8, 8192, "bytes of the largest" },
		{ "life", 4096, 1, 1 << 20, "longest life, in allocations of its CPU" },
		{ "pages", 0, 0, 100, "of 100 allocations so many are blocks of 1, 2, 4 or 8 pages of any migratetype" },
	},
	.prepare = churn_prepare,
	.prepare_cpu = churn_prepare_cpu,
	.next = churn_next,
	.done = churn_done,
};
