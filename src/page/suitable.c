/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether compaction makes sense, and whose turn it is (reclaim.md section 6.1): what needs no telling. */
#include "base/bits.h"
#include "page/compact.h"
#include "page/pageblock.h"
#include "page/watermark.h"

#define DEFER_SHIFT_MOST 6

static uint64_t pages_from(const struct zone *z, unsigned int order)
{
	uint64_t pages = 0;

	for (unsigned int o = order; o < NR_PAGE_ORDERS; o++)
		pages += peek(z->area[o].nr_free) << o;
	return pages;
}

int zone_extfrag_index(const struct zone *z, unsigned int order)
{
	uint64_t blocks = 0;

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		blocks += peek(z->area[o].nr_free);
	if (!blocks)
		return 0;
	if (pages_from(z, order))
		return -1000;
	return 1000 - (int)((1000 + (pages_from(z, 0) * 1000 >> order)) / blocks);
}

unsigned int zone_extfrag(const struct zone *z, unsigned int order)
{
	uint64_t free = pages_from(z, 0);

	return free ? (unsigned int)((free - min_u64(free, pages_from(z, order))) * 100 / free) : 0;
}

unsigned int node_frag_score(const struct lab *lab, unsigned int node)
{
	uint64_t present = 0, score = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == node)
			present += lab->zones[i].spanned;
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == node)
			score += zone_extfrag(&lab->zones[i], pageblock_order(lab)) * lab->zones[i].spanned / (present + 1);
	return (unsigned int)score;
}

enum compact_result compaction_suitable(const struct lab *lab, const struct zone *z, unsigned int order,
					unsigned int flags, unsigned int high)
{
	struct wmark_walk walk = { .sum = 1ULL << order, .may_wait = true };
	uint64_t mark = zone_mark(z, order > COSTLY_ORDER ? WMARK_LOW : WMARK_MIN) + (2ULL << order);
	int index;

	if (zone_watermark_ok(lab, z, order, zone_mark(z, flags & ALLOC_MARK), high, flags, &walk))
		return COMPACT_SUCCESS;
	walk.sum = 1;
	if (!zone_watermark_ok(lab, z, 0, mark, high, 0, &walk))
		return COMPACT_SKIPPED;
	if (order <= COSTLY_ORDER)
		return COMPACT_CONTINUE;
	index = zone_extfrag_index(z, order);
	return index >= 0 && index <= page_policy(lab)->extfrag_threshold ? COMPACT_SKIPPED : COMPACT_CONTINUE;
}

/* ---- deferral ---- */

bool compaction_is_deferred(struct lab *lab, const struct zone *z, unsigned int order)
{
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);
	uint32_t limit = 1U << peek(rz->shift), considered;

	if (!page_policy(lab)->compact_defer || order < peek(rz->order_failed))
		return false;
	considered = peek(rz->considered) + 1;
	poke(rz->considered, considered < limit ? considered : limit);
	return considered < limit;
}

void compaction_defer(struct lab *lab, const struct zone *z, unsigned int order)
{
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);

	if (!page_policy(lab)->compact_defer)
		return;
	poke(rz->considered, 0);
	poke(rz->shift, (uint32_t)min_u64(peek(rz->shift) + 1, DEFER_SHIFT_MOST));
	if (order < peek(rz->order_failed))
		poke(rz->order_failed, order);
}

void compaction_defer_reset(struct lab *lab, const struct zone *z, unsigned int order, bool page)
{
	struct reclaim_zone *rz = reclaim_zone(lab, z->index);

	if (page) {
		poke(rz->considered, 0);
		poke(rz->shift, 0);
	}
	if (order >= peek(rz->order_failed))
		poke(rz->order_failed, order + 1);
}

void compaction_forget_defers(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct reclaim_zone *rz = reclaim_zone(lab, i);

		rz->considered = rz->shift = rz->order_failed = 0;
	}
}

void compaction_reset_skip(struct lab *lab, unsigned int node, unsigned int high)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];
		struct reclaim_zone *rz = reclaim_zone(lab, i);

		if (z->node != node || z->kind > high || !peek(rz->has_skips))
			continue;
		poke(rz->has_skips, 0);
		poke(rz->migrate_at[0], 0);
		poke(rz->migrate_at[1], 0);
		poke(rz->free_at, 0);
		for (uint64_t pfn = z->start; pfn < zone_managed_end(z); pfn += 1ULL << pageblock_order(lab))
			pageblock_set_skip(lab, (pfn_t)pfn, false);
	}
}
