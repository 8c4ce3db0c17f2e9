/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read - caches, stores and slabs as views may see them.
 *
 * Figures may be read while CPUs run; models are taken in a stop and are the
 * caller's own memory afterwards.
 *
 * Units. Sizes in bytes, everything else in what its name says.
 */
#ifndef SLAB_READ_H
#define SLAB_READ_H

#include "event/event.h"
#include "lab/lab.h"
#include "slab/policy.h"
#include "slab/report.h"

#define CACHE_NAME 128
#define CACHE_NONE 0	/* ids start at 1 */
#define CACHE_SWITCHES 8

/* A cache got another store: when, which, and what the old one kept. */
struct cache_switch {
	uint64_t op, from, to;		/* number of the op; serials of stores */
	uint64_t slabs, objects;	/* of the old store then; objects there was room for */
	uint32_t order, objs;		/* of the new store */
	uint8_t from_engine, engine;	/* enum engine_id */
};

/* Caches, oldest first: *cursor starts at 0; returns the id, CACHE_NONE at the end. */
uint32_t cache_next(struct lab *lab, uint32_t *cursor);
uint32_t cache_find(struct lab *lab, const char *name);		/* CACHE_NONE if there is none */
const char *cache_name(struct lab *lab, uint32_t cache);

struct store_figures {
	uint32_t number;		/* slot */
	uint64_t serial;		/* what users see as the store's number */
	const char *engine;
	enum { STORE_FREE, STORE_ACTIVE, STORE_DRAINING } state;
	uint64_t born_op;		/* number of the op that made it */
	char name[CACHE_NAME];		/* of its first cache */
	char dir[CACHE_NAME];		/* sysfs directory: ":0000192" or the name */
	uint32_t object_size, size, align, inuse, freeptr_offset, red_left_pad;
	uint32_t order, objs, fallback_order, fallback_objs;
	uint32_t flags;			/* CF_* in force */
	uint32_t usersize;
	bool ctor;
	int32_t aliases;
	uint32_t min_partial, cpu_partial, cpu_partial_slabs, defrag_ratio;
	bool has_cpu_partial;
	bool freelist_random, freelist_hardened, owner_map;
	/* queued engines: 0 or NULL where they mean nothing */
	bool has_tracks, has_sizes;	/* of its objects: who took and gave them; what kmalloc was asked for */
	bool queued, slub_lists;	/* free objects wait in queues; slabs are SLUB's */
	uint32_t colours, colour_off, index_bytes;
	const char *management;
	uint32_t limit, batchcount, shared_factor, shared_limit, alien_limit;
	uint64_t shared_avail, free_slabs, free_objects, free_limit, active_high, freeable_high;
	uint32_t hiwater, freebatch;
	uint32_t sheaf_capacity;
	uint64_t queued_objects, barn_full, barn_empty;	/* sheaves: objects in them; sheaves in barns */
	uint64_t rcu_objects, rcu_sheaves;	/* freed to the end of a grace period: objects; full sheaves among that */
	uint64_t held_sheaves, held_objects;	/* handed out (kmem_cache prefill), and what they hold */
	uint64_t slabs, total_objects, partial;		/* all nodes */
	uint64_t pages;
	uint64_t live;			/* objects really out; valid after store_count_live() */
};
int store_figures(struct lab *lab, uint32_t store, struct store_figures *s);

bool cache_starts_up(const struct lab *lab, uint32_t cache);	/* did it come with the lab? */
/* Does this store serve the cache now; did it ever? */
bool store_serves(const struct lab *lab, uint32_t store, uint32_t cache);
bool store_served(struct lab *lab, uint32_t store, uint32_t cache);

/* Stores, oldest first, draining ones too: returns the slot, 0 at the end. */
uint32_t store_next(struct lab *lab, uint32_t *cursor);
/* Objects of a store that are really out (walks it; needs a stop). */
uint64_t store_count_live(struct lab *lab, uint32_t store);

struct cache_figures {
	uint32_t id, store;		/* store: slot */
	uint64_t store_serial;
	const char *name;
	uint32_t size_asked, align_asked, flags_asked, usersize;
	bool ctor, starts_up;		/* starts_up: made with the lab */
	bool refused_destroy;
	uint64_t allocs, frees;		/* by this name, all CPUs */
	uint64_t objects;		/* out: allocs - frees, and what names of one store lack settled */
	uint64_t cached;		/* of them, those that shrinkers may free */
	uint32_t override_mask;
	uint8_t merge_asked;		/* enum merge_wish at creation */
};
int cache_figures(struct lab *lab, uint32_t cache, struct cache_figures *c);
uint64_t cache_objects(struct lab *lab, uint32_t cache);
/* The last switches of its store, oldest first, into out[CACHE_SWITCHES]; how many. *all: how many there ever were. */
unsigned int cache_switches(struct lab *lab, uint32_t cache, struct cache_switch *out, uint32_t *all);
const char *engine_name(unsigned int engine);

/* Counter of a store; cpu < 0: all CPUs. With carry, those of the cache's dead and draining stores too. */
uint64_t store_event(struct lab *lab, uint32_t store, int cpu, enum event_id ev);
uint64_t cache_event(struct lab *lab, uint32_t cache, int cpu, enum event_id ev);
/* The same of all slab events at once, in the order in which they lie in memory: by ev - EV_SLAB_FIRST. */
void slab_event_totals(struct lab *lab, uint64_t total[EV_SLAB_NR]);
uint64_t slab_event_total(struct lab *lab, int cpu, enum event_id ev);	/* all stores that ever were */
void store_node_lock(struct lab *lab, uint32_t store, unsigned int node, uint64_t *acquired,
		     uint64_t *contended);

/* Number of the slab that begins at this page, and how many its store ever got. -ENOENT: none does. */
int slab_age(struct lab *lab, uint32_t store, pfn_t slab, uint64_t *number, uint64_t *of);

/* Where an entry of cached objects has its object; -EINVAL if there is no entry at this offset. */
struct cached_place {
	uint64_t off;			/* of the object, 0: a shrinker freed it */
	uint32_t cache;			/* CACHE_NONE: destroyed since */
	bool referenced;
};
int cached_place(const struct lab *lab, uint64_t entry, struct cached_place *p);

struct cached_figures {
	uint64_t objects, referenced;	/* on the list of this cache and node */
	uint64_t deferred;		/* looks that were put off */
};
/* With `walk` (in a stop) referenced too. */
void cached_figures(const struct lab *lab, uint32_t cache, unsigned int node, bool walk, struct cached_figures *f);

/* ---- the model of one store ---- */

struct slab_line {
	uint64_t number;	/* S0, S1, … as the store got them */
	pfn_t pfn;
	uint32_t node, order;
	uint32_t objects;	/* it has */
	uint32_t out;		/* really out */
	uint32_t field_inuse;	/* the slab's own in-use field */
	uint32_t free_len;	/* its own freelist */
	uint32_t start;		/* where its first object begins (colour) */
	bool of_cpu;		/* it is a CPU's, or on its list */
};
struct node_lines {
	uint32_t node;
	uint64_t nr_partial, nr_slabs, total_objects;
	uint32_t partial_nr;
	struct slab_line *partial;	/* head to tail */
	uint32_t full_nr, free_nr;	/* engine slab */
	struct slab_line *full, *free;
	uint64_t free_slabs, free_objects, free_limit;
	uint32_t colour_next;
	bool free_touched;
};
/* A queue of free objects before the slabs; its objects, oldest first, lie in store_model.queued. */
struct queue_line {
	const char *kind;		/* array, shared, alien, … */
	int cpu, node, peer;		/* whose; peer: of which other node; -1: none */
	uint32_t nr, limit, batch, first;
	bool touched, newest_first;
};
struct queued_line {
	uint64_t slab;			/* its number */
	uint32_t index;
};
struct cpu_lines {
	uint32_t cpu;
	bool has_slab;
	struct slab_line slab;
	uint32_t cpu_free, slab_free, slab_inuse;
	uint32_t partial_nr, partial_slabs;	/* partial_slabs: the count kept in the chain's first slab */
	struct slab_line *partial;		/* next to be taken first */
};
struct store_model {
	struct store_figures figures;
	uint32_t nr_nodes, nr_cpus, unlisted_nr;
	struct node_lines *nodes;
	struct cpu_lines *cpus;			/* every CPU */
	struct slab_line *unlisted;		/* by number */
	uint32_t queues_nr, queued_nr;		/* none of SLUB's own */
	struct queue_line *queues;
	struct queued_line *queued;
};
/* NULL when the host is out of memory. Needs a stop. */
struct store_model *store_model_take(struct lab *lab, uint32_t store);
/*
 * The same in a moment: of each list so many slabs from its head, and none
 * that is on no list. Lengths (nr_partial, partial_slabs) are whole ones.
 */
struct store_model *store_model_glance(struct lab *lab, uint32_t store, uint32_t most);
void store_model_free(struct store_model *m);

/* The freelist of one slab, or of a CPU: indexes of the objects in order. */
struct object_place {
	uint32_t store;
	uint64_t store_serial, slab;	/* slab number */
	pfn_t slab_pfn;
	uint32_t node, index, objects;	/* index of the object in its slab */
	bool at_start;			/* the address is that of an object */
	enum { OBJECT_OUT, OBJECT_ON_CPU, OBJECT_ON_SLAB, OBJECT_QUEUED } where;
	const char *queue;		/* OBJECT_QUEUED: its kind; cpu or queue_node: whose; position from the end taken next */
	int queue_cpu, queue_node;
	uint32_t cpu, position;		/* OBJECT_ON_CPU: whose freelist; position from the front */
	enum { SLAB_UNLISTED, SLAB_OF_CPU, SLAB_ON_CHAIN, SLAB_ON_NODE, SLAB_ON_FULL, SLAB_ON_FREE } list;
	uint32_t list_cpu, list_position;
};
/* Which object an offset (region) lies in; -ENOENT if its page is of no slab. Needs a stop. */
int object_place(struct lab *lab, uint64_t off, struct object_place *p);

/* A sheaf that was handed out. -ENOENT: it is none. Needs a stop. */
struct held_place {
	uint32_t cache, objects, capacity;
	uint64_t store_serial;
};
int held_place(const struct lab *lab, uint64_t sheaf, struct held_place *p);

/* ---- lifetimes of objects, measured on request (slab/lifetime.h) ---- */

#define LIFETIME_POWERS 48
struct lifetime_figures {
	uint64_t count, mean_ns, max_ns;
	uint64_t power[LIFETIME_POWERS];	/* by the power of two that they are below */
};
/* False while nothing is measured. */
bool lifetime_read(const struct lab *lab, uint32_t cache, struct lifetime_figures *f);
int lifetimes_on(struct lab *lab);	/* in a stop, as the next two; -ENOMEM with a sentence */
void lifetimes_off(struct lab *lab);
void lifetimes_clear(struct lab *lab);

/* Who took the object at this offset, with slab.owner_map; *is_out: and did not give it back. False: nobody knows. */
bool object_owner(const struct lab *lab, uint64_t off, uint32_t *cache, bool *is_out);
/* Whose objects are out of a slab: at most `max` caches, the first met first. How many; 0 without a map. Needs a stop. */
struct owner_share { uint32_t cache, objects; };
unsigned int slab_owners(const struct lab *lab, pfn_t slab, struct owner_share *out, unsigned int max);

/* Walk a freelist (indexes): cpu >= 0: that CPU's own; else the slab at pfn. Returns the length. */
uint32_t freelist_walk(struct lab *lab, uint32_t store, int cpu, pfn_t slab,
		       bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg);

/* The text of /sys/kernel/slab/NAME/ATTR, without the newline. -ENOENT: no such attribute. */
int cache_sysfs(struct lab *lab, uint32_t cache, const char *attr, char *buf, size_t size);
extern const char *const sysfs_attrs[];	/* NULL-terminated, in directory order */
/* Has a kernel of the cache's slab.era this one? */
bool cache_has_attr(struct lab *lab, uint32_t cache, const char *attr);

/* How a cache's store came to be: one line a switch, oldest first. */
struct heap_audit;
int slab_audit(struct lab *lab, struct heap_audit *a);	/* name all side memory of caches and stores */
int slab_check(struct lab *lab);	/* all slab-layer invariants; -EUCLEAN with a sentence */

#endif
