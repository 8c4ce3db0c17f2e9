/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_memreport - zoneinfo, pagetypeinfo and the Mem-Info of a failed
 * allocation, taken apart under the names that views use. import_memlab.c makes
 * the lab like it.
 */
#include <string.h>

#include "formats/memreport.h"
#include "work/import_memreport.h"
#include "work/import_priv.h"

static json_t *place(uint32_t node, const char *zone)
{
	return json_pack("{s:i,s:s}", "node", (int)node, "zone", zone);
}

/* No page was ever in it, so nothing is asked of it. */
static bool is_empty(const struct memreport_zone *z)
{
	return (z->has[MEM_MANAGED] && !z->value[MEM_MANAGED]) || (z->has[MEM_PRESENT] && !z->value[MEM_PRESENT]);
}

static json_t *zones_json(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->zones; i++) {
		const struct memreport_zone *z = &m->zone[i];
		json_t *o = place(z->node, z->zone);

		json_object_set_new(o, "line", json_integer(z->line));
		for (unsigned int k = 0; k < MEM_KEYS; k++) {
			char key[32];

			strcpy(key, memreport_keys[k]);
			if (z->in_kb)
				strcat(key, "_kb");
			if (z->has[k])
				json_object_set_new(o, key, json_integer((json_int_t)z->value[k]));
		}
		for (unsigned int k = MEM_MIN; k <= MEM_HIGH && !is_empty(z); k++)
			if (z->has[MEM_FREE] && z->has[k] && z->value[MEM_FREE] < z->value[k]) {
				json_object_set_new(o, "below", json_string(memreport_keys[k]));
				break;
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
		if (t->capped)
			json_object_set_new(o, "at_least", json_true());
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

		for (uint32_t t = 0; t < m->type_names; t++)
			json_object_set_new(o, m->type_name[t], json_integer((json_int_t)m->blocks[i].count[t]));
		json_object_set_new(o, "total", json_integer((json_int_t)m->blocks[i].total));
		json_array_append_new(list, o);
	}
	return list;
}

/* What of its zone was free when its line was written, which is earlier than the list was. */
static const struct memreport_zone *zone_of(const struct memreport *m, const struct memreport_list *l)
{
	const struct memreport_zone *z = NULL;

	for (uint32_t i = 0; i < m->zones; i++)
		if (m->zone[i].in_kb && m->zone[i].node == l->node && !strcmp(m->zone[i].zone, l->zone) &&
		    (!z || m->zone[i].line <= l->line))
			z = &m->zone[i];
	return z;
}

static json_t *cell_types_json(const struct memreport_list *l)
{
	json_t *types = json_array();

	for (uint32_t o = 0; o < l->orders; o++)
		json_array_append_new(types, json_string(l->types[o]));
	return types;
}

json_t *memreport_lists(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->lists; i++) {
		const struct memreport_list *l = &m->list[i];
		const struct memreport_zone *z = zone_of(m, l);
		json_t *o = json_pack("{s:s,s:i,s:o,s:I}", "zone", l->zone, "orders", (int)l->orders,
				      "counts", counts_json(l->count, l->orders), "sum_kb", (json_int_t)l->sum_kb);

		json_object_set_new(o, "node", json_integer(l->node));
		json_object_set_new(o, "line", json_integer(l->line));
		json_object_set_new(o, "page_kb", json_integer((json_int_t)l->kb[0]));
		if (memreport_verdict(l) >= LIST_DAMAGED)
			json_object_set_new(o, "partial_sum_kb", json_integer((json_int_t)l->sum_kb));
		if (l->stated)
			json_object_set_new(o, "stated_kb", json_integer((json_int_t)l->stated_kb));
		if (l->typed)
			json_object_set_new(o, "types", cell_types_json(l));
		json_object_set_new(o, "verdict", json_string(memreport_verdicts[memreport_verdict(l)]));
		if (z && z->has[MEM_FREE])
			json_object_set_new(o, "beyond_free_kb", json_integer((json_int_t)(l->sum_kb - z->value[MEM_FREE])));
		json_array_append_new(list, o);
	}
	return list;
}

/* ---- what failed ---- */

/* Letters of types that this request may not have had: set aside, or for movable pages only. */
static bool only_set_aside(const struct memreport_list *l, int order)
{
	bool any = false;

	for (uint32_t o = (uint32_t)order; o < l->orders; o++) {
		if (!l->count[o])
			continue;
		if (!l->types[o][0] || strpbrk(l->types[o], "UMEI"))
			return false;
		any = true;
	}
	return any;
}

/* Blocks that are large enough, by zone. */
static json_t *suitable_json(const struct memreport *m, int order)
{
	json_t *list = json_array();

	for (uint32_t i = 0; order >= 0 && i < m->lists; i++) {
		const struct memreport_list *l = &m->list[i];
		json_t *o = place(l->node, l->zone);
		uint64_t blocks = 0;

		for (uint32_t k = (uint32_t)order; k < l->orders; k++)
			blocks += l->count[k];
		json_object_set_new(o, "blocks", json_integer((json_int_t)blocks));
		if (only_set_aside(l, order))
			json_object_set_new(o, "set_aside", json_true());
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *requests_json(const struct memreport *m)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < m->requests; i++) {
		const struct memreport_request *r = &m->request[i];
		json_t *o = json_pack("{s:i,s:b,s:I}", "line", (int)r->line, "oom", r->oom, "gfp", (json_int_t)r->gfp);
		json_t *who = json_string(r->who);

		if (who)
			json_object_set_new(o, "who", who);
		if (r->order >= 0) {
			json_object_set_new(o, "order", json_integer(r->order));
			json_object_set_new(o, "suitable", suitable_json(m, r->order));
		}
		json_array_append_new(list, o);
	}
	return list;
}

/* ---- what does not fit together ---- */

/* Below zero by not more than 2^62, or more than any machine has. */
static void note_impossible(struct import *im, const struct memreport *m)
{
	for (uint32_t i = 0; i < m->zones; i++)
		for (unsigned int k = 0; k < MEM_KEYS; k++) {
			const struct memreport_zone *z = &m->zone[i];
			uint64_t v = z->has[k] ? z->value[k] : 0;
			const char *unit = z->in_kb ? "kB" : "pages";

			if (v >> 62 == 3)
				import_note(im, "line %u: %s of %s, %llu %s, is a number below zero: %lld", z->line,
					    memreport_keys[k], z->zone, (unsigned long long)v, unit, (long long)v);
			else if (v >> 44)
				import_note(im, "line %u: %s of %s, %llu %s, is more than any machine has", z->line,
					    memreport_keys[k], z->zone, (unsigned long long)v, unit);
		}
}

static void note_list(struct import *im, const struct memreport_list *l, const struct memreport_zone *z)
{
	enum memreport_verdict v = memreport_verdict(l);

	if (v == LIST_WRONG_SUM)
		import_note(im, "line %u: free list of %s sums up to %llu kB, not to the %llu kB that it states", l->line,
			    l->zone, (unsigned long long)l->sum_kb, (unsigned long long)l->stated_kb);
	else if (v == LIST_DAMAGED)
		import_note(im, "line %u: free list of %s is damaged; what is left of it are %llu kB", l->line, l->zone,
			    (unsigned long long)l->sum_kb);
	else if (v == LIST_TRUNCATED)
		import_note(im, "line %u: free list of %s ends before it states its sum", l->last_line, l->zone);
	if (z && z->has[MEM_FREE] && l->sum_kb != z->value[MEM_FREE])
		import_note(im, "free lists and free: of %s differ by %lld kB, since they were read one after the other", l->zone,
			    (long long)(l->sum_kb - z->value[MEM_FREE]));
}

int import_memreport(struct import *im, const struct paste *text, json_t *data)
{
	struct memreport m;
	int ret = memreport_parse(text, &m);

	if (ret)
		return ret;
	if (m.requests)
		json_object_set_new(data, "requests", requests_json(&m));
	if (m.zones)
		json_object_set_new(data, "zones", zones_json(&m));
	types_json(&m, data);
	if (m.block_rows)
		json_object_set_new(data, "blocks", blocks_json(&m));
	if (m.pageblock_order >= 0)
		json_object_set_new(data, "pageblock_order", json_integer(m.pageblock_order));
	if (m.lists)
		json_object_set_new(data, "freelists", memreport_lists(&m));
	note_impossible(im, &m);
	for (uint32_t i = 0; i < m.lists; i++)
		note_list(im, &m.list[i], zone_of(&m, &m.list[i]));
	import_put_lines(data, "repaired", &m.repaired);
	import_put_lines(data, "skipped", &m.skipped);
	import_memlab(im, &m, data);
	memreport_free(&m);
	return 0;
}
