/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of map.h as text: rows of cells behind the page they begin with, then what the cells mean. */
#include "view/map.h"

#include <string.h>

#include "base/colour.h"
#include "base/units.h"
#include "view/look.h"

/*
 * What a cell shows. A cell that is held by more than half has the full mark of
 * its type, one that is held by less the other. One glance at a monochrome
 * screen tells the same as colours do.
 */
enum look { LOOK_FREE, LOOK_PCP, LOOK_RESERVED, LOOK_MIXED, LOOK_TYPE, LOOKS = LOOK_TYPE + 2 * MT_NR };

static const struct { const char *utf8, *plain, *text; enum meaning meaning; } looks[LOOKS] = {
	[LOOK_FREE] = { "·", ".", "free", MEANS_NOTHING },
	[LOOK_PCP] = { ":", ":", "free, part of it on CPUs' lists", MEANS_PARTLY },
	[LOOK_RESERVED] = { " ", " ", "not managed", MEANS_PLAIN },
	[LOOK_MIXED] = { "╳", "x", "mixed: held by other types too than the block's", MEANS_WARNING },
#define OF_TYPE(type, full, part, Full, Part, name, means) \
	[LOOK_TYPE + 2 * (type)] = { part, Part, name ", to the half", means }, \
	[LOOK_TYPE + 2 * (type) + 1] = { full, Full, name, means }
	OF_TYPE(MT_UNMOVABLE, "▓", "▞", "U", "u", "Unmovable", MEANS_UNMOVABLE),
	OF_TYPE(MT_MOVABLE, "█", "▄", "M", "m", "Movable", MEANS_MOVABLE),
	OF_TYPE(MT_RECLAIMABLE, "▒", "░", "R", "r", "Reclaimable", MEANS_RECLAIMABLE),
	OF_TYPE(MT_HIGHATOMIC, "‼", "!", "H", "h", "HighAtomic", MEANS_HIGHATOMIC),
	OF_TYPE(MT_ISOLATE, "I", "i", "I", "i", "Isolate", MEANS_PLAIN),
};

/* Of a cell: what is held of what there is; several pageblocks count as they are, free or not. */
static unsigned int look_of(const json_t *cell)
{
	uint64_t held = look_get(cell, "held"), all = held + look_get(cell, "free") + look_get(cell, "pcp");
	const char *type = look_get_text(cell, "type");

	if (json_object_get(cell, "blocks")) {
		all = look_get(cell, "blocks");
		held = all - look_get(cell, "free_blocks");
	}
	if (!all)
		return LOOK_RESERVED;
	if (!held)
		return look_get(cell, "pcp") ? LOOK_PCP : LOOK_FREE;
	if (look_get(cell, "foreign"))
		return LOOK_MIXED;
	return LOOK_TYPE + 2 * (unsigned int)mtype_parse(type, strlen(type)) + (2 * held > all);
}

/* ---- owners ---- */

/* A handle and a cache may have one name. */
static const char *letter_of(const json_t *zone, const json_t *cell)
{
	const json_t *o;
	size_t i;

	json_array_foreach(json_object_get(zone, "owners"), i, o)
		if (!strcmp(look_get_text(o, "name"), look_get_text(cell, "owner")) &&
		    !strcmp(look_get_text(o, "what"), look_get_text(cell, "what")))
			return look_get_text(o, "letter");
	return "?";
}

/* ---- rows ---- */

struct painting {
	const struct view_args *args;
	FILE *to;
	uint64_t seen[LOOKS];	/* cells of each look */
	enum meaning now;
};

static void mean(struct painting *p, enum meaning m)
{
	if (m == p->now)
		return;
	fputs(colour_off(p->args->colour && p->now != MEANS_PLAIN), p->to);
	fputs(colour_on(p->args->colour && m != MEANS_PLAIN, m), p->to);
	p->now = m;
}

static void paint_cell(struct painting *p, const json_t *zone, const json_t *cell)
{
	unsigned int look = look_of(cell);

	p->seen[look]++;
	mean(p, looks[look].meaning);
	if (json_object_get(cell, "owner"))
		fputs(letter_of(zone, cell), p->to);
	else
		fputs(p->args->utf8 ? looks[look].utf8 : looks[look].plain, p->to);
}

static void paint_rows(struct painting *p, const json_t *zone)
{
	const json_t *cells = json_object_get(zone, "cells"), *cell;
	size_t i, columns = map_columns(p->args->width);

	json_array_foreach(cells, i, cell) {
		if (!(i % columns))
			fprintf(p->to, "%s%#10llx ", i ? "\n" : "", (unsigned long long)look_get(cell, "pfn"));
		paint_cell(p, zone, cell);
		if (!((i + 1) % columns))
			mean(p, MEANS_PLAIN);
	}
	mean(p, MEANS_PLAIN);
	fputc('\n', p->to);
}

static void paint_legend(struct painting *p, const json_t *zone)
{
	const json_t *owner;
	size_t i;

	for (unsigned int l = 0; l < LOOKS; l++) {
		if (!p->seen[l] || l == LOOK_RESERVED || (l >= LOOK_MIXED && json_object_get(zone, "owners")))
			continue;
		fputs("           ", p->to);
		mean(p, looks[l].meaning);
		fputs(p->args->utf8 ? looks[l].utf8 : looks[l].plain, p->to);
		mean(p, MEANS_PLAIN);
		fprintf(p->to, " %s: %llu\n", looks[l].text, (unsigned long long)p->seen[l]);
	}
	json_array_foreach(json_object_get(zone, "owners"), i, owner)
		fprintf(p->to, "           %s %s %s: %llu pages\n", look_get_text(owner, "letter"), look_get_text(owner, "what"),
			look_get_text(owner, "name"), (unsigned long long)look_get(owner, "pages"));
}

static void paint_title(const json_t *zone, const struct view_args *args, FILE *to)
{
	uint64_t cell = look_get(zone, "cell_pages"), block = 1ULL << look_get(zone, "pageblock_order");
	uint64_t from = look_get(zone, "from"), end = look_get(zone, "to"), start = look_get(zone, "start");
	char size[24];

	fputs(colour_on(args->colour, MEANS_TITLE), to);
	fprintf(to, "N%llu %s", (unsigned long long)look_get(zone, "node"), look_get_text(zone, "zone"));
	fputs(colour_off(args->colour), to);
	if (from != start || end != start + look_get(zone, "managed"))
		fprintf(to, ", pages %#llx to %#llx", (unsigned long long)from, (unsigned long long)end - 1);
	format_bytes(cell << PAGE_SHIFT, size, sizeof(size));
	if (cell == 1)
		fputs(": a cell is a page\n", to);
	else if (cell == block)
		fprintf(to, ": a cell is a pageblock, %s\n", size);
	else
		fprintf(to, ": a cell is %llu pageblocks, %s; part of it is free when some of them are\n",
			(unsigned long long)(cell / block), size);
}

void view_map_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *zone;
	size_t i;

	json_array_foreach(json_object_get(model, "zones"), i, zone) {
		struct painting p = { .args = args, .to = to };

		if (i)
			fputc('\n', to);
		paint_title(zone, args, to);
		paint_rows(&p, zone);
		paint_legend(&p, zone);
	}
}
