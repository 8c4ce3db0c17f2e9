/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fallback - when a type has no free block left, another type gives one.
 *
 * Idea (Gorman 2007, mobility grouping). Pages that can move and pages that
 * cannot are kept in pageblocks apart. When one kind runs out it takes from
 * another, and rather much than little, so that few pageblocks become mixed:
 * the largest block of the victim, with it all that is free in its pageblock,
 * and the pageblock itself if half of it is free or of like kind.
 *
 * Rules (buddy.fallback_rule), by the kernel that had them:
 *   2.6.24  claims a pageblock if what is free is half of it; little requests
 *           for unmovable memory split a small victim in place
 *   4.0     takes whole pageblocks for unmovable and reclaimable requests too
 *   6.1     counts as like kind what could move (or, for unmovable requests,
 *           what is neither free nor movable); movable requests take the
 *           smallest victim; the zone's marks are raised for a while
 *   6.15    free pages never leave the type of their pageblock: the pageblock
 *           is claimed, or one block is taken and the rest stays the victim's
 *
 * The caller holds z->lock.
 */
#ifndef PAGE_FALLBACK_H
#define PAGE_FALLBACK_H

#include "event/variant.h"
#include "page/zone.h"

/* What is in a pageblock that a request wants a part of. */
struct block_share {
	unsigned int free, movable;	/* pages */
};

/* Free blocks of a pageblock go over to a type's lists (move), or are just counted. */
struct block_share pageblock_share(struct lab *lab, struct zone *z, pfn_t pfn, bool move, enum mtype want);

/* Would a block of this order be had with its pageblock, by a request of that type? */
bool fallback_gives_whole(const struct lab *lab, const struct zone *z, unsigned int order, enum mtype want);

/*
 * The largest free block that a request of that type and these rights (enum
 * alloc_flag) may be given out of a zone, of its own type or of another's, as
 * order + 1; 0: none. Marks are not asked; to be read beside owners at work.
 */
unsigned int fallback_largest(const struct lab *lab, const struct zone *z, enum mtype want, unsigned int flags);

/* Whom a type takes from, first choice first. */
extern const enum mtype fallback_victims[PCP_TYPES][2];

/* Does a victim of that order bring its pageblock along? */
bool fallback_takes_whole(const struct lab *lab, unsigned int order, enum mtype want);

#ifdef VARIANT
/* A block of exactly this order for a type that has none, PFN_NONE if nobody gives one. flags: enum alloc_flag. */
pfn_t V(fallback_take)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype want, unsigned int flags);
#endif

#endif
