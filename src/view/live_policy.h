/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live_policy - policies with their values now, for a panel: lab-wide ones, or those of one cache. */
#ifndef VIEW_LIVE_POLICY_H
#define VIEW_LIVE_POLICY_H

#include "policy/policy.h"
#include "view/view.h"

struct live_policy {
	const struct policy_row *row;
	char value[POLICY_TEXT_MAX];
	char def[POLICY_TEXT_MAX];	/* of the lab's preset; of a cache: the lab's value */
	const char *source;	/* where the preset's value comes from */
	bool differs;		/* from def; of a cache: it has an override of its own */
	bool fixed;		/* of the lab's shape: cannot be set */
};

/* The rows of the lab (cache ""), or those that a cache can override; how many. At most policy_nr. */
unsigned int live_policies(struct lab *lab, const char *cache, struct live_policy *p);

/* Name of the lab's preset. */
const char *live_preset(const struct lab *lab);

/*
 * The value before or behind this one: words in turn, on and off, numbers by
 * halves and doubles (by one in small ranges). False: it has to be typed.
 */
bool live_policy_turn(const struct live_policy *p, int by, char *buf, size_t size);

#endif
