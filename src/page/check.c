/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk behind `lab check`: labels of zone.h, pcp.h and page.h.
 *
 * First the lists, then the pages. Every listed block is seen to say so of
 * itself, and the walk over the pages finds just as many that say so as the
 * lists hold: together, every page is in exactly one place. Free blocks of the
 * top order are passed over in the dense table, so what was never touched
 * costs nothing.
 */
#include <errno.h>

#include "base/fail.h"
#include "page/area.h"
#include "page/buddy.h"
#include "page/drift.h"
#include "page/lazy.h"
#include "page/lru.h"
#include "page/pageblock.h"
#include "page/pcp_model.h"
#include "page/zone.h"

/* What one zone's pages say of themselves. */
struct census {
	uint64_t listed[NR_PAGE_ORDERS][MT_NR];
	uint64_t on_pcp[NR_PAGE_ORDERS];	/* blocks */
	uint64_t free, pcp, held, lru;		/* pages; lru: of those held */
	uint64_t highatomic;
};

static int wrong(const char *label, const struct zone *z, uint64_t pfn, const char *what)
{
	return fail(EUCLEAN, "%s: zone N%u.%s, page %llu: %s", label, z->node, zone_kind_names[z->kind],
		    (unsigned long long)pfn, what);
}

static int wrong_count(const char *label, const struct zone *z, const char *what, uint64_t is, uint64_t should)
{
	return fail(EUCLEAN, "%s: zone N%u.%s: %s is %llu, not %llu", label, z->node, zone_kind_names[z->kind], what,
		    (unsigned long long)is, (unsigned long long)should);
}

/* ---- the buddy lists ---- */

static int check_listed(const struct lab *lab, const struct zone *z, pfn_t pfn, unsigned int order, unsigned int type)
{
	if (pfn < z->start || pfn + (1ULL << order) > zone_managed_end(z))
		return wrong("B2", z, pfn, "a listed block lies outside the zone's managed pages");
	if (pfn & ((1U << order) - 1))
		return wrong("B2", z, pfn, "a listed block is not aligned to its size");
	if (area_type(lab, pfn, order) != type)
		return wrong("B2", z, pfn, "a listed block says another type than its list's");
	if (order == TOP_ORDER ? !lab->blocks[pfn >> TOP_ORDER].is_free : !area_is_free(lab, pfn, order))
		return wrong("B2", z, pfn, "a listed block does not say that it is free with the list's order");
	if (order < TOP_ORDER && lab->pages[pfn].store)
		return wrong("D1", z, pfn, "a free page has a store");
	return 0;
}

/*
 * Would a free of this block have merged it with its buddy? It went by the type
 * it was freed with, that of its list, which its pageblock may have lost since.
 */
static bool would_merge(const struct lab *lab, pfn_t pfn, pfn_t buddy, unsigned int order)
{
	return buddy_may_merge(lab, buddy, order, area_type(lab, pfn, order)) &&
	       buddy_may_merge(lab, buddy, order, pageblock_type(lab, pfn));
}

static int check_buddy(const struct lab *lab, const struct zone *z, pfn_t pfn, unsigned int order)
{
	pfn_t buddy = pfn ^ (1U << order);

	if (order >= pageblock_order(lab) && z->unreserved)
		return 0;
	if (order == TOP_ORDER || !area_has(lab, pfn, order) || !would_merge(lab, pfn, buddy, order) ||
	    !would_merge(lab, buddy, pfn, order))
		return 0;
	return wrong("B3", z, pfn, "a block and its buddy are both free and did not merge");
}

static int check_free_list(const struct lab *lab, const struct zone *z, unsigned int order, unsigned int type)
{
	const struct free_list *l = &z->area[order].list[type];
	pfn_t prev = PFN_NONE;
	uint64_t nr = 0;

	for (pfn_t pfn = l->head; pfn != PFN_NONE; prev = pfn, pfn = *area_next(lab, pfn, order)) {
		int ret = check_listed(lab, z, pfn, order, type);

		if (!ret)
			ret = check_buddy(lab, z, pfn, order);
		if (ret)
			return ret;
		if (*area_prev(lab, pfn, order) != prev)
			return wrong("B5", z, pfn, "a listed block does not name the one before it");
		if (++nr > l->nr)
			break;
	}
	if (nr != l->nr)
		return wrong_count("B1", z, "a list's length", nr, l->nr);
	return l->tail == prev ? 0 : wrong("B5", z, l->tail, "the tail of a list is not its last block");
}

static int check_free_lists(const struct lab *lab, const struct zone *z)
{
	uint64_t pages = 0;

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		uint64_t nr = 0;

		for (unsigned int t = 0; t < MT_NR; t++) {
			int ret = check_free_list(lab, z, o, t);

			if (ret)
				return ret;
			nr += z->area[o].list[t].nr;
		}
		if (nr != z->area[o].nr_free)
			return wrong_count("B1", z, "nr_free of an order", z->area[o].nr_free, nr);
		pages += nr << o;
	}
	return pages == z->free_pages ? 0 : wrong_count("B1", z, "free_pages", z->free_pages, pages);
}

/* ---- the CPUs' lists ---- */

static int check_pcp_page(const struct lab *lab, const struct zone *z, pfn_t pfn, unsigned int order)
{
	uint32_t kind;

	if (pfn < z->start || pfn >= zone_managed_end(z))
		return wrong("P3", z, pfn, "a page on a CPU's list is of another zone");
	kind = page_get_kind(&lab->pages[pfn]);
	if ((kind & 0xffff) != page_kind(PAGE_ON_PCP, order, 0))
		return wrong("P2", z, pfn, "a page on a CPU's list does not say so with the list's order");
	if (lab->pages[pfn].store)
		return wrong("D1", z, pfn, "a page on a CPU's list has a store");
	return 0;
}

static int check_pcp_list(const struct lab *lab, const struct zone *z, const struct pcp *pcp, unsigned int list,
			  uint64_t *blocks)
{
	const struct pcp_list *l = &pcp->lists[list];
	unsigned int order = pcp_list_order(list);
	pfn_t prev = PFN_NONE;

	for (pfn_t pfn = l->head; pfn != PFN_NONE; prev = pfn, pfn = lab->pages[pfn].next) {
		int ret = check_pcp_page(lab, z, pfn, order);

		if (ret)
			return ret;
		if (prev != PFN_NONE && lab->pages[pfn].prev != prev)
			return wrong("P4", z, pfn, "a page on a CPU's list does not name the one before it");
		if (++*blocks << order > pcp->count)
			return wrong_count("P1", z, "a CPU's count", pcp->count, *blocks << order);
	}
	if (prev != PFN_NONE && l->tail != prev)
		return wrong("P4", z, l->tail, "the tail of a CPU's list is not its last page");
	return 0;
}

static int check_pcp(const struct lab *lab, const struct zone *z, const struct pcp *pcp, uint64_t blocks[NR_PAGE_ORDERS])
{
	uint32_t look_at = pcp_look_at(pcp, zone_is_reclaimed(lab, z));
	uint64_t pages = 0;

	if (pcp->look_at != look_at)
		return wrong_count("P5", z, "the count at which a free asks", pcp->look_at, look_at);
	for (unsigned int l = 0; l < PCP_LISTS; l++) {
		uint64_t nr = 0;
		int ret = check_pcp_list(lab, z, pcp, l, &nr);

		if (ret)
			return ret;
		blocks[pcp_list_order(l)] += nr;
		pages += nr << pcp_list_order(l);
		if (l == 1 && pcp->cold != (pcp->model == PCP_MODEL_HOTCOLD ? nr : 0))
			return wrong_count("P1", z, "a CPU's count of cold pages", pcp->cold, nr);
	}
	return pages == pcp->count ? 0 : wrong_count("P1", z, "a CPU's count", pcp->count, pages);
}

/* ---- the pages ---- */

static int check_inside(const struct lab *lab, const struct zone *z, pfn_t head)
{
	const struct page *first = &lab->pages[head];
	bool of_slab = first->role == PAGE_SLAB;

	if (of_slab != (first->store != 0))
		return wrong("D1", z, head, of_slab ? "a slab has no store" : "a block that is no slab has a store");
	/* a held block of the top order was never looked into, unless it is a slab */
	if (first->order == TOP_ORDER && !of_slab)
		return 0;
	for (pfn_t i = 1; i < 1U << first->order; i++) {
		const struct page *page = &lab->pages[head + i];

		if (of_slab ? page->store != first->store || page->head != head : page->store != 0)
			return wrong("D2", z, head + i, "a page does not belong to the block around it");
		if (page->role != PAGE_NOTHING && !(of_slab && page->role == PAGE_SLAB))
			return wrong("B2", z, head + i, "a block begins inside another");
	}
	return 0;
}

static int count_block(const struct lab *lab, const struct zone *z, pfn_t pfn, struct census *c)
{
	const struct page *page = &lab->pages[pfn];
	unsigned int order = page->order;
	uint64_t pages = 1ULL << order;

	if (order > TOP_ORDER || pfn & (pages - 1) || pfn + pages > zone_managed_end(z))
		return wrong("B2", z, pfn, "a block's order does not fit its place");
	switch (page->role) {
	case PAGE_BUDDY:
	case PAGE_DELAYED:
		if (order == TOP_ORDER || page->mtype >= MT_NR)
			return wrong("D3", z, pfn, "a descriptor says that a block of the top order is free");
		c->listed[order][page->mtype]++;
		c->free += pages;
		return 0;
	case PAGE_ON_PCP:
		if (order >= PCP_LOW_ORDERS && order != PCP_HUGE_ORDER)
			return wrong("P2", z, pfn, "a page says that it is on a list that CPUs do not have");
		c->on_pcp[order]++;
		c->pcp += pages;
		return 0;
	case PAGE_LRU:
		c->lru += pages;
		c->held += pages;
		return order || page->store ? wrong("R2", z, pfn, "a page on the LRU is no single page") : 0;
	case PAGE_ALLOCATED:
	case PAGE_LARGE:
	case PAGE_SLAB:
		c->held += pages;
		return 0;
	default:
		return wrong("B4", z, pfn, "a page is in no place");
	}
}

static int count_pages(const struct lab *lab, const struct zone *z, struct census *c)
{
	uint64_t end = zone_managed_end(z);

	for (uint64_t pfn = z->start; pfn < end;) {
		const struct block *b = &lab->blocks[pfn >> TOP_ORDER];
		int ret;

		if (!(pfn & (BLOCK_PAGES - 1)) && b->is_free) {
			c->listed[TOP_ORDER][b->mtype]++;
			c->free += BLOCK_PAGES;
			pfn += BLOCK_PAGES;
			continue;
		}
		ret = count_block(lab, z, (pfn_t)pfn, c);
		if (!ret)
			ret = check_inside(lab, z, (pfn_t)pfn);
		if (ret)
			return ret;
		pfn += 1ULL << lab->pages[pfn].order;
	}
	return 0;
}

static void count_pageblocks(const struct lab *lab, const struct zone *z, struct census *c)
{
	uint64_t size = 1ULL << pageblock_order(lab);

	for (uint64_t pfn = z->start; pfn < zone_managed_end(z); pfn += size)
		if (pageblock_type(lab, (pfn_t)pfn) == MT_HIGHATOMIC)
			c->highatomic += size;
}

/* What struct block says of zone and types, against the zone and the pageblocks. */
static int check_blocks(const struct lab *lab, const struct zone *z)
{
	uint64_t size = 1ULL << pageblock_order(lab);

	for (uint64_t pfn = z->start; pfn < z->start + z->spanned; pfn += BLOCK_PAGES) {
		const struct block *b = &lab->blocks[pfn >> TOP_ORDER];
		bool mixed = false;

		for (uint64_t i = size; i < BLOCK_PAGES; i += size)
			mixed |= pageblock_type(lab, (pfn_t)(pfn + i)) != pageblock_type(lab, (pfn_t)pfn);
		if (b->zone != z->index)
			return wrong("B7", z, pfn, "its block says that it is of another zone");
		if (b->type != (mixed ? BLOCK_MIXED : pageblock_type(lab, (pfn_t)pfn) ^ MT_MOVABLE))
			return wrong("B7", z, pfn, "its block does not say the type of the pageblocks in it");
	}
	return 0;
}

static int compare(const struct lab *lab, const struct zone *z, const struct census *c,
		   const uint64_t blocks[NR_PAGE_ORDERS], uint64_t pcp_pages)
{
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		for (unsigned int t = 0; t < MT_NR; t++)
			if (c->listed[o][t] != z->area[o].list[t].nr)
				return wrong_count("B2", z, "the number of blocks that say they are on a list",
						   c->listed[o][t], z->area[o].list[t].nr);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		if (c->on_pcp[o] != blocks[o])
			return wrong_count("P2", z, "the number of pages that say they are on CPU lists of an order",
					   c->on_pcp[o], blocks[o]);
	if (c->free + c->pcp + c->held != z->managed || c->free != z->free_pages || c->pcp != pcp_pages)
		return wrong_count("B4", z, "free + on CPU lists + held", c->free + c->pcp + c->held, z->managed);
	if (c->lru != zone_lru_pages(lab, z->index))
		return wrong_count("R3", z, "the number of pages that say they are on the LRU", c->lru, zone_lru_pages(lab, z->index));
	if (c->highatomic != z->reserved_highatomic)
		return wrong_count("B6", z, "reserved_highatomic", z->reserved_highatomic, c->highatomic);
	return 0;
}

static int check_turn(const struct lab *lab, const struct zone *z)
{
	int64_t most = (int64_t)(z->mark[WMARK_HIGH] - z->mark[WMARK_LOW]);

	if ((z->fair_batch > most && !drift_is_on(lab)) || z->fair_depleted > 1 || z->below_high > 1)
		return wrong_count("F1", z, "what is left of its turn", (uint64_t)z->fair_batch, (uint64_t)most);
	return 0;
}

static int check_zone(struct lab *lab, struct zone *z)
{
	uint64_t blocks[NR_PAGE_ORDERS] = { 0 }, pcp_pages = 0;
	struct census c = { 0 };
	int ret;

	if (!lock_is_idle(&z->lock, RANK_ZONE))
		return wrong_count("B8", z, "the word of its lock", z->lock.word, 0);
	ret = check_free_lists(lab, z);
	for (unsigned int cpu = 0; cpu < lab->nr_cpus && !ret; cpu++) {
		const struct pcp *pcp = &zone_cpu(lab->cpus[cpu], z)->pcp;

		ret = check_pcp(lab, z, pcp, blocks);
		pcp_pages += pcp->count;
	}
	if (!ret)
		ret = check_blocks(lab, z);
	if (!ret)
		ret = count_pages(lab, z, &c);
	if (ret)
		return ret;
	count_pageblocks(lab, z, &c);
	ret = compare(lab, z, &c, blocks, pcp_pages);
	if (!ret)
		ret = check_turn(lab, z);
	if (!ret)
		ret = drift_check(lab, z);
	return ret ? ret : lazy_check(lab, z);
}

int page_check(struct lab *lab)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_zones && !ret; i++)
		ret = check_zone(lab, &lab->zones[i]);
	return ret ? ret : lru_check(lab);
}
