/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_memreport - zoneinfo, pagetypeinfo and the Mem-Info of a failed
 * allocation, taken apart. They change nothing in the lab; what they say is the
 * answer, under the names that views use.
 */
#include <string.h>

#include "formats/memreport.h"
#include "work/import_priv.h"

static json_t *place(uint32_t node, const char *zone)
{
	return json_pack("{s:i,s:s}", "node", (int)node, "zone", zone);
}

static json_t *zones_json(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->zones; i++) {
		const struct memreport_zone *z = &m->zone[i];
		json_t *o = place(z->node, z->zone);

		for (unsigned int k = 0; k < MEM_KEYS; k++) {
			char key[32];

			strcpy(key, memreport_keys[k]);
			if (z->in_kb)
				strcat(key, "_kb");
			if (z->has[k])
				json_object_set_new(o, key, json_integer((json_int_t)z->value[k]));
		}
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *counts_json(const uint64_t *count, uint32_t nr)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < nr; i++)
		json_array_append_new(list, json_integer((json_int_t)count[i]));
	return list;
}

/* Each type of a zone, and beside them the zones' own sums. */
static void types_json(const struct memreport *m, json_t *data)
{
	json_t *types = json_array(), *sums = json_array();

	for (uint32_t i = 0; i < m->types; i++) {
		const struct memreport_type *t = &m->type[i];
		json_t *o = place(t->node, t->zone), *sum = NULL;
		uint64_t pages = 0;

		for (uint32_t order = 0; order < t->orders; order++)
			pages += t->count[order] << order;
		json_object_set_new(o, "type", json_string(t->type));
		json_object_set_new(o, "pages", json_integer((json_int_t)pages));
		json_object_set_new(o, "free", counts_json(t->count, t->orders));
		json_array_append_new(types, o);
		if (i && m->type[i - 1].node == t->node && !strcmp(m->type[i - 1].zone, t->zone))
			sum = json_array_get(sums, json_array_size(sums) - 1);
		if (!sum) {
			sum = place(t->node, t->zone);
			json_array_append_new(sums, sum);
		}
		json_object_set_new(sum, "pages", json_integer(json_integer_value(json_object_get(sum, "pages")) + (json_int_t)pages));
	}
	if (m->types) {
		json_object_set_new(data, "types", types);
		json_object_set_new(data, "type_sums", sums);
		return;
	}
	json_decref(types);
	json_decref(sums);
}

static json_t *blocks_json(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->block_rows; i++) {
		json_t *o = place(m->blocks[i].node, m->blocks[i].zone);

		json_object_set_new(o, "total", json_integer((json_int_t)m->blocks[i].total));
		json_array_append_new(list, o);
	}
	return list;
}

json_t *memreport_lists(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->lists; i++) {
		const struct memreport_list *l = &m->list[i];
		json_t *o = json_pack("{s:s,s:i,s:o,s:I}", "zone", l->zone, "orders", (int)l->orders,
				      "counts", counts_json(l->count, l->orders), "sum_kb", (json_int_t)l->sum_kb);

		if (l->stated)
			json_object_set_new(o, "stated_kb", json_integer((json_int_t)l->stated_kb));
		json_array_append_new(list, o);
	}
	return list;
}

int import_memreport(struct import *im, const struct paste *text, json_t *data)
{
	struct memreport m;
	int ret = memreport_parse(text, &m);

	if (ret)
		return ret;
	if (m.zones)
		json_object_set_new(data, "zones", zones_json(&m));
	types_json(&m, data);
	if (m.block_rows)
		json_object_set_new(data, "blocks", blocks_json(&m));
	if (m.lists)
		json_object_set_new(data, "freelists", memreport_lists(&m));
	for (uint32_t i = 0; i < m.lists; i++)
		if (m.list[i].stated && m.list[i].stated_kb != m.list[i].sum_kb)
			import_note(im, "free list %u sums up to %llu kB, not to the %llu kB that it states", i + 1,
				    (unsigned long long)m.list[i].sum_kb, (unsigned long long)m.list[i].stated_kb);
	memreport_free(&m);
	return 0;
}
