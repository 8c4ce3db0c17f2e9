/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pageblocks and who may take from whom: what needs no telling. */
#include "page/area.h"
#include "page/buddy.h"
#include "page/fallback.h"
#include "page/lazy.h"
#include "page/pageblock.h"

struct block_share pageblock_share(struct lab *lab, struct zone *z, pfn_t pfn, bool move, enum mtype want)
{
	unsigned int size = 1U << pageblock_order(lab);
	struct block_share share = { 0, 0 };
	pfn_t start = pfn & ~(size - 1);

	if (lab->blocks[pfn >> TOP_ORDER].is_free) {
		if (move)
			area_move(lab, z, pfn & ~(pfn_t)(BLOCK_PAGES - 1), TOP_ORDER, want);
		share.free = size;
		return share;
	}
	for (unsigned int i = 0; i < size;) {
		struct page *page = &lab->pages[start + i];
		uint32_t kind = page_get_kind(page);

		if (!area_is_free(lab, start + i, kind >> 8 & 0xff)) {
			share.movable += (kind & 0xff) == PAGE_LRU;
			i++;
			continue;
		}
		i += 1U << page->order;
		share.free += 1U << page->order;
		if (move)
			area_move(lab, z, page_pfn(lab, page), page->order, want);
	}
	return share;
}

/* HighAtomic and Isolate neither take nor are taken from. */
const enum mtype fallback_victims[PCP_TYPES][2] = {
	[MT_UNMOVABLE] = { MT_RECLAIMABLE, MT_MOVABLE },
	[MT_MOVABLE] = { MT_RECLAIMABLE, MT_UNMOVABLE },
	[MT_RECLAIMABLE] = { MT_UNMOVABLE, MT_MOVABLE },
};

bool fallback_takes_whole(const struct lab *lab, unsigned int order, enum mtype want)
{
	unsigned int half_order = pageblock_order(lab) / 2;

	if (order >= half_order || want == MT_RECLAIMABLE || !lab->nodes->grouping)
		return true;
	return want == MT_UNMOVABLE && page_policy(lab)->fallback_rule != FALLBACK_2_6_24;
}

bool fallback_gives_whole(const struct lab *lab, const struct zone *z, unsigned int order, enum mtype want)
{
	if (!page_policy(lab)->fallback || !fallback_takes_whole(lab, order, want))
		return false;
	for (unsigned int i = 0; i < 2; i++)
		if (peek(z->area[order].list[fallback_victims[want][i]].head) != PFN_NONE)
			return true;
	return false;
}

/* Are blocks of a type ever handed to such a request? */
static bool may_be_had(const struct lab *lab, enum mtype type, enum mtype want, unsigned int flags)
{
	const struct page_policy *p = page_policy(lab);

	if (type == want)
		return true;
	if (type == MT_HIGHATOMIC)
		return flags & (ALLOC_HIGHATOMIC | ALLOC_OOM | ALLOC_NON_BLOCK) || p->highatomic == HIGHATOMIC_RESERVE_BLOCK;
	return p->fallback && type_is_mergeable(type) && type_is_mergeable(want);
}

unsigned int fallback_largest(const struct lab *lab, const struct zone *z, enum mtype want, unsigned int flags)
{
	for (unsigned int o = NR_PAGE_ORDERS; o-- > 0;)
		for (enum mtype t = 0; t < MT_NR; t++)
			if (peek(z->area[o].list[t].head) != PFN_NONE && may_be_had(lab, t, want, flags))
				return o + 1;
	return 0;
}
