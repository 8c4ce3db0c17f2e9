/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrange - bring a fresh zone's free lists to given counts, type by type.
 *
 * Units. held: blocks that had to be taken so that nothing merges; they say
 * PAGE_ALLOCATED and belong to whoever asked.
 */
#ifndef PAGE_ARRANGE_H
#define PAGE_ARRANGE_H

#include "base/wish.h"
#include "page/zone.h"

struct held_pages {
	pfn_t pfn;
	unsigned int order;
};

/*
 * In a stop of all CPUs. *held is grown with realloc(), *held_nr says how many
 * there are. -EBUSY if pages of the zone are out, -ENOSPC if it is too small,
 * -ENOMEM if the host is out of memory; then nothing was changed.
 */
int page_arrange(struct cpu *cpu, unsigned int zone, const struct free_wish *wish, struct held_pages **held,
		 uint64_t *held_nr);

/* Whole top-order blocks that a zone of so many managed pages must have for that. */
uint64_t page_arrange_tops(const struct free_wish *wish, unsigned int pageblock_order, uint64_t managed);

#endif
