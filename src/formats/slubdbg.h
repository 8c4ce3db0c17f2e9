/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slubdbg - what SLUB says in a kernel's log: reports of its debugging, and
 * that it found no memory for a slab.
 *
 * Shapes of 3.x to 6.x, with or without `INFO:`, `@offset`, quote marks,
 * times and host names in front. A report begins at its BUG line; what comes
 * before the next belongs to it. Lines of neither are not missed.
 *
 * Units. Addresses as printed; hashed ones are numbers like any other.
 */
#ifndef FORMATS_SLUBDBG_H
#define FORMATS_SLUBDBG_H

#include "formats/paste.h"

#define SLUBDBG_TEXT 160

struct slubdbg_track {
	bool there;
	char place[SLUBDBG_TEXT];
	uint64_t age, cpu, pid;
};

struct slubdbg_report {
	uint32_t line;
	char cache[SLUBDBG_TEXT], state[SLUBDBG_TEXT], message[SLUBDBG_TEXT];
	bool has_range, has_offset, has_slab, has_object;
	uint64_t first, last, offset;		/* of the bad bytes */
	uint64_t found, expected;
	uint64_t slab, objects, used, slab_fp, flags;
	uint64_t object, object_offset, object_fp;
	struct slubdbg_track alloc, freed;
	uint64_t dumped_bytes;
	char fix[4][SLUBDBG_TEXT];
	uint32_t fixes;				/* may be more than are kept */
};

struct slubdbg_node {
	uint64_t node, slabs, objs, free;
};
struct slubdbg_shortage {
	uint32_t line;
	char cache[SLUBDBG_TEXT];
	int64_t node;				/* asked for, -1: any */
	uint64_t gfp, object_size, buffer_size, order, min_order;
	struct slubdbg_node nodes[8];
	uint32_t nr_nodes;
};

struct slubdbg {
	struct slubdbg_report *report;
	struct slubdbg_shortage *shortage;
	uint32_t reports, shortages;
};

/* -ENOENT with a sentence when it has neither. */
int slubdbg_parse(const struct paste *text, struct slubdbg *d);
void slubdbg_free(struct slubdbg *d);
uint32_t slubdbg_recognise(const struct paste *text);

/* Slabs of that node that fell back to the smaller order: see slabinfo_fallback(). */
uint64_t slubdbg_fallback(const struct slubdbg_shortage *s, const struct slubdbg_node *n);

#endif
