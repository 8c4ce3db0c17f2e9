/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memreport - what kernels say of zones: zoneinfo, pagetypeinfo, and the memory
 * part of a failed allocation (Mem-Info).
 *
 * One reader for the three, since pastes mix them. Lines that a mailer broke
 * (quoted-printable or plain), cells one a line between foreign lines, and a
 * `_` where a forum ate the `*` are taken as they were meant.
 *
 * Units. Pages of the machine, kB where a key says so.
 */
#ifndef FORMATS_MEMREPORT_H
#define FORMATS_MEMREPORT_H

#include "formats/paste.h"

#define MEMREPORT_NAME 24
#define MEMREPORT_ORDERS 24

enum memreport_key { MEM_FREE, MEM_MIN, MEM_LOW, MEM_HIGH, MEM_SPANNED, MEM_PRESENT, MEM_MANAGED, MEM_KEYS };
extern const char *const memreport_keys[MEM_KEYS];

struct memreport_zone {
	uint32_t line, node;
	char zone[MEMREPORT_NAME];
	bool in_kb;			/* of Mem-Info */
	bool has[MEM_KEYS];
	uint64_t value[MEM_KEYS];
};

struct memreport_type {			/* a row of pagetypeinfo */
	uint32_t line, node, orders;
	char zone[MEMREPORT_NAME], type[MEMREPORT_NAME];
	uint64_t count[MEMREPORT_ORDERS];
};

struct memreport_blocks {		/* "Number of blocks type" */
	uint32_t line, node;
	char zone[MEMREPORT_NAME];
	uint64_t total;
};

struct memreport_list {			/* "Normal: 505*4kB … = 10236kB" */
	uint32_t orders;
	char zone[MEMREPORT_NAME];
	uint64_t count[MEMREPORT_ORDERS], kb[MEMREPORT_ORDERS];
	uint64_t sum_kb, stated_kb;
	bool stated;
};

struct memreport {
	struct memreport_zone *zone;
	struct memreport_type *type;
	struct memreport_blocks *blocks;
	struct memreport_list *list;
	uint32_t zones, types, block_rows, lists;
};

/* -ENOENT with a sentence when it holds none of these. */
int memreport_parse(const struct paste *text, struct memreport *m);
void memreport_free(struct memreport *m);

uint32_t zoneinfo_recognise(const struct paste *text);
uint32_t pagetypeinfo_recognise(const struct paste *text);
uint32_t allocfail_recognise(const struct paste *text);

#endif
