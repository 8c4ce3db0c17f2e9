/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lifetime - how long objects were out, by cache: `stat lifetime`.
 *
 * Units. Nanoseconds of lab time; a percentile is the upper end of the power
 * of two in which it lies. Bucket i of the histogram is below 2^i ns.
 */
#include "view/bar.h"
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include "slab/read.h"

static uint64_t quantile(const struct lifetime_figures *f, uint64_t percent)
{
	uint64_t seen = 0;

	for (unsigned int i = 0; i < LIFETIME_POWERS; i++) {
		seen += f->power[i];
		if (seen * 100 >= f->count * percent)
			return 1ULL << i < f->max_ns ? 1ULL << i : f->max_ns;
	}
	return f->max_ns;
}

static json_t *row_object(struct lab *lab, uint32_t cache, const struct lifetime_figures *f)
{
	json_t *o = json_object(), *powers = json_array();

	look_set_text(o, "cache", cache_name(lab, cache));
	look_set(o, "count", f->count);
	look_set(o, "mean_ns", f->mean_ns);
	look_set(o, "p50_ns", quantile(f, 50));
	look_set(o, "p90_ns", quantile(f, 90));
	look_set(o, "p99_ns", quantile(f, 99));
	look_set(o, "max_ns", f->max_ns);
	for (unsigned int i = 0; i < LIFETIME_POWERS; i++)
		json_array_append_new(powers, look_int(f->power[i]));
	json_object_set_new(o, "histogram", powers);
	return o;
}

static json_t *lifetime_model(struct lab *lab, const struct view_args *args)
{
	json_t *rows = json_array();
	struct lifetime_figures f;
	uint32_t cursor = 0, id;
	bool on = lab->lifetimes != NULL;

	(void)args;
	look_begin(lab, NULL, "lifetime", 1);
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (lifetime_read(lab, id, &f) && f.count)
			json_array_append_new(rows, row_object(lab, id, &f));
	return look_end(lab, json_pack("{s:b,s:o}", "on", (int)on, "rows", rows));
}

static void time_cell(struct table *t, uint64_t ns)
{
	if (ns >= 10000000000ULL)
		table_cell(t, "%llu s", (unsigned long long)(ns / 1000000000));
	else if (ns >= 10000000)
		table_cell(t, "%llu ms", (unsigned long long)(ns / 1000000));
	else
		table_cell(t, "%.1f us", (double)ns / 1000);
}

/* One character a power of two, from the first that has any. */
static void histogram_cell(struct table *t, const json_t *row, const struct view_args *args)
{
	const json_t *powers = json_object_get(row, "histogram");
	size_t at = 0, first = json_array_size(powers), last = 0, i;
	char text[LIFETIME_POWERS * 4 + 32] = "";
	uint64_t max = 0;
	json_t *n;

	json_array_foreach(powers, i, n) {
		uint64_t v = (uint64_t)json_integer_value(n);

		max = v > max ? v : max;
		first = v && i < first ? i : first;
		last = v ? i : last;
	}
	for (i = first; i <= last && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s",
				       bar_level((uint64_t)json_integer_value(json_array_get(powers, i)), max, args->utf8));
	if (at < sizeof(text))
		snprintf(text + at, sizeof(text) - at, " from %llu ns", first ? 1ULL << (first - 1) : 0ULL);
	table_cell(t, "%s", text);
}

static void lifetime_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "freed", "mean", "50%", "90%", "99%", "longest" };
	static const char *const keys[] = { "mean_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns" };
	const json_t *rows = json_object_get(model, "rows");
	struct table t = { 0 };
	json_t *r;
	size_t i;

	if (!json_is_true(json_object_get(model, "on"))) {
		fputs("lifetimes are not measured (stat lifetime on)\n", to);
		return;
	}
	if (!json_array_size(rows)) {
		fputs("lifetimes are measured; nothing that was taken since was freed\n", to);
		return;
	}
	table_column(&t, TABLE_LEFT, "cache");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	table_column(&t, TABLE_LEFT, "by powers of two");
	json_array_foreach(rows, i, r) {
		table_cell(&t, "%s", look_get_text(r, "cache"));
		table_count(&t, look_get(r, "count"));
		for (unsigned int k = 0; k < ARRAY_SIZE(keys); k++)
			time_cell(&t, look_get(r, keys[k]));
		histogram_cell(&t, r, args);
	}
	table_print(&t, args, to);
}

const struct view view_lifetime = {
	.name = "lifetime",
	.summary = "how long objects were out, by cache",
	.usage = "",
	.model = lifetime_model,
	.text = lifetime_text,
};
