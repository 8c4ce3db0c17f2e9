/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zoneinfo - marks, sizes, reserves, counters and CPUs' lists of every zone,
 * as /proc/zoneinfo. Zones that a node does not have print the short form.
 *
 * Units. Pages. min, low and high are printed with the boost added.
 */
#include <string.h>

#include "cpu/read.h"
#include "view/counters.h"
#include "view/list.h"

static void sizes_fill(struct lab *lab, json_t *o, const struct zone_figures *z)
{
	json_t *protection = json_array();

	look_set(o, "free", z->free_seen);
	look_set(o, "boost", z->boost);
	look_set(o, "min", z->min + z->boost);
	look_set(o, "low", z->low + z->boost);
	look_set(o, "high", z->high + z->boost);
	if (page_names_618(lab))
		look_set(o, "promo", 2 * z->high - z->low + z->boost);
	look_set(o, "spanned", z->spanned);
	look_set(o, "present", z->present);
	look_set(o, "managed", z->managed);
	look_set(o, "cma", 0);
	for (unsigned int k = 0; k < ZONE_KINDS; k++)
		if (shape_shows_kind(&lab->hdr->shape, k))
			json_array_append_new(protection, json_integer(z->protection[k]));
	json_object_set_new(o, "protection", protection);
}

static json_t *pagesets_array(struct lab *lab, const struct zone_figures *z)
{
	json_t *sets = json_array();

	for (unsigned int c = 0; c < lab->nr_cpus; c++) {
		struct pcp_figures p;
		json_t *set;

		if (!lab_cpu_online(lab, c))
			continue;
		pcp_figures(lab, z->index, c, &p);
		set = json_pack("{s:i,s:I,s:I,s:I,s:i}", "cpu", (int)c, "count", (json_int_t)p.count, "high", (json_int_t)p.high,
				"batch", (json_int_t)p.batch, "vm_stats_threshold", (int)z->stat_threshold);
		if (p.tunes) {
			look_set(set, "high_min", p.high_min);
			look_set(set, "high_max", p.high_max);
		}
		json_array_append_new(sets, set);
	}
	return sets;
}

static json_t *populated_object(struct lab *lab, unsigned int zone, bool first_of_node)
{
	struct zone_choice here;
	struct zone_figures z;
	json_t *o, *counters = json_object();

	zone_figures(lab, zone, false, &z);
	here = (struct zone_choice){ .node = (int)z.node, .kind = z.kind };
	o = zone_object(&z);
	if (first_of_node) {
		json_t *node = json_object();

		counters_fill(lab, COUNTER_NODE, &here, node);
		json_object_set_new(o, "per_node", node);
	}
	sizes_fill(lab, o, &z);
	counters_fill(lab, COUNTER_ZONE, &here, counters);
	counters_fill(lab, COUNTER_NUMA, &here, counters);
	json_object_set_new(o, "counters", counters);
	json_object_set_new(o, "pagesets", pagesets_array(lab, &z));
	look_set(o, "node_unreclaimable", 0);
	look_set(o, "start_pfn", z.start);
	return o;
}

static json_t *empty_object(struct lab *lab, unsigned int node, enum zone_kind kind)
{
	uint64_t min = empty_zone_min(lab, kind);
	struct zone_figures z = { .node = node, .kind = kind, .min = min, .low = min, .high = min };
	json_t *o = zone_object(&z);

	sizes_fill(lab, o, &z);
	return o;
}

static json_t *zoneinfo_model(struct lab *lab, const struct view_args *args)
{
	json_t *zones;

	if (look_begin(lab, args, "zoneinfo", 0))
		return NULL;
	look_note_stopped(lab, args);
	zones = json_array();
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		bool first = true;

		for (unsigned int k = 0; k < ZONE_KINDS; k++) {
			int zone = zone_find(lab, n, zone_kind_names[k]);

			if (!shape_shows_kind(&lab->hdr->shape, k))
				continue;
			json_array_append_new(zones, zone < 0
				? empty_object(lab, n, (enum zone_kind)k)
				: populated_object(lab, (unsigned int)zone, first));
			first = first && zone < 0;
		}
	}
	return look_end(lab, json_pack("{s:o}", "zones", zones));
}

static void sizes_text(const json_t *z, FILE *to)
{
	static const char *const names[] = {
		"boost", "min", "low", "high", "promo", "spanned", "present", "managed", "cma",
	};
	json_t *n;
	size_t i;

	fprintf(to, "  pages free     %llu\n", (unsigned long long)look_get(z, "free"));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (json_object_get(z, names[i]))
			fprintf(to, "        %-8s %llu\n", names[i], (unsigned long long)look_get(z, names[i]));
	fprintf(to, "        protection: (");
	json_array_foreach(json_object_get(z, "protection"), i, n)
		fprintf(to, "%s%lld", i ? ", " : "", (long long)json_integer_value(n));
	fprintf(to, ")\n");
}

/* Where the limit tunes itself it has bounds, which kernels name since then, and indent the others as far. */
static void pagesets_text(const json_t *sets, FILE *to)
{
	static const char *const names[] = { "count", "high", "batch", "high_min", "high_max" };
	json_t *p;
	size_t i;

	fprintf(to, "  pagesets\n");
	json_array_foreach(sets, i, p) {
		bool tunes = json_object_get(p, "high_min");

		fprintf(to, "    cpu: %i\n", (int)look_get(p, "cpu"));
		for (size_t k = 0; k < ARRAY_SIZE(names) && (tunes || k < 3); k++)
			fprintf(to, "              %s:%*s%i\n", names[k], (int)((tunes ? 9 : 6) - strlen(names[k])), "",
				(int)look_get(p, names[k]));
		fprintf(to, "  vm stats threshold: %d\n", (int)look_get(p, "vm_stats_threshold"));
	}
}

static void zoneinfo_text(const json_t *model, const struct view_args *args, FILE *to)
{
	json_t *z;
	size_t i;

	(void)args;
	json_array_foreach(json_object_get(model, "zones"), i, z) {
		const json_t *per_node = json_object_get(z, "per_node");

		fprintf(to, "Node %d, zone %8s\n", (int)look_get(z, "node"), look_get_text(z, "zone"));
		if (per_node) {
			fprintf(to, "  per-node stats\n");
			counters_text(per_node, "      ", 12, to);
		}
		sizes_text(z, to);
		if (!json_object_get(z, "pagesets"))
			continue;
		counters_text(json_object_get(z, "counters"), "      ", 12, to);
		pagesets_text(json_object_get(z, "pagesets"), to);
		fprintf(to, "  node_unreclaimable:  %u\n  start_pfn:           %llu\n",
			(unsigned int)look_get(z, "node_unreclaimable"),
			(unsigned long long)look_get(z, "start_pfn"));
	}
}

const struct view view_zoneinfo = {
	.name = "zoneinfo",
	.summary = "sizes, watermarks, reserves and CPUs' lists of every zone, in the kernel's format",
	.usage = "",
	.model = zoneinfo_model,
	.text = zoneinfo_text,
};
