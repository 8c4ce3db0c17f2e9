/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/read.h"
#include "view/frag.h"
#include "view/look.h"

void live_stop(struct lab *lab)
{
	lab_stop(lab);
}

void live_go(struct lab *lab)
{
	lab_resume(lab);
}

/* ---- zones ---- */

static void make_room(struct live_zones *z, unsigned int zones, unsigned int cpus)
{
	if (zones == z->nr && cpus == z->nr_cpus)
		return;
	live_zones_free(z);
	z->zone = calloc(zones, sizeof(*z->zone));
	for (unsigned int i = 0; z->zone && i < zones; i++) {
		z->zone[i].pcp = calloc(cpus, sizeof(*z->zone[i].pcp));
		if (!z->zone[i].pcp)
			break;
		z->nr = i + 1;
	}
	z->nr_cpus = cpus;
}

static void take_zone(struct lab *lab, unsigned int zone, struct live_zone *z, unsigned int cpus)
{
	zone_figures(lab, zone, true, &z->f);
	snprintf(z->name, sizeof(z->name), "N%u %s", z->f.node, zone_kind_names[z->f.kind]);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		z->unusable[o] = (int32_t)frag_unusable(z->f.nr_free, o);
		z->extfrag[o] = (int32_t)frag_extfrag(z->f.nr_free, o);
	}
	for (unsigned int c = 0; c < cpus; c++) {
		struct live_pcp *p = &z->pcp[c];

		pcp_size(lab, zone, c, &p->count, &p->batch, &p->high);
		p->online = lab_cpu_online(lab, c);
	}
}

void live_zones(struct lab *lab, struct live_zones *z)
{
	make_room(z, lab->nr_zones, lab->nr_cpus);
	z->counting = look_counting(lab);
	for (unsigned int i = 0; i < z->nr; i++)
		take_zone(lab, i, &z->zone[i], z->nr_cpus);
}

unsigned int live_marks_missed(const struct zone_figures *f)
{
	return (f->free <= f->high + f->boost) + (f->free <= f->low + f->boost) + (f->free <= f->min + f->boost);
}

void live_zones_free(struct live_zones *z)
{
	for (unsigned int i = 0; i < z->nr; i++)
		free(z->zone[i].pcp);
	free(z->zone);
	*z = (struct live_zones){ 0 };
}

/* ---- the lab ---- */

void live_lab(struct lab *lab, struct live_lab *l)
{
	*l = (struct live_lab){
		.name = lab->name, .ops = lab->hdr->ops, .time_ns = lab_now(lab), .cpus = lab->nr_cpus,
		.nodes = lab->nr_nodes, .pages = lab->hdr->shape.pages, .clock_real = lab->hdr->shape.clock_real,
		.counting = look_counting(lab),
	};
	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		l->online += lab_cpu_online(lab, c);
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures f;

		zone_figures(lab, i, false, &f);
		l->free += f.free;
	}
}
