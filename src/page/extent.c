/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages by what they are part of (read.h).
 *
 * A block says what it is in its first page alone, so a walk that knows where
 * one block ends knows where the next begins, and reads a descriptor for each
 * block and not for each page.
 */
#include "page/read.h"

#include "page/area.h"
#include "page/pageblock.h"

enum mtype page_block_type(const struct lab *lab, pfn_t pfn)
{
	return pageblock_type(lab, pfn);
}

static void take_head(const struct lab *lab, pfn_t head, struct page_extent *e)
{
	const struct page *page = &lab->pages[head];

	e->pfn = head;
	e->role = (enum page_role)page->role;
	e->order = page->order;
	e->type = (enum mtype)page->mtype;
	e->store = page->role == PAGE_SLAB ? page->store : 0;
	e->pages = 1U << page->order;
}

/* The block that a page lies in begins at the nearest head whose order reaches this far. */
static void find_head(const struct lab *lab, pfn_t pfn, struct page_extent *e)
{
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		pfn_t head = pfn >> o << o;
		const struct page *page = &lab->pages[head];

		if (page->role != PAGE_NOTHING && page->order >= o) {
			take_head(lab, head, e);
			return;
		}
	}
	*e = (struct page_extent){ .pfn = pfn, .pages = 1, .role = PAGE_NOTHING };
}

void page_extent(const struct lab *lab, pfn_t pfn, struct page_extent *e)
{
	const struct block *b = &lab->blocks[pfn >> TOP_ORDER];
	const struct zone *z = &lab->zones[b->zone];

	if (pfn >= zone_managed_end(z))
		*e = (struct page_extent){
			.pfn = (pfn_t)zone_managed_end(z), .role = PAGE_RESERVED,
			.pages = (uint32_t)(z->spanned - z->managed),
		};
	else if (b->is_free)
		*e = (struct page_extent){
			.pfn = pfn >> TOP_ORDER << TOP_ORDER, .pages = BLOCK_PAGES, .role = PAGE_BUDDY,
			.order = TOP_ORDER, .type = (enum mtype)b->mtype,
		};
	else if (lab->pages[pfn].store)
		take_head(lab, lab->pages[pfn].head, e);
	else
		find_head(lab, pfn, e);
}

void page_extents(const struct lab *lab, pfn_t start, pfn_t end,
		  bool (*fn)(const struct page_extent *e, void *arg), void *arg)
{
	const struct zone *z = page_zone(lab, start);
	uint64_t managed = zone_managed_end(z), pfn = start;
	struct page_extent e;

	while (pfn < end) {
		const struct block *b = &lab->blocks[pfn >> TOP_ORDER];

		if (pfn == start || pfn >= managed || b->is_free)
			page_extent(lab, (pfn_t)pfn, &e);
		else
			take_head(lab, (pfn_t)pfn, &e);
		if (!fn(&e, arg))
			return;
		pfn = (uint64_t)e.pfn + e.pages;
	}
}
