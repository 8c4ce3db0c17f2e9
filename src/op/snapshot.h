/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * snapshot - what op's own files know of snapshots: pages, counted and shared.
 *
 * Invariants
 *   index goes up, and begins at 0: the region's header is never empty.
 *
 * Ownership. Single-threaded, like the shell that takes them: a page is freed
 * with the last snapshot that holds it.
 */
#ifndef OP_SNAPSHOT_H
#define OP_SNAPSHOT_H

#include "op/op.h"

struct kept_page {
	uint32_t refs;		/* snapshots that hold it */
	uint32_t charged;	/* of them, those that are charged for it */
	uint8_t content[PAGE_SIZE];
};

struct snapshot {
	uint64_t nr, cap;
	uint64_t *index;		/* host pages, by number in the region */
	struct kept_page **page;
	uint64_t *charge;		/* bytes that snapshots of one owner hold; NULL: nobody counts */
	bool untouched_shape;		/* struct lab's */
};

/* The region's header as it was; it may be larger than a page. */
void snapshot_header(const struct snapshot *s, struct header *h);

/* Stop, end grace periods, reap: what is left is the region alone. lab_resume() ends it. */
void lab_settle(struct lab *lab);

#endif
