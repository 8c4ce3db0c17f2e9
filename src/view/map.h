/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map - a zone as a picture: one cell for each pageblock, or for each page.
 *
 * Idea. A cell says what its pages are kept for (type) or who holds most of
 * them (owner), and how many are free. A zone that has more pageblocks than
 * there are cells puts several into one; then a cell counts pageblocks, those
 * wholly free apart, which the free lists of the largest orders and the
 * pageblock bytes tell: what is not shown singly is not read singly.
 *
 * Cost. One descriptor for each block in the pageblocks that have a cell of
 * their own, so it is bounded by the cells and not by the lab.
 */
#ifndef VIEW_MAP_H
#define VIEW_MAP_H

#include <jansson.h>

#include "page/read.h"
#include "view/view.h"

struct map_choice {
	const char *zone;	/* NULL: all zones */
	bool by_owner, by_page;
	bool has_from;
	uint64_t from;		/* page that the picture begins with, where has_from */
	uint64_t cells;		/* at most, for each zone; 0: what 16 rows hold */
};

/*
 * {"by","zones":[{"node","zone","start","managed","from","to","pageblock_order",
 * "cell_pages","cells":[{"pfn","type","free","pcp","held","foreign","owner","what"} or
 * {"pfn","type","blocks","free_blocks"}],"owners":[{"letter","name","what","pages"}]}]}
 * NULL with a sentence when the choice names nothing.
 */
json_t *view_map(struct lab *lab, const struct map_choice *choice, const struct view_args *args);
/* Cells in a row of the picture, for a screen of that many columns. */
unsigned int map_columns(unsigned int width);
void view_map_text(const json_t *model, const struct view_args *args, FILE *to);

/* ---- owners, for map.c and the explanation of frag ---- */

struct owners;
/* Who holds pages start .. end - 1, handles by their members. NULL when the host has no memory. */
struct owners *owners_make(struct lab *lab, pfn_t start, pfn_t end);
/* Number of who holds this extent (it is held by somebody); below owners_nr(). */
unsigned int owners_of(const struct owners *o, const struct page_extent *e);
unsigned int owners_nr(const struct owners *o);
/* "a" of a handle, "kmalloc-64" of a cache, "(no handle)"; what: "handle", "cache", "program". */
const char *owners_name(const struct owners *o, unsigned int owner, const char **what);
void owners_free(struct owners *o);

#endif
