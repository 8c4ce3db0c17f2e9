/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cached - objects that nobody uses and that reclaim may free.
 *
 * Idea. Like dentries and inodes without a user: they stay, as they may be
 * wanted again, until memory is short. Then a shrinker walks them, oldest
 * first; one that was used meanwhile gets another round, the others are freed
 * the ordinary way. Pages come of that only where a slab becomes empty, so one
 * object that is still in use holds the whole slab. (reclaim.md section 4)
 *
 * An entry names the object, or none once it was shrunk: whoever uses it then
 * gets another object (as a file name that is looked up anew). So a handle
 * keeps its members. Each cache has a list a node:
 *
 *   head [newest] <-> … <-> tail [oldest: looked at first]
 *
 * Invariants (cached_check() reports them by these labels)
 *   C1  a list's links agree in both directions, its length with nr, and the
 *       lengths with the node's sum.
 *   C2  an entry on a list is of that cache and node, and names an object of a
 *       slab there.
 *   C3  entries are cached, gone or free; each of the first is on a list, each
 *       of the last on that of free ones.
 *
 * Locks. The node's lock (RANK_LRU) guards its lists and the entries on them.
 * Entries are given out and taken back in a stop only.
 *
 * Units. Objects.
 */
#ifndef SLAB_CACHED_H
#define SLAB_CACHED_H

#include "event/variant.h"
#include "page/shrink.h"
#include "slab/slab.h"

enum cached_state { CACHED_FREE, CACHED_HERE, CACHED_GONE };

struct cached {
	uint64_t off;			/* here: its object */
	uint32_t newer, older;		/* number + 1; free: older is the next free one */
	uint32_t cache;			/* 0: destroyed meanwhile */
	uint32_t gfp;
	uint8_t state, referenced;
	uint8_t on;			/* here: node of its object, on whose list it stands */
	uint8_t pad[5];
};

struct cached_list {
	uint32_t newest, oldest;	/* number + 1 */
	uint64_t nr;
	uint64_t deferred;		/* what earlier calls should have looked at and did not */
};

struct cached_node {
	struct lock lock;
	uint64_t nr;			/* on all its lists */
	uint64_t shrunk;		/* freed by shrinkers so far */
} __cacheline_aligned;

struct cached_head {
	uint32_t entries, free;		/* numbers used so far; number + 1 of a free one */
} __cacheline_aligned;

static inline struct cached_head *cached_head(const struct lab *lab)
{
	return lab_section(lab, SEC_CACHED);
}

static inline struct cached_node *cached_node(const struct lab *lab, unsigned int node)
{
	return (struct cached_node *)(cached_head(lab) + 1) + node;
}

static inline struct cached_list *cached_list(const struct lab *lab, unsigned int node, uint32_t cache)
{
	return (struct cached_list *)cached_node(lab, lab->nr_nodes) + (size_t)node * MAX_CACHES + cache;
}

static inline struct cached *cached_entry(const struct lab *lab, uint32_t nr)
{
	return (struct cached *)cached_list(lab, lab->nr_nodes, 0) + nr;
}

uint64_t cached_section_bytes(const struct shape *shape);
void cached_init(struct lab *lab);

/* Under the node's lock: the entry, whose fields say where, goes to the newest end of its list; or off it. */
void cached_link(struct lab *lab, uint32_t nr);
void cached_unlink(struct lab *lab, uint32_t nr);

/* In a stop. An object of a slab becomes a cached one of this cache; -EINVAL or -ENOSPC with a sentence. */
int cached_add(struct lab *lab, uint64_t object, uint32_t cache, uint32_t gfp, uint32_t *nr);
/* In a stop. The entry goes; the object, 0 if it was shrunk, is its owner's as before. */
uint64_t cached_remove(struct lab *lab, uint32_t nr);
/* The number of the entry at this region offset, -EINVAL with a sentence if there is none in use. */
int cached_find(const struct lab *lab, uint64_t off, uint32_t *nr);
/* In a stop: a cache goes, and what it still has out is another's (CACHE_NONE: it has nothing out). */
void cached_forget(struct lab *lab, uint32_t cache, uint32_t heir);

int cached_check(const struct lab *lab);

extern const struct shrinker cached_shrinker;

#ifdef VARIANT
/* One node at one priority: what struct shrink says. */
void V(cached_shrink)(struct cpu *cpu, struct shrink *s);
/* All that can go, as by writing 2 to drop_caches; node -1: of all. The pages that came of it. */
uint64_t V(cached_drop)(struct cpu *cpu, int node);
/* Use it; *again: it had been shrunk. -ENOMEM: there is no memory for another object, -ENOENT: no such cache any more. */
int V(cached_touch)(struct cpu *cpu, uint32_t nr, bool *again);
#endif

#endif
