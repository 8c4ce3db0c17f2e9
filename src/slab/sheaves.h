/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheaves - arrays of objects before SLUB, exchanged through barns. (Linux 6.18)
 *
 * Idea. Each CPU has a main sheaf that it pops from and pushes to, and perhaps
 * a spare one. When both are empty, or full, a whole sheaf is exchanged for a
 * full, or an empty, one of the node's barn: one lock for many objects, and
 * objects freed on one CPU reach another without touching their slabs.
 *
 *     main ⇄ spare ─ barn (full sheaves, empty sheaves) ─ SLUB
 *     rcu_free ─ (grace period) ─ barn
 *
 * A cache asks for sheaves by a capacity; with capacity 0 it is plain SLUB.
 * Else entry points find a blind part in SLUB's place, and SLUB below works
 * with parts of its own (store.part).
 *
 * Invariants (lab check reports them by these labels)
 *   H1  Every sheaf is of the store's capacity and holds at most that.
 *   H2  Full sheaves of a barn are full, empty ones empty; counts are lengths.
 *   H3  An object is in one sheaf only, and on no freelist.
 *   H4  A sheaf that was handed out is on its store's list, once.
 *
 * Locks. A CPU's sheaves belong to whoever plays the CPU. A barn's lock
 * (RANK_QUEUE) guards its lists and is held for nothing else.
 */
#ifndef SLAB_SHEAVES_H
#define SLAB_SHEAVES_H

#include "slab/engine.h"

#define SHEAVES_MAX_CAPACITY 65536

struct sheaf {
	uint32_t size, capacity;
	uint64_t next;			/* in a barn's list, or where it waits for a grace period, or is held */
	uint32_t store;			/* its objects are of */
	uint8_t node, flushed;		/* of the CPU whose frees it took; not full: to slabs after the period */
	uint16_t cache;			/* handed out: of whom */
	uint64_t prev;			/* handed out */
	uint64_t object[];		/* newest last */
};
_Static_assert(sizeof(struct sheaf) == 32, "a sheaf's header");

struct sheaf_cpu {
	uint64_t main, spare;		/* sheaves in side memory; spare 0: none */
	uint64_t rcu_free;		/* takes what is freed to a grace period's end; 0: none */
	uint32_t nr_waiting;		/* full ones that wait for it, with what they hold: for figures */
	uint32_t waiting_objects;
} __cacheline_aligned;

/*
 * The next to be taken is first. Which one is behind it stands here, too, where
 * it is known (else 0): the first sheaf may lie in another CPU's cache, and a
 * lock would be held until that has come.
 */
struct sheaf_list {
	uint64_t first, second;
	uint32_t nr;
};

struct barn {
	struct lock lock;
	struct sheaf_list full;
	struct sheaf_list empty __cacheline_aligned;
};
_Static_assert(sizeof(struct barn) == 2 * CACHE_LINE, "an exchange touches two lines, and the sheaves");

static inline struct sheaf_cpu *sheaf_cpu(const struct cpu *cpu, const struct store *s)
{
	return lab_ptr(cpu->lab, front_part(cpu, s)->own);
}

static inline struct barn *sheaf_barn(const struct lab *lab, const struct store *s, unsigned int node)
{
	return lab_ptr(lab, store_node(lab, s, node)->own);
}

static inline struct sheaf *sheaf_at(const struct lab *lab, uint64_t off)
{
	return lab_ptr(lab, off);
}

/* A new empty sheaf, 0 when side memory is used up; and back. */
uint64_t sheaf_new(struct lab *lab, const struct store *s, uint32_t capacity);
void sheaf_drop(struct lab *lab, uint64_t sheaf);

static inline size_t sheaf_bytes(uint32_t capacity)
{
	return sizeof(struct sheaf) + (size_t)capacity * sizeof(uint64_t);
}

#endif
