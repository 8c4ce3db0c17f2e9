/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buddy system's moves (pages.md section 2). Compiled once a variant. */
#include "page/buddy.h"

#include "page/area.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/fallback.h"
#include "page/lazy.h"
#include "page/pageblock.h"

/* ---- take ---- */

/*
 * Cut a block from `high` down to `low`; what is not kept goes to the head of
 * its list. Linux keeps the lower half, so pages taken in a row ascend; kernels
 * to 2.6.11 kept the upper one. Returns the piece kept.
 */
static pfn_t expand(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int low, unsigned int high,
		    enum mtype type)
{
	bool keep_low = page_policy(cpu->lab)->split_keep == SPLIT_KEEP_LOW;

	while (high-- > low) {
		pfn_t upper = pfn + (1U << high);
		pfn_t stays = keep_low ? upper : pfn;

		area_add(cpu->lab, z, stays, high, type, false);
		emit_page_order(cpu, zone_cpu(cpu, z), EV_buddy_split, high, stays, high, type);
		if (!keep_low)
			pfn = upper;
	}
	return pfn;
}

pfn_t V(rmqueue_smallest)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	for (unsigned int c = order; c < NR_PAGE_ORDERS; c++) {
		pfn_t pfn = z->area[c].list[type].head;

		if (pfn == PFN_NONE)
			continue;
		if (c > order)
			tell(cpu, z->index, NOTE_block_found, pfn, c, order, type, page_policy(cpu->lab)->split_keep);
		if (unlikely(lazy_is_on(cpu->lab))) {
			pfn = V(lazy_take)(cpu, z, pfn, c, order, type);
		} else {
			area_del(cpu->lab, z, pfn, c);
			pfn = expand(cpu, z, pfn, order, c, type);
		}
		emit_page_order(cpu, zc, EV_mm_page_alloc_zone_locked, order, pfn, order,
				pcp_has_order(&zc->pcp, order) && type_is_mergeable(type));
		tell_more(cpu, EV_mm_page_alloc_zone_locked, TPX_MTYPE, type);
		return pfn;
	}
	tell(cpu, z->index, NOTE_none_free, order, type);
	return PFN_NONE;
}

pfn_t V(rmqueue_fallback)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type,
			  unsigned int flags)
{
	pfn_t pfn = V(rmqueue_smallest)(cpu, z, order, type);

	return likely(pfn != PFN_NONE) ? pfn : V(fallback_take)(cpu, z, order, type, flags);
}

/* ---- give back ---- */

/* Would the free of this block's buddy make a block of two orders more? Then it had better stay. */
static bool merge_is_likely(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	pfn_t parent = pfn & ~(1U << order);

	return order <= TOP_ORDER - 2 && area_has(lab, parent ^ (2U << order), order + 1);
}

/* This CPU compacts for a request of this very order: hand the block over (compact.h). */
static __attribute__((noinline)) bool capture(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	if (cpu->capture_order != order || cpu->captured != PFN_NONE || type == MT_ISOLATE ||
	    (type == MT_MOVABLE && order < pageblock_order(cpu->lab)))
		return false;
	cpu->captured = pfn;
	zone_free_add(cpu, z, -(1L << order));
	emit_page(cpu, zone_cpu(cpu, z), EV_compact_capture, pfn, order, 0);
	return true;
}

/*
 * Since 6.10 a free block stands on the list of its pageblocks' type: what
 * merges with a freed block as large as a pageblock becomes of its type.
 */
static __attribute__((noinline)) void adopt(struct cpu *cpu, pfn_t buddy, unsigned int order, enum mtype type)
{
	if (pageblock_follows_lists(cpu->lab))
		for (pfn_t pfn = buddy; pfn < buddy + (1U << order); pfn += 1U << pageblock_order(cpu->lab))
			pageblock_set_type(cpu->lab, pfn, type);
}

void V(free_one_page)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type,
		      bool to_tail)
{
	struct lab *lab = cpu->lab;
	struct zone_cpu *zc = zone_cpu(cpu, z);

	page_set_kind(&lab->pages[pfn], 0);
	zone_free_add(cpu, z, 1L << order);
	if (unlikely(lazy_is_on(lab))) {
		V(lazy_free)(cpu, z, pfn, order, type);
		return;
	}
	while (order < TOP_ORDER) {
		pfn_t buddy = pfn ^ (1U << order);

		if (unlikely(cpu->capture == z) && capture(cpu, z, pfn, order, type))
			return;
		if (!buddy_may_merge(lab, buddy, order, type))
			break;
		area_del(lab, z, buddy, order);
		if (unlikely(order >= pageblock_order(lab)))
			adopt(cpu, buddy, order, type);
		pfn &= buddy;
		order++;
		emit_page_order(cpu, zc, EV_buddy_merge, order, pfn, order, 0);
	}
	if (!to_tail && page_policy(lab)->free_to_tail && merge_is_likely(lab, pfn, order)) {
		to_tail = true;
		emit_page_order(cpu, zc, EV_buddy_to_tail, order, pfn, order, 0);
	}
	area_add(lab, z, pfn, order, type, to_tail);
	tell(cpu, z->index, NOTE_buddy_put, pfn, order, type, to_tail);
}
