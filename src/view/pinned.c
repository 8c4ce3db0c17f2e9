/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pinned - what keeps a cache's slabs: of each slab the objects that are out,
 * which are the fewest whose release would free it, and who holds them.
 *
 * The curve: slabs in the order of how few objects hold them, so memory
 * regained against objects freed, at best. Slabs of stores that the cache left
 * and that still drain are among them: they are the cache's memory too.
 *
 * Units. Ages in ops since the handle was made, and in ms of the lab clock
 * where the store tracks its users. A slab that a CPU holds goes only after a
 * flush, and a node keeps min_partial empty ones: bytes count all the same.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/storeline.h"
#include "view/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "lab/handle.h"
#include "slab/read.h"

#define HELD_LISTED 8	/* objects named of one slab */

struct pinned {
	struct slab_line line;
	uint64_t store;
	const char *list;
	json_t *held;		/* objects that handles hold, NULL: none yet */
	uint32_t named;
};

struct pinned_slabs {
	struct pinned *v;
	size_t nr, room;
};

static void add_lines(struct pinned_slabs *to, uint64_t store, const struct slab_line *lines, uint32_t n, const char *list)
{
	for (uint32_t i = 0; i < n && to->nr < to->room; i++)
		if (lines[i].out)
			to->v[to->nr++] = (struct pinned){ .line = lines[i], .store = store, .list = list };
}

static void add_store(struct pinned_slabs *to, const struct store_model *m)
{
	uint64_t serial = m->figures.serial;

	for (uint32_t i = 0; i < m->nr_nodes; i++) {
		add_lines(to, serial, m->nodes[i].partial, m->nodes[i].partial_nr, "partial");
		add_lines(to, serial, m->nodes[i].full, m->nodes[i].full_nr, "full");
	}
	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		if (m->cpus[i].has_slab)
			add_lines(to, serial, &m->cpus[i].slab, 1, "cpu");
		add_lines(to, serial, m->cpus[i].partial, m->cpus[i].partial_nr, "chain");
	}
	add_lines(to, serial, m->unlisted, m->unlisted_nr, "none");
}

static int collect_store(struct lab *lab, struct pinned_slabs *to, uint32_t store)
{
	struct store_model *m = store_model_take(lab, store);
	struct pinned *more;

	if (!m)
		return -ENOMEM;
	to->room += m->figures.slabs;
	more = realloc(to->v, (to->room + 1) * sizeof(*more));
	if (more) {
		to->v = more;
		add_store(to, m);
	}
	store_model_free(m);
	return more ? 0 : fail(ENOMEM, "the host has no memory for the slabs of a store");
}

/* The cache's own store, and those that drain and served it once. */
static int collect(struct lab *lab, struct pinned_slabs *to, uint32_t cache, uint32_t store)
{
	struct store_figures left;
	uint32_t cursor = 0;
	int ret = collect_store(lab, to, store);

	while (!ret && (store = store_draining_next(lab, cache, &cursor, &left)))
		ret = collect_store(lab, to, store);
	return ret;
}

static int by_pfn(const void *a, const void *b)
{
	const struct pinned *x = a, *y = b;

	return x->line.pfn < y->line.pfn ? -1 : x->line.pfn > y->line.pfn;
}

static int by_few(const void *a, const void *b)
{
	const struct pinned *x = a, *y = b;

	if (x->line.out != y->line.out)
		return x->line.out < y->line.out ? -1 : 1;
	if (x->store != y->store)
		return x->store < y->store ? -1 : 1;
	return x->line.number < y->line.number ? -1 : x->line.number > y->line.number;
}

static json_t *member_object(struct lab *lab, const struct handle *h, uint32_t index, uint64_t off)
{
	json_t *o = json_object();
	struct debug_track t;
	uint64_t age;

	look_set_text(o, "handle", h->name);
	look_set(o, "index", index);
	look_set(o, "address", off - lab->arena_off);
	look_set(o, "age_ops", lab->hdr->ops - h->op);
	if (debug_track_read(lab, off, &t, &age)) {
		look_set(o, "age_ms", age);
		look_set_text(o, "place", debug_text(lab, t.place));
	}
	return o;
}

/* Members of handles to the slabs that they lie in; v is sorted by pfn. */
static void name_holders(struct lab *lab, struct pinned *v, size_t nr)
{
	uint64_t cursor = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor))) {
		const struct member *m = handle_members(lab, h);

		for (uint32_t i = 0; i < h->nr && h->live; i++) {
			uint64_t off;
			struct pinned key = { .named = 0 }, *p;
			struct page_place place;

			if (!member_is_object(lab, &m[i], &off) || page_place(lab, (pfn_t)((off - lab->arena_off) >> PAGE_SHIFT), &place))
				continue;
			key.line.pfn = place.head;
			p = bsearch(&key, v, nr, sizeof(*v), by_pfn);
			if (!p)
				continue;
			p->named++;
			if (!p->held)
				p->held = json_array();
			if (json_array_size(p->held) < HELD_LISTED)
				json_array_append_new(p->held, member_object(lab, h, i, off));
		}
	}
}

static json_t *slab_json(struct lab *lab, const struct pinned *p)
{
	json_t *o = json_object();

	look_set(o, "slab", p->line.number);
	look_set(o, "store", p->store);
	look_set(o, "pfn", p->line.pfn);
	look_set(o, "node", p->line.node);
	look_set_text(o, "list", p->list);
	look_set(o, "out", p->line.out);
	look_set(o, "objects", p->line.objects);
	look_set(o, "bytes", PAGE_SIZE << p->line.order);
	look_set(o, "unnamed", p->line.out > p->named ? p->line.out - p->named : 0);
	owners_fill(lab, p->line.pfn, o);
	json_object_set_new(o, "held", p->held ? json_incref(p->held) : json_array());
	return o;
}

/* At each tenth of the slabs: objects freed, memory regained. */
static json_t *curve(const struct pinned *v, size_t nr)
{
	json_t *list = json_array();
	uint64_t objects = 0, bytes = 0;
	size_t next = 1;

	for (size_t i = 0; i < nr; i++) {
		objects += v[i].line.out;
		bytes += PAGE_SIZE << v[i].line.order;
		if ((i + 1) * 10 < nr * next)
			continue;
		while (next <= 10 && (i + 1) * 10 >= nr * next)
			next++;
		json_array_append_new(list, json_pack("{s:I,s:I,s:I}", "slabs", (json_int_t)i + 1, "objects", (json_int_t)objects,
						      "bytes", (json_int_t)bytes));
	}
	return list;
}

static json_t *fill(struct lab *lab, const struct cache_figures *c, const struct pinned_slabs *p)
{
	json_t *slabs = json_array(), *o;
	struct store_figures s;

	qsort(p->v, p->nr, sizeof(*p->v), by_pfn);
	name_holders(lab, p->v, p->nr);
	qsort(p->v, p->nr, sizeof(*p->v), by_few);
	for (size_t i = 0; i < p->nr; i++) {
		json_array_append_new(slabs, slab_json(lab, &p->v[i]));
		json_decref(p->v[i].held);
	}
	o = json_pack("{s:s,s:I,s:I,s:o,s:o}", "cache", c->name, "store", (json_int_t)c->store_serial,
			 "slabs_pinned", (json_int_t)p->nr, "slabs", slabs, "curve", curve(p->v, p->nr));
	if (!store_figures(lab, c->store, &s))
		waiting_fill(&s, o);
	return o;
}

static json_t *pinned_model(struct lab *lab, const struct view_args *args)
{
	struct pinned_slabs found = { NULL };
	struct cache_figures c;
	json_t *o = NULL;
	uint32_t cache;

	if (!args->name) {
		fail(EINVAL, "of which cache?");
		return NULL;
	}
	if (look_begin(lab, args, "pin", 1))
		return NULL;
	cache = cache_find(lab, args->name);
	if (cache == CACHE_NONE || cache_figures(lab, cache, &c)) {
		fail(ENOENT, "there is no cache \"%s\" ('caches all' lists them)", args->name);
		return look_end(lab, NULL);
	}
	if (!collect(lab, &found, cache, c.store))
		o = fill(lab, &c, &found);
	free(found.v);
	return look_end(lab, o);
}

/* ---- text ---- */

#define SLABS_SHOWN 10

static void holders_cell(struct table *t, const json_t *s)
{
	char text[512] = "", owners[128];
	size_t at = 0, i;
	json_t *h;

	json_array_foreach(json_object_get(s, "held"), i, h) {
		if (at + 80 > sizeof(text))
			break;
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s[%llu]", i ? " " : "", look_get_text(h, "handle"),
				       (unsigned long long)look_get(h, "index"));
		if (json_object_get(h, "place"))
			at += (size_t)snprintf(text + at, sizeof(text) - at, " (%llu ms, %.40s)", (unsigned long long)look_get(h, "age_ms"),
					       look_get_text(h, "place"));
		else
			at += (size_t)snprintf(text + at, sizeof(text) - at, " (%llu ops)", (unsigned long long)look_get(h, "age_ops"));
	}
	if (look_get(s, "unnamed") && at < sizeof(text))
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%llu of no handle", at ? " " : "",
				       (unsigned long long)look_get(s, "unnamed"));
	if (at < sizeof(text) && *owners_words(s, owners, sizeof(owners)))
		snprintf(text + at, sizeof(text) - at, "%s(%s)", at ? " " : "", owners);
	table_cell(t, "%s", text);
}

static void curve_text(const json_t *model, const struct view_args *args, FILE *to)
{
	struct table t = { .indent = 2 };
	json_t *p;
	size_t i;

	table_column(&t, TABLE_RIGHT, "freeing objects");
	table_column(&t, TABLE_RIGHT, "frees slabs");
	table_column(&t, TABLE_RIGHT, "memory B");
	json_array_foreach(json_object_get(model, "curve"), i, p) {
		table_cell(&t, "%llu", (unsigned long long)look_get(p, "objects"));
		table_cell(&t, "%llu", (unsigned long long)look_get(p, "slabs"));
		table_bytes(&t, look_get(p, "bytes"));
	}
	table_print(&t, args, to);
}

static void pinned_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "slab", "out", "of", "list" };
	bool draining = false;
	const json_t *slabs = json_object_get(model, "slabs");
	struct table t = { .indent = 2 };
	json_t *s;
	size_t i;

	if (!json_array_size(slabs)) {
		fprintf(to, "%s: no object holds a slab\n", look_get_text(model, "cache"));
		waiting_text(model, "  ", to);
		return;
	}
	fprintf(to, "%s: %zu slab%s held, those by the fewest objects first\n", look_get_text(model, "cache"), json_array_size(slabs),
		json_array_size(slabs) == 1 ? " is" : "s are");
	json_array_foreach(slabs, i, s)
		draining |= look_get(s, "store") != look_get(model, "store");
	if (draining)
		table_column(&t, TABLE_RIGHT, "store");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, i < 3 ? TABLE_RIGHT : TABLE_LEFT, "%s", titles[i]);
	table_column(&t, TABLE_LEFT, "held by");
	json_array_foreach(slabs, i, s) {
		if (i == SLABS_SHOWN)
			break;
		if (draining)
			table_cell(&t, "#%llu", (unsigned long long)look_get(s, "store"));
		table_cell(&t, "S%llu", (unsigned long long)look_get(s, "slab"));
		table_cell(&t, "%llu", (unsigned long long)look_get(s, "out"));
		table_cell(&t, "%llu", (unsigned long long)look_get(s, "objects"));
		table_cell(&t, "%s", look_get_text(s, "list"));
		holders_cell(&t, s);
	}
	table_print(&t, args, to);
	if (json_array_size(slabs) > SLABS_SHOWN)
		fprintf(to, "  and %zu more\n", json_array_size(slabs) - SLABS_SHOWN);
	waiting_text(model, "  ", to);
	curve_text(model, args, to);
}

const struct view view_pin = {
	.name = "pin",
	.summary = "what keeps a cache's slabs, and what freeing it would regain",
	.usage = "CACHE",
	.model = pinned_model,
	.text = pinned_text,
};
