/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_lab - lab.…: what the lab is made of, its clock and its ops. */
#include "cpu/read.h"
#include "view/figure_walk.h"

#include "page/read.h"
#include "policy/preset.h"
#include "view/look.h"

static int64_t online(const struct lab *lab)
{
	int64_t n = 0;

	for (unsigned int cpu = 0; cpu < lab->nr_cpus; cpu++)
		n += lab_cpu_online(lab, cpu);
	return n;
}

static void numbers(struct figure_walk *w)
{
	struct lab *lab = w->lab;
	const struct shape *s = &lab->hdr->shape;
	const struct { const char *name; int64_t n; } rows[] = {
		{ "cpus", s->cpus },
		{ "mem", (int64_t)(s->pages << PAGE_SHIFT) },
		{ "nodes", s->nodes },
		{ "online", online(lab) },
		{ "ops", (int64_t)lab->hdr->ops },
		{ "pages", (int64_t)s->pages },
		{ "possible", s->possible },
		{ "seed", (int64_t)s->seed },
		{ "time_ns", (int64_t)lab_now(lab) },
		{ "zones", lab->nr_zones },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (walk_leaf(w, rows[i].name))
			walk_int(w, rows[i].n);
}

void figure_lab_walk(struct figure_walk *w)
{
	size_t mark;

	if (!walk_down(w, "lab.", &mark))
		return;
	numbers(w);
	if (walk_leaf(w, "clock"))
		walk_text(w, w->lab->hdr->shape.clock_real ? "real" : "virtual");
	if (walk_leaf(w, "preset"))
		walk_text(w, preset_name(preset_of(w->lab)));
	if (walk_leaf(w, "name"))
		walk_text(w, w->lab->name);
	/* What came of zone.min_free_kbytes, which may say auto. */
	if (walk_leaf(w, "min_free_kbytes"))
		walk_int(w, (int64_t)min_free_kbytes(w->lab));
	walk_up(w, mark);
}
