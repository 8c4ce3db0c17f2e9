/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout - which panes are seen, and where.
 *
 * By the window's width one, two or three columns, each with its panes in a
 * fixed order, so that nothing changes places. The pane with the focus, when
 * it has no place of its own, is shown in the main one. Rows go by weight; a
 * pane that needs fewer leaves them to the main one of its column.
 */
#include <string.h>

#include "tui/tui.h"

struct slot {
	const char *pane;
	int column, weight;
	bool main;
};

#define SLOTS 8

static const struct slot narrow[SLOTS] = {
	{ "Zones", 0, 9, false }, { "Caches", 0, 7, true }, { "Why", 0, 4, false },
};
/* Where the pane with the focus is none of those: it needs the rows. */
static const struct slot narrow_one[SLOTS] = {
	{ "", 0, 15, true }, { "Why", 0, 4, false },
};
static const struct slot wide[SLOTS] = {
	{ "Zones", 0, 6, false }, { "Why", 0, 4, false }, { "Caches", 1, 10, true },
};
static const struct slot wide_tall[SLOTS] = {
	{ "Zones", 0, 6, false }, { "Map", 0, 4, false }, { "Why", 0, 3, false },
	{ "Caches", 1, 6, true }, { "Cache", 1, 5, false },
};
static const struct slot widest[SLOTS] = {
	{ "Zones", 0, 6, false }, { "Map", 0, 5, false }, { "Caches", 1, 6, true }, { "Cache", 1, 5, false },
	{ "Why", 2, 5, false }, { "Events", 2, 5, false },
};

#define LEAST_ROWS 18	/* below that the pane with the focus is alone */

static int pane_named(const char *name)
{
	for (int i = 0; i < PANE_NR; i++)
		if (!strcmp(pane_table[i]->name, name))
			return i;
	return -1;
}

/* One column's panes, with the focused one in the main place if it has none. */
struct column {
	int pane[SLOTS], weight[SLOTS], rows[SLOTS], nr, main;
};

static bool has_place(const struct slot *slots, int pane)
{
	for (int i = 0; i < SLOTS && slots[i].pane; i++)
		if (pane_named(slots[i].pane) == pane)
			return true;
	return false;
}

static int collect(const struct tui *t, const struct slot *slots, struct column c[3])
{
	int columns = 0;

	memset(c, 0, 3 * sizeof(*c));
	for (int i = 0; i < SLOTS && slots[i].pane; i++) {
		struct column *to = &c[slots[i].column];
		int pane = pane_named(slots[i].pane);

		if (slots[i].main && !has_place(slots, t->focus))
			pane = t->focus;
		if (pane < 0)
			continue;
		if (slots[i].main)
			to->main = to->nr;
		to->pane[to->nr] = pane;
		to->weight[to->nr++] = slots[i].weight;
		if (slots[i].column >= columns)
			columns = slots[i].column + 1;
	}
	return columns;
}

/* Rows of each: by weight, no more than it needs; what is over goes to the main one. */
static void share_rows(const struct tui *t, struct column *c, int h)
{
	int weights = 0, left = h;

	for (int i = 0; i < c->nr; i++)
		weights += c->weight[i];
	for (int i = 0; i < c->nr; i++) {
		const struct pane *p = pane_table[c->pane[i]];
		int rows = h * c->weight[i] / weights, need = p->rows ? p->rows(&t->scene, t->state[c->pane[i]]) + 1 : h;

		c->rows[i] = need < rows && i != c->main ? need : rows;
		left -= c->rows[i];
	}
	if (c->nr)
		c->rows[c->main] += left;
}

static void place(struct tui *t, int pane, int x, int y, int w, int h)
{
	if (h < 2 || w < 8)
		return;
	t->at[pane] = (struct area){ &t->grid, x, y + 1, w, h - 1 };
	t->seen[pane] = true;
}

static void place_columns(struct tui *t, struct column *c, int columns, int y, int h)
{
	int x = 0;

	for (int i = 0; i < columns; i++) {
		int w = (t->grid.w - x - (columns - 1 - i)) / (columns - i), at = y;

		share_rows(t, &c[i], h);
		for (int k = 0; k < c[i].nr; k++) {
			place(t, c[i].pane[k], x, at, w, c[i].rows[k]);
			at += c[i].rows[k];
		}
		x += w + 1;
	}
}

void layout(struct tui *t, int y, int h)
{
	struct column c[3];
	const struct slot *slots = t->grid.w >= 190 && h >= 36 ? widest : t->grid.w >= 124 && h >= 40 ? wide_tall :
				   t->grid.w >= 124 ? wide : narrow;

	if (slots == narrow && h < 40 && !has_place(narrow, t->focus))
		slots = narrow_one;
	memset(t->seen, 0, sizeof(t->seen));
	if (t->zoom || h < LEAST_ROWS)
		place(t, t->focus, 0, y, t->grid.w, h);
	else
		place_columns(t, c, collect(t, slots, c), y, h);
}

int layout_pane_at(const struct tui *t, int x, int y)
{
	for (int i = 0; i < PANE_NR; i++) {
		const struct area *a = &t->at[i];

		if (t->seen[i] && x >= a->x && x < a->x + a->w && y >= a->y - 1 && y < a->y + a->h)
			return i;
	}
	return -1;
}
