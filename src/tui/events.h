/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events - the state of the pane of events, for the pane and its tests. */
#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "event/trace.h"
#include "view/live_events.h"

#define EVENTS_LINES 64		/* of the trace that are kept for painting */
#define EVENTS_TEXT 200

struct events_line {
	uint64_t seq, ns;
	unsigned int event, cpu;
	char text[EVENTS_TEXT];
};

struct events {
	struct live_events now;
	unsigned int row[EV_NR], shown;	/* events that have a row, in the order of their table */
	int picked;			/* an event, -1 none */
	int first;			/* row scrolled to the top */
	bool all;			/* those too that never happened */
	int page;			/* rows that there were room for */

	bool tracing;
	uint64_t kept, lost;
	struct events_line line[EVENTS_LINES];
	unsigned int lines;		/* oldest first */
	uint64_t from_seq;		/* of the newest line of the frame before: what is newer has the accent */
	uint64_t newest_seq;

	char *stacks;			/* call stacks at `stacks_of` as `stack` shows them, NULL: none are kept */
	unsigned int stacks_of;		/* the event that is picked, else the zone's lock */
	uint64_t stacks_ns;		/* when they were read */
	int stacks_first;		/* row scrolled to the top */
};

#endif
