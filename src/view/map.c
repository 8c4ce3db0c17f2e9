/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "view/look.h"

#define ROWS 16			/* of a zone, where the user did not say how many cells */
#define MOST_CELLS 65536
#define MANY_OWNERS 52		/* letters there are */

unsigned int map_columns(unsigned int width)
{
	unsigned int cells = width > 12 ? width - 12 : 1;

	return cells >= 16 ? cells & ~15U : cells;
}

/* What the pages of a cell are. */
struct cell {
	uint32_t free, pcp, held, reserved;
	uint32_t foreign;	/* held, by requests of another type than the pageblock's */
	uint32_t blocks;	/* pageblocks, where there are several */
	uint32_t free_blocks;
	uint32_t by_type[MT_NR];/* pageblocks */
	unsigned int owner;	/* who holds most, where owners are asked for */
	uint32_t owned;
};

struct map {
	struct lab *lab;
	const struct map_choice *choice;
	struct zone_figures z;
	pfn_t start, end;	/* of the picture */
	uint64_t cell_pages;
	struct owners *owners;
	uint64_t *of_owner;	/* pages in the whole picture */
	uint32_t *in_cell;	/* pages in the cell under way */
	uint64_t *free_block;	/* bit: this pageblock of the picture lies in a free block */
};

/* ---- one cell, page by page ---- */

struct filling {
	struct map *m;
	struct cell *c;
	pfn_t start, end;
	enum mtype type;
};

/* Pages of the extent that lie in the cell. */
static uint32_t inside(const struct filling *f, const struct page_extent *e)
{
	uint64_t from = max_u64(e->pfn, f->start), to = min_u64((uint64_t)e->pfn + e->pages, f->end);

	return to > from ? (uint32_t)(to - from) : 0;
}

static void add_owner(struct filling *f, const struct page_extent *e, uint32_t pages)
{
	unsigned int owner = owners_of(f->m->owners, e);

	f->m->of_owner[owner] += pages;
	f->m->in_cell[owner] += pages;
	if (f->m->in_cell[owner] > f->c->owned) {
		f->c->owned = f->m->in_cell[owner];
		f->c->owner = owner;
	}
}

static bool add_extent(const struct page_extent *e, void *arg)
{
	struct filling *f = arg;
	uint32_t pages = inside(f, e);

	switch (e->role) {
	case PAGE_BUDDY:
	case PAGE_DELAYED:
		f->c->free += pages;
		break;
	case PAGE_ON_PCP:
		f->c->pcp += pages;
		break;
	case PAGE_RESERVED:
		f->c->reserved += pages;
		break;
	default:
		f->c->held += pages;
		/* slabs do not keep what was asked for; they never move */
		if (e->role == PAGE_SLAB ? f->type == MT_MOVABLE : e->type != f->type)
			f->c->foreign += pages;
		if (f->m->owners)
			add_owner(f, e, pages);
		break;
	}
	return true;
}

static bool forget_extent(const struct page_extent *e, void *arg)
{
	struct map *m = arg;

	if (e->role != PAGE_BUDDY && e->role != PAGE_DELAYED && e->role != PAGE_ON_PCP && e->role != PAGE_RESERVED)
		m->in_cell[owners_of(m->owners, e)] = 0;
	return true;
}

static void fill_singly(struct map *m, pfn_t pfn, struct cell *c)
{
	struct filling f = { m, c, pfn, (pfn_t)min_u64(pfn + m->cell_pages, m->end), page_block_type(m->lab, pfn) };

	page_extents(m->lab, f.start, f.end, add_extent, &f);
	if (m->owners)
		page_extents(m->lab, f.start, f.end, forget_extent, m);
	c->blocks = 1;
	c->by_type[f.type] = 1;
}

/* ---- a cell of several pageblocks ---- */

struct marking {
	struct map *m;
	unsigned int order;
};

static bool mark_free(pfn_t pfn, void *arg)
{
	struct marking *k = arg;
	unsigned int pbo = k->m->lab->hdr->shape.pageblock_order;

	for (uint64_t i = 0; i < 1ULL << (k->order - pbo); i++) {
		uint64_t block = ((pfn - k->m->z.start) >> pbo) + i;

		k->m->free_block[block >> 6] |= 1ULL << (block & 63);
	}
	return true;
}

static int find_free_blocks(struct map *m)
{
	unsigned int pbo = m->lab->hdr->shape.pageblock_order;

	m->free_block = calloc((m->z.spanned >> pbo >> 6) + 1, sizeof(*m->free_block));
	if (!m->free_block)
		return fail(ENOMEM, "the host has no memory for a map of %llu pages", (unsigned long long)m->z.spanned);
	for (unsigned int o = pbo; o < NR_PAGE_ORDERS; o++)
		for (unsigned int t = 0; t < MT_NR; t++)
			free_list_walk(m->lab, m->z.index, o, t, mark_free, &(struct marking){ m, o });
	return 0;
}

static void fill_by_blocks(struct map *m, pfn_t pfn, struct cell *c)
{
	unsigned int pbo = m->lab->hdr->shape.pageblock_order;
	uint64_t end = min_u64(pfn + m->cell_pages, m->end);

	for (uint64_t at = pfn; at < end; at += 1ULL << pbo) {
		uint64_t block = (at - m->z.start) >> pbo;

		c->blocks++;
		c->by_type[page_block_type(m->lab, (pfn_t)at)]++;
		c->free_blocks += m->free_block[block >> 6] >> (block & 63) & 1;
	}
}

/* ---- the model ---- */

static enum mtype most_type(const struct cell *c)
{
	enum mtype most = MT_UNMOVABLE;

	for (unsigned int t = 1; t < MT_NR; t++)
		if (c->by_type[t] > c->by_type[most])
			most = (enum mtype)t;
	return most;
}

static json_t *cell_model(const struct map *m, pfn_t pfn, const struct cell *c)
{
	json_t *o = json_object();
	const char *what;

	look_set(o, "pfn", pfn);
	look_set_text(o, "type", mtype_name(most_type(c)));
	if (m->free_block) {
		look_set(o, "blocks", c->blocks);
		look_set(o, "free_blocks", c->free_blocks);
		return o;
	}
	look_set(o, "free", c->free);
	look_set(o, "pcp", c->pcp);
	look_set(o, "held", c->held);
	look_set(o, "foreign", c->foreign);
	if (c->reserved)
		look_set(o, "reserved", c->reserved);
	if (m->owners && c->held) {
		look_set_text(o, "owner", owners_name(m->owners, c->owner, &what));
		look_set_text(o, "what", what);
	}
	return o;
}

static int by_pages(const void *a, const void *b)
{
	uint64_t x = (*(const uint64_t *const *)a)[0], y = (*(const uint64_t *const *)b)[0];

	return x < y ? 1 : x > y ? -1 : a < b ? -1 : 1;
}

/* Those who hold most first; the picture has letters for so many. */
static json_t *owners_model(const struct map *m)
{
	unsigned int nr = owners_nr(m->owners), held = 0;
	const uint64_t **sorted = calloc(nr + 1, sizeof(*sorted));
	json_t *list = json_array();

	for (unsigned int i = 0; sorted && i < nr; i++)
		if (m->of_owner[i])
			sorted[held++] = &m->of_owner[i];
	if (sorted)
		qsort(sorted, held, sizeof(*sorted), by_pages);
	for (unsigned int i = 0; i < held; i++) {
		const char *what, *name = owners_name(m->owners, (unsigned int)(sorted[i] - m->of_owner), &what);
		char letter[2] = { 0 };

		letter[0] = i >= MANY_OWNERS ? '+' : (char)(i < 26 ? 'a' + i : 'A' + i - 26);
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "letter", letter, "name", name, "what", what,
						      "pages", look_int(*sorted[i])));
	}
	free(sorted);
	return list;
}

static json_t *cells_model(struct map *m)
{
	json_t *cells = json_array();

	for (uint64_t pfn = m->start; pfn < m->end; pfn += m->cell_pages) {
		struct cell c = { 0 };

		if (m->free_block)
			fill_by_blocks(m, (pfn_t)pfn, &c);
		else
			fill_singly(m, (pfn_t)pfn, &c);
		json_array_append_new(cells, cell_model(m, (pfn_t)pfn, &c));
	}
	return cells;
}

/* How much a cell is, and from where to where the picture goes. */
static void measure(struct map *m, uint64_t cells)
{
	unsigned int pbo = m->lab->hdr->shape.pageblock_order;
	uint64_t end = m->z.start + m->z.managed, from = m->z.start;

	m->cell_pages = m->choice->by_page ? 1 : 1ULL << pbo;
	if (m->choice->has_from)
		from = m->choice->from & ~(m->cell_pages - 1);
	/* what is looked at page by page is a window; the rest is drawn larger until it fits */
	if (!m->choice->by_page && !m->choice->by_owner && !m->choice->has_from)
		while ((m->z.managed + m->cell_pages - 1) / m->cell_pages > cells)
			m->cell_pages *= 2;
	m->start = (pfn_t)from;
	m->end = (pfn_t)min_u64(end, from + cells * m->cell_pages);
}

static void map_fini(struct map *m)
{
	owners_free(m->owners);
	free(m->of_owner);
	free(m->in_cell);
	free(m->free_block);
}

static int map_init(struct map *m, uint64_t cells)
{
	measure(m, cells);
	if (m->cell_pages > 1ULL << m->lab->hdr->shape.pageblock_order)
		return find_free_blocks(m);
	if (!m->choice->by_owner)
		return 0;
	m->owners = owners_make(m->lab, m->start, m->end);
	if (m->owners) {
		m->of_owner = calloc(owners_nr(m->owners), sizeof(*m->of_owner));
		m->in_cell = calloc(owners_nr(m->owners), sizeof(*m->in_cell));
	}
	return m->of_owner && m->in_cell ? 0 : fail(ENOMEM, "the host has no memory for a map by owner");
}

static json_t *zone_model(struct map *m, uint64_t cells)
{
	json_t *o;

	if (map_init(m, cells))
		return NULL;
	o = zone_object(&m->z);
	look_set(o, "start", m->z.start);
	look_set(o, "managed", m->z.managed);
	look_set(o, "from", m->start);
	look_set(o, "to", m->end);
	look_set(o, "pageblock_order", m->lab->hdr->shape.pageblock_order);
	look_set(o, "cell_pages", m->cell_pages);
	json_object_set_new(o, "cells", cells_model(m));
	if (m->owners)
		json_object_set_new(o, "owners", owners_model(m));
	return o;
}

static bool is_chosen(const struct map_choice *choice, const struct zone_choice *where, const struct zone_figures *z)
{
	if (!z->managed || !zone_chosen(where, z))
		return false;
	return !choice->has_from || (choice->from >= z->start && choice->from < z->start + z->managed);
}

static json_t *zones_model(struct lab *lab, const struct map_choice *choice, const struct zone_choice *where, uint64_t cells)
{
	json_t *zones = json_array();

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct map m = { .lab = lab, .choice = choice };
		json_t *o;

		zone_figures(lab, i, false, &m.z);
		if (!is_chosen(choice, where, &m.z))
			continue;
		o = zone_model(&m, cells);
		map_fini(&m);
		if (!o) {
			json_decref(zones);
			return NULL;
		}
		json_array_append_new(zones, o);
	}
	if (json_array_size(zones))
		return zones;
	json_decref(zones);
	fail(ERANGE, "page %llu is in no such zone", (unsigned long long)choice->from);
	return NULL;
}

json_t *view_map(struct lab *lab, const struct map_choice *choice, const struct view_args *args)
{
	uint64_t cells = choice->cells ? min_u64(choice->cells, MOST_CELLS) : (uint64_t)map_columns(args->width) * ROWS;
	struct zone_choice where;
	char names[1024];
	json_t *zones;

	if (look_begin(lab, NULL, "map", 1))
		return NULL;
	if (!zone_choose(lab, choice->zone, &where)) {
		fail(ENOENT, "there is no zone \"%s\" (%s)", choice->zone, zone_names(lab, names, sizeof(names)));
		return look_end(lab, NULL);
	}
	zones = zones_model(lab, choice, &where, cells);
	return look_end(lab, zones ? json_pack("{s:s, s:o}", "by", choice->by_owner ? "owner" : "type", "zones", zones) : NULL);
}
