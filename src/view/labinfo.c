/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labinfo - what a lab is made of and what it holds; and the list of labs.
 *
 * Units. mem in bytes, time in ns, pages counted.
 */
#include "cpu/read.h"
#include "view/look.h"
#include "view/table.h"

#include <stdlib.h>

#include "base/units.h"
#include "lab/handle.h"
#include "policy/preset.h"
#include "slab/read.h"

static void pages_fill(struct lab *lab, json_t *o)
{
	uint64_t managed = 0, free = 0;
	struct zone_figures z;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, false, &z);
		managed += z.managed;
		free += z.free;
	}
	look_set(o, "managed_pages", managed);
	look_set(o, "free_pages", free);
}

static void slabs_fill(struct lab *lab, json_t *o)
{
	uint64_t slabs = 0, pages = 0, caches = 0, stores = 0, draining = 0;
	uint32_t cursor = 0, store;
	struct store_figures s;

	while (cache_next(lab, &cursor) != CACHE_NONE)
		caches++;
	cursor = 0;
	while ((store = store_next(lab, &cursor))) {
		if (store_figures(lab, store, &s))
			continue;
		stores++;
		draining += s.state == STORE_DRAINING;
		slabs += s.slabs;
		pages += s.pages;
	}
	look_set(o, "caches", caches);
	look_set(o, "stores", stores);
	look_set(o, "draining", draining);
	look_set(o, "slabs", slabs);
	look_set(o, "slab_pages", pages);
}

static void handles_fill(struct lab *lab, json_t *o)
{
	uint64_t cursor = 0, handles = 0, live = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor))) {
		handles += h->live != 0;
		live += h->live;
	}
	look_set(o, "handles", handles);
	look_set(o, "live_members", live);
}

/* What `lab list` needs of a lab, too. */
static json_t *lab_object(struct lab *lab)
{
	const struct shape *shape = &lab->hdr->shape;
	json_t *o = json_object();
	uint64_t online = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		online += lab_cpu_online(lab, i);
	look_set_text(o, "name", lab->name);
	look_set(o, "mem", shape->pages * PAGE_SIZE);
	look_set(o, "cpus", online);
	look_set(o, "possible", lab->nr_cpus);
	look_set(o, "nodes", lab->nr_nodes);
	look_set(o, "ops", lab->hdr->ops);
	look_set(o, "time_ns", lab_now(lab));
	pages_fill(lab, o);
	handles_fill(lab, o);
	return o;
}

json_t *view_lab_info(struct lab *lab)
{
	static const char *const story[] = { "auto", "on", "off" };
	const struct shape *shape = &lab->hdr->shape;
	char text[4096];
	json_t *o;

	if (look_begin(lab, NULL, "lab info", 0))
		return NULL;
	o = lab_object(lab);
	look_set_text(o, "shape", shape_print(shape, text, sizeof(text)));
	look_set(o, "zones", lab->nr_zones);
	look_set(o, "seed", shape->seed);
	look_set(o, "pageblock_order", shape->pageblock_order);
	look_set_text(o, "clock", shape->clock_real ? "real" : "virtual");
	look_set_text(o, "preset", preset_name(preset_of(lab)));
	look_set_text(o, "counters", look_counting(lab) ? "on" : "off");
	look_set_text(o, "story", lab->hdr->story < ARRAY_SIZE(story) ? story[lab->hdr->story] : "?");
	slabs_fill(lab, o);
	look_set(o, "region_bytes", lab->hdr->region_bytes);
	return look_end(lab, o);
}

static void row(struct table *t, const char *title, const char *text)
{
	table_cell(t, "%s", title);
	table_cell(t, "%s", text);
}

static unsigned long long get(const json_t *m, const char *key)
{
	return look_get(m, key);
}

static void memory_rows(struct table *t, const json_t *m)
{
	char bytes[32], free[32];
	char text[256];

	snprintf(text, sizeof(text), "%s in %llu zone%s on %llu node%s, pageblocks of order %llu",
		 format_bytes(get(m, "mem"), bytes, sizeof(bytes)), get(m, "zones"),
		 plural(get(m, "zones")), get(m, "nodes"), plural(get(m, "nodes")),
		 get(m, "pageblock_order"));
	row(t, "memory", text);
	snprintf(text, sizeof(text), "%llu of %llu pages (%s)", get(m, "free_pages"), get(m, "managed_pages"),
		 format_bytes(get(m, "free_pages") * PAGE_SIZE, free, sizeof(free)));
	row(t, "free", text);
	snprintf(text, sizeof(text), "%llu in %llu page%s, of %llu stores (%llu draining), %llu caches",
		 get(m, "slabs"), get(m, "slab_pages"), plural(get(m, "slab_pages")), get(m, "stores"), get(m, "draining"),
		 get(m, "caches"));
	row(t, "slabs", text);
}

void view_lab_info_text(const json_t *m, const struct view_args *args, FILE *to)
{
	struct table t = { 0 };
	char text[256], time[32];

	table_column(&t, TABLE_LEFT, "%s", "");
	table_column(&t, TABLE_LEFT, "%s", "");
	row(&t, "lab", look_get_text(m, "name"));
	row(&t, "shape", look_get_text(m, "shape"));
	memory_rows(&t, m);
	snprintf(text, sizeof(text), "%llu online of %llu", get(m, "cpus"), get(m, "possible"));
	row(&t, "cpus", text);
	snprintf(text, sizeof(text), "%llu with %llu live member%s", get(m, "handles"), get(m, "live_members"),
		 plural(get(m, "live_members")));
	row(&t, "handles", text);
	snprintf(text, sizeof(text), "%s (%s), %llu ops, seed %llu",
		 format_ns(get(m, "time_ns"), time, sizeof(time)), look_get_text(m, "clock"),
		 get(m, "ops"), get(m, "seed"));
	row(&t, "clock", text);
	row(&t, "preset", look_get_text(m, "preset"));
	snprintf(text, sizeof(text), "counters %s, story %s", look_get_text(m, "counters"),
		 look_get_text(m, "story"));
	row(&t, "told", text);
	table_print(&t, args, to);
}

json_t *view_lab_list(struct lab *const *labs, unsigned int n, const struct lab *current, const bool *twin)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < n; i++) {
		json_t *o;

		if (look_begin(labs[i], NULL, "lab list", 0)) {
			json_decref(list);
			return NULL;
		}
		o = look_end(labs[i], lab_object(labs[i]));
		json_object_set_new(o, "current", json_boolean(labs[i] == current));
		json_object_set_new(o, "twin", json_boolean(twin[i]));
		json_array_append_new(list, o);
	}
	return json_pack("{s:o}", "labs", list);
}

void view_lab_list_text(const json_t *m, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "memory", "nodes", "cpus", "ops", "free pages", "live" };
	struct table t = { 0 };
	char bytes[32];
	json_t *o;
	size_t i;

	table_column(&t, TABLE_LEFT, "%s", "");
	table_column(&t, TABLE_LEFT, "lab");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	json_array_foreach(json_object_get(m, "labs"), i, o) {
		table_cell(&t, "%s%s", json_is_true(json_object_get(o, "current")) ? "*" : "",
			   json_is_true(json_object_get(o, "twin")) ? "=" : "");
		table_cell(&t, "%s", look_get_text(o, "name"));
		table_cell(&t, "%s", format_bytes(get(o, "mem"), bytes, sizeof(bytes)));
		table_cell(&t, "%llu", get(o, "nodes"));
		table_cell(&t, "%llu", get(o, "cpus"));
		table_count(&t, get(o, "ops"));
		table_cell(&t, "%llu", get(o, "free_pages"));
		table_count(&t, get(o, "live_members"));
	}
	table_print(&t, args, to);
}
