/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones that take turns: the worked examples (history-pages.md section 3), nodes, all modes. */
#include "page_lab.h"

#include "page/fair.h"
#include "page/read.h"

static const struct page_ops *const ops = &page_ops[VARIANT_COUNTED];

struct mode {
	enum fair_policy fair;
	enum fair_second_pass second;
};
static const struct mode modes[] = { { FAIR_OFF, FAIR_RETRY }, { FAIR_BATCH, FAIR_RETRY }, { FAIR_LOWCOST, FAIR_RETRY } };

static struct lab *lab_of(const char *shape, struct mode m)
{
	struct lab *lab = page_lab(shape);
	struct page_policy *p = page_policy(lab);

	p->pcp_enabled = 0;
	p->nofragment = 0;
	p->fair = (uint8_t)m.fair;
	p->fair_second_pass = (uint8_t)m.second;
	memset(p->reserve_ratio, 0, sizeof(p->reserve_ratio));
	page_policy_changed(lab, PAGE_CHANGE_LISTS);
	return lab;
}

static void set_marks(struct lab *lab, unsigned int zone, uint64_t min, uint64_t low, uint64_t high)
{
	struct zone *z = &lab->zones[zone];

	z->mark[WMARK_MIN] = min;
	z->mark[WMARK_LOW] = low;
	z->mark[WMARK_HIGH] = high;
	fair_refill(z);
}

static uint64_t sum(struct lab *lab, enum event_id ev)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		n += zone_event(lab, i, -1, ev, -1);
	return n;
}

static unsigned int zone_given(struct lab *lab)
{
	pfn_t pfn = ops->alloc_pages(lab->cpus[0], 0, GFP_KERNEL, -1);

	assert_int_not_equal(pfn, PFN_NONE);
	return page_zone(lab, pfn)->index;
}

/* A: 62 requests of zones with batches of 20 and 10. */
static void zones_give_in_proportion(void **state)
{
	static const struct { unsigned int walks, visits, skips, checks, resets; } want[] = {
		{ 62, 62, 0, 62, 0 }, { 64, 86, 24, 62, 2 }, { 64, 86, 24, 62, 2 },
	};

	(void)state;
	for (unsigned int m = 0; m < ARRAY_SIZE(modes); m++) {
		struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", modes[m]);

		set_marks(lab, 0, 40, 50, 60);
		set_marks(lab, 1, 80, 100, 120);
		for (unsigned int i = 0; i < 62; i++)
			assert_int_equal(zone_given(lab), m == 0 || i % 30 < 20);
		assert_int_equal(sum(lab, EV_zonelist_scan), want[m].walks);
		assert_int_equal(sum(lab, EV_zone_visit), want[m].visits);
		assert_int_equal(sum(lab, EV_fair_skip), want[m].skips);
		assert_int_equal(sum(lab, EV_wmark_check), want[m].checks);
		assert_int_equal(sum(lab, EV_fair_reset), want[m].resets);
		page_lab_drop(lab);
	}
}

/* B: both zones at their low marks; lowcost saves the refill and the second walk. */
static void a_walk_that_cannot_help_is_saved(void **state)
{
	static const struct { unsigned int walks, visits, checks, resets; } want[] = {
		{ 2, 3, 3, 0 }, { 3, 5, 5, 1 }, { 2, 3, 3, 0 },
	};

	(void)state;
	for (unsigned int m = 0; m < ARRAY_SIZE(modes); m++) {
		struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", modes[m]);

		set_marks(lab, 0, lab->zones[0].free_pages - 10, lab->zones[0].free_pages, lab->zones[0].free_pages + 10);
		set_marks(lab, 1, lab->zones[1].free_pages - 20, lab->zones[1].free_pages, lab->zones[1].free_pages + 20);
		assert_int_equal(zone_given(lab), 1);
		assert_int_equal(sum(lab, EV_zonelist_scan), want[m].walks);
		assert_int_equal(sum(lab, EV_zone_visit), want[m].visits);
		assert_int_equal(sum(lab, EV_wmark_check), want[m].checks);
		assert_int_equal(sum(lab, EV_fair_reset), want[m].resets);
		page_lab_drop(lab);
	}
}

/* On several nodes with uneven zones: a node's zones take turns, others are asked when they cannot. */
static void nodes_keep_to_themselves(void **state)
{
	(void)state;
	for (unsigned int m = 1; m < ARRAY_SIZE(modes); m++) {
		struct lab *lab = lab_of("zones=N0.DMA32:16M+N0.Normal:48M+N1.Normal:64M+N2.Normal:32M,cpus=3,nodes=3", modes[m]);
		unsigned int given[4] = { 0 };
		uint64_t batches;

		for (unsigned int i = 0; i < 4000; i++)
			given[zone_given(lab)]++;
		assert_int_equal(given[2] + given[3], 0);
		batches = 1000 * (lab->zones[1].mark[WMARK_HIGH] - lab->zones[1].mark[WMARK_LOW]) /
			  (lab->zones[0].mark[WMARK_HIGH] - lab->zones[0].mark[WMARK_LOW]);
		assert_in_range(1000 * given[1] / given[0], batches - batches / 8, batches + batches / 8);
		while (!given[2])	/* until node 0 is at its low marks */
			given[zone_given(lab)]++;
		assert_true(lab->zones[0].free_pages <= lab->zones[0].mark[WMARK_LOW]);
		assert_true(lab->zones[1].free_pages <= lab->zones[1].mark[WMARK_LOW]);
		page_lab_drop(lab);
	}
}

/* 3.12 walked all nodes and went to the slow path, with full batches, when all had given. */
static void the_first_form_takes_the_slow_path(void **state)
{
	struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", (struct mode){ FAIR_BATCH, FAIR_SLOWPATH });

	(void)state;
	set_marks(lab, 0, 40, 50, 60);
	set_marks(lab, 1, 80, 100, 120);
	for (unsigned int i = 0; i < 31; i++)
		assert_int_equal(zone_given(lab), i % 30 < 20);
	assert_int_equal(sum(lab, EV_fair_reset), 1);
	assert_int_equal(sum(lab, EV_zonelist_scan), 32);
	assert_int_equal(lab->zones[1].fair_batch, 19);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_give_in_proportion),
		cmocka_unit_test(a_walk_that_cannot_help_is_saved),
		cmocka_unit_test(nodes_keep_to_themselves),
		cmocka_unit_test(the_first_form_takes_the_slow_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
