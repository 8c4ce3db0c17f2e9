/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fair - how evenly zones give: `stat fair`.
 *
 * What was given of each zone beside its size and its batch, and what it cost
 * to find a zone: walks of the zonelist, zones visited, passed over, marks
 * compared, rounds begun. And what it is good for: how old the zone's pages
 * were, in allocations of fillers since their last touch, when reclaim took
 * them away, beside those of the node's highest zone; and how many of them were
 * taken although another zone held an older one (reclaim.lru_scope=zone). With
 * event.counters off the counts are null.
 *
 * Units. Pages, for what was given and the batches; else occurrences.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

static const struct { const char *key, *title; enum event_id event; } counts[] = {
	{ "pgalloc", "given", EV_pgalloc },
	{ "walks", "walks", EV_zonelist_scan },
	{ "visits", "visits", EV_zone_visit },
	{ "skips", "passed over", EV_fair_skip },
	{ "checks", "mark checks", EV_wmark_check },
	{ "resets", "rounds", EV_fair_reset },
};

/* Mean age at eviction; negative: nothing was evicted. */
static double mean_age(struct lab *lab, unsigned int zone)
{
	uint64_t pages = zone_event(lab, zone, -1, EV_lru_aged, -1);

	return pages ? (double)zone_event(lab, zone, -1, EV_lru_age_sum, -1) / (double)pages : -1;
}

/* Of the node's highest zone that lost pages; negative: none did. */
static double age_of_node(struct lab *lab, unsigned int node)
{
	double age = -1;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone_figures z;
		double mine = mean_age(lab, i);

		zone_figures(lab, i, false, &z);
		if (z.node == node && mine >= 0)
			age = mine;
	}
	return age;
}

static void ages_fill(struct lab *lab, json_t *o, const struct zone_figures *z)
{
	double age = mean_age(lab, z->index), of = age_of_node(lab, z->node);
	uint64_t evicted = zone_event(lab, z->index, -1, EV_lru_aged, -1);

	if (!look_counting(lab)) {
		json_object_set_new(o, "evicted", json_null());
		return;
	}
	look_set(o, "evicted", evicted);
	look_set(o, "inversions", zone_event(lab, z->index, -1, EV_lru_age_inversion, -1));
	if (!evicted)
		return;
	json_object_set_new(o, "mean_age", json_real(age));
	if (of > 0)
		json_object_set_new(o, "age_ratio", json_real(age / of));
}

static json_t *fair_model(struct lab *lab, const struct view_args *args)
{
	json_t *zones = json_array();
	struct zone_figures z;

	(void)args;
	look_begin(lab, NULL, "fair", 1);
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		json_t *o;

		zone_figures(lab, i, false, &z);
		o = zone_object(&z);
		look_set(o, "managed", z.managed);
		look_set(o, "batch", z.high - z.low);
		look_set(o, "nr_alloc_batch", z.fair_batch > 0 ? (uint64_t)z.fair_batch : 0);
		for (size_t c = 0; c < ARRAY_SIZE(counts); c++)
			json_object_set_new(o, counts[c].key, look_counting(lab) ?
					    look_int(zone_event(lab, i, -1, counts[c].event, -1)) : json_null());
		ages_fill(lab, o, &z);
		json_array_append_new(zones, o);
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones));
}

static void ages_cells(struct table *t, const json_t *z)
{
	const json_t *age = json_object_get(z, "mean_age"), *ratio = json_object_get(z, "age_ratio");
	uint64_t evicted = look_get(z, "evicted");

	if (age)
		table_cell(t, "%.0f", json_real_value(age));
	else
		table_cell(t, "-");
	if (ratio)
		table_cell(t, "%.2f", json_real_value(ratio));
	else
		table_cell(t, "-");
	if (evicted)
		table_cell(t, "%.1f%%", 100.0 * (double)look_get(z, "inversions") / (double)evicted);
	else
		table_cell(t, "-");
}

static void fair_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *zones = json_object_get(model, "zones"), *z;
	uint64_t given = 0, managed = 0;
	struct table t = { 0 };
	size_t i;

	table_column(&t, TABLE_LEFT, "zone");
	table_column(&t, TABLE_RIGHT, "of memory");
	table_column(&t, TABLE_RIGHT, "of given");
	table_column(&t, TABLE_RIGHT, "batch left");
	for (size_t c = 0; c < ARRAY_SIZE(counts); c++)
		table_column(&t, TABLE_RIGHT, "%s", counts[c].title);
	table_column(&t, TABLE_RIGHT, "age when taken");
	table_column(&t, TABLE_RIGHT, "ratio");
	table_column(&t, TABLE_RIGHT, "older left");
	json_array_foreach(zones, i, z) {
		given += look_get(z, "pgalloc");
		managed += look_get(z, "managed");
	}
	json_array_foreach(zones, i, z) {
		table_cell(&t, "N%llu %s", (unsigned long long)look_get(z, "node"), look_get_text(z, "zone"));
		table_cell(&t, "%.1f%%", managed ? 100.0 * (double)look_get(z, "managed") / (double)managed : 0.0);
		table_cell(&t, "%.1f%%", given ? 100.0 * (double)look_get(z, "pgalloc") / (double)given : 0.0);
		table_cell(&t, "%llu of %llu", (unsigned long long)look_get(z, "nr_alloc_batch"),
			   (unsigned long long)look_get(z, "batch"));
		for (size_t c = 0; c < ARRAY_SIZE(counts); c++)
			table_count(&t, look_get(z, counts[c].key));
		ages_cells(&t, z);
	}
	table_print(&t, args, to);
}

const struct view view_fair = {
	.name = "fair",
	.summary = "how evenly zones give, and what finding one costs",
	.usage = "",
	.model = fair_model,
	.text = fair_text,
};
