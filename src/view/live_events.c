/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/live_events.h"

#include <string.h>

#include "cpu/read.h"
#include "view/look.h"

#define CPUS_EACH_FRAME 64	/* with more, totals are summed with the samples only */

static uint64_t page_event(struct lab *lab, int cpu, enum event_id e, int order)
{
	uint64_t n = 0;

	for (unsigned int z = 0; z < lab->nr_zones; z++)
		n += zone_event(lab, z, cpu, e, order);
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

uint64_t live_event(struct lab *lab, int cpu, enum event_id e, int order)
{
	switch (event_table[e].room) {
	case ROOM_PAGE:
		return page_event(lab, cpu, e, order);
	case ROOM_SLAB:
		return slab_event_total(lab, cpu, e);
	default:
		return lab_event(lab, cpu, e);
	}
}

static void take_totals(struct lab *lab, struct live_events *s)
{
	uint64_t slab[EV_SLAB_NR];

	slab_event_totals(lab, slab);
	for (unsigned int e = 0; e < EV_NR; e++)
		s->rate[e].total = event_table[e].room == ROOM_SLAB ? slab[e - EV_SLAB_FIRST] :
				   live_event(lab, -1, (enum event_id)e, -1);
}

static void sample(struct live_events *s, uint64_t now_ns)
{
	double seconds = (double)(now_ns - s->then_ns) / 1e9;

	for (unsigned int e = 0; e < EV_NR; e++) {
		struct live_rate *r = &s->rate[e];

		r->per_s = s->then_ns && r->total >= r->before ? (double)(r->total - r->before) / seconds : 0;
		r->before = r->total;
		if (s->then_ns)
			r->history[s->at] = (float)r->per_s;
	}
	if (s->then_ns) {
		s->at = (s->at + 1) % LIVE_HISTORY;
		s->nr += s->nr < LIVE_HISTORY;
	}
	s->then_ns = now_ns;
}

void live_events(struct lab *lab, uint64_t now_ns, struct live_events *s)
{
	if (s->lab != lab || s->born_ns != lab->born_ns) {
		memset(s, 0, sizeof(*s));
		s->lab = lab;
		s->born_ns = lab->born_ns;
	}
	s->counting = look_counting(lab);
	if (lab->nr_cpus <= CPUS_EACH_FRAME || !s->then_ns || now_ns - s->then_ns >= LIVE_SAMPLE_NS)
		take_totals(lab, s);
	if (!s->then_ns || now_ns - s->then_ns >= LIVE_SAMPLE_NS)
		sample(s, now_ns);
}
