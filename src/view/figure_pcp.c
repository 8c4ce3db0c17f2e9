/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_pcp - pcp.N0.Normal.cpu0.…: what a CPU keeps of a zone, and its limits. */
#include "view/figure_walk.h"

#include <stdio.h>

#include "page/read.h"

/* Lists by number: order * 3 + type, then the two of a pageblock's order. */
static void lists(struct figure_walk *w, const struct pcp_figures *p)
{
	char leaf[16];

	for (unsigned int l = 0; l < p->lists; l++) {
		snprintf(leaf, sizeof(leaf), "list.%u", l);
		if (walk_leaf(w, leaf))
			walk_int(w, (int64_t)p->length[l]);
	}
}

static void cpu_walk(struct figure_walk *w, unsigned int zone, unsigned int cpu)
{
	struct pcp_figures p;
	char part[24];
	size_t mark;

	snprintf(part, sizeof(part), "cpu%u.", cpu);
	if (!walk_down(w, part, &mark))
		return;
	pcp_figures(w->lab, zone, cpu, &p);
	if (walk_leaf(w, "batch"))
		walk_int(w, (int64_t)p.batch);
	if (walk_leaf(w, "count"))
		walk_int(w, (int64_t)p.count);
	if (walk_leaf(w, "free_factor"))
		walk_int(w, p.free_factor);
	if (walk_leaf(w, "high"))
		walk_int(w, (int64_t)p.high);
	if (walk_leaf(w, "alloc_factor"))
		walk_int(w, p.alloc_factor);
	if (walk_leaf(w, "free_count"))
		walk_int(w, (int64_t)p.free_count);
	if (walk_leaf(w, "free_diff"))
		walk_int(w, p.free_diff);
	if (walk_leaf(w, "high_max"))
		walk_int(w, (int64_t)p.high_max);
	if (walk_leaf(w, "high_min"))
		walk_int(w, (int64_t)p.high_min);
	if (walk_counter(w, "lock.acquired"))
		walk_int(w, (int64_t)p.lock_acquired);
	if (walk_counter(w, "lock.contended"))
		walk_int(w, (int64_t)p.lock_contended);
	if (walk_counter(w, "lock.hold_ns"))
		walk_int(w, (int64_t)p.lock_hold_ns);
	if (walk_counter(w, "lock.wait_ns"))
		walk_int(w, (int64_t)p.lock_wait_ns);
	lists(w, &p);
	walk_up(w, mark);
}

void figure_pcp_walk(struct figure_walk *w)
{
	struct zone_figures z;
	size_t mark, zone_mark;
	char part[32];

	if (!walk_down(w, "pcp.", &mark))
		return;
	for (unsigned int i = 0; i < w->lab->nr_zones; i++) {
		struct walk_range r;

		zone_figures(w->lab, i, false, &z);
		snprintf(part, sizeof(part), "N%u.%s.", z.node, zone_kind_names[z.kind]);
		if (!walk_down(w, part, &zone_mark))
			continue;
		r = walk_numbers(w, "cpu", w->lab->nr_cpus);
		for (unsigned int cpu = r.from; cpu < r.to; cpu++)
			if (walk_lists_cpu(w, cpu))
				cpu_walk(w, i, cpu);
		walk_up(w, zone_mark);
	}
	walk_up(w, mark);
}
