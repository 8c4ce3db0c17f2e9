/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two scanners and what comes of them (reclaim.md section 6.2-6.4). Compiled once a variant. */
#include "page/compact.h"

#include <string.h>

#include "base/bits.h"
#include "cpu/drain.h"
#include "page/alloc.h"
#include "page/area.h"
#include "page/compact_priv.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/fallback.h"
#include "page/lazy.h"
#include "page/pageblock.h"
#include "page/pcp.h"
#include "page/request.h"
#include "page/watermark.h"
#include "page/zone_lock.h"

static inline pfn_t block_end(const struct lab *lab, pfn_t pfn)
{
	return (block_of(lab, pfn) + 1) << pageblock_order(lab);
}

static inline bool is_free_kind(uint32_t kind)
{
	return (kind & 0xff) == PAGE_BUDDY || (kind & 0xff) == PAGE_DELAYED;
}

/* Nothing of use here: the pageblock that begins at pfn is passed over until kswapd has been content. */
static void set_skip(struct lab *lab, struct compaction *c, pfn_t pfn)
{
	pageblock_set_skip(lab, pfn, true);
	poke(c->rz->has_skips, 1);
}

/* ---- pages to move ---- */

/* Under the LRU lock. */
static void isolated_add(struct compaction *c, const struct page *page, int64_t n)
{
	enum lru_kind kind = lru_kind_of(lru_flags(page));

	poke(c->rn->isolated[kind], c->rn->isolated[kind] + (uint64_t)n);
	poke(c->rz->isolated[kind], c->rz->isolated[kind] + (uint64_t)n);
}

/* False: its owner gave it up meanwhile, so it is ours to free. Under the LRU lock. */
static bool put_back(struct cpu *cpu, struct compaction *c, pfn_t pfn)
{
	struct page *page = &cpu->lab->pages[pfn];
	bool orphan = lru_flags(page) & LRU_ORPHAN;

	isolated_add(c, page, -1);
	if (orphan) {
		page_set_kind(page, page_kind(PAGE_ALLOCATED, 0, (enum mtype)page->mtype));
		return false;
	}
	lru_set(page, PAGE_LRU, lru_flags(page));
	lru_link(cpu->lab, pfn, false);
	return true;
}

/* All that is isolated goes back to its lists. A page on a list may be anybody's once the lock is given. */
static void put_all_back(struct cpu *cpu, struct compaction *c)
{
	unsigned int orphans = 0;

	lock_take(cpu, &c->rn->lock, COUNTING);
	for (unsigned int i = 0; i < c->nr; i++)
		if (!put_back(cpu, c, c->pages[i]))
			c->pages[orphans++] = c->pages[i];
	lock_give(cpu, &c->rn->lock);
	for (unsigned int i = 0; i < orphans; i++)
		V(free_pages)(cpu, c->pages[i], 0);
	c->nr = 0;
}

/* Take one page off its list, if it stands on one. Under the LRU lock. */
static bool isolate_one(struct cpu *cpu, struct compaction *c, pfn_t pfn)
{
	struct page *page = &cpu->lab->pages[pfn];

	if ((page_get_kind(page) & 0xff) != PAGE_LRU || (c->mode == COMPACT_ASYNC && lru_flags(page) & LRU_DIRTY))
		return false;
	lru_unlink(cpu->lab, pfn);
	lru_set(page, PAGE_ISOLATED, lru_flags(page));
	isolated_add(c, page, 1);
	c->pages[c->nr++] = pfn;
	return true;
}

/* Pages that a look at this one tells of: all of a block that begins here. */
static pfn_t span_of(const struct page *page)
{
	uint32_t kind = page_get_kind(page), role = kind & 0xff, order = kind >> 8 & 0xff;

	return role != PAGE_NOTHING && order < NR_PAGE_ORDERS ? 1U << order : 1;
}

/*
 * From the migrate scanner up to the end of its pageblock, 32 pages at most.
 * Async, one page that cannot move makes its group of 2^order pages worthless.
 */
static void isolate_migratepages(struct cpu *cpu, struct compaction *c)
{
	struct lab *lab = cpu->lab;
	pfn_t end = block_end(lab, c->migrate), pfn = c->migrate, start = pfn, group = 0;
	bool by_group = c->mode == COMPACT_ASYNC && c->order != WHOLE_ZONE;
	unsigned int group_nr = 0, scanned = 0, undo = 0;

	lock_take(cpu, &c->rn->lock, COUNTING);	/* held to the end: what is put back here is never an orphan */
	while (pfn < end && c->nr < CLUSTER) {
		const struct page *page = &lab->pages[pfn];
		bool is_free = is_free_kind(page_get_kind(page));

		if (by_group && pfn >> c->order != group) {
			group = pfn >> c->order;
			group_nr = c->nr;
		}
		scanned++;
		if (isolate_one(cpu, c, pfn)) {
			pfn++;
		} else if (is_free || !by_group) {
			pfn += span_of(page);
		} else {
			for (; c->nr > group_nr; undo++)
				put_back(cpu, c, c->pages[--c->nr]);
			pfn = (pfn_t)max_u64((uint64_t)(group + 1) << c->order, pfn + span_of(page));
		}
	}
	lock_give(cpu, &c->rn->lock);
	c->migrate = pfn < end ? pfn : end;
	c->scanned += scanned;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_migrate_scanned, scanned, start, scanned, 0);
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_isolated, c->nr, start, c->nr, 0);
	emit_lab(cpu, EV_mm_compaction_isolate_migratepages, start, scanned, c->nr);
	if (!c->nr && c->migrate == end && !undo && start == end - (1U << pageblock_order(lab)))
		set_skip(lab, c, start);
}

static bool is_one_block(const struct lab *lab, pfn_t start)
{
	uint32_t kind = page_get_kind(&lab->pages[start]);

	return peek(lab->blocks[start >> TOP_ORDER].is_free) ||
	       ((kind & 0xff) != PAGE_NOTHING && (kind >> 8 & 0xff) >= pageblock_order(lab));
}

/* found: the free lists led here, so what the skip bit says was heeded already. */
static bool is_source(const struct lab *lab, const struct compaction *c, pfn_t pfn, bool found)
{
	enum mtype type = pageblock_type(lab, pfn);

	if ((!c->whole && !found && pageblock_is_skipped(lab, pfn)) || is_one_block(lab, block_of(lab, pfn) << pageblock_order(lab)))
		return false;
	return c->mode != COMPACT_ASYNC || type == c->type;
}

/* ---- pages to move to ---- */

static bool is_target(const struct lab *lab, const struct compaction *c, pfn_t pfn)
{
	pfn_t start = block_of(lab, pfn) << pageblock_order(lab);

	if (c->mode == COMPACT_SYNC_FULL)
		return true;
	if ((!c->whole && pageblock_is_skipped(lab, pfn)) || pageblock_type(lab, pfn) != MT_MOVABLE)
		return false;
	return !peek(lab->blocks[pfn >> TOP_ORDER].is_free) &&
	       !(is_free_kind(page_get_kind(&lab->pages[start])) && span_of(&lab->pages[start]) >= 1U << pageblock_order(lab));
}

/* To the counts of lazy coalescing it is cut down to single pages. */
static void lazy_take_whole(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order)
{
	V(lazy_take)(cpu, z, pfn, order, order, area_type(cpu->lab, pfn, order));
	for (unsigned int o = 0; o < order; o++)
		bump(z->lazy[o].used, 1ULL << (order - o));
}

bool V(compact_take_free)(struct cpu *cpu, struct compaction *c, pfn_t pfn, unsigned int order)
{
	struct wmark_walk walk = { .sum = 1, .may_wait = true };

	if (!zone_watermark_ok(cpu->lab, c->z, 0, c->z->mark[WMARK_MIN] + (1ULL << order), 0, 0, &walk))
		return false;
	if (lazy_is_on(cpu->lab))
		lazy_take_whole(cpu, c->z, pfn, order);
	else
		area_del(cpu->lab, c->z, pfn, order);
	zone_free_add(cpu, c->z, -(1LL << order));
	for (pfn_t i = 0; i < 1U << order; i++) {
		page_set_kind(&cpu->lab->pages[pfn + i], page_kind(PAGE_ALLOCATED, 0, MT_MOVABLE));
		c->frees[c->nr_free++] = pfn + i;
	}
	return true;
}

pfn_t V(compact_free_block)(struct cpu *cpu, struct compaction *c, pfn_t pfn, pfn_t end)
{
	struct lab *lab = cpu->lab;
	unsigned int before = c->nr_free, stride = c->mode == COMPACT_ASYNC ? CLUSTER : 1;
	pfn_t start = pfn;
	uint64_t scanned = 0;

	zone_lock_take(cpu, c->z);
	if (lab->blocks[pfn >> TOP_ORDER].is_free) {	/* only SYNC_FULL comes here */
		if (!(pfn & (BLOCK_PAGES - 1)) && V(compact_take_free)(cpu, c, pfn, TOP_ORDER))
			scanned = BLOCK_PAGES;
		pfn = end;
	}
	while (pfn < end && c->nr_free < c->nr) {
		uint32_t kind = page_get_kind(&lab->pages[pfn]);

		if (!is_free_kind(kind)) {
			scanned++;
			pfn += stride;
			continue;
		}
		if (!V(compact_take_free)(cpu, c, pfn, kind >> 8 & 0xff)) {
			pfn = end;
			break;
		}
		stride = 1;
		scanned += 1U << (kind >> 8 & 0xff);
		pfn += 1U << (kind >> 8 & 0xff);
	}
	zone_lock_give(cpu, c->z);
	c->free_scanned += scanned;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_free_scanned, scanned, start, scanned, 0);
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_isolated, c->nr_free - before, start, c->nr_free - before, 0);
	emit_lab(cpu, EV_mm_compaction_isolate_freepages, start, scanned, c->nr_free - before);
	if (c->nr_free == before && pfn >= end && start == end - (1U << pageblock_order(lab)))
		set_skip(lab, c, start);
	return pfn;
}

static bool searches(const struct cpu *cpu, const struct compaction *c)
{
	return page_policy(cpu->lab)->compact_fast_search && c->order != WHOLE_ZONE && c->order;
}

/* Block by block downward, until there are as many as are to move. */
static void isolate_freepages(struct cpu *cpu, struct compaction *c)
{
	struct lab *lab = cpu->lab;

	for (unsigned int had = UINT32_MAX; searches(cpu, c) && c->nr_free < c->nr && c->nr_free != had;) {
		had = c->nr_free;
		V(compact_find_free)(cpu, c);
	}
	while (c->nr_free < c->nr && block_of(lab, c->free) > block_of(lab, c->migrate - 1)) {
		pfn_t start = block_of(lab, c->free) << pageblock_order(lab);
		pfn_t end = (pfn_t)min_u64(block_end(lab, c->free), zone_managed_end(c->z)), at = end;

		if (is_target(lab, c, c->free))
			at = V(compact_free_block)(cpu, c, c->free, end);
		if (at < end) {
			c->free = at;
			return;
		}
		if (start <= c->z->start)
			return;
		c->free = start - (1U << pageblock_order(lab));
	}
}

/* ---- moving ---- */

/* Content and place go over; the entry follows. False: the owner gave it up meanwhile. */
static bool move_page(struct cpu *cpu, struct compaction *c, pfn_t from, pfn_t to)
{
	struct lab *lab = cpu->lab;
	struct page *old = &lab->pages[from], *new = &lab->pages[to];
	bool moved;

	/* compared first: memory that nobody ever wrote to is not to be committed for this */
	if (memcmp(page_memory(lab, to), page_memory(lab, from), PAGE_SIZE))
		memcpy(page_memory(lab, to), page_memory(lab, from), PAGE_SIZE);
	lock_take(cpu, &c->rn->lock, COUNTING);
	moved = !(lru_flags(old) & LRU_ORPHAN);
	isolated_add(c, old, -1);
	if (moved) {
		new->freelist = old->freelist;
		new->counters = old->counters;
		new->slab_nr = old->slab_nr;
		page_set_kind(new, page_kind(PAGE_LRU, 0, (enum mtype)old->mtype) | (uint32_t)lru_flags(old) << 24);
		lru_link(lab, to, false);
		poke(lru_entry(lab, new->slab_nr)->pfn, to);
	}
	page_set_kind(old, page_kind(PAGE_ALLOCATED, 0, (enum mtype)old->mtype));
	lock_give(cpu, &c->rn->lock);
	return moved;
}

/* What was isolated last moves first, to the last page taken. */
static void migrate_pages(struct cpu *cpu, struct compaction *c)
{
	unsigned int moved = 0, left;

	while (c->nr && c->nr_free) {
		pfn_t from = c->pages[--c->nr];

		if (move_page(cpu, c, from, c->frees[c->nr_free - 1])) {
			c->nr_free--;
			moved++;
		}
		V(free_pages)(cpu, from, 0);
	}
	left = c->nr;
	put_all_back(cpu, c);
	c->moved += moved;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_pgmigrate_success, moved, moved, 0, 0);
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_pgmigrate_fail, left, left, 0, 0);
	emit_lab(cpu, EV_mm_compaction_migratepages, moved, left, 0);
}

static void give_frees_back(struct cpu *cpu, struct compaction *c)
{
	if (!c->nr_free)
		return;
	zone_lock_take(cpu, c->z);
	while (c->nr_free) {
		pfn_t pfn = c->frees[--c->nr_free];

		V(free_one_page)(cpu, c->z, pfn, 0, pageblock_type(cpu->lab, pfn), true);
	}
	zone_lock_give(cpu, c->z);
}

/* The migrate scanner left a group that pages came out of: they shall merge. */
static void drain_if_left(struct cpu *cpu, struct compaction *c)
{
	if (c->order == WHOLE_ZONE || c->moved_from == PFN_NONE || c->moved_from >= c->migrate >> c->order << c->order)
		return;
	c->moved_from = PFN_NONE;
	if (!cpu_pcp_try(cpu))
		return;
	V(pcp_drain_zone)(cpu, c->z, UINT32_MAX);
	cpu_pcp_done(cpu);
}

/* ---- one zone ---- */

static bool have_met(const struct lab *lab, const struct compaction *c)
{
	return block_of(lab, c->free) <= block_of(lab, c->migrate);
}

/* Is there what was asked for, of the right type or to be had whole? */
static bool has_come_together(const struct lab *lab, const struct compaction *c)
{
	if (c->score)
		return zone_extfrag(c->z, pageblock_order(lab)) <= c->score;
	if (c->order == WHOLE_ZONE || c->migrate & ((1U << pageblock_order(lab)) - 1))
		return false;
	for (unsigned int o = c->order; o < NR_PAGE_ORDERS; o++)
		if (peek(c->z->area[o].list[c->type].head) != PFN_NONE || fallback_gives_whole(lab, c->z, o, c->type))
			return true;
	return false;
}

static bool has_captured(const struct cpu *cpu, const struct compaction *c)
{
	return cpu->capture == c->z && cpu->captured != PFN_NONE;
}

static void begin(struct cpu *cpu, struct compaction *c)
{
	const struct lab *lab = cpu->lab;
	pfn_t last = (pfn_t)(zone_managed_end(c->z) - 1), at;

	c->rn = reclaim_node(lab, c->z->node);
	c->rz = reclaim_zone(lab, c->z->index);
	c->whole |= c->mode == COMPACT_SYNC_FULL;
	at = c->whole ? 0 : peek(c->rz->migrate_at[c->mode != COMPACT_ASYNC]);
	c->migrate = at ? at - 1 : c->z->start;
	at = c->whole ? 0 : peek(c->rz->free_at);
	c->free = at ? at - 1 : block_of(lab, last) << pageblock_order(lab);
	c->from_start = c->migrate == c->z->start;
	c->moved_from = c->lowest_found = PFN_NONE;
	c->search_order = c->order - 1;
	c->search_fails = 0;
	emit_lab(cpu, EV_mm_compaction_begin, c->migrate, c->free, c->mode);
}

static void end(struct cpu *cpu, struct compaction *c, enum compact_result r)
{
	bool met = r == COMPACT_COMPLETE || r == COMPACT_PARTIAL_SKIPPED;

	give_frees_back(cpu, c);
	poke(c->rz->migrate_at[c->mode != COMPACT_ASYNC], met ? 0 : c->migrate + 1);
	poke(c->rz->free_at, met ? 0 : c->free + 1);
	emit_lab(cpu, EV_mm_compaction_end, c->migrate, c->free, r);
}

static enum compact_result compact_zone(struct cpu *cpu, struct compaction *c)
{
	struct lab *lab = cpu->lab;
	enum compact_result r;

	begin(cpu, c);
	for (;;) {
		bool found;
		pfn_t from;

		if (have_met(lab, c)) {
			r = c->from_start ? COMPACT_COMPLETE : COMPACT_PARTIAL_SKIPPED;
			break;
		}
		if (has_come_together(lab, c)) {
			r = COMPACT_SUCCESS;
			break;
		}
		from = searches(cpu, c) ? V(compact_find_source)(cpu, c) : c->migrate;
		found = from != c->migrate && !c->search_fails;
		c->migrate = from;
		if (!(from & ((1U << pageblock_order(lab)) - 1)) && !is_source(lab, c, from, found)) {
			c->migrate = block_end(lab, from);
			continue;
		}
		isolate_migratepages(cpu, c);
		if (c->nr) {
			isolate_freepages(cpu, c);
			migrate_pages(cpu, c);
			if (c->moved_from == PFN_NONE)
				c->moved_from = from;
		}
		drain_if_left(cpu, c);
		if (has_captured(cpu, c)) {
			r = COMPACT_SUCCESS;
			break;
		}
	}
	end(cpu, c, r);
	return r;
}

/* The same for a request: a block of its order that a free makes meanwhile is its own. */
static enum compact_result compact_and_capture(struct cpu *cpu, struct compaction *c, pfn_t *captured)
{
	enum compact_result r;

	cpu->captured = PFN_NONE;
	cpu->capture_order = c->order;
	cpu->capture = c->z;
	r = compact_zone(cpu, c);
	cpu->capture = NULL;
	*captured = cpu->captured;
	return *captured != PFN_NONE ? COMPACT_SUCCESS : r;
}

/* ---- for whom ---- */

enum compact_result V(compact_for)(struct cpu *cpu, const struct request *rq, unsigned int flags,
				   enum compact_priority priority, pfn_t *captured)
{
	enum compact_result most = COMPACT_SKIPPED;

	*captured = PFN_NONE;
	for (unsigned int i = 0; i < rq->nr; i++) {
		struct zone *z = &cpu->lab->zones[rq->list[i]];
		struct compaction c = { .z = z, .order = rq->order, .mode = priority, .type = rq->type,
					.direct = true };
		enum compact_result r;

		if (z->kind > rq->high)
			continue;
		if (priority != COMPACT_SYNC_FULL && compaction_is_deferred(cpu->lab, z, rq->order)) {
			emit_lab(cpu, EV_mm_compaction_deferred, z->index, rq->order, 0);
			most = (enum compact_result)max_u64(most, COMPACT_DEFERRED);
			continue;
		}
		r = compaction_suitable(cpu->lab, z, rq->order, flags, rq->high);
		emit_lab(cpu, EV_mm_compaction_suitable, z->index, rq->order, r);
		if (r == COMPACT_CONTINUE)
			r = compact_and_capture(cpu, &c, captured);
		most = (enum compact_result)max_u64(most, r);
		if (r == COMPACT_SUCCESS) {
			compaction_defer_reset(cpu->lab, z, rq->order, false);
			break;
		}
		if (priority != COMPACT_ASYNC && (r == COMPACT_COMPLETE || r == COMPACT_PARTIAL_SKIPPED))
			compaction_defer(cpu->lab, z, rq->order);
	}
	return most;
}

static void background_zone(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int high)
{
	struct compaction c = { .z = z, .order = order, .mode = COMPACT_SYNC_LIGHT, .type = MT_MOVABLE };
	struct zone_cpu *zc = zone_cpu(cpu, z);
	enum compact_result r;

	if (compaction_is_deferred(cpu->lab, z, order) ||
	    compaction_suitable(cpu->lab, z, order, 0, high) != COMPACT_CONTINUE)
		return;
	r = compact_zone(cpu, &c);
	if (r == COMPACT_SUCCESS)
		compaction_defer_reset(cpu->lab, z, order, false);
	else if (r == COMPACT_COMPLETE || r == COMPACT_PARTIAL_SKIPPED)
		compaction_defer(cpu->lab, z, order);
	emit_page_n(cpu, zc, EV_compact_daemon_migrate_scanned, c.scanned, c.scanned, 0, 0);
	emit_page_n(cpu, zc, EV_compact_daemon_free_scanned, c.free_scanned, c.free_scanned, 0, 0);
}

void V(compact_in_background)(struct cpu *cpu, unsigned int node, unsigned int order, unsigned int high)
{
	emit_lab(cpu, EV_compact_daemon_wake, node, order, 0);
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		struct zone *z = &cpu->lab->zones[i];

		if (z->node == node && z->kind <= high && z->managed)
			background_zone(cpu, z, order, high);
	}
}

void V(compact_proactively)(struct cpu *cpu, unsigned int node)
{
	unsigned int p = (unsigned int)page_policy(cpu->lab)->proactiveness, low = p < 95 ? 100 - p : 5;

	if (!p || node_frag_score(cpu->lab, node) <= min_u64(low + 10, 100))
		return;
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		struct zone *z = &cpu->lab->zones[i];
		struct compaction c = { .z = z, .order = WHOLE_ZONE, .mode = COMPACT_SYNC_LIGHT,
					.type = MT_MOVABLE, .whole = true, .score = low };

		if (z->node == node && z->managed && zone_lru_pages(cpu->lab, i))
			compact_zone(cpu, &c);
	}
}

uint64_t V(compact_node)(struct cpu *cpu, unsigned int node)
{
	uint64_t moved = 0;

	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		struct zone *z = &cpu->lab->zones[i];
		struct compaction c = { .z = z, .order = WHOLE_ZONE, .mode = COMPACT_SYNC_LIGHT,
					.type = MT_MOVABLE, .whole = true };

		if (z->node != node || !z->managed)
			continue;
		compact_zone(cpu, &c);
		moved += c.moved;
	}
	return moved;
}
