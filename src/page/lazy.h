/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lazy - freed blocks that do not merge before demand has fallen.
 *
 * Idea (System V; Lee and Barkley 1988-1989). While an order is in steady
 * use, a freed block is kept as it is (delayed): to its buddy it looks
 * allocated, and it is the first to be handed out again. Merging goes on as
 * fast as demand falls, and no faster. For each order of a zone
 *
 *	A  blocks allocated, those that are cut into smaller ones included
 *	L  blocks delayed
 *	G  blocks globally free: ordinary buddy blocks
 *	D  slack = A - L, before a free: 2 and more lazy, 1 reclaiming, 0 accelerated
 *
 *   list   head [delayed, last freed] … [delayed, oldest] [global] … <-> tail
 *
 * A delayed block says PAGE_DELAYED instead of PAGE_BUDDY, so no buddy test
 * sees it; everything else (lists, counts, marks, stealing) treats it as free.
 * Blocks of the top order are never delayed.
 *
 * Invariants (page_check() reports them by these labels)
 *   L1  delayed blocks stand in front of the others on their list, the oldest
 *       is known, and their number is L; with buddy.coalesce=eager there is none.
 *   L2  A is the number of blocks of the order that are held, on a CPU's list
 *       or cut (buddy.coalesce=lazy only).
 *
 * Locks. The zone's, by the caller.
 */
#ifndef PAGE_LAZY_H
#define PAGE_LAZY_H

#include "event/variant.h"
#include "page/zone.h"

static inline bool lazy_is_on(const struct lab *lab)
{
	return page_policy(lab)->coalesce == COALESCE_LAZY;
}

/* A of every order, by a walk of the zone's pages. In a stop. */
void lazy_count_used(const struct lab *lab, const struct zone *z, uint64_t used[NR_PAGE_ORDERS]);

/* buddy.coalesce was switched: count A, or merge what is due (zone.due_merges says how much). In a stop. */
void lazy_update(struct lab *lab);

/* L1 and L2; blocks of an order and type that say PAGE_DELAYED. */
int lazy_check(const struct lab *lab, const struct zone *z);

#ifdef VARIANT
/* Take a block that stands on a list and cut it down to `order`; what is not kept is delayed. */
pfn_t V(lazy_take)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int high, unsigned int order, enum mtype type);

/* Give a block back by the rules; free_pages is the caller's. */
void V(lazy_free)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type);

/* Merge delayed blocks of orders below `order` with whatever is free; returns their pages, *merges grows. */
uint64_t V(lazy_flush)(struct cpu *cpu, struct zone *z, unsigned int order, uint64_t *merges);

/* The same for the zones of a request that found no block of its order, locks taken here; did anything move? */
bool V(lazy_flush_zones)(struct cpu *cpu, const uint16_t *zones, unsigned int nr, unsigned int high, unsigned int order);
#endif

#endif
