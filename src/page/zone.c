/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making zones: what lies where in a fresh region, and the first free blocks.
 *
 * All zero is fresh for page descriptors and pageblocks, so what is written is
 * the table of 4 MiB blocks and the few structs of zones, nodes and CPUs.
 */
#include "page/zone.h"

#include "page/area.h"
#include "page/highatomic.h"
#include "page/lru.h"

void page_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR])
{
	uint64_t blocks = shape->pages >> TOP_ORDER;

	bytes[SEC_PAGE_POLICY] = sizeof(struct page_policy);
	bytes[SEC_NODE] = sizeof(struct node) * shape->nodes;
	bytes[SEC_ZONE] = sizeof(struct zone) * shape->zones;
	bytes[SEC_ZONE_CPU] = sizeof(struct zone_cpu) * (1 + shape->zones) * shape->possible;
	bytes[SEC_BLOCK] = sizeof(struct block) * blocks;
	bytes[SEC_PAGEBLOCK] = shape->pages >> shape->pageblock_order;
	bytes[SEC_RECLAIM] = sizeof(struct reclaim_head) + sizeof(struct reclaim_node) * shape->nodes +
			     sizeof(struct reclaim_zone) * shape->zones;
	bytes[SEC_LRU_ENTRY] = sizeof(struct lru_entry) * 2 * shape->pages;
	bytes[SEC_PAGES] = sizeof(struct page) * shape->pages;
	bytes[SEC_ARENA] = shape->pages << PAGE_SHIFT;
}

static void areas_init(struct zone *z)
{
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		for (unsigned int t = 0; t < MT_NR; t++) {
			z->area[o].list[t] = (struct free_list){ PFN_NONE, PFN_NONE, 0 };
			z->delayed_tail[o][t] = PFN_NONE;
		}
}

/*
 * Upward, each time the largest aligned block that fits, at the tail of its
 * list: so the first requests get the lowest pages. Of whole top-order blocks
 * only the dense table is written, in one pass.
 */
static void zone_fill(struct lab *lab, struct zone *z)
{
	uint64_t pfn = z->start, end = zone_managed_end(z);

	while (pfn < end) {
		unsigned int order = TOP_ORDER;

		while (pfn + (1ULL << order) > end)
			order--;
		area_add(lab, z, (pfn_t)pfn, order, MT_MOVABLE, true);
		pfn += 1ULL << order;
	}
	z->free_pages = z->managed;
	z->free_seen = (int64_t)z->managed;
}

static void zone_make(struct lab *lab, unsigned int index, uint64_t start)
{
	const struct shape_zone *from = &lab->hdr->shape.zone[index];
	struct zone *z = &lab->zones[index];

	z->index = (uint16_t)index;
	z->node = from->node;
	z->kind = from->kind;
	z->start = (pfn_t)start;
	z->spanned = (uint64_t)from->blocks << TOP_ORDER;
	z->managed = from->managed;
	z->lock.rank = RANK_ZONE;
	areas_init(z);
	for (uint64_t b = start >> TOP_ORDER; b < (start + z->spanned) >> TOP_ORDER; b++)
		lab->blocks[b].zone = (uint16_t)index;
}

/*
 * Mixing types is put off while another zone may help: a kernel does so where
 * the zone below Normal exists. A node that has nothing but Normal is treated
 * like a kernel's only node.
 */
static bool zone_may_avoid_mixing(const struct lab *lab, const struct zone *z)
{
	unsigned int zones_here = 0;
	bool has_dma32 = false;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == z->node && lab->zones[i].managed) {
			zones_here++;
			has_dma32 |= lab->zones[i].kind == ZONE_DMA32;
		}
	return z->kind == ZONE_NORMAL && (lab->nr_nodes == 1 || has_dma32 || zones_here == 1);
}

static void pcps_init(struct lab *lab)
{
	for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++)
		for (unsigned int i = 0; i < lab->nr_zones; i++)
			for (unsigned int l = 0; l < PCP_LISTS; l++)
				zone_cpu_of(lab, cpu, i)->pcp.lists[l].head = PFN_NONE;
}

void page_init(struct lab *lab)
{
	uint64_t start = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_make(lab, i, start);
		start += lab->zones[i].spanned;
	}
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_fill(lab, &lab->zones[i]);
		lab->zones[i].may_avoid_mixing = zone_may_avoid_mixing(lab, &lab->zones[i]);
	}
	pcps_init(lab);
	lru_init(lab);
	zonelists_build(lab);
	zone_sizes_update(lab);
	grouping_update(lab);
	highatomic_update(lab);
}

void page_attach(struct lab *lab, struct cpu *cpu)
{
	cpu->pages = lab->pages;
	cpu->blocks = lab->blocks;
	cpu->arena_pages = lab->arena_bytes >> PAGE_SHIFT;
	cpu->zone_cpu = zone_cpu_of(lab, cpu->id, 0);
}

void node_slab_add(struct lab *lab, unsigned int node, bool reclaimable, int64_t pages)
{
	struct node *n = &lab->nodes[node];

	__atomic_fetch_add(reclaimable ? &n->slab_reclaimable : &n->slab_unreclaimable, pages, __ATOMIC_RELAXED);
}
