/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zone - a range of pages with free lists of its own, and the node it is of.
 *
 * Idea. The buddy system per zone: free_list[order][type] of blocks of 2^order
 * pages, each beginning at a multiple of its size. Blocks below the top order
 * are linked through their page descriptors; free blocks of the top order are
 * linked in a dense table (struct block, 16 bytes per 4 MiB), so that a fresh
 * zone touches no descriptor at all.
 *
 *   struct node ── zonelist: zones to try, nearest node and highest zone first
 *   struct zone ── marks, free lists, lock
 *   struct zone_cpu [cpu][zone] ── that CPU's page lists and event counters,
 *                                  after one struct cpu_quick a CPU
 *   struct block [pfn >> 10] ── zone of any page; links of a free top block
 *   pageblock byte [pfn >> pageblock order] ── what the block is kept for
 *
 * Invariants (page_check() reports them by these labels)
 *   B1  nr_free[o] is the number of blocks on the lists of order o; the sum of
 *       nr_free[o] << o is free_pages.
 *   B2  a listed block is aligned, inside the zone, says PAGE_BUDDY, the list's
 *       order and type; no two overlap.
 *   B3  no two free buddies below the top order stand on the lists, unless
 *       their pageblocks are, or were once, of types that must not mix: a
 *       pageblock that is no longer set aside merges with the next free, as
 *       in Linux, and not before.
 *   B4  free + on CPU lists + held = managed: each page is in exactly one place.
 *   B5  list links agree in both directions.
 *   B6  reserved_highatomic is the pages of the HighAtomic pageblocks.
 *   B7  a block's zone and type are those of its pages and pageblocks.
 *   B8  in a stop nobody holds the lock.
 *
 * Ownership. `lock` guards free lists, free_pages, pageblock types and
 * reserved_highatomic. free_pages, list heads and marks are also looked at
 * without it; marks change in a stop.
 *
 * Units. Pages. A zone begins at a multiple of 4 MiB and its managed pages are
 * its first ones; the others are PAGE_RESERVED by that alone.
 */
#ifndef PAGE_ZONE_H
#define PAGE_ZONE_H

#include "cpu/cpu.h"
#include "cpu/lock.h"
#include "page/page.h"
#include "page/pcp.h"
#include "page/policy.h"
#include "page/relaxed.h"

#define TOP_ORDER MAX_PAGE_ORDER
#define QUICK_NEVER ZONE_KINDS
#define QUICK_MARKS (ZONE_KINDS + 1)

enum wmark { WMARK_MIN, WMARK_LOW, WMARK_HIGH, WMARKS };

struct free_list {
	pfn_t head, tail;
	uint64_t nr;
};

struct free_area {
	struct free_list list[MT_NR];
	uint64_t nr_free;	/* B1 */
};

struct block {
	pfn_t next, prev;	/* of a free top-order block: first pages of its neighbours */
	union {
		uint32_t key;			/* both, for the quick way of a free */
		struct {
			uint16_t zone;		/* of all its pages */
			uint16_t type;		/* type of all its pageblocks, XOR Movable; or BLOCK_MIXED */
		};
	};
	uint8_t mtype;		/* list it stands on */
	uint8_t is_free;
	uint16_t spare;
};
_Static_assert(sizeof(struct block) == 16, "16 bytes per 4 MiB");
#define BLOCK_MIXED UINT16_MAX

static inline uint32_t block_key(unsigned int zone, enum mtype type)
{
	return zone | ((uint32_t)type ^ MT_MOVABLE) << 16;
}

struct zone {
	struct lock lock __cacheline_aligned;
	struct free_area area[NR_PAGE_ORDERS];

	/*
	 * What a quick request reads: one line. It passes if what it leaves
	 * free is above the mark of its highest zone; the last never is.
	 */
	uint64_t free_pages __cacheline_aligned;
	uint8_t node, kind;
	uint16_t index;
	pfn_t start;
	uint64_t spanned, managed;
	uint64_t quick_mark[QUICK_MARKS];

	bool may_avoid_mixing;			/* zone.nofragment applies when this zone is preferred */
	uint32_t stat_threshold;
	uint32_t batch, high;			/* as each of its CPUs has them */
	uint32_t high_max;			/* where high tunes itself between the two */
	uint8_t fair_depleted;			/* its batch is used up (zone.fair=lowcost) */
	int64_t fair_batch;			/* pages left of its turn (fair.h); may fall below 0 */
	uint8_t below_high;			/* pcp.model 6.7 and later: an allocation found it under its high mark */
	uint64_t mark[WMARKS];			/* boost not included */
	uint64_t boost;				/* kswapd is to free this much more, see boost.h */
	uint64_t protection[ZONE_KINDS];
	uint64_t reserved_highatomic;

	/* lazy coalescing (lazy.h): A and L of each order, the oldest delayed block of each list */
	struct { uint64_t used, local; } lazy[NR_PAGE_ORDERS];
	pfn_t delayed_tail[NR_PAGE_ORDERS][MT_NR];
	uint64_t due_merges;			/* that the last switch to eager made */
	uint8_t boosted;			/* kswapd is to be told of a boost */
	uint8_t unreserved;			/* pageblocks that were set aside were given up, see B3 */

	/* a count that drifts (drift.h) */
	int64_t free_seen;
	uint64_t drift_mark;
	uint32_t stat_normal, stat_pressure;	/* what stat_threshold is, or is while kswapd is awake */
} __attribute__((aligned(1024)));

/*
 * A CPU's part of a zone. Owner: that CPU. The quick ways count once what is
 * several events (zone_event() adds them where they belong).
 *
 * The page lists lie behind the counters so that what a quick way writes here
 * and what it reads of node and zone differ in the low bits of their
 * addresses: processors hold a load back that seems to hit a store under way.
 */
struct lock_use {		/* of the zone's lock by one CPU (zone_lock.h) */
	uint64_t acquired, contended, wait_ns;
	uint64_t hold_ns;	/* from a sample */
	uint64_t since;		/* the hold under way is timed */
};

#define COUNTERS_BYTES 1728
struct zone_cpu {
	union {
		struct {
			uint64_t by_order[EV_ORDERED_NR][NR_PAGE_ORDERS];
			uint64_t ev[EV_PAGE_NR];
			uint64_t extfrag[PCP_TYPES][PCP_TYPES];	/* mm_page_alloc_extfrag by type asked for and type taken from */
		};
		uint8_t room[COUNTERS_BYTES];
	};
	struct pcp pcp __cacheline_aligned;
	struct lock_use lock;
	uint8_t touched, expire;		/* see pcp_tick(): pages came or went since the last tick */
	int32_t free_diff, fair_diff;		/* not added to free_seen, fair_batch yet (drift.h) */
} __attribute__((aligned(1024)));
_Static_assert(offsetof(struct zone_cpu, pcp) == COUNTERS_BYTES && sizeof(struct zone_cpu) == 2048, "room for counters");
_Static_assert(offsetof(struct zone_cpu, pcp) % 1024 > 512 && offsetof(struct zone, free_pages) % 1024 < 512,
	       "reads and writes apart");

/*
 * Where a page for gfp bits 0-4 (zone and type) comes from when nothing is out
 * of the ordinary. Places are in bytes from this CPU's zone_cpu[0].
 */
struct quick {
	int32_t zone;		/* the zone */
	int32_t mark;		/* what its free pages are compared with for a single page: one of its quick_mark */
	int32_t mark_block;	/* the same for blocks that have no lists */
	uint32_t part;		/* its zone_cpu */
	uint32_t kind;		/* page_kind() of a single page handed out */
	uint8_t type;		/* enum mtype */
	uint8_t list;		/* whose first page is taken */
} __attribute__((aligned(32)));
_Static_assert(sizeof(struct quick) == 32, "indexed by a shift");
#define QUICK_GFP 0x1f
#define QUICK_NO_KEY UINT32_MAX

/* A CPU's part that is of no zone; it lies before its zone_cpu[0]. Changes in a stop. */
struct cpu_quick {
	uint32_t key[PCP_TYPES];	/* of blocks of its usual zone whose single pages are freed the quick way */
	uint32_t part;			/* that zone's zone_cpu, in bytes from zone_cpu[0] */
	uint32_t list_of;		/* by type: its number, AND this */
	struct quick by_gfp[QUICK_GFP + 1];
} __attribute__((aligned(1024)));
_Static_assert(sizeof(struct cpu_quick) == sizeof(struct zone_cpu), "one place of the same table");

struct node {
	uint8_t type_of[4];			/* migratetype by the two gfp bits */
	uint8_t grouping;			/* 0: buddy.mobility=off, or too few pages */
	uint8_t has_highmem;			/* a machine of 32 bits: HIGHMEM alone means something */
	uint8_t lowest_kind;			/* of the lab's zones */
	uint16_t nr_list, nr_own;
	uint16_t own[ZONE_KINDS];		/* this node's zones (__GFP_THISNODE) */
	uint16_t list[MAX_ZONES];		/* all nodes' zones, nearest first */
	int64_t slab_reclaimable __cacheline_aligned;
	int64_t slab_unreclaimable;
} __attribute__((aligned(1024)));

/* Highest zone of a request by the four zone bits of its gfp: DMA 1, HIGHMEM 2, DMA32 4, MOVABLE 8. */
static inline enum zone_kind gfp_high_zone(uint32_t gfp)
{
	if (gfp & GFP_BIT_DMA)
		return ZONE_DMA;
	if (gfp & GFP_BIT_DMA32)
		return ZONE_DMA32;
	if ((gfp & (GFP_BIT_MOVABLE | GFP_BIT_HIGHMEM)) == (GFP_BIT_MOVABLE | GFP_BIT_HIGHMEM))
		return ZONE_MOVABLE;
	return ZONE_NORMAL;
}

/* The same in this lab: who asks for a zone below all that there are gets the lowest. */
static inline unsigned int node_high_zone(const struct node *n, uint32_t gfp)
{
	unsigned int high = gfp_high_zone(gfp);

	if (n->has_highmem && high == ZONE_NORMAL && gfp & GFP_BIT_HIGHMEM)
		high = ZONE_HIGHMEM;

	return high > n->lowest_kind ? high : n->lowest_kind;
}

static inline uint32_t node_first_zone(const struct lab *lab, unsigned int node)
{
	unsigned int i = 0;

	while (i + 1 < lab->nr_zones && lab->zones[i].node != node)
		i++;
	return i;
}

static inline struct page_policy *page_policy(const struct lab *lab)
{
	return lab_section(lab, SEC_PAGE_POLICY);
}

static inline unsigned int pageblock_order(const struct lab *lab)
{
	return lab->hdr->shape.pageblock_order;
}

static inline struct zone *page_zone(const struct lab *lab, pfn_t pfn)
{
	return &lab->zones[lab->blocks[pfn >> TOP_ORDER].zone];
}

static inline unsigned int page_node(const struct lab *lab, pfn_t pfn)
{
	return page_zone(lab, pfn)->node;
}

/* Any CPU's part of a zone, possible CPUs that are not attached too. */
static inline struct zone_cpu *zone_cpu_of(const struct lab *lab, unsigned int cpu, unsigned int zone)
{
	return (struct zone_cpu *)lab_section(lab, SEC_ZONE_CPU) + (uint64_t)cpu * (1 + lab->nr_zones) + 1 + zone;
}

static inline struct cpu_quick *cpu_quick(const struct zone_cpu *first)
{
	return (struct cpu_quick *)first - 1;
}

static inline struct zone_cpu *zone_cpu(const struct cpu *cpu, const struct zone *z)
{
	return cpu->zone_cpu + z->index;
}

static inline uint64_t zone_managed_end(const struct zone *z)
{
	return z->start + z->managed;
}

/* Pages that ordinary requests leave alone; the reserve of old kernels was out of reach anyway. */
static inline uint64_t zone_reserved(const struct lab *lab, const struct zone *z)
{
	return page_policy(lab)->highatomic == HIGHATOMIC_RESERVE_BLOCK ? 0 : peek(z->reserved_highatomic);
}

static inline uint64_t zone_mark(const struct zone *z, enum wmark mark)
{
	return z->mark[mark] + peek(z->boost);
}

/* Fill in the bytes of the page layer's sections. */
void page_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR]);

/* Build zones, nodes, zonelists and free lists in a fresh region; policies are stored already. */
void page_init(struct lab *lab);

/* Point a CPU at its parts of the zones (each time a region is mapped). */
void page_attach(struct lab *lab, struct cpu *cpu);

/* Pages held by slabs: ± 2^order when one is made or dropped. Any CPU. */
void node_slab_add(struct lab *lab, unsigned int node, bool reclaimable, int64_t pages);

/* zonelist.c: order in which a node's requests try the zones. */
void zonelists_build(struct lab *lab);

/* watermark.c: marks, reserves, batch, high and masks of all zones, anew. In a stop. */
void zone_sizes_update(struct lab *lab);

/* watermark.c: what a quick request compares with, after boost or reserves changed. Zone lock, or a stop. */
void zone_quick_marks_update(const struct lab *lab, struct zone *z);

/* watermark.c: type_of and grouping of all nodes, anew. In a stop. */
void grouping_update(struct lab *lab);

/* zonelist.c: the quick ways of all CPUs, from nodes, types and lists in use. In a stop. */
void quick_update(struct lab *lab);

#endif
