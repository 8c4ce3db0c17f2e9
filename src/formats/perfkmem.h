/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfkmem - the tables of `perf kmem stat`: what each call site asked for and got.
 *
 *	Callsite          | Total_alloc/Per | Total_req/Per | Hit | Ping-pong | Frag
 *	getname/40        | 1519616/4096    | 1519616/4096  | 371 |         0 | 0.000%
 *
 * Ping-pong came later than the other columns. Units: bytes.
 */
#ifndef FORMATS_PERFKMEM_H
#define FORMATS_PERFKMEM_H

#include "formats/paste.h"

#define PERFKMEM_SITE 64

struct perfkmem_row {
	uint32_t line;
	char site[PERFKMEM_SITE];	/* a symbol, or an address of an object or a caller */
	uint64_t allocated, allocated_each, requested, requested_each, hits, pingpong;
	bool has_pingpong;
	double waste_pct;
};

struct perfkmem {
	struct perfkmem_row *row;
	uint32_t rows, cap;
	bool has_requested, has_allocated, has_waste, has_pct;	/* of the summary */
	uint64_t requested, allocated, waste;
	double waste_pct;
	struct line_list skipped;	/* lines with columns whose cells are not numbers */
};

/* -ENOENT with a sentence when there is neither a row nor a summary. */
int perfkmem_parse(const struct paste *text, struct perfkmem *p);
void perfkmem_free(struct perfkmem *p);

uint32_t perfkmem_recognise(const struct paste *text);

#endif
