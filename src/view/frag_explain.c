/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frag_explain - what keeps blocks of an order from being free, and what would
 * make some: `frag explain ORDER`.
 *
 * A zone is cut into regions of the order. A region that is free as a whole is
 * a block now, or would be once its parts merged; one whose other pages lie on
 * CPUs' lists would be after a drain; one whose other pages are on LRU lists,
 * after reclaim took them or compaction moved them, for which there must be
 * room elsewhere. Any other page keeps its region, whoever holds it.
 *
 * Cost. One descriptor for each block of the zone.
 *
 * Units. Regions, which are blocks of the order, but where pages are said.
 */
#include "view/frag_explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "base/units.h"
#include "view/look.h"
#include "view/map.h"
#include "view/table.h"

#define HOLDERS_SHOWN 8

struct holder {
	unsigned int owner;
	uint64_t pages, regions, alone;	/* held; regions they keep; those that nobody else keeps */
};

struct explaining {
	unsigned int order;
	struct owners *owners;
	struct holder *holder;		/* by owner */

	/* the region under way */
	uint64_t region;		/* its number, UINT64_MAX: none */
	uint64_t free, pcp, lru, held, parts;
	unsigned int first, second;	/* owners in it; NO_OWNER */

	/* what came of it */
	uint64_t now, merge, drain, reclaim, all, kept;
	uint64_t movable_by_pages[1025];	/* regions that compaction could empty, by pages to move */
	uint64_t room;			/* free pages outside of such regions and of whole blocks */
	uint64_t nearest, nearest_pages;/* region with the fewest held pages, and how many */
};
#define NO_OWNER UINT32_MAX

static void note_holder(struct explaining *x, const struct page_extent *e, uint64_t pages)
{
	unsigned int owner = owners_of(x->owners, e);

	x->held += pages;
	x->holder[owner].pages += pages;
	if (x->first == NO_OWNER)
		x->first = owner;
	else if (owner != x->first)
		x->second = owner;
	if (x->holder[owner].owner != x->region + 1) {	/* the last region it was counted for, + 1 */
		x->holder[owner].owner = (unsigned int)(x->region + 1);
		x->holder[owner].regions++;
	}
}

static void end_region(struct explaining *x)
{
	uint64_t size = 1ULL << x->order;

	if (x->region == UINT64_MAX || x->free + x->pcp + x->lru + x->held < size)
		return;		/* cut off by the end of the zone */
	if (x->held) {
		x->kept++;
		x->room += x->free;
		if (x->second == NO_OWNER)
			x->holder[x->first].alone++;
		if (x->held < x->nearest_pages) {
			x->nearest = x->region;
			x->nearest_pages = x->held;
		}
		return;
	}
	x->all++;
	if (x->free == size) {
		x->now += x->parts == 1;
		x->merge += x->parts != 1;
	} else if (!x->lru) {
		x->drain++;
	} else {
		x->reclaim += !x->pcp;
		if (!x->pcp)
			x->movable_by_pages[x->lru]++;
		else
			x->room += x->free;
	}
}

static void begin_region(struct explaining *x, uint64_t region)
{
	end_region(x);
	x->region = region;
	x->free = x->pcp = x->lru = x->held = x->parts = 0;
	x->first = x->second = NO_OWNER;
}

static bool look_at(const struct page_extent *e, void *arg)
{
	struct explaining *x = arg;
	uint64_t end = (uint64_t)e->pfn + e->pages;

	if (e->role == PAGE_RESERVED)
		return false;
	for (uint64_t pfn = e->pfn; pfn < end;) {
		uint64_t next = min_u64(end, ((pfn >> x->order) + 1) << x->order), pages = next - pfn;

		if (pfn >> x->order != x->region)
			begin_region(x, pfn >> x->order);
		x->parts++;
		switch (e->role) {
		case PAGE_BUDDY:
		case PAGE_DELAYED:
			x->free += pages;
			break;
		case PAGE_ON_PCP:
			x->pcp += pages;
			break;
		case PAGE_LRU:
			x->lru += pages;
			break;
		default:
			note_holder(x, e, pages);
			break;
		}
		pfn = next;
	}
	return true;
}

/* Regions that can be emptied into the others, those first that take the fewest moves. */
static uint64_t compactable(const struct explaining *x)
{
	uint64_t nr = 0, room = x->room, left = 0;

	for (uint64_t moves = 1; moves <= 1024; moves++)	/* what is not emptied has room too */
		left += x->movable_by_pages[moves] * ((1ULL << x->order) - min_u64(moves, 1ULL << x->order));
	for (uint64_t moves = 1; moves <= 1024; moves++)
		for (uint64_t i = 0; i < x->movable_by_pages[moves]; i++) {
			uint64_t own = (1ULL << x->order) - moves;

			if (room + left < own + moves)
				return nr;
			left -= min_u64(left, own);
			if (room >= moves)
				room -= moves;
			else {
				left -= min_u64(left, moves - room);
				room = 0;
			}
			nr++;
		}
	return nr;
}

static int by_regions(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->alone != y->alone)
		return x->alone < y->alone ? 1 : -1;
	return x->regions < y->regions ? 1 : x->regions > y->regions ? -1 : (x->owner > y->owner) - (x->owner < y->owner);
}

static json_t *holders_model(struct explaining *x)
{
	unsigned int nr = owners_nr(x->owners);
	json_t *list = json_array();

	for (unsigned int i = 0; i < nr; i++)
		x->holder[i].owner = i;
	qsort(x->holder, nr, sizeof(*x->holder), by_regions);
	for (unsigned int i = 0; i < nr && x->holder[i].regions; i++) {
		const char *what, *name = owners_name(x->owners, x->holder[i].owner, &what);

		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", name, "what", what, "pages",
						      look_int(x->holder[i].pages), "regions", look_int(x->holder[i].regions),
						      "alone", look_int(x->holder[i].alone)));
	}
	return list;
}

static json_t *explain_zone(struct lab *lab, const struct zone_figures *z, unsigned int order)
{
	struct explaining *x = calloc(1, sizeof(*x));
	json_t *o = NULL;

	if (x)
		x->owners = owners_make(lab, z->start, (pfn_t)(z->start + z->managed));
	if (x && x->owners)
		x->holder = calloc(owners_nr(x->owners), sizeof(*x->holder));
	if (x && x->holder) {
		x->order = order;
		x->region = x->nearest_pages = UINT64_MAX;
		page_extents(lab, z->start, (pfn_t)(z->start + z->managed), look_at, x);
		end_region(x);
		o = zone_object(z);
		look_set(o, "order", order);
		look_set(o, "regions", x->all + x->kept);
		look_set(o, "free", x->now);
		look_set(o, "merge", x->merge);
		look_set(o, "drain", x->drain);
		look_set(o, "reclaim", x->reclaim);
		look_set(o, "compact", compactable(x));
		look_set(o, "all", x->all - x->now);
		look_set(o, "kept", x->kept);
		if (x->kept) {
			look_set(o, "nearest_pfn", x->nearest << order);
			look_set(o, "nearest_pages", x->nearest_pages);
		}
		json_object_set_new(o, "holders", holders_model(x));
	} else {
		fail(ENOMEM, "the host has no memory to explain %llu pages", (unsigned long long)z->managed);
	}
	if (x) {
		owners_free(x->owners);
		free(x->holder);
	}
	free(x);
	return o;
}

json_t *view_frag_explain(struct lab *lab, unsigned int order, const char *zone)
{
	struct zone_choice where;
	struct zone_figures z;
	char names[1024];
	json_t *zones, *o;

	if (look_begin(lab, NULL, "frag explain", 1))
		return NULL;
	if (!zone_choose(lab, zone, &where)) {
		fail(ENOENT, "there is no zone \"%s\" (%s)", zone, zone_names(lab, names, sizeof(names)));
		return look_end(lab, NULL);
	}
	zones = json_array();
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		if (!z.managed || !zone_chosen(&where, &z))
			continue;
		o = explain_zone(lab, &z, order);
		if (!o) {
			json_decref(zones);
			return look_end(lab, NULL);
		}
		json_array_append_new(zones, o);
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones));
}

/* ---- text ---- */

static void steps_text(const json_t *z, const struct view_args *args, FILE *to)
{
	static const struct { const char *key, *what, *by; } steps[] = {
		{ "merge", "merge what is free", "set buddy.coalesce eager" },
		{ "drain", "drain the CPUs' lists", "drain; set pcp.enabled off" },
		{ "reclaim", "take pages off LRU lists", "reclaim" },
		{ "compact", "move them elsewhere", "compact" },
		{ "all", "all of these", "" },
	};
	struct table t = { .indent = 2 };

	table_column(&t, TABLE_LEFT, "step");
	table_column(&t, TABLE_RIGHT, "blocks more");
	table_column(&t, TABLE_LEFT, "by");
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		table_cell(&t, "%s", steps[i].what);
		table_count(&t, look_get(z, steps[i].key));
		table_cell(&t, "%s", steps[i].by);
	}
	table_print(&t, args, to);
}

static void holders_text(const json_t *z, const struct view_args *args, FILE *to)
{
	const json_t *holders = json_object_get(z, "holders"), *h;
	size_t i, nr = json_array_size(holders);
	struct table t = { .indent = 2 };

	if (!nr)
		return;
	fprintf(to, "  %llu region%s kept; the nearest, at %#llx, by %llu page%s\n",
		(unsigned long long)look_get(z, "kept"), look_get(z, "kept") == 1 ? " is" : "s are",
		(unsigned long long)look_get(z, "nearest_pfn"), (unsigned long long)look_get(z, "nearest_pages"),
		plural(look_get(z, "nearest_pages")));
	table_column(&t, TABLE_LEFT, "kept by");
	table_column(&t, TABLE_RIGHT, "regions");
	table_column(&t, TABLE_RIGHT, "alone");
	table_column(&t, TABLE_RIGHT, "pages");
	json_array_foreach(holders, i, h) {
		if (i == HOLDERS_SHOWN)
			break;
		table_cell(&t, "%s %s", look_get_text(h, "what"), look_get_text(h, "name"));
		table_count(&t, look_get(h, "regions"));
		table_count(&t, look_get(h, "alone"));
		table_count(&t, look_get(h, "pages"));
	}
	table_print(&t, args, to);
	if (nr > HOLDERS_SHOWN)
		fprintf(to, "  and %zu more\n", nr - HOLDERS_SHOWN);
}

void view_frag_explain_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *z;
	size_t i;

	json_array_foreach(json_object_get(model, "zones"), i, z) {
		fprintf(to, "%sN%llu %s: %llu of %llu blocks of order %llu are free\n", i ? "\n" : "",
			(unsigned long long)look_get(z, "node"), look_get_text(z, "zone"),
			(unsigned long long)look_get(z, "free"), (unsigned long long)look_get(z, "regions"),
			(unsigned long long)look_get(z, "order"));
		steps_text(z, args, to);
		holders_text(z, args, to);
	}
}
