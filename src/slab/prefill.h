/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prefill - sheaves handed out, for allocations that must not fail.
 *
 * Idea. Who will need up to n objects where no memory may be asked for takes a
 * sheaf that holds so many, allocates from it and gives it back. Up to the
 * capacity of the cache's own sheaves it is one of those (engine sheaves); a
 * larger one, and any one of a cache that has none, is made for the purpose
 * and filled from slabs: oversize. (sheaves.md section 5)
 *
 * What a held sheaf holds is free, but keeps its store: when the cache moves
 * to another one, the old one drains until the sheaf is back, or refilled from
 * the new one, for which it is exchanged.
 *
 * Invariants (lab check reports them by these labels)
 *   H4  A held sheaf is on its store's list, once; its objects are free, in no
 *       other place. A store's `waiting` counts it.
 *
 * Locks. store.held_lock (RANK_QUEUE) guards the list; a sheaf belongs to who
 * holds it.
 */
#ifndef SLAB_PREFILL_H
#define SLAB_PREFILL_H

#include "slab/engine.h"

#define PREFILL_MAX 65536	/* objects of one sheaf */

struct queue_walk;
/* All queues of a store: the engine's, and held sheaves ("prefilled"). Needs a stop. */
void store_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w);

/* Is this a sheaf that somebody holds? Needs a stop. */
bool sheaf_is_held(const struct lab *lab, uint64_t sheaf);
/* In a stop: sheaves handed out under this cache's name, by any store. */
uint32_t held_by_cache(const struct lab *lab, uint32_t cache);

void held_figures(const struct lab *lab, const struct store *s, struct store_figures *f);
int held_check(struct lab *lab, struct audit *a);
int held_pieces(struct lab *lab, const struct store *s, struct heap_audit *a);

#ifdef VARIANT
#define slab_sheaf_prefill V(slab_sheaf_prefill)
#define slab_sheaf_alloc V(slab_sheaf_alloc)
#define slab_sheaf_refill V(slab_sheaf_refill)
#define slab_sheaf_return V(slab_sheaf_return)
/* A sheaf that holds n objects (1 .. PREFILL_MAX) or more; 0: no memory. */
uint64_t slab_sheaf_prefill(struct cpu *cpu, struct cache *c, uint32_t gfp, uint32_t n);
/* One object of it; 0: it is empty. Nothing else is asked. */
uint64_t slab_sheaf_alloc(struct cpu *cpu, uint64_t sheaf, uint32_t gfp);
/* To its capacity, if it holds less than n; exchanged for another one where it cannot hold so many. False: as it was. */
bool slab_sheaf_refill(struct cpu *cpu, uint64_t *sheaf, uint32_t gfp, uint32_t n);
void slab_sheaf_return(struct cpu *cpu, uint64_t sheaf, uint32_t gfp);
#endif

#endif
