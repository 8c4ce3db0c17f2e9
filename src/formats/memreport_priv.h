/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memreport_priv - what the two halves of memreport share: tables of /proc, and Mem-Info. */
#ifndef FORMATS_MEMREPORT_PRIV_H
#define FORMATS_MEMREPORT_PRIV_H

#include <stdlib.h>

#include "formats/memreport.h"

#define GROW(array, nr) ({ void *more_ = realloc((array), ((nr) + 1) * sizeof(*(array))); if (more_) (array) = more_; more_ != NULL; })

int memreport_no_memory(void);

struct joined {			/* a text as one, and where its lines began in it */
	char *all;
	const char **begin;
	uint32_t nr;
	uint32_t at;		/* the last answer of line_of */
	uint32_t turn;		/* of lists without a name */
};

uint32_t line_of(struct joined *j, const char *s);
int note_line(struct line_list *l, uint32_t line);	/* once each, if they come in order */

/*
 * "15908kB", which a terminal may have broken anywhere: one line's end in it is
 * passed over. Moves *s behind it.
 */
bool kb_wrapped(const char **s, uint64_t *n);

/* The zone whose name and colon stand before s: where it begins, NULL if there is none. */
const char *zone_before(const char *all, const char *s, char zone[MEMREPORT_NAME]);
uint32_t node_before(const char *all, const char *word);

int memreport_lists_parse(struct joined *j, struct memreport *m);

/* Adds requests, zones and free lists of every Mem-Info in the text. */
int memreport_meminfo(const struct paste *text, struct memreport *m);

#endif
