/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stat - what happened, counted: of one cache and its stores, or of the lab.
 *
 * Of a cache: what was asked under its name, the sums over all stores it
 * used, then its present store, then draining ones. Slab events that sysfs
 * shows come first, by the kernel's names; the rest are the lab's own.
 * With event.counters off every count is null.
 *
 * Units. Occurrences, but for the events whose text says pages or objects.
 */
#include "cpu/read.h"
#include "view/list.h"
#include "view/storeline.h"
#include "view/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

/* Where a count is read: of all CPUs for cpu < 0. */
struct counts {
	struct lab *lab;
	uint32_t id;
	uint64_t (*read)(const struct counts *c, int cpu, enum event_id ev, int order);
};

static uint64_t of_cache(const struct counts *c, int cpu, enum event_id ev, int order)
{
	(void)order;
	return cache_event(c->lab, c->id, cpu, ev);
}

static uint64_t of_store(const struct counts *c, int cpu, enum event_id ev, int order)
{
	(void)order;
	return store_event(c->lab, c->id, cpu, ev);
}

static uint64_t of_slabs(const struct counts *c, int cpu, enum event_id ev, int order)
{
	(void)order;
	return slab_event_total(c->lab, cpu, ev);
}

static uint64_t of_pages(const struct counts *c, int cpu, enum event_id ev, int order)
{
	uint64_t sum = 0;

	for (unsigned int z = 0; z < c->lab->nr_zones; z++)
		sum += zone_event(c->lab, z, cpu, ev, order);
	return sum;
}

static uint64_t of_cpus(const struct counts *c, int cpu, enum event_id ev, int order)
{
	uint64_t sum = 0;

	(void)order;
	for (unsigned int i = 0; i < c->lab->nr_cpus; i++)
		if (cpu < 0 || (unsigned int)cpu == i)
			sum += cpu_event(c->lab, i, ev);
	return sum;
}

static json_t *event_object(const struct counts *c, enum event_id ev)
{
	json_t *o = json_object(), *cpus = json_array();

	look_set(o, "total", c->read(c, -1, ev, -1));
	for (unsigned int i = 0; i < c->lab->nr_cpus; i++)
		json_array_append_new(cpus, look_int(c->read(c, (int)i, ev, -1)));
	json_object_set_new(o, "cpu", cpus);
	if (event_table[ev].ordered) {
		json_t *orders = json_array();

		for (int order = 0; order < NR_PAGE_ORDERS; order++)
			json_array_append_new(orders, look_int(c->read(c, -1, ev, order)));
		json_object_set_new(o, "order", orders);
	}
	return o;
}

/* Events first .. end - 1, by name. */
static json_t *events_object(const struct counts *c, int first, int end)
{
	json_t *o = json_object();

	for (int ev = first; ev < end; ev++)
		json_object_set_new(o, event_table[ev].name,
				    look_counting(c->lab) ? event_object(c, (enum event_id)ev)
							  : json_null());
	return o;
}

static json_t *store_stat(struct lab *lab, uint32_t store)
{
	struct counts c = { lab, store, of_store };
	json_t *o = store_object(lab, store);

	json_object_set_new(o, "event", events_object(&c, EV_SLAB_FIRST, EV_SLAB_END));
	return o;
}

/* The present store, then draining ones that once served this cache, oldest first. */
static json_t *stores_array(struct lab *lab, const struct cache_figures *cache)
{
	json_t *stores = json_array();
	uint32_t cursor = 0, store;
	struct store_figures s;

	json_array_append_new(stores, store_stat(lab, cache->store));
	while ((store = store_draining_next(lab, cache->id, &cursor, &s)))
		json_array_append_new(stores, store_stat(lab, store));
	return stores;
}

static json_t *cache_stat(struct lab *lab, uint32_t cache)
{
	struct counts c = { lab, cache, of_cache };
	struct cache_figures f;
	json_t *o = json_object();

	if (cache_figures(lab, cache, &f))
		return o;
	look_set_text(o, "cache", f.name);
	json_object_set_new(o, "counters", json_boolean(look_counting(lab)));
	look_set(o, "allocs", f.allocs);
	look_set(o, "frees", f.frees);
	look_set(o, "objects", f.objects);
	json_object_set_new(o, "event", events_object(&c, EV_SLAB_FIRST, EV_SLAB_END));
	json_object_set_new(o, "stores", stores_array(lab, &f));
	return o;
}

static json_t *lab_stat(struct lab *lab)
{
	struct counts slabs = { lab, 0, of_slabs }, pages = { lab, 0, of_pages }, cpus = { lab, 0, of_cpus };
	json_t *o = json_object(), *all = json_object();
	json_t *part[] = {
		events_object(&slabs, EV_SLAB_FIRST, EV_SLAB_END),
		events_object(&pages, 0, EV_PAGE_NR),
		events_object(&cpus, EV_LAB_FIRST, EV_NR),
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(part); i++) {
		json_object_update(all, part[i]);
		json_decref(part[i]);
	}
	json_object_set_new(o, "counters", json_boolean(look_counting(lab)));
	json_object_set_new(o, "event", all);
	return o;
}

static json_t *stat_model(struct lab *lab, const struct view_args *args)
{
	uint32_t cache;

	if (look_begin(lab, args, "stat", 1))
		return NULL;
	if (!args->name)
		return look_end(lab, lab_stat(lab));
	cache = cache_find(lab, args->name);
	if (cache == CACHE_NONE) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	return look_end(lab, cache_stat(lab, cache));
}

/* ---- text ---- */

/* CPUs that counted anything, as many as fit beside the totals. */
static unsigned int busy_cpus(const json_t *events, const struct view_args *args, unsigned int *cpus,
			      unsigned int max, unsigned int *left_out)
{
	unsigned int fit = args->width > 60 ? (args->width - 44) / 9 : 4, nr = 0;
	const json_t *e, *n;
	const char *name;
	size_t i;

	*left_out = 0;
	for (i = 0; i < MAX_CPUS; i++) {
		bool busy = false;

		json_object_foreach((json_t *)events, name, e) {
			n = json_array_get(json_object_get(e, "cpu"), i);
			busy |= json_integer_value(n) != 0;
		}
		if (busy && nr < fit && nr < max)
			cpus[nr++] = (unsigned int)i;
		else if (busy)
			++*left_out;
	}
	return nr;
}

static void orders_cell(struct table *t, const json_t *orders)
{
	char text[256];
	size_t at = 0, o;
	json_t *n;

	json_array_foreach(orders, o, n)
		if (json_integer_value(n) && at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%so%zu %lld", at ? ", " : "",
					       o, (long long)json_integer_value(n));
	table_cell(t, "%s", at ? text : "");
}

/* A line for each event that happened; the others are counted. */
static void events_text(const json_t *events, const struct view_args *args, FILE *to)
{
	unsigned int cpus[64], left_out, nr = busy_cpus(events, args, cpus, 64, &left_out), zeros = 0;
	struct table t = { .indent = 2 };
	const char *name;
	json_t *e;

	table_column(&t, TABLE_LEFT, "event");
	table_column(&t, TABLE_RIGHT, "total");
	for (unsigned int i = 0; i < nr; i++)
		table_column(&t, TABLE_RIGHT, "cpu%u", cpus[i]);
	table_column(&t, TABLE_LEFT, "%s", "");
	json_object_foreach((json_t *)events, name, e) {
		if (!look_get(e, "total")) {
			zeros++;
			continue;
		}
		table_cell(&t, "%s", name);
		table_cell(&t, "%llu", (unsigned long long)look_get(e, "total"));
		for (unsigned int i = 0; i < nr; i++)
			table_count(&t, (uint64_t)json_integer_value(
				json_array_get(json_object_get(e, "cpu"), cpus[i])));
		orders_cell(&t, json_object_get(e, "order"));
	}
	table_print(&t, args, to);
	fprintf(to, "  %u other counters are 0", zeros);
	fprintf(to, left_out ? "; %u more CPUs counted (--json)\n" : "\n", left_out);
}

static void store_text(const json_t *s, const struct view_args *args, FILE *to)
{
	char words[128];

	fprintf(to, "store #%llu %s, %s: %s\n", (unsigned long long)look_get(s, "store"),
		look_get_text(s, "engine"), look_get_text(s, "state"),
		store_words(s, words, sizeof(words)));
	events_text(json_object_get(s, "event"), args, to);
}

/* One store counted everything: the sums would say the same again. */
static bool is_only_store(const json_t *model, const json_t *stores)
{
	return json_array_size(stores) == 1 &&
	       json_equal(json_object_get(model, "event"),
			  json_object_get(json_array_get(stores, 0), "event"));
}

static void stat_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *stores = json_object_get(model, "stores");
	json_t *s;
	size_t i;

	if (stores)
		fprintf(to, "%s: %llu allocated, %llu freed, %llu out\n", look_get_text(model, "cache"),
			(unsigned long long)look_get(model, "allocs"),
			(unsigned long long)look_get(model, "frees"),
			(unsigned long long)look_get(model, "objects"));
	if (!json_is_true(json_object_get(model, "counters"))) {
		fprintf(to, "counters are off ('set event.counters on')\n");
		return;
	}
	if (!is_only_store(model, stores)) {
		fprintf(to, stores ? "all stores, those that are gone too\n" : "the whole lab\n");
		events_text(json_object_get(model, "event"), args, to);
	}
	json_array_foreach(stores, i, s)
		store_text(s, args, to);
}

const struct view view_stat = {
	.name = "stat",
	.summary = "what happened, counted: of a cache and its stores, or of the whole lab",
	.usage = "[CACHE]",
	.model = stat_model,
	.text = stat_text,
};
