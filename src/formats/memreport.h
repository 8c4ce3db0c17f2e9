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
#define MEMREPORT_MOST 8192	/* of anything; a text with more is a log of years */

enum memreport_key {
	MEM_FREE, MEM_BOOST, MEM_MIN, MEM_LOW, MEM_HIGH, MEM_SPANNED, MEM_PRESENT, MEM_MANAGED,
	MEM_FREE_PCP, MEM_FREE_CMA, MEM_HIGHATOMIC, MEM_KEYS
};
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
	bool capped;			/* a cell said ">100000": at least so many */
};

#define MEMREPORT_TYPES 16

struct memreport_blocks {		/* "Number of blocks type" */
	uint32_t line, node;
	char zone[MEMREPORT_NAME];
	uint64_t total, count[MEMREPORT_TYPES];	/* by memreport.type_name */
};

/*
 * What a free list is worth: the sum is what it states; it is not (damage); a
 * cell is broken or missing; it ends before it states a sum.
 */
enum memreport_verdict { LIST_OK, LIST_WRONG_SUM, LIST_DAMAGED, LIST_TRUNCATED };
extern const char *const memreport_verdicts[];

struct memreport_list {			/* "Normal: 505*4kB (H) … = 10236kB" */
	uint32_t line, last_line, node, orders;
	char zone[MEMREPORT_NAME];
	char types[MEMREPORT_ORDERS][8];	/* "UME", "" where none are told */
	uint64_t count[MEMREPORT_ORDERS], kb[MEMREPORT_ORDERS];
	uint64_t sum_kb, stated_kb;
	uint64_t rounded_kb;	/* how far it may be off: it was written in MB or GB */
	bool stated, broken, typed;
};
/* What of it can be believed. */
enum memreport_verdict memreport_verdict(const struct memreport_list *l);

struct memreport_request {		/* what failed: "order:4, mode:0xd0", "gfp_mask=…, order=0" */
	uint32_t line;
	int order;			/* -1: not told */
	uint64_t gfp;
	char who[MEMREPORT_NAME];	/* the task's name or "" */
	bool oom;			/* the OOM killer was called */
};

struct memreport {
	struct memreport_zone *zone;
	struct memreport_type *type;
	struct memreport_blocks *blocks;
	struct memreport_list *list;
	struct memreport_request *request;
	uint32_t zones, types, block_rows, lists, requests;
	int pageblock_order;		/* of a pagetypeinfo; -1: not told */
	char type_name[MEMREPORT_TYPES][MEMREPORT_NAME];	/* columns of "Number of blocks type" */
	uint32_t type_names;
	struct line_list repaired, skipped;
};

/* -ENOENT with a sentence when it holds none of these. */
int memreport_parse(const struct paste *text, struct memreport *m);
void memreport_free(struct memreport *m);

uint32_t zoneinfo_recognise(const struct paste *text);
uint32_t pagetypeinfo_recognise(const struct paste *text);
uint32_t allocfail_recognise(const struct paste *text);

#endif
