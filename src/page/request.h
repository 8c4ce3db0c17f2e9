/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request - what a request for pages comes to, as the walks of the zonelist know it.
 *
 * Made once a request (alloc.c); the fast pass and each step of the slow path
 * (slow.c) walk by it.
 */
#ifndef PAGE_REQUEST_H
#define PAGE_REQUEST_H

#include "event/variant.h"
#include "page/buddy.h"
#include "page/zone.h"

struct request {
	unsigned int order, high;	/* high: highest kind of zone it may use */
	uint32_t gfp;
	enum mtype type;
	const uint16_t *list;		/* zones, by index, from the preferred one on */
	unsigned int nr;
	struct zone *preferred;		/* NULL: no zone will do */
};

#ifdef VARIANT
/* One pass along the zonelist with these rights (enum alloc_flag), PFN_NONE if no zone passes and has a block. */
pfn_t V(get_page_from_freelist)(struct cpu *cpu, const struct request *rq, unsigned int flags);
#endif

#endif
