/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine - what an engine must be able to do, in one table.
 *
 * A store holds its engine's number. What ops call is store_ops[store.ops][variant];
 * what is done in a stop (make, resize, flush, shrink, walk, check) is
 * engines[engine], once for all variants. Both tables close the engine's files.
 *
 * Queued engines (slab, slqb, sheaves) hold free objects outside slabs. They
 * keep their parts of CPUs and nodes in side memory (slub_cpu.own,
 * slub_node.own), and entry points find a blind part of SLUB before them
 * (PART_QUEUED), so that SLUB's fast paths ask no question for their sake.
 */
#ifndef SLAB_ENGINE_H
#define SLAB_ENGINE_H

#include "event/variant.h"
#include "slab/slab.h"

/* One pass of a timer over one store, as whoever's CPU it is. */
struct reap {
	uint64_t now_ns;
	enum { REAP_BY_TIME, REAP_CPU, REAP_NODE } part;	/* the node's part: when due, not, whether due or not */
	int alien;			/* the node whose objects are due to go home; -1: none */
};

struct store_ops {
	const char *name;
	/* One object, or 0. */
	uint64_t (*alloc)(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
	/* A run of cnt objects of one slab, linked from head to tail. */
	void (*free)(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		     unsigned int cnt);
	/* The same, for a slab that is known not to be this CPU's. */
	void (*free_elsewhere)(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			       unsigned int cnt);
	/*
	 * NULL, or n objects (of this store, each known to be one) in this engine's own
	 * way; without it front builds runs. vec is used up.
	 */
	void (*free_bulk)(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec);
	/* n objects into vec; returns how many it got before memory ended. NULL: one by one. */
	size_t (*alloc_bulk)(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec);
	/* Give up this CPU's part. */
	void (*flush_cpu)(struct cpu *cpu, struct store *s);
	/* In a stop. What nodes hold in front of their slabs goes back to them; NULL: nothing. */
	void (*flush_nodes)(struct cpu *cpu, struct store *s);
	/* In a stop. What a shrink does, where it is less than a flush of everything; NULL: that. */
	void (*shrink)(struct cpu *self, struct store *s);
	/* In a stop: empty slabs of a node go back to the page layer, whatever the limits say. */
	void (*discard_empty)(struct cpu *cpu, struct store *s, unsigned int node);
	/* In a stop, as the timer does it: one pass over this CPU's part and its node; NULL: this engine has no timer. */
	void (*reap)(struct cpu *cpu, struct store *s, struct reap *r);
	/* A free after a grace period; false: not by this engine's own way, nothing has changed. NULL: it has none. */
	bool (*free_rcu)(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object);
	/* A sheaf that waited: its grace period is over. */
	void (*sheaf_done)(struct cpu *cpu, struct store *s, uint64_t sheaf);
	/* A sheaf of the store's own capacity, whatever it holds, to be handed out; 0: no memory. NULL: it has none. */
	uint64_t (*sheaf_get)(struct cpu *cpu, struct store *s);
	/* It comes back. */
	void (*sheaf_put)(struct cpu *cpu, struct store *s, uint64_t sheaf, uint32_t gfp);
	/* Pages of a discarded slab whose grace period is over. */
	void (*give_back)(struct cpu *cpu, pfn_t first);
};

/*
 * Queued engines go another way where objects are checked; SLUB's slow paths ask.
 * A store that may have sheaves and has none goes SLUB's.
 */
enum { OPS_SLAB_DEBUG = ENGINE_NR, OPS_SLQB_DEBUG, OPS_NR };
extern const struct store_ops *const store_ops[OPS_NR][VARIANT_NR];	/* by store.ops */
uint8_t store_ops_of(const struct wish *w, bool debug);

/* A queue of free objects in front of the slabs, oldest first where it has an order. */
struct queue {
	const char *kind;	/* array, shared, alien, list, … */
	int cpu, node, peer;	/* whose it is; peer: of which other node; -1: none */
	uint32_t nr, limit, batch;
	bool touched;
	bool newest_first;	/* its walk begins with what is taken next */
};

/* What a walk calls: the queue, then each of its objects. */
struct queue_walk {
	void (*queue)(const struct queue *q, void *arg);
	void (*object)(uint64_t object, void *arg);
	void *arg;
};

struct audit;
struct heap_audit;

/* What is done to a store in a stop; see the functions of store.h that call it. */
struct engine {
	const char *name;
	enum route route;			/* of its queues; SLUB's follows slub.fastpath */
	enum event_id hit_alloc, hit_free;	/* what a hit of its queues, or of SLUB's freelist, is called */
	int (*geometry)(const struct wish *w, struct geometry *g);
	/* Parts of a fresh store, or -ENOMEM with a sentence; and what they hold goes. */
	int (*make)(struct lab *lab, struct store *s);
	void (*unmake)(struct lab *lab, struct store *s);
	/* Limits from policies; may resize queues. -ENOMEM: nothing changed. */
	int (*tune)(struct lab *lab, struct store *s, const struct store_policy *p);
	/* In a stop: a CPU came, or went and was flushed; NULL: nothing of a store hangs on how many there are. */
	void (*cpus_changed)(struct lab *lab, struct store *s, struct cpu *cpu);
	/* From now on a free goes to its slab, and an empty slab goes. */
	void (*drain)(struct lab *lab, struct store *s);
	bool (*has_cpu_part)(const struct cpu *cpu, const struct store *s);
	/* A slab's own free objects, in the order in which it hands them out; fn may be NULL. */
	uint32_t (*walk_slab)(struct lab *lab, const struct store *s, pfn_t slab,
			      bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg);
	void (*walk_queues)(struct lab *lab, const struct store *s, const struct queue_walk *w);
	/* Every invariant of a store's lists and queues; marks free objects with audit_free(). */
	int (*check)(struct lab *lab, struct store *s, struct audit *a);
	/* Name all side memory of a store's parts. */
	int (*pieces)(struct lab *lab, const struct store *s, struct heap_audit *a);
	void (*figures)(struct lab *lab, const struct store *s, struct store_figures *f);
};
extern const struct engine slub_engine, slabq_engine, slqb_engine, sheaves_engine;
extern const struct engine *const engines[ENGINE_NR];

/* ---- for the check of an engine (check.c) ---- */

/* This object is free, and was not met before. -EUCLEAN with the label. */
int audit_free(struct audit *a, const char *label, uint64_t object);
/* The object is out: no free object, and not met here before. -EUCLEAN with the label. */
int audit_out(struct audit *a, const char *label, uint64_t object);
/* Side memory that an offset of the region, read from it, would have to lie in. */
bool audit_piece(const struct lab *lab, uint64_t off, uint64_t bytes);
/* -EUCLEAN with label, store and sentence. */
int audit_broken(const struct audit *a, const char *label, const char *fmt, ...) __printf_like(3, 4);

struct shrink;

/* The layer's own entry points, by variant: from caches and addresses to stores. */
struct slab_ops {
	uint64_t (*cache_alloc)(struct cpu *cpu, struct cache *c, uint32_t gfp, int node);
	/* cache NULL: any (kfree). owner: cache id a handle knows, 0: none. Returns FINDING_* of op.h. */
	uint32_t (*free)(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner);
	size_t (*cache_alloc_bulk)(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec);
	uint32_t (*free_bulk)(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec);
	uint64_t (*kmalloc)(struct cpu *cpu, uint64_t bytes, uint32_t gfp, int node, uint32_t *cache);
	/* cached objects, cached.h */
	int (*touch)(struct cpu *cpu, uint32_t entry, bool *again);
	uint64_t (*drop)(struct cpu *cpu, int node);
	/* deferred.h */
	uint32_t (*free_rcu)(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner, bool *full);
	void (*rcu_all)(struct cpu *cpu);
	/* prefill.h */
	uint64_t (*sheaf_prefill)(struct cpu *cpu, struct cache *c, uint32_t gfp, uint32_t n);
	uint64_t (*sheaf_alloc)(struct cpu *cpu, uint64_t sheaf, uint32_t gfp);
	bool (*sheaf_refill)(struct cpu *cpu, uint64_t *sheaf, uint32_t gfp, uint32_t n);
	void (*sheaf_return)(struct cpu *cpu, uint64_t sheaf, uint32_t gfp);
};
extern const struct slab_ops *const slab_ops[VARIANT_NR];

/* The C interface's calls by variant, each an array by enum route: what is asked for first (entry.h). Each CPU has a copy of a row. */
extern const struct cpu_calls *const cpu_calls[VARIANT_NR];
/* The same without short ways, for labs in which each request is looked at (fault injection, owner maps, latency). */
extern const struct cpu_calls *const cpu_careful_calls[VARIANT_NR];

#endif
