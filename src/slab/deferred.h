/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * deferred - frees after a grace period (kfree_rcu): what waits, and its end.
 *
 * Idea. Readers may still look at the object, so nothing of it is written. On
 * a store with sheaves it goes into the CPU's sheaf for such frees, which
 * waits as a whole when it is full (sheaves.c). Any other object, and one that
 * no sheaf takes, is noted in a block of side memory and is out until it is
 * freed in the ordinary way. (sheaves.md section 4)
 *
 * Where ops are played one at a time every CPU is between ops when one ends:
 * what it deferred is shown until the next op begins, and that does it first.
 * On threads the CPU looks around when it defers more, and frees what may go
 * before it does anything else: an op that is on its way, which may find that a
 * period is over when a slab goes, has counts and lists of its own in hand. A
 * stop that changes stores waits for nobody (store_rcu_over()): all CPUs are
 * between ops.
 *
 * Invariants (lab check reports them by these labels)
 *   R1  Lists of waiting sheaves and blocks are whole; each block but the last
 *       is full.
 *   R2  A waiting object is one that is out, and waits once.
 *   R3  A store counts the sheaves of its own that wait.
 *
 * Ownership. A CPU's lists belong to whoever plays it.
 */
#ifndef SLAB_DEFERRED_H
#define SLAB_DEFERRED_H

#include "slab/engine.h"

#define DEFERRED_BLOCK 62

/* Of each object its offset, and in the upper 16 bits the cache that a handle knows it by (op.h: owner). */
struct deferred_block {
	uint64_t nr, next;
	uint64_t object[DEFERRED_BLOCK];
};

#define DEFERRED_OFF(word) ((word) & 0xffffffffffffULL)
#define DEFERRED_OWNER(word) ((uint32_t)((word) >> 48))

/* Something waits: who begins the next op looks. */
static inline void rcu_note(struct lab *lab)
{
	if (!__atomic_load_n(&slab_state(lab)->rcu, __ATOMIC_RELAXED))
		__atomic_store_n(&slab_state(lab)->rcu, 1, __ATOMIC_RELAXED);
}

static inline struct deferred_block *deferred_block(const struct lab *lab, uint64_t off)
{
	return lab_ptr(lab, off);
}

/* The link of either kind of piece: both have it second. */
static inline uint64_t *rcu_next(const struct lab *lab, uint64_t piece)
{
	return (uint64_t *)lab_ptr(lab, piece) + 1;
}

static inline void rcu_append(const struct lab *lab, struct rcu_list *list, uint64_t first, uint64_t last)
{
	if (list->first)
		*rcu_next(lab, list->last) = first;
	else
		list->first = first;
	list->last = last;
}

/* All of `from` behind what `to` has. */
static inline void rcu_move(const struct lab *lab, struct rcu_batch *to, struct rcu_batch *from)
{
	if (from->sheaves.first)
		rcu_append(lab, &to->sheaves, from->sheaves.first, from->sheaves.last);
	if (from->blocks.first)
		rcu_append(lab, &to->blocks, from->blocks.first, from->blocks.last);
	*from = (struct rcu_batch){ 0 };
}

/* A sheaf of this store begins to wait. */
static inline void rcu_wait_sheaf(struct cpu *cpu, struct store *s, uint64_t sheaf)
{
	*rcu_next(cpu->lab, sheaf) = 0;
	rcu_append(cpu->lab, &cpu->part->rcu[RCU_NEXT].sheaves, sheaf, sheaf);
	__atomic_add_fetch(&s->waiting, 1, __ATOMIC_RELAXED);
	rcu_note(cpu->lab);
}

/* Walk the objects that wait in blocks, oldest first of each CPU; fn false: stop. Needs a stop. */
void deferred_walk(struct lab *lab, bool (*fn)(uint32_t cpu, uint64_t off, void *arg), void *arg);

/* In a stop, after all stores were checked and their free objects marked: R1 to R3. */
int deferred_check(struct lab *lab, struct audit *a);
/* In a stop: the lists of sheaves of a CPU are whole; how many on them are of a->s. */
int deferred_check_sheaves(struct lab *lab, struct audit *a, unsigned int cpu, uint32_t *nr);
struct heap_audit;
int deferred_pieces(struct lab *lab, struct heap_audit *a);

#ifdef VARIANT
#define slab_free_rcu V(slab_free_rcu)
#define slab_rcu_all V(slab_rcu_all)
/* As slab_free() after a grace period. *full: there is no side memory to note it in; nothing has changed. */
uint32_t slab_free_rcu(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner, bool *full);
/* In a stop: all of it. */
void slab_rcu_all(struct cpu *cpu);
#endif

#endif
