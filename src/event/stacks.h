/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks - which paths lead to an event: call stacks at it, counted.
 *
 * Idea. While somebody wants to know, CPUs run the told code, and each time
 * the event is told the stack is taken; equal stacks are one entry. The two
 * kinds of locks count as events here (zone_lock, list_lock): who takes them is
 * what one wants to know most.
 *
 * Ownership. Host memory, no part of a lab's state; a mutex guards the table.
 */
#ifndef EVENT_STACKS_H
#define EVENT_STACKS_H

#include <pthread.h>

#include "event/event.h"

enum { STACK_ZONE_LOCK = EV_NR, STACK_LIST_LOCK, STACK_EVENTS };

struct stacks_entry {
	const char *text;	/* of event/stack.h */
	uint64_t count;
	uint32_t event, next;	/* next in its bucket, + 1 */
};

struct stacks {
	pthread_mutex_t mutex;
	uint8_t wanted[(STACK_EVENTS + 7) / 8];
	struct stacks_entry *entry;
	uint32_t nr, cap, bucket[256];
	uint64_t lost;		/* not kept: the host had no memory */
};

/* Number of an event or lock by name, -1 if there is none; and the name. */
int stacks_find(const char *name);
const char *stacks_name(unsigned int event);

struct stacks *stacks_make(void);	/* NULL without memory */
void stacks_free(struct stacks *s);
void stacks_want(struct stacks *s, unsigned int event, bool wanted);	/* in a stop; unwanted: forgotten, too */
bool stacks_wants(const struct stacks *s, unsigned int event);
bool stacks_idle(const struct stacks *s);		/* nothing is wanted */

void stacks_note_slow(struct stacks *s, unsigned int event);

static inline void stacks_note(struct stacks *s, unsigned int event)
{
	if (event < STACK_EVENTS && s->wanted[event / 8] >> event % 8 & 1)
		stacks_note_slow(s, event);
}

#endif
