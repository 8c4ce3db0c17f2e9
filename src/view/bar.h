/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bar - how full something is, as a few characters.
 *
 * Rounding never lies about the ends: a bar looks empty only when nothing is
 * used and full only when everything is. Each form has a plain ASCII twin.
 */
#ifndef VIEW_BAR_H
#define VIEW_BAR_H

#include "base/types.h"

#define BAR_MAX 256	/* bytes that hold any bar of up to 64 cells */

/* "▕■■■□□▏" or "[###..]": used of total in that many cells. Returns buf. */
char *bar_fill(char buf[BAR_MAX], uint64_t used, uint64_t total, unsigned int cells, bool utf8);

/* One character whose height is value of max: "·" none, "▁" … "█"; in ASCII ". - = # @". */
const char *bar_level(uint64_t value, uint64_t max, bool utf8);

#endif
