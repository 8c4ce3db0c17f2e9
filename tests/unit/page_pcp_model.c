/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of the CPUs' lists: their sizes, ends and turns (history-pages.md section 5, pages.md section 4.7). */
#include "page_lab.h"
#include "page/lru.h"

#define PAGES 5000

static const struct page_ops *const ops = &page_ops[VARIANT_COUNTED];

static void turn_to(struct lab *lab, enum pcp_model model)
{
	page_policy(lab)->pcp_model = (uint8_t)model;
	page_policy_changed(lab, PAGE_CHANGE_MODEL);
}

static struct lab *lab_of(enum pcp_model model)
{
	struct lab *lab = page_lab("mem=256M,cpus=4");

	turn_to(lab, model);
	return lab;
}

static struct pcp *lists_of(struct lab *lab)
{
	return &zone_cpu(lab->cpus[0], lab->zones)->pcp;
}

static pfn_t get(struct lab *lab, uint32_t gfp)
{
	pfn_t pfn = ops->alloc_pages(lab->cpus[0], 0, gfp, -1);

	assert_int_not_equal(pfn, PFN_NONE);
	return pfn;
}

static void put(struct lab *lab, pfn_t pfn)
{
	ops->free_pages(lab->cpus[0], pfn, 0);
}

static pfn_t *many(struct lab *lab, unsigned int n)
{
	pfn_t *pfns = calloc(n, sizeof(*pfns));

	for (unsigned int i = 0; i < n; i++)
		pfns[i] = get(lab, GFP_KERNEL);
	return pfns;
}

/* Batch and high of a zone of 256 MiB on 4 CPUs. */
static void sizes_are_those_of_the_time(void **state)
{
	static const struct { enum pcp_model model; uint32_t batch, high; } rows[] = {
		{ PCP_MODEL_AKPM16, 16, 32 }, { PCP_MODEL_HOTCOLD, 16, 96 }, { PCP_MODEL_HOTCOLD1, 15, 90 },
		{ PCP_MODEL_TYPES, 15, 90 }, { PCP_MODEL_5_14, 15, 160 }, { PCP_MODEL_6_1, 15, 160 },
	};
	struct lab *lab = lab_of(PCP_MODEL_NONE);

	(void)state;
	assert_int_equal(lists_of(lab)->orders, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		turn_to(lab, rows[i].model);
		assert_int_equal(lists_of(lab)->batch, rows[i].batch);
		assert_int_equal(lists_of(lab)->high, rows[i].high);
		assert_int_equal(lists_of(lab)->orders, rows[i].model < PCP_MODEL_5_14 ? 1 : 0x20f);
	}
	turn_to(lab, PCP_MODEL_6_18);
	assert_int_equal(lists_of(lab)->high_min, 160);
	assert_int_equal(lists_of(lab)->high_max, 2048);
	page_lab_drop(lab);
	/* under 8192 pages the lists before 5.14 held nothing */
	lab = page_lab("mem=16M,cpus=1");
	turn_to(lab, PCP_MODEL_TYPES);
	assert_int_equal(lists_of(lab)->high, 0);
	put(lab, get(lab, GFP_KERNEL));
	assert_int_equal(lists_of(lab)->count, 0);
	page_lab_drop(lab);
}

/* One take of the zone's lock for each page, or for each batch: 13 % of the time became 2 %. */
static void the_lock_is_taken_once_a_batch(void **state)
{
	static const struct { enum pcp_model model; unsigned int pages; } rows[] = {
		{ PCP_MODEL_NONE, 1 }, { PCP_MODEL_AKPM16, 16 }, { PCP_MODEL_HOTCOLD, 16 }, { PCP_MODEL_TYPES, 15 },
		{ PCP_MODEL_6_1, 15 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct lab *lab = lab_of(rows[i].model);
		uint64_t before = lab->zones->lock.acquired, taken;
		pfn_t *pfns = many(lab, 4800);

		taken = lab->zones->lock.acquired - before;
		assert_in_range(taken, 4800 / rows[i].pages, 4800 / rows[i].pages + 2);
		assert_int_equal(zone_cpu(lab->cpus[0], lab->zones)->lock.acquired, lab->zones->lock.acquired);
		for (unsigned int k = 0; k < 4800; k++)
			put(lab, pfns[k]);
		if (rows[i].model == PCP_MODEL_NONE || rows[i].model == PCP_MODEL_AKPM16)
			assert_in_range(lab->zones->lock.acquired - before - taken, 4800 / rows[i].pages - 2, 4800 / rows[i].pages);
		page_lab_is_sound(lab);
		free(pfns);
		page_lab_drop(lab);
	}
}

/* 2002: last in, first out; more than 32 and the 16 coldest go. */
static void akpm16_keeps_what_was_freed_last(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_NONE);
	pfn_t *pfns = many(lab, 40);

	(void)state;
	turn_to(lab, PCP_MODEL_AKPM16);
	for (unsigned int i = 0; i < 32; i++)
		put(lab, pfns[i]);
	assert_int_equal(lists_of(lab)->count, 32);
	put(lab, pfns[32]);
	assert_int_equal(lists_of(lab)->count, 17);
	for (unsigned int i = 0; i < 17; i++)
		assert_int_equal(get(lab, GFP_KERNEL), pfns[32 - i]);
	assert_int_equal(lists_of(lab)->count, 0);
	free(pfns);
	page_lab_drop(lab);
}

/* 2.6.0: refilled at the low mark, cold pages apart. */
static void hotcold_refills_before_it_is_empty(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_HOTCOLD);
	pfn_t pfn, *cold;

	(void)state;
	get(lab, GFP_KERNEL);
	assert_int_equal(lists_of(lab)->count, 15);
	get(lab, GFP_KERNEL);		/* 15 <= 32: another batch, though pages are there */
	assert_int_equal(lists_of(lab)->count, 30);
	get(lab, GFP_KERNEL);
	get(lab, GFP_KERNEL);
	assert_int_equal(lists_of(lab)->count, 44);
	pfn = get(lab, GFP_KERNEL | GFP_BIT_COLD);
	assert_int_equal(lists_of(lab)->cold, 15);
	put(lab, pfn);			/* hot now */
	assert_int_equal(get(lab, GFP_KERNEL), pfn);
	cold = many(lab, 100);
	ops->free_list(lab->cpus[0], 100, cold);	/* given up as cold: 32 are held, a batch goes back */
	assert_in_range(lists_of(lab)->cold, 17, 32);
	assert_int_equal(get(lab, GFP_KERNEL | GFP_BIT_COLD), cold[99]);
	free(cold);
	page_lab_drop(lab);
}

/* 2.6.25: a page of the type is looked for along the list, from the cold end for cold ones. */
static void hotcold1_looks_for_its_type(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_HOTCOLD1);
	struct pcp *pcp = lists_of(lab);
	pfn_t u, m;

	(void)state;
	u = get(lab, GFP_KERNEL);
	m = get(lab, GFP_HIGHUSER_MOVABLE);	/* none on the list: a batch in front of it */
	assert_int_equal(pcp->count, 28);
	assert_int_equal(get(lab, GFP_HIGHUSER_MOVABLE), m + 1);
	assert_int_equal(get(lab, GFP_KERNEL), u + 1);
	assert_int_equal(get(lab, GFP_KERNEL | GFP_BIT_COLD), u + 14);
	assert_int_equal(lab->pages[pcp->lists[0].head].mtype, MT_MOVABLE);
	page_lab_drop(lab);
}

/* 2.6.32: the types in turns from the second on, an empty list lets the next give one more. */
static void types_drains_the_lists_in_turns(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_NONE);
	struct pcp *pcp = lists_of(lab);
	pfn_t u[100], m[100];

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		u[i] = get(lab, GFP_KERNEL);
		m[i] = get(lab, GFP_HIGHUSER_MOVABLE);
	}
	turn_to(lab, PCP_MODEL_TYPES);
	for (unsigned int i = 0; i < 30; i++)
		put(lab, m[i]);
	for (unsigned int i = 0; i < 60; i++)
		put(lab, u[i]);
	/* 90 held: 15 go, 1 movable, then 2 unmovable (reclaimable is empty), and so on */
	assert_int_equal(pcp->count, 75);
	assert_int_equal(pcp_length(lab->pages, &pcp->lists[MT_MOVABLE]), 25);
	assert_int_equal(pcp_length(lab->pages, &pcp->lists[MT_UNMOVABLE]), 50);
	assert_int_not_equal(lab->pages[u[9]].role, PAGE_ON_PCP);	/* the coldest went */
	assert_int_equal(lab->pages[u[10]].role, PAGE_ON_PCP);
	page_lab_drop(lab);
}

/* 6.8 and later: the table of frees only. */
static void frees_let_the_limit_grow(void **state)
{
	static const struct { unsigned int at, n, high; } table[] = {
		{ 160, 145, 175 }, { 320, 160, 335 }, { 640, 320, 495 }, { 1120, 480, 495 }, { 1600, 480, 495 }, { 2080, 480, 495 },
	};
	struct lab *lab = lab_of(PCP_MODEL_NONE);
	pfn_t *pfns = many(lab, PAGES);
	struct pcp *pcp = lists_of(lab);
	unsigned int row = 0;

	(void)state;
	turn_to(lab, PCP_MODEL_6_18);
	for (unsigned int i = 1; row < ARRAY_SIZE(table); i++) {
		uint32_t count = pcp->count;

		put(lab, pfns[i]);
		if (pcp->count == count + 1)
			continue;
		assert_int_equal(i, table[row].at);
		assert_int_equal(count + 1 - pcp->count, table[row].n);
		assert_int_equal(pcp->high, table[row].high);
		row++;
	}
	assert_int_equal(pcp->count, 15);
	free(pfns);
	page_lab_drop(lab);
}

/* The table of allocations only, and what a rest does. */
static void allocations_let_refills_grow(void **state)
{
	static const uint32_t got[] = { 15, 30, 60, 120, 240, 480, 480, 480, 480 };
	static const uint32_t high[] = { 175, 205, 265, 385, 625, 1105, 1585, 2048, 2048 };
	struct lab *lab = lab_of(PCP_MODEL_6_18);
	struct pcp *pcp = lists_of(lab);

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(got); i++) {
		assert_int_equal(pcp->count, 0);
		get(lab, GFP_KERNEL);
		assert_int_equal(pcp->count + 1, got[i]);
		assert_int_equal(pcp->high, high[i]);
		while (pcp->count)
			get(lab, GFP_KERNEL);
	}
	/* each second the limit falls by an eighth */
	ops->tick(lab->cpus[0]);
	assert_int_equal(pcp->high, 2048 - 256);
	for (unsigned int i = 0; i < 100; i++)
		ops->tick(lab->cpus[0]);
	assert_int_equal(pcp->high, 160);
	page_lab_drop(lab);
}

/* While kswapd works on the zone a CPU keeps four batches at most: 60 here, not 160 (pages.md 4.3 and 4.7). */
static void kswapd_at_work_lowers_the_limit(void **state)
{
	static const struct { enum pcp_model model; unsigned int at[3], n[3]; } rows[] = {
		{ PCP_MODEL_TYPES, { 90, 105, 120 }, { 15, 15, 15 } },		/* knew nothing of it */
		{ PCP_MODEL_6_1, { 60, 75, 105 }, { 15, 30, 45 } },
		{ PCP_MODEL_6_18, { 60, 105, 150 }, { 45, 45, 45 } },
	};

	(void)state;
	for (unsigned int r = 0; r < ARRAY_SIZE(rows); r++) {
		struct lab *lab = lab_of(PCP_MODEL_NONE);
		pfn_t *pfns = many(lab, PAGES);
		struct pcp *pcp = lists_of(lab);
		unsigned int row = 0;

		reclaim_zone(lab, 0)->active = 1;
		turn_to(lab, rows[r].model);
		for (unsigned int i = 1; row < 3; i++) {
			uint32_t count = pcp->count;

			put(lab, pfns[i]);
			if (pcp->count == count + 1)
				continue;
			assert_int_equal(i, rows[r].at[row]);
			assert_int_equal(count + 1 - pcp->count, rows[r].n[row]);
			row++;
		}
		free(pfns);
		page_lab_drop(lab);
	}
}

/* A zone that is short of memory lets its lists shrink, until a drain lifts it again. */
static void a_low_zone_stops_the_growth(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_6_18);
	struct zone *z = lab->zones;
	pfn_t *pfns = calloc(70000, sizeof(*pfns));
	unsigned int n = 0;

	(void)state;
	while (!z->below_high)
		pfns[n++] = get(lab, GFP_KERNEL);
	assert_true(z->free_pages <= z->mark[WMARK_HIGH] + 1);
	while (n && z->below_high)
		put(lab, pfns[--n]);
	assert_false(z->below_high);
	assert_true(z->free_pages > z->mark[WMARK_HIGH]);
	free(pfns);
	page_lab_drop(lab);
}

/* Lowered to its least by reclaim, `high` has no way to fall: what is held above it goes back all the same. */
static void a_second_takes_what_is_above_the_least(void **state)
{
	struct lab *lab = lab_of(PCP_MODEL_6_18);
	struct pcp *pcp = lists_of(lab);
	pfn_t *pfns = many(lab, 130);

	(void)state;
	for (unsigned int i = 0; i < 130; i++)
		put(lab, pfns[i]);
	free(pfns);
	assert_true(pcp->count > 100);
	pcp->high = pcp->high_min = 100;
	ops->tick(lab->cpus[0]);
	assert_int_equal(pcp->count, 100);
	assert_int_equal(pcp->high, 100);
	set_sizes(lab);
	page_lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_the_time),
		cmocka_unit_test(the_lock_is_taken_once_a_batch),
		cmocka_unit_test(akpm16_keeps_what_was_freed_last),
		cmocka_unit_test(hotcold_refills_before_it_is_empty),
		cmocka_unit_test(hotcold1_looks_for_its_type),
		cmocka_unit_test(types_drains_the_lists_in_turns),
		cmocka_unit_test(frees_let_the_limit_grow),
		cmocka_unit_test(allocations_let_refills_grow),
		cmocka_unit_test(kswapd_at_work_lowers_the_limit),
		cmocka_unit_test(a_low_zone_stops_the_growth),
		cmocka_unit_test(a_second_takes_what_is_above_the_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
