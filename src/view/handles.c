/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handles - what the names in a lab stand for: a line a handle, oldest first.
 *
 * Members keep their index when they are freed, so "members" counts those that
 * ever were and "live" those that are out. What a handle holds, and on which
 * CPUs it was allocated, is said of the live ones, or of all if none is.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/fail.h"
#include "lab/handle.h"
#include "slab/read.h"
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

/* Append a value that is not there yet; handles of more than a few kinds are rare. */
static void add_once(json_t *array, json_t *value)
{
	json_t *v;
	size_t i;

	json_array_foreach(array, i, v) {
		if (json_equal(v, value)) {
			json_decref(value);
			return;
		}
	}
	json_array_append_new(array, value);
}

/* Members that follow each other are mostly alike: a run of them is looked at once. */
static bool is_like(const struct member *a, const struct member *b)
{
	return a && a->kind == b->kind && a->cache == b->cache && a->order == b->order && a->cpu == b->cpu;
}

static void add_member(struct lab *lab, json_t *o, const struct member *m)
{
	const char *name = (m->kind == MEMBER_OBJECT || m->kind == MEMBER_CACHED || m->kind == MEMBER_SHEAF) && m->cache ? cache_name(lab, m->cache) : NULL;

	if (m->kind == MEMBER_LRU)
		json_object_set_new(o, "fillers", json_true());
	else if (m->kind == MEMBER_CACHED)
		json_object_set_new(o, "cached", json_true());
	else if (m->kind == MEMBER_PAGES)
		add_once(json_object_get(o, "orders"), json_integer(m->order));
	else if (!m->cache)
		json_object_set_new(o, "large", json_true());
	else if (m->kind == MEMBER_SHEAF)
		json_object_set_new(o, "sheaves", json_true());
	if (name && *name)		/* the cache may be gone, its objects freed */
		add_once(json_object_get(o, "caches"), json_string(name));
	add_once(json_object_get(o, "cpus"), json_integer(m->cpu));
}

static json_t *handle_model(struct lab *lab, const struct handle *h)
{
	const struct member *m = handle_members(lab, h), *before = NULL;
	json_t *o = json_object();

	look_set_text(o, "name", h->name);
	look_set(o, "members", h->nr);
	look_set(o, "live", h->live);
	look_set(o, "made_op", h->op);
	json_object_set_new(o, "caches", json_array());
	json_object_set_new(o, "orders", json_array());
	json_object_set_new(o, "large", json_false());	/* kmallocs of whole pages */
	json_object_set_new(o, "cpus", json_array());
	for (uint32_t i = 0; i < h->nr; i++) {
		if ((h->live && !m[i].off) || is_like(before, &m[i]))
			continue;
		before = &m[i];
		add_member(lab, o, before);
	}
	return o;
}

static json_t *handles_model(struct lab *lab, const struct view_args *args)
{
	json_t *all = json_array();
	uint64_t cursor = 0;
	struct handle *h;

	if (look_begin(lab, args, "handles", 1)) {
		json_decref(all);
		return NULL;
	}
	while ((h = handle_next(lab, &cursor)))
		if (!args->name || !fnmatch(args->name, h->name, FNM_NOESCAPE))
			json_array_append_new(all, handle_model(lab, h));
	if (args->name && !json_array_size(all)) {
		fail(ENOENT, "no handle is called \"%s\"", args->name);
		json_decref(all);
		all = NULL;
	}
	return look_end(lab, all);
}

/* "foo", "order 2", "foo, bar and 3 more". */
static const char *what(const json_t *h, char *buf, size_t size)
{
	const json_t *caches = json_object_get(h, "caches"), *orders = json_object_get(h, "orders"), *v;
	size_t at = 0, i, nr = json_array_size(caches) + json_array_size(orders), shown = 0;

	buf[0] = 0;
	json_array_foreach(caches, i, v)
		if (shown < 3 && at < size)
			at += (size_t)snprintf(buf + at, size - at, "%s%s", shown++ ? ", " : "", json_string_value(v));
	json_array_foreach(orders, i, v)
		if (shown < 3 && at < size)
			at += (size_t)snprintf(buf + at, size - at, "%sorder %lld", shown++ ? ", " : "",
					       (long long)json_integer_value(v));
	if (json_is_true(json_object_get(h, "fillers")) && at < size)
		at += (size_t)snprintf(buf + at, size - at, "%spages of a filler", nr ? ", " : "");
	if (json_is_true(json_object_get(h, "sheaves")) && at < size)
		at += (size_t)snprintf(buf + at, size - at, ", prefilled sheaves");
	if (json_is_true(json_object_get(h, "cached")) && at < size)	/* no name: all were freed, and their cache is gone */
		at += (size_t)snprintf(buf + at, size - at, "%scached", nr ? ", " : "");
	if (json_is_true(json_object_get(h, "large")) && at < size)
		at += (size_t)snprintf(buf + at, size - at, "%skmalloc of pages", nr ? ", " : "");
	if (nr > shown && at < size)
		snprintf(buf + at, size - at, " and %zu more", nr - shown);
	return buf;
}

static const char *on_cpus(const json_t *h, char *buf, size_t size)
{
	const json_t *cpus = json_object_get(h, "cpus"), *v;
	size_t at = 0, i;

	buf[0] = 0;
	json_array_foreach(cpus, i, v)
		if (i < 8 && at < size)
			at += (size_t)snprintf(buf + at, size - at, "%s%lld", i ? "," : "",
					       (long long)json_integer_value(v));
	if (json_array_size(cpus) > 8 && at < size)
		snprintf(buf + at, size - at, ",…");
	return buf;
}

static void handles_text(const json_t *model, const struct view_args *args, FILE *to)
{
	struct table t = { 0 };
	char buf[512];
	const json_t *h;
	size_t i;

	table_column(&t, TABLE_LEFT, "handle");
	table_column(&t, TABLE_RIGHT, "members");
	table_column(&t, TABLE_RIGHT, "live");
	table_column(&t, TABLE_LEFT, "what");
	table_column(&t, TABLE_LEFT, "cpu");
	json_array_foreach(model, i, h) {
		table_cell(&t, "%s", look_get_text(h, "name"));
		table_count(&t, look_get(h, "members"));
		table_count(&t, look_get(h, "live"));
		table_cell(&t, "%s", what(h, buf, sizeof(buf)));
		table_cell(&t, "%s", on_cpus(h, buf, sizeof(buf)));
	}
	table_print(&t, args, to);
}

const struct view view_handles = {
	.name = "handles",
	.summary = "names of what was allocated: members, what they are, on which CPU",
	.usage = "[PATTERN]",
	.model = handles_model,
	.text = handles_text,
};
