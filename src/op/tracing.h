/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracing - switching the trace of a lab (event/trace.h) on and off.
 *
 * While it is on every CPU runs the told variant. That is no part of the lab's
 * state: it is not undone, saved or cloned. With event.counters off nothing is
 * told, so a trace of it is refused (-ENODATA).
 */
#ifndef OP_TRACING_H
#define OP_TRACING_H

#include "event/trace.h"
#include "lab/lab.h"

/* Trace what the globs name (trace_filter()); size 0: as before, or the default. Another size empties the rings. */
int op_trace_on(struct lab *lab, char *const *globs, unsigned int nr, uint64_t size);
void op_trace_off(struct lab *lab);
void op_trace_clear(struct lab *lab);
bool op_trace_is_on(const struct lab *lab);

/*
 * Keep call stacks at an event or lock (event/stacks.h) from now on, or end it
 * and forget them; event -1: all. -ENODATA with event.counters off.
 */
int op_stacks(struct lab *lab, int event, bool wanted);

/* Commands that are only done again (undo) are not traced: off, and back to what it was. */
bool op_trace_hush(struct lab *lab);
void op_trace_unhush(struct lab *lab, bool was);

#endif
