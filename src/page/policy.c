/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defaults (Linux 6.1), and what follows when a policy changes. In a stop of all CPUs. */
#include "page/policy.h"

#include "page/lazy.h"
#include "page/compact.h"
#include "page/drift.h"
#include "page/highatomic.h"
#include "page/ops.h"
#include "page/zone.h"

struct page_policy *lab_page_policy(struct lab *lab)
{
	return page_policy(lab);
}

void page_policy_default(struct page_policy *p)
{
	*p = (struct page_policy){
		.fallback = 1,
		.fallback_rule = FALLBACK_6_1,
		.highatomic = HIGHATOMIC_6_1,
		.free_to_tail = 1,
		.split_keep = SPLIT_KEEP_LOW,
		.mobility = 1,
		.pcp_enabled = 1,
		.pcp_model = PCP_MODEL_6_1,
		.pcp_thp_lists = 1,
		.pcp_max_order = PCP_LOW_ORDERS - 1,
		.pcp_scale_max = 5,
		.watermark_rule = WMARK_SCALE,
		.order_check = WMARK_ORDER_FREELIST,
		.thp_adjust = 0,
		.fair_second_pass = FAIR_RETRY,
		.lazy_theta_low = 20,
		.lazy_theta_high = 35,
		.nofragment = 1,
		.era = PAGE_ERA_6_1,
		.kswapd = 1,
		.direct = 1,
		.swappiness = 60,
		.drain = 1,
		.reclaim_priority = 12,
		.reclaim_batch = 32,
		.slab = 1,
		.slab_cost = 2,
		.slab_batch = 1,
		.cache_pressure = 100,
		.compact_direct = 1,
		.compact_background = 1,
		.compact_defer = 1,
		.compact_max_priority = 2,
		.proactiveness = 20,
		.extfrag_threshold = 500,
		.pcp_batch = AUTO64,
		.pcp_batch_cap = AUTO64,
		.pcp_high = AUTO64,
		.pcp_high_fraction = 0,
		.min_free_kbytes = AUTO64,
		.scale_factor = 10,
		.boost_factor = 15000,
		.fail = { .ignore_wait = 1, .ignore_highmem = 1, .min_order = 1, .interval = 1, .times = 1 },
		.reserve_ratio = { 256, 256, 32, 0 },
	};
}

/* Lists whose order no request looks at any more: what lies there would never be used. */
static uint32_t unused_lists(const struct pcp *pcp)
{
	uint32_t lists = 0;

	for (unsigned int l = 0; l < PCP_LISTS; l++)
		if (!pcp_has_order(pcp, pcp_list_order(l)))
			lists |= 1U << l;
	return lists;
}

static void drain_unused(struct lab *lab)
{
	const struct page_ops *ops = page_ops_of(lab);

	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		for (unsigned int i = 0; i < lab->nr_zones; i++) {
			struct zone *z = &lab->zones[i];
			uint32_t lists = unused_lists(&zone_cpu(lab->cpus[c], z)->pcp);

			if (lists)
				ops->drain_zone(lab->cpus[c], z, lists);
		}
}

/* Other lists, other rules: all begin empty. */
static void drain_all(struct lab *lab)
{
	const struct page_ops *ops = page_ops_of(lab);

	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		for (unsigned int i = 0; i < lab->nr_zones; i++) {
			struct pcp *pcp = &zone_cpu(lab->cpus[c], &lab->zones[i])->pcp;

			ops->drain_zone(lab->cpus[c], &lab->zones[i], UINT32_MAX);
			pcp->cold = pcp->free_count = 0;
			pcp->high = 0;	/* where it tunes itself */
			pcp->free_factor = pcp->alloc_factor = pcp->flags = 0;
			lab->zones[i].below_high = 0;
		}
}

/* Sizes follow all sorts of things; what is set aside follows the min marks alone. */
static void sizes_changed(struct lab *lab)
{
	uint64_t min[MAX_ZONES];
	bool moved = false;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		min[i] = lab->zones[i].mark[WMARK_MIN];
	zone_sizes_update(lab);
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		moved |= min[i] != lab->zones[i].mark[WMARK_MIN];
	if (moved)
		highatomic_marks_changed(lab);
}

void page_policy_changed(struct lab *lab, enum page_change what)
{
	switch (what) {
	case PAGE_CHANGE_NONE:
		break;
	case PAGE_CHANGE_SIZES:
		sizes_changed(lab);
		break;
	case PAGE_CHANGE_QUICK:
		quick_update(lab);
		break;
	case PAGE_CHANGE_MODEL:
		drain_all(lab);
		zone_sizes_update(lab);
		break;
	case PAGE_CHANGE_LISTS:
		zone_sizes_update(lab);
		drain_unused(lab);
		break;
	case PAGE_CHANGE_COALESCE:
		lazy_update(lab);
		break;
	case PAGE_CHANGE_MOBILITY:
		grouping_update(lab);
		break;
	case PAGE_CHANGE_LRU:
		lru_scope_update(lab);
		break;
	case PAGE_CHANGE_DEFER:
		compaction_forget_defers(lab);
		break;
	case PAGE_CHANGE_HIGHATOMIC:
		highatomic_update(lab);
		break;
	case PAGE_CHANGE_DRIFT:
		drift_reset(lab);
		quick_update(lab);
		break;
	}
}
