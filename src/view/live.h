/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live - plain figures of a lab for a screen that is painted many times a second.
 *
 * Idea. The models of views are JSON and stop the lab for their walk. What is
 * shown ten times a second beside a running workload is read here as it
 * stands: counters and counts with relaxed loads, no walk, no stop. Figures
 * read so belong to slightly different moments; in a stop (live_stop()) they
 * belong to one.
 *
 * Ownership. Arrays grow as needed and are the caller's: live_..._free().
 *
 * Units. Pages, unless named otherwise.
 */
#ifndef VIEW_LIVE_H
#define VIEW_LIVE_H

#include "page/read.h"
#include "slab/read.h"
#include "view/view.h"

/* Hold all CPUs between ops, and let them go. Nests. */
void live_stop(struct lab *lab);
void live_go(struct lab *lab);

/* ---- zones ---- */

struct live_pcp {
	uint32_t count, batch, high;
	bool online;
};

struct live_zone {
	struct zone_figures f;			/* free_by_type: blocks */
	char name[24];				/* "N0 Normal" */
	int32_t unusable[NR_PAGE_ORDERS], extfrag[NR_PAGE_ORDERS];	/* thousandths */
	struct live_pcp *pcp;			/* by CPU */
};

struct live_zones {
	struct live_zone *zone;
	unsigned int nr, nr_cpus;
	bool counting;			/* lock counts go on */
};

void live_zones(struct lab *lab, struct live_zones *z);
/* How many of the marks high, low and min, boost included, are not exceeded by what is free. */
unsigned int live_marks_missed(const struct zone_figures *f);
void live_zones_free(struct live_zones *z);

/* ---- the lab ---- */

struct live_lab {
	const char *name;
	uint64_t ops, time_ns, pages, free;
	unsigned int cpus, online, nodes;
	bool clock_real, counting;
};
void live_lab(struct lab *lab, struct live_lab *l);

#endif
