/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp - what each CPU keeps on its own page lists, zone by zone.
 *
 * Units. count, batch and high in pages; a list's length in blocks of its
 * order.
 */
#include "cpu/read.h"
#include "view/bar.h"
#include "view/list.h"
#include "view/look.h"
#include "view/table.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "page/policy.h"

/* What lies on a list: pages of a type, or of all types in models that kept them together. */
static const char *list_type(const struct pcp_figures *p, unsigned int list)
{
	if (p->model == PCP_MODEL_HOTCOLD && list < 2)
		return list ? "cold" : "hot";
	if ((p->model == PCP_MODEL_AKPM16 || p->model == PCP_MODEL_HOTCOLD1) && !list)
		return "any";
	return pcp_list_type(list);
}

static json_t *cpu_object(struct lab *lab, unsigned int zone, unsigned int cpu)
{
	json_t *o = json_object(), *lists = json_array();
	struct pcp_figures p;

	pcp_figures(lab, zone, cpu, &p);
	look_set(o, "cpu", cpu);
	look_set(o, "count", p.count);
	look_set(o, "batch", p.batch);
	look_set(o, "high", p.high);
	look_set(o, "free_factor", p.free_factor);
	if (p.high_min != p.high_max) {
		look_set(o, "high_min", p.high_min);
		look_set(o, "high_max", p.high_max);
		look_set(o, "alloc_factor", p.alloc_factor);
		look_set(o, "free_count", p.free_count);
	}
	if (look_counting(lab)) {
		look_set(o, "lock_acquired", p.lock_acquired);
		look_set(o, "lock_contended", p.lock_contended);
		look_set(o, "lock_wait_ns", p.lock_wait_ns);
		look_set(o, "lock_hold_ns", p.lock_hold_ns);
	}
	for (unsigned int l = 0; l < p.lists && l < ARRAY_SIZE(p.length); l++) {
		json_t *list = json_object();

		look_set(list, "order", pcp_list_order(l));
		look_set_text(list, "type", list_type(&p, l));
		look_set(list, "blocks", p.length[l]);
		json_array_append_new(lists, list);
	}
	json_object_set_new(o, "lists", lists);
	return o;
}

static json_t *zones_array(struct lab *lab, const struct zone_choice *where, int cpu)
{
	json_t *zones = json_array();
	struct zone_figures z;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		json_t *o, *cpus;

		zone_figures(lab, i, false, &z);
		if (!zone_chosen(where, &z))
			continue;
		cpus = json_array();
		for (unsigned int c = 0; c < lab->nr_cpus; c++)
			if (cpu < 0 ? lab_cpu_online(lab, c) : c == (unsigned int)cpu)
				json_array_append_new(cpus, cpu_object(lab, i, c));
		o = zone_object(&z);
		json_object_set_new(o, "cpus", cpus);
		json_array_append_new(zones, o);
	}
	return zones;
}

static json_t *pcp_model(struct lab *lab, const struct view_args *args)
{
	struct zone_choice where = { -1, -1 };
	char names[1024];
	int cpu = -1;

	if (look_begin(lab, args, "pcp", 1))
		return NULL;
	if (args->name)
		cpu = cpu_choose(lab, args->name);
	if (cpu < 0 && !zone_choose(lab, args->name, &where)) {
		fail(ENOENT, "\"%s\" is neither a zone (%s) nor one of %u CPUs", args->name,
		     zone_names(lab, names, sizeof(names)), lab->nr_cpus);
		return look_end(lab, NULL);
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones_array(lab, &where, cpu)));
}

/* "3U 28M 1R" for order 0 and so on; "-" when all lists of this order are empty. */
static void order_cell(struct table *t, const json_t *lists, uint64_t order, bool colour)
{
	char text[256];
	size_t at = 0, i;
	json_t *l;

	json_array_foreach(lists, i, l) {
		uint64_t n = look_get(l, "blocks");

		if (look_get(l, "order") == order && n && at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s%llu%c%s", at ? " " : "",
					       colour_on(colour, meaning_of_type(look_get_text(l, "type"))),
					       (unsigned long long)n, look_get_text(l, "type")[0], colour_off(colour));
	}
	table_cell(t, "%s", at ? text : "-");
}

static void cpu_row(struct table *t, const json_t *zone, const json_t *cpu, const uint64_t *orders,
		    unsigned int nr, const struct view_args *args)
{
	const json_t *lists = json_object_get(cpu, "lists");
	uint64_t count = look_get(cpu, "count"), high = look_get(cpu, "high");
	char bar[BAR_MAX];

	table_cell(t, "N%llu %s", (unsigned long long)look_get(zone, "node"), look_get_text(zone, "zone"));
	table_cell(t, "cpu%llu", (unsigned long long)look_get(cpu, "cpu"));
	table_cell(t, "%s", bar_fill(bar, count, high, 10, args->utf8));
	table_cell(t, "%llu", (unsigned long long)count);
	table_cell(t, "%llu", (unsigned long long)high);
	table_cell(t, "%llu", (unsigned long long)look_get(cpu, "batch"));
	table_count(t, look_get(cpu, "free_factor"));
	table_count(t, look_get(cpu, "lock_acquired"));
	table_count(t, look_get(cpu, "lock_contended"));
	for (unsigned int i = 0; i < nr; i++)
		order_cell(t, lists, orders[i], args->colour);
}

static bool is_held(const json_t *zones, uint64_t order)
{
	json_t *z, *c, *l;
	size_t i, k, m;

	json_array_foreach(zones, i, z)
		json_array_foreach(json_object_get(z, "cpus"), k, c)
			json_array_foreach(json_object_get(c, "lists"), m, l)
				if (look_get(l, "order") == order && look_get(l, "blocks"))
					return true;
	return false;
}

/* Order 0, and those of which some list has blocks, ascending. */
static unsigned int orders_of(const json_t *zones, uint64_t orders[NR_PAGE_ORDERS])
{
	unsigned int nr = 1;

	orders[0] = 0;
	for (uint64_t o = 1; o < NR_PAGE_ORDERS; o++)
		if (is_held(zones, o))
			orders[nr++] = o;
	return nr;
}

static bool keeps_together(const json_t *zones)
{
	const json_t *cpu = json_array_get(json_object_get(json_array_get(zones, 0), "cpus"), 0);
	const char *type = look_get_text(json_array_get(json_object_get(cpu, "lists"), 0), "type");

	return !strcmp(type, "hot") || !strcmp(type, "any");
}

static void pcp_text(const json_t *model, const struct view_args *args, FILE *to)
{
	static const char *const titles[] = { "pages", "high", "batch", "factor", "lock taken", "waited" };
	const json_t *zones = json_object_get(model, "zones");
	uint64_t orders[NR_PAGE_ORDERS];
	struct table t = { 0 };
	json_t *z, *c;
	unsigned int nr = orders_of(zones, orders);
	size_t i, k;

	table_column(&t, TABLE_LEFT, "zone");
	table_column(&t, TABLE_LEFT, "cpu");
	table_column(&t, TABLE_LEFT, "%s", "");
	for (i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(&t, TABLE_RIGHT, "%s", titles[i]);
	for (i = 0; i < nr; i++)
		table_column(&t, TABLE_LEFT, "order %llu", (unsigned long long)orders[i]);
	json_array_foreach(zones, i, z)
		json_array_foreach(json_object_get(z, "cpus"), k, c)
			cpu_row(&t, z, c, orders, nr, args);
	table_print(&t, args, to);
	fprintf(to, "blocks by order: U unmovable, M movable, R reclaimable%s\n",
		keeps_together(zones) ? "; of all types: h hot, c cold, a any" : "");
}

const struct view view_pcp = {
	.name = "pcp",
	.summary = "each CPU's own page lists, with batch and high",
	.usage = "[ZONE|CPU]",
	.model = pcp_model,
	.text = pcp_text,
};
