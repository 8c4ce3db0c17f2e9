/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lru - pages that may be taken away again, in the order of their use.
 *
 * Idea. A filler (`lru add`, or a workload's page cache) owns entries; an entry
 * names the page that holds its content, or none while it is evicted. Reclaim
 * takes the page and leaves the entry, compaction gives it another page; who
 * touches an evicted entry gets a page anew (a refault). So a handle keeps its
 * members whatever becomes of the pages.
 *
 *   struct reclaim_head ── entries given out, words that say who is at work
 *   struct reclaim_node ── lock, lists (reclaim.lru_scope=node), kswapd
 *   struct reclaim_zone ── lists (=zone), list lengths, compaction's positions
 *   struct lru_entry [] ── page of each entry
 *
 * A page on a list says PAGE_LRU, and in `flags` whether it is ACTIVE,
 * REFERENCED, DIRTY and of a FILE; its links are those of struct page, its
 * entry's number is in slab_nr, clocks of birth and last touch in freelist and
 * counters. A page that compaction is about to move says PAGE_ISOLATED and is
 * on no list; if its owner gives it up meanwhile it becomes an ORPHAN, freed
 * by who isolated it.
 *
 *   inactive  head [newest] <-> … <-> tail [oldest: looked at first]
 *   active    head [newest] <-> … <-> tail [first to become inactive again]
 *
 * Invariants (lru_check() reports them by these labels)
 *   R1  a list's links agree in both directions, and its length with nr.
 *   R2  a listed page says PAGE_LRU and the list's flags, and names an entry
 *       that names it.
 *   R3  the lengths kept by zone are those of the pages of that zone; every
 *       PAGE_LRU of a zone is on a list.
 *   R4  entries are resident, evicted or free; the counts agree.
 *   R5  nothing is isolated between ops, and nobody is at work.
 *
 * Locks. The node's lock (RANK_LRU), never together with a zone lock; it
 * guards lists, flags and the entries of resident pages. entries_lock guards
 * what entries are in use.
 *
 * Units. Pages. The clock counts pages that fillers got on the node.
 */
#ifndef PAGE_LRU_H
#define PAGE_LRU_H

#include "event/variant.h"
#include "page/zone.h"

enum lru_flag { LRU_ACTIVE = 0x10, LRU_REFERENCED = 0x20, LRU_DIRTY = 0x40, LRU_FILE = 0x80, LRU_ORPHAN = 0x08 };
enum lru_kind { LRU_KIND_ANON, LRU_KIND_FILE, LRU_KINDS };
enum lru_list_id { LRU_INACTIVE_ANON, LRU_ACTIVE_ANON, LRU_INACTIVE_FILE, LRU_ACTIVE_FILE, LRU_LISTS };

struct lru_list {
	pfn_t head, tail;	/* meaningful when nr is not 0 */
	uint64_t nr;
};

struct lruvec {
	struct lru_list list[LRU_LISTS];
};

enum entry_state { ENTRY_FREE, ENTRY_RESIDENT, ENTRY_EVICTED };

struct lru_entry {
	pfn_t pfn;		/* resident: its page */
	uint32_t next;		/* free: number + 1 of the next free one */
	uint32_t gfp;
	uint8_t state, kind, dirty;
	int8_t node;		/* asked for, -1: the CPU's own */
};

struct reclaim_head {
	struct lock entries_lock;
	uint32_t entries, free;			/* numbers used so far; number + 1 of a free one */
	uint64_t resident, evicted;		/* entries in these states */
	uint32_t draining, oom;			/* somebody drains all lists; decides on memory that ran out */
	uint32_t work;				/* a node's kswapd or compaction was woken and has not run yet */
} __attribute__((aligned(256)));

enum kswapd_state { KSWAPD_ASLEEP, KSWAPD_WOKEN, KSWAPD_RUNNING };

struct kswapd {
	uint32_t state;
	uint32_t order, high;			/* largest asked for since it last looked */
	uint32_t failures;			/* runs in a row that freed nothing */
	uint64_t nap_until_ns;			/* it went to sleep content; 0: long ago */
	/* the run under way */
	uint32_t run_order, run_high, run_want;	/* run_want: order it was woken for */
	int32_t priority;
	uint8_t boosting;
	uint64_t reclaimed;
	uint64_t boost[ZONE_KINDS];		/* seen at its start */
};

struct kcompactd {
	uint32_t wanted;			/* order + 1; 0: sleep */
	uint32_t high;
};

struct reclaim_node {
	struct lock lock;
	struct lruvec vec;
	uint64_t clock;
	uint64_t dirty, isolated[LRU_KINDS];
	uint64_t cost[LRU_KINDS], refaults[LRU_KINDS], refaults_seen[LRU_KINDS];
	struct kswapd kswapd;
	struct kcompactd kcompactd;
} __attribute__((aligned(256)));

struct reclaim_zone {
	struct lruvec vec;
	uint64_t nr[LRU_LISTS];			/* of this zone's pages, whichever list they stand on */
	uint64_t dirty, isolated[LRU_KINDS];
	uint32_t active;			/* kswapd is at work on it */
	/* compaction */
	pfn_t migrate_at[2], free_at;		/* where scanners go on; [1]: not async. Absolute + 1, 0: afresh */
	uint32_t considered, shift, order_failed;	/* order_failed: order + 1, 0: none */
	uint32_t has_skips;			/* some pageblock has its skip bit set */
} __attribute__((aligned(256)));

static inline struct reclaim_head *reclaim_head(const struct lab *lab)
{
	return lab_section(lab, SEC_RECLAIM);
}

static inline struct reclaim_node *reclaim_node(const struct lab *lab, unsigned int node)
{
	return (struct reclaim_node *)(reclaim_head(lab) + 1) + node;
}

static inline struct reclaim_zone *reclaim_zone(const struct lab *lab, unsigned int zone)
{
	return (struct reclaim_zone *)reclaim_node(lab, lab->nr_nodes) + zone;
}

static inline struct lru_entry *lru_entry(const struct lab *lab, uint32_t nr)
{
	return (struct lru_entry *)lab_section(lab, SEC_LRU_ENTRY) + nr;
}

static inline unsigned int lru_list_of(uint32_t flags)
{
	return (flags & LRU_FILE ? LRU_INACTIVE_FILE : LRU_INACTIVE_ANON) + !!(flags & LRU_ACTIVE);
}

static inline enum lru_kind lru_kind_of(uint32_t flags)
{
	return flags & LRU_FILE ? LRU_KIND_FILE : LRU_KIND_ANON;
}

static inline uint8_t lru_flags(const struct page *page)
{
	return (uint8_t)(page_get_kind(page) >> 24);
}

static inline void lru_set(struct page *page, enum page_role role, uint32_t flags)
{
	page_set_kind(page, page_kind(role, 0, (enum mtype)page->mtype) | flags << 24);
}

/* Does kswapd work on this zone just now? Then CPUs keep less of it. */
static inline bool zone_is_reclaimed(const struct lab *lab, const struct zone *z)
{
	return peek(reclaim_zone(lab, z->index)->active);
}

/* The lists a page of this zone stands on. */
static inline struct lruvec *lruvec_of(const struct lab *lab, const struct zone *z)
{
	return page_policy(lab)->lru_scope == LRU_SCOPE_NODE ? &reclaim_node(lab, z->node)->vec
							     : &reclaim_zone(lab, z->index)->vec;
}

/* Under the node's lock: put a page on its list (by its flags), or take it off; lengths of zone and list follow. */
void lru_link(struct lab *lab, pfn_t pfn, bool tail);
void lru_unlink(struct lab *lab, pfn_t pfn);

/* Under the node's lock: so many more pages are dirty. */
void lru_dirty_add(struct lab *lab, pfn_t pfn, int64_t n);

/* Pages on a node's list in zones up to `high`. */
uint64_t lru_size(const struct lab *lab, unsigned int node, unsigned int high, enum lru_list_id list);

/* Pages of a zone on all lists. */
static inline uint64_t zone_lru_pages(const struct lab *lab, unsigned int zone)
{
	const uint64_t *nr = reclaim_zone(lab, zone)->nr;

	return peek(nr[LRU_INACTIVE_ANON]) + peek(nr[LRU_ACTIVE_ANON]) + peek(nr[LRU_INACTIVE_FILE]) + peek(nr[LRU_ACTIVE_FILE]);
}

/* Pages of a zone that reclaim could free: file pages, and with swap the others. */
uint64_t zone_reclaimable(const struct lab *lab, const struct zone *z);

/* An entry number, UINT32_MAX if there is none left; giving one back. */
uint32_t lru_entry_get(struct cpu *cpu, bool counting);
void lru_entry_put(struct cpu *cpu, uint32_t nr, bool counting);

/* The number of the entry at this region offset, -EINVAL with a sentence if there is none in use. */
int lru_entry_find(struct lab *lab, uint64_t off, uint32_t *nr);

/* After reclaim.lru_scope changed, in a stop: the pages go over to the other lists, oldest first. */
void lru_scope_update(struct lab *lab);

void lru_init(struct lab *lab);
int lru_check(struct lab *lab);

#ifdef VARIANT
/* A page for an entry, on its list: false, with the entry evicted, if there is no memory. */
bool V(lru_fill)(struct cpu *cpu, uint32_t nr);

/* Use an entry; *refault: it had been evicted. False: there was no memory to bring it back. */
bool V(lru_touch)(struct cpu *cpu, uint32_t nr, bool *refault);

/* The owner gives an entry up. */
void V(lru_drop)(struct cpu *cpu, uint32_t nr);

/* What a writer does now and then: all dirty pages of a node are clean. Pages written. */
uint64_t V(lru_write_back)(struct cpu *cpu, unsigned int node);
#endif

#endif
