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

/*
 * Since 6.8 of Linux whoever may start no I/O waits for no compaction, in which
 * it has no part; kernels before went round for ever if it was a costly request
 * that may fail. A lab does not hang, whatever its era.
 */
static inline bool may_compact(const struct lab *lab, const struct request *rq)
{
	return page_policy(lab)->compact_direct && rq->gfp & GFP_BIT_IO;
}

#ifdef VARIANT
/* One pass along the zonelist with these rights (enum alloc_flag), PFN_NONE if no zone passes and has a block. */
pfn_t V(get_page_from_freelist)(struct cpu *cpu, const struct request *rq, unsigned int flags);
#endif

#endif
