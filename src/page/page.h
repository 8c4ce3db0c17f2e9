/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page - the descriptor of one page: all that is kept per page.
 *
 * Idea. 64 bytes, one cache line, found by index. What a page is part of is
 * its `role`; who owns the other fields follows from that:
 *
 *   bytes   field                 used by
 *    0..15  freelist, counters    slab layer (one 16-byte exchange)
 *   16..23  next, prev            buddy list, CPU list, or the slab layer's lists
 *   24..27  role, order, mtype, flags
 *   28..59  slab_nr, store, head, chains, node, start, owner: slab layer; store is 0 whenever the
 *           page is of no slab
 *
 * Invariants
 *   D1  A page that is free, on a CPU's list or handed out has store == 0.
 *   D2  Only the first page of a block carries its role and order; the pages
 *       behind it hold PAGE_NOTHING when it is freed. Pages of a slab all carry
 *       its store and head; those behind the first may say PAGE_SLAB or
 *       PAGE_NOTHING.
 *   D3  All zero is a page that was never touched. A free block of the top
 *       order is kept in struct block (zone.h) and its descriptor is fresh or
 *       stale but PAGE_NOTHING.
 *
 * Ownership. The links of a page on a buddy list belong to the zone lock, on a
 * CPU's list to that CPU, of an allocated page to whoever holds it.
 *
 * Units. Links are page frame numbers, PFN_NONE ends a list.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/types.h"
#include "page/read.h"

/*
 * role    enum page_role
 * order   of the block that begins here
 * mtype   of an allocated page what the request asked for; of a page on a buddy
 *         or CPU list the type it goes by there
 * flags   bit 0: the slab lock (slab/exchange.h)
 */
struct page {
	union {
		struct {
			uint64_t freelist;
			uint64_t counters;
		};
		unsigned __int128 both;		/* one CAS unit */
	};
	pfn_t next, prev;
	union {
		uint32_t kind;		/* all four as one word, see page_kind() */
		struct {
			uint8_t role, order, mtype, flags;
		};
	};
	uint32_t slab_nr;	/* the store's n-th slab */
	union {
		struct {
			uint32_t store;	/* number of the slab's store, 0 = of no slab */
			pfn_t head;	/* first page of the slab */
		};
		uint64_t key;		/* both: whose slab it is, in one comparison */
	};
	uint32_t chain_slabs;	/* of a CPU's partial chain, kept in its first slab */
	uint32_t chain_objs;	/* likewise, free objects when slabs joined it; of a debug store's slab: objects lost to damage */
	uint8_t node;		/* slab layer's copy; nodes of pages: zone.h */
	uint8_t listed;		/* of a slab of SLUB: on its node's partial list, as that list's lock says */
	uint8_t spare[2];
	uint32_t start;		/* of a slab: where its first object begins (colour); 0 of any other page */
	uint32_t owner;		/* of a slab of engine slqb: whose list (slab/slqb.h) */
	uint32_t more;
};
_Static_assert(sizeof(struct page) == 64, "a page descriptor is one cache line");
_Static_assert(offsetof(struct page, both) == 0 && _Alignof(struct page) == 16, "16-byte exchange");

/*
 * Role, order and type change in one store. A free looks at its buddy's word
 * whoever holds that page just then (only "on a buddy list" counts for it, and
 * that changes under the zone lock alone), so writers that hold no zone lock
 * use these too and never a plain store.
 */
static inline uint32_t page_kind(enum page_role role, unsigned int order, enum mtype type)
{
	return (uint32_t)role | order << 8 | (uint32_t)type << 16;
}

static inline void page_set_kind(struct page *page, uint32_t kind)
{
	__atomic_store_n(&page->kind, kind, __ATOMIC_RELAXED);
}

static inline uint32_t page_get_kind(const struct page *page)
{
	return __atomic_load_n(&page->kind, __ATOMIC_RELAXED);
}

/* Only the role (slab layer: PAGE_ALLOCATED to PAGE_SLAB or PAGE_LARGE and back). */
static inline void page_set_role(struct page *page, enum page_role role)
{
	__atomic_store_n(&page->role, (uint8_t)role, __ATOMIC_RELAXED);
}

/* The descriptor of a page, its number, and its memory. */
static inline struct page *lab_page(const struct lab *lab, pfn_t pfn)
{
	return &lab->pages[pfn];
}

static inline pfn_t page_pfn(const struct lab *lab, const struct page *page)
{
	return (pfn_t)(page - lab->pages);
}

static inline uint64_t pfn_off(const struct lab *lab, pfn_t pfn)
{
	return lab->arena_off + ((uint64_t)pfn << PAGE_SHIFT);
}

static inline void *page_memory(const struct lab *lab, pfn_t pfn)
{
	return lab->arena + ((uint64_t)pfn << PAGE_SHIFT);
}

/* `off` must lie in the arena. */
static inline pfn_t off_pfn(const struct lab *lab, uint64_t off)
{
	return (pfn_t)((off - lab->arena_off) >> PAGE_SHIFT);
}

#endif
