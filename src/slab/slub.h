/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slub - the unqueued slab allocator of Linux, 2.6.24 to 6.18.
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

#include "base/rand.h"
#include "slab/engine.h"

#ifdef VARIANT
struct slab_pair;

#define slub_alloc_slow V(slub_alloc_slow)
#define slub_free_slow V(slub_free_slow)
#define slub_alloc_plain V(slub_alloc_plain)
#define slub_free_plain V(slub_free_plain)
#define slub_new_slab V(slub_new_slab)
#define slub_refuse_twice V(slub_refuse_twice)
#define slub_add_partial V(slub_add_partial)
#define slub_remove_partial V(slub_remove_partial)
#define slub_debug_alloc V(slub_debug_alloc)
#define slub_debug_free V(slub_debug_free)
#define slub_ops V(slub_ops)
#define slub_deactivate V(slub_deactivate)
#define slub_get_partial V(slub_get_partial)
#define slub_take_new V(slub_take_new)
#define slub_freelist_end V(slub_freelist_end)
#define slub_thawed V(slub_thawed)
#define slub_tell_surplus V(slub_tell_surplus)
#define slub_early_alloc V(slub_early_alloc)
#define slub_early_deactivate V(slub_early_deactivate)

/* slub.c */
uint64_t slub_alloc_slow(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slub_free_slow(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		    unsigned int cnt);
/*
 * The same for entry points that have asked is_plain() and have no more to say
 * of the request: one object, from any node, counted for a cache; the op ends.
 * Arguments come in the order that costs the callers no move. first: of the slab.
 */
void *slub_alloc_plain(struct cpu *cpu, struct slub_cpu *c, uint32_t name);
void slub_free_plain(struct cpu *cpu, uint32_t name, struct slub_cpu *c, pfn_t first, uint64_t object);
/* slub.freelist_hardened: `object` is free already, first on its list; the run of cnt that ends with it is not freed. */
void slub_refuse_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t object, unsigned int cnt);

/* The CPU gives its slab up. */
void slub_deactivate(struct cpu *cpu, struct store *s, struct slub_cpu *c);
/* A slab of this node, or of any if node < 0, becomes the CPU's, and its freelist is returned; 0: there is none. */
uint64_t slub_get_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c, int node);
uint64_t slub_take_new(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node);
struct chain_end {
	uint64_t tail;
	unsigned int nr;
};
struct chain_end slub_freelist_end(struct cpu *cpu, const struct store *s, uint64_t head);
/* A slab as it will be when its CPU gives it up: not frozen, the objects in hand (up to `end`) before its own. */
struct slab_counts slub_thawed(struct cpu *cpu, const struct store *s, struct slab_pair old, uint64_t freelist,
			       struct chain_end end, struct slab_pair *new);
void slub_tell_surplus(struct cpu *cpu, const struct store *s, const struct slub_node *n, const struct page *slab, bool is_surplus);

/* slub_early.c: what kernels before 3.1 did, with one lock bit a slab. */
uint64_t slub_early_alloc(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node);
void slub_early_deactivate(struct cpu *cpu, struct store *s, struct page *slab, uint64_t freelist);

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

/* Since 6.8 slabs that wait on a CPU's chain are no longer frozen; the node list knows its own (page.listed). */
static inline bool slub_freezes_chain(const struct store *s)
{
	return s->era < ERA_6_8;
}

static inline bool slub_is_listed(const struct page *slab)
{
	return __atomic_load_n(&slab->listed, __ATOMIC_RELAXED);
}

/*
 * Is an emptied slab one too many for its node? `nr_partial` counts listed
 * slabs, itself too if it is one.
 */
static inline bool slub_is_surplus(const struct store *s, const struct slub_node *n)
{
	uint64_t nr = slub_nr_partial(n);

	return s->discard_test == DISCARD_GT ? nr > s->min_partial : nr >= s->min_partial;
}

/* The same of a slab whose last object comes back: with discard_test lt none is kept but by a CPU that gives it up. */
static inline bool slub_is_surplus_freed(const struct store *s, const struct slub_node *n)
{
	return s->discard_test == DISCARD_LT || slub_is_surplus(s, n);
}

/*
 * May a CPU whose node has no partial slab look at other nodes? The kernel
 * holds the cycle counter, modulo 1024, against the ratio; a lab draws where
 * CPUs run side by side, so that ops one at a time repeat themselves: those
 * are refused by a ratio of 0 only. *drawn: it was the draw that refused.
 */
static inline bool slub_asks_others(struct cpu *cpu, const struct store *s, bool *drawn)
{
	*drawn = s->defrag_ratio && !cpu->alone && rand_below(&cpu->part->rand, 1024) > s->defrag_ratio;
	return s->defrag_ratio && !*drawn;
}

/* The order in which other nodes are asked for a partial slab: by distance, then number. */
static inline unsigned int slub_nth_node(unsigned int local, unsigned int nth)
{
	return nth <= local ? nth - 1 : nth;
}

#endif
