/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/counters.h"

#include <string.h>

#include "cpu/read.h"

/* Rows: N(name) has no source; OLD(name), NEW(name): nor these, and no 6.18 has it, or no 6.1; F(name, source);
 * E(name, event, zones of which kind); C(name), P(name): an event of that name, counted by CPU or by zone;
 * L(name, lists): pages on LRU lists (bits) */
#define N(name) { name, FROM_NOTHING, -1, -1, IN_ALL },
#define OLD(name) { name, FROM_NOTHING, -1, -1, IN_6_1 },
#define NEW(name) { name, FROM_NOTHING, -1, -1, IN_6_18 },
#define F(name, source) { name, source, -1, -1, IN_ALL },
#define E(name, event, kind) { name, FROM_EVENT, EV_##event, kind, IN_ALL },
#define C(name) { #name, FROM_CPU_EVENT, EV_##name, -1, IN_ALL },
#define P(name) E(#name, name, -1)
#define L(name, list) { name, FROM_LRU, list, -1, IN_ALL },

#define ZONE_ROWS                                                                        \
	F("nr_free_pages", FROM_FREE) { "nr_free_pages_blocks", FROM_FREE_BLOCKS, -1, -1, IN_6_18 }, \
	L("nr_zone_inactive_anon", 1) L("nr_zone_active_anon", 2)                        \
	L("nr_zone_inactive_file", 4) L("nr_zone_active_file", 8)                        \
	N("nr_zone_unevictable") F("nr_zone_write_pending", FROM_DIRTY)                  \
	N("nr_mlock") OLD("nr_bounce") N("nr_zspages") N("nr_free_cma")

#define NUMA_ROWS                                                                        \
	E("numa_hit", numa_hit, -1) E("numa_miss", numa_miss, -1)                        \
	E("numa_foreign", numa_foreign, -1) N("numa_interleave")                         \
	E("numa_local", numa_local, -1) E("numa_other", numa_other, -1)

#define NODE_ROWS                                                                        \
	L("nr_inactive_anon", 1) L("nr_active_anon", 2) L("nr_inactive_file", 4)         \
	L("nr_active_file", 8) N("nr_unevictable")                                       \
	F("nr_slab_reclaimable", FROM_SLAB_RECLAIMABLE)                                  \
	F("nr_slab_unreclaimable", FROM_SLAB_UNRECLAIMABLE)                              \
	F("nr_isolated_anon", FROM_ISOLATED_ANON) F("nr_isolated_file", FROM_ISOLATED_FILE) N("workingset_nodes")                \
	P(workingset_refault_anon) P(workingset_refault_file)                        \
	N("workingset_activate_anon") N("workingset_activate_file")                      \
	N("workingset_restore_anon") N("workingset_restore_file")                        \
	N("workingset_nodereclaim") L("nr_anon_pages", 3) N("nr_mapped") L("nr_file_pages", 12) \
	F("nr_dirty", FROM_DIRTY) N("nr_writeback") OLD("nr_writeback_temp") N("nr_shmem")             \
	N("nr_shmem_hugepages") N("nr_shmem_pmdmapped") N("nr_file_hugepages")           \
	N("nr_file_pmdmapped") N("nr_anon_transparent_hugepages") N("nr_vmscan_write")   \
	N("nr_vmscan_immediate_reclaim") N("nr_dirtied") N("nr_written")                 \
	N("nr_throttled_written") N("nr_kernel_misc_reclaimable")                        \
	N("nr_foll_pin_acquired") N("nr_foll_pin_released") N("nr_kernel_stack")         \
	N("nr_page_table_pages") N("nr_sec_page_table_pages") NEW("nr_iommu_pages") N("nr_swapcached")         \
	N("pgpromote_success") N("pgpromote_candidate") NEW("pgpromote_candidate_nrl")   \
	NEW("pgdemote_kswapd") NEW("pgdemote_direct") NEW("pgdemote_khugepaged")         \
	NEW("pgdemote_proactive") NEW("nr_hugetlb") NEW("nr_balloon_pages")              \
	NEW("nr_kernel_file_pages")

#define VMSTAT_ROWS N("nr_dirty_threshold") N("nr_dirty_background_threshold")            \
	NEW("nr_memmap_pages") NEW("nr_memmap_boot_pages")

#define EVENT_ROWS                                                                       \
	N("pgpgin") N("pgpgout") N("pswpin") N("pswpout")                                \
	E("pgalloc_dma", pgalloc, ZONE_DMA) E("pgalloc_dma32", pgalloc, ZONE_DMA32)      \
	E("pgalloc_normal", pgalloc, ZONE_NORMAL)                                        \
	E("pgalloc_movable", pgalloc, ZONE_MOVABLE)                                      \
	E("pgalloc_device", pgalloc, ZONE_DEVICE)                                        \
	C(allocstall_dma) C(allocstall_dma32) C(allocstall_normal)                       \
	C(allocstall_movable) N("allocstall_device")                                     \
	C(pgskip_dma) C(pgskip_dma32) C(pgskip_normal) C(pgskip_movable)                 \
	N("pgskip_device")                                                               \
	E("pgfree", pgfree, -1)                                                          \
	P(pgactivate) P(pgdeactivate) N("pglazyfree") N("pgfault") N("pgmajfault")   \
	N("pglazyfreed") P(pgrefill) N("pgreuse") P(pgsteal_kswapd)                  \
	P(pgsteal_direct) OLD("pgdemote_kswapd") OLD("pgdemote_direct")                \
	NEW("pgsteal_khugepaged") NEW("pgsteal_proactive")                               \
	P(pgscan_kswapd) P(pgscan_direct)                                                \
	NEW("pgscan_khugepaged") NEW("pgscan_proactive") C(pgscan_direct_throttle)       \
	P(pgscan_anon) P(pgscan_file) P(pgsteal_anon) P(pgsteal_file)            \
	NEW("zone_reclaim_success") N("zone_reclaim_failed") N("pginodesteal") C(slabs_scanned)                    \
	N("kswapd_inodesteal") C(kswapd_low_wmark_hit_quickly)                         \
	C(kswapd_high_wmark_hit_quickly) C(pageoutrun) N("pgrotated")                \
	C(drop_pagecache) C(drop_slab) C(oom_kill) N("numa_pte_updates")           \
	N("numa_huge_pte_updates") N("numa_hint_faults") N("numa_hint_faults_local")     \
	N("numa_pages_migrated") P(pgmigrate_success) P(pgmigrate_fail)              \
	N("thp_migration_success") N("thp_migration_fail") N("thp_migration_split")      \
	P(compact_migrate_scanned) P(compact_free_scanned) P(compact_isolated)     \
	C(compact_stall) C(compact_fail) C(compact_success)                        \
	C(compact_daemon_wake) P(compact_daemon_migrate_scanned)                     \
	P(compact_daemon_free_scanned) N("htlb_buddy_alloc_success")                   \
	N("htlb_buddy_alloc_fail") N("unevictable_pgs_culled")                           \
	N("unevictable_pgs_scanned") N("unevictable_pgs_rescued")                        \
	N("unevictable_pgs_mlocked") N("unevictable_pgs_munlocked")                      \
	N("unevictable_pgs_cleared") N("unevictable_pgs_stranded")                       \
	N("thp_fault_alloc") N("thp_fault_fallback") N("thp_fault_fallback_charge")      \
	N("thp_collapse_alloc") N("thp_collapse_alloc_failed") N("thp_file_alloc")       \
	N("thp_file_fallback") N("thp_file_fallback_charge") N("thp_file_mapped")        \
	N("thp_split_page") N("thp_split_page_failed") N("thp_deferred_split_page")      \
	NEW("thp_underused_split_page")                                                  \
	N("thp_split_pmd") N("thp_scan_exceed_none_pte") N("thp_scan_exceed_swap_pte")   \
	N("thp_scan_exceed_share_pte") N("thp_split_pud") N("thp_zero_page_alloc")       \
	N("thp_zero_page_alloc_failed") N("thp_swpout") N("thp_swpout_fallback")         \
	N("balloon_inflate") N("balloon_deflate") N("balloon_migrate") N("swap_ra")      \
	N("swap_ra_hit") NEW("swpin_zero") NEW("swpout_zero") N("ksm_swpin_copy")        \
	N("cow_ksm") N("zswpin") N("zswpout") NEW("zswpwb")                              \
	N("direct_map_level2_splits") N("direct_map_level3_splits")                      \
	NEW("direct_map_level2_collapses") NEW("direct_map_level3_collapses") N("nr_unstable")

const struct counter counter_table[] = {
	ZONE_ROWS NUMA_ROWS NODE_ROWS VMSTAT_ROWS EVENT_ROWS
};

#define ROWS(group) ARRAY_SIZE(((const struct counter[]){ group }))
enum {
	FIRST_NUMA = ROWS(ZONE_ROWS),
	FIRST_NODE = FIRST_NUMA + ROWS(NUMA_ROWS),
	FIRST_VMSTAT = FIRST_NODE + ROWS(NODE_ROWS),
	FIRST_EVENT = FIRST_VMSTAT + ROWS(VMSTAT_ROWS),
	ROWS_ALL = FIRST_EVENT + ROWS(EVENT_ROWS),
};

const unsigned int counter_first[COUNTER_GROUPS + 1] = {
	[COUNTER_ZONE] = 0, [COUNTER_NUMA] = FIRST_NUMA, [COUNTER_NODE] = FIRST_NODE,
	[COUNTER_VMSTAT] = FIRST_VMSTAT, [COUNTER_EVENT] = FIRST_EVENT, [COUNTER_GROUPS] = ROWS_ALL,
};

/* Free pages that lie in whole pageblocks. */
static uint64_t in_free_pageblocks(struct lab *lab, const struct zone_choice *where)
{
	struct zone_figures z;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		for (unsigned int o = lab->hdr->shape.pageblock_order; zone_chosen(where, &z) && o < NR_PAGE_ORDERS; o++)
			sum += z.nr_free[o] << o;
	}
	return sum;
}

/* Slab pages are counted by node, not by zone. */
static uint64_t slab_pages(struct lab *lab, enum counter_source from, const struct zone_choice *where)
{
	uint64_t sum = 0, reclaimable, unreclaimable;

	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		if (where->node >= 0 && (unsigned int)where->node != n)
			continue;
		node_slab_pages(lab, n, &reclaimable, &unreclaimable);
		sum += from == FROM_SLAB_RECLAIMABLE ? reclaimable : unreclaimable;
	}
	return sum;
}

/* LRU pages and what of them is under way. */
static uint64_t lru_sum(struct lab *lab, const struct counter *c, const struct zone_choice *where)
{
	struct zone_figures z;
	struct lru_figures f;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		if (!zone_chosen(where, &z))
			continue;
		lru_zone_figures(lab, i, &f);
		for (unsigned int id = 0; c->from == FROM_LRU && id < 4; id++)
			sum += c->event >> id & 1 ? f.list[id] : 0;
		sum += c->from == FROM_DIRTY ? f.dirty : c->from == FROM_ISOLATED_ANON ? f.isolated[0] :
		       c->from == FROM_ISOLATED_FILE ? f.isolated[1] : 0;
	}
	return sum;
}

/* Counted by CPU, of no zone. */
static uint64_t cpus_sum(const struct lab *lab, const struct counter *c)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		sum += cpu_event(lab, i, (enum event_id)c->event);
	return sum;
}

static uint64_t zones_sum(struct lab *lab, const struct counter *c, const struct zone_choice *where)
{
	struct zone_figures z;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		if (!zone_chosen(where, &z) || (c->kind >= 0 && (unsigned int)c->kind != z.kind))
			continue;
		sum += c->from == FROM_FREE ? z.free_seen
					    : zone_event(lab, i, -1, (enum event_id)c->event, -1);
	}
	return sum;
}

uint64_t counter_value(struct lab *lab, const struct counter *c, const struct zone_choice *where)
{
	switch (c->from) {
	case FROM_FREE:
	case FROM_EVENT:
		return zones_sum(lab, c, where);
	case FROM_FREE_BLOCKS:
		return in_free_pageblocks(lab, where);
	case FROM_SLAB_RECLAIMABLE:
	case FROM_SLAB_UNRECLAIMABLE:
		return slab_pages(lab, c->from, where);
	case FROM_CPU_EVENT:
		return cpus_sum(lab, c);
	case FROM_LRU:
	case FROM_DIRTY:
	case FROM_ISOLATED_ANON:
	case FROM_ISOLATED_FILE:
		return lru_sum(lab, c, where);
	case FROM_NOTHING:
		break;
	}
	return 0;
}

void counters_fill(struct lab *lab, enum counter_group g, const struct zone_choice *where, json_t *into)
{
	json_t *had = json_object_get(into, "stopped"), *stopped = had ? json_incref(had) : json_object();

	json_object_del(into, "stopped");	/* it goes behind the counters, whose order is the kernel's */
	for (unsigned int i = counter_first[g]; i < counter_first[g + 1]; i++) {
		const struct counter *c = &counter_table[i];
		bool still;

		if (c->kernels != IN_ALL && (c->kernels == IN_6_18) != page_names_618(lab))
			continue;
		still = (c->from == FROM_EVENT || c->from == FROM_CPU_EVENT) && !look_counting(lab);

		look_set(still ? stopped : into, c->name, counter_value(lab, c, where));
		if (still)
			json_object_set_new(into, c->name, json_null());
	}
	if (json_object_size(stopped))
		json_object_set(into, "stopped", stopped);
	json_decref(stopped);
}

void counters_text(const json_t *object, const char *indent, int width, FILE *to)
{
	const json_t *stopped = json_object_get(object, "stopped"), *value;
	const char *name;

	json_object_foreach((json_t *)object, name, value) {
		if (json_is_null(value))
			value = json_object_get(stopped, name);
		if (json_is_integer(value))
			fprintf(to, "%s%-*s %llu\n", indent, width, name,
				(unsigned long long)json_integer_value(value));
	}
}
