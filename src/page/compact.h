/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact - large blocks made by moving what can move out of the way.
 *
 * Idea (Gorman 2010; as in Linux 6.1). Two scanners: one goes up from the
 * zone's start and takes pages off the LRU, one comes down from its end and
 * takes free pages. The first move into the second, until they meet or a block
 * of the order wanted has come together. Entries follow their pages (lru.h).
 *
 *   zone start                                     zone end
 *   [migrate scanner ->            <- free scanner]
 *
 * A block of the order wanted that comes together while a CPU compacts for a
 * request is handed over by the free that made it (capture), before it reaches
 * a list where others might take or cut it. Below pageblock order a Movable
 * one is not: other requests are to fill its pageblock.
 *
 * A failed run makes the next ones wait their turn (deferral): after the n-th
 * only one request in 2^n tries.
 *
 * Locks. The node's LRU lock to isolate and to repoint, the zone lock to take
 * free pages; never both.
 *
 * Units. Pages. Scanner positions are page numbers.
 */
#ifndef PAGE_COMPACT_H
#define PAGE_COMPACT_H

#include "event/variant.h"
#include "page/lru.h"

#define COSTLY_ORDER 3		/* above it, a request is not worth everything */

/* Of several zones the greatest counts. */
enum compact_result {
	COMPACT_SKIPPED, COMPACT_DEFERRED, COMPACT_CONTINUE, COMPACT_COMPLETE, COMPACT_PARTIAL_SKIPPED,
	COMPACT_CONTENDED, COMPACT_SUCCESS,
};
enum compact_priority { COMPACT_SYNC_FULL, COMPACT_SYNC_LIGHT, COMPACT_ASYNC };

struct request;

/* Would a run make sense? SUCCESS: no need, SKIPPED: no room (or no scatter), else CONTINUE. flags: enum alloc_flag. */
enum compact_result compaction_suitable(const struct lab *lab, const struct zone *z, unsigned int order,
					unsigned int flags, unsigned int high);

/* extfrag index in thousandths: -1000 a block is free, near 0 want of memory, near 1000 scatter. */
int zone_extfrag_index(const struct zone *z, unsigned int order);

/* Per cent of the free pages that are of no use for the order; and the node's average, by size. */
unsigned int zone_extfrag(const struct zone *z, unsigned int order);
unsigned int node_frag_score(const struct lab *lab, unsigned int node);

/* Is it this request's turn? Counts it. */
bool compaction_is_deferred(struct lab *lab, const struct zone *z, unsigned int order);
void compaction_defer(struct lab *lab, const struct zone *z, unsigned int order);
void compaction_defer_reset(struct lab *lab, const struct zone *z, unsigned int order, bool page);

/* Pageblocks that were of no use are looked at again. */
void compaction_reset_skip(struct lab *lab, unsigned int node, unsigned int high);

/* compact.defer=off: all deferrals end. In a stop. */
void compaction_forget_defers(struct lab *lab);

#ifdef VARIANT
/*
 * What a request's zones yield; the caller then tries for the block, unless
 * one was captured: that is taken already, and the caller's.
 */
enum compact_result V(compact_for)(struct cpu *cpu, const struct request *rq, unsigned int flags,
				   enum compact_priority priority, pfn_t *captured);

void V(compact_in_background)(struct cpu *cpu, unsigned int node, unsigned int order, unsigned int high);
void V(compact_proactively)(struct cpu *cpu, unsigned int node);

/* All zones of a node from end to end (command compact): pages moved. */
uint64_t V(compact_node)(struct cpu *cpu, unsigned int node);
#endif

#endif
