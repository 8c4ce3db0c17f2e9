/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boost - a zone's marks are raised for a while after types were mixed in it.
 *
 * Idea (Gorman 2018, Linux 5.0). Mixing happens because too little was free of
 * the right kind; so kswapd is to free more than usual, a pageblock's worth
 * for each time, and takes the raise back when it has.
 *
 * Under z->lock, or in a stop.
 */
#ifndef PAGE_BOOST_H
#define PAGE_BOOST_H

#include "page/zone.h"

/* Raise by a pageblock, up to zone.watermark_boost_factor; wake: kswapd is to be told. Pages it came to, 0: none. */
uint64_t zone_boost(struct lab *lab, struct zone *z, bool wake);

/* Take back what kswapd saw when it began. */
void zone_boost_lower(struct lab *lab, struct zone *z, uint64_t pages);

#endif
