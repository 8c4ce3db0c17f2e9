/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slqb - per-CPU lists with remote queues, as linux-next had them in 2009.
 *
 * Idea. Each CPU has a list of free objects, linked through the objects and
 * used as a stack, and slabs of its own behind it. A list that grows too long
 * gives the newest back: to their slabs, or, of another list's slabs, in
 * batches to that list's remote queue, which its CPU takes over when its own
 * list is empty. No slab is shared, and slabs of order 0 will do.
 *
 *     list ─ partial slabs of the list ─ new slab        others ─ rlist ─ remote queue ─ list
 *
 * Each node has a list too, for requests from CPUs of other nodes.
 *
 * A slab belongs to the list that made it (page.owner: its number + 1); its
 * freelist and counts are as SLUB's, never frozen.
 *
 * Invariants (lab check reports them by these labels)
 *   T1  A slab is on its owner's partial list exactly when some but not all of
 *       its objects are out of it, or when it has just been made.
 *   T2  nr_partial and nr_slabs of a list count its slabs.
 *   T3  A list, a remote queue and an rlist have as many objects as they say,
 *       linked from head to tail, each there once.
 *
 * Locks. A CPU's list and rlist belong to whoever plays the CPU, a node's list
 * is used under the node's list lock. page_lock guards a list's partial slabs,
 * the freelists of its slabs and their counts; remote_lock its remote queue.
 * Both are of RANK_QUEUE, and never held together.
 */
#ifndef SLAB_SLQB_H
#define SLAB_SLQB_H

#include "slab/engine.h"

struct slqb_chain {
	uint64_t head, tail;		/* objects */
	uint32_t nr;
};

/* A line each for what its owner uses all the time, what others bring, and its slabs. */
struct slqb_list {
	struct slqb_chain free;
	uint32_t number;		/* CPUs first, then nodes */
	struct lock remote_lock __cacheline_aligned;
	struct slqb_chain remote;
	uint32_t remote_check;		/* relaxed: the remote queue reached a batch */
	struct lock page_lock __cacheline_aligned;
	struct slab_list partial;
	uint64_t nr_partial, nr_slabs;
};
_Static_assert(sizeof(struct slqb_list) == 3 * CACHE_LINE, "lines of a list");

struct slqb_cpu {
	struct slqb_list list;
	struct slqb_chain rlist;	/* objects on their way to one other list */
	uint32_t rlist_to;		/* number + 1, 0 none */
	uint32_t colour_next;		/* bytes */
};

static inline struct slqb_cpu *slqb_cpu(const struct cpu *cpu, const struct store *s)
{
	return lab_ptr(cpu->lab, front_part(cpu, s)->own);
}

static inline struct slqb_list *slqb_node_list(const struct lab *lab, const struct store *s, unsigned int node)
{
	return lab_ptr(lab, store_node(lab, s, node)->own);
}

/* The list of this number. */
static inline struct slqb_list *slqb_list(const struct lab *lab, const struct store *s, uint32_t number)
{
	return number < lab->nr_cpus ? &slqb_cpu(lab->cpus[number], s)->list : slqb_node_list(lab, s, number - lab->nr_cpus);
}

#ifdef VARIANT
#define slqb_take V(slqb_take)
#define slqb_free V(slqb_free)
#define slqb_flush_cpu V(slqb_flush_cpu)
#define slqb_flush_nodes V(slqb_flush_nodes)
#define slqb_shrink V(slqb_shrink)
#define slqb_reap V(slqb_reap)
#define slqb_discard_empty V(slqb_discard_empty)

/* slqb.c: what its table calls, and slqb_debug.c. One object, the long way, not counted; 0: there is none. One back. */
uint64_t slqb_take(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
void slqb_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail, unsigned int cnt);
void slqb_flush_cpu(struct cpu *cpu, struct store *s);
void slqb_flush_nodes(struct cpu *cpu, struct store *s);
void slqb_shrink(struct cpu *self, struct store *s);
void slqb_reap(struct cpu *cpu, struct store *s, struct reap *r);
void slqb_discard_empty(struct cpu *cpu, struct store *s, unsigned int node);
#endif

int slqb_geometry(const struct wish *w, struct geometry *g);

#endif
