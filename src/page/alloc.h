/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc - requests for pages, and giving them back.
 *
 * Idea. A request names an order, what the memory is for (gfp) and perhaps a
 * node. It walks that node's zonelist and takes from the first zone that has
 * enough above its low mark; if none has, it goes on to the min mark and, with
 * the right to it, below. Small orders come from the CPU's own lists.
 *
 * A block handed out says PAGE_ALLOCATED and its order in its first page; the
 * holder may change that role and must set it back before it gives the block
 * back. What is done when no zone has enough is told in slow.h.
 *
 * Ownership. Called by whoever plays the CPU, inside an op. Takes no lock but
 * zone locks, so callers may hold any lock of lower rank.
 */
#ifndef PAGE_ALLOC_H
#define PAGE_ALLOC_H

#include "event/variant.h"
#include "page/zone.h"

#ifdef VARIANT
/* First page of a block, PFN_NONE if there is none. node < 0: the CPU's own first. */
pfn_t V(alloc_pages)(struct cpu *cpu, unsigned int order, uint32_t gfp, int node);

/* The fast pass alone: nobody is woken, no lower mark is tried. */
pfn_t V(alloc_pages_once)(struct cpu *cpu, unsigned int order, uint32_t gfp, int node);

void V(free_pages)(struct cpu *cpu, pfn_t pfn, unsigned int order);

/* Up to n single pages from a zone of one node (< 0: the CPU's) with one use of the CPU's list; how many there were. */
unsigned int V(alloc_pages_bulk)(struct cpu *cpu, uint32_t gfp, int node, unsigned int n, pfn_t *out);

/* Give back single pages as one list. */
void V(free_page_list)(struct cpu *cpu, unsigned int n, const pfn_t *pfns);
#endif

#endif
