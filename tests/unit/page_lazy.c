/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lazy coalescing: the worked examples (history-pages.md section 4.5, 4.6), flushes, switches with blocks out. */
#define VARIANT counted	/* for the declarations of what runs under the zone lock */
#include "page_lab.h"

#include "base/rand.h"
#include "page/buddy.h"
#include "page/lazy.h"

static void coalesce(struct lab *lab, enum coalesce how)
{
	page_policy(lab)->coalesce = (uint8_t)how;
	page_policy_changed(lab, PAGE_CHANGE_COALESCE);
}

static struct lab *lab_of(const char *shape)
{
	struct lab *lab = page_lab(shape);

	page_policy(lab)->pcp_enabled = 0;
	page_policy(lab)->mobility = 0;
	page_policy(lab)->free_to_tail = 0;
	page_policy_changed(lab, PAGE_CHANGE_LISTS);
	page_policy_changed(lab, PAGE_CHANGE_MOBILITY);
	return lab;
}

static pfn_t take_block(struct lab *lab, unsigned int order)
{
	struct zone *z = lab->zones;
	pfn_t pfn = rmqueue_fallback_counted(lab->cpus[0], z, order, MT_MOVABLE, 0);

	assert_int_not_equal(pfn, PFN_NONE);
	z->free_pages -= 1UL << order;
	page_set_kind(&lab->pages[pfn], page_kind(PAGE_ALLOCATED, order, MT_MOVABLE));
	return pfn;
}

static void give_block(struct lab *lab, pfn_t pfn, unsigned int order)
{
	free_one_page_counted(lab->cpus[0], lab->zones, pfn, order, MT_MOVABLE, false);
}

/* Of all zones' only CPU that plays. */
static uint64_t count(struct lab *lab, enum event_id ev, unsigned int order)
{
	return zone_cpu(lab->cpus[0], lab->zones)->by_order[ev][order];
}

static uint64_t count_all(struct lab *lab, enum event_id ev)
{
	uint64_t sum = 0;

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		sum += count(lab, ev, o);
	return sum;
}

/* Everything held but the last 2^order pages, which are one free block. */
static pfn_t leave_one_block(struct lab *lab, unsigned int order)
{
	for (unsigned int o = TOP_ORDER - 1; o >= order; o--)
		take_block(lab, o);
	assert_int_equal(lab->zones->free_pages, 1 << order);
	return 1024 - (1 << order);
}

static void assert_list(struct lab *lab, unsigned int order, unsigned int nr, const pfn_t *pfns, const char *kinds)
{
	pfn_t pfn = lab->zones->area[order].list[MT_MOVABLE].head;

	for (unsigned int i = 0; i < nr; i++, pfn = lab->pages[pfn].next) {
		assert_int_equal(pfn, pfns[i]);
		assert_int_equal(lab->pages[pfn].role, kinds[i] == 'L' ? PAGE_DELAYED : PAGE_BUDDY);
	}
	assert_int_equal(pfn, PFN_NONE);
}

/* (1) of the page: a block of four pages, given back one by one. */
static void a_block_comes_back_as_demand_falls(void **state)
{
	struct lab *lab = lab_of("mem=4M,cpus=1");
	pfn_t p = leave_one_block(lab, 2);
	const struct zone *z = lab->zones;

	(void)state;
	coalesce(lab, COALESCE_LAZY);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(take_block(lab, 0), p + i);
	assert_int_equal(z->lazy[0].used, 4);
	assert_int_equal(z->lazy[1].used, 2);
	give_block(lab, p, 0);
	give_block(lab, p + 1, 0);
	assert_list(lab, 0, 2, (pfn_t[]){ p + 1, p }, "LL");
	give_block(lab, p + 2, 0);
	assert_list(lab, 0, 3, (pfn_t[]){ p + 1, p + 2, p }, "LGG");
	page_lab_is_sound(lab);
	assert_int_equal(count_all(lab, EV_buddy_merge), 0);
	give_block(lab, p + 3, 0);
	assert_list(lab, 0, 0, NULL, "");
	assert_list(lab, 1, 0, NULL, "");
	assert_int_equal(z->area[2].nr_free, 1);
	assert_int_equal(count(lab, EV_buddy_merge, 1), 2);
	assert_int_equal(count(lab, EV_buddy_merge, 2), 1);
	page_lab_drop(lab);
}

/* (2): what was freed last is taken first, and is not cut again. */
static void two_pages_come_and_go(void **state)
{
	static const pfn_t results[2][2] = { { 0, 1 }, { 1, 0 } };
	static const unsigned int splits[2] = { 7, 6 }, merges[2] = { 1, 0 };

	(void)state;
	for (unsigned int lazy = 0; lazy < 2; lazy++) {
		struct lab *lab = lab_of("mem=4M,cpus=1");
		pfn_t p = leave_one_block(lab, 3);
		uint64_t before = count_all(lab, EV_buddy_split);

		coalesce(lab, lazy ? COALESCE_LAZY : COALESCE_EAGER);
		for (unsigned int i = 0; i < 6; i++)
			take_block(lab, 0);
		assert_int_equal(lab->pages[p + 6].role, lazy ? PAGE_DELAYED : PAGE_BUDDY);
		give_block(lab, p, 0);
		give_block(lab, p + 1, 0);
		assert_int_equal(take_block(lab, 0), p + results[lazy][0]);
		assert_int_equal(take_block(lab, 0), p + results[lazy][1]);
		assert_int_equal(count_all(lab, EV_buddy_split) - before, splits[lazy]);
		assert_int_equal(count_all(lab, EV_buddy_merge), merges[lazy]);
		page_lab_drop(lab);
	}
}

/* (3): steady use. */
static void steady_use_merges_nothing(void **state)
{
	(void)state;
	for (unsigned int lazy = 0; lazy < 2; lazy++) {
		struct lab *lab = lab_of("mem=64M,cpus=1");
		uint64_t splits;

		coalesce(lab, lazy ? COALESCE_LAZY : COALESCE_EAGER);
		for (unsigned int i = 0; i < 512; i++)
			take_block(lab, 0);
		splits = count_all(lab, EV_buddy_split);
		for (unsigned int round = 0; round < 2000; round++) {
			pfn_t taken[16];

			for (unsigned int i = 0; i < 16; i++)
				give_block(lab, 511 - i, 0);
			for (unsigned int i = 0; i < 16; i++)
				taken[i] = take_block(lab, 0);
			assert_in_range(taken[0], 496, 511);
		}
		for (unsigned int k = 1; k <= 4; k++)
			assert_int_equal(count(lab, EV_buddy_merge, k), lazy ? 0 : 32000 >> k);
		assert_int_equal(count_all(lab, EV_buddy_merge), lazy ? 0 : 30000);
		assert_int_equal(count_all(lab, EV_buddy_split) - splits, lazy ? 0 : 30000);
		page_lab_drop(lab);
	}
}

/* Section 4.6: N pages given back in any order make N/2^k merges to order k. */
static void a_drain_halves_the_merges_with_each_order(void **state)
{
	enum { PAGES = 16384 };
	static pfn_t pfns[PAGES];

	(void)state;
	for (unsigned int lazy = 0; lazy < 2; lazy++) {
		struct lab *lab = lab_of("mem=64M,cpus=1");
		uint64_t rand = 42;

		for (unsigned int i = 0; i < PAGES; i++)
			pfns[i] = take_block(lab, 0);
		coalesce(lab, lazy ? COALESCE_LAZY : COALESCE_EAGER);
		for (unsigned int i = PAGES; i-- > 0;) {
			unsigned int j = (unsigned int)rand_below(&rand, i + 1);
			pfn_t swap = pfns[j];

			pfns[j] = pfns[i];
			give_block(lab, swap, 0);
			if (i % 4096 == 0)
				page_lab_is_sound(lab);
		}
		for (unsigned int k = 1; k <= TOP_ORDER; k++)
			assert_int_equal(count(lab, EV_buddy_merge, k), PAGES >> k);
		assert_int_equal(lab->zones->area[TOP_ORDER].nr_free, PAGES >> TOP_ORDER);
		for (unsigned int k = 0; k < TOP_ORDER; k++)
			assert_int_equal(lab->zones->lazy[k].local, 0);
		page_lab_drop(lab);
	}
}

/* Switched with blocks out: counts are found, delayed blocks are merged. */
static void a_switch_settles_what_is_due(void **state)
{
	struct lab *lab = lab_of("mem=64M,cpus=1");
	struct zone *z = lab->zones;

	(void)state;
	for (unsigned int i = 0; i < 1000; i++)
		take_block(lab, 0);
	coalesce(lab, COALESCE_LAZY);
	assert_int_equal(z->lazy[0].used, 1000);
	assert_int_equal(z->lazy[1].used, 500);
	assert_int_equal(z->lazy[9].used, 2);
	assert_int_equal(z->lazy[10].used, 1);
	for (unsigned int i = 0; i < 500; i++)
		give_block(lab, i, 0);
	assert_int_equal(z->lazy[0].local, 500);
	page_lab_is_sound(lab);
	coalesce(lab, COALESCE_EAGER);
	/* 256 + 128 + 64 + 32 + 16 + 4 pages: 250 + 125 + 62 + 31 + 15 + 7 + 3 + 1 merges */
	assert_int_equal(z->due_merges, 494);
	assert_int_equal(z->area[8].nr_free, 1);
	page_lab_is_sound(lab);
	page_lab_drop(lab);
}

/* A request that finds no block of its order has delayed ones below it merged first. */
static void a_request_flushes_what_is_too_small(void **state)
{
	struct lab *lab = lab_of("mem=8M,cpus=1");
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];
	pfn_t pfn[2048];
	unsigned int nr = 0;
	uint64_t due = 0;

	(void)state;
	page_policy(lab)->order_check = WMARK_ORDER_FREELIST;
	coalesce(lab, COALESCE_LAZY);
	while (nr < 2048 && (pfn[nr] = ops->alloc_pages(lab->cpus[0], 0, GFP_KERNEL & ~GFP_BIT_KSWAPD_RECLAIM, -1)) != PFN_NONE)
		nr++;
	for (unsigned int i = 0; i < 512; i++)
		ops->free_pages(lab->cpus[0], pfn[i], 0);
	assert_int_equal(lab->zones->area[7].nr_free + lab->zones->area[8].nr_free + lab->zones->area[9].nr_free, 0);
	for (unsigned int o = 0; o < 7; o++)
		due += lab->zones->lazy[o].local << o;
	assert_true(due >= 512);
	assert_int_not_equal(ops->alloc_pages(lab->cpus[0], 7, GFP_KERNEL, -1), PFN_NONE);
	assert_int_equal(zone_cpu(lab->cpus[0], lab->zones)->ev[EV_lazy_flush], due);
	page_lab_drop(lab);
}

/* By what part of an order's blocks is free. */
static void the_rule_of_1988_looks_at_what_is_free(void **state)
{
	struct lab *lab = lab_of("mem=4M,cpus=1");
	pfn_t p = leave_one_block(lab, 4);
	struct zone *z = lab->zones;

	(void)state;
	page_policy(lab)->lazy_rule = LAZY_WATERMARK;
	page_policy(lab)->lazy_theta_low = 10;
	page_policy(lab)->lazy_theta_high = 20;
	coalesce(lab, COALESCE_LAZY);
	for (unsigned int i = 0; i < 16; i++)
		take_block(lab, 0);
	give_block(lab, p, 0);	/* none of 16: lazy */
	assert_int_equal(z->lazy[0].local, 1);
	give_block(lab, p + 2, 0);	/* 1 of 16: lazy */
	assert_int_equal(z->lazy[0].local, 2);
	give_block(lab, p + 4, 0);	/* 2 of 16, 12.5 %: this one merges, were its buddy free */
	assert_int_equal(z->lazy[0].local, 2);
	assert_int_equal(z->area[0].nr_free, 3);
	give_block(lab, p + 6, 0);	/* 3 of 16, 18.75 % */
	give_block(lab, p + 8, 0);	/* 4 of 16, 25 %: and the oldest delayed one as well */
	assert_int_equal(z->lazy[0].local, 1);
	assert_int_equal(lab->pages[p].role, PAGE_BUDDY);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_comes_back_as_demand_falls),
		cmocka_unit_test(two_pages_come_and_go),
		cmocka_unit_test(steady_use_merges_nothing),
		cmocka_unit_test(a_drain_halves_the_merges_with_each_order),
		cmocka_unit_test(a_switch_settles_what_is_due),
		cmocka_unit_test(a_request_flushes_what_is_too_small),
		cmocka_unit_test(the_rule_of_1988_looks_at_what_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
