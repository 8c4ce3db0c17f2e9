/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read - the page layer as views may see it: figures and walks, no writing.
 *
 * Figures (counts, watermarks) may be read while CPUs run; they are exact
 * when those are stopped. Walks need a stop (lab_stop()).
 *
 * Units. Pages, unless named otherwise.
 */
#ifndef PAGE_READ_H
#define PAGE_READ_H

#include "base/gfp.h"
#include "event/event.h"
#include "lab/lab.h"

struct zone_figures {
	unsigned int index, node;
	enum zone_kind kind;
	pfn_t start;
	uint64_t spanned, present, managed, free;
	uint64_t min, low, high, boost;			/* boost included in none of the three */
	int64_t protection[ZONE_KINDS];
	uint64_t nr_free[NR_PAGE_ORDERS];		/* blocks, all types */
	uint64_t free_by_type[NR_PAGE_ORDERS][MT_NR];	/* blocks; counted by walking unless only totals asked */
	uint64_t reserved_highatomic;
	uint64_t free_seen;				/* as marks are compared with it (zone.stat_drift) */
	uint64_t drift_mark;				/* below it kswapd counts exactly, 0: never */
	int64_t fair_batch;				/* zone.fair: pages left of its turn */
	uint64_t lazy_used[NR_PAGE_ORDERS];		/* buddy.coalesce=lazy: blocks held or cut */
	uint64_t lazy_delayed[NR_PAGE_ORDERS];		/* of nr_free those that are not to merge yet */
	uint64_t due_merges;				/* made by the last switch to eager */
	unsigned int stat_threshold;
	uint64_t lock_acquired, lock_contended, lock_wait_ns;
};

/* Populated zones, index 0 .. lab->nr_zones - 1 in order of node, then kind. by_type needs a stop. */
void zone_figures(struct lab *lab, unsigned int zone, bool by_type, struct zone_figures *z);

/* The marks that a kernel names for a zone of no pages. */
uint64_t empty_zone_min(const struct lab *lab, enum zone_kind kind);

/* Do reports name what Linux 6.18 names, not what 6.1 does (page.era)? */
bool page_names_618(const struct lab *lab);

/* Zone of that node and kind name ("N0", "Normal"); -1 if there is none. */
int zone_find(struct lab *lab, unsigned int node, const char *kind);

/* Pageblocks of a zone by type (whole zone, managed part). */
void zone_pageblocks(struct lab *lab, unsigned int zone, uint64_t blocks[MT_NR]);

struct pcp_figures {
	uint64_t count, batch, high;
	uint64_t high_min, high_max;	/* between which high tunes itself, if it does (pcp.model 6.7 and later) */
	bool tunes;
	uint64_t free_count;		/* pages freed in a row, likewise */
	unsigned int free_factor, alloc_factor;
	unsigned int model;		/* enum pcp_model of page/policy.h */
	int32_t free_diff;		/* what it has not added to the zone's count of free pages (zone.stat_drift) */
	uint64_t lock_acquired, lock_contended, lock_wait_ns, lock_hold_ns;	/* the zone's lock, by this CPU */
	unsigned int lists;		/* list l < 12: order l/3, type l%3; 12, 13: the huge ones */
	uint64_t length[14];		/* blocks on each list */
};
void pcp_figures(struct lab *lab, unsigned int zone, unsigned int cpu, struct pcp_figures *p);

/* The first three of them alone: no list is walked. */
void pcp_size(struct lab *lab, unsigned int zone, unsigned int cpu, uint32_t *count, uint32_t *batch, uint32_t *high);

/* Counter of a zone; cpu < 0: all CPUs. order < 0: all orders (by-order events only have orders). */
uint64_t zone_event(struct lab *lab, unsigned int zone, int cpu, enum event_id ev, int order);

uint64_t min_free_kbytes(struct lab *lab);

/* Pages held by slabs on a node, reclaimable ones apart. */
void node_slab_pages(struct lab *lab, unsigned int node, uint64_t *reclaimable, uint64_t *unreclaimable);

/*
 * Walk a free list or a CPU's list from its head. fn returns false to stop.
 * list: migratetype for the first, list number for the second.
 */
void free_list_walk(struct lab *lab, unsigned int zone, unsigned int order, unsigned int type,
		    bool (*fn)(pfn_t pfn, void *arg), void *arg);
void pcp_list_walk(struct lab *lab, unsigned int zone, unsigned int cpu, unsigned int list,
		   bool (*fn)(pfn_t pfn, void *arg), void *arg);

/* What a page is part of. */
enum page_role {
	PAGE_NOTHING,		/* inside a free or allocated block, or never touched */
	PAGE_BUDDY,		/* first page of a free block on a buddy list */
	PAGE_ON_PCP,		/* on a CPU's list */
	PAGE_ALLOCATED,		/* first page of a block that somebody holds */
	PAGE_LARGE,		/* first page of a large kmalloc */
	PAGE_SLAB,		/* of a slab: head is its first page */
	PAGE_RESERVED,		/* not managed */
	PAGE_DELAYED,		/* first page of a free block that is not to merge yet (page/lazy.h) */
	PAGE_LRU,		/* on an LRU list: reclaim may take it, compaction move it */
	PAGE_ISOLATED,		/* taken off an LRU list for the while it is moved */
};
struct page_place {
	enum page_role role;
	pfn_t head;		/* first page of the block it lies in */
	unsigned int order, zone, node;
	enum mtype block_type;
	unsigned int cpu, list, position;	/* on a list: which, and from the head (0 = first) */
	uint32_t store;				/* PAGE_SLAB: number; slab/read.h goes on from here */
};
int page_place(struct lab *lab, pfn_t pfn, struct page_place *p);	/* -EINVAL outside the lab */

/*
 * A run of pages with one fate: a free block, one on a CPU's list, one that
 * somebody holds, or (PAGE_RESERVED, pages counted apart) what is not managed.
 */
struct page_extent {
	pfn_t pfn;		/* its first page */
	uint32_t pages;
	enum page_role role;
	unsigned int order;
	enum mtype type;	/* a free one's list; what a held one's request asked for */
	uint32_t store;		/* PAGE_SLAB */
};

/* The extent that a page lies in. Needs a stop. */
void page_extent(const struct lab *lab, pfn_t pfn, struct page_extent *e);

/*
 * The extents of pages start .. end - 1, upward, the first and the last as a
 * whole; fn returns false to stop. Reads one descriptor an extent and none of
 * free blocks of the top order. Needs a stop.
 */
void page_extents(const struct lab *lab, pfn_t start, pfn_t end,
		  bool (*fn)(const struct page_extent *e, void *arg), void *arg);

/* Type of a page's pageblock. */
enum mtype page_block_type(const struct lab *lab, pfn_t pfn);
/* LRU lists: inactive anon, active anon, inactive file, active file. Units: pages. */
struct lru_figures {
	uint64_t list[4], dirty, isolated[2];	/* isolated: anon, file */
	bool kswapd_at_work;			/* of a zone */
};
void lru_zone_figures(struct lab *lab, unsigned int zone, struct lru_figures *f);

struct worker_figures {
	const char *kswapd;			/* "asleep", "napping", "woken", "running" */
	unsigned int order, failures;
	bool hopeless;				/* it failed so often that it is not woken any more */
	const char *kcompactd;			/* "asleep", "woken" */
	uint64_t clock;				/* pages that fillers got on this node */
};
void node_worker_figures(struct lab *lab, unsigned int node, struct worker_figures *f);

/* A filler's entry (offset of a MEMBER_LRU): -EINVAL if it is none. */
struct lru_place {
	bool resident, file, active, referenced, dirty;
	pfn_t pfn;				/* resident only */
	uint64_t born, touched;			/* clock of its node */
};
int lru_place(struct lab *lab, uint64_t off, struct lru_place *p);

/* Compaction of a zone: where its scanners go on (-1: afresh), how far requests are put off. */
struct compact_figures {
	int64_t migrate_async, migrate_sync, free;
	unsigned int considered, shift, order_failed;
};
void compact_figures(struct lab *lab, unsigned int zone, struct compact_figures *f);

/* The newest request that came to nothing; false: none ever did. */
struct told_failure;
bool page_last_failure(struct lab *lab, struct told_failure *f);
/* The last of them that wanted a report, oldest first, up to FAILURES_KEPT: how many. *ever: of all. */
unsigned int page_failures(const struct lab *lab, struct told_failure *out, uint64_t *ever);
/* None of them is kept any more; *ever goes on. In a stop. */
void page_failures_forget(struct lab *lab);

/* mm_page_alloc_extfrag by type asked for and type taken from. cpu < 0: all. */
uint64_t zone_extfrag_events(struct lab *lab, unsigned int zone, int cpu, unsigned int asked, unsigned int taken);

/* Owner-visible distance order of the zonelist of a node; returns the count. */
unsigned int zonelist_read(struct lab *lab, unsigned int node, unsigned int zones[MAX_ZONES]);

int page_check(struct lab *lab);	/* all page-layer invariants; -EUCLEAN with a sentence */

#endif
