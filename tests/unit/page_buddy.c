/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting, merging, list ends and the taking over of other types' blocks. */
#include "page_lab.h"

#include "page/pageblock.h"

#define ANY (GFP_KERNEL | GFP_BIT_MEMALLOC)	/* whatever the marks say */

static struct lab *tiny(void)
{
	struct lab *lab = page_lab("zones=Normal:4M:32p,cpus=1");

	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	return lab;
}

static void blocks_split_from_the_front_and_merge_back(void **state)
{
	struct lab *lab = tiny();

	(void)state;
	assert_string_equal(free_lists(lab, 0), "5:[0]");
	for (pfn_t i = 0; i < 3; i++)
		assert_int_equal(take(lab, 0, ANY), i);
	assert_string_equal(free_lists(lab, 0), "0:[3] 2:[4] 3:[8] 4:[16]");
	assert_int_equal(take(lab, 2, ANY), 4);
	assert_string_equal(free_lists(lab, 0), "0:[3] 3:[8] 4:[16]");
	give(lab, 1, 0);
	assert_string_equal(free_lists(lab, 0), "0:[1 3] 3:[8] 4:[16]");
	assert_int_equal(take(lab, 0, ANY), 1);
	give(lab, 2, 0);
	assert_string_equal(free_lists(lab, 0), "1:[2] 3:[8] 4:[16]");
	give(lab, 0, 0);
	assert_string_equal(free_lists(lab, 0), "0:[0] 1:[2] 3:[8] 4:[16]");
	assert_int_equal(event(lab, EV_buddy_to_tail), 1);
	give(lab, 1, 0);
	assert_string_equal(free_lists(lab, 0), "2:[0] 3:[8] 4:[16]");
	assert_int_equal(event(lab, EV_buddy_to_tail), 2);
	give(lab, 4, 2);
	assert_string_equal(free_lists(lab, 0), "5:[0]");
	assert_int_equal(event(lab, EV_buddy_split), 6);
	assert_int_equal(event(lab, EV_buddy_merge), 6);
	page_lab_drop(lab);
}

/* Pages 1, 2, 5 and 6 of eight are out: giving back 5 when 6-7 is free puts it at the tail. */
static const char *free_beside_a_pair(uint8_t to_tail)
{
	struct lab *lab = tiny();
	static char text[256];

	page_policy(lab)->free_to_tail = to_tail;
	for (int i = 0; i < 8; i++)
		take(lab, 0, ANY);
	give(lab, 1, 0);
	give(lab, 6, 0);
	give(lab, 7, 0);
	give(lab, 5, 0);
	snprintf(text, sizeof(text), "%s", free_lists(lab, 0));
	for (pfn_t i = 0; i < 5; i++)
		if (i != 1)
			give(lab, i, 0);
	page_lab_drop(lab);
	return text;
}

static void likely_merges_wait_at_the_tail(void **state)
{
	(void)state;
	assert_string_equal(free_beside_a_pair(1), "0:[1 5] 1:[6] 3:[8] 4:[16]");
	assert_string_equal(free_beside_a_pair(0), "0:[5 1] 1:[6] 3:[8] 4:[16]");
}

static void keeping_the_high_half_hands_out_descending_pages(void **state)
{
	struct lab *lab = tiny();

	(void)state;
	page_policy(lab)->split_keep = SPLIT_KEEP_HIGH;
	for (pfn_t i = 32; i-- > 20;)
		assert_int_equal(take(lab, 0, ANY), i);
	page_lab_drop(lab);
}

static void a_fresh_zone_is_filled_upward(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M:3840p+Normal:240M,cpus=4");
	struct zone_figures f;

	(void)state;
	assert_string_equal(free_lists(lab, 0), "8:[3584] 9:[3072] 10:[0 1024 2048]");
	zone_figures(lab, 1, true, &f);
	assert_int_equal(f.nr_free[10], 60);
	assert_int_equal(f.free_by_type[10][MT_MOVABLE], 60);
	assert_int_equal(f.start, 4096);
	page_lab_drop(lab);
}

static void the_first_kernel_request_claims_a_top_block(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	uint64_t blocks[MT_NR];

	(void)state;
	assert_int_equal(take(lab, 0, GFP_KERNEL), 0);
	assert_int_equal(event(lab, EV_mm_page_alloc_extfrag), 1);
	zone_pageblocks(lab, 0, blocks);
	assert_int_equal(blocks[MT_UNMOVABLE], 2);
	assert_int_equal(blocks[MT_MOVABLE], 126);
	assert_int_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE), 1024);
	assert_int_equal(event(lab, EV_mm_page_alloc_extfrag), 1);
	assert_int_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_RECLAIMABLE), 2048);
	assert_int_equal(event(lab, EV_mm_page_alloc_extfrag), 2);
	page_lab_drop(lab);
}

static void without_fallback_the_first_kernel_request_fails(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");

	(void)state;
	page_policy(lab)->fallback = 0;
	assert_int_equal(take(lab, 0, GFP_KERNEL), PFN_NONE);
	assert_int_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE), 0);
	assert_int_equal(event(lab, EV_mm_page_alloc_extfrag), 0);
	page_lab_drop(lab);
}

/*
 * A lab whose free pages are `free` single ones of one Movable pageblock, all
 * order-0 and with the buddy out. No page counts as movable here, so what is
 * not free is alike to Unmovable.
 */
static struct lab *crumbs(unsigned int free)
{
	struct lab *lab = page_lab("mem=16M,cpus=1");

	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	for (unsigned int i = 0; i < 4096; i++)
		assert_int_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC), i);
	for (unsigned int i = 0; i < free; i++)
		give(lab, 512 + 2 * i, 0);
	return lab;
}

static void half_of_a_block_that_is_alike_is_claimed(void **state)
{
	struct lab *lab = crumbs(100);

	(void)state;
	assert_int_equal(take(lab, 0, ANY), 512);
	assert_int_equal(pageblock_type(lab, 512), MT_UNMOVABLE);
	assert_int_equal(event(lab, EV_block_claim), 1);
	assert_int_equal(lab->zones->area[0].list[MT_UNMOVABLE].nr, 99);
	page_lab_drop(lab);
}

/* Movable from Unmovable: alike are movable pages only, of which there are none. */
static void little_of_a_block_is_stolen_and_its_type_stays(void **state)
{
	struct lab *lab = crumbs(100);

	(void)state;
	assert_int_equal(take(lab, 0, ANY), 512);
	/* 99 pages on the Unmovable list; order 0 is small, so a movable request takes just one */
	assert_int_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC), 514);
	assert_int_equal(pageblock_type(lab, 512), MT_UNMOVABLE);
	assert_int_equal(lab->zones->area[0].list[MT_UNMOVABLE].nr, 98);
	assert_int_equal(lab->zones->area[0].list[MT_MOVABLE].nr, 0);
	assert_int_equal(event(lab, EV_block_mixed_steal), 0);
	page_lab_drop(lab);
}

static void large_victims_are_moved_whole(void **state)
{
	struct lab *lab = crumbs(100);

	(void)state;
	assert_int_equal(take(lab, 0, ANY), 512);
	for (pfn_t i = 1024; i < 1024 + 32; i++)
		give(lab, i, 0);
	assert_int_equal(pageblock_type(lab, 1024), MT_MOVABLE);
	/* order 5 of a Movable block: 32 free + 480 alike */
	assert_int_equal(take(lab, 5, ANY), 1024);
	assert_int_equal(pageblock_type(lab, 1024), MT_UNMOVABLE);
	/* now 64 pages of an Unmovable block, for a movable request: moved, but not claimed */
	for (pfn_t i = 1056; i < 1056 + 64; i++)
		give(lab, i, 0);
	assert_int_equal(take(lab, 4, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC), 1056);
	assert_int_equal(event(lab, EV_block_mixed_steal), 1);
	assert_int_equal(pageblock_type(lab, 1024), MT_UNMOVABLE);
	assert_int_equal(lab->zones->area[4].list[MT_MOVABLE].nr + lab->zones->area[5].list[MT_MOVABLE].nr, 2);
	page_lab_drop(lab);
}

static void small_labs_do_not_keep_types_apart(void **state)
{
	struct lab *small = page_lab("mem=8M,cpus=1"), *large = page_lab("mem=12M,cpus=1");

	(void)state;
	assert_false(small->nodes->grouping);
	assert_true(large->nodes->grouping);
	assert_int_equal(take(small, 0, GFP_HIGHUSER_MOVABLE), 0);
	assert_int_equal(take(small, 0, GFP_KERNEL), 1);
	assert_int_equal(event(small, EV_mm_page_alloc_extfrag), 1);
	give(small, 0, 0);
	assert_int_equal(take(small, 0, GFP_KERNEL | GFP_BIT_RECLAIMABLE), 0);
	page_policy(large)->mobility = 0;
	page_policy_changed(large, PAGE_CHANGE_MOBILITY);
	assert_int_equal(take(large, 0, GFP_HIGHUSER_MOVABLE), 0);
	assert_int_equal(large->pages[0].mtype, MT_UNMOVABLE);
	page_lab_drop(small);
	page_lab_drop(large);
}

/* ---- since 6.10 free lists and pageblocks agree ---- */

static struct lab *agreeing(enum fallback_rule rule)
{
	struct lab *lab = page_lab("mem=64M,cpus=1");

	page_policy(lab)->fallback_rule = (uint8_t)rule;
	page_policy(lab)->kswapd = page_policy(lab)->direct = 0;
	set_lists(lab);
	return lab;
}

static void what_merges_becomes_of_the_freed_blocks_type(void **state)
{
	(void)state;
	for (unsigned int agree = 0; agree < 2; agree++) {
		struct lab *lab = agreeing(agree ? FALLBACK_6_15 : FALLBACK_6_1);

		page_policy(lab)->pcp_enabled = 0;
		set_lists(lab);
		assert_int_equal(take(lab, 9, GFP_KERNEL), 0);
		assert_int_equal(take(lab, 9, GFP_KERNEL), 512);
		pageblock_set_type(lab, 512, MT_MOVABLE);
		give(lab, 512, 9);
		give(lab, 0, 9);
		assert_int_equal(lab->zones[0].area[TOP_ORDER].list[MT_UNMOVABLE].nr, 1);
		assert_int_equal(pageblock_type(lab, 0), MT_UNMOVABLE);
		assert_int_equal(pageblock_type(lab, 512), agree ? MT_UNMOVABLE : MT_MOVABLE);
		page_lab_drop(lab);
	}
}

/* Pages wait on a CPU's list while their pageblocks change sides. */
static void pages_of_a_cpu_go_back_by_their_pageblock(void **state)
{
	(void)state;
	for (unsigned int agree = 0; agree < 2; agree++) {
		struct lab *lab = agreeing(agree ? FALLBACK_6_15 : FALLBACK_6_1);

		give(lab, take(lab, 0, GFP_KERNEL), 0);
		pageblock_set_type(lab, 0, MT_RECLAIMABLE);
		pageblock_set_type(lab, 512, MT_RECLAIMABLE);
		page_ops[VARIANT_COUNTED].drain(lab->cpus[0]);
		assert_int_equal(lab->zones[0].area[TOP_ORDER].nr_free, 16);
		assert_int_equal(lab->zones[0].area[TOP_ORDER].list[agree ? MT_RECLAIMABLE : MT_UNMOVABLE].nr, 1);
		page_lab_drop(lab);
	}
}

/* Two blocks of 16 pages are free in unmovable pageblocks: a refill of three pages tries to claim one once. */
static void a_refill_that_stole_goes_on_stealing(void **state)
{
	struct lab *lab = agreeing(FALLBACK_6_15);
	pfn_t pfn, kept[2] = { PFN_NONE, PFN_NONE };

	(void)state;
	for (unsigned int i = 0; (pfn = take(lab, 4, GFP_KERNEL | GFP_BIT_MEMALLOC)) != PFN_NONE; i++)
		if (i == 10 || i == 20)
			kept[i / 10 - 1] = pfn;
	give(lab, kept[0], 4);
	give(lab, kept[1], 4);
	assert_int_equal(lab->zones[0].free_pages, 32);
	assert_int_equal(event(lab, EV_watermark_boost), 0);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_not_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC), PFN_NONE);
	assert_int_equal(event(lab, EV_pcp_refill), 1);
	assert_int_equal(event(lab, EV_mm_page_alloc_extfrag), 3 + 16);	/* 16 blocks of 4 MiB changed sides before */
	assert_int_equal(event(lab, EV_watermark_boost), 1);
	assert_int_equal(lab->zones[0].boost, 512);
	assert_int_not_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC), PFN_NONE);
	assert_int_equal(event(lab, EV_watermark_boost), 2);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_split_from_the_front_and_merge_back),
		cmocka_unit_test(likely_merges_wait_at_the_tail),
		cmocka_unit_test(keeping_the_high_half_hands_out_descending_pages),
		cmocka_unit_test(a_fresh_zone_is_filled_upward),
		cmocka_unit_test(the_first_kernel_request_claims_a_top_block),
		cmocka_unit_test(without_fallback_the_first_kernel_request_fails),
		cmocka_unit_test(half_of_a_block_that_is_alike_is_claimed),
		cmocka_unit_test(little_of_a_block_is_stolen_and_its_type_stays),
		cmocka_unit_test(large_victims_are_moved_whole),
		cmocka_unit_test(small_labs_do_not_keep_types_apart),
		cmocka_unit_test(what_merges_becomes_of_the_freed_blocks_type),
		cmocka_unit_test(pages_of_a_cpu_go_back_by_their_pageblock),
		cmocka_unit_test(a_refill_that_stole_goes_on_stealing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
