/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure_cache - cache.NAME.…
 *
 * Geometry, lists and limits are those of the cache's store; object_size,
 * objects, allocs and frees are the cache's own, whatever it shares. A path
 * that is the name of a policy gives what counts for this cache: its
 * override, else the lab's value; where a figure has the same name
 * (cpu_partial, min_partial, remote_node_defrag_ratio) the figure in force is
 * shown, and setting it sets the override.
 *
 * Cache names may hold dots: the longest name that fits is taken.
 */
#include "view/figure_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "slab/read.h"

struct cache_at {
	uint32_t id;
	const char *name;
	bool read_cache, read_store;	/* the two below are filled */
	struct cache_figures c;
	struct store_figures s;
};

/* Read when the first leaf of a cache is wanted: most globs want one leaf of each. */
static const struct cache_figures *cache_of(struct figure_walk *w, struct cache_at *at)
{
	if (!at->read_cache) {
		memset(&at->c, 0, sizeof(at->c));
		cache_figures(w->lab, at->id, &at->c);
		at->read_cache = true;
	}
	return &at->c;
}

static const struct store_figures *store_of(struct figure_walk *w, struct cache_at *at)
{
	if (!at->read_store) {
		memset(&at->s, 0, sizeof(at->s));
		store_figures(w->lab, cache_of(w, at)->store, &at->s);
		at->read_store = true;
	}
	return &at->s;
}

enum width { U32, I32, U64 };

static const struct {
	const char *name;
	bool of_store;
	enum width width;
	size_t offset;
} rows[] = {
#define OF_STORE(name, width, field) { name, true, width, offsetof(struct store_figures, field) }
#define OF_CACHE(name, width, field) { name, false, width, offsetof(struct cache_figures, field) }
	OF_CACHE("allocs", U64, allocs),
	OF_CACHE("cached", U64, cached),
	OF_CACHE("frees", U64, frees),
	OF_CACHE("object_size", U32, size_asked),
	OF_CACHE("objects", U64, objects),
	OF_CACHE("store", U64, store_serial),
	OF_CACHE("usersize", U32, usersize),
	OF_STORE("aliases", I32, aliases),
	OF_STORE("active_high", U64, active_high),
	OF_STORE("align", U32, align),
	OF_STORE("alien_limit", U32, alien_limit),
	OF_STORE("colour_off", U32, colour_off),
	OF_STORE("colours", U32, colours),
	OF_STORE("barn_empty", U64, barn_empty),
	OF_STORE("barn_full", U64, barn_full),
	OF_STORE("batchcount", U32, batchcount),
	OF_STORE("cpu_partial", U32, cpu_partial),
	OF_STORE("cpu_partial_slabs", U32, cpu_partial_slabs),
	OF_STORE("fallback_objs", U32, fallback_objs),
	OF_STORE("fallback_order", U32, fallback_order),
	OF_STORE("freebatch", U32, freebatch),
	OF_STORE("free_limit", U64, free_limit),
	OF_STORE("free_objects", U64, free_objects),
	OF_STORE("free_slabs", U64, free_slabs),
	OF_STORE("freeptr_offset", U32, freeptr_offset),
	OF_STORE("hiwater", U32, hiwater),
	OF_STORE("index_bytes", U32, index_bytes),
	OF_STORE("inuse", U32, inuse),
	OF_STORE("limit", U32, limit),
	OF_STORE("min_partial", U32, min_partial),
	OF_STORE("objs_per_slab", U32, objs),
	OF_STORE("order", U32, order),
	OF_STORE("pages", U64, pages),
	OF_STORE("partial", U64, partial),
	OF_STORE("red_left_pad", U32, red_left_pad),
	OF_STORE("remote_node_defrag_ratio", U32, defrag_ratio),
	OF_STORE("prefilled_objects", U64, held_objects),
	OF_STORE("prefilled_sheaves", U64, held_sheaves),
	OF_STORE("rcu_objects", U64, rcu_objects),
	OF_STORE("rcu_sheaves", U64, rcu_sheaves),
	OF_STORE("sheaf_capacity", U32, sheaf_capacity),
	OF_STORE("sheaf_objects", U64, queued_objects),
	OF_STORE("shared", U32, shared_factor),
	OF_STORE("shared_avail", U64, shared_avail),
	OF_STORE("shared_limit", U32, shared_limit),
	OF_STORE("size", U32, size),
	OF_STORE("slabs", U64, slabs),
	OF_STORE("total_objects", U64, total_objects),
#undef OF_STORE
#undef OF_CACHE
};

static int64_t number(const void *home, size_t offset, enum width width)
{
	const char *f = (const char *)home + offset;

	switch (width) {
	case U32:
		return *(const uint32_t *)f;
	case I32:
		return *(const int32_t *)f;
	default:
		return (int64_t)*(const uint64_t *)f;
	}
}

static void numbers(struct figure_walk *w, struct cache_at *at)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!walk_leaf(w, rows[i].name))
			continue;
		if (rows[i].of_store)
			walk_int(w, number(store_of(w, at), rows[i].offset, rows[i].width));
		else
			walk_int(w, number(cache_of(w, at), rows[i].offset, rows[i].width));
	}
}

static void texts(struct figure_walk *w, struct cache_at *at)
{
	char text[FIGURE_TEXT_MAX];

	if (walk_leaf(w, "ctor"))
		walk_int(w, cache_of(w, at)->ctor);
	if (walk_leaf(w, "flags"))
		walk_text(w, cache_flags_print(store_of(w, at)->flags, text, sizeof(text)));
	if (walk_leaf(w, "management"))
		walk_text(w, store_of(w, at)->management ? store_of(w, at)->management : "none");
	/* The total of the sysfs row. */
	if (walk_leaf(w, "cpu_slabs") && !cache_sysfs(w->lab, at->id, "cpu_slabs", text, sizeof(text)))
		walk_int(w, strtoll(text, NULL, 10));
}

/* ---- overrides ---- */

static bool is_figure(const char *part)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, part))
			return true;
	return false;
}

static void overrides(struct figure_walk *w, struct cache_at *at)
{
	char value[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (w->wish == WALK_PATH && w->found)
			return;
		/* of rows of several engines with one last part, that of this cache's engine */
		if (row->scope != SCOPE_CACHE || is_figure(policy_part(row)) ||
		    policy_find_part_of(policy_part(row), store_of(w, at)->engine) != row || !walk_leaf(w, policy_part(row)))
			continue;
		policy_print(w->lab, row, at->id, value, sizeof(value));
		walk_text(w, value);
	}
}

/* ---- subtrees ---- */

/* Some attributes are counters. */
static void sysfs(struct figure_walk *w, const struct cache_at *at)
{
	char text[FIGURE_TEXT_MAX];
	size_t mark;

	if (!walk_down(w, "sysfs.", &mark))
		return;
	for (unsigned int i = 0; sysfs_attrs[i]; i++) {
		const char *attr = sysfs_attrs[i];

		if (!cache_has_attr(w->lab, at->id, attr) || !walk_leaf(w, attr) || (event_find(attr) >= 0 && walk_is_stopped(w)))
			continue;
		if (!cache_sysfs(w->lab, at->id, attr, text, sizeof(text)))
			walk_text(w, text);
	}
	walk_up(w, mark);
}

struct cache_event_at {
	uint32_t cache;
	enum event_id event;
};

static uint64_t count_event(struct figure_walk *w, const void *arg, int cpu, int order)
{
	const struct cache_event_at *at = arg;

	(void)order;
	return cache_event(w->lab, at->cache, cpu, at->event);
}

static void events(struct figure_walk *w, const struct cache_at *at)
{
	struct cache_event_at e = { .cache = at->id };
	size_t mark;

	if (!walk_down(w, "event.", &mark))
		return;
	for (unsigned int i = EV_SLAB_FIRST; i < EV_SLAB_END; i++) {
		e.event = (enum event_id)i;
		walk_event(w, event_table[i].name, false, count_event, &e);
	}
	walk_up(w, mark);
}

static void node_locks(struct figure_walk *w, struct cache_at *at)
{
	struct walk_range nodes = walk_numbers(w, "N", w->lab->nr_nodes);
	uint64_t acquired, contended;
	char part[32];
	size_t mark;

	for (unsigned int node = nodes.from; node < nodes.to; node++) {
		snprintf(part, sizeof(part), "N%u.lock.", node);
		if (!walk_down(w, part, &mark))
			continue;
		store_node_lock(w->lab, cache_of(w, at)->store, node, &acquired, &contended);
		if (walk_counter(w, "acquired"))
			walk_int(w, (int64_t)acquired);
		if (walk_counter(w, "contended"))
			walk_int(w, (int64_t)contended);
		walk_up(w, mark);
	}
}

static void cache_walk(struct figure_walk *w, uint32_t id, const char *name)
{
	struct cache_at at = { .id = id, .name = name };
	char part[CACHE_NAME + 2];
	size_t mark;

	snprintf(part, sizeof(part), "%s.", name);
	if (!walk_down(w, part, &mark))
		return;
	w->rank = (unsigned int)strlen(name);
	numbers(w, &at);
	texts(w, &at);
	overrides(w, &at);
	sysfs(w, &at);
	events(w, &at);
	node_locks(w, &at);
	walk_up(w, mark);
}

/* The longest name first; a shorter one only if the longer has no such figure. */
static void one_path(struct figure_walk *w)
{
	const char *rest = w->pattern + w->depth;
	char name[CACHE_NAME];

	for (const char *dot = w->pattern + w->length; dot > rest && !w->found; dot--) {
		size_t len = (size_t)(dot - rest);
		uint32_t id;

		if (*dot != '.' || len >= sizeof(name))
			continue;
		memcpy(name, rest, len);
		name[len] = 0;
		id = cache_find(w->lab, name);
		if (id != CACHE_NONE)
			cache_walk(w, id, name);
	}
}

void figure_cache_walk(struct figure_walk *w)
{
	uint32_t cursor = 0, id;
	size_t mark;

	if (!walk_down(w, "cache.", &mark))
		return;
	if (w->wish == WALK_PATH)
		one_path(w);
	else
		while ((id = cache_next(w->lab, &cursor)) != CACHE_NONE)
			cache_walk(w, id, cache_name(w->lab, id));
	w->rank = 0;
	walk_up(w, mark);
}

bool figure_cache_name(const char *path, char *buf, size_t size)
{
	size_t len = strlen(path) - strlen("cache.") - strlen(".store");

	if (len >= size)
		return false;
	memcpy(buf, path + strlen("cache."), len);
	buf[len] = 0;
	return true;
}
