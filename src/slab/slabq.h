/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabq - the queued allocator, SLAB, of Linux 6.1.
 *
 * Idea. Each CPU has an array of object pointers, used as a stack: what was
 * freed last is given out first, and nothing else is touched. An empty array
 * is refilled, a full one flushed, by a batch under one lock. Between CPUs of
 * a node stands a shared array; for each other node an alien array collects
 * what is to go home there.
 *
 *     CPU array ─ shared array ─ partial and free slabs ─ new slab
 *
 * A slab keeps no links in its objects but an array of their numbers:
 * idx[active .. num-1] are free. It lies in a free object (the last one to be
 * handed out), behind the objects, or in an object of a kmalloc cache. Slabs
 * start at changing offsets (colours), so that their objects do not all fall
 * into the same lines of the CPU's caches.
 *
 * Of the slab's descriptor: freelist is where idx lies (0: a full slab whose
 * array would lie in an object), counters hold active and num.
 *
 * Invariants (lab check reports them by these labels)
 *   Q1  Each slab is on one list of its node: full with active = num, free
 *       with active = 0, else partial.
 *   Q2  idx[active ..] names each free object once.
 *   Q3  free_objects is the sum of num - active; free_slabs is the length of
 *       the list; nr_slabs that of all three.
 *   Q4  An array holds at most limit objects, all of this store, of slabs
 *       where they are active, and no object twice.
 *   Q5  Objects in a CPU's, a node's shared and another node's alien array are
 *       of that CPU's node, that node, that other node.
 *   Q6  colour_next is below the number of colours.
 *
 * Locks. A CPU's array belongs to whoever plays the CPU. An alien array has a
 * lock of its own (RANK_ALIEN), under which the node's list lock may be taken;
 * that one guards lists, counts and the shared array. Pages are asked for and
 * given back with no lock held.
 */
#ifndef SLAB_SLABQ_H
#define SLAB_SLABQ_H

#include "slab/engine.h"

#define SLABQ_MAX_OBJS 255	/* free indexes are bytes */
#define SLABQ_REFILL_COLD 16	/* most that is taken by a CPU whose array was not used since the last pass of the timer */
#define SLABQ_ALIEN_LIMIT 12
#define SLABQ_MAX_LIMIT (1u << 20)
#define SLABQ_DEBUG_LIMIT 32	/* of debug stores, where nobody says another */

enum slabq_management { SLABQ_IN_OBJECT, SLABQ_OFF_SLAB, SLABQ_ON_SLAB };
extern const char *const slabq_management_words[];

struct array_cache {
	uint32_t avail, limit, batchcount, touched;
	uint64_t cap;			/* entries there is room for */
	uint64_t entry[];		/* newest last */
};

struct alien_cache {
	struct lock lock;
	struct array_cache ac;
};

/* What a node's struct slub_node has no field for (it holds lists partial and full, nr_partial, nr_slabs). */
struct slabq_node {
	struct slab_list free;
	uint64_t free_slabs, free_objects;
	uint32_t free_limit, free_touched;
	uint32_t colour_next;		/* relaxed atomic */
	uint32_t aliens;		/* there are alien arrays */
	uint64_t shared;		/* array_cache in side memory, 0 none */
	uint64_t next_reap_ns;
	uint64_t alien[];		/* alien_cache in side memory, by other node; 0: own node */
};

static inline struct slabq_node *slabq_node(const struct lab *lab, const struct store *s, unsigned int node)
{
	return lab_ptr(lab, store_node(lab, s, node)->own);
}

static inline struct array_cache *slabq_cpu(const struct cpu *cpu, const struct store *s)
{
	return lab_ptr(cpu->lab, front_part(cpu, s)->own);
}

static inline struct array_cache *slabq_shared(const struct lab *lab, const struct slabq_node *n)
{
	return n->shared ? lab_ptr(lab, n->shared) : NULL;
}

static inline struct alien_cache *slabq_alien(const struct lab *lab, const struct slabq_node *n, unsigned int node)
{
	return n->aliens && n->alien[node] ? lab_ptr(lab, n->alien[node]) : NULL;
}

/* The free-index array of a slab; not of a full one whose array lies in an object. */
static inline uint8_t *slabq_index(const struct lab *lab, const struct page *slab)
{
	return lab_ptr(lab, slab->freelist);
}

/* Slabs taken off their lists, to be given back when no lock is held: linked by next. */
struct slabq_doomed {
	pfn_t first, last;
};

#ifdef VARIANT
#define slabq_grow V(slabq_grow)
#define slabq_destroy V(slabq_destroy)
#define slabq_free_block V(slabq_free_block)
#define slabq_reap V(slabq_reap)
#define slabq_drain_alien V(slabq_drain_alien)
#define slabq_flush_cpu V(slabq_flush_cpu)
#define slabq_flush_nodes V(slabq_flush_nodes)
#define slabq_flush_shared V(slabq_flush_shared)
#define slabq_discard_empty V(slabq_discard_empty)
#define slabq_ops V(slabq_ops)
#define slabq_alloc V(slabq_alloc)
#define slabq_free V(slabq_free)

/* slabq_pages.c: a new slab, on no list yet, of this node (-1: wherever pages are); NULL when there are none. */
struct page *slabq_grow(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slabq_destroy(struct cpu *cpu, struct store *s, struct slabq_doomed doomed);

/* slabq.c: what its table calls, and slabq_debug.c. One object; 0: there is none. */
uint64_t slabq_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slabq_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail, unsigned int cnt);
/* n objects of one node back to their slabs. Under the node's list lock. */
void slabq_free_block(struct cpu *cpu, struct store *s, unsigned int node, const uint64_t *objects, uint32_t n,
		      struct slabq_doomed *doomed);
/* An alien array goes home: to that node's shared array as far as there is room, the rest to its slabs. Under its lock. */
void slabq_drain_alien(struct cpu *cpu, struct store *s, struct array_cache *ac, unsigned int node,
		       struct slabq_doomed *doomed);

/* slabq_reap.c: what goes back without being asked for. */
void slabq_flush_cpu(struct cpu *cpu, struct store *s);
void slabq_flush_nodes(struct cpu *cpu, struct store *s);
void slabq_flush_shared(struct cpu *cpu, struct store *s, unsigned int node);
void slabq_discard_empty(struct cpu *cpu, struct store *s, unsigned int node);
void slabq_reap(struct cpu *cpu, struct store *s, struct reap *r);
#endif

/* slabq_store.c. In a stop: arrays of these sizes, whose objects went back to the slabs. -EINVAL, -ENOMEM: nothing changed. */
int slabq_resize(struct lab *lab, struct store *s, uint32_t limit, uint32_t batchcount, uint32_t shared_factor);
int slabq_geometry(const struct wish *w, struct geometry *g);
void slabq_doom(const struct lab *lab, struct slabq_doomed *doomed, struct page *slab);

/* To another array, its end to that one's end, as far as there is room and at most `most`. */
static inline uint32_t array_transfer(struct array_cache *to, struct array_cache *from, uint32_t most)
{
	uint32_t nr = from->avail < most ? from->avail : most;

	if (nr > to->limit - to->avail)
		nr = to->limit - to->avail;
	__builtin_memcpy(to->entry + to->avail, from->entry + from->avail - nr, nr * sizeof(uint64_t));
	__atomic_store_n(&from->avail, from->avail - nr, __ATOMIC_RELAXED);	/* a shared one is looked at without its lock */
	__atomic_store_n(&to->avail, to->avail + nr, __ATOMIC_RELAXED);
	return nr;
}

/* The oldest n are gone: the rest moves down. */
static inline void array_shift(struct array_cache *ac, uint32_t n)
{
	__atomic_store_n(&ac->avail, ac->avail - n, __ATOMIC_RELAXED);
	__builtin_memmove(ac->entry, ac->entry + n, ac->avail * sizeof(uint64_t));
}

#endif
