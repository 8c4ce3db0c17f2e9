/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counters - the lines of vmstat and zoneinfo, each declared once.
 *
 * Idea. Programs made for the kernel's files look for every line of the 6.1
 * list in its order, or of that of 6.18 (page.era), so every line has a row
 * here; a row without a source is something the lab does not have, and prints 0. zoneinfo prints the node
 * group once a node and the zone and NUMA groups for each zone; vmstat prints
 * all rows, summed.
 *
 * Rows that are made of events stand still while counters are off: then the
 * model has null for them and the value of that moment under "stopped", from
 * which text is painted.
 *
 * Units. Pages, or occurrences.
 */
#ifndef VIEW_COUNTERS_H
#define VIEW_COUNTERS_H

#include "view/look.h"

enum counter_group {
	COUNTER_ZONE, COUNTER_NUMA, COUNTER_NODE, COUNTER_VMSTAT, COUNTER_EVENT, COUNTER_GROUPS
};

enum counter_source {
	FROM_NOTHING, FROM_FREE, FROM_FREE_BLOCKS, FROM_SLAB_RECLAIMABLE, FROM_SLAB_UNRECLAIMABLE,
	FROM_EVENT,		/* of zones of one kind, or of all */
	FROM_CPU_EVENT,		/* of no zone */
	FROM_LRU,		/* pages on LRU lists; .event: which, as bits */
	FROM_DIRTY, FROM_ISOLATED_ANON, FROM_ISOLATED_FILE,
};

struct counter {
	const char *name;
	enum counter_source from;
	int event, kind;	/* FROM_EVENT: which, and zones of which kind (-1: all) */
	enum { IN_ALL, IN_6_1, IN_6_18 } kernels;
};

extern const struct counter counter_table[];
extern const unsigned int counter_first[COUNTER_GROUPS + 1];	/* rows of group g: first[g] .. first[g + 1] - 1 */

/* Value over the zones (and nodes) chosen. */
uint64_t counter_value(struct lab *lab, const struct counter *c, const struct zone_choice *where);

/* Put a group into a model object, null and "stopped" as said above. */
void counters_fill(struct lab *lab, enum counter_group g, const struct zone_choice *where, json_t *into);

/* Paint what counters_fill() put, one line a counter: indent, name in `width` columns, number. */
void counters_text(const json_t *object, const char *indent, int width, FILE *to);

#endif
