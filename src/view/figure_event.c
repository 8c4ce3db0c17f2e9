/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure_event - event.…: counters of the whole lab.
 *
 * A page event is the sum over zones, a slab event over all stores that ever
 * were. vmstat splits pgalloc by the zones' names; so does event.pgalloc_….
 */
#include "cpu/read.h"
#include "view/figure_walk.h"

#include <ctype.h>
#include <stdio.h>

#include "page/read.h"
#include "slab/read.h"
#include "view/live_events.h"
#include "view/look.h"

/* pgalloc of zones of one kind. */
static uint64_t pgalloc_of(struct lab *lab, int kind, int cpu, int order)
{
	uint64_t n = 0;

	for (unsigned int z = 0; z < lab->nr_zones; z++) {
		struct zone_figures f;

		zone_figures(lab, z, false, &f);
		if ((int)f.kind == kind)
			n += zone_event(lab, z, cpu, EV_pgalloc, order);
	}
	return n;
}

static uint64_t count_event(struct figure_walk *w, const void *arg, int cpu, int order)
{
	return live_event(w->lab, cpu, *(const enum event_id *)arg, order);
}

static uint64_t count_pgalloc(struct figure_walk *w, const void *arg, int cpu, int order)
{
	return pgalloc_of(w->lab, *(const int *)arg, cpu, order);
}

static void vmstat_names(struct figure_walk *w)
{
	for (int kind = ZONE_DMA; kind < ZONE_DEVICE; kind++) {
		char name[32];

		if (!shape_shows_kind(&w->lab->hdr->shape, (unsigned int)kind))
			continue;

		snprintf(name, sizeof(name), "pgalloc_%s", zone_kind_names[kind]);
		for (char *c = name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		walk_event(w, name, false, count_pgalloc, &kind);
	}
}

void figure_event_walk(struct figure_walk *w)
{
	size_t mark;

	if (!walk_down(w, "event.", &mark))
		return;
	for (unsigned int i = 0; i < EV_NR; i++) {
		enum event_id e = (enum event_id)i;

		walk_event(w, event_table[e].name, event_table[e].ordered, count_event, &e);
	}
	figure_extfrag_walk(w, "mm_page_alloc_extfrag.", -1);
	vmstat_names(w);
	walk_up(w, mark);
}
