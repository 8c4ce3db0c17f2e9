/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp - short lists of free pages that one CPU keeps in front of a zone.
 *
 * Idea. Page requests repeat on the CPU that made them. Refilling and draining
 * `batch` pages at a time buys a whole batch with one trip to the zone lock,
 * and the page freed last, still warm, is handed out first.
 *
 *   list 0..11   orders 0-3 x unmovable, movable, reclaimable: 3 * order + type
 *   list 12, 13  order 9: not movable, movable
 *
 *   head                                    tail
 *   [last freed] <-> [ ... ] <-> [coldest: drained first]
 *
 * A take or a give touches the head alone: the `prev` of the page at the head
 * is not kept, and the tail of an empty list is not kept either.
 *
 * Invariants (page_check() reports them by these labels)
 *   P1  count is the sum over the lists of length << order; cold is the length of
 *       the cold list.
 *   P2  a page here says PAGE_ON_PCP and the list's order, and is on no other list.
 *   P3  every page here belongs to this zone.
 *   P4  each page but the head names the one before it; the tail is the last.
 *   P5  look_at is what high, batch, model and kswapd's state make of it.
 *
 * Ownership. Whoever plays the CPU touches its lists between cpu_pcp_try() and
 * cpu_pcp_done(); a drain from elsewhere sets the drain mark first (see
 * cpu/drain.h). Refill and drain take zone->lock inside, nothing else does.
 * batch, high and the masks change in a stop.
 *
 * Units. Everything is in order-0 pages; links are page frame numbers.
 */
#ifndef PAGE_PCP_H
#define PAGE_PCP_H

#include "event/note.h"
#include "event/variant.h"
#include "page/page.h"
#include "page/policy.h"
#include "page/relaxed.h"

struct cpu;
struct zone;

#define PCP_TYPES 3		/* unmovable, movable, reclaimable: the first of enum mtype */
#define PCP_LOW_ORDERS 4	/* orders 0-3 */
#define PCP_HUGE_ORDER 9
#define PCP_LISTS (PCP_LOW_ORDERS * PCP_TYPES + 2)

struct pcp_list {
	pfn_t head, tail;
};

struct pcp {
	uint32_t count;			/* held now, see P1 */
	uint32_t high;			/* held before a drain */
	uint32_t look_at;		/* a free that reaches this many asks whether to drain (pcp_look_at()) */
	uint16_t batch;			/* moved per refill or drain */
	uint16_t orders;		/* bit o: order o goes through these lists (0: pcp.enabled=off) */
	union {
		struct {
			uint32_t free_count;	/* 6.7 and later: pages freed in a row */
			uint8_t free_factor;	/* drains grow by this power of two while only frees come */
			uint8_t mixed;		/* a list holds pages of all types: is the first one of the type asked for? */
		};
		uint64_t minds_takes;		/* all of it: what a take has to mind */
	};
	uint8_t scale_max;		/* free_factor does not go beyond this */
	uint8_t model;			/* enum pcp_model */
	uint8_t alloc_factor;		/* 6.7 and later: refills grow while only allocations come */
	uint64_t quick_allocs;		/* each one: a walk, a zone seen, a mark asked and passed, a block given */
	uint64_t quick_frees;
	uint64_t quick_blocks;		/* each one: a walk, a zone seen, a mark asked and passed, lists passed by */
	struct pcp_list lists[PCP_LISTS];

	/* of some models (pcp_model.h) */
	uint32_t high_min, high_max;	/* between which high tunes itself */
	uint32_t cold;			/* hotcold: pages on list 1, of count */
	uint8_t flags;			/* enum pcp_flag */
};

enum pcp_flag { PCP_PREV_HIGH_ORDER = 1, PCP_HIGH_BATCH = 2 };

/* Number of the list, for an order that has lists and a type below PCP_TYPES. */
static inline unsigned int pcp_list_of(unsigned int order, enum mtype type)
{
	if (order == PCP_HUGE_ORDER)
		return PCP_LOW_ORDERS * PCP_TYPES + (type == MT_MOVABLE);
	return order * PCP_TYPES + (unsigned int)type;
}

/* The same where 5.14 has one list of huge pages for all types. */
static inline unsigned int pcp_list_in(const struct pcp *pcp, unsigned int order, enum mtype type)
{
	if (unlikely(order == PCP_HUGE_ORDER && pcp->model == PCP_MODEL_5_14))
		return PCP_LOW_ORDERS * PCP_TYPES;
	return pcp_list_of(order, type);
}

static inline unsigned int pcp_list_order(unsigned int list)
{
	return list < PCP_LOW_ORDERS * PCP_TYPES ? list / PCP_TYPES : PCP_HUGE_ORDER;
}

static inline bool pcp_has_order(const struct pcp *pcp, unsigned int order)
{
	return pcp->orders >> order & 1;
}

/* Who allocates halves what frees in a row have grown. */
static inline void pcp_note_take(struct pcp *pcp)
{
	pcp->free_factor >>= 1;
	pcp->free_count >>= 1;
}

/* Blocks on a list, by walking it. */
static inline unsigned int pcp_length(const struct page *pages, const struct pcp_list *list)
{
	unsigned int nr = 0;

	for (pfn_t pfn = list->head; pfn != PFN_NONE; pfn = pages[pfn].next)
		nr++;
	return nr;
}

/* The warmest page, PFN_NONE if the list is empty. */
static inline pfn_t pcp_pop(struct page *pages, struct pcp_list *list)
{
	pfn_t pfn = list->head;

	if (pfn != PFN_NONE)
		list->head = pages[pfn].next;
	return pfn;
}

static inline void pcp_push(struct page *pages, struct pcp_list *list, pfn_t pfn)
{
	pfn_t head = list->head;

	pages[pfn].next = head;
	if (head != PFN_NONE)
		pages[head].prev = pfn;
	else
		list->tail = pfn;
	list->head = pfn;
}

/* A refill puts what it got behind what is there. */
static inline void pcp_append(struct page *pages, struct pcp_list *list, pfn_t pfn)
{
	pages[pfn].next = PFN_NONE;
	pages[pfn].prev = list->tail;
	if (list->head == PFN_NONE)
		list->head = pfn;
	else
		pages[list->tail].next = pfn;
	list->tail = pfn;
}

/* One list behind another. */
static inline void pcp_join(struct page *pages, struct pcp_list *list, const struct pcp_list *behind)
{
	if (list->head == PFN_NONE) {
		*list = *behind;
	} else if (behind->head != PFN_NONE) {
		pages[list->tail].next = behind->head;
		pages[behind->head].prev = list->tail;
		list->tail = behind->tail;
	}
}

/* The coldest page of a list that is not empty. */
static inline pfn_t pcp_pop_tail(struct page *pages, struct pcp_list *list)
{
	pfn_t pfn = list->tail;

	if (pfn == list->head) {
		list->head = PFN_NONE;
	} else {
		list->tail = pages[pfn].prev;
		pages[list->tail].next = PFN_NONE;
	}
	return pfn;
}

/* A freed block is put on top. HighAtomic pages wait among the movable ones and go back by their own type. */
static inline unsigned int pcp_put(struct page *pages, struct pcp *pcp, pfn_t pfn, unsigned int order, enum mtype type)
{
	unsigned int list = pcp_list_in(pcp, order, type < PCP_TYPES ? type : MT_MOVABLE);

	page_set_kind(&pages[pfn], page_kind(PAGE_ON_PCP, order, type));
	pcp_push(pages, &pcp->lists[list], pfn);
	bump(pcp->count, 1U << order);
	return list;
}

#ifdef VARIANT
/*
 * One block, refilling an empty list; PFN_NONE if that finds nothing. flags:
 * enum alloc_flag. The caller is between cpu_pcp_try() and cpu_pcp_done().
 */
pfn_t V(pcp_take)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type, unsigned int flags);

/* Put a freed block on its list; drains when that makes too many. Same caller's duty. */
void V(pcp_give)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type);

/* The tail of pcp_give(): after a push, drain what is above the limit. */
void V(pcp_over)(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int list);

/* Empty lists of one zone (bit l: list l) or all zones of a CPU whose lists nobody else uses now. */
void V(pcp_drain_zone)(struct cpu *owner, struct zone *z, uint32_t lists);
void V(pcp_drain_held)(struct cpu *owner);

/* The same for the CPU that asks; if a drainer is at it, that is as good. */
void V(pcp_drain)(struct cpu *cpu);

/* Each second: sets of other nodes' zones that rested for three give back a batch. */
void V(pcp_tick)(struct cpu *cpu);
#endif

#endif
