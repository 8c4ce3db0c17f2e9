/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reclaim and compaction do to single pages: the examples of the specification, and what must stay true of entries. */
#include "page_lab.h"

#include "page/compact.h"
#include "page/kswapd.h"
#include "page/lru.h"

static uint32_t entry(struct lab *lab, enum lru_kind kind)
{
	uint32_t nr = lru_entry_get(lab->cpus[0], true);

	assert_int_not_equal(nr, UINT32_MAX);
	lru_entry(lab, nr)->gfp = GFP_HIGHUSER_MOVABLE;
	lru_entry(lab, nr)->node = -1;
	lru_entry(lab, nr)->kind = (uint8_t)kind;
	assert_true(page_ops[VARIANT_COUNTED].lru_fill(lab->cpus[0], nr));
	return nr;
}

static void drop(struct lab *lab, uint32_t nr)
{
	page_ops[VARIANT_COUNTED].lru_drop(lab->cpus[0], nr);
}

/* 32 pages, pageblocks of 8, marks of 0: in use 0 2 5 | 9 12 | 17 | 30, all of a filler. */
static struct lab *scattered(uint32_t kept[7])
{
	static const unsigned int in_use[7] = { 0, 2, 5, 9, 12, 17, 30 };
	struct lab *lab = page_lab("zones=Normal:4M:32p,pageblock_order=3,cpus=1");
	uint32_t all[32];

	lab->nodes[0].grouping = 1;		/* such a small lab would not keep types apart */
	for (unsigned int bits = 0; bits < 3; bits++)
		lab->nodes[0].type_of[bits] = (uint8_t)gfp_mtype(bits << 3);
	page_policy(lab)->kswapd = 0;
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	memset(lab->zones[0].mark, 0, sizeof(lab->zones[0].mark));
	lab->zones[0].fair_batch = 0;
	for (unsigned int i = 0; i < 32; i++) {
		all[i] = lru_entry_get(lab->cpus[0], true);
		lru_entry(lab, all[i])->gfp = GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC;
		lru_entry(lab, all[i])->node = -1;
		assert_true(page_ops[VARIANT_COUNTED].lru_fill(lab->cpus[0], all[i]));
		assert_int_equal(lru_entry(lab, all[i])->pfn, i);
	}
	for (unsigned int i = 0, k = 0; i < 32; i++) {
		if (k < 7 && in_use[k] == i)
			kept[k++] = all[i];
		else
			drop(lab, all[i]);
	}
	return lab;
}

static void pages_move_down_until_a_block_has_come_together(void **state)
{
	uint32_t kept[7];
	struct lab *lab = scattered(kept);
	pfn_t pfn;

	(void)state;
	page_lab_is_sound(lab);
	pfn = take(lab, 3, GFP_KERNEL | GFP_BIT_MOVABLE);
	assert_int_equal(pfn, 0);
	assert_int_equal(event(lab, EV_compact_migrate_scanned), 7);
	assert_int_equal(event(lab, EV_compact_free_scanned), 4);
	assert_int_equal(event(lab, EV_compact_isolated), 7);
	assert_int_equal(event(lab, EV_pgmigrate_success), 3);
	assert_int_equal(lru_entry(lab, kept[2])->pfn, 27);	/* was 5, isolated last */
	assert_int_equal(lru_entry(lab, kept[1])->pfn, 26);
	assert_int_equal(lru_entry(lab, kept[0])->pfn, 25);
	assert_int_equal(lru_entry(lab, kept[3])->pfn, 9);
	assert_int_equal(event(lab, EV_compact_capture), 1);	/* the free that made the block handed it over */
	page_lab_drop(lab);
}

/* A free hands over a block of the order wanted: no Movable one below pageblock order, which others are to fill. */
static void a_free_hands_over_what_a_compactor_waits_for(void **state)
{
	(void)state;
	for (unsigned int movable = 0; movable < 2; movable++) {
		struct lab *lab = page_lab("mem=64M,cpus=1");
		struct cpu *cpu = lab->cpus[0];
		uint64_t free;
		pfn_t pfn;

		page_policy(lab)->pcp_enabled = 0;
		set_lists(lab);
		free = lab->zones[0].free_pages;
		for (unsigned int i = 0; i < 4; i++)
			pfn = take(lab, 0, movable ? GFP_HIGHUSER_MOVABLE : GFP_KERNEL);
		cpu->capture_order = 2;
		cpu->captured = PFN_NONE;
		cpu->capture = &lab->zones[0];
		for (unsigned int i = 0; i < 4; i++)
			give(lab, pfn - i, 0);
		cpu->capture = NULL;
		assert_int_equal(cpu->captured, movable ? PFN_NONE : pfn - 3);
		assert_int_equal(lab->zones[0].free_pages, movable ? free : free - 4);
		assert_int_equal(event(lab, EV_compact_capture), !movable);
		if (!movable) {	/* it is its owner's, who gives it back */
			page_set_kind(&lab->pages[cpu->captured], page_kind(PAGE_ALLOCATED, 2, MT_UNMOVABLE));
			page_lab_is_sound(lab);
			give(lab, cpu->captured, 2);
		}
		assert_int_equal(lab->zones[0].area[TOP_ORDER].nr_free, 16);
		page_lab_drop(lab);
	}
}

static void the_whole_zone_ends_with_its_pages_together(void **state)
{
	uint32_t kept[7];
	struct lab *lab = scattered(kept);

	(void)state;
	page_ops[VARIANT_COUNTED].compact(lab->cpus[0], 0);
	page_lab_is_sound(lab);
	for (unsigned int i = 0; i < 7; i++)
		assert_true(lru_entry(lab, kept[i])->pfn >= 16);
	assert_non_null(strstr(free_lists(lab, 0), "4:[0]"));
	page_lab_drop(lab);
}

/* E1: with a nearly empty zone DMA the node counts as balanced. */
static void one_good_zone_contents_kswapd(void **state)
{
	struct lab *lab = page_lab("zones=DMA:16M+Normal:240M,cpus=4");

	(void)state;
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	while (lab->zones[1].free_pages > 600)
		assert_int_not_equal(take(lab, 0, GFP_KERNEL), PFN_NONE);
	assert_true(node_is_balanced(lab, 0, 0, ZONE_NORMAL));
	page_policy(lab)->balance = BALANCE_ALL;
	assert_false(node_is_balanced(lab, 0, 0, ZONE_NORMAL));
	page_lab_drop(lab);
}

static void steals_raise_the_marks_and_kswapd_takes_that_back(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");
	struct zone *z = &lab->zones[0];
	uint32_t filler[1024];

	(void)state;
	page_policy(lab)->direct = 0;
	page_policy(lab)->kswapd = 0;
	/* all memory Movable but one pageblock that is half free */
	for (unsigned int i = 0; i < 1024; i++)
		filler[i] = entry(lab, LRU_KIND_FILE);
	for (unsigned int o = NR_PAGE_ORDERS; o-- > 0;)
		while (take(lab, o, GFP_HIGHUSER_MOVABLE | GFP_BIT_MEMALLOC) != PFN_NONE)
			;
	page_ops[VARIANT_COUNTED].work(lab);
	for (unsigned int i = 0; i < 1024; i += 2)
		if (lru_entry(lab, filler[i])->state != ENTRY_FREE)
			drop(lab, filler[i]);
	page_ops[VARIANT_COUNTED].drain(lab->cpus[0]);
	page_policy(lab)->kswapd = 1;
	assert_int_not_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_MEMALLOC), PFN_NONE);
	assert_true(event(lab, EV_watermark_boost) > 0);
	assert_int_equal(z->boost, 512);
	assert_int_equal(z->quick_mark[ZONE_NORMAL], 640 + 512);
	page_ops[VARIANT_COUNTED].work(lab);
	assert_int_equal(z->boost, 0);
	page_lab_drop(lab);
}

/* E0: the limit of 655 + 512 pages leaves room for three pageblocks. */
static void urgent_high_orders_keep_pageblocks_for_their_kind(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");
	struct zone *z = &lab->zones[0];
	unsigned int blocks = 0;

	(void)state;
	page_policy(lab)->pcp_enabled = 0;
	page_policy(lab)->kswapd = 0;
	set_lists(lab);
	while (z->free_pages > 640)
		assert_int_not_equal(take(lab, 0, GFP_KERNEL), PFN_NONE);
	for (unsigned int i = 0; i < 40; i++)
		take(lab, 1, GFP_ATOMIC);
	assert_true(event(lab, EV_highatomic_reserve) > 0);
	assert_true(z->reserved_highatomic <= 3 * 512);
	blocks = (unsigned int)(z->reserved_highatomic / 512);
	assert_int_equal(event(lab, EV_highatomic_reserve), blocks);
	page_policy(lab)->highatomic = HIGHATOMIC_OFF;
	page_policy_changed(lab, PAGE_CHANGE_HIGHATOMIC);
	assert_int_equal(z->reserved_highatomic, 0);
	page_lab_drop(lab);
}

static void old_kernels_set_their_first_pageblocks_aside(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");

	(void)state;
	page_policy(lab)->highatomic = HIGHATOMIC_RESERVE_BLOCK;
	page_policy_changed(lab, PAGE_CHANGE_HIGHATOMIC);
	assert_int_equal(lab->zones[0].reserved_highatomic, 512);	/* min is 512 pages */
	page_lab_drop(lab);
}

/* Given up, a pageblock does not merge by that: only a free looks at buddies. */
static void what_is_given_up_merges_with_the_next_free(void **state)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");
	pfn_t pfn;

	(void)state;
	page_policy(lab)->pcp_enabled = 0;
	set_lists(lab);
	assert_int_equal(take(lab, 9, GFP_HIGHUSER_MOVABLE), 0);
	page_policy(lab)->highatomic = HIGHATOMIC_RESERVE_BLOCK;
	page_policy_changed(lab, PAGE_CHANGE_HIGHATOMIC);
	give(lab, 0, 9);	/* of another type than its buddy now */
	assert_int_equal(lab->zones[0].area[9].nr_free, 2);
	page_policy(lab)->highatomic = HIGHATOMIC_OFF;
	page_policy_changed(lab, PAGE_CHANGE_HIGHATOMIC);
	page_lab_is_sound(lab);
	assert_int_equal(lab->zones[0].area[TOP_ORDER].nr_free, 63);
	assert_int_equal(lab->zones[0].area[9].nr_free, 2);
	pfn = take(lab, 9, GFP_HIGHUSER_MOVABLE);
	assert_true(pfn < 1024);
	give(lab, pfn, 9);
	assert_int_equal(lab->zones[0].area[TOP_ORDER].nr_free, 64);
	page_lab_drop(lab);
}

/* ---- rounds, by page.era ---- */

#define CACHED 2048

static uint64_t lab_event(struct lab *lab, enum event_id ev)
{
	return lab->cpus[0]->part->lab_events[ev - EV_LAB_FIRST];
}

/* All memory is in use, every other page of 16 MiB can be reclaimed: whatever is freed, no two free pages merge. */
static struct lab *alternating(enum page_era era, bool drain)
{
	struct lab *lab = page_lab("mem=256M,cpus=1");
	struct page_policy *p = page_policy(lab);

	p->era = (uint8_t)era;
	p->kswapd = p->compact_direct = 0;
	p->pcp_enabled = p->boost_factor = 0;
	p->drain = drain;
	set_lists(lab);
	for (unsigned int i = 0; i < CACHED; i++) {
		entry(lab, LRU_KIND_FILE);
		assert_int_not_equal(take(lab, 0, GFP_HIGHUSER_MOVABLE), PFN_NONE);
	}
	while (lab->zones[0].free_pages >= 1024)
		assert_int_not_equal(take(lab, TOP_ORDER, GFP_KERNEL | GFP_BIT_MEMALLOC), PFN_NONE);
	while (lab->zones[0].free_pages)
		assert_int_not_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_MEMALLOC), PFN_NONE);
	return lab;
}

/* To 4.2 a small block is asked for as long as pages are freed; later kernels see that this leads to nothing. */
static void old_kernels_go_round_while_something_is_freed(void **state)
{
	static const struct { enum page_era era; bool all; } rows[] = {
		{ PAGE_ERA_2_5_9, true }, { PAGE_ERA_2_6_29, true }, { PAGE_ERA_3_2, true }, { PAGE_ERA_4_2, true },
		{ PAGE_ERA_6_1, false }, { PAGE_ERA_6_18, false },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct lab *lab = alternating(rows[i].era, false);
		uint64_t stolen;

		assert_int_equal(take(lab, 3, GFP_KERNEL), PFN_NONE);
		stolen = event(lab, EV_pgsteal_direct);
		assert_true(rows[i].all ? stolen >= CACHED : stolen > 0 && stolen < CACHED);
		page_lab_drop(lab);
	}
}

/* A large block is worth two rounds where the first freed fewer pages than it has; one that may fail at once, one. */
static void old_kernels_free_as_much_as_a_large_block_has(void **state)
{
	static const struct { unsigned int order; uint32_t more; unsigned int rounds; } rows[] = {
		{ 5, GFP_BIT_RETRY_MAYFAIL, 1 }, { 6, GFP_BIT_RETRY_MAYFAIL, 2 }, { 6, 0, 1 },
		{ 6, GFP_BIT_RETRY_MAYFAIL | GFP_BIT_NORETRY, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct lab *lab = alternating(PAGE_ERA_2_6_29, false);

		assert_int_equal(take(lab, rows[i].order, GFP_KERNEL | rows[i].more), PFN_NONE);
		assert_int_equal(lab_event(lab, EV_allocstall_normal), rows[i].rounds);
		assert_in_range(event(lab, EV_pgsteal_direct), 32 * rows[i].rounds, 64 * rows[i].rounds - 1);
		page_lab_drop(lab);
	}
}

/* 2.6.29 drains behind each reclaim for more than a page, 6.1 where what it freed did not do. */
static void each_era_drains_once_a_round(void **state)
{
	static const struct { enum page_era era; unsigned int order, drains; } rows[] = {
		{ PAGE_ERA_2_6_29, 3, 1 }, { PAGE_ERA_2_6_29, 0, 0 }, { PAGE_ERA_6_1, 3, 1 }, { PAGE_ERA_6_1, 0, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct lab *lab = alternating(rows[i].era, true);

		assert_int_equal(take(lab, rows[i].order, GFP_KERNEL | GFP_BIT_NORETRY), PFN_NONE);
		assert_int_equal(lab_event(lab, EV_drain_all), rows[i].drains);
		page_lab_drop(lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_move_down_until_a_block_has_come_together),
		cmocka_unit_test(a_free_hands_over_what_a_compactor_waits_for),
		cmocka_unit_test(the_whole_zone_ends_with_its_pages_together),
		cmocka_unit_test(one_good_zone_contents_kswapd),
		cmocka_unit_test(steals_raise_the_marks_and_kswapd_takes_that_back),
		cmocka_unit_test(urgent_high_orders_keep_pageblocks_for_their_kind),
		cmocka_unit_test(old_kernels_set_their_first_pageblocks_aside),
		cmocka_unit_test(what_is_given_up_merges_with_the_next_free),
		cmocka_unit_test(old_kernels_go_round_while_something_is_freed),
		cmocka_unit_test(old_kernels_free_as_much_as_a_large_block_has),
		cmocka_unit_test(each_era_drains_once_a_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
