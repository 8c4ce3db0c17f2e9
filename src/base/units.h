/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * units - numbers as people write them, in one place.
 *
 * Sizes take K, M, G, T (powers of 1024), times ns, us, ms, s; all numbers
 * may be 0x hexadecimal. Nothing is rounded silently.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/types.h"

/* Whole text must be a number; -EINVAL with a sentence otherwise, -ERANGE when too large. */
int parse_u64(const char *text, uint64_t *value);	/* plain or with K, M, G, T */
int parse_i64(const char *text, int64_t *value);
int parse_ns(const char *text, uint64_t *ns);		/* a unit is needed, but for 0 */

/* "11.4K", "3.0G": at most six characters and the NUL. Returns buf. */
char *format_bytes(uint64_t bytes, char *buf, size_t size);
/* "1.284 ms": three digits behind the point. Returns buf. */
char *format_ns(uint64_t ns, char *buf, size_t size);

/* "" for one, else "s". */
static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
