/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff - models of two labs, brought into one form (name → value) and compared. */
#include "view/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "view/figure.h"
#include "view/look.h"
#include "view/storeline.h"

#define LINES 24	/* of a part in text; JSON has all */
#define ITEMS 5		/* of a list in text */

/* ---- figures ---- */

static int add_figure(const char *path, const struct figure_value *v, void *all)
{
	if (strstr(path, ".event.") || strstr(path, ".lock."))
		return 0;
	json_object_set_new(all, path, figure_json(v));
	return 0;
}

static json_t *figures_of(struct lab *lab)
{
	static const char *const globs[] = { "zone.*", "pcp.*", "cache.*" };
	json_t *all = json_object();

	for (size_t i = 0; i < ARRAY_SIZE(globs); i++)
		figure_glob(lab, globs[i], add_figure, all);
	return all;
}

/* ---- lists and slabs, from the models of the views ---- */

static long long number(const json_t *o, const char *key)
{
	return (long long)look_get(o, key);
}

static void add_list(json_t *lists, const char *name, json_t *items)
{
	if (json_array_size(items))
		json_object_set(lists, name, items);
}

static void zone_lists(struct lab *lab, const char *kind, json_t *lists)
{
	json_t *model = view_model(lab, "freelist", kind), *zone, *order, *items;
	char name[128];
	const char *type;
	size_t z, o;

	json_array_foreach(json_object_get(model, "zones"), z, zone)
		json_array_foreach(json_object_get(zone, "order"), o, order)
			json_object_foreach(order, type, items) {
				snprintf(name, sizeof(name), "zone N%lld.%s order %zu %s", number(zone, "node"),
					 look_get_text(zone, "zone"), o, type);
				add_list(lists, name, items);
			}
	json_decref(model);
}

static void cpu_lists(struct lab *lab, unsigned int cpu, json_t *lists)
{
	char name[192], word[16];
	json_t *model, *l;
	size_t i;

	snprintf(word, sizeof(word), "%u", cpu);
	model = view_model(lab, "freelist", word);
	json_array_foreach(json_object_get(model, "pages"), i, l) {
		snprintf(name, sizeof(name), "pcp cpu%u N%lld.%s order %lld %s", cpu, number(l, "node"),
			 look_get_text(l, "zone"), number(l, "order"), look_get_text(l, "type"));
		add_list(lists, name, json_object_get(l, "pfns"));
	}
	json_array_foreach(json_object_get(model, "stores"), i, l) {
		snprintf(name, sizeof(name), "cpu%u free objects of %s in S%lld", cpu, look_get_text(l, "cache"), number(l, "slab"));
		add_list(lists, name, json_object_get(l, "free"));
	}
	json_decref(model);
}

/* One slab, at a place. */
static void add_slab(json_t *slabs, long long store, const json_t *slab, const char *on)
{
	char key[64];

	snprintf(key, sizeof(key), "%lld.%lld", store, number(slab, "slab"));
	json_object_set_new(slabs, key, json_pack("{s:s, s:I, s:I}", "on", on, "inuse", number(slab, "inuse"),
						  "objects", number(slab, "objects")));
}

static void add_slabs(json_t *slabs, long long store, const json_t *row, const char *on)
{
	json_t *slab;
	size_t i;

	json_array_foreach(row, i, slab)
		add_slab(slabs, store, slab, on);
}

static void add_slab_list(json_t *lists, const char *cache, const char *on, const json_t *row)
{
	json_t *numbers = json_array(), *slab;
	char name[192];
	size_t i;

	json_array_foreach(row, i, slab)
		json_array_append(numbers, json_object_get(slab, "slab"));
	snprintf(name, sizeof(name), "%s: %s", cache, on);
	add_list(lists, name, numbers);
	json_decref(numbers);
}

/* All of a store's slabs under the cache's name; whose: that name, and of a draining store its number. */
static void model_slabs(const json_t *model, const char *whose, json_t *lists, json_t *mine)
{
	static const char *const of_node[] = { "partial", "full", "free" };	/* the latter two: engine slab */
	long long store = number(model, "store");
	json_t *part;
	char on[64];
	size_t i;

	json_array_foreach(json_object_get(model, "nodes"), i, part)
		for (size_t k = 0; k < ARRAY_SIZE(of_node); k++) {
			snprintf(on, sizeof(on), "node %lld's %s list", number(part, "node"), of_node[k]);
			add_slabs(mine, store, json_object_get(part, of_node[k]), on);
			add_slab_list(lists, whose, on, json_object_get(part, of_node[k]));
		}
	json_array_foreach(json_object_get(model, "cpus"), i, part) {
		snprintf(on, sizeof(on), "CPU %lld's partial list", number(part, "cpu"));
		add_slabs(mine, store, json_object_get(part, "partial"), on);
		add_slab_list(lists, whose, on, json_object_get(part, "partial"));
		snprintf(on, sizeof(on), "CPU %lld", number(part, "cpu"));
		if (json_is_object(json_object_get(part, "slab")))
			add_slab(mine, store, json_object_get(part, "slab"), on);
	}
	add_slabs(mine, store, json_object_get(model, "unlisted"), "no list");
}

/* A store is looked at once, under the first of the caches that have it, or had. */
static void one_store(struct lab *lab, uint32_t cache, uint32_t store, bool draining, json_t *seen, json_t *lists, json_t *mine)
{
	json_t *model;
	struct store_figures f;
	char serial[32], whose[160];

	if (store_figures(lab, store, &f))
		return;
	snprintf(serial, sizeof(serial), "%llu", (unsigned long long)f.serial);
	if (json_object_get(seen, serial))
		return;
	json_object_set_new(seen, serial, json_true());
	snprintf(whose, sizeof(whose), draining ? "%s of #%s" : "%s", cache_name(lab, cache), serial);
	model = f.slabs ? store_slabs(lab, cache, store) : NULL;
	model_slabs(model, whose, lists, mine);
	json_decref(model);
}

static void all_slabs(struct lab *lab, json_t *lists, json_t *slabs)
{
	json_t *seen = json_object();
	uint32_t cursor = 0, cache;

	if (look_begin(lab, NULL, "snapshot diff", 0))
		return;
	while ((cache = cache_next(lab, &cursor)) != CACHE_NONE) {
		json_t *mine = json_object();
		struct store_figures left;
		struct cache_figures c;
		uint32_t from = 0, store;

		if (!cache_figures(lab, cache, &c))
			one_store(lab, cache, c.store, false, seen, lists, mine);
		while ((store = store_draining_next(lab, cache, &from, &left)))
			one_store(lab, cache, store, true, seen, lists, mine);
		if (json_object_size(mine))
			json_object_set(slabs, cache_name(lab, cache), mine);
		json_decref(mine);
	}
	json_decref(look_end(lab, seen));
}

static void look(struct lab *lab, json_t *lists, json_t *slabs)
{
	bool seen[ZONE_KINDS] = { false };

	for (unsigned int z = 0; z < lab->nr_zones; z++) {
		unsigned int kind = lab->hdr->shape.zone[z].kind;

		if (!seen[kind])
			zone_lists(lab, zone_kind_names[kind], lists);
		seen[kind] = true;
	}
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		cpu_lists(lab, i, lists);
	all_slabs(lab, lists, slabs);
}

/* ---- comparing ---- */

static void add_change(json_t *to, const char *name, json_t *then, json_t *now)
{
	json_object_set_new(to, name, json_pack("{s:O, s:O}", "then", then ? then : json_null(), "now",
						now ? now : json_null()));
}

static json_t *compare(json_t *then, json_t *now)
{
	json_t *changes = json_object(), *v;
	const char *name;

	json_object_foreach(then, name, v)
		if (!json_equal(v, json_object_get(now, name)))
			add_change(changes, name, v, json_object_get(now, name));
	json_object_foreach(now, name, v)
		if (!json_object_get(then, name))
			add_change(changes, name, NULL, v);
	return changes;
}

/* {"55.0":{then,now}} → [{"store":55,"slab":0,…}]: numbers are no keys. */
static json_t *as_rows(json_t *changes, uint64_t present)
{
	json_t *rows = json_array(), *v;
	const char *key;

	json_object_foreach(changes, key, v) {
		long long store = atoll(key);

		json_object_set_new(v, "store", json_integer(store));
		json_object_set_new(v, "slab", json_integer(atoll(strchr(key, '.') + 1)));
		json_object_set_new(v, "draining", json_boolean((uint64_t)store != present));
		json_array_append(rows, v);
	}
	json_decref(changes);
	return rows;
}

/* Number of the store that a cache's new objects come from; 0: there is no such cache any more. */
static uint64_t present_store(struct lab *lab, const char *name)
{
	uint32_t cache = cache_find(lab, name);
	struct cache_figures c;

	return cache == CACHE_NONE || cache_figures(lab, cache, &c) ? 0 : c.store_serial;
}

static json_t *compare_slabs(struct lab *lab, json_t *then, json_t *now)
{
	json_t *changes = json_object(), *all = json_object(), *v, *rows, *none = json_object();
	const char *cache;

	json_object_update(all, then);
	json_object_update(all, now);
	json_object_foreach(all, cache, v) {
		json_t *a = json_object_get(then, cache), *b = json_object_get(now, cache);

		rows = as_rows(compare(a ? a : none, b ? b : none), present_store(lab, cache));
		if (json_array_size(rows))
			json_object_set(changes, cache, rows);
		json_decref(rows);
	}
	json_decref(all);
	json_decref(none);
	return changes;
}

json_t *view_diff(struct lab *then, struct lab *now)
{
	json_t *figures[2] = { figures_of(then), figures_of(now) };
	json_t *lists[2] = { json_object(), json_object() }, *slabs[2] = { json_object(), json_object() };
	json_t *model;

	look(then, lists[0], slabs[0]);
	look(now, lists[1], slabs[1]);
	model = json_pack("{s:o, s:o, s:o}", "figures", compare(figures[0], figures[1]), "lists",
			  compare(lists[0], lists[1]), "slabs", compare_slabs(now, slabs[0], slabs[1]));
	for (int i = 0; i < 2; i++) {
		json_decref(figures[i]);
		json_decref(lists[i]);
		json_decref(slabs[i]);
	}
	return model;
}

/* ---- in words ---- */

static void put_value(const json_t *v, FILE *to)
{
	if (json_is_integer(v))
		fprintf(to, "%lld", (long long)json_integer_value(v));
	else
		fputs(json_is_string(v) ? json_string_value(v) : "-", to);
}

static void figure_text(const char *path, const json_t *change, bool colour, FILE *to)
{
	const json_t *then = json_object_get(change, "then"), *now = json_object_get(change, "now");

	fprintf(to, "  %s: ", path);
	put_value(then, to);
	fprintf(to, " -> %s", colour_on(colour, MEANS_CHANGED));
	put_value(now, to);
	fputs(colour_off(colour), to);
	if (json_is_integer(then) && json_is_integer(now))
		fprintf(to, " (%+lld)", (long long)(json_integer_value(now) - json_integer_value(then)));
	fputc('\n', to);
}

static bool has(const json_t *list, const json_t *item)
{
	json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
		if (json_equal(v, item))
			return true;
	return false;
}

/* "; WORD 1, 2, 3": what is in a and not in b. */
static size_t missing_text(const json_t *a, const json_t *b, const char *word, FILE *to)
{
	size_t i, nr = 0;
	json_t *v;

	json_array_foreach(a, i, v) {
		if (has(b, v))
			continue;
		if (nr < ITEMS)
			fprintf(to, "%s%lld", nr ? ", " : word, (long long)json_integer_value(v));
		nr++;
	}
	if (nr > ITEMS)
		fprintf(to, " and %zu more", nr - ITEMS);
	return nr;
}

static void list_text(const char *name, const json_t *change, bool colour, FILE *to)
{
	const json_t *then = json_object_get(change, "then"), *now = json_object_get(change, "now");
	size_t moved;

	fprintf(to, "  %s: %zu -> %s%zu%s", name, json_array_size(then), colour_on(colour, MEANS_CHANGED),
		json_array_size(now), colour_off(colour));
	moved = missing_text(then, now, "; gone: ", to);
	moved += missing_text(now, then, "; new: ", to);
	fputs(moved ? "\n" : "; the same in another order\n", to);
}

static void slab_text(const char *cache, const json_t *row, bool colour, FILE *to)
{
	const json_t *then = json_object_get(row, "then"), *now = json_object_get(row, "now");
	const char *on = colour_on(colour, MEANS_CHANGED), *off = colour_off(colour);

	fprintf(to, "  %s S%lld", cache, number(row, "slab"));
	if (json_is_true(json_object_get(row, "draining")))
		fprintf(to, " of #%lld", number(row, "store"));
	fputs(": ", to);
	if (!json_is_object(then))
		fprintf(to, "%snew%s, on %s, %lld of %lld in use\n", on, off, look_get_text(now, "on"), number(now, "inuse"),
			number(now, "objects"));
	else if (!json_is_object(now))
		fprintf(to, "%sgiven back%s; was on %s, %lld of %lld in use\n", on, off, look_get_text(then, "on"),
			number(then, "inuse"), number(then, "objects"));
	else if (strcmp(look_get_text(then, "on"), look_get_text(now, "on")))
		fprintf(to, "%s -> %s%s%s, in use %lld -> %lld of %lld\n", look_get_text(then, "on"), on, look_get_text(now, "on"), off,
			number(then, "inuse"), number(now, "inuse"), number(now, "objects"));
	else
		fprintf(to, "stays on %s, in use %lld -> %s%lld%s of %lld\n", look_get_text(now, "on"), number(then, "inuse"),
			on, number(now, "inuse"), off, number(now, "objects"));
}

static void part_head(const char *what, size_t nr, FILE *to)
{
	if (nr)
		fprintf(to, "%s that changed: %zu\n", what, nr);
	else
		fprintf(to, "%s: no change\n", what);
}

static void part_tail(size_t nr, FILE *to)
{
	if (nr > LINES)
		fprintf(to, "  and %zu more (--json tells all)\n", nr - LINES);
}

static void part_text(const char *what, const json_t *part,
		      void (*one)(const char *name, const json_t *change, bool colour, FILE *to), bool colour, FILE *to)
{
	size_t nr = 0;
	const char *name;
	json_t *change;

	part_head(what, json_object_size(part), to);
	json_object_foreach((json_t *)part, name, change)
		if (nr++ < LINES)
			one(name, change, colour, to);
	part_tail(nr, to);
}

static void slabs_text(const json_t *part, bool colour, FILE *to)
{
	size_t nr = 0, i, all = 0;
	const char *cache;
	json_t *rows, *row;

	json_object_foreach((json_t *)part, cache, rows)
		all += json_array_size(rows);
	part_head("slabs", all, to);
	json_object_foreach((json_t *)part, cache, rows)
		json_array_foreach(rows, i, row)
			if (nr++ < LINES)
				slab_text(cache, row, colour, to);
	part_tail(nr, to);
}

void view_diff_text(const json_t *model, const struct view_args *args, FILE *to)
{
	part_text("figures", json_object_get(model, "figures"), figure_text, args->colour, to);
	part_text("lists", json_object_get(model, "lists"), list_text, args->colour, to);
	slabs_text(json_object_get(model, "slabs"), args->colour, to);
}
