/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_arrange - free lists of a report, as a lab is to have them.
 *
 * What buddyinfo, pagetypeinfo and the Mem-Info of a failed allocation come
 * down to. Blocks that must not be free belong to the handle `imported`.
 *
 * Units. free: blocks by type and order, of pages of the machine's size.
 * blocks: pageblocks by type, 0 where a report does not count them.
 */
#ifndef WORK_IMPORT_ARRANGE_H
#define WORK_IMPORT_ARRANGE_H

#include "base/gfp.h"
#include "formats/buddyinfo.h"
#include "work/import.h"

struct import_zone {
	uint32_t node, line, orders;
	const char *zone;
	uint64_t pages;		/* managed, 0 where a report does not tell */
	bool untyped;		/* free[MT_MOVABLE] is of types that nobody told */
	uint64_t free[MT_NR][BUDDYINFO_ORDERS];
	uint64_t blocks[MT_NR];
};

/*
 * Each zone once; pageblock_order of the machine, -1 if unknown. Tells in data
 * what is held and the lab's shape. On an error the lab is as it was, or a fresh
 * one.
 */
int import_arrange(struct import *im, const struct import_zone *zone, uint32_t nr, int pageblock_order, json_t *data);

/* The same where the answer does not depend on it: why it could not be is a note, and "arranged" says whether it was. */
void import_arrange_or_note(struct import *im, const struct import_zone *zone, uint32_t nr, int pageblock_order, json_t *data);

#endif
