/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "work/import_arrange.h"
#include "work/import_memreport.h"
#include "work/import_priv.h"

struct zones {
	struct import_zone *v;
	uint32_t nr;
};

static struct import_zone *zone_find(struct zones *z, uint32_t node, const char *name)
{
	for (uint32_t i = 0; i < z->nr; i++)
		if (z->v[i].node == node && !strcmp(z->v[i].zone, name))
			return &z->v[i];
	return NULL;
}

static struct import_zone *zone_add(struct zones *z, uint32_t node, const char *name, uint32_t line, uint32_t orders)
{
	z->v[z->nr] = (struct import_zone){ .node = node, .zone = name, .line = line, .orders = orders };
	return &z->v[z->nr++];
}

/* ---- pagetypeinfo ---- */

/* The reserve of kernels before 4.4 is what HighAtomic became; contiguous and isolated blocks serve what moves. */
static enum mtype lab_type(const char *name)
{
	int type;

	if (!strcmp(name, "Reserve"))
		return MT_HIGHATOMIC;
	type = mtype_parse(name, strlen(name));
	return type < 0 || type == MT_ISOLATE ? MT_MOVABLE : (enum mtype)type;
}

static void of_types(const struct memreport *m, struct zones *z)
{
	for (uint32_t i = 0; i < m->types; i++) {
		const struct memreport_type *t = &m->type[i];
		struct import_zone *zone = zone_find(z, t->node, t->zone);
		enum mtype type = lab_type(t->type);

		if (!zone)
			zone = zone_add(z, t->node, t->zone, t->line, t->orders);
		for (uint32_t o = 0; o < t->orders && o < BUDDYINFO_ORDERS; o++)
			zone->free[type][o] += t->count[o];
	}
	for (uint32_t i = 0; i < m->block_rows; i++) {
		const struct memreport_blocks *b = &m->blocks[i];
		struct import_zone *zone = zone_find(z, b->node, b->zone);

		for (uint32_t t = 0; zone && t < m->type_names; t++)
			zone->blocks[lab_type(m->type_name[t])] += b->count[t];
	}
}

/* ---- Mem-Info ---- */

static enum mtype letter_type(char letter)
{
	switch (letter) {
	case 'U':
		return MT_UNMOVABLE;
	case 'E':
		return MT_RECLAIMABLE;
	case 'H':
	case 'R':		/* Reserve, before 4.4 */
		return MT_HIGHATOMIC;
	default:
		return MT_MOVABLE;
	}
}

/* One block for each letter, which is what a letter says; the rest is of the likeliest one. */
static void letter_counts(struct import_zone *zone, uint32_t order, uint64_t count, const char *letters)
{
	static const char likely[] = "MUECIRH";

	if (!*letters)
		letters = "M";
	for (const char *l = letters; l[1] && count; l++, count--)
		zone->free[letter_type(*l)][order]++;
	for (const char *l = likely; count && *l; l++)
		if (strchr(letters, *l)) {
			zone->free[letter_type(*l)][order] += count;
			return;
		}
}

/* The last Mem-Info counts: lists from the first of them on. */
static uint32_t last_lists(const struct memreport *m)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < m->lists; i++)
		for (uint32_t k = first; k < i; k++)
			if (m->list[k].node == m->list[i].node && !strcmp(m->list[k].zone, m->list[i].zone))
				first = i;
	return first;
}

static void of_lists(struct import *im, const struct memreport *m, struct zones *z)
{
	uint32_t first = last_lists(m);

	for (uint32_t i = first; i < m->lists; i++) {
		const struct memreport_list *l = &m->list[i];
		struct import_zone *zone;

		if (!l->zone[0])
			continue;
		zone = zone_add(z, l->node, l->zone, l->line, l->orders);
		zone->untyped = !l->typed;
		for (uint32_t o = 0; o < l->orders && o < BUDDYINFO_ORDERS; o++)
			letter_counts(zone, o, l->count[o], l->types[o]);
		for (uint32_t k = 0; k < m->zones; k++)
			if (m->zone[k].in_kb && m->zone[k].node == l->node && !strcmp(m->zone[k].zone, l->zone) &&
			    m->zone[k].has[MEM_MANAGED] && !(m->zone[k].value[MEM_MANAGED] >> 44))
				zone->pages = m->zone[k].value[MEM_MANAGED] / l->kb[0];
	}
	if (first)
		import_note(im, "several reports; the lab is as the last one, from line %u on, says", m->list[first].line);
}

/* ---- zoneinfo ---- */

static void of_zones(struct import *im, const struct memreport *m, struct zones *z)
{
	bool any = false;

	for (uint32_t i = 0; i < m->zones; i++) {
		const struct memreport_zone *r = &m->zone[i];
		unsigned int size = r->has[MEM_MANAGED] ? MEM_MANAGED : MEM_PRESENT;
		struct import_zone *zone = zone_find(z, r->node, r->zone);

		if (r->in_kb || !r->has[size] || !r->value[size] || !r->has[MEM_FREE] || r->value[MEM_FREE] > r->value[size])
			continue;
		if (!zone)
			zone = zone_add(z, r->node, r->zone, r->line, MAX_PAGE_ORDER + 1);
		zone->untyped = true;
		zone->pages = r->value[size];
		zone->line = r->line;
		for (unsigned int o = 0; o < MAX_PAGE_ORDER; o++)
			zone->free[MT_MOVABLE][o] = r->value[MEM_FREE] >> o & 1;
		zone->free[MT_MOVABLE][MAX_PAGE_ORDER] = r->value[MEM_FREE] >> MAX_PAGE_ORDER;
		any = true;
	}
	if (any)
		import_note(im, "zoneinfo does not tell of what sizes the free blocks are: they are as large as can be");
}

/* ---- the lab ---- */

/* A later report says it anew. */
static bool told_again(const struct memreport *m, uint32_t zone)
{
	for (uint32_t i = zone + 1; i < m->zones; i++)
		if (m->zone[i].node == m->zone[zone].node && !strcmp(m->zone[i].zone, m->zone[zone].zone))
			return true;
	return false;
}

/*
 * The marks of the machine come from this setting, which is no import's to
 * change. A page of the machine is one of the lab's, whatever its size.
 */
static void marks_json(struct import *im, const struct memreport *m, struct zones *arranged, json_t *data)
{
	uint64_t kb = 0, page_kb = m->lists ? m->list[0].kb[0] : PAGE_SIZE >> 10;

	if (page_kb != PAGE_SIZE >> 10)
		import_note(im, "its pages are of %llu kB; each is a page of the lab, of %lu kB", (unsigned long long)page_kb,
			    PAGE_SIZE >> 10);
	for (uint32_t i = 0; i < m->zones; i++) {
		const struct memreport_zone *z = &m->zone[i];
		uint64_t boost = z->has[MEM_BOOST] ? z->value[MEM_BOOST] : 0;	/* which min holds */

		if (told_again(m, i) || !zone_find(arranged, z->node, z->zone))
			continue;
		if (z->value[MEM_MIN] >> 40 || boost > z->value[MEM_MIN])
			return;
		kb += (z->value[MEM_MIN] - boost) * (PAGE_SIZE >> 10) / (z->in_kb ? page_kb : 1);
	}
	if (kb)
		json_object_set_new(data, "min_free_kbytes", json_integer((json_int_t)kb));
}

void import_memlab(struct import *im, const struct memreport *m, json_t *data)
{
	struct zones z = { calloc((size_t)m->types + m->lists + m->zones + 1, sizeof(*z.v)), 0 };

	if (!z.v) {
		import_note(im, "no memory to arrange the lab");
		return;
	}
	if (m->types)
		of_types(m, &z);
	else if (m->lists)
		of_lists(im, m, &z);
	else
		of_zones(im, m, &z);
	marks_json(im, m, &z, data);
	import_arrange_or_note(im, z.v, z.nr, m->pageblock_order, data);
	free(z.v);
}
