/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lifetime - how long objects were out, by cache, measured on request.
 *
 * Idea. While it is off nothing is noted and no call looks. On, each
 * allocation writes the lab's time beside the object, in host memory that lies
 * densely by slab, and each free adds the difference to a histogram of powers
 * of two of its cache. Objects that were out before are not counted.
 *
 * Ownership. Host memory of this process: no copy, save or undo carries it.
 * Several CPUs add at once.
 *
 * Units. Nanoseconds of lab time (an op played one at a time takes 1000).
 */
#ifndef SLAB_LIFETIME_H
#define SLAB_LIFETIME_H

#include "slab/slab.h"

struct lifetimes {
	struct lifetime_row { uint64_t count, sum, max, power[LIFETIME_POWERS]; } row[MAX_CACHES];	/* whole pages */
	uint64_t *born;			/* 8 bytes an object, at the place of its slab's first page */
	uint64_t born_bytes;
};
_Static_assert(sizeof(struct lifetime_row) * MAX_CACHES % 4096 == 0, "they are given back to the host to be cleared");

void lifetime_begin(struct lab *lab, const struct store *s, uint64_t object);
/* When it was taken; 0: nobody looked. Before the free: afterwards the object is somebody else's. */
uint64_t lifetime_born(const struct lab *lab, const struct store *s, uint64_t object);
void lifetime_end(struct lab *lab, uint32_t cache, uint64_t born);

#endif
