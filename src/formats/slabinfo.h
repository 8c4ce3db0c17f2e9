/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabinfo - caches and their objects, as /proc/slabinfo 2.x has them.
 *
 *	name  active_objs num_objs objsize objperslab pagesperslab : tunables … : slabdata …
 *
 * A row is known by its five numbers before " : tunables" (or before the
 * line's end where that part is missing); what stands in front is the name,
 * blanks and all. Version and heading lines are taken where they are, and not
 * missed where they are not. Of several tables in a paste the last counts.
 * Version 1.x (2.4) has
 *
 *	name  active_objs num_objs objsize active_slabs num_slabs pagesperslab [: …]
 *
 * Order fallback can be read off any of these: a slab of a smaller order has
 * fewer objects, so what is missing to slabs times objects, divided by the
 * difference of the two, is how many there are.
 *
 * Units. Sizes in bytes, pages of 4 KiB.
 */
#ifndef FORMATS_SLABINFO_H
#define FORMATS_SLABINFO_H

#include "formats/paste.h"

#define SLABINFO_NAME 128

struct slabinfo_row {
	uint32_t line;
	char name[SLABINFO_NAME];
	uint64_t active_objs, num_objs, objsize, objperslab, pagesperslab;
	bool has_tunables, has_slabdata;
	uint64_t limit, batchcount, sharedfactor;
	uint64_t active_slabs, num_slabs, sharedavail;	/* num_slabs by division where not told */
	bool slabs_told;		/* num_slabs stands in the report */
};

struct slabinfo {
	struct slabinfo_row *row;
	uint32_t nr, cap;
	uint32_t major, minor;		/* 0.0: no version line */
	bool statistics;
	uint32_t tables;		/* each begins with a version line; rows are of the last */
	struct line_list skipped;
	struct line_list repaired;	/* rows whose figures contradict each other, taken as far as they go */
};

/* Reads what it knows and lists the rest; -ENOENT with fail() when there is no row at all. */
int slabinfo_parse(const struct paste *text, struct slabinfo *s);
void slabinfo_free(struct slabinfo *s);

int slabinfo_add(struct slabinfo *s, const struct slabinfo_row *r);	/* one row more */

/*
 * Slabs that must have fallen back to the least order that holds an object;
 * *missing: objects to slabs times objects. 0 where that does not follow.
 */
uint64_t slabinfo_fallback(const struct slabinfo_row *r, uint64_t *missing);

uint32_t slabinfo_recognise(const struct paste *text);

#endif
