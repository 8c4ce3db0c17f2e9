/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a change of buddy.highatomic brings about: in a stop, so nothing here is told. */
#include "page/area.h"
#include "page/fallback.h"
#include "page/highatomic.h"
#include "page/pageblock.h"

#define RESERVE_BLOCKS_MOST 2

/* A free block that is larger than its pageblock goes as a whole. */
static void block_retype(struct lab *lab, struct zone *z, pfn_t pfn, enum mtype type)
{
	pageblock_set_type(lab, pfn, type);
	for (unsigned int o = pageblock_order(lab) + 1; o < TOP_ORDER; o++) {
		pfn_t head = pfn >> o << o;

		if (area_has(lab, head, o)) {
			area_move(lab, z, head, o, type);
			return;
		}
	}
	pageblock_share(lab, z, pfn, true, type);
}

static void release_all(struct lab *lab, struct zone *z)
{
	pfn_t size = 1U << pageblock_order(lab);

	for (uint64_t pfn = z->start; pfn < zone_managed_end(z) && z->reserved_highatomic; pfn += size)
		if (pageblock_type(lab, (pfn_t)pfn) == MT_HIGHATOMIC) {
			z->reserved_highatomic -= size;
			block_retype(lab, z, (pfn_t)pfn, MT_MOVABLE);
			pageblock_merge(lab, z, (pfn_t)pfn);
		}
}

/* As many of the first pageblocks as hold the min mark, two at most. */
static void reserve_blocks(struct lab *lab, struct zone *z)
{
	pfn_t size = 1U << pageblock_order(lab);
	uint64_t nr = (z->mark[WMARK_MIN] + size - 1) / size;

	for (uint64_t pfn = z->start; pfn + size <= zone_managed_end(z) && nr; pfn += size)
		if (pageblock_type(lab, (pfn_t)pfn) == MT_MOVABLE && z->reserved_highatomic < RESERVE_BLOCKS_MOST * size) {
			z->reserved_highatomic += size;
			block_retype(lab, z, (pfn_t)pfn, MT_HIGHATOMIC);
			nr--;
		}
}

void highatomic_update(struct lab *lab)
{
	enum highatomic rule = page_policy(lab)->highatomic;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone *z = &lab->zones[i];

		release_all(lab, z);
		if (rule == HIGHATOMIC_RESERVE_BLOCK && lab->nodes->grouping)
			reserve_blocks(lab, z);
		zone_quick_marks_update(lab, z);
	}
}
