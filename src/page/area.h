/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * area - putting blocks on the free lists and taking them off.
 *
 * The only code that links free blocks: it hides that those of the top order
 * have their links in struct block. Counts nr and nr_free are kept here;
 * free_pages is the caller's, who often changes it once for many blocks.
 *
 * Locks. The zone's, by the caller.
 */
#ifndef PAGE_AREA_H
#define PAGE_AREA_H

#include "page/zone.h"

static inline pfn_t *area_next(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return order == TOP_ORDER ? &lab->blocks[pfn >> TOP_ORDER].next : &lab->pages[pfn].next;
}

static inline pfn_t *area_prev(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return order == TOP_ORDER ? &lab->blocks[pfn >> TOP_ORDER].prev : &lab->pages[pfn].prev;
}

/* Type of the list on which a free block stands. */
static inline enum mtype area_type(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return (enum mtype)(order == TOP_ORDER ? lab->blocks[pfn >> TOP_ORDER].mtype : lab->pages[pfn].mtype);
}

/* Is there a free block of this order (below the top) at pfn? */
static inline bool area_has(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return (page_get_kind(&lab->pages[pfn]) & 0xffff) == page_kind(PAGE_BUDDY, order, 0);
}

/* Is there one that is not to merge yet (lazy.h)? Is there either? */
static inline bool area_is_delayed(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return order != TOP_ORDER && (page_get_kind(&lab->pages[pfn]) & 0xffff) == page_kind(PAGE_DELAYED, order, 0);
}

static inline bool area_is_free(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return area_has(lab, pfn, order) || area_is_delayed(lab, pfn, order);
}

static inline void area_mark(struct lab *lab, pfn_t pfn, unsigned int order, enum mtype type, bool is_free)
{
	if (order == TOP_ORDER) {
		lab->blocks[pfn >> TOP_ORDER].mtype = (uint8_t)type;
		poke(lab->blocks[pfn >> TOP_ORDER].is_free, is_free);
	} else {
		page_set_kind(&lab->pages[pfn], is_free ? page_kind(PAGE_BUDDY, order, type) : 0);
	}
}

static inline void area_link(struct lab *lab, struct free_list *l, pfn_t pfn, unsigned int order, bool tail)
{
	pfn_t *next = area_next(lab, pfn, order), *prev = area_prev(lab, pfn, order);

	*next = tail ? PFN_NONE : l->head;
	*prev = tail ? l->tail : PFN_NONE;
	if (*next != PFN_NONE)
		*area_prev(lab, *next, order) = pfn;
	else
		l->tail = pfn;
	if (*prev != PFN_NONE)
		*area_next(lab, *prev, order) = pfn;
	else
		poke(l->head, pfn);
}

static inline void area_unlink(struct lab *lab, struct free_list *l, pfn_t pfn, unsigned int order)
{
	pfn_t next = *area_next(lab, pfn, order), prev = *area_prev(lab, pfn, order);

	if (next != PFN_NONE)
		*area_prev(lab, next, order) = prev;
	else
		l->tail = prev;
	if (prev != PFN_NONE)
		*area_next(lab, prev, order) = next;
	else
		poke(l->head, next);
}

static inline void area_add(struct lab *lab, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type,
			    bool tail)
{
	struct free_area *area = &z->area[order];

	area_mark(lab, pfn, order, type, true);
	area_link(lab, &area->list[type], pfn, order, tail);
	poke(area->list[type].nr, area->list[type].nr + 1);
	poke(area->nr_free, area->nr_free + 1);
}

/* Behind `before`, which is on the list. */
static inline void area_link_behind(struct lab *lab, struct free_list *l, pfn_t before, pfn_t pfn, unsigned int order)
{
	pfn_t next = *area_next(lab, before, order);

	if (next == PFN_NONE) {
		area_link(lab, l, pfn, order, true);
		return;
	}
	*area_next(lab, before, order) = pfn;
	*area_prev(lab, pfn, order) = before;
	*area_next(lab, pfn, order) = next;
	*area_prev(lab, next, order) = pfn;
}

/* A delayed block goes to the front of its list; `oldest`: to the end of the delayed ones there. */
static inline void area_add_delayed(struct lab *lab, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type,
				    bool oldest)
{
	struct free_area *area = &z->area[order];
	pfn_t *tail = &z->delayed_tail[order][type];

	page_set_kind(&lab->pages[pfn], page_kind(PAGE_DELAYED, order, type));
	if (oldest && *tail != PFN_NONE)
		area_link_behind(lab, &area->list[type], *tail, pfn, order);
	else
		area_link(lab, &area->list[type], pfn, order, false);
	if (oldest || *tail == PFN_NONE)
		*tail = pfn;
	poke(area->list[type].nr, area->list[type].nr + 1);
	poke(area->nr_free, area->nr_free + 1);
	bump(z->lazy[order].local, 1);
}

/* A delayed block is about to leave its list. */
static inline void area_undelay(struct lab *lab, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	if (z->delayed_tail[order][type] == pfn)
		z->delayed_tail[order][type] = *area_prev(lab, pfn, order);
	bump(z->lazy[order].local, -1);
}

static inline void area_del(struct lab *lab, struct zone *z, pfn_t pfn, unsigned int order)
{
	struct free_area *area = &z->area[order];
	enum mtype type = area_type(lab, pfn, order);

	if (unlikely(area_is_delayed(lab, pfn, order)))
		area_undelay(lab, z, pfn, order, type);
	area_unlink(lab, &area->list[type], pfn, order);
	area_mark(lab, pfn, order, type, false);
	poke(area->list[type].nr, area->list[type].nr - 1);
	poke(area->nr_free, area->nr_free - 1);
}

/* To the tail of another type's list; a delayed one stays delayed. */
static inline void area_move(struct lab *lab, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	bool delayed = area_is_delayed(lab, pfn, order);

	area_del(lab, z, pfn, order);
	if (unlikely(delayed))
		area_add_delayed(lab, z, pfn, order, type, true);
	else
		area_add(lab, z, pfn, order, type, true);
}

#endif
