/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lru - pages that may be taken away: lists by zone, what kswapd of each node
 * does, and how much of each filler is still in memory.
 *
 * Units. Pages.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "lab/handle.h"
#include "slab/read.h"

static const char *const list_names[4] = { "inactive_anon", "active_anon", "inactive_file", "active_file" };

static json_t *zones_array(struct lab *lab)
{
	json_t *zones = json_array();

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;
		struct lru_figures f;
		json_t *o;

		zone_figures(lab, i, false, &z);
		lru_zone_figures(lab, i, &f);
		o = zone_object(&z);
		for (unsigned int id = 0; id < 4; id++)
			look_set(o, list_names[id], f.list[id]);
		look_set(o, "dirty", f.dirty);
		look_set(o, "free", z.free);
		look_set(o, "low", z.low + z.boost);
		look_set(o, "high", z.high + z.boost);
		json_array_append_new(zones, o);
	}
	return zones;
}

static json_t *nodes_array(struct lab *lab)
{
	json_t *nodes = json_array();

	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct worker_figures f;
		json_t *o = json_object();

		node_worker_figures(lab, n, &f);
		look_set(o, "node", n);
		look_set_text(o, "kswapd", f.kswapd);
		look_set(o, "kswapd_order", f.order);
		look_set(o, "kswapd_failures", f.failures);
		json_object_set_new(o, "all_unreclaimable", json_boolean(f.hopeless));
		look_set_text(o, "kcompactd", f.kcompactd);
		look_set(o, "clock", f.clock);
		json_array_append_new(nodes, o);
	}
	return nodes;
}

/* Cached objects, cache by cache and node by node. */
static json_t *caches_array(struct lab *lab)
{
	json_t *caches = json_array();
	uint32_t cursor = 0, id;

	while ((id = cache_next(lab, &cursor)))
		for (unsigned int n = 0; n < lab->nr_nodes; n++) {
			struct cached_figures f;
			json_t *o;

			cached_figures(lab, id, n, true, &f);
			if (!f.objects)
				continue;
			o = json_object();
			look_set_text(o, "cache", cache_name(lab, id));
			look_set(o, "node", n);
			look_set(o, "cached", f.objects);
			look_set(o, "referenced", f.referenced);
			look_set(o, "deferred", f.deferred);
			json_array_append_new(caches, o);
		}
	return caches;
}

/* How many pages of a filler, or cached objects, are there; NULL if the handle is of no filler. */
static json_t *filler_object(struct lab *lab, const struct handle *h)
{
	const struct member *m = handle_members(lab, h);
	uint64_t resident = 0, evicted = 0, active = 0, dirty = 0;
	json_t *o;

	for (uint32_t i = 0; i < h->nr; i++) {
		struct cached_place c;
		struct lru_place p;

		if (m[i].off && m[i].kind == MEMBER_CACHED && !cached_place(lab, m[i].off, &c)) {
			resident += c.off != 0;
			evicted += !c.off;
			continue;
		}
		if (!m[i].off || m[i].kind != MEMBER_LRU || lru_place(lab, m[i].off, &p))
			continue;
		resident += p.resident;
		evicted += !p.resident;
		active += p.active;
		dirty += p.dirty;
	}
	if (!resident && !evicted)
		return NULL;
	o = json_object();
	look_set_text(o, "handle", h->name);
	look_set(o, "resident", resident);
	look_set(o, "evicted", evicted);
	look_set(o, "active", active);
	look_set(o, "dirty", dirty);
	return o;
}

static json_t *fillers_array(struct lab *lab, const char *name)
{
	json_t *fillers = json_array();
	uint64_t cursor = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor)))
		if (!name || !strcmp(name, h->name)) {
			json_t *o = filler_object(lab, h);

			if (o)
				json_array_append_new(fillers, o);
		}
	return fillers;
}

static json_t *lru_model(struct lab *lab, const struct view_args *args)
{
	json_t *fillers;

	if (look_begin(lab, args, "lru list", 1))
		return NULL;
	fillers = fillers_array(lab, args->name);
	if (args->name && !json_array_size(fillers)) {
		json_decref(fillers);
		fail(ENOENT, "no handle \"%s\" has pages of a filler or cached objects (lru add, lru cache)", args->name);
		return look_end(lab, NULL);
	}
	return look_end(lab, json_pack("{s:o,s:o,s:o,s:o}", "zones", zones_array(lab), "nodes", nodes_array(lab), "fillers", fillers,
				       "caches", caches_array(lab)));
}

/* ---- text ---- */

static void zones_text(const json_t *zones, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "inactive anon", "active anon", "inactive file", "active file", "dirty", "free", "low", "high" };
	static const char *const keys[] = { "inactive_anon", "active_anon", "inactive_file", "active_file", "dirty", "free", "low", "high" };
	struct table t = { 0 };
	json_t *z;
	size_t i;

	table_column(&t, TABLE_LEFT, "zone");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	json_array_foreach(zones, i, z) {
		table_cell(&t, "N%llu %s", (unsigned long long)look_get(z, "node"), look_get_text(z, "zone"));
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			table_count(&t, look_get(z, keys[k]));
	}
	table_print(&t, args, to);
}

static void nodes_text(const json_t *nodes, FILE *to)
{
	json_t *n;
	size_t i;

	json_array_foreach(nodes, i, n)
		fprintf(to, "node %llu: kswapd %s%s, background compaction %s\n", (unsigned long long)look_get(n, "node"),
			look_get_text(n, "kswapd"),
			json_is_true(json_object_get(n, "all_unreclaimable")) ? " (it failed 16 times: not woken any more)" : "",
			look_get_text(n, "kcompactd"));
}

static void fillers_text(const json_t *fillers, const struct view_args *args, FILE *to)
{
	static const char *const keys[] = { "resident", "evicted", "active", "dirty" };
	struct table t = { 0 };
	json_t *f;
	size_t i;

	table_column(&t, TABLE_LEFT, "filler");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		table_column(&t, TABLE_RIGHT, "%s", keys[i]);
	json_array_foreach(fillers, i, f) {
		table_cell(&t, "%s", look_get_text(f, "handle"));
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			table_count(&t, look_get(f, keys[k]));
	}
	table_print(&t, args, to);
}

static void caches_text(const json_t *caches, const struct view_args *args, FILE *to)
{
	static const char *const keys[] = { "cached", "referenced", "deferred" };
	struct table t = { 0 };
	json_t *c;
	size_t i;

	if (!json_array_size(caches))
		return;
	table_column(&t, TABLE_LEFT, "cache");
	table_column(&t, TABLE_RIGHT, "node");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		table_column(&t, TABLE_RIGHT, "%s", keys[i]);
	json_array_foreach(caches, i, c) {
		table_cell(&t, "%s", look_get_text(c, "cache"));
		table_cell(&t, "%llu", (unsigned long long)look_get(c, "node"));
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			table_count(&t, look_get(c, keys[k]));
	}
	table_print(&t, args, to);
}

static void lru_text(const json_t *model, const struct view_args *args, FILE *to)
{
	zones_text(json_object_get(model, "zones"), args, to);
	nodes_text(json_object_get(model, "nodes"), to);
	fillers_text(json_object_get(model, "fillers"), args, to);
	caches_text(json_object_get(model, "caches"), args, to);
}

const struct view view_lru = {
	.name = "lru",
	.summary = "LRU lists by zone, kswapd, fillers and cached objects",
	.usage = "[HANDLE]",
	.model = lru_model,
	.text = lru_text,
};
