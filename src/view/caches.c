/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * caches - every named cache: what it holds, of how much, and what is wasted.
 *
 * Merged caches show the figures of their one store; `objects` is each name's
 * own. Waste is memory in the store's pages that no object asked for uses:
 * free objects, rounding, metadata and slab tails together.
 *
 * Units. Sizes and waste in bytes; use is objects out of those the slabs have.
 */
#include "view/caches.h"
#include "view/list.h"
#include "view/look.h"
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

static json_t *cache_object(struct lab *lab, const struct cache_figures *c,
			    const struct store_figures *s, uint64_t live)
{
	uint64_t bytes = s->pages * PAGE_SIZE;
	json_t *o = json_object();
	char flags[256];

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
	look_set_text(o, "flags", cache_flags_print(s->flags, flags, sizeof(flags)));
	look_set(o, "memory_bytes", bytes);
	look_set(o, "waste_bytes", bytes - min_u64(bytes, live * c->size_asked));
	look_set(o, "free_bytes", (s->total_objects - live) * s->size);
	look_set(o, "overhead_bytes", live * (s->size - c->size_asked));
	look_set(o, "tail_bytes", bytes - min_u64(bytes, s->total_objects * s->size));
	json_object_set_new(o, "starts_up", json_boolean(c->starts_up));
	return o;
}

static bool is_wanted(const struct cache_figures *c, const char *pattern)
{
	return !pattern || !strcmp(pattern, "all") || !fnmatch(pattern, c->name, 0);
}

static void caches_fill(struct lab *lab, const char *pattern, json_t *list)
{
	uint32_t cursor = 0, id;
	struct store_figures s;
	struct cache_figures c;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (!cache_figures(lab, id, &c) && is_wanted(&c, pattern) &&
		    !store_figures(lab, c.store, &s))
			json_array_append_new(list, cache_object(lab, &c, &s,
				s.slabs ? store_count_live(lab, c.store) : 0));
}

static json_t *caches_model(struct lab *lab, const struct view_args *args)
{
	json_t *list;

	if (look_begin(lab, args, "caches", 1))
		return NULL;
	list = json_array();
	caches_fill(lab, args->name, list);
	look_end(lab, NULL);
	if (args->name && strcmp(args->name, "all") && !json_array_size(list)) {
		json_decref(list);
		fail(ENOENT, "no cache matches \"%s\"; 'caches all' lists every cache", args->name);
		return NULL;
	}
	return json_pack("{s:o}", "caches", list);
}

static void cache_row(struct table *t, const json_t *c)
{
	uint64_t out = look_get(c, "store_objects"), all = look_get(c, "total_objects");
	int64_t aliases = (int64_t)look_get(c, "aliases");

	table_cell(t, "%s", look_get_text(c, "name"));
	table_count(t, look_get(c, "objects"));
	table_cell(t, all ? "%llu%%" : "-", (unsigned long long)(all ? 100 * out / all : 0));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "object_size"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "size"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "order"));
	table_cell(t, "%llu", (unsigned long long)look_get(c, "objs_per_slab"));
	table_count(t, look_get(c, "slabs"));
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
	return !args->name && json_is_true(json_object_get(c, "starts_up")) &&
	       !look_get(c, "slabs") && !look_get(c, "objects");
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
	fprintf(to, "wasted in all: %llu bytes, of these %llu in free objects, %llu beside objects, %llu in tails of slabs\n",
		(unsigned long long)sum[0], (unsigned long long)sum[1], (unsigned long long)sum[2], (unsigned long long)sum[3]);
}

const struct view view_caches = {
	.name = "caches",
	.summary = "every named cache: objects, use, slabs, waste, store",
	.usage = "[all|PATTERN]",
	.model = caches_model,
	.text = caches_text,
};
