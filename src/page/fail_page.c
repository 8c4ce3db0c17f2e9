/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/fail_page.h"

#include "base/gfp.h"
#include "base/rand.h"

static bool concerns(const struct fail_page_policy *f, unsigned int order, uint32_t gfp)
{
	if (order < f->min_order || gfp & GFP_BIT_NOFAIL)
		return false;
	return !(f->ignore_highmem && gfp & GFP_BIT_HIGHMEM) && !(f->ignore_wait && gfp & GFP_BIT_DIRECT_RECLAIM);
}

/* Pages that are given out before anything fails. */
static bool has_space(struct fail_page_policy *f, uint64_t pages)
{
	uint64_t space = __atomic_load_n(&f->space, __ATOMIC_RELAXED);

	while (space > pages)
		if (__atomic_compare_exchange_n(&f->space, &space, space - pages, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	return false;
}

/* One failure fewer is left, unless there is no end. */
static bool take_time(struct fail_page_policy *f)
{
	int32_t times = __atomic_load_n(&f->times, __ATOMIC_RELAXED);

	while (times > 0)
		if (__atomic_compare_exchange_n(&f->times, &times, times - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	return times < 0;
}

/* A step of base/rand.h; the state moves on in one addition, so that several CPUs may draw. */
static uint64_t draw(const struct lab *lab, struct fail_page_policy *f, uint64_t below)
{
	uint64_t state = __atomic_fetch_add(&f->rand, RAND_STEP, __ATOMIC_RELAXED) + lab->hdr->shape.seed;

	return rand_below(&state, below);
}

bool page_decide_to_fail(struct lab *lab, unsigned int order, uint32_t gfp)
{
	struct fail_page_policy *f = &page_policy(lab)->fail;

	if (!concerns(f, order, gfp) || !__atomic_load_n(&f->times, __ATOMIC_RELAXED) || has_space(f, 1ULL << order))
		return false;
	if (f->interval > 1 && __atomic_add_fetch(&f->asked, 1, __ATOMIC_RELAXED) % f->interval)
		return false;
	return draw(lab, f, 100) < f->probability && take_time(f);
}
