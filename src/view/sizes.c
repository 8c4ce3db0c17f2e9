/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sizes - what kmalloc is really asked for, of classes that track their users:
 * sizes, ages, bytes wasted by rounding up to the class, and the one class
 * more that would save most.
 *
 * A class between two others serves what fits it and went to the upper one. So
 * of each cache the best size is that of some request, rounded up to a word,
 * and what it saves is what lies above it up to the class, over all requests
 * that fit. Objects that are out count, with the ages they have now.
 *
 * Units. Bytes; ages in ms of the lab clock.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "slab/read.h"

#define CLASS_MAX 8192
#define WORD_BYTES 8

struct size_row {
	uint64_t count, age_sum, age_max;
};

/* The size that would save most in this class, 0 if none saves anything. */
static uint64_t best_class(const struct size_row *by_size, uint64_t class, uint64_t *saves)
{
	uint64_t fits = 0, best = 0;

	*saves = 0;
	for (uint64_t size = 1; size < class; size++) {
		fits += by_size[size].count;
		if (size % WORD_BYTES || fits * (class - size) <= *saves)
			continue;
		*saves = fits * (class - size);
		best = size;
	}
	return best;
}

static json_t *sizes_array(const struct size_row *by_size, uint64_t class)
{
	json_t *list = json_array();

	for (uint64_t size = 0; size <= class; size++)
		if (by_size[size].count)
			json_array_append_new(list, json_pack("{s:I,s:I,s:I,s:I,s:I}", "size", (json_int_t)size,
				"count", (json_int_t)by_size[size].count, "waste_bytes", (json_int_t)(by_size[size].count * (class - size)),
				"age_avg_ms", (json_int_t)(by_size[size].age_sum / by_size[size].count),
				"age_max_ms", (json_int_t)by_size[size].age_max));
	return list;
}

static json_t *cache_object(const struct cache_figures *c, const struct debug_site *sites, uint32_t nr)
{
	struct size_row *by_size = calloc(CLASS_MAX + 1, sizeof(*by_size));
	uint64_t class = c->size_asked, objects = 0, waste = 0, saves, best;
	json_t *o;

	if (!by_size)
		return NULL;
	for (uint32_t i = 0; i < nr; i++) {
		struct size_row *row = &by_size[class - sites[i].waste];

		row->count += sites[i].count;
		row->age_sum += sites[i].sum_age;
		row->age_max = sites[i].max_age > row->age_max ? sites[i].max_age : row->age_max;
		objects += sites[i].count;
		waste += sites[i].count * sites[i].waste;
	}
	best = best_class(by_size, class, &saves);
	o = json_pack("{s:s,s:I,s:I,s:I,s:o}", "cache", c->name, "class", (json_int_t)class, "objects", (json_int_t)objects,
		      "waste_bytes", (json_int_t)waste, "sizes", sizes_array(by_size, class));
	if (best) {
		look_set(o, "best_class", best);
		look_set(o, "saves_bytes", saves);
	}
	free(by_size);
	return o;
}

static bool is_class(const struct cache_figures *c)
{
	return c->starts_up && c->size_asked <= CLASS_MAX && strstr(c->name, "kmalloc");
}

/* A name that was given has to be that of a class. */
static int check_name(struct lab *lab, const char *name)
{
	struct cache_figures c;
	uint32_t cache = name ? cache_find(lab, name) : CACHE_NONE;

	if (!name)
		return 0;
	if (cache == CACHE_NONE)
		return fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", name);
	if (cache_figures(lab, cache, &c) || (c.starts_up && strstr(c.name, "kmalloc")))
		return 0;
	return fail(EINVAL, "%s is no class of kmalloc: all its objects are asked for with the same %u bytes (slabs %s shows what a slot wastes)",
		    name, c.size_asked, name);
}

static json_t *sizes_model(struct lab *lab, const struct view_args *args)
{
	json_t *list, *best = NULL, *o;
	uint32_t cursor = 0, cache, nr;
	struct debug_site *sites;
	struct cache_figures c;
	struct store_figures s;
	size_t i;

	if (look_begin(lab, args, "sizes", 1))
		return NULL;
	if (check_name(lab, args->name))
		return look_end(lab, NULL);
	list = json_array();
	while ((cache = cache_next(lab, &cursor))) {
		if (cache_figures(lab, cache, &c) || store_figures(lab, c.store, &s) || (args->name && strcmp(args->name, c.name)) ||
		    !is_class(&c) || !s.has_sizes ||
		    debug_sites(lab, c.store, false, &sites, &nr))
			continue;
		if (nr && (o = cache_object(&c, sites, nr)))
			json_array_append_new(list, o);
		free(sites);
	}
	look_end(lab, NULL);
	json_array_foreach(list, i, o)
		if (look_get(o, "saves_bytes") > look_get(best, "saves_bytes"))
			best = o;
	return json_pack("{s:O?,s:o}", "best", best, "caches", list);
}

/* ---- text ---- */

static void sizes_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *caches = json_object_get(model, "caches"), *best = json_object_get(model, "best");
	struct table t = { 0 };
	json_t *c, *s;
	size_t i, k;

	if (!json_array_size(caches)) {
		fputs("no kmalloc cache tracks its users and has objects out (set cache.kmalloc-64.debug U, or boot with slub_debug=U)\n", to);
		return;
	}
	table_column(&t, TABLE_LEFT, "cache");
	for (k = 0; k < 5; k++)
		table_column(&t, TABLE_RIGHT, "%s", (const char *const[]){ "asked B", "objects", "waste B", "mean age ms", "oldest ms" }[k]);
	json_array_foreach(caches, i, c)
		json_array_foreach(json_object_get(c, "sizes"), k, s) {
			table_cell(&t, "%s", k ? "" : look_get_text(c, "cache"));
			table_cell(&t, "%llu", (unsigned long long)look_get(s, "size"));
			table_count(&t, look_get(s, "count"));
			table_bytes(&t, look_get(s, "waste_bytes"));
			table_count(&t, look_get(s, "age_avg_ms"));
			table_count(&t, look_get(s, "age_max_ms"));
		}
	table_print(&t, args, to);
	json_array_foreach(caches, i, c)
		if (look_get(c, "best_class"))
			fprintf(to, "%s wastes %llu bytes; a class of %llu would save %llu of them\n", look_get_text(c, "cache"),
				(unsigned long long)look_get(c, "waste_bytes"), (unsigned long long)look_get(c, "best_class"),
				(unsigned long long)look_get(c, "saves_bytes"));
	if (best)
		fprintf(to, "the class that would save most: %llu, beside %s\n", (unsigned long long)look_get(best, "best_class"),
			look_get_text(best, "cache"));
}

const struct view view_sizes = {
	.name = "sizes",
	.summary = "what kmalloc is asked for, its waste, and the class that would save most",
	.usage = "[CACHE]",
	.model = sizes_model,
	.text = sizes_text,
};
