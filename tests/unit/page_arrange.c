/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free lists brought to given counts, exactly, in no more room than they need. */
#include "page_lab.h"

#include <errno.h>

#include "base/rand.h"
#include "page/area.h"
#include "page/arrange.h"
#include "page/pageblock.h"

static struct held_pages *held;
static uint64_t held_nr;

static int arrange(struct lab *lab, unsigned int zone, const uint64_t nr_free[NR_PAGE_ORDERS])
{
	struct free_wish wish = { .untyped = true };

	memcpy(wish.free[MT_MOVABLE], nr_free, sizeof(wish.free[0]));
	free(held);
	held = NULL;
	held_nr = 0;
	return page_arrange(lab->cpus[0], zone, &wish, &held, &held_nr);
}

static void comes_out(struct lab *lab, unsigned int zone, const uint64_t nr_free[NR_PAGE_ORDERS])
{
	struct zone_figures f;

	if (arrange(lab, zone, nr_free))
		fail_msg("%s", fail_why());
	zone_figures(lab, zone, false, &f);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		assert_int_equal(f.nr_free[o], nr_free[o]);
	page_lab_is_sound(lab);
}

/* All that is held given back, the zone is whole again. */
static void goes_back(struct lab *lab, unsigned int zone)
{
	for (uint64_t i = 0; i < held_nr; i++)
		give(lab, held[i].pfn, held[i].order);
	page_ops[VARIANT_COUNTED].drain(lab->cpus[0]);
	assert_int_equal(lab->zones[zone].free_pages, lab->zones[zone].managed);
	assert_int_equal(lab->zones[zone].area[TOP_ORDER].nr_free, lab->zones[zone].managed >> TOP_ORDER);
}

static void a_machines_own_table_fits_its_own_zone(void **state)
{
	static const uint64_t dma[NR_PAGE_ORDERS] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3 };
	static const uint64_t used[NR_PAGE_ORDERS] = { 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 3 };
	static const uint64_t dma32[NR_PAGE_ORDERS] = { 0, 1, 2, 2, 1, 2, 4, 3, 1, 3, 99 };
	struct lab *lab = page_lab("zones=DMA:16M:3840p+DMA32:496M,cpus=2");

	(void)state;
	comes_out(lab, 0, dma);
	goes_back(lab, 0);
	comes_out(lab, 0, used);
	comes_out(lab, 1, dma32);
	goes_back(lab, 1);
	page_lab_drop(lab);
}

static void six_three_and_one_fit_one_block(void **state)
{
	static const uint64_t nr_free[NR_PAGE_ORDERS] = { 6, 3, 1 };
	struct lab *lab = page_lab("zones=Normal:4M,cpus=1");

	(void)state;
	comes_out(lab, 0, nr_free);
	assert_int_equal(lab->zones->free_pages, 16);
	page_lab_drop(lab);
}

static void the_most_that_a_block_can_hold(void **state)
{
	static const uint64_t one_each[NR_PAGE_ORDERS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	static const uint64_t singles[NR_PAGE_ORDERS] = { 512 };
	static const uint64_t many[NR_PAGE_ORDERS] = { 513 };
	static const uint64_t whole[NR_PAGE_ORDERS] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
	struct lab *lab = page_lab("zones=Normal:4M,cpus=1");

	(void)state;
	comes_out(lab, 0, one_each);
	assert_int_equal(held_nr, 1);
	goes_back(lab, 0);
	comes_out(lab, 0, singles);
	assert_int_equal(held_nr, 512);
	goes_back(lab, 0);
	comes_out(lab, 0, whole);
	goes_back(lab, 0);
	assert_int_equal(arrange(lab, 0, many), -ENOSPC);
	assert_string_equal(free_lists(lab, 0), "10:[0]");
	assert_int_equal(take(lab, 0, GFP_KERNEL | GFP_BIT_MEMALLOC), 0);
	assert_int_equal(arrange(lab, 0, singles), -EBUSY);
	page_lab_drop(lab);
}

/* What a zone once looked like can be made again: take and give at random, then ask for those counts. */
static void whatever_was_can_be_made_again(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (unsigned int round = 0; round < 20; round++) {
		struct lab *was = page_lab("zones=Normal:32M:7777p,cpus=1"), *now;
		static pfn_t pfns[8192];
		unsigned int nr = 0;
		struct zone_figures f;

		page_policy(was)->pcp_enabled = 0;
		set_lists(was);
		for (unsigned int i = 0; i < 4000; i++) {
			if (rand_below(&seed, 100) < 30 + 2 * round && nr) {
				unsigned int k = (unsigned int)rand_below(&seed, nr);

				give(was, pfns[k], was->pages[pfns[k]].order);
				pfns[k] = pfns[--nr];
			} else {
				pfn_t pfn = take(was, (unsigned int)rand_below(&seed, 3), GFP_KERNEL | GFP_BIT_MEMALLOC);

				if (pfn != PFN_NONE)
					pfns[nr++] = pfn;
			}
		}
		zone_figures(was, 0, false, &f);
		now = page_lab("zones=Normal:32M:7777p,cpus=1");
		comes_out(now, 0, f.nr_free);
		page_lab_drop(was);
		page_lab_drop(now);
	}
}

/* ---- types ---- */

/* What the zone's lists and pageblocks are now, by type. */
static void read_types(const struct lab *lab, unsigned int zone, struct free_wish *w)
{
	const struct zone *z = &lab->zones[zone];

	memset(w, 0, sizeof(*w));
	for (unsigned int t = 0; t < MT_NR; t++)
		for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
			for (pfn_t pfn = z->area[o].list[t].head; pfn != PFN_NONE; pfn = *area_next((struct lab *)lab, pfn, o))
				w->free[t][o]++;
	for (uint64_t pfn = z->start; pfn < zone_managed_end(z); pfn += 1U << pageblock_order(lab))
		w->blocks[pageblock_type(lab, (pfn_t)pfn)]++;
}

static int arrange_types(struct lab *lab, unsigned int zone, const struct free_wish *wish)
{
	free(held);
	held = NULL;
	held_nr = 0;
	return page_arrange(lab->cpus[0], zone, wish, &held, &held_nr);
}

static void types_come_out(struct lab *lab, unsigned int zone, const struct free_wish *wish)
{
	struct free_wish is;

	if (arrange_types(lab, zone, wish))
		fail_msg("%s", fail_why());
	read_types(lab, zone, &is);
	assert_memory_equal(is.free, wish->free, sizeof(is.free));
	assert_memory_equal(is.blocks, wish->blocks, sizeof(is.blocks));
	page_lab_is_sound(lab);
}

/* A machine's zone DMA: what is not Movable shares a block of 4 MiB with what is. */
static void types_share_a_top_order_block(void **state)
{
	static const struct free_wish dma = {
		.free = { [MT_UNMOVABLE] = { [8] = 1 }, [MT_MOVABLE] = { [9] = 1, [10] = 3 } },
		.blocks = { [MT_UNMOVABLE] = 1, [MT_MOVABLE] = 7 },
	};
	struct lab *whole = page_lab("zones=DMA:16M,cpus=2"), *part = page_lab("zones=DMA:16M:3840p,cpus=2");

	(void)state;
	types_come_out(whole, 0, &dma);
	goes_back(whole, 0);
	types_come_out(part, 0, &dma);	/* its end is Unmovable then */
	assert_int_equal(held_nr, 0);
	page_lab_drop(whole);
	page_lab_drop(part);
}

/* As above, but each block has a type; whole pageblocks change hands on the way. */
static void types_can_be_made_again(void **state)
{
	static const uint32_t gfps[] = { GFP_KERNEL, GFP_KERNEL | GFP_BIT_RECLAIMABLE, GFP_HIGHUSER_MOVABLE };
	static const char *const shapes[] = {
		"zones=Normal:64M,cpus=1", "zones=Normal:64M:15000p,cpus=1", "zones=Normal:64M,cpus=1,pageblock_order=10",
		"zones=Normal:64M:15001p,cpus=1,pageblock_order=4",
	};
	uint64_t seed = 11;

	(void)state;
	for (unsigned int round = 0; round < 24; round++) {
		const char *shape = shapes[round % 4];
		struct lab *was = page_lab(shape), *now = page_lab(shape);
		static pfn_t pfns[16384];
		struct free_wish wish;
		unsigned int nr = 0;

		page_policy(was)->pcp_enabled = 0;
		set_lists(was);
		for (unsigned int i = 0; i < 6000; i++) {
			if (rand_below(&seed, 100) < 20 + 2 * round && nr) {
				unsigned int k = (unsigned int)rand_below(&seed, nr);

				give(was, pfns[k], was->pages[pfns[k]].order);
				pfns[k] = pfns[--nr];
			} else {
				pfn_t pfn = take(was, (unsigned int)rand_below(&seed, 4), gfps[rand_below(&seed, 3)]);

				if (pfn != PFN_NONE)
					pfns[nr++] = pfn;
			}
		}
		read_types(was, 0, &wish);
		types_come_out(now, 0, &wish);
		page_lab_drop(was);
		page_lab_drop(now);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_share_a_top_order_block),
		cmocka_unit_test(types_can_be_made_again),
		cmocka_unit_test(a_machines_own_table_fits_its_own_zone),
		cmocka_unit_test(six_three_and_one_fit_one_block),
		cmocka_unit_test(the_most_that_a_block_can_hold),
		cmocka_unit_test(whatever_was_can_be_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
