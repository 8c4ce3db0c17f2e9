/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/gfp.h"
#include "tui/panes.h"
#include "view/look.h"

#define PANE_ROW(name) [PANE_##name] = &pane_##name,
const struct pane *const pane_table[PANE_NR] = { PANES(PANE_ROW) };

void scene_run(struct scene *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->wish, sizeof(s->wish), fmt, ap);
	va_end(ap);
}

void scene_show(struct scene *s, const char *pane)
{
	for (int i = 0; i < PANE_NR; i++)
		if (!strcmp(pane_table[i]->name, pane))
			s->want_pane = i;
}

bool scene_lists(const struct scene *s, const char *name)
{
	return !s->filter[0] || strstr(name, s->filter) || !fnmatch(s->filter, name, 0);
}

/* ---- what the last op touched ---- */

bool touch_has_order(const struct touch *t, const char *zone, unsigned int mtype, unsigned int order)
{
	return t->op && mtype < ARRAY_SIZE(t->orders) && !strcmp(t->zone, zone) && t->orders[mtype] >> order & 1;
}

bool touch_has_pages(const struct touch *t, uint64_t pfn, uint64_t n)
{
	for (unsigned int i = 0; t->op && i < t->nr_pfn; i++)
		if (t->pfn[i] < pfn + n && pfn < t->pfn[i] + (1ULL << t->pfn_order[i]))
			return true;
	return false;
}

bool touch_has_slab(const struct touch *t, uint64_t store, uint64_t slab)
{
	for (unsigned int i = 0; t->op && t->store == store && i < t->nr_slab; i++)
		if (t->slab[i] == slab)
			return true;
	return false;
}

static void add_block(struct touch *t, const json_t *step)
{
	const json_t *pfn = json_object_get(step, "pfn");

	if (!pfn || t->nr_pfn == ARRAY_SIZE(t->pfn))
		return;
	t->pfn[t->nr_pfn] = (uint32_t)json_integer_value(pfn);
	t->pfn_order[t->nr_pfn++] = (uint8_t)look_get(step, "order");
}

static void add_slab(struct touch *t, const json_t *step)
{
	const json_t *slab = json_object_get(step, "slab");

	if (slab && t->nr_slab < ARRAY_SIZE(t->slab))
		t->slab[t->nr_slab++] = (uint64_t)json_integer_value(slab);
}

/* Steps that put a block on a buddy list or take one off it. */
static bool changes_list(const char *event)
{
	static const char *const events[] = {
		"buddy_split", "buddy_put", "buddy_merge", "block_found", "mm_page_alloc_zone_locked", "fallback_choice",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(event, events[i]))
			return true;
	return false;
}

static void add_list(struct touch *t, const json_t *step, const char *event)
{
	const char *victim = look_get_text(step, "taken_from");
	const json_t *found = json_object_get(step, "found_order");
	const char *name = victim[0] ? victim : look_get_text(step, "migratetype");
	uint64_t order = found ? (uint64_t)json_integer_value(found) : look_get(step, "order");
	int type = changes_list(event) && name[0] ? mtype_parse(name, strlen(name)) : -1;

	if (type >= 0 && order < NR_PAGE_ORDERS)
		t->orders[type] |= 1u << order;
}

static void add_step(struct touch *t, const json_t *step)
{
	const char *event = look_get_text(step, "event"), *zone = look_get_text(step, "of_zone");

	/* "N1 Normal", or "Normal" in a lab of one node */
	if (zone[0] && strcmp(event, "zone_visit") && strcmp(event, "mark_seen"))
		snprintf(t->zone, sizeof(t->zone), "%s%s", zone[0] == 'N' && zone[1] >= '0' && zone[1] <= '9' ? "" : "N0 ", zone);
	if (json_object_get(step, "of_store"))
		t->store = look_get(step, "of_store");
	if (!strncmp(event, "pcp_", 4))
		t->pcp = true;
	if (!strcmp(event, "pcp_refill") || !strcmp(event, "pcp_bulk_free") || !strcmp(event, "block_found"))
		t->lock = true;
	add_list(t, step, event);
	add_block(t, step);
	add_slab(t, step);
}

void touch_of_why(struct touch *t, const json_t *why, int step)
{
	const json_t *steps = json_object_get(why, "steps");

	*t = (struct touch){ .step = step };
	if (!json_is_true(json_object_get(why, "told")))
		return;
	t->told = true;
	t->op = look_get(why, "op");
	t->cpu = (unsigned int)look_get(why, "cpu");
	snprintf(t->cache, sizeof(t->cache), "%s", look_get_text(why, "cache"));
	for (size_t i = 0; i < json_array_size(steps); i++)
		if (step < 0 || (size_t)step == i)
			add_step(t, json_array_get(steps, i));
}
