/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * custom - values that are more than a word or a number: readers and
 * printers of the POLICY_CUSTOM rows, and the helpers they share with the
 * plain ones.
 */
#ifndef POLICY_CUSTOM_H
#define POLICY_CUSTOM_H

#include "policy/policy.h"

#define POLICY_CUSTOM_ROW(name)                                                                        \
	int name##_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value); \
	void name##_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,   \
			  size_t size);

POLICY_CUSTOM_ROW(undo_mem)		/* bytes, in whole units */
POLICY_CUSTOM_ROW(theta)			/* 0 .. 50, low no higher than high */
POLICY_CUSTOM_ROW(pcp_high)		/* auto, or up to half of the largest zone */
POLICY_CUSTOM_ROW(high_fraction)	/* 0, or 8 and up */
POLICY_CUSTOM_ROW(reserve_ratio)	/* four numbers or "none" */
POLICY_CUSTOM_ROW(partial_add)		/* a word, or criterion:N/D:side */
POLICY_CUSTOM_ROW(cpu_partial)		/* auto, off or a number */
POLICY_CUSTOM_ROW(debug)		/* the option string */
POLICY_CUSTOM_ROW(debug_letters)	/* the letters of one cache */
POLICY_CUSTOM_ROW(max_class)		/* a power of two */
POLICY_CUSTOM_ROW(kmalloc_types)	/* a set of words */
POLICY_CUSTOM_ROW(cas16)		/* on where the host can */

/* The option string as a kernel takes it: unknown letters are skipped, not refused. */
int debug_store(struct slab_policy *p, const char *string, char unknown[32]);

/* Fields of any width, as numbers. */
int64_t policy_field(const struct policy_row *row, const void *home);
void policy_field_set(const struct policy_row *row, void *home, int64_t value);

/* -ERANGE or -EINVAL: "NAME VALUE: what is wrong (it takes RANGE)". */
int policy_bad(const struct policy_row *row, int err, const char *value);
/* A whole number in min .. max. */
int policy_number(const struct policy_row *row, const char *value, int64_t min, int64_t max, int64_t *n);

#endif
