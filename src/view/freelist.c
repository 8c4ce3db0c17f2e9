/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * freelist - what is free, in the order in which it will be given out.
 *
 * Of a cache: the objects on each CPU's freelist and on each slab's own. Of a
 * CPU: its freelists of all caches, and its page lists. Of a zone: the buddy
 * lists by order and migratetype. The first of each list is taken next.
 *
 * Units. Objects as indexes in their slab; pages as page frame numbers of a
 * block's first page.
 */
#include "view/flow.h"
#include "view/list.h"
#include "view/look.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "slab/read.h"

static bool append_index(uint32_t index, pfn_t slab, void *arg)
{
	(void)slab;
	json_array_append_new(arg, look_int(index));
	return true;
}

static bool append_pfn(pfn_t pfn, void *arg)
{
	json_array_append_new(arg, look_int(pfn));
	return true;
}

/* ---- of a cache ---- */

static json_t *slab_object(struct lab *lab, uint32_t store, const struct slab_line *s, const char *list)
{
	json_t *o = json_object(), *free = json_array();

	freelist_walk(lab, store, -1, s->pfn, append_index, free);
	look_set(o, "slab", s->number);
	look_set(o, "node", s->node);
	look_set_text(o, "list", list);
	look_set(o, "objects", s->objects);
	json_object_set_new(o, "free", free);
	return o;
}

static json_t *cpu_object(struct lab *lab, uint32_t store, const struct cpu_lines *c)
{
	json_t *o = json_object(), *free = json_array();

	freelist_walk(lab, store, (int)c->cpu, c->slab.pfn, append_index, free);
	look_set(o, "cpu", c->cpu);
	look_set(o, "slab", c->slab.number);
	look_set(o, "objects", c->slab.objects);
	json_object_set_new(o, "free", free);
	return o;
}

static void slabs_append(struct lab *lab, uint32_t store, const struct slab_line *s, uint32_t nr,
			 const char *list, json_t *to)
{
	for (uint32_t i = 0; i < nr; i++)
		if (s[i].free_len)
			json_array_append_new(to, slab_object(lab, store, &s[i], list));
}

static json_t *cache_lists(struct lab *lab, uint32_t cache, uint32_t store, const struct store_model *m)
{
	json_t *cpus = json_array(), *slabs = json_array();

	for (uint32_t i = 0; i < m->nr_nodes; i++)
		slabs_append(lab, store, m->nodes[i].partial, m->nodes[i].partial_nr, "partial", slabs);
	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		const struct cpu_lines *c = &m->cpus[i];

		if (c->has_slab) {
			json_array_append_new(cpus, cpu_object(lab, store, c));
			slabs_append(lab, store, &c->slab, 1, "cpu", slabs);
		}
		slabs_append(lab, store, c->partial, c->partial_nr, "chain", slabs);
	}
	slabs_append(lab, store, m->unlisted, m->unlisted_nr, "none", slabs);
	return json_pack("{s:s,s:I,s:o,s:o}", "cache", cache_name(lab, cache), "store",
			 (json_int_t)m->figures.serial, "cpus", cpus, "slabs", slabs);
}

static json_t *cache_freelists(struct lab *lab, uint32_t cache)
{
	struct cache_figures c;
	struct store_model *m;
	json_t *o;

	if (cache_figures(lab, cache, &c))
		return NULL;
	m = store_model_take(lab, c.store);
	if (!m)
		return NULL;
	o = cache_lists(lab, cache, c.store, m);
	store_model_free(m);
	return o;
}

/* ---- of a CPU ---- */

static void cpu_stores_append(struct lab *lab, unsigned int cpu, json_t *to)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor))) {
		struct store_model *m = store_model_take(lab, store);

		if (m && cpu < m->nr_cpus && m->cpus[cpu].has_slab) {
			json_t *o = cpu_object(lab, store, &m->cpus[cpu]);

			json_object_del(o, "cpu");
			look_set_text(o, "cache", m->figures.name);
			look_set(o, "store", m->figures.serial);
			json_array_append_new(to, o);
		}
		store_model_free(m);
	}
}

static void cpu_zone_append(struct lab *lab, unsigned int zone, unsigned int cpu, json_t *to)
{
	struct pcp_figures p;
	struct zone_figures z;

	zone_figures(lab, zone, false, &z);
	pcp_figures(lab, zone, cpu, &p);
	for (unsigned int l = 0; l < p.lists && l < ARRAY_SIZE(p.length); l++) {
		json_t *o, *pfns;

		if (!p.length[l])
			continue;
		o = zone_object(&z);
		pfns = json_array();
		pcp_list_walk(lab, zone, cpu, l, append_pfn, pfns);
		look_set(o, "order", pcp_list_order(l));
		look_set_text(o, "type", pcp_list_type(l));
		json_object_set_new(o, "pfns", pfns);
		json_array_append_new(to, o);
	}
}

static json_t *cpu_freelists(struct lab *lab, unsigned int cpu)
{
	json_t *stores = json_array(), *pages = json_array();

	cpu_stores_append(lab, cpu, stores);
	for (unsigned int z = 0; z < lab->nr_zones; z++)
		cpu_zone_append(lab, z, cpu, pages);
	return json_pack("{s:i,s:o,s:o}", "cpu", (int)cpu, "stores", stores, "pages", pages);
}

/* ---- of a zone ---- */

static json_t *order_object(struct lab *lab, unsigned int zone, unsigned int order)
{
	json_t *o = json_object();

	for (unsigned int t = 0; t < MT_NR; t++) {
		json_t *pfns = json_array();

		free_list_walk(lab, zone, order, t, append_pfn, pfns);
		json_object_set_new(o, mtype_name(t), pfns);
	}
	return o;
}

static json_t *zone_freelists(struct lab *lab, const struct zone_choice *where)
{
	json_t *zones = json_array();
	struct zone_figures z;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		json_t *o, *orders;

		zone_figures(lab, i, false, &z);
		if (!zone_chosen(where, &z))
			continue;
		o = zone_object(&z);
		orders = json_array();
		for (unsigned int order = 0; order < NR_PAGE_ORDERS; order++)
			json_array_append_new(orders, order_object(lab, i, order));
		json_object_set_new(o, "order", orders);
		json_array_append_new(zones, o);
	}
	return json_pack("{s:o}", "zones", zones);
}

static json_t *freelist_of(struct lab *lab, const char *name)
{
	uint32_t cache = cache_find(lab, name);
	int cpu = cpu_choose(lab, name);
	struct zone_choice where;
	char names[1024];

	if (cache != CACHE_NONE)
		return cache_freelists(lab, cache);
	if (cpu >= 0)
		return cpu_freelists(lab, (unsigned int)cpu);
	if (zone_choose(lab, name, &where))
		return zone_freelists(lab, &where);
	fail(ENOENT, "\"%s\" is no cache, no zone (%s) and none of %u CPUs", name,
	     zone_names(lab, names, sizeof(names)), lab->nr_cpus);
	return NULL;
}

static json_t *freelist_model(struct lab *lab, const struct view_args *args)
{
	if (!args->name) {
		fail(EINVAL, "of which cache, CPU or zone?");
		return NULL;
	}
	if (look_begin(lab, args, "freelist", 1))
		return NULL;
	return look_end(lab, freelist_of(lab, args->name));
}

/* ---- text ---- */

#define SHOWN 40	/* members of one list that text names */

static void list_text(struct flow *f, const json_t *list, const struct view_args *args, bool hex)
{
	size_t nr = json_array_size(list), i;

	f->between = args->utf8 ? "→" : "->";
	f->words = 0;
	for (i = 0; i < nr && i < SHOWN; i++) {
		json_int_t n = json_integer_value(json_array_get(list, i));

		flow_means(f, i ? MEANS_PLAIN : MEANS_NEXT);
		if (hex)
			flow_word(f, "0x%llx", (unsigned long long)n);
		else
			flow_word(f, "%lld", (long long)n);
	}
	f->between = " ";
	if (nr > i)
		flow_word(f, "and %zu more", nr - i);
	if (!nr) {
		flow_means(f, MEANS_NOTHING);
		flow_word(f, "empty");
	}
	flow_end(f);
}

static void cache_text(const json_t *m, const struct view_args *args, FILE *to)
{
	struct flow f;
	json_t *o;
	size_t i;

	fprintf(to, "%s%s%s  store #%llu\n", colour_on(args->colour, MEANS_TITLE), look_get_text(m, "cache"),
		colour_off(args->colour), (unsigned long long)look_get(m, "store"));
	json_array_foreach(json_object_get(m, "cpus"), i, o) {
		flow_begin(&f, args, to, " cpu%-4llu S%-5llu %4zu  ", (unsigned long long)look_get(o, "cpu"),
			   (unsigned long long)look_get(o, "slab"),
			   json_array_size(json_object_get(o, "free")));
		list_text(&f, json_object_get(o, "free"), args, false);
	}
	json_array_foreach(json_object_get(m, "slabs"), i, o) {
		const char *list = look_get_text(o, "list");

		/* Beside the CPU's own list: what others freed into its slab. */
		flow_begin(&f, args, to, " %-7s S%-5llu %4zu  ", strcmp(list, "cpu") ? list : "in slab",
			   (unsigned long long)look_get(o, "slab"),
			   json_array_size(json_object_get(o, "free")));
		list_text(&f, json_object_get(o, "free"), args, false);
	}
}

/* A migratetype in its colour, in at least that many columns. */
static const char *type_name(char *buf, size_t size, const char *type, int columns, const struct view_args *args)
{
	snprintf(buf, size, "%s%-*s%s", colour_on(args->colour, meaning_of_type(type)), columns, type,
		 colour_off(args->colour));
	return buf;
}

static void cpu_text(const json_t *m, const struct view_args *args, FILE *to)
{
	struct flow f;
	char text[64];
	json_t *o;
	size_t i;

	fprintf(to, "%scpu%llu%s\n", colour_on(args->colour, MEANS_TITLE), (unsigned long long)look_get(m, "cpu"),
		colour_off(args->colour));
	json_array_foreach(json_object_get(m, "stores"), i, o) {
		flow_begin(&f, args, to, " %s #%llu S%llu  ", look_get_text(o, "cache"),
			   (unsigned long long)look_get(o, "store"), (unsigned long long)look_get(o, "slab"));
		list_text(&f, json_object_get(o, "free"), args, false);
	}
	json_array_foreach(json_object_get(m, "pages"), i, o) {
		flow_begin(&f, args, to, " N%llu %s order %llu %s  ", (unsigned long long)look_get(o, "node"),
			   look_get_text(o, "zone"), (unsigned long long)look_get(o, "order"),
			   type_name(text, sizeof(text), look_get_text(o, "type"), 0, args));
		list_text(&f, json_object_get(o, "pfns"), args, true);
	}
}

static void zone_text(const json_t *zones, const struct view_args *args, FILE *to)
{
	json_t *z, *o, *pfns;
	const char *type;
	struct flow f;
	char text[64];
	size_t i, k;

	json_array_foreach(zones, i, z) {
		fprintf(to, "%sN%llu %s%s\n", colour_on(args->colour, MEANS_TITLE),
			(unsigned long long)look_get(z, "node"), look_get_text(z, "zone"), colour_off(args->colour));
		json_array_foreach(json_object_get(z, "order"), k, o)
			json_object_foreach(o, type, pfns) {
				if (!json_array_size(pfns))
					continue;
				flow_begin(&f, args, to, " order %2zu %s %5zu  ", k,
					   type_name(text, sizeof(text), type, 12, args), json_array_size(pfns));
				list_text(&f, pfns, args, true);
			}
	}
}

static void freelist_text(const json_t *model, const struct view_args *args, FILE *to)
{
	if (json_object_get(model, "zones"))
		zone_text(json_object_get(model, "zones"), args, to);
	else if (json_object_get(model, "cache"))
		cache_text(model, args, to);
	else
		cpu_text(model, args, to);
}

const struct view view_freelist = {
	.name = "freelist",
	.summary = "what is free, in the order in which it will be given out",
	.usage = "CACHE|CPU|ZONE",
	.model = freelist_model,
	.text = freelist_text,
};
