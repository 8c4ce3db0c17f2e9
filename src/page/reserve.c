/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a change of buddy.highatomic brings about: in a stop, so nothing here is told. */
#include "base/bits.h"
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
			z->unreserved = 1;
		}
}

/* Pages of as many pageblocks as hold the min mark, two at most. */
static uint64_t reserve_goal(const struct lab *lab, const struct zone *z)
{
	uint64_t size = 1ULL << pageblock_order(lab);

	if (page_policy(lab)->highatomic != HIGHATOMIC_RESERVE_BLOCK || !lab->nodes->grouping)
		return 0;
	return min_u64(round_up(z->mark[WMARK_MIN], size), RESERVE_BLOCKS_MOST * size);
}

/* The first pageblocks of the zone. */
static void reserve_blocks(struct lab *lab, struct zone *z)
{
	uint64_t size = 1ULL << pageblock_order(lab), goal = reserve_goal(lab, z);

	for (uint64_t pfn = z->start; pfn + size <= zone_managed_end(z) && z->reserved_highatomic < goal; pfn += size)
		if (pageblock_type(lab, (pfn_t)pfn) == MT_MOVABLE) {
			z->reserved_highatomic += size;
			block_retype(lab, z, (pfn_t)pfn, MT_HIGHATOMIC);
		}
}

/* A page on a CPU's list goes to the free list of the type that its pageblock had when it got there. */
static void forget_on_cpus(struct lab *lab, struct zone *z)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct pcp *pcp = &zone_cpu_of(lab, i, z->index)->pcp;

		for (unsigned int l = 0; l < PCP_LISTS; l++)
			for (pfn_t pfn = pcp->lists[l].head; pfn != PFN_NONE; pfn = lab->pages[pfn].next)
				if (lab->pages[pfn].mtype == MT_HIGHATOMIC)
					lab->pages[pfn].mtype = (uint8_t)pageblock_type(lab, pfn);
	}
}

/* Blocks freed so to the list of a reserve that their pageblock is no longer part of. */
static void take_home(struct lab *lab, struct zone *z, unsigned int order)
{
	for (pfn_t pfn = z->area[order].list[MT_HIGHATOMIC].head, next; pfn != PFN_NONE; pfn = next) {
		next = *area_next(lab, pfn, order);
		if (pageblock_type(lab, pfn) == MT_HIGHATOMIC)
			continue;
		area_move(lab, z, pfn, order, pageblock_type(lab, pfn));
		z->unreserved = 1;
	}
}

static void zone_update(struct lab *lab, struct zone *z)
{
	release_all(lab, z);
	forget_on_cpus(lab, z);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		take_home(lab, z, o);
	reserve_blocks(lab, z);
	zone_quick_marks_update(lab, z);
}

void highatomic_update(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		zone_update(lab, &lab->zones[i]);
}

void highatomic_marks_changed(struct lab *lab)
{
	if (page_policy(lab)->highatomic != HIGHATOMIC_RESERVE_BLOCK)
		return;
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].reserved_highatomic != reserve_goal(lab, &lab->zones[i]))
			zone_update(lab, &lab->zones[i]);
}
