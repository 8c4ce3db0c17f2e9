/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact_priv - one run of compaction, between compact.c (the scanners) and
 * compact_search.c (what compact.fast_search puts before them).
 *
 * For files compiled once a variant.
 */
#ifndef PAGE_COMPACT_PRIV_H
#define PAGE_COMPACT_PRIV_H

#include "page/compact.h"
#include "page/pageblock.h"

#define CLUSTER 32		/* pages isolated at a time; an async free scan looks at every 32nd page */
#define WHOLE_ZONE 255		/* order: until the scanners meet */

struct compaction {
	struct zone *z;
	struct reclaim_node *rn;
	struct reclaim_zone *rz;
	unsigned int order;
	enum compact_priority mode;
	enum mtype type;
	bool direct;			/* for a request, not in the background */
	bool whole;			/* from end to end, whatever the skip bits say */
	unsigned int score;		/* proactive: until the zone is no more scattered than this (else 0) */
	pfn_t migrate, free;		/* where the scanners stand */
	bool from_start;
	pfn_t moved_from;		/* a group of 2^order pages that pages were moved out of and not drained yet */
	unsigned int nr, nr_free;
	pfn_t pages[CLUSTER];		/* isolated */
	pfn_t frees[CLUSTER + BLOCK_PAGES];
	uint64_t scanned, free_scanned, moved;

	/* compact.fast_search */
	unsigned int search_order;	/* where the next search for free pages begins */
	unsigned int search_fails;	/* in a row */
	pfn_t lowest_found;		/* pageblock found so, PFN_NONE: none since the last linear scan */
};

static inline pfn_t block_of(const struct lab *lab, pfn_t pfn)
{
	return pfn >> pageblock_order(lab);
}

static inline pfn_t block_start(const struct lab *lab, pfn_t pfn)
{
	return block_of(lab, pfn) << pageblock_order(lab);
}

/* A free block becomes single pages of ours. Under the zone lock. False: the zone needs it. */
bool V(compact_take_free)(struct cpu *cpu, struct compaction *c, pfn_t pfn, unsigned int order);

/* Free pages of one pageblock upward, from pfn on, until there are as many as are to move; where it stopped. */
pfn_t V(compact_free_block)(struct cpu *cpu, struct compaction *c, pfn_t pfn, pfn_t end);

/* The pageblock to look at next for pages to move; c->migrate when the lists know none better. */
pfn_t V(compact_find_source)(struct cpu *cpu, struct compaction *c);

/* Take free pages near the free scanner off the lists; may find none. */
void V(compact_find_free)(struct cpu *cpu, struct compaction *c);

#endif
