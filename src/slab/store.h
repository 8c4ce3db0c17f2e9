/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store - making, joining, leaving and draining stores.
 *
 * Idea. restore() is the only way in which anything structural changes: it
 * works out the store a cache should have and, if that is not the one it has,
 * attaches the cache to another in a stop. A store that lost its last cache
 * drains: CPU parts are flushed, empty slabs go at once, every other slab
 * when its last object is freed; then the store dies. (slab-stores.md)
 *
 * Locks. All of it under lab->control, in a stop of all CPUs, but for
 * store_note_death(), which a free calls.
 */
#ifndef SLAB_STORE_H
#define SLAB_STORE_H

#include "event/variant.h"
#include "slab/slab.h"

/* A new active store for this wish, with no cache. -ENOMEM/-EINVAL with a sentence. */
int store_make(struct lab *lab, const struct wish *w, const char *name, uint32_t *number);
/* A slot of the store table for an engine's own use, which is no store. */
int store_slot(struct lab *lab, uint32_t *number);
void store_slot_free(struct lab *lab, uint32_t number);
void store_attach(struct lab *lab, struct store *s, struct cache *c);
/* Take a cache off its store; drains it when it was the last. */
void store_detach(struct lab *lab, struct cache *c);

/* Frees without a name count for this cache from now on. */
void store_count_for(struct lab *lab, struct store *s, uint32_t cache);

/* Counters were switched on or off: what the fast paths count meanwhile is no event (struct store_stat). */
void stores_counting(struct lab *lab, bool on);

/* Limits and placement of a store from its caches' policies (the first attached cache decides). */
int store_tune(struct lab *lab, struct store *s);

/* The route of a store's hits, and what `room` its parts have: as its engine and policies say. */
enum route store_route(const struct store *s);
uint32_t store_room(const struct store *s);
bool store_has_room(const struct store *s);

/*
 * The route that calls ask for first: that of new stores. Never ROUTE_OWNER
 * while some store, or one to come, has fast paths with WAY_*.
 */
enum route stores_usual_route(struct lab *lab);

/* Do its policies let a cache share a store at all? */
bool cache_may_merge(struct lab *lab, const struct cache *c);

/* Which stores others may join, after merging was switched for their caches. */
void stores_open(struct lab *lab);

/* Bring a cache's store in line with its wish. 1: it has another store now, 0: unchanged. */
int cache_restore(struct lab *lab, struct cache *c);

/*
 * Give up all CPUs' slabs and chains of a store. The kernel lets all CPUs do it
 * at once, so the order is a race; this one is what recorded runs show. The CPU
 * that asks begins first and the others wake up later, which on machines of
 * more than two CPUs is later than it takes to walk any freelist; of two CPUs
 * the one with less to walk is at the node's list first. The rest, ascending.
 */
void store_flush_all(struct cpu *self, struct store *s);
/* The same, and every grace period is over: nothing of it is anywhere but in its slabs, or out. */
void store_empty(struct cpu *self, struct store *s);
/* Drop the empty slabs on node lists, whatever min_partial says. */
void store_discard_empty(struct lab *lab, struct store *s);
/* Sort partial lists, fullest first; true if slabs are left. */
bool store_shrink(struct cpu *self, struct store *s);

/* In a stop: the passes of engines' timers that fall due after `from` and by `to` (lab clock, ns). */
void slab_timers(struct lab *lab, uint64_t from, uint64_t to);

/*
 * In a stop, where an op may begin: every grace period is over, and what was
 * freed to its end (deferred.h) goes; told or counted as v says.
 */
void store_rcu_over(struct lab *lab, enum variant v);
/* In a stop: slabs that wait for a grace period go. */
void store_finish_grace(struct lab *lab);

/* Slots of dead stores become free; their counters go to the caches' carries. */
void store_reap(struct lab *lab);

/* In a stop, or while nothing changes: each slab of a store, by the page map, until fn gives what is not 0; that. */
int store_each_slab(const struct lab *lab, const struct store *s, int (*fn)(pfn_t slab, uint32_t objects, void *arg), void *arg);

/* After a slab of this store was given back: if it drains and had its last, mark it dead. */
static inline void store_note_death(struct lab *lab, struct store *s)
{
	if (likely(__atomic_load_n(&s->state, __ATOMIC_RELAXED) != STORE_DRAINING))
		return;
	if (__atomic_load_n(&s->waiting, __ATOMIC_ACQUIRE))
		return;
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		if (__atomic_load_n(&store_node(lab, s, n)->nr_slabs, __ATOMIC_ACQUIRE))
			return;
	__atomic_store_n(&s->state, STORE_DEAD, __ATOMIC_RELAXED);
	__atomic_store_n(&slab_state(lab)->reap, 1, __ATOMIC_RELEASE);
}

#endif
