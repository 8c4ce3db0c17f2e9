/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * caches - every named cache: what it holds, of how much, and what is wasted.
 *
 * Merged caches show the figures of their one store; `objects` is each name's
 * own. Waste is memory in the store's pages that no object asked for uses:
 * free objects, rounding, metadata and slab tails together. What a cache left
 * in stores that drain counts with it where it was their only one.
 *
 * Units. Sizes and waste in bytes; use is objects out of those the slabs have.
 */
#include "view/caches.h"
#include "view/flow.h"
#include "view/list.h"
#include "view/look.h"
#include "view/storeline.h"
#include "view/table.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "slab/read.h"

static uint64_t cpu_slabs(struct lab *lab, uint32_t cache)
{
	char text[8192];

	return cache_sysfs(lab, cache, "cpu_slabs", text, sizeof(text)) ? 0 : strtoull(text, NULL, 10);
}

/* How the cache came by its store, oldest first, and what it left behind. */
static void stores_fill(struct lab *lab, uint32_t cache, json_t *to)
{
	struct cache_switch w[CACHE_SWITCHES];
	json_t *list = json_array();
	uint32_t all;
	unsigned int nr = cache_switches(lab, cache, w, &all);

	for (unsigned int i = 0; i < nr; i++) {
		json_t *o = json_object();

		look_set(o, "op", w[i].op);
		look_set(o, "from_store", w[i].from);
		look_set_text(o, "from_engine", engine_name(w[i].from_engine));
		look_set(o, "store", w[i].to);
		look_set_text(o, "engine", engine_name(w[i].engine));
		look_set(o, "order", w[i].order);
		look_set(o, "objs_per_slab", w[i].objs);
		look_set(o, "left_slabs", w[i].slabs);
		json_array_append_new(list, o);
	}
	look_set(to, "switches", all);
	json_object_set_new(to, "switched", list);
	json_object_set_new(to, "draining", stores_draining(lab, cache));
}

static json_t *cache_object(struct lab *lab, const struct cache_figures *c,
			    const struct store_figures *s, uint64_t live)
{
	json_t *o = json_object();
	struct stores_left left;
	uint64_t bytes, used, room, asked;
	char flags[256];

	stores_left(lab, c->id, &left);
	bytes = (s->pages + left.pages) * PAGE_SIZE;
	used = live * s->size + left.used_bytes;
	room = s->total_objects * s->size + left.room_bytes;
	asked = (live + left.objects) * c->size_asked;

	look_set_text(o, "name", c->name);
	look_set(o, "objects", c->objects);
	look_set(o, "total_objects", s->total_objects);
	look_set(o, "store_objects", live);
	look_set(o, "object_size", c->size_asked);
	look_set(o, "size", s->size);
	look_set(o, "align", s->align);
	look_set(o, "order", s->order);
	look_set(o, "objs_per_slab", s->objs);
	look_set(o, "slabs", s->slabs);
	look_set(o, "partial", s->partial);
	look_set(o, "cpu_slabs", cpu_slabs(lab, c->id));
	look_set(o, "min_partial", s->min_partial);
	look_set(o, "cpu_partial", s->cpu_partial);
	json_object_set_new(o, "aliases", json_integer(s->aliases));
	look_set(o, "store", s->serial);
	look_set_text(o, "engine", s->engine);
	json_object_set_new(o, "owner_map", json_boolean(s->owner_map));
	json_object_set_new(o, "freelist_random", json_boolean(s->freelist_random));
	json_object_set_new(o, "freelist_hardened", json_boolean(s->freelist_hardened));
	look_set_text(o, "flags", cache_flags_print(s->flags, flags, sizeof(flags)));
	look_set(o, "memory_bytes", bytes);
	look_set(o, "waste_bytes", bytes - min_u64(bytes, asked));
	look_set(o, "free_bytes", room - used);
	look_set(o, "overhead_bytes", used - min_u64(used, asked));
	look_set(o, "tail_bytes", bytes - min_u64(bytes, room));
	look_set(o, "left_objects", left.objects);
	look_set(o, "left_total_objects", left.total_objects);
	look_set(o, "left_slabs", left.slabs);
	waiting_fill(s, o);
	json_object_set_new(o, "starts_up", json_boolean(c->starts_up));
	return o;
}

static bool is_wanted(const struct cache_figures *c, const char *pattern)
{
	return !pattern || !strcmp(pattern, "all") || !fnmatch(pattern, c->name, 0);
}

static bool is_verbose(const struct view_args *args)
{
	for (const char *const *w = args->words; w && *w; w++)
		if (!strcmp(*w, "-v"))
			return true;
	return false;
}

static void caches_fill(struct lab *lab, const char *pattern, bool verbose, json_t *list)
{
	uint32_t cursor = 0, id;
	struct store_figures s;
	struct cache_figures c;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE) {
		json_t *o;

		if (cache_figures(lab, id, &c) || !is_wanted(&c, pattern) || store_figures(lab, c.store, &s))
			continue;
		o = cache_object(lab, &c, &s, s.slabs ? store_count_live(lab, c.store) : 0);
		if (verbose)
			stores_fill(lab, id, o);
		json_array_append_new(list, o);
	}
}

/* The word that is no option. */
static const char *which(const struct view_args *args)
{
	for (const char *const *w = args->words; w && *w; w++)
		if (strcmp(*w, "-v"))
			return *w;
	return args->words ? NULL : args->name;
}

static json_t *caches_model(struct lab *lab, const struct view_args *args)
{
	const char *pattern = which(args);
	json_t *list;

	if (look_begin(lab, args, "caches", is_verbose(args) ? 2 : 1))
		return NULL;
	list = json_array();
	caches_fill(lab, pattern, is_verbose(args), list);
	look_end(lab, NULL);
	if (pattern && strcmp(pattern, "all") && !json_array_size(list)) {
		json_decref(list);
		fail(ENOENT, "no cache matches \"%s\"; 'caches all' lists every cache", pattern);
		return NULL;
	}
	return json_pack("{s:o}", "caches", list);
}

static void cache_row(struct table *t, const json_t *c)
{
	uint64_t out = look_get(c, "store_objects") + look_get(c, "left_objects");
	uint64_t all = look_get(c, "total_objects") + look_get(c, "left_total_objects");
	int64_t aliases = (int64_t)look_get(c, "aliases");

	table_cell(t, "%s", look_get_text(c, "name"));
	table_count(t, look_get(c, "objects"));
	table_cell(t, all ? "%llu%%" : "-", (unsigned long long)(all ? 100 * out / all : 0));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "object_size"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "size"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "order"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "objs_per_slab"));
	table_count(t, look_get(c, "slabs") + look_get(c, "left_slabs"));
	table_count(t, look_get(c, "partial"));
	table_bytes(t, look_get(c, "waste_bytes"));
	table_cell(t, "#%llu", (unsigned long long)look_get(c, "store"));
	if (aliases > 0)
		table_cell(t, "shared by %lld", (long long)aliases + 1);
	else
		table_cell(t, "%s", "");
}

/* Caches that came with the lab and hold nothing are counted, unless they were asked for. */
static bool is_idle(const json_t *c, const struct view_args *args)
{
	return !which(args) && json_is_true(json_object_get(c, "starts_up")) &&
	       !look_get(c, "slabs") && !look_get(c, "objects");
}

/* A cache's stores under its name: the present one, those that drain, the switches that led there. */
static void stores_text(const json_t *c, FILE *to)
{
	uint64_t all = look_get(c, "switches"), shown = json_array_size(json_object_get(c, "switched"));
	char words[128];
	json_t *s;
	size_t i;

	fprintf(to, "%s: store #%llu, engine %s, of order %llu%s%s\n", look_get_text(c, "name"),
		(unsigned long long)look_get(c, "store"), look_get_text(c, "engine"), (unsigned long long)look_get(c, "order"),
		json_is_true(json_object_get(c, "freelist_random")) ? ", freelists in random order" : "",
		json_is_true(json_object_get(c, "freelist_hardened")) ? ", links coded" : "");
	if (json_is_true(json_object_get(c, "owner_map")))
		fprintf(to, "  owner map: %llu of the store's %llu objects out are %s's; %llu bytes noted\n",
			(unsigned long long)look_get(c, "objects"), (unsigned long long)look_get(c, "store_objects"),
			look_get_text(c, "name"), (unsigned long long)look_get(c, "total_objects") * 4);
	waiting_text(c, "  ", to);
	json_array_foreach(json_object_get(c, "draining"), i, s)
		fprintf(to, "  draining #%llu, engine %s: %s\n", (unsigned long long)look_get(s, "store"),
			look_get_text(s, "engine"), store_words(s, words, sizeof(words)));
	if (all > shown)
		fprintf(to, "  %llu switches before these\n", (unsigned long long)(all - shown));
	json_array_foreach(json_object_get(c, "switched"), i, s)
		fprintf(to, "  op %llu: from #%llu (%s, %llu slabs then) to #%llu (%s, order %llu, %llu per slab)\n",
			(unsigned long long)look_get(s, "op"), (unsigned long long)look_get(s, "from_store"),
			look_get_text(s, "from_engine"), (unsigned long long)look_get(s, "left_slabs"),
			(unsigned long long)look_get(s, "store"), look_get_text(s, "engine"),
			(unsigned long long)look_get(s, "order"), (unsigned long long)look_get(s, "objs_per_slab"));
}

static void caches_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = {
		"objects", "use", "asked B", "size B", "order", "per slab", "slabs", "partial",
		"waste B", "store",
	};
	struct table t = { 0 };
	size_t i, idle = 0;
	json_t *c;

	table_column(&t, TABLE_LEFT, "name");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	table_column(&t, TABLE_LEFT, "%s", "");
	json_array_foreach(json_object_get(model, "caches"), i, c) {
		if (is_idle(c, args))
			idle++;
		else
			cache_row(&t, c);
	}
	table_print(&t, args, to);
	json_array_foreach(json_object_get(model, "caches"), i, c)
		if (json_object_get(c, "switched") && !is_idle(c, args))
			stores_text(c, to);
	if (idle)
		fprintf(to, "%zu more came with the lab and hold nothing ('caches all' shows them)\n", idle);
}

void view_caches_waste_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "memory B", "waste B", "waste", "free objects B", "overhead B", "tails B" };
	struct table t = { 0 };
	uint64_t sum[4] = { 0 };
	json_t *c;
	size_t i;

	table_column(&t, TABLE_LEFT, "name");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	json_array_foreach(json_object_get(model, "caches"), i, c) {
		uint64_t bytes = look_get(c, "memory_bytes"), waste = look_get(c, "waste_bytes");

		if (!bytes)
			continue;
		table_cell(&t, "%s", look_get_text(c, "name"));
		table_bytes(&t, bytes);
		table_bytes(&t, waste);
		table_cell(&t, "%.1f%%", 100.0 * (double)waste / (double)bytes);
		table_bytes(&t, look_get(c, "free_bytes"));
		table_bytes(&t, look_get(c, "overhead_bytes"));
		table_bytes(&t, look_get(c, "tail_bytes"));
		sum[0] += waste;
		sum[1] += look_get(c, "free_bytes");
		sum[2] += look_get(c, "overhead_bytes");
		sum[3] += look_get(c, "tail_bytes");
	}
	if (!sum[0] && !t.nr_cells) {
		fputs("no cache has a slab\n", to);
		return;
	}
	table_print(&t, args, to);
	flow_line(args, to, "wasted in all: %llu bytes, of these %llu in free objects, %llu beside objects, %llu in tails of slabs",
		(unsigned long long)sum[0], (unsigned long long)sum[1], (unsigned long long)sum[2], (unsigned long long)sum[3]);
}

const struct view view_caches = {
	.name = "caches",
	.summary = "every named cache: objects, use, slabs, waste, store",
	.usage = "[all|PATTERN]",
	.model = caches_model,
	.text = caches_text,
};
