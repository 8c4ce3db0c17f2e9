/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_map - cells of a zone's picture, looked at within a time.
 *
 * Idea. A cell stands for 2^n pages. Where those are few, each extent in it is
 * read; else a fixed number of its pages is, at places that are the same each
 * time, so nothing flickers, and that follow no power of two, so that every
 * second page is not every page. A refresh goes on where the last one ended
 * when its time was over, in short stops; the picture of a lab that stands
 * still is made whole at once.
 *
 * Units. Pages; a cell's parts are of `seen`, the pages that were read.
 */
#ifndef VIEW_LIVE_MAP_H
#define VIEW_LIVE_MAP_H

#include "view/live.h"

#define LIVE_AGES 4

struct live_cell {
	uint16_t seen, free, pcp, held, reserved;
	uint16_t foreign;	/* held by requests of another type than the pageblock's */
	uint8_t type;		/* of its first pageblock */
	bool types;		/* its pageblocks are of several types */
	uint8_t age;		/* of what is held, from 0 (oldest) to LIVE_AGES - 1; LIVE_AGES: not known */
	uint32_t store;		/* slot of the store that holds most of it; 0: none, or others hold more */
	uint16_t owned;
};

struct live_born;		/* page and op of blocks that handles hold */

struct live_map {
	unsigned int zone;
	uint64_t first;		/* page of the first cell */
	unsigned int order;	/* a cell is 2^order pages */
	unsigned int nr, room;
	struct live_cell *cell;
	unsigned int next;	/* cell that a refresh goes on with */
	uint64_t op;		/* of the whole picture */
	bool whole;		/* nothing in it is older than `op` */
	struct live_born *born;
	unsigned int nr_born;
	uint64_t born_op;
};

/* Choose what is shown; cells that stay keep what was seen of them. */
void live_map_choose(struct live_map *m, unsigned int zone, uint64_t first, unsigned int order, unsigned int nr);

/*
 * Look at cells: all of them where the lab is still, else for about `ns`, in
 * stops of at most 250 us. Ages are looked up only where they are asked for.
 */
void live_map_refresh(struct lab *lab, struct live_map *m, bool still, uint64_t ns, bool ages);
void live_map_free(struct live_map *m);

/* The extent that a page lies in, in a moment: neither its place on a list nor its handle is looked for. */
struct live_page {
	const char *role;
	uint64_t head, pages;
	unsigned int order;
	const char *type;	/* of its pageblock */
	uint64_t store, slab;	/* serial and number; store 0: of no slab */
	char cache[CACHE_NAME];
};
void live_page(struct lab *lab, uint64_t pfn, struct live_page *p);

/* Members of handles and blocks on free lists: what a search for one goes through. */
uint64_t live_search_cost(struct lab *lab);

/* Name of the first cache that a store serves or served, "" if none; and its serial. */
const char *live_store_name(struct lab *lab, uint32_t store, uint64_t *serial);

#endif
