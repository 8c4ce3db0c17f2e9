/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watermark - how much of a zone must stay free, and who may go below.
 *
 * Idea. Three marks a zone (min, low, high) share out min_free_kbytes by size;
 * a request that could have used a higher zone leaves a further reserve in a
 * lower one. The check lets urgent requests go part of the way below min.
 *
 * Units. Pages, but for min_free_kbytes.
 */
#ifndef PAGE_WATERMARK_H
#define PAGE_WATERMARK_H

#include "event/note.h"
#include "page/buddy.h"
#include "page/zone.h"

/* State of the check across one walk of a zonelist (zone.watermark_order_check=size adds marks up). */
struct wmark_walk {
	uint64_t sum;		/* begins with the pages wanted */
	bool may_wait;
	uint64_t more;		/* pages to be counted as free beside those that are */
	enum { COUNT_AS_SEEN, COUNT_NEAR_MARK, COUNT_EXACTLY } count;	/* where the count drifts (drift.h) */
};

/*
 * May 2^order pages be taken with this mark (pages), for a request whose
 * highest zone is `high`? flags: enum alloc_flag.
 */
bool zone_watermark_ok(const struct lab *lab, const struct zone *z, unsigned int order, uint64_t mark,
		       unsigned int high, unsigned int flags, struct wmark_walk *walk);

/* What that comparison is about, for a story; walk: as it is before the check. */
struct wmark_terms {
	uint64_t need;		/* free must be more: the mark as far as the request heeds it, protection, and its size less one */
	uint64_t free;
	uint64_t protection;	/* kept from requests that could use a higher zone */
	uint64_t heeded;	/* of the mark, as far as the request's rights go */
	uint64_t reserved;	/* set aside for others */
	enum mark_fault fault;
};
void zone_watermark_terms(const struct lab *lab, const struct zone *z, unsigned int order, uint64_t mark,
			  unsigned int high, unsigned int flags, struct wmark_walk walk, struct wmark_terms *t);

#endif
