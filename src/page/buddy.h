/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buddy - taking and giving back blocks under the zone lock.
 *
 * Idea (Knowlton 1965, as in Linux 6.1). A block of order o has one buddy,
 * pfn XOR 2^o. A take splits the smallest block that is large enough and keeps
 * the lower half; a give merges with the buddy while that is free and whole.
 * Lists are kept by migratetype, so that what cannot move stays together; an
 * empty type takes over blocks of another (fallback).
 *
 * The caller holds z->lock. free_pages is changed here for gives and by the
 * caller for takes, who often takes many.
 */
#ifndef PAGE_BUDDY_H
#define PAGE_BUDDY_H

#include "event/variant.h"
#include "page/area.h"
#include "page/pageblock.h"
#include "page/zone.h"

/* Flags of one request. */
enum alloc_flag {
	ALLOC_MARK = 0x03,		/* enum wmark */
	ALLOC_NO_WATERMARKS = 0x04,
	ALLOC_NOFRAGMENT = 0x08,	/* rather another zone than mixing types */
	ALLOC_MIN_RESERVE = 0x10,	/* __GFP_HIGH: half of min */
	ALLOC_NON_BLOCK = 0x20,		/* may not wait */
	ALLOC_HIGHATOMIC = 0x40,	/* may use the HighAtomic reserve */
	ALLOC_OOM = 0x80,		/* victim of an OOM kill */
	ALLOC_KSWAPD = 0x100,		/* may wake kswapd */
	ALLOC_FAIR = 0x400,		/* zones take turns (fair.h) */
	ALLOC_COLD = 0x200,		/* will not be touched soon: a cold page will do */
};

/* Is there a free buddy at `buddy` that may merge? Blocks as large as a pageblock merge only if their types may mix. */
static inline bool buddy_may_merge(const struct lab *lab, pfn_t buddy, unsigned int order, enum mtype type)
{
	enum mtype other;

	if (!area_has(lab, buddy, order))
		return false;
	if (likely(order < pageblock_order(lab)))
		return true;
	other = pageblock_type(lab, buddy);
	return other == type || (type_is_mergeable(other) && type_is_mergeable(type));
}

#ifdef VARIANT
/* A block of exactly this order from the lists of one type, PFN_NONE if there is none. */
pfn_t V(rmqueue_smallest)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type);

/* The same, taking blocks of other types over when the type has none. */
pfn_t V(rmqueue_fallback)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type,
			  unsigned int flags);

/* Give a block back; type: list it goes by. to_tail: keep it out of use for long. */
void V(free_one_page)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type,
		      bool to_tail);
#endif

#endif
