/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slub - the unqueued slab allocator of Linux 6.1.
 *
 * Idea. Each CPU owns one slab, frozen, and hands out its objects from a
 * private freelist. A free to any other slab goes to that slab's own
 * freelist, by one exchange. Slabs with something free wait on a short chain
 * of the CPU that first freed into them, then on their node's partial list;
 * full slabs wait nowhere.
 *
 *     cpu freelist ─ cpu slab ─ cpu chain ─ node partial list ─ new slab
 *
 * Invariants S4 to S6 of slab.h are this file's.
 */
#ifndef SLAB_SLUB_H
#define SLAB_SLUB_H

#include "slab/engine.h"

#ifdef VARIANT
#define slub_alloc_slow V(slub_alloc_slow)
#define slub_free_slow V(slub_free_slow)
#define slub_new_slab V(slub_new_slab)
#define slub_refuse_twice V(slub_refuse_twice)
#define slub_add_partial V(slub_add_partial)
#define slub_remove_partial V(slub_remove_partial)
#define slub_debug_alloc V(slub_debug_alloc)
#define slub_debug_free V(slub_debug_free)
#define slub_ops V(slub_ops)

/* slub.c */
uint64_t slub_alloc_slow(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slub_free_slow(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		    unsigned int cnt);
/* slub.freelist_hardened: `object` is free already, first on its list; a run of cnt with it is not freed. */
void slub_refuse_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object, unsigned int cnt);

/* slub_pages.c: slabs made of pages. */
struct page *slub_new_slab(struct cpu *cpu, struct store *s, uint32_t gfp, int node);

/* slub_partial.c: node lists. Under n->lock: */
void slub_add_partial(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab, bool site_tail);
void slub_remove_partial(struct cpu *cpu, struct slub_node *n, struct page *slab);

/* slub_debug.c: a store with debug flags works one object at a time. */
uint64_t slub_debug_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slub_debug_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		     unsigned int cnt);
#endif

static inline uint64_t slub_nr_partial(const struct slub_node *n)
{
	return __atomic_load_n(&n->nr_partial, __ATOMIC_RELAXED);
}

/* Is an emptied slab one too many for its node? `nr_partial` counts listed slabs, itself too if it is one. */
static inline bool slub_is_surplus(const struct store *s, const struct slub_node *n)
{
	uint64_t nr = slub_nr_partial(n);

	return s->discard_test == DISCARD_GT ? nr > s->min_partial : nr >= s->min_partial;
}

/* The order in which other nodes are asked for a partial slab: by distance, then number. */
static inline unsigned int slub_nth_node(unsigned int local, unsigned int nth)
{
	return nth <= local ? nth - 1 : nth;
}

#endif
