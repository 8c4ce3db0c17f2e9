/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which zone and node a request gets, down to which mark, and what is counted. */
#include "page_lab.h"

#include <errno.h>

static unsigned int zone_got(struct lab *lab, uint32_t gfp)
{
	pfn_t pfn = take(lab, 0, gfp);

	assert_int_not_equal(pfn, PFN_NONE);
	return page_zone(lab, pfn)->index;
}

static void the_gfp_chooses_the_highest_zone(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M+DMA32:64M+Normal:64M+Movable:64M,cpus=1");

	(void)state;
	assert_int_equal(zone_got(lab, GFP_KERNEL), 2);
	assert_int_equal(zone_got(lab, GFP_KERNEL | GFP_DMA), 0);
	assert_int_equal(zone_got(lab, GFP_KERNEL | GFP_DMA32), 1);
	assert_int_equal(zone_got(lab, GFP_HIGHUSER_MOVABLE), 3);
	assert_int_equal(zone_got(lab, GFP_HIGHUSER), 2);
	assert_int_equal(zone_got(lab, GFP_KERNEL | GFP_BIT_MOVABLE), 2);
	page_lab_drop(lab);
}

static void a_request_for_a_zone_below_all_takes_the_lowest(void **state)
{
	struct lab *flat = page_lab("mem=64M,cpus=1"), *two = page_lab("zones=DMA32:64M+Normal:64M,cpus=1");

	(void)state;
	assert_int_equal(zone_got(flat, GFP_KERNEL | GFP_DMA), 0);
	assert_int_equal(zone_got(flat, GFP_HIGHUSER_MOVABLE), 0);
	assert_int_equal(zone_got(two, GFP_KERNEL | GFP_DMA), 0);
	page_lab_drop(flat);
	page_lab_drop(two);
}

static void lower_zones_help_but_keep_their_reserve(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M+Normal:240M,cpus=1");
	uint64_t normal = 0, dma = 0;
	pfn_t pfn;

	(void)state;
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	while ((pfn = take(lab, 0, GFP_KERNEL)) != PFN_NONE)
		*(page_zone(lab, pfn)->index ? &normal : &dma) += 1;
	/* down to the min marks: a page is given while more than the mark (and reserve) are free */
	assert_int_equal(lab->zones[1].free_pages, 480);
	assert_int_equal(lab->zones[0].free_pages, 32 + 240);
	assert_int_equal(normal, 61440 - 480);
	assert_int_equal(dma, 4096 - 272);
	assert_int_equal(take(lab, 0, GFP_KERNEL | GFP_DMA) != PFN_NONE, true);
	page_lab_drop(lab);
}

/* The lab's whole memory in single pages, so that free pages can be set one by one. */
static struct lab *drained(unsigned int free)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");

	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	for (unsigned int i = 0; i < 65536; i++)
		assert_int_not_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_MEMALLOC), PFN_NONE);
	for (unsigned int i = 0; i < free; i++)
		give(lab, 2 * i, 0);
	return lab;
}

static void below_low_the_min_mark_decides(void **state)
{
	struct lab *lab = drained(640);
	uint64_t fails = event(lab, EV_wmark_fail), scans = event(lab, EV_zonelist_scan);
	pfn_t pfn = take(lab, 0, GFP_KERNEL);

	(void)state;
	assert_int_not_equal(pfn, PFN_NONE);
	assert_int_equal(event(lab, EV_wmark_fail) - fails, 2);
	assert_int_equal(event(lab, EV_zonelist_scan) - scans, 3);
	give(lab, pfn, 0);
	fails = event(lab, EV_wmark_fail);
	assert_int_equal(lab->zones->free_pages, 640);
	assert_int_equal(take(lab, 3, GFP_NOWAIT), PFN_NONE);
	assert_int_equal(event(lab, EV_wmark_fail) - fails, 4);
	assert_int_equal(lab->cpus[0]->part->lab_events[EV_alloc_fail - EV_LAB_FIRST], 1);
	page_lab_drop(lab);
}

/* How many pages a kind of request can take from E0, one by one, when 640 are free. */
static uint64_t left_by(uint32_t gfp)
{
	struct lab *lab = drained(640);
	uint64_t left;

	while (take(lab, 0, gfp) != PFN_NONE)
		;
	left = lab->zones->free_pages;
	page_lab_drop(lab);
	return left;
}

static void rights_decide_how_far_down(void **state)
{
	(void)state;
	assert_int_equal(left_by(GFP_KERNEL), 512);
	assert_int_equal(left_by(GFP_NOWAIT), 512);
	assert_int_equal(left_by(GFP_KERNEL | GFP_BIT_HIGH), 256);
	assert_int_equal(left_by(GFP_ATOMIC), 192);
	assert_int_equal(left_by(GFP_KERNEL | GFP_BIT_MEMALLOC), 0);
	assert_int_equal(left_by(GFP_KERNEL | GFP_BIT_MEMALLOC | GFP_BIT_NOMEMALLOC), 512);
	assert_int_equal(left_by(GFP_KERNEL | GFP_BIT_NOFAIL), 0);
}

static void nodes_are_tried_in_order_of_distance(void **state)
{
	struct lab *lab = page_lab("mem=1G,cpus=4,nodes=4");
	static const unsigned int order[4][4] = {
		{ 0, 1, 2, 3 }, { 1, 2, 3, 0 }, { 2, 3, 0, 1 }, { 3, 0, 1, 2 },
	};
	unsigned int zones[MAX_ZONES];

	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		assert_int_equal(zonelist_read(lab, n, zones), 4);
		for (unsigned int i = 0; i < 4; i++)
			assert_int_equal(lab->zones[zones[i]].node, order[n][i]);
	}
	page_lab_drop(lab);
}

static void numa_counters_tell_where_pages_came_from(void **state)
{
	struct lab *lab = page_lab("mem=512M,cpus=2,nodes=2");
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];
	pfn_t pfn;

	(void)state;
	take(lab, 0, GFP_KERNEL);
	assert_int_equal(zone_event(lab, 0, 0, EV_numa_hit, -1), 1);
	assert_int_equal(zone_event(lab, 0, 0, EV_numa_local, -1), 1);
	pfn = ops->alloc_pages(lab->cpus[0], 0, GFP_KERNEL, 1);
	assert_int_equal(page_node(lab, pfn), 1);
	assert_int_equal(zone_event(lab, 1, 0, EV_numa_hit, -1), 1);
	assert_int_equal(zone_event(lab, 1, 0, EV_numa_other, -1), 1);
	/* fill node 1: what wants it comes from node 0, but not with __GFP_THISNODE */
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	while ((pfn = ops->alloc_pages(lab->cpus[1], 4, GFP_KERNEL | GFP_BIT_THISNODE, 1)) != PFN_NONE)
		assert_int_equal(page_node(lab, pfn), 1);
	assert_int_equal(zone_event(lab, 1, -1, EV_numa_foreign, -1), 0);
	pfn = ops->alloc_pages(lab->cpus[1], 4, GFP_KERNEL, 1);
	assert_int_equal(page_node(lab, pfn), 0);
	assert_int_equal(zone_event(lab, 1, 1, EV_numa_foreign, -1), 1);
	assert_int_equal(zone_event(lab, 0, 1, EV_numa_miss, -1), 1);
	assert_int_equal(zone_event(lab, 0, 1, EV_numa_other, -1), 1);
	page_lab_drop(lab);
}

static void near_and_mixed_is_better_than_far_and_tidy(void **state)
{
	struct lab *lab = page_lab("mem=512M,cpus=2,nodes=2");
	uint64_t retries;

	(void)state;
	/* no block of order 9 and no Reclaimable page is left on node 0, but single Unmovable ones are */
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	for (unsigned int i = 0; i < 65536; i++)
		assert_int_equal(page_node(lab, take(lab, 0, GFP_KERNEL | GFP_BIT_MEMALLOC | GFP_BIT_THISNODE)), 0);
	for (pfn_t i = 0; i < 4000; i += 2)
		give(lab, i, 0);
	retries = event(lab, EV_nofragment_retry);
	assert_int_equal(page_node(lab, take(lab, 0, GFP_KERNEL | GFP_BIT_RECLAIMABLE)), 0);
	assert_int_equal(event(lab, EV_nofragment_retry) - retries, 1);
	page_lab_drop(lab);
}

static void bulk_takes_whole_batches_with_one_hold_each(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];
	pfn_t out[64];

	(void)state;
	assert_int_equal(ops->alloc_bulk(lab->cpus[0], GFP_KERNEL, -1, 16, out), 16);
	for (pfn_t i = 0; i < 16; i++)
		assert_int_equal(out[i], i);
	assert_int_equal(event(lab, EV_pcp_refill), 2);
	assert_int_equal(lab->zones->lock.acquired, 2);
	assert_int_equal(event(lab, EV_pgalloc), 16);
	assert_int_equal(event(lab, EV_numa_hit), 16);
	assert_int_equal(event(lab, EV_mm_page_alloc), 0);
	assert_int_equal(ops->alloc_bulk(lab->cpus[0], GFP_KERNEL, -1, 1, out), 1);
	assert_int_equal(event(lab, EV_mm_page_alloc), 1);
	assert_int_equal(ops->alloc_bulk(lab->cpus[0], GFP_KERNEL, -1, 0, out), 0);
	page_lab_drop(lab);
}

static void bulk_settles_for_one_page_when_the_mark_is_near(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];
	pfn_t *out = calloc(70000, sizeof(*out));

	(void)state;
	assert_int_equal(ops->alloc_bulk(lab->cpus[0], GFP_KERNEL, -1, 65536 - 640, out), 1);
	assert_int_equal(ops->alloc_bulk(lab->cpus[0], GFP_KERNEL, -1, 60000, out), 60000);
	free(out);
	page_lab_drop(lab);
}

static void zero_means_zero(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	pfn_t pfn = take(lab, 2, GFP_KERNEL);
	const uint8_t *memory = page_memory(lab, pfn);

	(void)state;
	memset(page_memory(lab, pfn), 0x5a, 4 * PAGE_SIZE);
	give(lab, pfn, 2);
	assert_int_equal(take(lab, 2, GFP_KERNEL | GFP_BIT_ZERO), pfn);
	for (unsigned int i = 0; i < 4 * PAGE_SIZE; i++)
		assert_int_equal(memory[i], 0);
	pfn = take(lab, 0, GFP_KERNEL);
	memset(page_memory(lab, pfn), 0x5a, PAGE_SIZE);
	give(lab, pfn, 0);
	assert_int_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_ZERO), pfn);
	memory = page_memory(lab, pfn);
	for (unsigned int i = 0; i < PAGE_SIZE; i++)
		assert_int_equal(memory[i], 0);
	page_lab_drop(lab);
}

/* One list of counts, from the quick way, the long way and the story. */
static void the_variants_do_the_same(void **state)
{
	static const enum event_id counted[] = {
		EV_mm_page_alloc, EV_mm_page_free, EV_pgalloc, EV_pgfree, EV_zonelist_scan, EV_zone_visit,
		EV_wmark_check, EV_numa_hit, EV_numa_local, EV_pcp_refill, EV_buddy_split,
	};
	struct lab *labs[VARIANT_NR];

	(void)state;
	for (unsigned int v = 0; v < VARIANT_NR; v++) {
		const struct page_ops *ops = &page_ops[v];
		struct lab *lab = labs[v] = page_lab("mem=256M,cpus=4");
		pfn_t pfns[100];

		for (unsigned int i = 0; i < 100; i++)
			pfns[i] = ops->alloc_pages(lab->cpus[0], i % 4, GFP_KERNEL, -1);
		for (unsigned int i = 0; i < 100; i++)
			ops->free_pages(lab->cpus[0], pfns[i], i % 4);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(counted); i++) {
		assert_int_equal(event(labs[VARIANT_BARE], counted[i]), 0);
		assert_int_not_equal(event(labs[VARIANT_COUNTED], counted[i]), 0);
		assert_int_equal(event(labs[VARIANT_COUNTED], counted[i]), event(labs[VARIANT_TOLD], counted[i]));
	}
	assert_int_equal(event(labs[VARIANT_COUNTED], EV_mm_page_alloc), 100);
	assert_int_equal(zone_event(labs[VARIANT_COUNTED], 0, 0, EV_mm_page_alloc, 0), 25);
	for (unsigned int v = 1; v < VARIANT_NR; v++) {
		assert_memory_equal(labs[0]->pages, labs[v]->pages, 4096 * sizeof(struct page));
		assert_memory_equal(labs[0]->zones->area, labs[v]->zones->area, sizeof(labs[0]->zones->area));
	}
	for (unsigned int v = 0; v < VARIANT_NR; v++)
		page_lab_drop(labs[v]);
}

static void a_page_is_found_wherever_it_is(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M:3840p+Normal:240M,cpus=2");
	struct page_place p;
	pfn_t block = take(lab, 5, GFP_KERNEL), single = take(lab, 0, GFP_KERNEL);

	(void)state;
	assert_int_equal(page_place(lab, block + 17, &p), 0);
	assert_int_equal(p.role, PAGE_ALLOCATED);
	assert_int_equal(p.head, block);
	assert_int_equal(p.order, 5);
	assert_int_equal(p.zone, 1);
	assert_int_equal(p.block_type, MT_UNMOVABLE);
	assert_int_equal(page_place(lab, single + 3, &p), 0);
	assert_int_equal(p.role, PAGE_ON_PCP);
	assert_int_equal(p.cpu, 0);
	assert_int_equal(p.list, 0);
	assert_int_equal(p.position, 2);
	assert_int_equal(page_place(lab, 3900, &p), 0);
	assert_int_equal(p.role, PAGE_RESERVED);
	assert_int_equal(page_place(lab, 2048 + 1023, &p), 0);
	assert_int_equal(p.role, PAGE_BUDDY);
	assert_int_equal(p.head, 2048);
	assert_int_equal(p.order, 10);
	assert_int_equal(p.position, 2);
	assert_int_equal(page_place(lab, 3072 + 5, &p), 0);
	assert_int_equal(p.head, 3072);
	assert_int_equal(p.order, 9);
	assert_int_equal(page_place(lab, 65536, &p), -EINVAL);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_gfp_chooses_the_highest_zone),
		cmocka_unit_test(a_request_for_a_zone_below_all_takes_the_lowest),
		cmocka_unit_test(lower_zones_help_but_keep_their_reserve),
		cmocka_unit_test(below_low_the_min_mark_decides),
		cmocka_unit_test(rights_decide_how_far_down),
		cmocka_unit_test(nodes_are_tried_in_order_of_distance),
		cmocka_unit_test(numa_counters_tell_where_pages_came_from),
		cmocka_unit_test(near_and_mixed_is_better_than_far_and_tidy),
		cmocka_unit_test(bulk_takes_whole_batches_with_one_hold_each),
		cmocka_unit_test(bulk_settles_for_one_page_when_the_mark_is_near),
		cmocka_unit_test(zero_means_zero),
		cmocka_unit_test(the_variants_do_the_same),
		cmocka_unit_test(a_page_is_found_wherever_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
