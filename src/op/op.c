/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running ops: stop the CPU, play it, let it go. One function per kind, in a
 * table; the rest is who holds what meanwhile.
 */
#include "op/op.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/fail.h"
#include "cpu/latency.h"
#include "cpu/story.h"
#include "event/trace.h"
#include "op/lab_make.h"
#include "page/fallback.h"
#include "page/lru.h"
#include "page/ops.h"
#include "page/read.h"
#include "page/relaxed.h"
#include "page/shrink.h"
#include "slab/cached.h"
#include "slab/engine.h"
#include "slab/kmalloc.h"
#include "slab/prefill.h"
#include "slab/sheaves.h"
#include "slab/slabq.h"
#include "slab/store.h"

#define OP_NS 1000	/* the virtual clock moves a microsecond an op */

typedef int (*op_fn)(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r);

/* ---- pages ---- */

static bool has_block(const struct zone_figures *z, unsigned int order)
{
	for (unsigned int o = order; o < NR_PAGE_ORDERS; o++)
		if (z->nr_free[o])
			return true;
	return false;
}

/* The request for pages that this op failed by; NULL: none got as far. */
static const struct told_failure *own_failure(const struct cpu *cpu)
{
	const struct told_failure *f = &cpu->part->failure;

	return f->failed && f->op == cpu->lab->hdr->ops ? f : NULL;
}

/* "; the last hope was …" of the request that this op failed by, or nothing. */
static const char *last_hope(const struct cpu *cpu, char *buf, size_t size)
{
	const struct told_failure *f = own_failure(cpu);

	buf[0] = 0;
	if (f && f->step < STEP_NR)
		snprintf(buf, size, "; the last hope was %s", slow_step_words[f->step]);
	return buf;
}

#define PAGES_REFUSED "fault injection let a request for pages fail (fail_page_alloc.*, command fail)"

/* Pages were refused, and no later request of the op got as far as to fail by itself. */
static bool failed_on_purpose(const struct cpu *cpu)
{
	return cpu->path & WENT_TO_NO_ZONE && !own_failure(cpu);
}

/* May the request that failed look into this zone? */
static bool zone_is_open(const struct told_failure *f, const struct zone *z)
{
	return z->kind <= f->high && (!(f->gfp & GFP_BIT_THISNODE) || z->node == f->node);
}

static int kept_back(const struct lab *lab, const struct told_failure *f, const struct zone_figures *z, const char *hope)
{
	char protection[64] = "";

	if (z->protection[f->high] > 0)
		snprintf(protection, sizeof(protection), " + %lld kept from requests that could go higher",
			 (long long)z->protection[f->high]);
	if (fallback_largest(lab, &lab->zones[z->index], f->type, f->flags) <= f->order)
		return fail(ENOMEM, "no block of order %u: zone N%u.%s has one, but of other types than %s%s%s", f->order, z->node,
			    zone_kind_names[z->kind], mtype_name(f->type),
			    page_policy(lab)->fallback ? "" : " (set buddy.fallback on lets a request take it)", hope);
	return fail(ENOMEM, "no block of order %u: zone N%u.%s has one, but its %llu free pages less %llu would not stay above "
		    "the mark for this request (min %llu%s)%s", f->order, z->node, zone_kind_names[z->kind],
		    (unsigned long long)z->free, 1ULL << f->order, (unsigned long long)(z->min + z->boost), protection, hope);
}

/* A zone that the request could look into with a block of its order, rather one that it may have; -1: none. *closed: others have. */
static int zone_that_has(struct lab *lab, const struct told_failure *f, bool *closed)
{
	struct zone_figures z;
	int found = -1;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		if (!has_block(&z, f->order))
			continue;
		if (!zone_is_open(f, &lab->zones[i]))
			*closed = true;
		else if (fallback_largest(lab, &lab->zones[i], f->type, f->flags) > f->order)
			return (int)i;
		else if (found < 0)
			found = (int)i;
	}
	return found;
}

/* Why no page came: no block at all, or one that the marks or its type keep back; and what was tried last. */
static int no_pages(struct cpu *cpu, unsigned int order)
{
	const struct told_failure *f = own_failure(cpu);
	struct lab *lab = cpu->lab;
	bool closed = false;
	struct zone_figures z;
	char hope[120];
	int i;

	if (failed_on_purpose(cpu))
		return fail(ENOMEM, PAGES_REFUSED);
	last_hope(cpu, hope, sizeof(hope));
	i = f ? zone_that_has(lab, f, &closed) : -1;
	if (i >= 0) {
		zone_figures(lab, (unsigned int)i, false, &z);
		return kept_back(lab, f, &z, hope);
	}
	return fail(ENOMEM, "no zone %shas a free block of order %u or above%s",
		    closed ? "that the gfp flags allow " : "", order, hope);
}

static int run_alloc_pages(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	pfn_t pfn = page_ops[v].alloc_pages(cpu, op->order, op->gfp, op->node);

	if (pfn == PFN_NONE)
		return no_pages(cpu, op->order);
	r->off = pfn_off(cpu->lab, pfn);
	return 0;
}

static int run_alloc_pages_bulk(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	pfn_t *pfns = (pfn_t *)op->vec;		/* half as wide: widened from the end */
	unsigned int got = page_ops[v].alloc_bulk(cpu, op->gfp, op->node, (unsigned int)op->n, pfns);

	for (unsigned int i = got; i-- > 0; )
		op->vec[i] = pfn_off(cpu->lab, pfns[i]);
	r->got = got;
	return got ? 0 : no_pages(cpu, 0);
}

/* The block's first page, if it is one that somebody holds. */
static struct page *held_block(const struct lab *lab, uint64_t off, struct op_result *r)
{
	struct page *page;

	if (off - lab->arena_off < lab->arena_bytes && !(off & (PAGE_SIZE - 1))) {
		page = lab_page(lab, off_pfn(lab, off));
		if (page->role == PAGE_ALLOCATED)
			return page;
	}
	r->findings |= FINDING_BAD_FREE;
	return NULL;
}

static int run_free_pages(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct page *page = held_block(cpu->lab, op->off, r);

	if (!page)
		return fail(EINVAL, "no allocated block begins at this address; nothing was freed");
	if (page->order != op->order)
		r->findings |= FINDING_ORDER;
	page_ops[v].free_pages(cpu, off_pfn(cpu->lab, op->off), page->order);
	return 0;
}

static int run_free_list(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	pfn_t *pfns = (pfn_t *)op->vec;

	for (uint64_t i = 0; i < op->n; i++)
		if (!held_block(cpu->lab, op->vec[i], r))
			return fail(EINVAL, "entry %llu is no allocated page; nothing was freed", (unsigned long long)i);
	for (uint64_t i = 0; i < op->n; i++)
		pfns[i] = off_pfn(cpu->lab, op->vec[i]);
	page_ops[v].free_list(cpu, (unsigned int)op->n, pfns);
	return 0;
}

static int run_drain(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	(void)op;
	(void)r;
	page_ops[v].drain(cpu);
	return 0;
}

/* ---- reclaim ---- */

static int run_lru_add(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint32_t nr = lru_entry_get(cpu, v != VARIANT_BARE);
	struct lru_entry *e;

	if (nr == UINT32_MAX)
		return fail(ENOSPC, "the lab has no more entries for pages that can be reclaimed");
	e = lru_entry(cpu->lab, nr);
	e->gfp = op->gfp;
	e->node = (int8_t)op->node;
	e->kind = op->size & LRU_ADD_FILE ? LRU_KIND_FILE : LRU_KIND_ANON;
	e->dirty = !!(op->size & LRU_ADD_DIRTY);
	if (!page_ops[v].lru_fill(cpu, nr)) {
		lru_entry_put(cpu, nr, v != VARIANT_BARE);
		return no_pages(cpu, 0);
	}
	r->off = lab_off(cpu->lab, e);
	return 0;
}

static int no_object(struct cpu *cpu, const char *name, uint64_t bytes);

static int touch_cached(struct cpu *cpu, enum variant v, uint32_t nr, struct op_result *r)
{
	bool again;
	int ret = slab_ops[v]->touch(cpu, nr, &again);

	r->got = again;
	if (!ret && again)
		r->off = cached_entry(cpu->lab, nr)->off;
	if (ret == -ENOENT)
		return fail(ENOENT, "it was shrunk, and its cache was destroyed since");
	return ret ? no_object(cpu, lab_cache(cpu->lab, cached_entry(cpu->lab, nr)->cache)->name, 0) : 0;
}

static int run_lru_touch(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	bool refault;
	uint32_t nr;
	int ret = lru_entry_find(cpu->lab, op->off, &nr);

	if (ret && !cached_find(cpu->lab, op->off, &nr))
		return touch_cached(cpu, v, nr, r);

	if (ret)
		return ret;
	if (!page_ops[v].lru_touch(cpu, nr, &refault))
		return no_pages(cpu, 0);
	r->got = refault;
	r->off = refault ? op->off : 0;
	return 0;
}

static int run_lru_drop(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint32_t nr;
	int ret = lru_entry_find(cpu->lab, op->off, &nr);

	(void)r;
	if (!ret)
		page_ops[v].lru_drop(cpu, nr);
	return ret;
}

static int run_lru_cache(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint32_t nr;
	int ret = cached_add(cpu->lab, op->off, op->cache, op->gfp, &nr);

	(void)v;
	if (!ret)
		r->off = lab_off(cpu->lab, cached_entry(cpu->lab, nr));
	return ret;
}

static int run_lru_uncache(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint32_t nr;
	int ret = cached_find(cpu->lab, op->off, &nr);

	(void)v;
	if (!ret)
		r->off = cached_remove(cpu->lab, nr);
	return ret;
}

/* As by writing to drop_caches. */
static void drop_caches(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	if (op->order & RECLAIM_PAGECACHE) {
		if (v != VARIANT_BARE)
			bump(cpu->part->lab_events[EV_drop_pagecache - EV_LAB_FIRST], 1);
		for (unsigned int n = 0; n < cpu->lab->nr_nodes; n++)
			if (op->node < 0 || (unsigned int)op->node == n)
				r->got += page_ops[v].drop_pagecache(cpu, n);
	}
	if (op->order & RECLAIM_SLAB)
		r->got += slab_ops[v]->drop(cpu, op->node);
}

static uint64_t shrunk_so_far(const struct lab *lab)
{
	uint64_t shrunk = 0;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		shrunk += cached_node(lab, n)->shrunk;
	return shrunk;
}

static int run_reclaim(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint64_t before = shrunk_so_far(cpu->lab);

	if (op->order)
		drop_caches(cpu, v, op, r);
	for (unsigned int n = 0; n < cpu->lab->nr_nodes; n++)
		if (!op->order && r->got < op->n && (op->node < 0 || (unsigned int)op->node == n))
			r->got += page_ops[v].reclaim(cpu, n, op->n - r->got);
	r->shrunk = shrunk_so_far(cpu->lab) - before;
	return 0;
}

static int run_compact(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	page_ops[v].drain_all(cpu);	/* pages on CPU lists stand in the way */
	for (unsigned int n = 0; n < cpu->lab->nr_nodes; n++)
		if (op->node < 0 || (unsigned int)op->node == n)
			r->got += page_ops[v].compact(cpu, n);
	return 0;
}

/* ---- objects ---- */

static int no_object(struct cpu *cpu, const char *name, uint64_t bytes)
{
	char hope[120];

	if (cpu->path & WENT_NOWHERE)
		return fail(ENOMEM, "fault injection let it fail (failslab.*, command fail)");
	if (failed_on_purpose(cpu))
		return fail(ENOMEM, PAGES_REFUSED);
	last_hope(cpu, hope, sizeof(hope));
	if (name)
		return fail(ENOMEM, "no memory for a slab of %s%s", name, hope);
	return fail(ENOMEM, "no memory for %llu bytes%s", (unsigned long long)bytes, hope);
}

static int run_kmalloc(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	if (op->size > (PAGE_SIZE << MAX_PAGE_ORDER))
		return fail(EINVAL, "kmalloc gives at most 4M, not %llu bytes", (unsigned long long)op->size);
	r->off = slab_ops[v]->kmalloc(cpu, op->size, op->gfp, op->node, &r->cache);
	return r->off ? 0 : no_object(cpu, r->cache ? lab_cache(cpu->lab, r->cache)->name : NULL, op->size);
}

static int run_cache_alloc(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct cache *c = lab_cache(cpu->lab, op->cache);

	r->cache = op->cache;
	r->off = slab_ops[v]->cache_alloc(cpu, c, op->gfp, op->node);
	return r->off ? 0 : no_object(cpu, c->name, 0);
}

static int run_cache_alloc_bulk(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct cache *c = lab_cache(cpu->lab, op->cache);

	r->cache = op->cache;
	r->got = slab_ops[v]->cache_alloc_bulk(cpu, c, op->gfp, op->n, op->vec);
	return r->got == op->n ? 0 : no_object(cpu, c->name, 0);
}

static int finding(uint32_t findings)
{
	if (findings & FINDING_BAD_FREE)
		return fail(EINVAL, "the address is no object and no large block; nothing was freed");
	if (findings & FINDING_REFUSED)
		return fail(EINVAL, "the object is of another cache; nothing was freed (slab.wrong_cache=refuse)");
	return 0;
}

static int run_free(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct cache *c = op->kind == OP_CACHE_FREE && op->cache ? lab_cache(cpu->lab, op->cache) : NULL;

	r->findings = slab_ops[v]->free(cpu, c, op->off, op->owner);
	return finding(r->findings);
}

static int run_free_rcu(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct cache *c = op->kind == OP_CACHE_FREE_RCU && op->cache ? lab_cache(cpu->lab, op->cache) : NULL;
	bool full;

	r->findings = slab_ops[v]->free_rcu(cpu, c, op->off, op->owner, &full);
	if (full)
		return fail(ENOMEM, "the lab's side memory has no room to note what waits for a grace period; nothing was freed");
	return finding(r->findings);
}

static int run_free_bulk(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	r->findings = slab_ops[v]->free_bulk(cpu, op->cache ? lab_cache(cpu->lab, op->cache) : NULL, op->n, op->vec);
	r->got = op->n;
	return finding(r->findings);
}

/* ---- sheaves handed out: who names one holds it (lab check looks at handles) ---- */

static int run_prefill(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct cache *c = lab_cache(cpu->lab, op->cache);

	if (!op->n || op->n > PREFILL_MAX)
		return fail(ERANGE, "a sheaf holds 1 to %d objects, not %llu", PREFILL_MAX, (unsigned long long)op->n);
	r->cache = op->cache;
	r->off = slab_ops[v]->sheaf_prefill(cpu, c, op->gfp, (uint32_t)op->n);
	return r->off ? 0 : no_object(cpu, c->name, 0);
}

uint64_t op_sheaf_objects(const struct lab *lab, uint64_t sheaf, uint64_t *capacity)
{
	if (!sheaf_is_held(lab, sheaf))
		return *capacity = 0;
	*capacity = sheaf_at(lab, sheaf)->capacity;
	return sheaf_at(lab, sheaf)->size;
}

static int run_sheaf_alloc(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	r->cache = sheaf_at(cpu->lab, op->off)->cache;
	r->off = slab_ops[v]->sheaf_alloc(cpu, op->off, op->gfp);
	return r->off ? 0 : fail(ENOMEM, "the sheaf is empty, and nothing else is asked (kmem_cache refill)");
}

static int run_sheaf_refill(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	uint64_t sheaf = op->off;

	if (!op->count || op->count > PREFILL_MAX)
		return fail(ERANGE, "a sheaf holds 1 to %d objects, not %u", PREFILL_MAX, op->count);
	r->cache = sheaf_at(cpu->lab, sheaf)->cache;
	if (!slab_ops[v]->sheaf_refill(cpu, &sheaf, op->gfp, op->count))
		return no_object(cpu, lab_cache(cpu->lab, r->cache)->name, 0);
	r->off = sheaf;
	r->got = sheaf_at(cpu->lab, sheaf)->size;
	return 0;
}

static int run_sheaf_return(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	(void)r;
	slab_ops[v]->sheaf_return(cpu, op->off, op->gfp);
	return 0;
}

/* These two reach into all CPUs, which op_run() and lab_hold() have stopped. */
static int run_shrink(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	(void)v;
	r->got = store_shrink(cpu, lab_store(cpu->lab, lab_cache(cpu->lab, op->cache)->store));
	return 0;
}

static int run_destroy(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct lab *lab = cpu->lab;
	const struct cache *c = lab_cache(lab, op->cache);
	int ret = lab->trace ? trace_gone_add(lab->trace, op->cache, c->name, lab_store(lab, c->store)->g.size) : 0;

	(void)v;
	(void)r;
	return ret ? ret : cache_destroy(cpu, op->cache);
}

static int run_reap(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	struct store *s = lab_store(cpu->lab, lab_cache(cpu->lab, op->cache)->store);
	struct reap reap = { .part = op->n == REAP_PART_NODE ? REAP_NODE : REAP_CPU, .alien = op->node };

	(void)r;
	if (!store_ops[s->ops][v]->reap)
		return fail(EINVAL, "engine %s has no timer", engines[s->engine]->name);
	store_ops[s->ops][v]->reap(cpu, s, &reap);
	return 0;
}

static const op_fn op_table[OP_KINDS] = {
	[OP_ALLOC_PAGES] = run_alloc_pages,
	[OP_ALLOC_PAGES_BULK] = run_alloc_pages_bulk,
	[OP_FREE_PAGES] = run_free_pages,
	[OP_FREE_PAGES_LIST] = run_free_list,
	[OP_KMALLOC] = run_kmalloc,
	[OP_KFREE] = run_free,
	[OP_CACHE_ALLOC] = run_cache_alloc,
	[OP_CACHE_FREE] = run_free,
	[OP_CACHE_ALLOC_BULK] = run_cache_alloc_bulk,
	[OP_CACHE_FREE_BULK] = run_free_bulk,
	[OP_CACHE_SHRINK] = run_shrink,
	[OP_CACHE_DESTROY] = run_destroy,
	[OP_DRAIN] = run_drain,
	[OP_CACHE_REAP] = run_reap,
	[OP_LRU_ADD] = run_lru_add,
	[OP_LRU_TOUCH] = run_lru_touch,
	[OP_LRU_DROP] = run_lru_drop,
	[OP_RECLAIM] = run_reclaim,
	[OP_COMPACT] = run_compact,
	[OP_LRU_CACHE] = run_lru_cache,
	[OP_LRU_UNCACHE] = run_lru_uncache,
	[OP_KFREE_RCU] = run_free_rcu,
	[OP_CACHE_FREE_RCU] = run_free_rcu,
	[OP_SHEAF_PREFILL] = run_prefill,
	[OP_SHEAF_ALLOC] = run_sheaf_alloc,
	[OP_SHEAF_REFILL] = run_sheaf_refill,
	[OP_SHEAF_RETURN] = run_sheaf_return,
};

/* ---- running ---- */

/* The story's names of kinds are those of ops. */
_Static_assert((int)OP_ALLOC_PAGES == (int)TOLD_ALLOC_PAGES && (int)OP_KMALLOC == (int)TOLD_KMALLOC &&
	       (int)OP_CACHE_FREE == (int)TOLD_CACHE_FREE && (int)OP_CACHE_SHRINK == (int)TOLD_SHRINK &&
	       (int)OP_DRAIN == (int)TOLD_DRAIN && (int)OP_CACHE_REAP == (int)TOLD_REAP &&
	       (int)OP_LRU_UNCACHE == (int)TOLD_LRU_UNCACHE &&
	       (int)OP_KFREE_RCU == (int)TOLD_KFREE_RCU && (int)OP_SHEAF_RETURN == (int)TOLD_SHEAF_RETURN, "one numbering");

static bool is_of_one(const struct op *op)
{
	return op->kind == OP_FREE_PAGES || op->kind == OP_KFREE || op->kind == OP_CACHE_FREE || op->kind == OP_KFREE_RCU ||
	       op->kind == OP_CACHE_FREE_RCU;
}

static bool of_sheaf(const struct op *op)
{
	return op->kind == OP_SHEAF_ALLOC || op->kind == OP_SHEAF_REFILL || op->kind == OP_SHEAF_RETURN;
}

static void tell_begin(struct cpu *cpu, const struct op *op)
{
	struct story_op what = {
		.op = cpu->lab->hdr->ops, .kind = op->kind, .order = op->order, .cache = op->cache, .gfp = op->gfp,
		.node = told_is_alloc(op->kind) ? op->node : -1,
		.off = is_of_one(op) ? op->off : 0,
		.n = is_of_one(op) ? 1 : op->n,
	};

	if (of_sheaf(op)) {
		what.off = what.n = 0;
		what.node = -1;
	}
	if ((op->kind == OP_KFREE || op->kind == OP_KFREE_RCU) && op->owner < MAX_CACHES)
		what.cache = op->owner;
	story_begin(cpu, &what);
}

static enum latency_op latency_of(const struct op *op)
{
	static const uint8_t of[OP_KINDS] = {
		[OP_ALLOC_PAGES] = 1 + LATENCY_PAGE_ALLOC, [OP_FREE_PAGES] = 1 + LATENCY_PAGE_FREE,
		[OP_ALLOC_PAGES_BULK] = 1 + LATENCY_PAGE_BULK_ALLOC, [OP_FREE_PAGES_LIST] = 1 + LATENCY_PAGE_BULK_FREE,
		[OP_KMALLOC] = 1 + LATENCY_ALLOC, [OP_CACHE_ALLOC] = 1 + LATENCY_ALLOC,
		[OP_KFREE] = 1 + LATENCY_FREE, [OP_CACHE_FREE] = 1 + LATENCY_FREE,
		[OP_CACHE_ALLOC_BULK] = 1 + LATENCY_BULK_ALLOC, [OP_CACHE_FREE_BULK] = 1 + LATENCY_BULK_FREE,
	};

	return of[op->kind] ? (enum latency_op)(of[op->kind] - 1) : LATENCY_OPS;
}

/* On request: its time, without what is told of it before and after. */
static void play_timed(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	enum latency_op kind = latency_of(op);
	uint64_t from = latency_clock();

	r->error = op_table[op->kind](cpu, v, op, r);
	if (kind != LATENCY_OPS)
		latency_add(cpu, kind, latency_clock() - from);
}

static int play(struct cpu *cpu, enum variant v, const struct op *op, struct op_result *r)
{
	*r = (struct op_result){ 0 };
	cpu->path = 0;
	if (v == VARIANT_TOLD)
		tell_begin(cpu, op);
	if (unlikely(cpu->latency))
		play_timed(cpu, v, op, r);
	else
		r->error = op_table[op->kind](cpu, v, op, r);
	if (unlikely(r->error == -ENOMEM && cpu->part->failure.stop)) {
		cpu->part->failure.stop = 0;
		r->findings |= FINDING_RAN_OUT;
	}
	if (v == VARIANT_TOLD)
		story_end(cpu, r->error, r->off, r->got, r->cache);
	return r->error;
}

/* Since the last one every CPU was between ops. */
static inline void begin_op(struct lab *lab, enum variant v)
{
	if (unlikely(slab_state(lab)->rcu))
		store_rcu_over(lab, v);
}

/* With control held. */
static void note_op(struct lab *lab)
{
	lab->hdr->ops++;
	lab->hdr->time_ns += OP_NS;
	lab->hdr->done_something = 1;
}

/* `why` asks what the last one was, even if nothing was told of it. */
static void note_last(struct lab *lab, unsigned int kind, unsigned int cpu, bool told)
{
	lab->hdr->last_op = lab->hdr->ops;
	lab->hdr->last_kind = (uint8_t)kind;
	lab->hdr->last_cpu = (uint16_t)cpu;
	lab->hdr->last_told = told;
}

/*
 * A shrink or a destroy reaches into all CPUs, each by its own code: that one
 * is told for as long, and all of it is this CPU's story.
 */
static bool is_of_all(const struct op *op)
{
	return op->kind == OP_CACHE_SHRINK || op->kind == OP_CACHE_DESTROY;
}

static void tell_all(struct cpu *self, const struct op *op, struct op_result *r)
{
	struct lab *lab = self->lab;
	uint8_t was = self->variant;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		lab->cpus[i]->teller = self;
		lab->cpus[i]->variant = VARIANT_TOLD;
	}
	play(self, VARIANT_TOLD, op, r);
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		lab->cpus[i]->teller = lab->cpus[i];
		lab->cpus[i]->variant = was;
	}
}

/* What the op woke runs now, before the next op. */
static void work_if_due(struct lab *lab)
{
	if (unlikely(__atomic_load_n(&reclaim_head(lab)->work, __ATOMIC_RELAXED)))
		page_ops_of(lab)->work(lab);
}

static void reap_if_due(struct lab *lab)
{
	if (likely(!__atomic_load_n(&slab_state(lab)->reap, __ATOMIC_RELAXED)))
		return;
	store_reap(lab);
}

static struct cpu *op_cpu(struct lab *lab, const struct op *op)
{
	if (op->cpu < lab->nr_cpus && lab->cpus[op->cpu]->part->online)
		return lab->cpus[op->cpu];
	fail(EINVAL, "CPU %u is not online", op->cpu);
	return NULL;
}

int op_run(struct lab *lab, const struct op *op, struct op_result *r)
{
	struct cpu *cpu = op_cpu(lab, op);
	enum variant v;

	if (!cpu)
		return r->error = -EINVAL;
	lab_stop(lab);
	v = cpu->variant == VARIANT_COUNTED && lab->hdr->story == STORY_AUTO ? VARIANT_TOLD : cpu->variant;
	begin_op(lab, v);
	note_op(lab);
	note_last(lab, op->kind, cpu->id, v == VARIANT_TOLD);
	if (v == VARIANT_TOLD && is_of_all(op))
		tell_all(cpu, op, r);
	else
		play(cpu, v, op, r);
	work_if_due(lab);
	reap_if_due(lab);
	lab_resume(lab);
	return r->error;
}

void lab_hold(struct lab *lab)
{
	lab_stop(lab);
}

void lab_release(struct lab *lab)
{
	store_finish_grace(lab);
	store_reap(lab);
	lab_resume(lab);
}

int op_play(struct lab *lab, const struct op *op, struct op_result *r)
{
	struct cpu *cpu = lab->cpus[op->cpu];

	begin_op(lab, cpu->variant);
	note_op(lab);
	note_last(lab, op->kind, cpu->id, cpu->variant == VARIANT_TOLD);
	play(cpu, cpu->variant, op, r);
	work_if_due(lab);
	return r->error;
}

int op_exec(struct cpu *cpu, const struct op *op, struct op_result *r)
{
	cpu_enter(cpu);
	play(cpu, cpu->variant, op, r);
	cpu_leave(cpu);
	return r->error;
}

/* ---- parallel runs ---- */

struct parallel {
	void (*fn)(struct cpu *cpu, unsigned int id, void *arg);
	void *arg;
};

static void parallel_cpu(struct cpu *cpu, void *arg)
{
	struct parallel *p = arg;

	p->fn(cpu, cpu->id, p->arg);
}

int op_parallel_on(struct lab *lab, const uint16_t *ids, unsigned int n,
		   void (*fn)(struct cpu *cpu, unsigned int id, void *arg), void *arg)
{
	struct parallel p = { fn, arg };
	uint64_t from = host_ns();
	int ret;

	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	lab->parallel_ns = from;
	lab_resume(lab);
	ret = cpus_run_on(lab, ids, n, parallel_cpu, &p);
	lab_stop(lab);
	lab->parallel_ns = 0;
	work_if_due(lab);
	lab->hdr->done_something = 1;
	note_last(lab, TOLD_RUN, 0, false);
	lab->hdr->time_ns += host_ns() - from;	/* the virtual clock moves by the length of the run */
	lab_release(lab);
	return ret;
}

int op_parallel(struct lab *lab, unsigned int n, void (*fn)(struct cpu *cpu, unsigned int id, void *arg), void *arg)
{
	uint16_t ids[MAX_CPUS];

	for (unsigned int i = 0; i < n && i < MAX_CPUS; i++)
		ids[i] = (uint16_t)i;
	return op_parallel_on(lab, ids, n, fn, arg);
}

bool op_cpu_is_online(const struct lab *lab, unsigned int cpu)
{
	return cpu < lab->nr_cpus && lab->cpus[cpu]->part->online;
}

void lab_give_way(struct lab *lab)
{
	while (__atomic_load_n(&lab->wanted, __ATOMIC_RELAXED))
		sched_yield();
}

/* ---- what is not an op on one CPU ---- */

int op_cache_create(struct lab *lab, const struct cache_request *rq, uint32_t *cache)
{
	int ret;

	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	note_op(lab);
	ret = cache_create(lab, rq, cache);
	lab_resume(lab);
	return ret;
}

uint32_t op_cache_find(struct lab *lab, const char *name)
{
	return cache_find(lab, name);
}

uint32_t op_cache_bytes(const struct lab *lab, uint32_t cache)
{
	return (uint32_t)lab_cache(lab, cache)->object_size;
}

int op_cache_rename(struct lab *lab, uint32_t cache, const char *name)
{
	int ret;

	lab_stop(lab);
	note_op(lab);
	ret = cache_rename(lab, cache, name);
	lab_resume(lab);
	return ret;
}

const char *op_cache_engine(struct lab *lab, uint32_t cache)
{
	return engines[lab_store(lab, lab_cache(lab, cache)->store)->engine]->name;
}

int op_cache_tune(struct lab *lab, uint32_t cache, uint32_t limit, uint32_t batchcount, uint32_t shared)
{
	struct store_policy *own = cache_override(lab, cache);
	struct store *s;
	int ret;

	lab_stop(lab);
	s = lab_store(lab, lab_cache(lab, cache)->store);
	if (s->engine != ENGINE_SLAB)
		ret = fail(EIO, "%s runs engine %s, which has no such arrays (set cache.%s.engine slab)",
			   lab_cache(lab, cache)->name, engines[s->engine]->name, lab_cache(lab, cache)->name);
	else
		ret = slabq_resize(lab, s, limit, batchcount, shared);
	if (!ret) {
		own->slabq_limit = (int32_t)limit;
		own->slabq_batchcount = (int32_t)batchcount;
		own->slabq_shared = (int32_t)shared;
		*cache_override_mask(lab, cache) |= SF_SLABQ_LIMIT | SF_SLABQ_BATCHCOUNT | SF_SLABQ_SHARED;
		note_op(lab);
	}
	lab_release(lab);
	return ret;
}

uint32_t op_kmalloc_cache(struct lab *lab, uint64_t bytes, uint32_t gfp)
{
	if (!bytes || bytes > slab_state(lab)->kmalloc_max)
		return 0;
	return slab_state(lab)->kmalloc[kmalloc_type(gfp)][kmalloc_class(bytes)];
}

int op_sleep(struct lab *lab, uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	if (lab->hdr->shape.clock_real) {
		nanosleep(&t, NULL);	/* a signal ends it early, as it should */
		return 0;
	}
	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	for (uint64_t due = lab->hdr->time_ns / 1000000000 + 1; due * 1000000000 <= lab->hdr->time_ns + ns; due++)
		for (unsigned int i = 0; i < lab->nr_cpus; i++)
			if (lab->cpus[i]->part->online)
				page_ops_of(lab)->tick(lab->cpus[i]);	/* each second of lab time */
	slab_timers(lab, lab->hdr->time_ns, lab->hdr->time_ns + ns);
	lab->hdr->time_ns += ns;
	store_finish_grace(lab);
	reap_if_due(lab);
	page_ops_of(lab)->timers(lab, lab->hdr->time_ns - ns, lab->hdr->time_ns);
	lab_resume(lab);
	return 0;
}

struct measure {
	int (*on)(struct lab *lab);
	void (*off)(struct lab *lab), (*clear)(struct lab *lab);
};

/* CPUs may need other calls then: those that look at each request. */
static int measure(struct lab *lab, const struct measure *m, enum op_latency what)
{
	int ret = 0;

	lab_stop(lab);
	if (what == OP_LATENCY_ON)
		ret = m->on(lab);
	else
		(what == OP_LATENCY_OFF ? m->off : m->clear)(lab);
	lab_variants_update(lab);
	lab_resume(lab);
	return ret;
}

int op_lifetime(struct lab *lab, enum op_latency what)
{
	return measure(lab, &(const struct measure){ lifetimes_on, lifetimes_off, lifetimes_clear }, what);
}

int op_latency(struct lab *lab, enum op_latency what)
{
	return measure(lab, &(const struct measure){ latency_on, latency_off, latency_clear }, what);
}
