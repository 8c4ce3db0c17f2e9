/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracing - what a trace holds (event/trace.h), as lines.
 *
 * Idea. An entry becomes a line: a name and fields, each a key and a text or a
 * number. What the kernel traces too has the kernel's fields in the kernel's
 * form, so that tools for its traces read ours, `replay` among them; our own
 * events and notes have the fields of their rows. Text is ftrace's, JSON an
 * object a line; both are painted from the same line.
 *
 * Addresses are what a kernel could print: objects lie from 0xffff888000000000
 * on, by their offset in the arena, descriptors from 0xffffea0000000000. A
 * call site that we do not know is the cache's name: replay tells caches
 * apart by it.
 */
#ifndef VIEW_TRACING_H
#define VIEW_TRACING_H

#include <jansson.h>
#include <stdio.h>

#include "event/trace.h"
#include "lab/lab.h"

#define TRACE_FIELDS_MAX 9

struct traced_field {
	const char *key;
	bool number;		/* text is a decimal number, and n is it */
	long long n;
	char text[160];
};

struct traced_line {
	const char *name;
	unsigned int cpu, nr, event;
	uint64_t seq, ns;
	struct traced_field field[TRACE_FIELDS_MAX];
};

/* In a stop, as the entry is. */
void traced_line(struct lab *lab, const struct trace_entry *e, unsigned int cpu, struct traced_line *line);

void traced_line_text(const char *lab, const struct traced_line *line, FILE *to);
json_t *traced_line_json(const struct traced_line *line);

/* What is shown of a trace. */
struct traced_choice {
	const uint8_t *wanted;	/* of trace_filter(), or NULL: all */
	int cpu;		/* -1: all */
	uint64_t last;		/* so many of the newest; 0: all */
	uint64_t look;		/* with last: among so many of the newest entries; 0: all that there are */
};

/* Call fn for the lines chosen, oldest first, in a stop, until it returns not 0. Returns how often it was called. */
uint64_t traced_lines(struct lab *lab, const struct traced_choice *choice,
		     int (*fn)(const struct traced_line *line, void *arg), void *arg);

/* Entries of all rings: those kept, and those written since the last clear. Needs a stop. */
struct traced_totals { uint64_t kept, written; };
struct traced_totals traced_totals(const struct lab *lab);

/* ftrace's header: entries kept and written, CPUs, columns. */
void traced_header_text(struct lab *lab, FILE *to);
/* "entries", "written", "lost", "size", and "cpus" with the same of each. */
json_t *traced_header_json(struct lab *lab);

#endif
