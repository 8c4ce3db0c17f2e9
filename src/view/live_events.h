/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_events - how often each event happens, a second, with a little history.
 *
 * Counters are read as they stand, with no stop (live.h): a rate is what one
 * grew by since the sample before, over the host's time in between. A counter
 * that went back (undo, another moment of the past) begins anew.
 */
#ifndef VIEW_LIVE_EVENTS_H
#define VIEW_LIVE_EVENTS_H

#include "event/event.h"
#include "view/live.h"

#define LIVE_HISTORY 32			/* samples kept */
#define LIVE_SAMPLE_NS 500000000ULL	/* from one to the next */

struct live_rate {
	uint64_t total, before;
	double per_s;
	float history[LIVE_HISTORY];	/* per second; the newest stands before `at` of struct live_events */
};

struct live_events {
	const struct lab *lab;
	uint64_t born_ns, then_ns;
	unsigned int at, nr;		/* place of the next sample; how many there are */
	bool counting;
	struct live_rate rate[EV_NR];
};

/* The counter of the whole lab; cpu or order -1: of all. */
uint64_t live_event(struct lab *lab, int cpu, enum event_id e, int order);

/* Totals now, and a sample if it is time for one. Starts all zero. */
void live_events(struct lab *lab, uint64_t now_ns, struct live_events *s);

/* The sample `back` samples ago (0: the newest). */
static inline double live_sample(const struct live_events *s, enum event_id e, unsigned int back)
{
	return (double)s->rate[e].history[(s->at + 2 * LIVE_HISTORY - 1 - back) % LIVE_HISTORY];
}

#endif
