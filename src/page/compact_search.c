/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compact.fast_search puts before the two scanners (Linux since 5.1):
 * a short look at the free lists instead of a long one at pageblocks.
 * Compiled once a variant.
 *
 * A pageblock that already has a large free block has few pages to move; a
 * free block far up the zone is a good target. Each search that comes to
 * nothing halves how far the next one looks.
 */
#include "page/compact.h"

#include "base/bits.h"
#include "page/area.h"
#include "page/compact_priv.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/lazy.h"
#include "page/zone_lock.h"

static unsigned int scan_limit(const struct compaction *c)
{
	return (CLUSTER >> min_u64(15, c->search_fails)) + 1;
}

/* What stands before pfn on its list goes behind the last one. Delayed blocks keep their place. */
static void rotate(struct lab *lab, struct free_list *l, pfn_t pfn, unsigned int order)
{
	pfn_t before = *area_prev(lab, pfn, order), first = l->head;

	if (before == PFN_NONE || lazy_is_on(lab))
		return;
	*area_next(lab, before, order) = PFN_NONE;
	*area_prev(lab, pfn, order) = PFN_NONE;
	*area_next(lab, l->tail, order) = first;
	*area_prev(lab, first, order) = l->tail;
	l->tail = before;
	poke(l->head, pfn);
}

/* ---- pages to move ---- */

/* A free block below `high` whose pageblock was not passed over lately. Under the zone lock. */
static pfn_t find_below(struct cpu *cpu, struct compaction *c, unsigned int order, pfn_t high, unsigned int limit,
			unsigned int *seen)
{
	struct free_list *l = &c->z->area[order].list[MT_MOVABLE];

	for (pfn_t pfn = l->head; pfn != PFN_NONE; pfn = *area_next(cpu->lab, pfn, order)) {
		bool enough = (*seen)++ >= limit;

		if (!enough && (pfn >= high || pageblock_is_skipped(cpu->lab, pfn)))
			continue;
		if (*area_next(cpu->lab, pfn, order) != PFN_NONE)	/* the next search begins behind it */
			rotate(cpu->lab, l, *area_next(cpu->lab, pfn, order), order);
		return enough ? PFN_NONE : pfn;
	}
	return PFN_NONE;
}

static bool looks_for_source(const struct lab *lab, const struct compaction *c)
{
	if (c->whole || c->order <= COSTLY_ORDER || (c->direct && c->type != MT_MOVABLE))
		return false;
	return c->migrate == c->z->start || c->migrate == block_start(lab, c->migrate);
}

/* None found: the linear scan goes on from the lowest block that searches led to. */
static pfn_t back_to_lowest(struct compaction *c)
{
	pfn_t lowest = c->lowest_found;

	c->lowest_found = PFN_NONE;
	return lowest == PFN_NONE ? c->migrate : lowest;
}

pfn_t V(compact_find_source)(struct cpu *cpu, struct compaction *c)
{
	unsigned int limit = scan_limit(c), seen = 0;
	pfn_t found = PFN_NONE, distance, high;

	if (!looks_for_source(cpu->lab, c) || c->free <= c->migrate)
		return c->migrate;
	distance = (c->free - c->migrate) >> (c->migrate == c->z->start ? 1 : 3);
	high = block_start(cpu->lab, c->migrate + distance);
	for (unsigned int order = c->order - 1; order >= COSTLY_ORDER && found == PFN_NONE && seen < limit; order--) {
		zone_lock_take(cpu, c->z);
		found = find_below(cpu, c, order, high, limit, &seen);
		zone_lock_give(cpu, c->z);
	}
	c->scanned += seen;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_migrate_scanned, seen, c->migrate, seen, 0);
	if (found == PFN_NONE) {
		c->search_fails++;
		return back_to_lowest(c);
	}
	c->search_fails = 0;
	found = block_start(cpu->lab, found);
	if (c->lowest_found == PFN_NONE || found < c->lowest_found)
		c->lowest_found = found;
	pageblock_set_skip(cpu->lab, found, true);	/* not this one again */
	poke(c->rz->has_skips, 1);
	emit_page(cpu, zone_cpu(cpu, c->z), EV_compact_search, found, seen, 0);
	return found;
}

/* ---- pages to move to ---- */

struct search {
	unsigned int limit, seen;	/* seen on this list */
	pfn_t low, min;			/* from low on at once, from min on for want of better */
	pfn_t best, highest;		/* PFN_NONE: none */
};

/* A free block of the list far enough up, coldest first. Under the zone lock. */
static pfn_t find_above(struct cpu *cpu, struct compaction *c, unsigned int order, struct search *f)
{
	struct free_list *l = &c->z->area[order].list[MT_MOVABLE];
	pfn_t pfn, last = PFN_NONE;

	f->seen = 0;
	f->best = PFN_NONE;
	for (pfn = l->tail; l->head != PFN_NONE && pfn != PFN_NONE; pfn = *area_prev(cpu->lab, pfn, order)) {
		last = pfn;
		f->seen++;
		if (f->highest == PFN_NONE || pfn >= f->highest)
			f->highest = block_start(cpu->lab, pfn);
		if (pfn >= f->low) {
			f->best = pfn;
			break;
		}
		if (pfn >= f->min && (f->best == PFN_NONE || pfn > f->best)) {
			f->best = pfn;
			f->limit >>= 1;
		}
		if (f->seen >= f->limit)
			break;
	}
	if (last != PFN_NONE)	/* the next search looks at others first */
		rotate(cpu->lab, l, last, order);
	return f->best;
}

/* Orders in turn, beginning where the last search found something. False: all were looked at. */
static bool next_order(struct compaction *c, unsigned int *order)
{
	*order = *order ? *order - 1 : c->order - 1;
	if (*order != c->search_order)
		return true;
	c->search_order = c->search_order ? c->search_order - 1 : c->order - 1;
	return false;
}

/* None was found from the zone's end: where the linear scan had better begin. */
static void begin_lower(const struct lab *lab, struct compaction *c, const struct search *f)
{
	if (f->highest != PFN_NONE && f->highest >= f->min)
		c->free = block_start(lab, f->highest);
	else if (c->direct && f->min > c->migrate)
		c->free = f->min;
}

/* The rest of the pageblock, as far as more is wanted. */
static void take_around(struct cpu *cpu, struct compaction *c, pfn_t pfn)
{
	pfn_t start = block_start(cpu->lab, pfn), end = start + (1U << pageblock_order(cpu->lab));

	if (c->nr_free >= c->nr || (c->direct && c->mode == COMPACT_ASYNC))
		return;
	V(compact_free_block)(cpu, c, start, (pfn_t)min_u64(end, zone_managed_end(c->z)));
	if (c->nr_free < c->nr) {
		pageblock_set_skip(cpu->lab, start, true);
		poke(c->rz->has_skips, 1);
	}
}

void V(compact_find_free)(struct cpu *cpu, struct compaction *c)
{
	struct lab *lab = cpu->lab;
	bool from_end = c->free >= block_start(lab, (pfn_t)(zone_managed_end(c->z) - 1));
	pfn_t distance = c->free > c->migrate ? c->free - c->migrate : 0, found = PFN_NONE;
	pfn_t above = block_start(lab, c->migrate - 1) + (1U << pageblock_order(lab));	/* not where pages are moved from */
	struct search f = {
		.limit = from_end ? 1U << (pageblock_order(lab) - 1) : (unsigned int)max_u64(1, scan_limit(c) >> 1),
		.low = (pfn_t)max_u64(block_start(lab, c->free - (distance >> 2)), above),
		.min = (pfn_t)max_u64(block_start(lab, c->free - (distance >> 1)), above),
		.highest = PFN_NONE,
	};
	unsigned int order = c->search_order, seen = 0;

	do {
		zone_lock_take(cpu, c->z);
		found = find_above(cpu, c, order, &f);
		if (found != PFN_NONE && !V(compact_take_free)(cpu, c, found, order))
			found = PFN_NONE;
		zone_lock_give(cpu, c->z);
		seen += f.seen;
		if (found != PFN_NONE)
			c->search_order = order;
		if (f.seen >= f.limit)
			f.limit = (unsigned int)max_u64(1, f.limit >> 1);
	} while (found == PFN_NONE && c->nr_free < c->nr && next_order(c, &order));
	c->free_scanned += seen;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_free_scanned, seen, c->free, seen, 0);
	if (found == PFN_NONE) {
		c->search_fails++;
		if (from_end)
			begin_lower(lab, c, &f);
		return;
	}
	c->search_fails = 0;
	emit_page_n(cpu, zone_cpu(cpu, c->z), EV_compact_isolated, 1ULL << order, found, 1ULL << order, 0);
	emit_page(cpu, zone_cpu(cpu, c->z), EV_compact_search, found, seen, 0);
	take_around(cpu, c, found);
}
