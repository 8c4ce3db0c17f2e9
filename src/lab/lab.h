/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab - one position-independent region, and the host memory around it.
 *
 * Idea. Everything a lab is lies in one mapping, reserved for its largest
 * size and committed by touch: a 256 GiB lab costs what was touched of it.
 * Links inside are page frame numbers or byte offsets, so that snapshot,
 * restore, clone and save are one act: copy the touched pages. What cannot
 * live there (threads, the base address, marks) is in struct lab and struct
 * cpu, made anew for each mapping.
 *
 * Invariants
 *   L1  No byte of the region holds a host address.
 *   L2  All-zero is the fresh state of every section but the header.
 *   L3  Section offsets are page-aligned and do not overlap.
 *
 * Ownership. `control` is held by whoever makes, stops, plays or changes the
 * lab from outside; see cpu/cpu.h for stops.
 */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <pthread.h>

#include "base/types.h"
#include "lab/shape.h"

struct cpu;
struct page;
struct zone;
struct node;
struct block;
struct cache;
struct store;
struct named_snapshot;
struct stacks;
struct trace;
struct worker;
struct shrinker;

enum section {
	SEC_HEADER,		/* struct header */
	SEC_PAGE_POLICY,	/* struct page_policy */
	SEC_SLAB_POLICY,	/* struct slab_policy */
	SEC_CPU,		/* struct cpu_part per possible CPU */
	SEC_NODE,		/* struct node */
	SEC_ZONE,		/* struct zone */
	SEC_ZONE_CPU,		/* struct zone_cpu [cpu][zone] */
	SEC_BLOCK,		/* struct block per 4 MiB */
	SEC_PAGEBLOCK,		/* a byte per pageblock */
	SEC_RECLAIM,		/* struct reclaim_head, then reclaim_node and reclaim_zone by number */
	SEC_SLAB,		/* struct slab_state: tables' fill, kmalloc map */
	SEC_CACHE,		/* struct cache */
	SEC_CACHE_CPU,		/* struct cache_cpu [cpu][cache] */
	SEC_STORE,		/* struct store */
	SEC_STORE_NODE,		/* struct slub_node [store][node] */
	SEC_STORE_CPU,		/* struct slub_cpu [cpu][store] */
	SEC_STORE_STAT,		/* struct store_stat [cpu][store] */
	SEC_DEBUG,		/* struct debug_state: texts and reports of slab debugging */
	SEC_HEAP,		/* side memory: handles, names, histories */
	SEC_LRU_ENTRY,		/* struct lru_entry: what fillers own */
	SEC_CACHED,		/* struct cached_head, lists and entries of cached objects (slab/cached.h) */
	SEC_OWNER,		/* a word an object of stores with an owner map (slab/owner.h) */
	SEC_DEBUG_OUT,		/* a bit a word of the arena: objects of queued debug stores that are out (slab/debug.h) */
	SEC_PAGES,		/* struct page per page */
	SEC_ARENA,		/* the memory itself */
	SEC_NR,
};

#define LAB_MAGIC 0x62616c62616c73ULL	/* "slablab" */
#define LAB_VERSION 3

/* Region page 0. */
struct header {
	uint64_t magic;
	uint32_t version, header_bytes;
	uint64_t region_bytes;
	uint64_t offset[SEC_NR], bytes[SEC_NR];
	struct shape shape;
	uint64_t rand;			/* random state of the lab */
	uint64_t time_ns;		/* lab clock (virtual) */
	uint64_t ops;			/* ops run so far */
	uint8_t counters, story;	/* event.counters; event.story: 0 auto, 1 on, 2 off */
	uint8_t done_something;		/* any op since the lab was made */
	uint8_t preset;			/* policy/preset.h: the last that was asked for */
	uint64_t undo_mem;		/* lab.undo_mem: bytes that its checkpoints may take in the host */
	uint64_t auto_name;		/* last of _1, _2, … */
	uint32_t heap_lock;		/* 1 while a piece is taken or given back */
	uint64_t heap_top;		/* bytes of SEC_HEAP given out */
	uint64_t heap_free[48];		/* free pieces by power of two */
	uint64_t handles, handle_slots, handle_used, handle_count; /* hash table of lab/handle.h */
	uint32_t oldest_handle, newest_handle;		/* slot + 1 */
	uint64_t last_op;		/* the last allocation or free by an op; its story is told or not */
	uint16_t last_cpu;
	uint8_t last_kind, last_told;	/* enum told_kind of cpu/told.h */
};

/* Host memory. */
struct lab {
	uint8_t *base;			/* of the region */
	struct header *hdr;
	struct page *pages;
	struct block *blocks;
	uint8_t *pageblocks;
	struct zone *zones;
	struct node *nodes;
	uint8_t *arena;
	uint64_t arena_off, arena_bytes;
	unsigned int nr_zones, nr_nodes;

	struct cpu **cpus;		/* by id, nr_cpus of them */
	unsigned int nr_cpus;		/* possible */
	pthread_mutex_t control;	/* recursive */
	unsigned int owned_cpus;	/* CPUs bound or run by threads of their own */
	unsigned int stop_depth;	/* nested stops of all CPUs */
	uint64_t stopped_ns, longest_stop_ns;	/* host clock since when all of them stand still; the longest that they did */
	unsigned int wanted;		/* threads that wait for control: a long stepped run gives way to them */
	struct worker *worker;		/* thread of background work, cpu/worker.h */
	bool (*work)(struct lab *lab);	/* what it does, a round at a time */
	const struct shrinker *shrinker;	/* of the layer above pages, page/shrink.h; NULL: there is none */
	bool fenced;			/* host refuses membarrier: ops fence */

	struct trace *trace;		/* event/trace.h; NULL: nothing was ever traced */
	struct named_snapshot *snapshots;	/* by `snapshot save` (op/named.h) */
	char name[64];
	struct lifetimes *lifetimes;	/* how long objects were out (slab/lifetime.h), NULL: not measured */
	struct stacks *stacks;		/* call stacks at events (event/stacks.h), NULL: none asked for */
	char label[96];			/* of the command that runs, without blanks; "" of none */
	bool untouched_shape;		/* nobody gave a shape: replay may size it */
	uint64_t born_ns;		/* host clock when made */
	uint64_t parallel_ns;		/* and when the threads began that play now; 0: none do */
};

static inline void *lab_ptr(const struct lab *lab, uint64_t off)
{
	return lab->base + off;
}

static inline uint64_t lab_off(const struct lab *lab, const void *p)
{
	return (uint64_t)((const uint8_t *)p - lab->base);
}

static inline void *lab_section(const struct lab *lab, enum section s)
{
	return lab->base + lab->hdr->offset[s];
}

/*
 * Map a region of these section sizes (bytes[SEC_HEADER] is filled in here).
 * -ENOMEM with a sentence when the host refuses.
 */
int lab_map(const struct shape *shape, uint64_t bytes[SEC_NR], struct lab **lab);
void lab_unmap(struct lab *lab);

/* Point the section shortcuts of struct lab at its region (after mapping or restoring). */
void lab_attach(struct lab *lab);

/* Lab clock in ns: virtual from the header, real from the host. */
uint64_t lab_now(const struct lab *lab);

#endif
