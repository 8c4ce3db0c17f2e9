/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones that take turns: the worked examples (history-pages.md section 3), nodes, all modes. */
#include "page_lab.h"

#include "page/fair.h"
#include "page/kswapd.h"
#include "page/lru.h"
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

/*
 * Uneven zones on 1 to 4 nodes, what each request must cost worked out beside
 * the lab: whose turn it is, walks, zones visited and passed over, rounds.
 */
struct count {
	uint64_t walks, visits, skips, checks, resets;
};

struct turns {
	unsigned int zones;		/* of node 0, highest first */
	int64_t left[4], batch[4];
	bool used_up[4];
};

/* One walk; the zone that gives, or -1. All pass their marks. */
static int walk_turns(const struct turns *t, bool heed, struct count *c)
{
	c->walks++;
	for (unsigned int i = 0; i < t->zones; i++) {
		c->visits++;
		if (heed && t->used_up[i]) {
			c->skips++;
			continue;
		}
		c->checks++;
		return (int)i;
	}
	return -1;
}

static unsigned int next_turn(struct turns *t, struct count *c)
{
	int zone = walk_turns(t, true, c);

	if (zone < 0) {
		c->resets++;
		for (unsigned int i = 0; i < t->zones; i++) {
			t->left[i] = t->batch[i];
			t->used_up[i] = false;
		}
		zone = walk_turns(t, false, c);
	}
	t->used_up[zone] = --t->left[zone] <= 0;
	return (unsigned int)zone;
}

static void uneven_zones_cost_what_they_should(void **state)
{
	static const struct { const char *shape; unsigned int zones, index[3]; } labs[] = {
		{ "zones=DMA:16M+DMA32:48M+Normal:64M,cpus=1", 3, { 2, 1, 0 } },
		{ "zones=N0.DMA32:16M+N0.Normal:48M+N1.Normal:64M,cpus=2,nodes=2", 2, { 1, 0 } },
		{ "zones=N0.DMA:8M+N0.DMA32:24M+N0.Normal:32M+N1.Normal:64M+N2.Normal:32M,cpus=3,nodes=3", 3, { 2, 1, 0 } },
		{ "zones=N0.DMA32:64M+N0.Normal:16M+N1.Normal:64M+N2.Normal:32M+N3.Normal:12M,cpus=4,nodes=4", 2, { 1, 0 } },
	};

	(void)state;
	for (unsigned int l = 0; l < ARRAY_SIZE(labs); l++)
		for (unsigned int m = 1; m < ARRAY_SIZE(modes); m++) {
			struct lab *lab = lab_of(labs[l].shape, modes[m]);
			struct turns t = { .zones = labs[l].zones };
			struct count c = { 0 };

			for (unsigned int i = 0; i < t.zones; i++) {
				const struct zone *z = &lab->zones[labs[l].index[i]];

				t.left[i] = t.batch[i] = (int64_t)(z->mark[WMARK_HIGH] - z->mark[WMARK_LOW]);
			}
			for (unsigned int i = 0; i < 1000; i++)
				assert_int_equal(zone_given(lab), labs[l].index[next_turn(&t, &c)]);
			assert_int_equal(sum(lab, EV_zonelist_scan), c.walks);
			assert_int_equal(sum(lab, EV_zone_visit), c.visits);
			assert_int_equal(sum(lab, EV_fair_skip), c.skips);
			assert_int_equal(sum(lab, EV_wmark_check), c.checks);
			assert_int_equal(sum(lab, EV_fair_reset), c.resets);
			page_lab_drop(lab);
		}
}

static void set_drift(struct lab *lab, bool on, bool bug)
{
	page_policy(lab)->stat_drift = on;
	page_policy(lab)->fair_drift_bug = bug;
	page_policy_changed(lab, PAGE_CHANGE_DRIFT);
}

/* One CPU adds beyond 2 pages, so in threes: a batch of 20 is seen at 2 and then at -1, never at 0. */
static void a_batch_that_drifts_past_0_loses_its_turn(void **state)
{
	(void)state;
	for (unsigned int bug = 0; bug < 2; bug++) {
		struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", modes[2]);
		unsigned int given[2] = { 0 };

		set_drift(lab, true, bug);
		set_marks(lab, 0, 40, 50, 60);
		set_marks(lab, 1, 80, 100, 120);
		assert_int_equal(lab->zones[1].stat_threshold, 2);
		for (unsigned int i = 0; i < 62; i++)
			given[zone_given(lab)]++;
		if (bug)
			assert_int_equal(given[1], 62);
		else
			assert_in_range(given[0], 18, 24);	/* 2 to 1, in threes */
		page_lab_drop(lab);
	}
	/* without drift the count is exact and meets 0 */
	for (unsigned int bug = 0; bug < 2; bug++) {
		struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", modes[2]);

		set_drift(lab, false, bug);
		set_marks(lab, 0, 40, 50, 60);
		set_marks(lab, 1, 80, 100, 120);
		for (unsigned int i = 0; i < 62; i++)
			assert_int_equal(zone_given(lab), i % 30 < 20);
		page_lab_drop(lab);
	}
}

/* Four CPUs keep up to a threshold each to themselves; the zone's word is off by that, the marks with it. */
static void marks_are_compared_with_a_count_that_is_off(void **state)
{
	struct lab *lab = lab_of("mem=64M,cpus=4", modes[0]);
	struct zone *z = lab->zones;
	unsigned int most;

	(void)state;
	set_drift(lab, true, false);
	most = z->stat_threshold;
	assert_int_equal(most, 6);	/* 2 · fls(4) · (1 + 0) */
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		for (unsigned int i = 0; i < most; i++)
			assert_int_not_equal(ops->alloc_pages(lab->cpus[cpu], 0, GFP_KERNEL, -1), PFN_NONE);
	assert_int_equal(z->free_seen, z->managed);
	assert_int_equal(z->free_pages, z->managed - 4 * most);
	set_marks(lab, 0, z->managed - 10, z->managed - 5, z->managed);
	/* seen, all is free and the low mark is passed, though that is not so */
	assert_int_not_equal(ops->alloc_pages(lab->cpus[0], 0, GFP_KERNEL, -1), PFN_NONE);
	assert_int_equal(sum(lab, EV_wmark_fail), 0);
	assert_int_equal(sum(lab, EV_stat_fold), 1);
	assert_int_equal(z->free_seen, z->managed - most - 1);
	page_lab_is_sound(lab);
	/* each second all is added */
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		ops->tick(lab->cpus[cpu]);
	assert_int_equal(z->free_seen, z->free_pages);
	page_lab_drop(lab);
}

/* Where a drift could hide a zone below its marks, kswapd counts exactly and CPUs keep less to themselves. */
static void kswapd_counts_exactly_near_the_mark(void **state)
{
	struct lab *lab = lab_of("mem=64M,cpus=12", modes[0]);
	struct zone *z = lab->zones;
	uint64_t gap = z->mark[WMARK_LOW] - z->mark[WMARK_MIN];

	(void)state;
	set_drift(lab, true, false);
	page_policy_changed(lab, PAGE_CHANGE_SIZES);
	assert_int_equal(z->stat_threshold, 8);		/* 2 · fls(12) */
	assert_true(12 * 8 > gap);
	assert_int_equal(z->drift_mark, z->mark[WMARK_HIGH] + 12 * 8);
	while (z->free_pages > z->mark[WMARK_HIGH])
		ops->alloc_pages(lab->cpus[z->free_pages % 12], 0, GFP_KERNEL | GFP_BIT_MEMALLOC, -1);
	assert_true(z->free_seen > (int64_t)z->mark[WMARK_HIGH]);
	assert_false(node_is_balanced(lab, 0, 0, ZONE_NORMAL));
	drift_pressure(lab, 0, true);
	assert_int_equal(z->stat_threshold, gap / 12 ? gap / 12 : 1);
	drift_pressure(lab, 0, false);
	assert_int_equal(z->stat_threshold, 8);
	page_lab_drop(lab);
}

static uint32_t file_page(struct lab *lab, unsigned int zone)
{
	uint32_t nr = lru_entry_get(lab->cpus[0], true);

	lru_entry(lab, nr)->gfp = zone ? GFP_HIGHUSER_MOVABLE : GFP_HIGHUSER_MOVABLE | GFP_DMA32;
	lru_entry(lab, nr)->node = -1;
	lru_entry(lab, nr)->kind = LRU_KIND_FILE;
	assert_true(ops->lru_fill(lab->cpus[0], nr));
	assert_int_equal(page_zone(lab, lru_entry(lab, nr)->pfn)->index, zone);
	return nr;
}

/*
 * Ten pages of the lower zone come first, then ten of the higher one. Taken
 * from the higher zone first, each is younger than the oldest of the lower.
 */
static void what_is_taken_before_older_pages_is_counted(void **state)
{
	for (unsigned int scope = 0; scope < 2; scope++) {
		struct lab *lab = lab_of("zones=DMA32:32M+Normal:64M,cpus=1", modes[0]);

		(void)state;
		page_policy(lab)->lru_scope = scope ? LRU_SCOPE_ZONE : LRU_SCOPE_NODE;
		page_policy_changed(lab, PAGE_CHANGE_LRU);
		for (unsigned int i = 0; i < 20; i++)
			file_page(lab, i >= 10);
		assert_int_equal(ops->reclaim(lab->cpus[0], 0, 20), 20);
		assert_int_equal(sum(lab, EV_lru_aged), 20);
		/* ages 0 … 19, the clock standing at 20 */
		assert_int_equal(zone_event(lab, 0, -1, EV_lru_age_sum, -1), 10 * 19 - 45);
		assert_int_equal(zone_event(lab, 1, -1, EV_lru_age_sum, -1), 45);
		if (scope)	/* the higher zone is scanned first */
			assert_in_range(sum(lab, EV_lru_age_inversion), 1, 10);
		else
			assert_int_equal(sum(lab, EV_lru_age_inversion), 0);
		assert_int_equal(zone_event(lab, 0, -1, EV_lru_age_inversion, -1), 0);
		page_lab_drop(lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_give_in_proportion),
		cmocka_unit_test(a_walk_that_cannot_help_is_saved),
		cmocka_unit_test(nodes_keep_to_themselves),
		cmocka_unit_test(the_first_form_takes_the_slow_path),
		cmocka_unit_test(uneven_zones_cost_what_they_should),
		cmocka_unit_test(a_batch_that_drifts_past_0_loses_its_turn),
		cmocka_unit_test(marks_are_compared_with_a_count_that_is_off),
		cmocka_unit_test(kswapd_counts_exactly_near_the_mark),
		cmocka_unit_test(what_is_taken_before_older_pages_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
