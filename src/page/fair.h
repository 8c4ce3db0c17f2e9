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
 * With zone.stat_drift the batch is a count with a difference in each CPU
 * (drift.h), so it falls in steps. A release candidate of 3.17 set the flag
 * only at exactly 0: a step over it lost the zone's turn (zone.fair_drift_bug).
 *
 * Invariant (page_check() reports it by this label)
 *   F1  a batch is never more than high - low, unless it drifts; it may fall below 0.
 *
 * Locks. None: counters and flags are exchanged in one piece, and two CPUs
 * that use a batch up at once may give a page too many, as in a kernel.
 *
 * Units. Pages.
 */
#ifndef PAGE_FAIR_H
#define PAGE_FAIR_H

#include "page/drift.h"
#include "page/zone.h"

static inline bool fair_is_on(const struct lab *lab)
{
	return page_policy(lab)->fair != FAIR_OFF;
}

/* What is left of the zone's turn after a change by so many pages, as a CPU sees it. */
static inline int64_t fair_add(const struct cpu *cpu, struct zone *z, int64_t pages)
{
	if (!drift_is_on(cpu->lab))
		return __atomic_add_fetch(&z->fair_batch, pages, __ATOMIC_RELAXED);
	drift_add(z, &z->fair_batch, &zone_cpu(cpu, z)->fair_diff, pages);
	return peek(z->fair_batch);
}

/* Pages were handed out of the zone, in whatever way. */
static inline void fair_take(const struct cpu *cpu, struct zone *z, uint64_t pages)
{
	const struct page_policy *p = page_policy(cpu->lab);
	int64_t left = fair_add(cpu, z, -(int64_t)pages);

	if (p->fair != FAIR_LOWCOST)
		return;
	if (unlikely(p->fair_drift_bug && p->stat_drift) ? left == 0 : left <= 0)
		poke(z->fair_depleted, 1);
}

/* Has the zone given its part of this round? */
static inline bool fair_is_used_up(const struct lab *lab, const struct zone *z)
{
	if (page_policy(lab)->fair == FAIR_LOWCOST)
		return peek(z->fair_depleted);
	return peek(z->fair_batch) <= 0;
}

/* In a stop: a full batch. */
static inline void fair_refill(struct zone *z)
{
	poke(z->fair_batch, (int64_t)(z->mark[WMARK_HIGH] - z->mark[WMARK_LOW]));
	poke(z->fair_depleted, 0);
}

/* The same by a request: what is missing is added as any change is. */
static inline void fair_refill_by(const struct cpu *cpu, struct zone *z)
{
	fair_add(cpu, z, (int64_t)(z->mark[WMARK_HIGH] - z->mark[WMARK_LOW]) - peek(z->fair_batch));
	poke(z->fair_depleted, 0);
}

#endif
