/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fair - zones of a node take turns, in proportion to their size.
 *
 * Idea (Linux 3.12 to 4.7). A zonelist is tried highest zone first, so the
 * lower zone would fill only once the higher one is at its low mark, and the
 * pages of the two would age at different speed. Each zone has a batch of
 * high - low pages to give before the others have given theirs.
 *
 *   batch    3.12-3.16: a counter that every allocation lowers and the first
 *            walk reads; what is used up is passed over
 *   lowcost  3.17-4.7: the allocation that uses a batch up sets a flag, the
 *            walk reads the flag; a second walk is made only where one helps
 *
 * Invariant (page_check() reports it by this label)
 *   F1  a batch is never more than high - low; it may fall below 0.
 *
 * Locks. None: counters and flags are exchanged in one piece, and two CPUs
 * that use a batch up at once may give a page too many, as in a kernel.
 *
 * Units. Pages.
 */
#ifndef PAGE_FAIR_H
#define PAGE_FAIR_H

#include "page/zone.h"

static inline bool fair_is_on(const struct lab *lab)
{
	return page_policy(lab)->fair != FAIR_OFF;
}

/* Pages were handed out of the zone, in whatever way. */
static inline void fair_take(const struct lab *lab, struct zone *z, uint64_t pages)
{
	int64_t left = __atomic_sub_fetch(&z->fair_batch, (int64_t)pages, __ATOMIC_RELAXED);

	if (left <= 0 && page_policy(lab)->fair == FAIR_LOWCOST)
		poke(z->fair_depleted, 1);
}

/* Has the zone given its part of this round? */
static inline bool fair_is_used_up(const struct lab *lab, const struct zone *z)
{
	if (page_policy(lab)->fair == FAIR_LOWCOST)
		return peek(z->fair_depleted);
	return peek(z->fair_batch) <= 0;
}

static inline void fair_refill(struct zone *z)
{
	poke(z->fair_batch, (int64_t)(z->mark[WMARK_HIGH] - z->mark[WMARK_LOW]));
	poke(z->fair_depleted, 0);
}

#endif
