/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slab - caches, stores, slabs: the structures of the slab layer.
 *
 * Idea. A cache is a name, a size and flags: what users hold. A store is an
 * engine instance that owns slabs of one geometry. Allocation goes from the
 * cache to its present store; a free goes to the store of the object's page.
 * So merging, un-merging, another order or debug flags on a live cache are one
 * act: point the cache at another store (store.h).
 *
 * Invariants (slab_check() reports them by these labels)
 *   S1  A cache's store is active, and the cache is on that store's list.
 *   S2  An active store has a cache, a draining one has none.
 *   S3  nr_slabs and total_objects of a node equal what the page map holds.
 *   S4  Each slab is in one place: a node's partial list, a CPU's slab, a CPU's
 *       chain, or unlisted and then full (or on the full list).
 *   S5  Freelists are acyclic, stay in their slab and have objects - inuse
 *       entries; a CPU slab's own freelist is what others freed into it.
 *   S6  nr_partial is the length of the list.
 *   S7  Σ allocs - frees over caches = objects really out.
 *   S8  With owner policies, chain counts are what was stored at insertion.
 *   S9  In a stop nobody holds the lock of a node's lists.
 *   S10 What is kept of told ops names caches by slots that there are.
 *   S11 A cache counts the stores whose history it is in.
 *   S12 A store's random order names each object of a slab once.
 *   S13 With an owner map, an object is out exactly if its word names who took it.
 *
 * Locks. slub_node.lock (RANK_NODE_LIST) guards a node's lists; the pair
 * (freelist, counters) of a slab changes by one 16-byte exchange; struct
 * slub_cpu belongs to whoever plays the CPU. Tables of caches and stores
 * change only in a stop, under lab->control.
 *
 * Units. Sizes in bytes; objects are region offsets, 0 none.
 */
#ifndef SLAB_SLAB_H
#define SLAB_SLAB_H

#include "cpu/cpu.h"
#include "cpu/lock.h"
#include "page/page.h"
#include "slab/policy.h"
#include "slab/read.h"

#define MAX_CACHES 65536
#define MAX_STORES 65536
#define MAX_OBJS_PER_SLAB 32767
#define WORD 8

enum engine_id { ENGINE_SLUB, ENGINE_SLAB, ENGINE_SLQB, ENGINE_SHEAVES, ENGINE_NR };

/* What decides a store's geometry and merging: a cache's request under the policies in force. */
struct wish {
	uint32_t object_size, align, usersize;
	uint32_t flags;			/* asked for, and the debug option string's */
	bool ctor, kmalloc, drop_high;	/* drop_high: letter O */
	uint8_t min_order, max_order;
	int32_t min_objects;
	bool cpu_partial_off, own_debug;	/* own_debug: flags by an override of this cache */
	uint32_t cpus;			/* that min_objects is derived from */
	int32_t link_at;		/* where the cache wants a free object's link, -1: does not say */
	uint8_t era;			/* enum slab_era; the first of those that are one to the engine */
	uint8_t engine;			/* enum engine_id; what follows is 0 where it means nothing to it */
	uint8_t slabq_max_order, slqb_min_order;
	bool wipes;			/* slab: freed objects are wiped */
	int32_t slqb_min_objects;
	uint32_t sheaf_capacity;
	uint8_t freelist_random, freelist_hardened;	/* SLUB's slabs */
	uint8_t owner_map;		/* every engine */
};

struct geometry {
	uint32_t size, align, inuse, freeptr, red_left_pad;
	uint32_t flags;			/* in force */
	uint32_t order, objs;		/* oo: tried first */
	uint32_t min_order, min_objs;	/* the fallback */
	uint32_t colours, colour_off;	/* start offsets of slabs: so many, so far apart (queued engines) */
	uint32_t management, index_bytes;	/* slab: where its free indexes lie (slabq.h), and their bytes */
};

/* Which inline code serves a hit of a store, for entry points and engines alike (slub_fast.h, queue_fast.h). */
enum route { ROUTE_NONE, ROUTE_OWNER, ROUTE_WAYS, ROUTE_ARRAY, ROUTE_SHEAF, ROUTE_LIST, ROUTE_NR };

static inline bool is_queue(enum route route)
{
	return route >= ROUTE_ARRAY;
}

/* A CPU's part of a store: one line. */
struct slub_cpu {
	uint64_t freelist;
	union {
		uint64_t tid;		/* changes with freelist, in one exchange, where slub.fastpath=cmpxchg */
		uint64_t own;		/* queued engines: their part of this CPU, in side memory */
	};
	union {
		struct {
			uint32_t number;	/* of the store */
			pfn_t slab;		/* cpu slab, PFN_NONE: none */
		};
		uint64_t key;			/* both, as in struct page */
	};
	union {
		pfn_t partial;		/* chain, PFN_NONE: none */
		uint32_t room;		/* sheaves, slqb: a free may fill the queue up to this; 0 while draining */
	};
	uint8_t ways;			/* WAY_*, as the store's; 0: plain loads and stores */
	uint8_t plain;			/* as the store's */
	uint16_t route;			/* enum route, of the part that entry points look at */
	union {
		uint64_t secret;	/* as the store's */
		uint32_t store;		/* queues, where objects pass them first: whose part it is */
	};
	uint32_t freeptr;		/* the store's, here for the fast path */
	uint32_t name;			/* cache that these two count for, and frees without a name */
	uint64_t alloc_fastpath, free_fastpath;	/* hits, in every variant: part of what `name` has out */
};
_Static_assert(sizeof(struct slub_cpu) == CACHE_LINE, "the fast path touches one line");

/*
 * The CPU's slab. Written as it is read, as a whole: a load of eight bytes of
 * which four have just been stored waits until every store before them has
 * reached the cache, and frees ask for the key of the slab last taken.
 */
static inline void part_set_slab(struct slub_cpu *c, pfn_t slab)
{
	const uint64_t key = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (uint64_t)slab << 32 | c->number :
									(uint64_t)c->number << 32 | slab;

	__atomic_store_n(&c->key, key, __ATOMIC_RELAXED);
}

/*
 * The part that entry points look at is slub[number]. Where objects pass
 * queues first it is a blind: no freelist, no slab, and this number, so that
 * neither fast path ever takes or gives anything there. A SLUB below sheaves
 * has its parts at slub[store.part].
 */
#define PART_QUEUED UINT32_MAX

/*
 * Hits (fast_events()) are counted in struct slub_cpu; their places here hold
 * what is to be added: what was counted otherwise, less hits that are no
 * events, because counters were off then (while they are: plus all before).
 */
struct store_stat {
	uint64_t ev[EV_SLAB_NR];
};

/*
 * What went out and came back under a cache's name, per CPU, beside the fast
 * paths of the stores whose `name` it is. A hit thus counts once; whoever
 * takes by another name than the store's first moves one from here to there.
 * Cache 0 has what was counted under names that are gone.
 */
struct cache_cpu {
	uint64_t allocs, frees;
};

struct slab_list {
	pfn_t head, tail;
};

/* What a SLUB store's fast paths do beyond plain loads and stores. */
#define WAY_EXCHANGE 1		/* slub.fastpath=cmpxchg */
#define WAY_CODED 2		/* slub.freelist_hardened: links are coded, a naive double free is found */

/* A node's part of a store. */
struct slub_node {
	struct lock lock;
	struct slab_list partial, full;	/* full: only with user tracking */
	uint64_t nr_partial, nr_full;
	uint64_t nr_slabs, total_objects;	/* relaxed atomics */
	uint64_t own;			/* queued engines: their part of this node, in side memory */
} __cacheline_aligned;

struct store {
	/* read by slow paths */
	uint32_t number;
	uint8_t engine, state;		/* state: enum in read.h, STORE_DEAD waits for the reaper */
	uint8_t plain;			/* see is_plain() */
	uint8_t has_cpu_partial, debug;	/* debug: one object at a time under the list lock */
	uint8_t era, cpu_partial_unit;	/* of its wish; enum cpu_partial_unit */
	uint8_t init_on_alloc, init_on_free;	/* its objects are wiped then */
	struct geometry g;
	uint32_t min_partial, cpu_partial, cpu_partial_slabs;
	uint32_t defrag_ratio;		/* stored times ten: 0 .. 1000 */
	uint8_t partial_add, criterion_side, discard_test, closed;	/* closed: nobody may join */
	uint8_t cas16, fallback_strict, rcu, ways;	/* ways: WAY_* */
	uint8_t order_fallback, fallback_nomemalloc;	/* enum order_fallback */
	uint32_t criterion_num, criterion_den;
	uint32_t page_gfp;		/* added to every request for pages */
	uint32_t count_cache;		/* frees without a name count for this cache (slub_cpu.name) */
	uint32_t part;			/* where its struct slub_cpu lie: `number`, but below sheaves a slot apart */
	union {				/* limits of the queued engines */
		struct {
			uint32_t limit, batchcount, shared_factor;
			uint64_t active, high, freeable;	/* relaxed atomics: statistics of slabinfo */
		} slabq;
		struct { uint32_t hiwater, freebatch; } slqb;
		struct { uint32_t capacity, room; } sheaf;	/* room: what a free may fill, 0 while draining */
	};
	uint8_t ops;			/* whose functions: a row of store_ops, by store_ops_of() (engine.h) */
	uint8_t bulk_form;		/* enum bulk_form */
	uint8_t colouring;		/* relaxed: policy slabq.colour or slqb.colour */
	uint8_t owner_map;		/* slab.owner_map */
	uint64_t secret;		/* of coded links; 0: links are plain */
	uint64_t sequence;		/* side memory: the random order of a slab's objects, uint16_t each; 0: by address */
	uint32_t next_slab;		/* relaxed atomic: number of the next new slab */
	uint32_t waiting;		/* relaxed atomic: slabs and sheaves in a grace period, sheaves handed out: it lives on for them */
	uint64_t deferred;		/* relaxed atomic: its objects that wait for one, and are out */
	uint64_t held;			/* sheaves handed out (prefill.h), under held_lock */
	struct lock held_lock;

	/* identity */
	uint64_t serial, born_op;
	struct wish wish;
	uint32_t object_size;		/* largest merged in */
	uint32_t inuse_now;		/* likewise */
	int32_t refcount;		/* -1: start-up cache, never merges */
	uint32_t caches;		/* first attached cache id; go on by cache.next_in_store */
	uint32_t older, newer;		/* stores in order of creation */
	uint64_t history;		/* side memory: ids of caches that ever were attached */
	uint32_t history_nr, history_cap;
	char name[CACHE_NAME];		/* of its first cache */
};
#define STORE_DEAD 3

enum cache_state { CACHE_FREE, CACHE_LIVE };

struct cache {
	uint32_t store, id;
	uint32_t part;			/* read by the fast path: offset of the store in a CPU's parts */
	uint32_t next_in_store;
	uint32_t nr_stores;		/* that have or had it, and are there still */
	uint8_t state, starts_up, refused, kmalloc;
	uint8_t merge_asked;		/* enum merge_wish given at creation */
	uint32_t older, newer;		/* caches in order of creation */
	uint32_t object_size, align, flags, usersize;
	bool ctor;
	int32_t link_at;		/* as in struct wish */
	int32_t capacity_asked;		/* of sheaves, at creation; 1 more, 0: not said */
	uint32_t override_mask;
	struct store_policy override;
	uint64_t carry;			/* side memory: counters of its dead stores [cpu][event] */
	uint32_t nr_switches;		/* of stores, ever; the last ones are kept */
	struct cache_switch switched[CACHE_SWITCHES];
	char name[CACHE_NAME];
};

#define KMALLOC_CLASSES 22		/* index 0 unused, 1 = 96, 2 = 192, i = 2^i */
#define KMALLOC_MOST (2u << 20)		/* of the largest class that a lab may have */
enum kmalloc_type { KMALLOC_NORMAL, KMALLOC_CG, KMALLOC_RCL, KMALLOC_DMA, KMALLOC_TYPES };

struct slab_state {
	uint32_t nr_caches, nr_stores;	/* highest slot used + 1 */
	uint32_t free_cache, free_store;	/* first free slot, 0 none; linked by newer */
	uint32_t oldest_cache, newest_cache, oldest_store, newest_store;
	uint64_t serial;		/* of the newest store */
	uint32_t reap;			/* relaxed atomic: a draining store has died */
	uint32_t rcu;			/* relaxed atomic: something may wait for a grace period (deferred.h) */
	uint32_t owner_maps;		/* stores that have one */
	uint32_t kmalloc[KMALLOC_TYPES][KMALLOC_CLASSES];	/* cache ids; 0: none was ever made */
	uint32_t kmalloc_max;		/* requests above it are whole pages */
};

static inline struct slab_state *slab_state(const struct lab *lab)
{
	return lab_section(lab, SEC_SLAB);
}

static inline struct cache *lab_cache(const struct lab *lab, uint32_t id)
{
	return (struct cache *)lab_section(lab, SEC_CACHE) + id;
}

static inline struct store *lab_store(const struct lab *lab, uint32_t number)
{
	return (struct store *)lab_section(lab, SEC_STORE) + number;
}

static inline struct slub_node *store_node(const struct lab *lab, const struct store *s, unsigned int node)
{
	return (struct slub_node *)lab_section(lab, SEC_STORE_NODE) + (size_t)s->number * lab->nr_nodes + node;
}

/* SLUB's part of a store on a CPU; the one that entry points look at is front_part(). */
static inline struct slub_cpu *store_cpu(const struct cpu *cpu, const struct store *s)
{
	return cpu->slub + s->part;
}

static inline struct slub_cpu *front_part(const struct cpu *cpu, const struct store *s)
{
	return cpu->slub + s->number;
}

/* An event of a store that is counted as a hit of one of its parts. */
struct fast_event {
	enum event_id ev;
	const uint64_t *hits;
};

/* All of them, on one CPU: two, with SLUB below sheaves four. */
unsigned int fast_events(const struct cpu *cpu, const struct store *s, struct fast_event out[4]);

/* ---- the counters word of a slab ---- */

struct slab_counts {
	uint32_t inuse, objects;
	bool frozen;
};

#define COUNTS_FROZEN (1ULL << 31)

static inline uint64_t counts_pack(struct slab_counts c)
{
	return c.inuse | (uint64_t)c.objects << 16 | (uint64_t)c.frozen << 31;
}

static inline struct slab_counts counts_unpack(uint64_t w)
{
	return (struct slab_counts){ w & 0xffff, w >> 16 & 0x7fff, w >> 31 & 1 };
}

/* All objects in use. */
static inline uint64_t counts_all_out(uint64_t w)
{
	return (w & ~0xffffULL) | (w >> 16 & 0x7fff);
}

static inline struct slab_counts slab_counts(const struct page *slab)
{
	return counts_unpack(__atomic_load_n(&slab->counters, __ATOMIC_RELAXED));
}

/* Objects of a debug store's slab that damage cost it: neither out nor free. */
static inline uint32_t slab_lost(const struct store *s, const struct page *slab)
{
	return s->debug ? slab->chain_objs : 0;
}

/*
 * The link word of a free object. A hardened store's is coded with the store's
 * secret and the word's own place, bytes turned round, so that one link read
 * tells neither. Coding and decoding are the same act. (slab-debug.md section 8)
 */
static inline uint64_t link_code(uint64_t word, uint64_t at, uint64_t secret)
{
	return word ^ secret ^ __builtin_bswap64(at);
}

static inline uint64_t link_read(const uint8_t *base, uint64_t at, uint64_t secret)
{
	uint64_t word = *(const uint64_t *)(base + at);

	return secret ? link_code(word, at, secret) : word;
}

static inline void link_write(uint8_t *base, uint64_t at, uint64_t secret, uint64_t to)
{
	*(uint64_t *)(base + at) = secret ? link_code(to, at, secret) : to;
}

static inline uint64_t object_next(const uint8_t *base, const struct store *s, uint64_t object)
{
	return link_read(base, object + s->g.freeptr, s->secret);
}

static inline void object_set_next(uint8_t *base, const struct store *s, uint64_t object, uint64_t to)
{
	link_write(base, object + s->g.freeptr, s->secret, to);
}

/* The same of an engine whose links are never coded. */
static inline uint64_t *object_link(uint8_t *base, const struct geometry *g, uint64_t object)
{
	return (uint64_t *)(base + object + g->freeptr);
}

/* Where objects start in their slot. (Letter O drops the red zones, but the figure red_left_pad stays.) */
static inline uint32_t object_at(const struct geometry *g)
{
	return g->flags & CF_REDZONE ? g->red_left_pad : 0;
}

/* The i-th object of a slab. */
static inline uint64_t slab_object(const struct lab *lab, const struct store *s, pfn_t slab, uint32_t i)
{
	return pfn_off(lab, slab) + lab_page(lab, slab)->start + (uint64_t)i * s->g.size + object_at(&s->g);
}

/* Is there an object of this slab at `off`? */
static inline bool slab_is_object(const struct lab *lab, const struct store *s, const struct page *slab, uint64_t off)
{
	uint64_t at = off - slab_object(lab, s, page_pfn(lab, slab), 0);

	return at / s->g.size < slab_counts(slab).objects && !(at % s->g.size);
}

/* Which object of its slab. */
static inline uint32_t object_index(const struct lab *lab, const struct store *s, const struct page *slab, uint64_t object)
{
	return (uint32_t)((object - pfn_off(lab, page_pfn(lab, slab)) - slab->start) / s->g.size);
}

static inline struct page *slab_of(const struct lab *lab, uint64_t object)
{
	return lab_page(lab, lab_page(lab, off_pfn(lab, object))->head);
}

/* Are its slabs those of SLUB, with CPU slabs, chains and one partial list a node? */
static inline bool has_slub(const struct store *s)
{
	return s->engine == ENGINE_SLUB || s->engine == ENGINE_SHEAVES;
}

/* Objects in a sheaf of its own; 0: it has none. */
static inline uint32_t store_sheaf_capacity(const struct store *s)
{
	return s->engine == ENGINE_SHEAVES ? s->sheaf.capacity : 0;
}

/* ---- outside the hot paths ---- */

uint32_t sheaf_capacity_auto(uint32_t size);

void slab_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR]);
int slab_init(struct lab *lab);			/* start-up caches of a fresh lab, policies being set */
void slab_attach(struct lab *lab, struct cpu *cpu);	/* host shortcuts of a CPU */
void kmalloc_attach(struct lab *lab, struct cpu *cpu);	/* the same after a kmalloc cache got another store */

/* Geometry from a wish, by its engine (slab-geometry.md). -EINVAL when no buddy order holds an object. */
int slub_geometry(const struct wish *w, struct geometry *g);
/* Of SLUB and SLQB: what lies where in a slot under these flags. g->align is given. */
void slub_lay_out(const struct wish *w, uint32_t flags, struct geometry *g);
/* Letter O, and a slab would have to be of a higher order: the flags without those that take room. */
uint32_t debug_flags_kept(const struct wish *w, uint32_t size);
int geometry_compute(const struct wish *w, struct geometry *g);
int slot_too_large(const struct wish *w, uint32_t size);	/* -EINVAL, with the sentence */
uint32_t objs_in(unsigned int order, uint32_t size);
uint32_t align_compute(enum slab_era era, uint32_t flags, uint32_t align, uint32_t size);
uint32_t min_partial_auto(enum slab_era era, uint32_t size);
uint32_t cpu_partial_auto(enum slab_era era, uint32_t size);
uint32_t cpu_partial_slabs(uint32_t cpu_partial, uint32_t objs);

/* Effective wish and policy of a cache. */
void cache_wish(struct lab *lab, const struct cache *c, struct wish *w);
void cache_policy(struct lab *lab, const struct cache *c, struct store_policy *p);

/* The store that a new or re-stored cache may join; 0 if none fits. */
uint32_t merge_find(struct lab *lab, const struct cache *c, const struct wish *w);
bool store_may_merge(const struct store *s);
bool merge_fits(struct lab *lab, const struct store *s, const struct cache *c, const struct wish *w);

/* A cache as asked for: by the lab itself, or after cache_create() has looked at the request (op.h). */
int cache_make(struct lab *lab, const struct cache_request *rq, bool starts_up, bool kmalloc, uint32_t *id);
int cache_create(struct lab *lab, const struct cache_request *rq, uint32_t *id);
/* In a stop. -EBUSY with a sentence while objects are out. */
int cache_destroy(struct cpu *self, uint32_t id);
/* Is the cache this store's, or was it ever? */
bool store_had_cache(const struct lab *lab, const struct store *s, uint32_t cache);
int cache_rename(struct lab *lab, uint32_t id, const char *name);

#endif
