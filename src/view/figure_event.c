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
#include "view/look.h"

static uint64_t page_event(struct lab *lab, int kind, int cpu, enum event_id e, int order)
{
	uint64_t n = 0;

	for (unsigned int z = 0; z < lab->nr_zones; z++) {
		struct zone_figures f;

		if (kind >= 0) {
			zone_figures(lab, z, false, &f);
			if ((int)f.kind != kind)
				continue;
		}
		n += zone_event(lab, z, cpu, e, order);
	}
	return n;
}

static uint64_t lab_event(struct lab *lab, int cpu, enum event_id e)
{
	uint64_t n = 0;

	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		if (cpu < 0 || (unsigned int)cpu == c)
			n += cpu_event(lab, c, e);
	return n;
}

static uint64_t count_event(struct figure_walk *w, const void *arg, int cpu, int order)
{
	enum event_id e = *(const enum event_id *)arg;

	switch (event_table[e].room) {
	case ROOM_PAGE:
		return page_event(w->lab, -1, cpu, e, order);
	case ROOM_SLAB:
		return slab_event_total(w->lab, cpu, e);
	default:
		return lab_event(w->lab, cpu, e);
	}
}

static uint64_t count_pgalloc(struct figure_walk *w, const void *arg, int cpu, int order)
{
	return page_event(w->lab, *(const int *)arg, cpu, EV_pgalloc, order);
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
	vmstat_names(w);
	walk_up(w, mark);
}
