/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabinfo - a line a store that serves caches, newest cache first, as
 * /proc/slabinfo (version 2.1).
 *
 * active_objs is the kernel's figure, not the truth: what lies free on a CPU
 * counts as active. `caches` shows the truth. Draining stores serve nobody and
 * have no line here (their pages are in meminfo, they themselves in `stores`).
 *
 * Units. objsize in bytes with the store's own room; pagesperslab in pages.
 */
#include "view/list.h"
#include "view/look.h"

#include <stdlib.h>

#include "slab/read.h"

/* The number that a sysfs figure begins with. */
static uint64_t sysfs_number(struct lab *lab, uint32_t cache, const char *attr)
{
	char text[8192];

	if (cache_sysfs(lab, cache, attr, text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10);
}

static const char *const globalstat[] = {
	"listallocs", "maxobjs", "grown", "reaped", "error", "maxfreeable", "nodeallocs", "remotefrees", "alienoverflow",
};
static const char *const cpustat[] = { "allochit", "allocmiss", "freehit", "freemiss" };

/* What the queued engine counts, in the order of its kernel. Two are marks of the store, errors there are none. */
static void statistics(struct lab *lab, uint32_t cache, const struct store_figures *s, json_t *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(globalstat) + ARRAY_SIZE(cpustat); i++) {
		const char *name = i < ARRAY_SIZE(globalstat) ? globalstat[i] : cpustat[i - ARRAY_SIZE(globalstat)];
		int ev = event_find(name);

		if (ev >= 0)
			look_set(o, name, cache_event(lab, cache, -1, (enum event_id)ev));
	}
	look_set(o, "maxobjs", s->active_high);
	look_set(o, "maxfreeable", s->freeable_high);
	look_set(o, "error", 0);
}

static json_t *store_row(struct lab *lab, uint32_t cache, const struct store_figures *s)
{
	json_t *o = json_object();

	look_set_text(o, "name", s->name);
	look_set(o, "active_objs", sysfs_number(lab, cache, "objects"));
	look_set(o, "num_objs", s->total_objects);
	look_set(o, "objsize", s->size);
	look_set(o, "objperslab", s->objs);
	look_set(o, "pagesperslab", 1ULL << s->order);
	look_set(o, "limit", s->hiwater ? s->hiwater : s->limit);
	look_set(o, "batchcount", s->freebatch ? s->freebatch : s->batchcount);
	look_set(o, "sharedfactor", s->shared_factor);
	look_set(o, "active_slabs", s->slabs - s->free_slabs);
	look_set(o, "num_slabs", s->slabs);
	look_set(o, "sharedavail", s->shared_avail);
	if (s->limit)
		statistics(lab, cache, s, o);
	return o;
}

/* Flags by store slot, all clear; NULL when the host has no memory. */
static bool *flags_by_store(struct lab *lab)
{
	uint32_t cursor = 0, store, max = 0;

	while ((store = store_next(lab, &cursor)))
		max = store > max ? store : max;
	return calloc(max + 1, sizeof(bool));
}

/* A store stands where its oldest cache stands. */
static void rows_fill(struct lab *lab, json_t *rows)
{
	bool *seen = flags_by_store(lab);
	uint32_t cursor = 0, id;
	struct store_figures s;
	struct cache_figures c;

	while (seen && (id = cache_next(lab, &cursor)) != CACHE_NONE) {
		if (cache_figures(lab, id, &c) || seen[c.store] || store_figures(lab, c.store, &s))
			continue;
		seen[c.store] = true;
		json_array_insert_new(rows, 0, store_row(lab, id, &s));
	}
	free(seen);
}

static json_t *slabinfo_model(struct lab *lab, const struct view_args *args)
{
	json_t *rows;

	if (look_begin(lab, args, "slabinfo", 0))
		return NULL;
	rows = json_array();
	rows_fill(lab, rows);
	return look_end(lab, json_pack("{s:o}", "caches", rows));
}

static bool has_statistics(const json_t *row)
{
	return json_object_get(row, "allochit") != NULL;
}

/* A kernel shows them for all caches or for none. */
static bool any_statistics(const json_t *model)
{
	json_t *r;
	size_t i;

	json_array_foreach(json_object_get(model, "caches"), i, r)
		if (has_statistics(r))
			return true;
	return false;
}

static void statistics_text(const json_t *r, FILE *to)
{
	static const int widths[] = { 7, 6, 5, 4, 4, 4, 4, 4, 4 };

	if (!has_statistics(r))
		return;
	fputs(" : globalstat", to);
	for (size_t i = 0; i < ARRAY_SIZE(globalstat); i++)
		fprintf(to, " %*llu", widths[i], (unsigned long long)look_get(r, globalstat[i]));
	fputs(" : cpustat", to);
	for (size_t i = 0; i < ARRAY_SIZE(cpustat); i++)
		fprintf(to, " %6llu", (unsigned long long)look_get(r, cpustat[i]));
}

static void slabinfo_text(const json_t *model, const struct view_args *args, FILE *to)
{
	bool with_statistics = any_statistics(model);
	json_t *r;
	size_t i;

	(void)args;
	fprintf(to, "slabinfo - version: 2.1%s\n", with_statistics ? " (statistics)" : "");
	fputs("# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab>"
	      " : tunables <limit> <batchcount> <sharedfactor>"
	      " : slabdata <active_slabs> <num_slabs> <sharedavail>", to);
	if (with_statistics)
		fputs(" : globalstat <listallocs> <maxobjs> <grown> <reaped> <error> <maxfreeable> <nodeallocs> <remotefrees>"
		      " <alienoverflow> : cpustat <allochit> <allocmiss> <freehit> <freemiss>", to);
	putc('\n', to);
	json_array_foreach(json_object_get(model, "caches"), i, r) {
		fprintf(to,
			"%-17s %6llu %6llu %6u %4u %4u : tunables %4u %4u %4u"
			" : slabdata %6llu %6llu %6llu",
			look_get_text(r, "name"), (unsigned long long)look_get(r, "active_objs"),
			(unsigned long long)look_get(r, "num_objs"), (unsigned int)look_get(r, "objsize"),
			(unsigned int)look_get(r, "objperslab"), (unsigned int)look_get(r, "pagesperslab"),
			(unsigned int)look_get(r, "limit"), (unsigned int)look_get(r, "batchcount"),
			(unsigned int)look_get(r, "sharedfactor"),
			(unsigned long long)look_get(r, "active_slabs"),
			(unsigned long long)look_get(r, "num_slabs"),
			(unsigned long long)look_get(r, "sharedavail"));
		statistics_text(r, to);
		putc('\n', to);
	}
}

const struct view view_slabinfo = {
	.name = "slabinfo",
	.summary = "objects and slabs of every cache, in the kernel's format",
	.usage = "",
	.model = slabinfo_model,
	.text = slabinfo_text,
};
