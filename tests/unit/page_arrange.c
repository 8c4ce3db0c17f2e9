/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free lists brought to given counts, exactly, in no more room than they need. */
#include "page_lab.h"

#include <errno.h>

#include "base/rand.h"
#include "page/arrange.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machines_own_table_fits_its_own_zone),
		cmocka_unit_test(six_three_and_one_fit_one_block),
		cmocka_unit_test(the_most_that_a_block_can_hold),
		cmocka_unit_test(whatever_was_can_be_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
