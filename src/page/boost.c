/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/boost.h"

#include "base/bits.h"

uint64_t zone_boost(struct lab *lab, struct zone *z, bool wake)
{
	uint64_t block = 1ULL << pageblock_order(lab), boost;
	uint64_t most = z->mark[WMARK_HIGH] * (uint64_t)page_policy(lab)->boost_factor / 10000;

	/* a small zone could be boosted out of its own reach */
	if (!most || z->managed < 4 * block)
		return 0;
	boost = min_u64(z->boost + block, max_u64(block, most));
	poke(z->boost, boost);
	zone_quick_marks_update(lab, z);
	if (wake)
		poke(z->boosted, 1);
	return boost;
}

void zone_boost_lower(struct lab *lab, struct zone *z, uint64_t pages)
{
	poke(z->boost, z->boost - min_u64(z->boost, pages));
	zone_quick_marks_update(lab, z);
}
