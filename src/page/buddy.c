/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buddy system's moves (pages.md: section 2 the core, section 3 fallback). Compiled once a variant. */
#include "page/buddy.h"

#include "page/area.h"
#include "page/emit.h"
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

/* ---- fallback between types ---- */

/* Whom a type takes from, first choice first. HighAtomic and Isolate neither take nor are taken from. */
static const enum mtype victims[PCP_TYPES][2] = {
	[MT_UNMOVABLE] = { MT_RECLAIMABLE, MT_MOVABLE },
	[MT_MOVABLE] = { MT_RECLAIMABLE, MT_UNMOVABLE },
	[MT_RECLAIMABLE] = { MT_UNMOVABLE, MT_MOVABLE },
};

static bool find_victim(const struct zone *z, unsigned int order, enum mtype want, enum mtype *victim)
{
	for (unsigned int i = 0; i < 2; i++)
		if (z->area[order].list[victims[want][i]].head != PFN_NONE) {
			*victim = victims[want][i];
			return true;
		}
	return false;
}

/* Free blocks of a pageblock all go over to another type's lists; returns their pages. */
static unsigned int move_pageblock(struct lab *lab, struct zone *z, pfn_t pfn, enum mtype want)
{
	unsigned int size = 1U << pageblock_order(lab), moved = 0;
	pfn_t start = pfn & ~(size - 1);

	for (unsigned int i = 0; i < size;) {
		const struct page *page = &lab->pages[start + i];

		if (!area_is_free(lab, start + i, page->order)) {
			i++;
			continue;
		}
		i += 1U << page->order;
		moved += 1U << page->order;
		area_move(lab, z, (pfn_t)(page - lab->pages), page->order, want);
	}
	return moved;
}

/*
 * A part of a pageblock is taken: move all that is free in it, and make the
 * block the wanted type's if that and what is alike come to half of it. Pages
 * of a Movable block that are neither free nor movable are taken for alike. No
 * page is on an LRU list here yet, so none counts as movable; and since zones
 * begin and end with top-order blocks, no pageblock sticks out of its zone.
 */
static void steal_part(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype want)
{
	struct lab *lab = cpu->lab;
	struct zone_cpu *zc = zone_cpu(cpu, z);
	enum mtype was = pageblock_type(lab, pfn);
	unsigned int size = 1U << pageblock_order(lab), movable = 0, alike = 0, free;

	free = move_pageblock(lab, z, pfn, want);
	if (want == MT_MOVABLE)
		alike = movable;
	else if (was == MT_MOVABLE)
		alike = size - free - movable;
	tell(cpu, z->index, NOTE_steal_share, free, alike, size / 2, want);
	if (free + alike >= size / 2 || !lab->nodes->grouping) {
		pageblock_set_type(lab, pfn, want);
		emit_page(cpu, zc, EV_block_claim, pfn, want, free);
	} else {
		emit_page(cpu, zc, EV_block_mixed_steal, pfn, want, free);
	}
}

static void steal(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype want, bool whole)
{
	struct lab *lab = cpu->lab;
	unsigned int pbo = pageblock_order(lab);

	if (pageblock_type(lab, pfn) == MT_HIGHATOMIC) {
		area_move(lab, z, pfn, order, want);
	} else if (order >= pbo) {
		for (unsigned int i = 0; i < 1U << (order - pbo); i++)
			pageblock_set_type(lab, pfn + (i << pbo), want);
		emit_page(cpu, zone_cpu(cpu, z), EV_block_claim, pfn, want, 1U << order);
		area_move(lab, z, pfn, order, want);
	} else if (whole) {
		steal_part(cpu, z, pfn, want);
	} else {
		area_move(lab, z, pfn, order, want);
	}
}

/* The largest block of another type is taken over; only where little is wanted, the smallest. */
static bool fallback(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype want, unsigned int flags)
{
	unsigned int pbo = pageblock_order(cpu->lab), lowest = order, c = NR_PAGE_ORDERS;
	enum mtype victim = MT_UNMOVABLE;
	bool found = false, whole;
	pfn_t pfn;

	if (!page_policy(cpu->lab)->fallback || !type_is_mergeable(want)) {
		tell(cpu, z->index, NOTE_fallback_none, order, want, type_is_mergeable(want) ? FALLBACK_OFF : FALLBACK_NONE);
		return false;
	}
	if (flags & ALLOC_NOFRAGMENT && order < pbo)
		lowest = pbo;
	while (!found && c-- > lowest)
		found = find_victim(z, c, want, &victim);
	if (!found) {
		tell(cpu, z->index, NOTE_fallback_none, order, want, lowest > order ? FALLBACK_WHOLE : FALLBACK_NONE);
		return false;
	}
	whole = c >= pbo / 2 || want != MT_MOVABLE || !cpu->lab->nodes->grouping;
	if (!whole && c > order)
		for (c = order; !find_victim(z, c, want, &victim); c++)
			;
	pfn = z->area[c].list[victim].head;
	tell(cpu, z->index, NOTE_fallback_choice, pfn, c, victim, want, whole, order);
	steal(cpu, z, pfn, c, want, whole);
	emit_page(cpu, zone_cpu(cpu, z), EV_mm_page_alloc_extfrag, pfn, order, want);
	tell_more(cpu, EV_mm_page_alloc_extfrag, TPX_FALLBACK, c, victim, pageblock_type(cpu->lab, pfn) == want);
	return true;
}

pfn_t V(rmqueue_fallback)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type,
			  unsigned int flags)
{
	pfn_t pfn;

	do {
		pfn = V(rmqueue_smallest)(cpu, z, order, type);
	} while (unlikely(pfn == PFN_NONE) && fallback(cpu, z, order, type, flags));
	return pfn;
}

/* ---- give back ---- */

/* Would the free of this block's buddy make a block of two orders more? Then it had better stay. */
static bool merge_is_likely(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	pfn_t parent = pfn & ~(1U << order);

	return order <= TOP_ORDER - 2 && area_has(lab, parent ^ (2U << order), order + 1);
}

void V(free_one_page)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type,
		      bool to_tail)
{
	struct lab *lab = cpu->lab;
	struct zone_cpu *zc = zone_cpu(cpu, z);

	page_set_kind(&lab->pages[pfn], 0);
	poke(z->free_pages, z->free_pages + (1UL << order));
	if (unlikely(lazy_is_on(lab))) {
		V(lazy_free)(cpu, z, pfn, order, type);
		return;
	}
	while (order < TOP_ORDER) {
		pfn_t buddy = pfn ^ (1U << order);

		if (!buddy_may_merge(lab, buddy, order, type))
			break;
		area_del(lab, z, buddy, order);
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
