/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reclaim - taking pages away from fillers, oldest first.
 *
 * Idea (as in Linux 6.1). Pages enter the head of an inactive list and are
 * looked at from its tail: used again meanwhile, they stay; else they are
 * freed. A scan at priority p looks at 1/2^p of each list, in batches of 32;
 * too little freed, the priority falls to the next lower number. Who wants
 * memory scans for itself (direct reclaim) or has kswapd do it beforehand.
 *
 * What layers above cache in objects follows by the same measure (shrink.h).
 *
 * Locks. The node's lock for a batch, then, without it, the free of what was
 * taken.
 *
 * Units. Pages.
 */
#ifndef PAGE_RECLAIM_H
#define PAGE_RECLAIM_H

#include "event/variant.h"
#include "page/lru.h"

#define RECLAIM_PRIORITY 12
#define RECLAIM_BATCH_MOST 512
#define DIRECT_GOAL 32

struct request;

struct scan {
	unsigned int node, high;	/* high: zones above are skipped */
	unsigned int order;		/* of the request */
	int priority;
	uint64_t goal;			/* pages; enough when that many are freed */
	bool kswapd;
	bool fs;			/* __GFP_FS: shrinkers may ask the file system */
	uint64_t scanned, reclaimed;	/* sums over all calls; reclaimed: pages of slabs too */
	uint64_t slab_scanned, slab_freed, slab_pages;	/* cached objects, and pages that came of them */
};

#ifdef VARIANT
/* One node (or, by reclaim.lru_scope=zone, its zones one by one) at one priority. */
void V(shrink_node)(struct cpu *cpu, struct scan *s);

/* Deactivate some anon pages if too few of them are inactive. */
void V(age_anon)(struct cpu *cpu, struct scan *s);

/* For a request that found nothing: pages freed; 1 if none was, but compaction could start. */
uint64_t V(direct_reclaim)(struct cpu *cpu, const struct request *rq);

/* Free about n pages of a node, with every priority there is (command reclaim). Pages freed. */
uint64_t V(reclaim_pages)(struct cpu *cpu, unsigned int node, uint64_t n);

/* All clean file pages of a node, as by writing 1 to drop_caches (command reclaim). Pages freed. */
uint64_t V(drop_pagecache)(struct cpu *cpu, unsigned int node);

/* Drop all of the filler that has the most resident pages on the nodes of a request: pages freed. */
uint64_t V(evict_largest)(struct cpu *cpu, const struct request *rq);
#endif

#endif
