/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy - the page layer's variables, plainly, as hot paths read them.
 *
 * Written only in a stop, by the row table of src/policy. Values that mean
 * "by formula" are the AUTO of their type; what came of them stands in the
 * zone (watermarks, batch, high).
 */
#ifndef PAGE_POLICY_H
#define PAGE_POLICY_H

#include "base/types.h"

#define AUTO64 INT64_MIN

enum watermark_rule { WMARK_SCALE, WMARK_QUARTER, WMARK_TRIPLE };
enum watermark_order_check { WMARK_ORDER_SIZE, WMARK_ORDER_HALVING, WMARK_ORDER_FREELIST };
enum coalesce { COALESCE_EAGER, COALESCE_LAZY };
enum lazy_rule { LAZY_DELAY2, LAZY_WATERMARK };
enum pcp_model {
	PCP_MODEL_NONE, PCP_MODEL_AKPM16, PCP_MODEL_HOTCOLD, PCP_MODEL_HOTCOLD1, PCP_MODEL_TYPES, PCP_MODEL_5_14,
	PCP_MODEL_6_1, PCP_MODEL_6_7, PCP_MODEL_6_18,
};
enum fallback_rule { FALLBACK_2_6_24, FALLBACK_4_0, FALLBACK_6_1, FALLBACK_6_15 };
enum highatomic { HIGHATOMIC_OFF, HIGHATOMIC_RESERVE_BLOCK, HIGHATOMIC_6_1, HIGHATOMIC_6_7 };
enum page_era { PAGE_ERA_2_5_9, PAGE_ERA_2_6_29, PAGE_ERA_3_2, PAGE_ERA_3_16, PAGE_ERA_4_2, PAGE_ERA_6_1, PAGE_ERA_6_18 };
enum lru_scope { LRU_SCOPE_NODE, LRU_SCOPE_ZONE };
enum slab_by { SLAB_BY_PRIORITY, SLAB_BY_SCANNED };
enum balance { BALANCE_ANY, BALANCE_ALL };
enum oom { OOM_FAIL, OOM_EVICT, OOM_STOP };
enum fair_policy { FAIR_OFF, FAIR_BATCH, FAIR_LOWCOST };
enum fair_second_pass { FAIR_SLOWPATH, FAIR_RETRY };
enum split_keep { SPLIT_KEEP_LOW, SPLIT_KEEP_HIGH };

/* Fault injection for pages, with the attributes of the kernel's fail_page_alloc, and what it needs to know from one request to the next. */
struct fail_page_policy {
	uint8_t probability;		/* fail_page_alloc.probability, per cent; 0: off */
	uint8_t ignore_wait, ignore_highmem, min_order;
	uint32_t interval;		/* every n-th request only */
	int32_t times;			/* failures left, -1 endless */
	uint64_t space;			/* pages that succeed first */
	uint64_t asked, rand;		/* no policies: requests counted for the interval; random state */
};

struct page_policy {
	uint8_t fallback;		/* buddy.fallback */
	uint8_t fallback_rule;		/* buddy.fallback_rule */
	uint8_t highatomic;		/* buddy.highatomic */
	uint8_t free_to_tail;		/* buddy.free_to_tail */
	uint8_t split_keep;		/* buddy.split_keep */
	uint8_t mobility;		/* buddy.mobility */
	uint8_t pcp_enabled;		/* pcp.enabled */
	uint8_t pcp_model;		/* pcp.model */
	uint8_t pcp_thp_lists;		/* pcp.thp_lists */
	uint8_t pcp_max_order;		/* pcp.max_order, 0..3 */
	uint8_t pcp_scale_max;		/* pcp.scale_max, 0..6 */
	uint8_t watermark_rule;		/* zone.watermark_rule */
	uint8_t order_check;		/* zone.watermark_order_check */
	uint8_t thp_adjust;		/* zone.min_free_thp_adjust */
	uint8_t nofragment;		/* zone.nofragment */
	uint8_t fair;			/* zone.fair */
	uint8_t fair_second_pass;	/* zone.fair_second_pass */
	uint8_t fair_drift_bug;		/* zone.fair_drift_bug */
	uint8_t stat_drift;		/* zone.stat_drift */
	uint8_t coalesce;		/* buddy.coalesce */
	uint8_t lazy_rule;		/* buddy.lazy_rule */
	uint8_t lazy_theta_low;		/* buddy.lazy_theta_low, 0..50 */
	uint8_t lazy_theta_high;	/* buddy.lazy_theta_high, 0..50 */
	uint8_t era;			/* page.era */
	uint8_t kswapd;			/* reclaim.kswapd */
	uint8_t direct;			/* reclaim.direct */
	uint8_t lru_scope;		/* reclaim.lru_scope */
	uint8_t balance;		/* reclaim.balance */
	uint8_t swap;			/* reclaim.swap */
	uint8_t swappiness;		/* reclaim.swappiness, 0..200 */
	uint8_t drain;			/* reclaim.drain */
	uint8_t oom;			/* reclaim.oom */
	uint8_t reclaim_priority;	/* reclaim.priority, 0..12 */
	uint16_t reclaim_batch;		/* reclaim.batch, pages, 1..512 */
	uint8_t slab;			/* reclaim.slab */
	uint8_t slab_by;		/* reclaim.slab_by */
	uint8_t slab_cost;		/* reclaim.slab_cost, 0..16 */
	uint16_t slab_batch;		/* reclaim.slab_batch, objects, 1..4096 */
	uint16_t cache_pressure;	/* reclaim.vfs_cache_pressure, per cent, 0..1000 */
	uint8_t compact_direct;		/* compact.direct */
	uint8_t compact_background;	/* compact.background */
	uint8_t compact_defer;		/* compact.defer */
	uint8_t compact_fast_search;	/* compact.fast_search */
	uint8_t compact_max_priority;	/* compact.max_priority: 0 async .. 2 sync_full */
	uint8_t proactiveness;		/* compact.proactiveness, 0..100 */
	int16_t extfrag_threshold;	/* compact.extfrag_threshold, thousandths */
	int64_t pcp_batch;		/* pcp.batch, pages, AUTO64 */
	int64_t pcp_batch_cap;		/* pcp.batch_cap, pages, AUTO64 = 256 */
	int64_t pcp_high;		/* pcp.high, pages, AUTO64 */
	int64_t pcp_high_fraction;	/* pcp.high_fraction, 0 or >= 8 */
	int64_t min_free_kbytes;	/* zone.min_free_kbytes, AUTO64 */
	int64_t scale_factor;		/* zone.watermark_scale_factor, 1..3000 */
	int64_t boost_factor;		/* zone.watermark_boost_factor, 0: never */
	struct fail_page_policy fail;	/* fail_page_alloc.… */
	int64_t reserve_ratio[4];	/* zone.lowmem_reserve_ratio: DMA, DMA32, Normal, Movable; 0 = none */
};

void page_policy_default(struct page_policy *p);

/* What a change makes necessary; called in a stop, after the field was written. */
enum page_change {
	PAGE_CHANGE_NONE,
	PAGE_CHANGE_SIZES,	/* watermarks, batch, high anew */
	PAGE_CHANGE_MODEL,	/* other per-CPU lists: drain all, sizes anew */
	PAGE_CHANGE_LISTS,	/* some per-CPU lists are no longer in use: drain them */
	PAGE_CHANGE_MOBILITY,
	PAGE_CHANGE_COALESCE,	/* count, or merge what is due */
	PAGE_CHANGE_LRU,	/* pages go over to the lists of the other scope */
	PAGE_CHANGE_DEFER,	/* compaction forgets what it put off */
	PAGE_CHANGE_QUICK,	/* may requests go the quick way? */
	PAGE_CHANGE_HIGHATOMIC,	/* reserved pageblocks are given up, or made */
	PAGE_CHANGE_DRIFT,	/* counts begin to drift, or are exact again */
};
struct lab;
void page_policy_changed(struct lab *lab, enum page_change what);
struct page_policy *lab_page_policy(struct lab *lab);

#endif
