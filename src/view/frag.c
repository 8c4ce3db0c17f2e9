/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frag - how broken up free memory is, by zone and order.
 *
 * unusable: the part of free memory that lies in blocks too small for an
 * order (0 none .. 1 all). extfrag: why a request of an order would fail: -1
 * it would not, near 0 too little memory, near 1 memory too scattered.
 * Integer arithmetic throughout, in thousandths, as the kernel computes both.
 *
 * Units. Free blocks by order; indexes as numbers with three digits.
 */
#include "view/frag.h"

#include "view/bar.h"
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include <errno.h>
#include <math.h>

#include "base/fail.h"

struct sums {
	uint64_t free, blocks;
	uint64_t suitable;	/* blocks of the order asked, that free blocks of it and above give */
};

static struct sums sums_of(const uint64_t nr_free[NR_PAGE_ORDERS], unsigned int order)
{
	struct sums s = { 0 };

	for (unsigned int c = 0; c < NR_PAGE_ORDERS; c++) {
		s.free += nr_free[c] << c;
		s.blocks += nr_free[c];
		if (c >= order)
			s.suitable += nr_free[c] << (c - order);
	}
	return s;
}

int64_t frag_unusable(const uint64_t nr_free[NR_PAGE_ORDERS], unsigned int order)
{
	struct sums s = sums_of(nr_free, order);

	return s.free ? (int64_t)((s.free - (s.suitable << order)) * 1000 / s.free) : 1000;
}

int64_t frag_extfrag(const uint64_t nr_free[NR_PAGE_ORDERS], unsigned int order)
{
	struct sums s = sums_of(nr_free, order);

	if (!s.blocks)
		return 0;
	if (s.suitable)
		return -1000;
	return 1000 - (int64_t)((1000 + (s.free * 1000 >> order)) / s.blocks);
}

static json_t *index_array(const uint64_t nr_free[NR_PAGE_ORDERS],
			   int64_t (*index)(const uint64_t *nr_free, unsigned int order))
{
	json_t *a = json_array();

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		json_array_append_new(a, json_real((double)index(nr_free, o) / 1000));
	return a;
}

static json_t *frag_model(struct lab *lab, const struct view_args *args)
{
	struct zone_choice where;
	struct zone_figures z;
	char names[1024];
	json_t *zones;

	if (look_begin(lab, args, "frag", 1))
		return NULL;
	if (!zone_choose(lab, args->name, &where)) {
		fail(ENOENT, "there is no zone \"%s\" (%s)", args->name,
		     zone_names(lab, names, sizeof(names)));
		return look_end(lab, NULL);
	}
	zones = json_array();
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		json_t *o;

		zone_figures(lab, i, false, &z);
		if (!zone_chosen(&where, &z))
			continue;
		o = zone_object(&z);
		look_set(o, "free_pages", z.free);
		look_set(o, "managed", z.managed);
		json_object_set_new(o, "free", order_array(z.nr_free));
		json_object_set_new(o, "delayed", order_array(z.lazy_delayed));
		json_object_set_new(o, "used", order_array(z.lazy_used));
		json_object_set_new(o, "unusable", index_array(z.nr_free, frag_unusable));
		json_object_set_new(o, "extfrag", index_array(z.nr_free, frag_extfrag));
		json_array_append_new(zones, o);
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones));
}

/* The kernel prints both parts of a thousandth value with C's division: 0.375, -1.000. */
static void index_cell(struct table *t, const json_t *indexes, unsigned int order)
{
	int v = (int)lround(json_real_value(json_array_get(indexes, order)) * 1000);

	table_cell(t, "%d.%03d", v / 1000, v % 1000);
}

static uint64_t blocks_of(const json_t *zone, unsigned int order)
{
	return (uint64_t)json_integer_value(json_array_get(json_object_get(zone, "free"), order));
}

/* Are freed blocks of the zone ever left apart? Something is in use then, be it on a CPU's list. */
static bool is_lazy(const json_t *zone)
{
	const json_t *n;
	size_t o;

	json_array_foreach(json_object_get(zone, "used"), o, n)
		if (json_integer_value(n))
			return true;
	return false;
}

static void count_cell(struct table *t, const json_t *zone, const char *counts, unsigned int order)
{
	table_count(t, (uint64_t)json_integer_value(json_array_get(json_object_get(zone, counts), order)));
}

static void order_rows(struct table *t, const json_t *zone, bool utf8, bool lazy)
{
	uint64_t free = look_get(zone, "free_pages");
	char bar[BAR_MAX];

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		uint64_t blocks = blocks_of(zone, o);

		table_cell(t, "%u", o);
		table_count(t, blocks);
		table_count(t, blocks << o);
		table_cell(t, "%s", bar_fill(bar, blocks << o, free, 20, utf8));
		index_cell(t, json_object_get(zone, "unusable"), o);
		index_cell(t, json_object_get(zone, "extfrag"), o);
		if (lazy)
			count_cell(t, zone, "delayed", o);
		if (lazy)
			count_cell(t, zone, "used", o);
	}
}

static void frag_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "order", "free blocks", "pages", "of free", "unusable", "extfrag", "delayed", "used or cut" };
	json_t *z;
	size_t i, c;

	json_array_foreach(json_object_get(model, "zones"), i, z) {
		uint64_t managed = look_get(z, "managed"), free = look_get(z, "free_pages");
		bool lazy = is_lazy(z);
		struct table t = { .indent = 2 };

		fprintf(to, "%sN%llu %s: %llu of %llu pages free (%.1f%%)\n", i ? "\n" : "",
			(unsigned long long)look_get(z, "node"), look_get_text(z, "zone"),
			(unsigned long long)free, (unsigned long long)managed,
			managed ? 100.0 * (double)free / (double)managed : 0.0);
		for (c = 0; c < ARRAY_SIZE(titles) - (lazy ? 0 : 2); c++)
			table_column(&t, TABLE_RIGHT, "%s", titles[c]);
		order_rows(&t, z, args->utf8, lazy);
		table_print(&t, args, to);
	}
}

const struct view view_frag = {
	.name = "frag",
	.summary = "how broken up free memory is: free blocks, unusable and extfrag index by order",
	.usage = "[ZONE]",
	.model = frag_model,
	.text = frag_text,
};
