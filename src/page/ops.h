/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ops - the page layer's hot functions, by variant, for code that is compiled once.
 *
 * Code that is itself compiled once a variant calls V(alloc_pages) and its
 * kind directly (alloc.h, pcp.h); what each does is said there.
 */
#ifndef PAGE_OPS_H
#define PAGE_OPS_H

#include "event/variant.h"
#include "page/zone.h"

struct page_ops {
	pfn_t (*alloc_pages)(struct cpu *cpu, unsigned int order, uint32_t gfp, int node);
	void (*free_pages)(struct cpu *cpu, pfn_t pfn, unsigned int order);
	unsigned int (*alloc_bulk)(struct cpu *cpu, uint32_t gfp, int node, unsigned int n, pfn_t *out);
	void (*free_list)(struct cpu *cpu, unsigned int n, const pfn_t *pfns);
	void (*drain)(struct cpu *cpu);		/* its own lists, all zones */
	void (*drain_held)(struct cpu *owner);	/* between cpu_drain_begin() and _end(), or in a stop */
	void (*drain_zone)(struct cpu *owner, struct zone *z, uint32_t lists);	/* likewise */
	bool (*lru_fill)(struct cpu *cpu, uint32_t entry);	/* lru.h */
	bool (*lru_touch)(struct cpu *cpu, uint32_t entry, bool *refault);
	void (*lru_drop)(struct cpu *cpu, uint32_t entry);
	uint64_t (*reclaim)(struct cpu *cpu, unsigned int node, uint64_t n);	/* reclaim.h */
	uint64_t (*drop_pagecache)(struct cpu *cpu, unsigned int node);
	uint64_t (*compact)(struct cpu *cpu, unsigned int node);	/* compact.h */
	bool (*drain_all)(struct cpu *cpu);	/* slow.h */
	bool (*work_round)(struct cpu *cpu, unsigned int node);	/* kswapd.h */
	void (*work)(struct lab *lab);
	void (*timers)(struct lab *lab, uint64_t then_ns, uint64_t now_ns);
	void (*tick)(struct cpu *cpu);		/* each second of lab time */
	uint64_t (*lazy_flush)(struct cpu *cpu, struct zone *z, unsigned int order, uint64_t *merges);
};

extern const struct page_ops page_ops[VARIANT_NR];

/* For what is done in a stop: counted, or bare with event.counters off. */
static inline const struct page_ops *page_ops_of(const struct lab *lab)
{
	return &page_ops[lab->hdr->counters ? VARIANT_COUNTED : VARIANT_BARE];
}

#endif
