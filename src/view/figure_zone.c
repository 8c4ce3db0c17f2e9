/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure_zone - zone.N0.Normal.… and frag.N0.Normal.…
 *
 * The fragmentation indexes are the kernel's, in integer arithmetic: a
 * thousandth is the smallest step.
 */
#include "view/figure_walk.h"

#include <stdio.h>

#include "page/read.h"
#include "view/frag.h"

static const struct { const char *name; size_t field; } rows[] = {
#define ROW(name, field) { name, offsetof(struct zone_figures, field) }
	ROW("free_pages", free),
	ROW("free_seen", free_seen),
	ROW("drift_mark", drift_mark),
	ROW("managed", managed),
	ROW("present", present),
	ROW("spanned", spanned),
	ROW("reserved_highatomic", reserved_highatomic),
	ROW("watermark.min", min),
	ROW("watermark.low", low),
	ROW("watermark.high", high),
	ROW("watermark.boost", boost),
#undef ROW
};

static const struct { const char *name; size_t field; } lock_rows[] = {
	{ "lock.acquired", offsetof(struct zone_figures, lock_acquired) },
	{ "lock.contended", offsetof(struct zone_figures, lock_contended) },
	{ "lock.wait_ns", offsetof(struct zone_figures, lock_wait_ns) },
};

static int64_t field(const struct zone_figures *z, size_t offset)
{
	return (int64_t)*(const uint64_t *)((const char *)z + offset);
}

static void plain(struct figure_walk *w, const struct zone_figures *z)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (walk_leaf(w, rows[i].name))
			walk_int(w, field(z, rows[i].field));
	for (size_t i = 0; i < ARRAY_SIZE(lock_rows); i++)
		if (walk_counter(w, lock_rows[i].name))
			walk_int(w, field(z, lock_rows[i].field));
	if (walk_leaf(w, "nr_alloc_batch"))
		walk_int(w, z->fair_batch > 0 ? z->fair_batch : 0);
	if (walk_leaf(w, "start_pfn"))
		walk_int(w, z->start);
	if (walk_leaf(w, "stat_threshold"))
		walk_int(w, z->stat_threshold);
}

static void orders(struct figure_walk *w, const struct zone_figures *z)
{
	char leaf[16];

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		snprintf(leaf, sizeof(leaf), "order.%u", o);
		if (walk_leaf(w, leaf))
			walk_int(w, (int64_t)z->nr_free[o]);
	}
}

static void protection(struct figure_walk *w, const struct zone_figures *z)
{
	size_t mark;

	if (!walk_down(w, "protection.", &mark))
		return;
	for (unsigned int k = 0; k < ZONE_KINDS; k++)
		if (shape_shows_kind(&w->lab->hdr->shape, k) && walk_leaf(w, zone_kind_names[k]))
			walk_int(w, z->protection[k]);
	walk_up(w, mark);
}

struct zone_event_at {
	unsigned int zone;
	enum event_id event;
};

static uint64_t count_event(struct figure_walk *w, const void *arg, int cpu, int order)
{
	const struct zone_event_at *at = arg;

	return zone_event(w->lab, at->zone, cpu, at->event, order);
}

static void events(struct figure_walk *w, const struct zone_figures *z)
{
	struct zone_event_at at = { .zone = z->index };
	size_t mark;

	if (!walk_down(w, "event.", &mark))
		return;
	for (unsigned int e = 0; e < EV_PAGE_NR; e++) {
		at.event = (enum event_id)e;
		walk_event(w, event_table[e].name, event_table[e].ordered, count_event, &at);
	}
	walk_up(w, mark);
}

/* Mean, in allocations of fillers since the last touch; 0: none was taken away. */
static int64_t evicted_age(struct lab *lab, unsigned int zone)
{
	uint64_t pages = zone_event(lab, zone, -1, EV_lru_aged, -1);

	return pages ? (int64_t)(zone_event(lab, zone, -1, EV_lru_age_sum, -1) / pages) : 0;
}

/* zone.….lru.inactive_file …, and where compaction stands */
static void reclaim(struct figure_walk *w, const struct zone_figures *z)
{
	static const char *const lists[] = { "inactive_anon", "active_anon", "inactive_file", "active_file" };
	struct lru_figures f;
	struct compact_figures c;
	size_t mark;

	if (walk_down(w, "lru.", &mark)) {
		lru_zone_figures(w->lab, z->index, &f);
		for (unsigned int id = 0; id < ARRAY_SIZE(lists); id++)
			if (walk_leaf(w, lists[id]))
				walk_int(w, (int64_t)f.list[id]);
		if (walk_leaf(w, "dirty"))
			walk_int(w, (int64_t)f.dirty);
		if (walk_counter(w, "evicted_age"))
			walk_int(w, evicted_age(w->lab, z->index));
		walk_up(w, mark);
	}
	if (walk_down(w, "compact.", &mark)) {
		compact_figures(w->lab, z->index, &c);
		if (walk_leaf(w, "migrate_pfn"))
			walk_int(w, c.migrate_sync);
		if (walk_leaf(w, "free_pfn"))
			walk_int(w, c.free);
		if (walk_leaf(w, "considered"))
			walk_int(w, c.considered);
		if (walk_leaf(w, "defer_shift"))
			walk_int(w, c.shift);
		if (walk_leaf(w, "order_failed"))
			walk_int(w, c.order_failed);
		walk_up(w, mark);
	}
}

static uint64_t extfrag_events(struct lab *lab, int zone, unsigned int ask, unsigned int from)
{
	uint64_t n = 0;

	for (unsigned int z = 0; z < lab->nr_zones; z++)
		if (zone < 0 || (unsigned int)zone == z)
			n += zone_extfrag_events(lab, z, -1, ask, from);
	return n;
}

void figure_extfrag_walk(struct figure_walk *w, const char *part, int zone)
{
	static const char *const types[] = { "unmovable", "movable", "reclaimable" };
	char leaf[40];
	size_t mark;

	if (!walk_down(w, part, &mark))
		return;
	for (unsigned int ask = 0; ask < ARRAY_SIZE(types); ask++)
		for (unsigned int from = 0; from < ARRAY_SIZE(types); from++) {
			snprintf(leaf, sizeof(leaf), "%s.%s", types[ask], types[from]);
			if (ask != from && walk_counter(w, leaf))
				walk_int(w, (int64_t)extfrag_events(w->lab, zone, ask, from));
		}
	walk_up(w, mark);
}

static void zone_walk(struct figure_walk *w, const struct zone_figures *z)
{
	reclaim(w, z);
	figure_extfrag_walk(w, "extfrag.", (int)z->index);
	plain(w, z);
	orders(w, z);
	protection(w, z);
	events(w, z);
}

static void frag_walk(struct figure_walk *w, const struct zone_figures *z)
{
	char part[16];
	size_t mark;

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		snprintf(part, sizeof(part), "order.%u.", o);
		if (!walk_down(w, part, &mark))
			continue;
		if (walk_leaf(w, "unusable"))
			walk_real(w, frag_unusable(z->nr_free, o));
		if (walk_leaf(w, "extfrag"))
			walk_real(w, frag_extfrag(z->nr_free, o));
		if (walk_leaf(w, "delayed"))
			walk_int(w, (int64_t)z->lazy_delayed[o]);
		if (walk_leaf(w, "global"))
			walk_int(w, (int64_t)(z->nr_free[o] - z->lazy_delayed[o]));
		if (walk_leaf(w, "used"))
			walk_int(w, (int64_t)z->lazy_used[o]);
		walk_up(w, mark);
	}
}

/* ---- both ---- */

static void each_zone(struct figure_walk *w, const char *family,
		      void (*fn)(struct figure_walk *w, const struct zone_figures *z))
{
	struct zone_figures z;
	size_t mark, zone_mark;
	char part[32];

	if (!walk_down(w, family, &mark))
		return;
	for (unsigned int i = 0; i < w->lab->nr_zones; i++) {
		zone_figures(w->lab, i, false, &z);
		snprintf(part, sizeof(part), "N%u.%s.", z.node, zone_kind_names[z.kind]);
		if (!walk_down(w, part, &zone_mark))
			continue;
		fn(w, &z);
		walk_up(w, zone_mark);
	}
	walk_up(w, mark);
}

void figure_zone_walk(struct figure_walk *w)
{
	each_zone(w, "zone.", zone_walk);
	each_zone(w, "frag.", frag_walk);
}
