/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counters - /proc/vmstat and /proc/meminfo: a name and a number a line.
 *
 *	nr_free_pages 213021		MemFree:          851960 kB
 *
 * Some kernels print a counter whose name is empty; it is kept so.
 */
#ifndef FORMATS_COUNTERS_H
#define FORMATS_COUNTERS_H

#include "formats/paste.h"

#define COUNTER_NAME 48

struct counter {
	uint32_t line;
	char name[COUNTER_NAME];
	uint64_t value;
	bool in_kb;
};

struct counters {
	struct counter *v;
	uint32_t nr, cap;
	struct line_list skipped;	/* lines that are neither this nor blank */
};

/* -ENOENT with a sentence when no line is one. */
int vmstat_parse(const struct paste *text, struct counters *c);
int meminfo_parse(const struct paste *text, struct counters *c);
void counters_free(struct counters *c);

uint32_t vmstat_recognise(const struct paste *text);
uint32_t meminfo_recognise(const struct paste *text);

#endif
