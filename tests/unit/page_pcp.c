/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs' page lists: what a refill fetches, when and how much a drain gives back. */
#include "page_lab.h"

#include "cpu/story.h"
#include "page/pcp.h"

static struct pcp *pcp_of(struct lab *lab, unsigned int cpu, unsigned int zone)
{
	return &lab->cpus[cpu]->zone_cpu[zone].pcp;
}

/* n pages taken and the list emptied, so that only frees follow. */
static pfn_t *take_many(struct lab *lab, unsigned int n)
{
	pfn_t *pfns = calloc(n, sizeof(*pfns));

	for (unsigned int i = 0; i < n; i++) {
		pfns[i] = take(lab, 0, GFP_KERNEL);
		assert_int_not_equal(pfns[i], PFN_NONE);
	}
	page_ops[VARIANT_COUNTED].drain(lab->cpus[0]);
	assert_int_equal(pcp_of(lab, 0, 0)->count, 0);
	return pfns;
}

static void frees_alone_drain_in_growing_batches(void **state)
{
	static const struct { unsigned int at, count, factor; } steps[] = {
		{ 160, 145, 1 }, { 175, 130, 2 }, { 205, 100, 3 }, { 265, 40, 4 },
		{ 385, 15, 4 }, { 530, 15, 4 }, { 675, 15, 4 }, { 820, 15, 4 },
	};
	struct lab *lab = page_lab("mem=256M,cpus=4");
	struct pcp *pcp = pcp_of(lab, 0, 0);
	pfn_t *pfns = take_many(lab, 1000);
	unsigned int step = 0, before = 0;

	(void)state;
	assert_int_equal(pcp->free_factor, 0);
	for (unsigned int i = 1; i <= 820; i++) {
		give(lab, pfns[i], 0);
		if (i < steps[step].at) {
			assert_int_equal(pcp->count, ++before);
			continue;
		}
		assert_int_equal(pcp->count, steps[step].count);
		assert_int_equal(pcp->free_factor, steps[step].factor);
		before = pcp->count;
		step++;
	}
	assert_int_equal(step, ARRAY_SIZE(steps));
	take(lab, 0, GFP_KERNEL);
	assert_int_equal(pcp->free_factor, 2);
	free(pfns);
	page_lab_drop(lab);
}

static void lowering_high_drains_with_the_next_frees(void **state)
{
	static const unsigned int left[] = { 136, 107, 63, 19 };
	struct lab *lab = page_lab("mem=256M,cpus=4");
	struct pcp *pcp = pcp_of(lab, 0, 0);
	pfn_t *pfns = take_many(lab, 400);

	(void)state;
	for (unsigned int i = 0; i < 150; i++)
		give(lab, pfns[i], 0);
	page_policy(lab)->pcp_high = 60;
	set_sizes(lab);
	assert_int_equal(pcp->count, 150);
	for (unsigned int i = 0; i < 4; i++) {
		give(lab, pfns[150 + i], 0);
		assert_int_equal(pcp->count, left[i]);
	}
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	assert_int_equal(pcp->count, 0);
	give(lab, pfns[160], 0);
	take(lab, 0, GFP_KERNEL);
	assert_int_equal(pcp->count, 0);
	assert_int_equal(event(lab, EV_pcp_bypass), 2);
	free(pfns);
	page_lab_drop(lab);
}

static void the_coldest_goes_and_the_warmest_is_handed_out(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	pfn_t *pfns = take_many(lab, 1000);

	(void)state;
	for (unsigned int i = 0; i < 160; i++)
		give(lab, pfns[i], 0);
	for (unsigned int i = 0; i < 15; i++)
		assert_int_not_equal(lab->pages[pfns[i]].role, PAGE_ON_PCP);
	for (unsigned int i = 160; i-- > 15;)
		assert_int_equal(take(lab, 0, GFP_KERNEL), pfns[i]);
	free(pfns);
	page_lab_drop(lab);
}

/* Batches of 7 and 63 as the machines had them: blocks of orders 0-3 and 9 in one refill. */
static void refills_shrink_with_the_order(void **state)
{
	static const struct { int64_t batch; unsigned int blocks[5]; } rows[] = {
		{ 63, { 63, 31, 15, 7, 2 } }, { 7, { 7, 3, 2, 2, 2 } }, { 1, { 1, 1, 1, 1, 1 } },
	};
	static const unsigned int orders[] = { 0, 1, 2, 3, 9 };

	(void)state;
	for (unsigned int r = 0; r < ARRAY_SIZE(rows); r++) {
		struct lab *lab = page_lab("mem=256M,cpus=1");

		page_policy(lab)->pcp_batch = rows[r].batch;
		set_sizes(lab);
		for (unsigned int o = 0; o < ARRAY_SIZE(orders); o++) {
			uint64_t locked = zone_event(lab, 0, -1, EV_mm_page_alloc_zone_locked, (int)orders[o]);

			assert_int_not_equal(take(lab, orders[o], GFP_HIGHUSER_MOVABLE), PFN_NONE);
			assert_int_equal(zone_event(lab, 0, -1, EV_mm_page_alloc_zone_locked, (int)orders[o]) - locked,
					 rows[r].blocks[o]);
		}
		assert_int_equal(event(lab, EV_pcp_refill), ARRAY_SIZE(orders));
		page_lab_drop(lab);
	}
}

static void middle_orders_go_past_the_lists(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");

	(void)state;
	for (unsigned int o = 4; o <= 10; o++)
		give(lab, take(lab, o, GFP_KERNEL), o);
	assert_int_equal(event(lab, EV_pcp_bypass), 2 * 6);
	/* two blocks of order 9 came; with both back the count passes high, and the colder one goes */
	assert_int_equal(pcp_of(lab, 0, 0)->count, 512);
	page_policy(lab)->pcp_thp_lists = 0;
	page_policy(lab)->pcp_max_order = 1;
	set_lists(lab);
	assert_int_equal(pcp_of(lab, 0, 0)->count, 0);
	give(lab, take(lab, 9, GFP_KERNEL), 9);
	give(lab, take(lab, 2, GFP_KERNEL), 2);
	assert_int_equal(pcp_of(lab, 0, 0)->count, 0);
	assert_int_equal(take(lab, 11, GFP_KERNEL), PFN_NONE);
	page_lab_drop(lab);
}

/* High orders freed while only frees come: the process is going away, so all goes back. */
static void a_high_order_free_after_a_drain_empties_the_lists(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	struct pcp *pcp = pcp_of(lab, 0, 0);
	pfn_t pair = take(lab, 1, GFP_KERNEL), *pfns = take_many(lab, 300);

	(void)state;
	for (unsigned int i = 0; i < 160; i++)
		give(lab, pfns[i], 0);
	assert_int_equal(pcp->free_factor, 1);
	give(lab, pair, 1);
	assert_int_equal(pcp->count, 0);
	free(pfns);
	page_lab_drop(lab);
}

static void a_huge_block_stays_until_high_is_reached(void **state)
{
	struct lab *lab = page_lab("mem=4G,cpus=1");
	struct pcp *pcp = pcp_of(lab, 0, 0);
	pfn_t first = take(lab, 9, GFP_HIGHUSER_MOVABLE);

	(void)state;
	assert_true(pcp->high > 1024);
	assert_int_equal(pcp->count, 512);
	give(lab, first, 9);
	assert_int_equal(pcp->count, 1024);
	assert_int_equal(take(lab, 9, GFP_HIGHUSER_MOVABLE), first);
	page_policy(lab)->pcp_high = 512;
	set_sizes(lab);
	give(lab, first, 9);
	/* the coldest of the two went to the buddy lists */
	assert_int_equal(pcp->count, 512);
	assert_int_equal(pcp->lists[pcp_list_of(9, MT_MOVABLE)].head, first);
	page_lab_drop(lab);
}

static void only_what_rests_on_other_nodes_is_given_back(void **state)
{
	struct lab *lab = page_lab("mem=512M,cpus=2,nodes=2");
	const struct page_ops *ops = &page_ops[VARIANT_COUNTED];
	pfn_t far = ops->alloc_pages(lab->cpus[0], 0, GFP_KERNEL, 1), near = take(lab, 0, GFP_KERNEL);
	unsigned int batch = pcp_of(lab, 0, 1)->batch;

	(void)state;
	assert_int_equal(page_node(lab, far), 1);
	assert_int_equal(page_node(lab, near), 0);
	assert_int_equal(pcp_of(lab, 0, 1)->count, batch - 1);
	for (unsigned int i = 0; i < 2; i++)
		ops->tick(lab->cpus[0]);
	assert_int_equal(pcp_of(lab, 0, 1)->count, batch - 1);
	ops->tick(lab->cpus[0]);
	assert_int_equal(pcp_of(lab, 0, 1)->count, 0);
	assert_int_equal(pcp_of(lab, 0, 0)->count, batch - 1);
	page_lab_drop(lab);
}

static void a_page_list_is_told_first_and_then_given_back_in_order(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	pfn_t *pfns = take_many(lab, 100);

	(void)state;
	story_begin(lab->cpus[0], &(struct story_op){ .kind = TOLD_FREE_PAGES_LIST });
	page_ops[VARIANT_TOLD].free_list(lab->cpus[0], 20, pfns);
	for (unsigned int i = 0; i < 20; i++)
		assert_int_equal(lab->cpus[0]->part->story[2 * i].event, EV_mm_page_free);
	for (unsigned int i = 0; i < 20; i++) {
		assert_int_equal(lab->cpus[0]->part->story[40 + 2 * i].event, EV_mm_page_free_batched);
		assert_int_equal(lab->cpus[0]->part->story[40 + 2 * i].a, pfns[i]);
		assert_int_equal(lab->cpus[0]->part->story[41 + 2 * i].event, NOTE_pcp_put);
	}
	assert_int_equal(pcp_of(lab, 0, 0)->lists[0].head, pfns[19]);
	assert_int_equal(event(lab, EV_mm_page_free), 20);
	assert_int_equal(event(lab, EV_pgfree), 20);
	free(pfns);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frees_alone_drain_in_growing_batches),
		cmocka_unit_test(lowering_high_drains_with_the_next_frees),
		cmocka_unit_test(the_coldest_goes_and_the_warmest_is_handed_out),
		cmocka_unit_test(refills_shrink_with_the_order),
		cmocka_unit_test(middle_orders_go_past_the_lists),
		cmocka_unit_test(a_high_order_free_after_a_drain_empties_the_lists),
		cmocka_unit_test(a_huge_block_stays_until_high_is_reached),
		cmocka_unit_test(only_what_rests_on_other_nodes_is_given_back),
		cmocka_unit_test(a_page_list_is_told_first_and_then_given_back_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
