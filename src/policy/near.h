/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * near - which names are like one that nobody knows.
 *
 * Idea. Names are offered one by one; the three with the smallest edit
 * distance stay, ties in the order of bytes. What is further away than a
 * third of the name (one letter of a name of three, else two at least and four at most) is not near.
 */
#ifndef POLICY_NEAR_H
#define POLICY_NEAR_H

#include "base/types.h"

#define NEAR_NAMES 3
#define NEAR_LENGTH 192

struct near {
	const char *wanted;
	unsigned int limit, nr;
	unsigned int distance[NEAR_NAMES];
	char name[NEAR_NAMES][NEAR_LENGTH];
};

void near_begin(struct near *n, const char *wanted);
/* Offer a name as what it is, */
void near_offer(struct near *n, const char *name);
/* or because its distance was found some other way. */
void near_offer_at(struct near *n, const char *name, unsigned int distance);
/* ", "-joined, "" if none is near. Returns buf. */
char *near_join(const struct near *n, char *buf, size_t size);

/*
 * Letters to insert, drop, replace or swap with the next; limit + 1 when it is
 * more than `limit` (at most 7).
 */
unsigned int edit_distance(const char *a, const char *b, unsigned int limit);

#endif
