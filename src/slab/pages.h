/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages - what every engine does with the pages of a slab: name them its own,
 * and give them back, after a grace period if RCU readers may still look.
 *
 * Bits of an object request that reach the page layer are those that say what
 * may be done to find pages, and where.
 *
 * Locks. No lock is held: the page layer is entered, and may reclaim.
 */
#ifndef SLAB_PAGES_H
#define SLAB_PAGES_H

#include "base/gfp.h"
#include "event/variant.h"
#include "slab/slab.h"

#define GFP_TO_PAGES                                                                              \
	(GFP_BIT_RECLAIM | GFP_BIT_HIGH | GFP_BIT_IO | GFP_BIT_FS | GFP_BIT_NOWARN |              \
	 GFP_BIT_RETRY_MAYFAIL | GFP_BIT_NOFAIL | GFP_BIT_NORETRY | GFP_BIT_MEMALLOC |            \
	 GFP_BIT_NOMEMALLOC | GFP_BIT_ATOMIC | GFP_BIT_NOLOCKDEP | GFP_BIT_HARDWALL | GFP_BIT_THISNODE)

#ifdef VARIANT
#define slab_mark_pages V(slab_mark_pages)
#define slab_discard V(slab_discard)
#define slab_give_back V(slab_give_back)
#define slab_rcu_slabs V(slab_rcu_slabs)

/* The block at `first` is slab number `nr` of this store. */
void slab_mark_pages(struct cpu *cpu, struct store *s, pfn_t first, unsigned int order, uint32_t nr);
/* A slab on no list, with all its objects free, is the store's no longer. */
void slab_discard(struct cpu *cpu, struct store *s, struct page *slab);
/* Pages of a discarded slab whose grace period is over. */
void slab_give_back(struct cpu *cpu, pfn_t first);
/* Look whether a period is over, and give its slabs back: an op may be on its way, but nothing of stores is touched. */
void slab_rcu_slabs(struct cpu *cpu);
#endif

#endif
