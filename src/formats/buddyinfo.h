/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buddyinfo - free blocks by node, zone and order, as /proc/buddyinfo has them.
 *
 *	Node 0, zone   Normal    183     73     28     10      5      7 …
 *
 * A paste may hold several tables (before and after, say): a new one begins
 * where a node's zone comes again, or where the number of orders changes, or
 * behind a line that is no row. In a pagetypeinfo the table `Number of blocks
 * type` has rows of the same look; its heading says that they are none of ours.
 *
 * Units. Counts are blocks; order o is 2^o pages of the machine's page size.
 */
#ifndef FORMATS_BUDDYINFO_H
#define FORMATS_BUDDYINFO_H

#include "formats/paste.h"

#define BUDDYINFO_ORDERS 24
#define BUDDYINFO_ZONE 16

struct buddyinfo_row {
	uint32_t node, line;
	char zone[BUDDYINFO_ZONE];
	uint32_t orders;
	uint64_t free[BUDDYINFO_ORDERS];
};

struct buddyinfo {
	struct buddyinfo_row *row;	/* in the file's order */
	uint32_t nr, cap;
	uint32_t *table;		/* first row of each table */
	uint32_t tables, table_cap;
	struct line_list skipped;	/* lines that are no rows and no blanks */
};

/* Reads what it knows and lists the rest; -ENOENT with fail() when there is no row at all. */
int buddyinfo_parse(const struct paste *text, struct buddyinfo *b);
void buddyinfo_free(struct buddyinfo *b);

/* Rows of table t: first and number. */
const struct buddyinfo_row *buddyinfo_table(const struct buddyinfo *b, uint32_t t, uint32_t *nr);

/* How many rows a text holds: for recognising. */
uint32_t buddyinfo_recognise(const struct paste *text);

#endif
