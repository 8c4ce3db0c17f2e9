/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shrink - what reclaim asks of whoever caches things that it does not see.
 *
 * Idea. Reclaim knows pages on LRU lists. A layer above may hold memory for
 * objects that nobody uses but that would be dear to make again; it hangs its
 * shrinker into the lab, and reclaim calls that once a node and priority,
 * after the node's pages, and counts the pages that came of it as its own.
 *
 * Units. Objects, and pages where it says so.
 */
#ifndef PAGE_SHRINK_H
#define PAGE_SHRINK_H

#include "base/types.h"
#include "event/variant.h"

struct cpu;

struct shrink {
	unsigned int node;
	int priority;
	bool may_fs;			/* __GFP_FS: the file system may be asked to give things up */
	uint64_t lru_scanned, lru_pages;	/* looked at in this round, and all there are, in pages */
	/* out, added up over calls */
	uint64_t scanned, freed, pages;
};

struct shrinker {
	void (*shrink[VARIANT_NR])(struct cpu *cpu, struct shrink *s);
};

#endif
