/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map - a zone as a grid of cells, from the whole zone down to single pages.
 *
 * Colour is the migratetype, who holds most, or the age; the glyph says how
 * full a cell is. Without colours letters say the type, capital where more
 * than half is held. The cell under the cursor is told in words below.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/panes.h"
#include "view/live_map.h"
#include "view/look.h"

#define LABEL 9
#define OWNERS 26
#define SEARCH_MOST 30000	/* members and blocks that are searched unasked */
#define BUSY_NS 1500000		/* of looking, in a frame while something runs */

enum by { BY_TYPE, BY_OWNER, BY_AGE, BY_NR };
static const char *const by_words[BY_NR] = { "migratetype", "owner", "age" };

struct map {
	struct live_map m;
	struct zone_figures zone;
	unsigned int nr_zones, at;	/* zone shown */
	unsigned int zoom;		/* steps in from the whole zone */
	unsigned int order, whole_order;	/* of a cell */
	uint64_t first;			/* page of the first cell */
	int columns, rows;
	enum by by;
	uint64_t cursor;		/* page, UINT64_MAX: none yet */
	struct live_page page;		/* under the cursor */
	json_t *where;			/* the view `where` of it: its place on a list, its handle; NULL: not looked for */
	uint64_t where_op, where_pfn;
	bool asked;			/* to look for them however long it takes */
	struct { uint32_t store; uint64_t serial, cells; char name[CACHE_NAME]; } owner[OWNERS];
	unsigned int nr_owners;
	const struct lab *lab;
};

/* ---- what is shown ---- */

/* The smallest cells with which the zone fits. */
static unsigned int fitting_order(uint64_t pages, uint64_t cells)
{
	unsigned int order = 0;

	while (cells && (pages + (1ULL << order) - 1) >> order > cells)
		order++;
	return order;
}

static void place_window(struct map *m)
{
	uint64_t cells = (uint64_t)m->columns * (uint64_t)m->rows, start = m->zone.start, end = start + m->zone.spanned;
	uint64_t span, row;

	m->whole_order = fitting_order(m->zone.spanned, cells);
	if (m->zoom > m->whole_order)
		m->zoom = m->whole_order;
	m->order = m->whole_order - m->zoom;
	if (m->cursor < start || m->cursor >= end)
		m->cursor = start;
	row = (uint64_t)m->columns << m->order;
	span = cells << m->order;
	if (!m->zoom || m->first < start || m->first >= end)
		m->first = start;
	if (m->cursor < m->first)
		m->first = start + (m->cursor - start) / row * row;
	if (m->cursor >= m->first + span)
		m->first = start + ((m->cursor - start) / row + 1) * row - span;
	m->first = start + (m->first - start) / row * row;
}

static void find_owners(struct scene *sc, struct map *m)
{
	m->nr_owners = 0;
	for (unsigned int i = 0; i < m->m.nr; i++) {
		uint32_t store = m->m.cell[i].store;
		unsigned int k = 0;

		while (store && k < m->nr_owners && m->owner[k].store != store)
			k++;
		if (!store || k == OWNERS)
			continue;
		if (k == m->nr_owners) {
			m->owner[k].store = store;
			m->owner[k].cells = 0;
			snprintf(m->owner[k].name, sizeof(m->owner[k].name), "%s", live_store_name(sc->lab, store, &m->owner[k].serial));
			m->nr_owners++;
		}
		m->owner[k].cells++;
	}
}

/*
 * The words about the cursor are looked up only when it moved or an op ran.
 * A search through very many members and blocks waits for the user's Enter.
 */
static void look_at_cursor(struct scene *sc, struct map *m)
{
	char place[32];

	sc->pfn = (uint32_t)m->cursor;
	if (sc->running || (!m->asked && m->where_op == sc->lab->hdr->ops && m->where_pfn == m->cursor))
		return;
	live_page(sc->lab, m->cursor, &m->page);
	snprintf(place, sizeof(place), "pfn:%llu", (unsigned long long)m->cursor);
	json_decref(m->where);
	m->where = m->asked || live_search_cost(sc->lab) < SEARCH_MOST ? view_model(sc->lab, "where", place) : NULL;
	m->asked = false;
	m->where_op = sc->lab->hdr->ops;
	m->where_pfn = m->cursor;
}

static void map_take(struct scene *sc, void *state)
{
	struct map *m = state;

	if (m->lab != sc->lab) {
		m->m.whole = false;
		m->where_pfn = UINT64_MAX;
		m->lab = sc->lab;
	}
	m->nr_zones = sc->lab->nr_zones;
	if (m->at >= m->nr_zones)
		m->at = 0;
	zone_figures(sc->lab, m->at, false, &m->zone);
	if (m->columns < 1 || m->rows < 1)
		return;		/* it was not drawn yet: how large it is, nobody knows */
	place_window(m);
	live_map_choose(&m->m, m->at, m->first, m->order, (unsigned int)(m->columns * m->rows));
	live_map_refresh(sc->lab, &m->m, !sc->running, BUSY_NS, m->by == BY_AGE);
	if (m->by == BY_OWNER)
		find_owners(sc, m);
	look_at_cursor(sc, m);
}

/* ---- cells ---- */

static uint32_t shade(const struct live_cell *c)
{
	unsigned int part = c->seen ? (unsigned int)c->held * 8 / c->seen : 0;

	if (!c->held)
		return c->pcp ? ':' : 0xb7;
	return part < 2 ? 0x2591 : part < 4 ? 0x2592 : part < 7 ? 0x2593 : 0x2588;
}

static void type_look(const struct scene *sc, const struct live_cell *c, uint32_t *ch, unsigned int *style)
{
	static const char letters[] = "umrhi";

	*style = c->held ? tone_of_type(c->type) : c->pcp ? TONE_PCP : tone_of_type(c->type) | ATTR_DIM;
	*ch = shade(c);
	if (c->held && sc->mono) {
		char letter = c->type < sizeof(letters) - 1 ? letters[c->type] : '?';

		*ch = (uint32_t)(c->held * 2 > c->seen ? letter - 'a' + 'A' : letter);
	}
	if (c->held && c->foreign * 4 > c->held)
		*ch = sc->mono ? 'x' : 0x259e;
}

static void owner_look(const struct map *m, const struct live_cell *c, uint32_t *ch, unsigned int *style)
{
	static const enum tone tones[] = { TONE_UNMOVABLE, TONE_MOVABLE, TONE_RECLAIMABLE, TONE_ISOLATE, TONE_PCP, TONE_HIGHATOMIC };

	*ch = c->held ? '#' : c->pcp ? ':' : 0xb7;
	*style = c->held ? TONE_USED : c->pcp ? TONE_PCP : TONE_FREE;
	for (unsigned int k = 0; c->store && c->owned * 2 >= c->held && k < m->nr_owners; k++)
		if (m->owner[k].store == c->store) {
			*ch = 'a' + k;
			*style = tones[k % ARRAY_SIZE(tones)];
		}
}

static void age_look(const struct live_cell *c, uint32_t *ch, unsigned int *style)
{
	static const uint32_t glyphs[LIVE_AGES] = { 0x2591, 0x2592, 0x2593, 0x2588 };
	static const enum tone tones[LIVE_AGES] = { TONE_DIM, TONE_RECLAIMABLE, TONE_MOVABLE, TONE_PCP };

	*ch = !c->held ? (c->pcp ? ':' : 0xb7) : c->age < LIVE_AGES ? glyphs[c->age] : '?';
	*style = !c->held ? TONE_FREE : c->age < LIVE_AGES ? tones[c->age] : TONE_DIM;
}

static void draw_cell(const struct scene *sc, const struct map *m, unsigned int i, const struct area *a, int x, int y)
{
	const struct live_cell *c = &m->m.cell[i];
	uint64_t pfn = m->m.first + ((uint64_t)i << m->m.order), pages = 1ULL << m->m.order;
	unsigned int style;
	uint32_t ch;

	if (!c->seen || pfn >= m->zone.start + m->zone.spanned)
		return;
	if (m->by == BY_OWNER)
		owner_look(m, c, &ch, &style);
	else if (m->by == BY_AGE)
		age_look(c, &ch, &style);
	else
		type_look(sc, c, &ch, &style);
	if (c->reserved == c->seen) {
		ch = 'x';
		style = TONE_DIM;
	}
	if (!sc->running && touch_has_pages(&sc->touch, pfn, pages))
		style |= ATTR_REVERSE | ATTR_BOLD;
	if (m->cursor >= pfn && m->cursor < pfn + pages)
		style = TONE_ACCENT | ATTR_REVERSE | ATTR_BOLD;
	put_glyph(a, x, y, style, ch);
}

/* ---- words ---- */

static int put_fact(const struct area *a, int x, int y, const char *label, const char *value)
{
	if (!value[0])
		return x;
	x = put(a, x, y, TONE_DIM, "%s", label);
	return put(a, x, y, TONE_PLAIN, "%s", value) + 1;
}

/* Where it waits and who holds it. */
static void explain_place(const json_t *o, const struct area *a, int x, int y)
{
	const char *handle = look_get_text(o, "handle"), *list = look_get_text(o, "list");

	x = put_fact(a, x, y, "", look_get_text(o, "state"));
	if (list[0] && strcmp(list, "none"))
		x = put_fact(a, x, y, "list ", list);
	if (json_object_get(o, "list_cpu"))
		x = put(a, x, y, TONE_PLAIN, "of cpu%llu ", (unsigned long long)look_get(o, "list_cpu"));
	if (json_object_get(o, "list_position"))
		x = put(a, x, y, TONE_PLAIN, "place %llu ", (unsigned long long)look_get(o, "list_position"));
	x = put_fact(a, x, y, "held by ", handle);
	if (handle[0])
		put(a, x - 1, y, TONE_PLAIN, "[%llu]", (unsigned long long)look_get(o, "index"));
}

/* The block or slab that the cursor's page is part of. */
static void explain_page(const struct map *m, const struct area *a, int y)
{
	const struct live_page *p = &m->page;
	int x;

	if (m->where_pfn != m->cursor || !p->role)
		return;
	x = put(a, 1, y, TONE_HEAD, "%s ", p->role);
	x = put(a, x, y, TONE_DIM, "0x%llx order %u ", (unsigned long long)p->head, p->order);
	if (p->store) {
		x = put(a, x, y, TONE_PLAIN, "S%llu of %s ", (unsigned long long)p->slab, p->cache);
		x = put(a, x, y, TONE_DIM, "#%llu ", (unsigned long long)p->store);
	}
	if (m->where)
		explain_place(json_array_get(m->where, 0), a, x, y);
	else
		put(a, x, y, TONE_DIM, "(Enter looks for its place and handle)");
}

static void explain(const struct scene *sc, const struct map *m, const struct area *a, int y)
{
	uint64_t pages = 1ULL << m->order, pfn = m->zone.start + (m->cursor - m->zone.start) / pages * pages;
	unsigned int i = (unsigned int)((pfn - m->m.first) >> m->m.order);
	const struct live_cell *c = i < m->m.nr ? &m->m.cell[i] : NULL;
	int x = put(a, 1, y, TONE_HEAD, "0x%llx", (unsigned long long)pfn);

	if (pages > 1)
		x = put(a, x, y, TONE_DIM, "–0x%llx", (unsigned long long)(pfn + pages - 1));
	if (c && c->seen) {
		x = put(a, x + 1, y, TONE_PLAIN, "%s%s", mtype_name(c->type), c->types ? " and others" : "");
		x = put(a, x, y, TONE_DIM, c->seen < pages ? ", of %u pages looked at:" : ", of %u:", c->seen);
		x = put(a, x, y, TONE_PLAIN, " %u free %u held", c->free, c->held);
		if (c->pcp)
			x = put(a, x, y, TONE_PLAIN, " %u on CPU lists", c->pcp);
		if (c->foreign)
			put(a, x, y, TONE_BAD, " %u of another type", c->foreign);
	}
	if (sc->running)
		put(a, 1, y + 1, TONE_DIM, "hold what runs (Space) to be told of a page");
	else
		explain_page(m, a, y + 1);
}

static int put_legend(const struct area *a, int x, int y, uint32_t ch, unsigned int style, const char *text)
{
	if (x + text_columns(text) + 3 > a->w)
		return x;
	put_glyph(a, x, y, style, ch);
	return put(a, x + 2, y, TONE_DIM, "%s", text) + 2;
}

static void legend(const struct scene *sc, const struct map *m, const struct area *a, int y)
{
	static const char *const ages[LIVE_AGES] = { "oldest", "older", "newer", "newest" };
	struct live_cell c = { .seen = 8, .held = 8 };
	unsigned int style;
	uint32_t ch;
	int x = 1;

	for (unsigned int k = 0; m->by == BY_OWNER && k < m->nr_owners; k++) {
		c.store = m->owner[k].store;
		c.owned = 8;
		owner_look(m, &c, &ch, &style);
		x = put_legend(a, x, y, ch, style, m->owner[k].name);
	}
	if (m->by == BY_OWNER) {
		x = put_legend(a, x, y, '#', TONE_USED, "pages");
	} else if (m->by == BY_AGE) {
		for (c.age = 0; c.age < LIVE_AGES; c.age++) {
			age_look(&c, &ch, &style);
			x = put_legend(a, x, y, ch, style, ages[c.age]);
		}
		x = put_legend(a, x, y, '?', TONE_DIM, "not known");
	} else {
		for (c.type = 0; c.type < MT_NR; c.type++) {
			type_look(sc, &c, &ch, &style);
			x = put_legend(a, x, y, ch, style, mtype_name(c.type));
		}
		x = put_legend(a, x, y, sc->mono ? 'x' : 0x259e, TONE_PLAIN, "mixed");
	}
	x = put_legend(a, x, y, ':', TONE_PCP, "CPU lists");
	put_legend(a, x, y, 0xb7, TONE_FREE, "free");
}

/* ---- the pane ---- */

static void map_draw(const struct scene *sc, void *state, const struct area *a)
{
	struct map *m = state;
	int columns = (a->w - LABEL) / 16 * 16, rows = a->h - 3;

	m->columns = columns < 16 ? a->w - LABEL : columns;
	m->rows = rows < 1 ? 1 : rows;
	if (m->m.nr != (unsigned int)(m->columns * m->rows))
		map_take((struct scene *)sc, m);	/* the window changed: once more at its size */
	for (int y = 0; y < m->rows; y++) {
		uint64_t pfn = m->m.first + ((uint64_t)(y * m->columns) << m->m.order);

		if (pfn >= m->zone.start + m->zone.spanned)
			break;
		put_right(a, LABEL - 1, y, TONE_DIM, "0x%llx", (unsigned long long)pfn);
		for (int x = 0; x < m->columns; x++)
			draw_cell(sc, m, (unsigned int)(y * m->columns + x), a, LABEL + x, y);
	}
	explain(sc, m, a, a->h - 3);
	legend(sc, m, a, a->h - 1);
}

static void map_title(const struct scene *sc, const void *state, char *buf, size_t size)
{
	const struct map *m = state;
	unsigned int pbo = sc->lab->hdr->shape.pageblock_order;
	char cell[48];

	if (!m->order)
		snprintf(cell, sizeof(cell), "a page");
	else if (m->order == pbo)
		snprintf(cell, sizeof(cell), "a pageblock");
	else if (m->order > pbo)
		snprintf(cell, sizeof(cell), "%llu pageblocks", 1ULL << (m->order - pbo));
	else
		snprintf(cell, sizeof(cell), "%llu pages", 1ULL << m->order);
	snprintf(buf, size, "N%u %s by %s, a cell is %s", m->zone.node, zone_kind_names[m->zone.kind], by_words[m->by], cell);
}

static void move(struct map *m, int64_t cells)
{
	int64_t to = (int64_t)m->cursor + cells * (int64_t)(1ULL << m->order), start = (int64_t)m->zone.start;
	int64_t last = start + (int64_t)m->zone.spanned - 1;

	m->cursor = (uint64_t)(to < start ? start : to > last ? last : to);
	if (m->order)
		m->cursor = m->zone.start + ((m->cursor - m->zone.start) >> m->order << m->order);
}

static void zoom(struct map *m, int by)
{
	uint64_t half;

	if (by > 0 ? m->zoom >= m->whole_order : !m->zoom)
		return;
	m->zoom += (unsigned int)by;
	m->order = m->whole_order - m->zoom;
	half = (uint64_t)m->columns * (uint64_t)m->rows << m->order >> 1;
	m->first = m->cursor > m->zone.start + half ? m->cursor - half : m->zone.start;
	if (m->first + 2 * half > m->zone.start + m->zone.spanned)
		m->first = m->zone.spanned > 2 * half ? m->zone.start + m->zone.spanned - 2 * half : m->zone.start;
}

static bool map_key(struct scene *sc, void *state, int key)
{
	struct map *m = state;

	(void)sc;
	switch (key) {
	case K_LEFT: case 'h': move(m, -1); break;
	case K_RIGHT: case 'l': move(m, 1); break;
	case K_UP: case 'k': move(m, -m->columns); break;
	case K_DOWN: case 'j': move(m, m->columns); break;
	case K_PAGE_UP: move(m, -m->columns * m->rows / 2); break;
	case K_PAGE_DOWN: move(m, m->columns * m->rows / 2); break;
	case K_HOME: case 'g': m->cursor = m->zone.start; break;
	case K_END: case 'G': m->cursor = m->zone.start + m->zone.spanned - 1; break;
	case '+': case '=': zoom(m, 1); break;
	case '-': zoom(m, -1); break;
	case 'c': m->by = (m->by + 1) % BY_NR; m->m.whole = false; break;
	case KEY_RETURN: m->asked = true; break;
	case 'n': m->at = (m->at + 1) % (m->nr_zones ? m->nr_zones : 1); m->zoom = 0; break;
	default: return false;
	}
	return true;
}

static bool map_mouse(struct scene *sc, void *state, const struct mouse *at)
{
	struct map *m = state;
	uint64_t pfn;

	if (at->kind == MOUSE_WHEEL_UP || at->kind == MOUSE_WHEEL_DOWN)
		return map_key(sc, state, at->kind == MOUSE_WHEEL_UP ? '+' : '-');
	if (at->x < LABEL || at->x >= LABEL + m->columns || at->y >= m->rows)
		return false;
	pfn = m->m.first + ((uint64_t)(at->y * m->columns + at->x - LABEL) << m->m.order);
	if (pfn < m->zone.start + m->zone.spanned)
		m->cursor = pfn;
	if (at->kind == MOUSE_DOUBLE)
		zoom(m, 1);
	return true;
}

static void map_fini(void *state)
{
	struct map *m = state;

	live_map_free(&m->m);
	json_decref(m->where);
}

static const struct pane_key map_keys[] = {
	{ 0, "arrows", "move the cursor; a click puts it there", NULL },
	{ 0, "+ -", "cells of fewer or more pages, down to one; so does the wheel", "zoom" },
	{ 'c', "c", "colour by migratetype, owner or age", "colour" },
	{ 'n', "n", "the next zone", "zone" },
	{ 0, "Enter", "look for the page's handle and its place on a list, where that takes long", NULL },
	{ 0, "Home End", "the zone's first and last page", NULL },
	{ 0 }
};

const struct pane pane_map = {
	.name = "Map",
	.summary = "a zone as a grid of cells, by migratetype, owner or age",
	.state_bytes = sizeof(struct map),
	.take = map_take, .draw = map_draw, .title = map_title, .key = map_key, .mouse = map_mouse,
	.fini = map_fini, .keys = map_keys,
};
