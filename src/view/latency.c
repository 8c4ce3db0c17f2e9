/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency - how long ops took, by kind and by the way they went: `stat latency`.
 *
 * fast: no slow step (a CPU's list or queue had it); slow: lists of slabs or
 * the zone were asked; new slab: pages were made a slab; slab given back.
 *
 * Units. Nanoseconds of host time, what reading the clock costs taken off.
 * The histogram's columns are powers of two of a cycle counter's ticks.
 */
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include "cpu/read.h"
#include "view/bar.h"

static json_t *tenth(double ns)
{
	return json_real((double)(int64_t)(ns * 10 + 0.5) / 10);
}

static json_t *row_object(const struct latency_figures *f, enum latency_op op, enum latency_path path)
{
	static const char *const keys[] = { "p50_ns", "p90_ns", "p99_ns", "p999_ns" };
	json_t *o = json_object(), *powers = json_array();

	look_set_text(o, "op", latency_op_names[op]);
	look_set_text(o, "path", latency_path_names[path]);
	look_set(o, "count", f->count);
	json_object_set_new(o, "mean_ns", tenth(f->mean_ns));
	for (unsigned int q = 0; q < LATENCY_QUANTILES; q++)
		json_object_set_new(o, keys[q], tenth(f->quantile_ns[q]));
	json_object_set_new(o, "max_ns", tenth(f->max_ns));
	json_object_set_new(o, "first_below_ns", tenth(f->power_ns));
	for (unsigned int i = 0; i < LATENCY_POWERS; i++)
		json_array_append_new(powers, look_int(f->power[i]));
	json_object_set_new(o, "histogram", powers);
	return o;
}

static json_t *latency_model(struct lab *lab, const struct view_args *args)
{
	struct latency_figures f;
	json_t *rows = json_array();
	bool on = true;

	(void)args;
	look_begin(lab, NULL, "latency", 1);
	for (unsigned int op = 0; op < LATENCY_OPS && on; op++)
		for (unsigned int path = 0; path < LATENCY_PATHS && on; path++) {
			on = latency_read(lab, (enum latency_op)op, (enum latency_path)path, &f);
			if (on && f.count)
				json_array_append_new(rows, row_object(&f, (enum latency_op)op, (enum latency_path)path));
		}
	return look_end(lab, json_pack("{s:b,s:o}", "on", (int)on, "rows", rows));
}

static double ns_of(const json_t *o, const char *key)
{
	return json_real_value(json_object_get(o, key));
}

static void ns_cell(struct table *t, double ns)
{
	if (ns < 1000)
		table_cell(t, "%.1f", ns);
	else
		table_cell(t, "%.0f", ns);
}

/* From 16 ticks up: one character a power of two. */
static void histogram_cell(struct table *t, const json_t *row, const struct view_args *args)
{
	const json_t *powers = json_object_get(row, "histogram");
	uint64_t max = 0;
	char text[LATENCY_POWERS * 4 + 1] = "";
	size_t at = 0, last = 0, i;
	json_t *n;

	json_array_foreach(powers, i, n) {
		uint64_t v = (uint64_t)json_integer_value(n);

		max = v > max ? v : max;
		last = v ? i : last;
	}
	for (i = 0; i <= last && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s",
				       bar_level((uint64_t)json_integer_value(json_array_get(powers, i)), max, args->utf8));
	table_cell(t, "%s", text);
}

static void latency_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "count", "mean", "50%", "90%", "99%", "99.9%", "max ns" };
	const json_t *rows = json_object_get(model, "rows");
	struct table t = { 0 };
	json_t *r;
	size_t i;

	if (!json_is_true(json_object_get(model, "on"))) {
		fputs("ops are not timed (stat latency on)\n", to);
		return;
	}
	table_column(&t, TABLE_LEFT, "op");
	table_column(&t, TABLE_LEFT, "path");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	table_column(&t, TABLE_LEFT, "%s", "");
	json_array_foreach(rows, i, r) {
		table_cell(&t, "%s", look_get_text(r, "op"));
		table_cell(&t, "%s", look_get_text(r, "path"));
		table_count(&t, look_get(r, "count"));
		ns_cell(&t, ns_of(r, "mean_ns"));
		ns_cell(&t, ns_of(r, "p50_ns"));
		ns_cell(&t, ns_of(r, "p90_ns"));
		ns_cell(&t, ns_of(r, "p99_ns"));
		ns_cell(&t, ns_of(r, "p999_ns"));
		ns_cell(&t, ns_of(r, "max_ns"));
		histogram_cell(&t, r, args);
	}
	table_print(&t, args, to);
	if (json_array_size(rows))
		fprintf(to, "histogram: the first column is below %.0f ns, each further one twice as far\n",
			ns_of(json_array_get(rows, 0), "first_below_ns"));
	else
		fputs("ops are timed; none ran yet\n", to);
}

const struct view view_latency = {
	.name = "latency",
	.summary = "how long ops took, by kind and path",
	.usage = "",
	.model = latency_model,
	.text = latency_text,
};
