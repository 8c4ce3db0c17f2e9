/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes by formula, against 21 machines under Linux 6.1, and the watermark check. */
#include "page_lab.h"

#include "page/watermark.h"

static void marks_are(struct lab *lab, unsigned int zone, uint64_t min, uint64_t low, uint64_t high)
{
	struct zone_figures f;

	zone_figures(lab, zone, false, &f);
	assert_int_equal(f.min, min);
	assert_int_equal(f.low, low);
	assert_int_equal(f.high, high);
}

static void sizes_are(struct lab *lab, unsigned int zone, unsigned int batch, unsigned int high)
{
	for (unsigned int cpu = 0; cpu < lab->nr_cpus; cpu++) {
		struct pcp_figures p;

		pcp_figures(lab, zone, cpu, &p);
		assert_int_equal(p.batch, batch);
		assert_int_equal(p.high, high);
	}
}

static void the_two_example_labs(void **state)
{
	struct lab *e0 = page_lab("mem=256M,cpus=4"), *e1 = page_lab("zones=DMA:16M+Normal:240M,cpus=4");
	struct zone_figures f;

	(void)state;
	assert_int_equal(min_free_kbytes(e0), 2048);
	marks_are(e0, 0, 512, 640, 768);
	sizes_are(e0, 0, 15, 160);
	marks_are(e1, 0, 32, 40, 48);
	sizes_are(e1, 0, 1, 10);
	marks_are(e1, 1, 480, 600, 720);
	sizes_are(e1, 1, 15, 150);
	zone_figures(e1, 0, false, &f);
	assert_int_equal(f.protection[ZONE_DMA], 0);
	assert_int_equal(f.protection[ZONE_NORMAL], 240);
	page_lab_drop(e0);
	page_lab_drop(e1);
}

/* min_free_kbytes and the marks, high and batch of each zone, from the machines' zoneinfo. */
static const struct machine {
	const char *shape;
	unsigned int min_free_kbytes;
	struct { unsigned int min, low, high, pcp_high, batch, threshold; } zones[4];
} machines[] = {
#include "page_machines.h"
};

static void every_machine_has_its_kernels_sizes(void **state)
{
	(void)state;
	for (unsigned int m = 0; m < ARRAY_SIZE(machines); m++) {
		struct lab *lab = page_lab(machines[m].shape);

		page_policy(lab)->thp_adjust = 1;
		set_sizes(lab);
		assert_int_equal(min_free_kbytes(lab), machines[m].min_free_kbytes);
		for (unsigned int z = 0; z < lab->nr_zones; z++) {
			struct zone_figures f;

			marks_are(lab, z, machines[m].zones[z].min, machines[m].zones[z].low,
				  machines[m].zones[z].high);
			sizes_are(lab, z, machines[m].zones[z].batch, machines[m].zones[z].pcp_high);
			zone_figures(lab, z, false, &f);
			assert_int_equal(f.stat_threshold, machines[m].zones[z].threshold);
		}
		page_lab_drop(lab);
	}
}

static void min_free_kbytes_is_a_square_root(void **state)
{
	static const struct { const char *shape; unsigned int kb; } rows[] = {
		{ "mem=16M", 512 }, { "mem=64M", 1024 }, { "mem=1G", 4096 }, { "mem=4G", 8192 },
		{ "mem=16G", 16384 }, { "mem=4M", 256 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct lab *lab = page_lab(rows[i].shape);

		assert_int_equal(min_free_kbytes(lab), rows[i].kb);
		page_lab_drop(lab);
	}
}

static void settings_move_the_marks(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");
	struct page_policy *p = page_policy(lab);

	(void)state;
	p->min_free_kbytes = 4096;
	set_sizes(lab);
	marks_are(lab, 0, 1024, 1280, 1536);
	sizes_are(lab, 0, 15, 320);
	p->min_free_kbytes = AUTO64;
	p->scale_factor = 100;
	set_sizes(lab);
	marks_are(lab, 0, 512, 512 + 655, 512 + 1310);
	p->scale_factor = 10;
	p->watermark_rule = WMARK_QUARTER;
	set_sizes(lab);
	marks_are(lab, 0, 512, 640, 768);
	p->watermark_rule = WMARK_TRIPLE;
	set_sizes(lab);
	marks_are(lab, 0, 255, 510, 765);
	p->watermark_rule = WMARK_SCALE;
	p->pcp_high_fraction = 8;
	set_sizes(lab);
	sizes_are(lab, 0, 15, 2048);
	p->pcp_high_fraction = 0;
	p->pcp_batch_cap = 16;
	set_sizes(lab);
	sizes_are(lab, 0, 3, 160);
	p->pcp_high = 77;
	p->pcp_batch = 100;
	set_sizes(lab);
	sizes_are(lab, 0, 100, 77);
	page_lab_drop(lab);
}

/* Since 6.7 zone Movable has no share in min_free_kbytes; HighMem never had one. The steps are of the share that it would have. */
static void zones_of_user_pages_have_a_min_of_their_own(void **state)
{
	struct lab *lab = page_lab("zones=Normal:256M+Movable:512M,cpus=1"), *old = page_lab("zones=Normal:256M+HighMem:512M,cpus=1");
	struct page_policy *p = page_policy(lab);

	(void)state;
	p->min_free_kbytes = 6144;
	set_sizes(lab);
	marks_are(lab, 0, 512, 640, 768);		/* a third of 1536 pages */
	marks_are(lab, 1, 1024, 1280, 1536);
	p->era = PAGE_ERA_6_18;
	set_sizes(lab);
	marks_are(lab, 0, 1536, 1920, 2304);
	marks_are(lab, 1, 128, 128 + 768, 128 + 1536);	/* 131072 / 1024; a step is a quarter of 3072 */
	page_policy(old)->min_free_kbytes = 6144;
	set_sizes(old);
	marks_are(old, 0, 1536, 1920, 2304);
	marks_are(old, 1, 128, 128 + 768, 128 + 1536);
	page_lab_drop(lab);
	page_lab_drop(old);
}

static void a_cpu_that_goes_leaves_its_share(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");

	(void)state;
	lab->cpus[3]->part->online = 0;
	lab->cpus[2]->part->online = 0;
	set_sizes(lab);
	sizes_are(lab, 0, 15, 320);
	page_lab_drop(lab);
}

/* Free pages of E0 brought down to n; how far below 512 may each request go? */
static bool passes(struct lab *lab, unsigned int n, unsigned int flags)
{
	struct wmark_walk walk = { .sum = 1, .may_wait = true };
	struct zone *z = lab->zones;
	bool ok;
	uint64_t free = z->free_pages;

	z->free_pages = n;
	ok = zone_watermark_ok(lab, z, 0, 512, ZONE_NORMAL, flags, &walk);
	z->free_pages = free;
	return ok;
}

static void urgent_requests_may_go_below_the_mark(void **state)
{
	static const struct { unsigned int flags, limit; } rows[] = {
		{ 0, 512 },
		{ ALLOC_MIN_RESERVE, 256 },
		{ ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK, 192 },
		{ ALLOC_OOM, 256 },
		{ ALLOC_NON_BLOCK, 512 },
	};
	struct lab *lab = page_lab("mem=256M,cpus=4");

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_false(passes(lab, rows[i].limit, rows[i].flags));
		assert_true(passes(lab, rows[i].limit + 1, rows[i].flags));
	}
	page_lab_drop(lab);
}

/* To 4.2 who cannot wait may go down by a quarter; a victim of an OOM kill by half instead. */
static void to_4_2_not_to_wait_is_a_right_of_its_own(void **state)
{
	static const struct { unsigned int flags, limit; } rows[] = {
		{ 0, 512 },
		{ ALLOC_MIN_RESERVE, 256 },
		{ ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK, 192 },
		{ ALLOC_OOM | ALLOC_NON_BLOCK, 256 },
		{ ALLOC_NON_BLOCK, 384 },
	};
	struct lab *lab = page_lab("mem=256M,cpus=4");

	(void)state;
	page_policy(lab)->era = PAGE_ERA_4_2;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_false(passes(lab, rows[i].limit, rows[i].flags));
		assert_true(passes(lab, rows[i].limit + 1, rows[i].flags));
	}
	page_lab_drop(lab);
}

/* E0 with n pages left and its marks raised by 512: what a request for one page comes to. */
static pfn_t take_boosted(struct lab *lab, unsigned int n, uint32_t gfp)
{
	struct zone *z = lab->zones;
	uint64_t free = z->free_pages, got;
	pfn_t pfn;

	z->boost = 512;
	z->free_pages = n;
	zone_quick_marks_update(lab, z);
	pfn = take(lab, 0, gfp);
	got = pfn != PFN_NONE;
	assert_int_equal(z->free_pages, n - got);
	z->boost = 0;
	z->free_pages = free - got;
	zone_quick_marks_update(lab, z);
	return pfn;
}

/* min is 512, with the boost 1024: three eighths are 192 and 384, half is 256 and 512. */
static void a_boost_does_not_keep_the_urgent_out(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");

	(void)state;
	page_policy(lab)->pcp_enabled = 0;
	page_policy(lab)->kswapd = 0;
	set_lists(lab);
	assert_int_equal(take_boosted(lab, 192, GFP_ATOMIC), PFN_NONE);
	assert_int_equal(event(lab, EV_wmark_fail), 4);		/* two fast walks, two slow ones */
	give(lab, take_boosted(lab, 193, GFP_ATOMIC), 0);
	assert_int_equal(event(lab, EV_wmark_fail), 6);
	assert_int_equal(take_boosted(lab, 384, GFP_NOWAIT | GFP_BIT_HIGH), PFN_NONE);	/* not what was then called atomic */
	page_policy(lab)->era = PAGE_ERA_6_18;
	give(lab, take_boosted(lab, 193, GFP_NOWAIT | GFP_BIT_HIGH), 0);
	assert_int_equal(take_boosted(lab, 1024, GFP_NOWAIT), PFN_NONE);
	give(lab, take_boosted(lab, 1025, GFP_NOWAIT), 0);
	page_lab_drop(lab);
}

/* 600, 60, 20 and 12 free blocks: 896 pages, twelve of them blocks of order 3. */
static void the_old_order_rule_is_stricter(void **state)
{
	static const uint64_t nr_free[NR_PAGE_ORDERS] = { 600, 60, 20, 12 };
	struct lab *lab = page_lab("mem=256M,cpus=4");
	struct wmark_walk walk = { .sum = 8, .may_wait = true };
	struct zone *z = lab->zones;
	uint64_t saved[NR_PAGE_ORDERS], free = z->free_pages;
	struct free_list list = z->area[3].list[MT_MOVABLE];

	(void)state;
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		saved[o] = z->area[o].nr_free;
		z->area[o].nr_free = nr_free[o];
	}
	z->free_pages = 896;
	z->area[3].list[MT_MOVABLE].head = 8;
	assert_true(zone_watermark_ok(lab, z, 3, 640, ZONE_NORMAL, 0, &walk));
	page_policy(lab)->order_check = WMARK_ORDER_HALVING;
	assert_false(zone_watermark_ok(lab, z, 3, 640, ZONE_NORMAL, 0, &walk));
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		z->area[o].nr_free = saved[o];
	z->free_pages = free;
	z->area[3].list[MT_MOVABLE] = list;
	page_lab_drop(lab);
}

static void the_oldest_rule_adds_marks_up(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M+Normal:240M,cpus=4");
	struct wmark_walk walk = { .sum = 1, .may_wait = true };

	(void)state;
	page_policy(lab)->order_check = WMARK_ORDER_SIZE;
	set_sizes(lab);
	lab->zones[1].free_pages = 600;
	assert_false(zone_watermark_ok(lab, &lab->zones[1], 0, 600, ZONE_NORMAL, 0, &walk));
	assert_int_equal(walk.sum, 601);
	lab->zones[0].free_pages = 640;
	assert_false(zone_watermark_ok(lab, &lab->zones[0], 0, 40, ZONE_NORMAL, 0, &walk));
	walk.sum = 601;
	lab->zones[0].free_pages = 641;
	assert_true(zone_watermark_ok(lab, &lab->zones[0], 0, 40, ZONE_NORMAL, 0, &walk));
	walk = (struct wmark_walk){ .sum = 1000 };
	lab->zones[1].free_pages = 720;
	assert_true(zone_watermark_ok(lab, &lab->zones[1], 0, 600, ZONE_NORMAL, 0, &walk));
	lab->zones[0].free_pages = 4096;
	lab->zones[1].free_pages = 61440;
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_two_example_labs),
		cmocka_unit_test(every_machine_has_its_kernels_sizes),
		cmocka_unit_test(min_free_kbytes_is_a_square_root),
		cmocka_unit_test(settings_move_the_marks),
		cmocka_unit_test(zones_of_user_pages_have_a_min_of_their_own),
		cmocka_unit_test(a_cpu_that_goes_leaves_its_share),
		cmocka_unit_test(urgent_requests_may_go_below_the_mark),
		cmocka_unit_test(to_4_2_not_to_wait_is_a_right_of_its_own),
		cmocka_unit_test(a_boost_does_not_keep_the_urgent_out),
		cmocka_unit_test(the_old_order_rule_is_stricter),
		cmocka_unit_test(the_oldest_rule_adds_marks_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
