/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_cache - caches and one opened store as plain figures, for a screen.
 *
 * The table of caches is read as it stands. An opened store is looked at in a
 * short stop: of each of its lists a bounded number of slabs, and the free
 * objects of one slab.
 *
 * Units. Objects and slabs, unless named otherwise.
 */
#ifndef VIEW_LIVE_CACHE_H
#define VIEW_LIVE_CACHE_H

#include "view/live.h"

struct live_cache {
	uint32_t id;
	char name[CACHE_NAME];
	uint32_t object_size, size, order, objs_per_slab, aliases;
	uint64_t store;				/* serial */
	const char *engine;
	uint64_t objects, allocs, frees;	/* by this name */
	uint64_t total_objects, slabs, partial, pages;
	int64_t waste_bytes;			/* of the store: not asked for by any object; -1: told at its first name */
	unsigned int draining;			/* stores it left that still hold slabs */
	uint64_t draining_store;		/* serial of one of them */
	char overrides[64];			/* "merge=off partial_add=tail" */
	bool starts_up;
};

struct live_caches {
	struct live_cache *v;
	unsigned int nr, room;
};
void live_caches(struct lab *lab, struct live_caches *c);
void live_caches_free(struct live_caches *c);

/* ---- one store, opened ---- */

#define LIVE_SLABS 48			/* of one list */
#define LIVE_SLABS_BUSY 16		/* the same while CPUs wait for us */
#define LIVE_OBJECTS 512		/* of the picked slab */
#define LIVE_DRAINING 8

enum live_object { LIVE_OUT, LIVE_ON_SLAB, LIVE_ON_CPU };

struct live_drain {
	uint64_t store, objects, slabs;
	uint32_t order;
};

struct live_store {
	struct store_model *m;		/* NULL: no such cache */
	struct cache_figures cache;
	char partial_add[32];		/* in force for it */
	struct live_drain draining[LIVE_DRAINING];
	unsigned int nr_draining;
	/* the picked slab */
	bool has_slab;
	struct slab_line slab;
	int cpu;			/* whose slab it is, -1 nobody's */
	uint8_t where[LIVE_OBJECTS];	/* enum live_object */
	uint16_t position[LIVE_OBJECTS];	/* on that freelist, from 1 */
};
/*
 * `slab`: number of the slab to look into; where no list that is taken has it,
 * the first of them. Counts draining stores' objects only where the lab is
 * `still`. False: there is no such cache.
 */
bool live_store(struct lab *lab, const char *cache, uint64_t slab, bool still, struct live_store *s);
void live_store_free(struct live_store *s);

/* Which end of a node's list the next slab joins under this value of slub.partial_add, in words. */
const char *slabs_next_goes(const char *partial_add);

#endif
