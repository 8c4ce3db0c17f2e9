/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of ops.h: the three compilations of alloc.c and pcp.c side by side. */
#include "page/ops.h"

#define DECLARE(v)                                                                                  \
	pfn_t alloc_pages_##v(struct cpu *cpu, unsigned int order, uint32_t gfp, int node);         \
	void free_pages_##v(struct cpu *cpu, pfn_t pfn, unsigned int order);                        \
	unsigned int alloc_pages_bulk_##v(struct cpu *cpu, uint32_t gfp, int node, unsigned int n, pfn_t *out); \
	void free_page_list_##v(struct cpu *cpu, unsigned int n, const pfn_t *pfns);                \
	void pcp_drain_##v(struct cpu *cpu);                                                        \
	void pcp_drain_held_##v(struct cpu *owner);                                                 \
	void pcp_drain_zone_##v(struct cpu *owner, struct zone *z, uint32_t lists);                 \
	bool lru_fill_##v(struct cpu *cpu, uint32_t entry);                                         \
	bool lru_touch_##v(struct cpu *cpu, uint32_t entry, bool *refault);                         \
	void lru_drop_##v(struct cpu *cpu, uint32_t entry);                                         \
	uint64_t reclaim_pages_##v(struct cpu *cpu, unsigned int node, uint64_t n);                 \
	uint64_t drop_pagecache_##v(struct cpu *cpu, unsigned int node);                            \
	uint64_t compact_node_##v(struct cpu *cpu, unsigned int node);                              \
	bool drain_all_pages_##v(struct cpu *cpu);                                                  \
	bool page_work_round_##v(struct cpu *cpu, unsigned int node);                               \
	void page_work_##v(struct lab *lab);                                                        \
	void page_timers_##v(struct lab *lab, uint64_t then_ns, uint64_t now_ns);                   \
	void pcp_tick_##v(struct cpu *cpu);                                                         \
	uint64_t lazy_flush_##v(struct cpu *cpu, struct zone *z, unsigned int order, uint64_t *merges)

#define ROW(v)                                                                                      \
	{ alloc_pages_##v, free_pages_##v, alloc_pages_bulk_##v, free_page_list_##v,                \
	  pcp_drain_##v, pcp_drain_held_##v, pcp_drain_zone_##v, lru_fill_##v, lru_touch_##v, lru_drop_##v,        \
	  reclaim_pages_##v, drop_pagecache_##v, compact_node_##v, drain_all_pages_##v, page_work_round_##v, page_work_##v, \
	  page_timers_##v, pcp_tick_##v, lazy_flush_##v }

DECLARE(bare);
DECLARE(counted);
DECLARE(told);

const struct page_ops page_ops[VARIANT_NR] = {
	[VARIANT_BARE] = ROW(bare),
	[VARIANT_COUNTED] = ROW(counted),
	[VARIANT_TOLD] = ROW(told),
};
