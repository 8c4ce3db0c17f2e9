/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zones - free memory by zone: blocks by order and migratetype, watermarks,
 * page lists of CPUs, the zone's lock.
 *
 * Bars show the free pages that lie in blocks of an order, by their square
 * root, so that a few pages beside many are seen; each is parted by the type
 * of list it is on. Where there is room each order is a row; else each is a
 * column, as tall as the room allows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/panes.h"
#include "tui/zones.h"

#define LABEL 8			/* columns before figures */
#define ROWS_WIDE 16		/* a zone this tall shows orders as rows */

/* What is shown now becomes what is compared with. */
static void keep(struct zones *z)
{
	unsigned int nr = z->now.nr < ZONES_KEPT ? z->now.nr : ZONES_KEPT;

	for (unsigned int i = 0; i < nr; i++)
		memcpy(z->before[i], z->now.zone[i].f.nr_free, sizeof(z->before[i]));
	z->kept = nr;
}

static void zones_take(struct scene *s, void *state)
{
	struct zones *z = state;

	if (z->op != s->touch.op) {	/* what is compared with is the picture before the last op */
		z->op = s->touch.op;
		keep(z);
	}
	live_zones(s->lab, &z->now);
	if (z->first >= z->now.nr)
		z->first = z->now.nr ? z->now.nr - 1 : 0;
}

/* ---- parts ---- */

/* The style of a block count: the accent where the last op changed it. */
static unsigned int count_style(const struct scene *s, const struct zones *z, unsigned int zone, unsigned int order)
{
	const struct live_zone *l = &z->now.zone[zone];

	if (s->running)
		return l->f.nr_free[order] ? TONE_PLAIN : TONE_DIM;
	for (unsigned int t = 0; t < MT_NR; t++)
		if (touch_has_order(&s->touch, l->name, t, order))
			return TOUCHED;
	if (s->touch.op && zone < z->kept && z->before[zone][order] != l->f.nr_free[order])
		return TONE_ACCENT | ATTR_BOLD;
	return l->f.nr_free[order] ? TONE_PLAIN : TONE_DIM;
}

/* By live_marks_missed(). */
static const char *const mark_words[] = { "above high", "below high", "below low", "below min" };
static const enum tone mark_tones[] = { TONE_GOOD, TONE_GOOD, TONE_UNMOVABLE, TONE_BAD };

/* "512 low 640 high 768", with what is below in the colour of a warning. */
static int marks_text(const struct zone_figures *f, const struct area *a, int x, int y)
{
	const struct { const char *name; uint64_t pages; } marks[] = {
		{ "min", f->min + f->boost }, { "low", f->low + f->boost }, { "high", f->high + f->boost },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(marks); i++) {
		x = put(a, x, y, TONE_DIM, "%s ", marks[i].name);
		x = put(a, x, y, f->free <= marks[i].pages ? TONE_BAD : TONE_PLAIN, "%llu", (unsigned long long)marks[i].pages) + 1;
	}
	return x;
}

/* "N0 Normal  free 61.2% ▕███▌···▏ 40128/65536  min 512 low 640 high 768 above high" */
static int gauge_row(const struct zones *z, unsigned int zone, const struct area *a, int y)
{
	const struct live_zone *l = &z->now.zone[zone];
	const struct zone_figures *f = &l->f;
	unsigned int missed = live_marks_missed(f), style = mark_tones[missed];
	char right[96];
	int x, bar, numbers;

	numbers = snprintf(right, sizeof(right), "%llu/%llu  min %llu low %llu high %llu ", (unsigned long long)f->free,
			   (unsigned long long)f->managed, (unsigned long long)(f->min + f->boost),
			   (unsigned long long)(f->low + f->boost), (unsigned long long)(f->high + f->boost));
	x = put(a, 0, y, TONE_HEAD | ATTR_BOLD, "%s", l->name);
	x = put(a, x < 11 ? 11 : x + 1, y, TONE_PLAIN, "free %5.1f%% ",
		f->managed ? 100.0 * (double)f->free / (double)f->managed : 0);
	bar = a->w - x - numbers - 1 - (a->w >= 100 ? (int)strlen("above high") : 0);
	bar = bar > 60 ? 60 : bar;
	if (bar >= 5) {
		put_gauge(a, x, y, bar, style, f->free, f->managed);
		x += bar + 1;
	}
	x = put(a, x, y, TONE_PLAIN, "%llu", (unsigned long long)f->free);
	x = put(a, x, y, TONE_DIM, "/%llu  ", (unsigned long long)f->managed);
	x = marks_text(f, a, x, y);
	if (x + (int)strlen(mark_words[missed]) <= a->w)
		put(a, x, y, style, "%s", mark_words[missed]);
	return y + 1;
}

static unsigned int slices_of(const struct zone_figures *f, unsigned int order, struct slice s[MT_NR])
{
	for (unsigned int t = 0; t < MT_NR; t++)
		s[t] = (struct slice){ f->free_by_type[order][t] << order, tone_of_type(t), tone_glyph(tone_of_type(t)) };
	return MT_NR;
}

/* Length of a bar of which `most` pages fill n. */
static int length(uint64_t pages, uint64_t most, int n)
{
	int len = most ? (int)(sqrt((double)pages / (double)most) * n + 0.5) : 0;

	return pages && !len ? 1 : len;
}

static uint64_t most_pages(const struct zone_figures *f)
{
	uint64_t most = 0;

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		if (f->nr_free[o] << o > most)
			most = f->nr_free[o] << o;
	return most;
}

static void index_text(int32_t v, char buf[16])
{
	snprintf(buf, 16, "%s%d.%03d", v < 0 ? "-" : "", (v < 0 ? -v : v) / 1000, (v < 0 ? -v : v) % 1000);
}

/* ---- orders as rows ---- */

static int order_row(const struct scene *s, const struct zones *z, unsigned int zone, unsigned int o,
		     const struct area *a, int y, uint64_t most)
{
	const struct live_zone *l = &z->now.zone[zone];
	struct slice slices[MT_NR];
	char unusable[16], extfrag[16], count[24];
	uint64_t pages = l->f.nr_free[o] << o;
	int right = a->w - 20;

	put_right(a, 5, y, TONE_DIM, "%u", o);
	put_right(a, 15, y, count_style(s, z, zone, o), "%s", short_count(l->f.nr_free[o], 9, count, sizeof(count)));
	put_slices(a, 17, y, length(pages, most, right - 18), slices, slices_of(&l->f, o, slices), pages);
	if (!l->f.nr_free[o])
		put_glyph(a, 17, y, TONE_FREE, 0xb7);
	index_text(l->unusable[o], unusable);
	index_text(l->extfrag[o], extfrag);
	put_right(a, right + 9, y, l->unusable[o] > 500 ? TONE_BAD : l->unusable[o] ? TONE_PLAIN : TONE_DIM, "%s", unusable);
	put_right(a, right + 18, y, l->extfrag[o] >= 0 ? TONE_BAD : TONE_DIM, "%s", extfrag);
	return y + 1;
}

static int orders_as_rows(const struct scene *s, const struct zones *z, unsigned int zone, const struct area *a, int y)
{
	uint64_t most = most_pages(&z->now.zone[zone].f);

	put(a, 0, y, TONE_DIM, a->w > 84 ? "order    blocks  free pages in blocks of this order, by type (square root)" :
	    "order    blocks  free pages by type");
	put_right(a, a->w - 11, y, TONE_DIM, "unusable");
	put_right(a, a->w - 2, y, TONE_DIM, "extfrag");
	y++;
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		y = order_row(s, z, zone, o, a, y, most);
	return y;
}

/* ---- orders as columns ---- */

/* One column of a bar that is `rows` tall, from its foot up: types in turn, the top in eighths. */
static void column(const struct zone_figures *f, unsigned int o, const struct area *a, int x, int foot, int rows, int w, uint64_t most)
{
	uint64_t pages = f->nr_free[o] << o, below = 0;
	unsigned int type = 0;
	int eighths = length(pages, most, rows * 8);

	if (!pages) {
		put_glyph(a, x + w - 1, foot, TONE_FREE, 0xb7);
		return;
	}
	for (int row = 0; row * 8 < eighths; row++) {
		int part = eighths - row * 8 < 8 ? eighths - row * 8 : 8;
		double at = (row * 8 + part / 2.0) / eighths * (double)pages;
		enum tone tone;

		while (type < MT_NR - 1 && (double)(below + (f->free_by_type[o][type] << o)) <= at)
			below += f->free_by_type[o][type++] << o;
		tone = tone_of_type(type);
		put_many(a, x, foot - row, tone, part < 8 ? 0x2580 + (uint32_t)part : tone_glyph(tone), w);
	}
}

static int orders_as_columns(const struct scene *s, const struct zones *z, unsigned int zone, const struct area *a, int y, int bars)
{
	const struct live_zone *l = &z->now.zone[zone];
	int w = a->w >= 140 ? 8 : a->w >= 100 ? 6 : a->w >= 64 ? 5 : 4, side = LABEL + w * NR_PAGE_ORDERS + (a->w > 84 ? 3 : 1);
	static const unsigned int shown[] = { 3, 9, 10, 4, 7 };
	char text[24], other[16];

	put(a, 1, y, TONE_DIM, "order");
	put(a, 1, y + 1, TONE_DIM, "blocks");
	put_right(a, side + 16, y, TONE_DIM, "unusable extfrag");
	for (int o = 0; o < NR_PAGE_ORDERS; o++) {
		put_right(a, LABEL + w * (o + 1), y, TONE_DIM, "%d", o);
		put_right(a, LABEL + w * (o + 1), y + 1, count_style(s, z, zone, (unsigned int)o), "%s",
			  short_count(l->f.nr_free[o], w - 1, text, sizeof(text)));
		column(&l->f, (unsigned int)o, a, LABEL + w * o + w - 3, y + 1 + bars, bars, 3, most_pages(&l->f));
	}
	for (int i = 0; i <= bars && i < (int)ARRAY_SIZE(shown); i++) {
		index_text(l->unusable[shown[i]], text);
		index_text(l->extfrag[shown[i]], other);
		put_right(a, side + 2, y + 1 + i, TONE_DIM, "%u", shown[i]);
		put_right(a, side + 8, y + 1 + i, l->unusable[shown[i]] > 500 ? TONE_BAD : TONE_PLAIN, "%s", text);
		put_right(a, side + 15, y + 1 + i, l->extfrag[shown[i]] >= 0 ? TONE_BAD : TONE_DIM, "%s", other);
	}
	return y + 2 + bars;
}

/* ---- CPUs ---- */

static void pcp_cell(const struct scene *s, const struct zones *z, unsigned int zone, unsigned int cpu,
		     const struct area *a, int x, int y, int w)
{
	const struct live_pcp *p = &z->now.zone[zone].pcp[cpu];
	bool hit = !s->running && s->touch.op && s->touch.pcp && s->touch.cpu == cpu && !strcmp(s->touch.zone, z->now.zone[zone].name);
	int bar = w - 16;

	put_right(a, x + 6, y, p->online ? TONE_DIM : TONE_BAD, "cpu%u", cpu);
	if (!p->online) {
		put(a, x + 7, y, TONE_DIM, "offline");
		return;
	}
	put_gauge(a, x + 7, y, bar, TONE_PCP, p->count, p->high);
	if (p->high && p->batch < p->high) {	/* a tick at one batch */
		int tick = x + 8 + (int)((uint64_t)p->batch * (uint64_t)(bar - 2) / p->high);
		if (p->count < p->batch)
			put_glyph(a, tick, y, TONE_DIM, 0x2502);
	}
	put_right(a, x + 7 + bar + 6, y, hit ? TOUCHED : p->count ? TONE_PLAIN : TONE_DIM, "%u", p->count);
}

static int pcp_rows(const struct scene *s, const struct zones *z, unsigned int zone, const struct area *a, int y, int rows)
{
	unsigned int cpus = z->now.nr_cpus, per_row = (unsigned int)(a->w - 5) / 26, shown;
	int w;

	per_row = per_row ? per_row : 1;
	if (per_row > cpus)
		per_row = cpus;
	w = (a->w - 5) / (int)per_row;
	w = w > 40 ? 40 : w;
	shown = (unsigned int)rows * per_row < cpus ? (unsigned int)rows * per_row : cpus;
	put(a, 1, y, TONE_DIM, "pcp");
	for (unsigned int c = 0; c < shown; c++)
		pcp_cell(s, z, zone, c, a, 4 + (int)(c % per_row) * w, y + (int)(c / per_row), w);
	if (shown < cpus)
		put_right(a, a->w, y + rows - 1, TONE_DIM, "+%u", cpus - shown);
	return y + (int)((shown + per_row - 1) / per_row);
}

/* What the bars' colours and glyphs mean, at the end of a row: in full where it has room from x on. */
static void legend(const struct area *a, int x, int y)
{
	static const enum tone tones[] = { TONE_UNMOVABLE, TONE_MOVABLE, TONE_RECLAIMABLE, TONE_HIGHATOMIC };
	int full = 0, letters = a->w - x > 60 ? 20 : 3, at;

	for (unsigned int i = 0; i < ARRAY_SIZE(tones); i++)
		full += (letters > 3 ? text_columns(tone_meaning(tones[i])) : 3) + 3;
	if (x + full > a->w)
		return;
	at = a->w - full;
	for (unsigned int i = 0; i < ARRAY_SIZE(tones); i++) {
		put_glyph(a, at, y, tones[i], tone_glyph(tones[i]));
		at = put(a, at + 1, y, TONE_DIM, "%.*s", letters, tone_meaning(tones[i])) + 2;
	}
}

static int lock_row(const struct scene *s, const struct zones *z, unsigned int zone, const struct area *a, int y)
{
	const struct live_zone *l = &z->now.zone[zone];
	const struct live_pcp *p = &l->pcp[0];
	bool hit = !s->running && s->touch.op && s->touch.lock && !strcmp(s->touch.zone, l->name);
	int x = put(a, 1, y, TONE_DIM, "pcp batch ");

	x = put(a, x, y, TONE_PLAIN, "%u", p->batch);
	x = put(a, x, y, TONE_DIM, " high ");
	x = put(a, x, y, TONE_PLAIN, "%u", p->high);
	x = put(a, x, y, TONE_DIM, "   zone lock ");
	if (!z->now.counting) {
		put(a, x, y, TONE_DIM, "not counted: counters are off");
		return y + 1;
	}
	x = put(a, x, y, hit ? TOUCHED : TONE_PLAIN, "%llu", (unsigned long long)l->f.lock_acquired);
	x = put(a, x, y, TONE_DIM, " taken ");
	x = put(a, x, y, l->f.lock_contended ? TONE_BAD : TONE_PLAIN, "%llu", (unsigned long long)l->f.lock_contended);
	x = put(a, x, y, TONE_DIM, " waited ");
	if (l->f.lock_contended && l->f.lock_acquired)
		x = put(a, x, y, TONE_BAD, "%.2f%%", 100.0 * (double)l->f.lock_contended / (double)l->f.lock_acquired);
	legend(a, x + 1, y);
	return y + 1;
}

/* ---- the pane ---- */

static int pcp_rows_wanted(const struct zones *z, int w)
{
	int per_row = (w - 5) / 26 > 0 ? (w - 5) / 26 : 1;

	return ((int)z->now.nr_cpus + per_row - 1) / per_row;
}

/* How the rows that one zone has are given to its parts. */
static int draw_zone(const struct scene *s, const struct zones *z, unsigned int zone, const struct area *a, int y, int rows)
{
	int cpus = pcp_rows_wanted(z, a->w), bars;

	y = gauge_row(z, zone, a, y);
	rows--;
	if (rows >= ROWS_WIDE - 1 && a->w >= 60) {
		y = orders_as_rows(s, z, zone, a, y);
		rows -= NR_PAGE_ORDERS + 1;
	} else {
		bars = rows - 3 - cpus < 1 ? 1 : rows - 3 - cpus > 8 ? 8 : rows - 3 - cpus;
		y = orders_as_columns(s, z, zone, a, y, bars);
		rows -= 2 + bars;
	}
	if (rows > 1) {
		int used = pcp_rows(s, z, zone, a, y, cpus < rows - 1 ? cpus : rows - 1);

		rows -= used - y;
		y = used;
	}
	return rows > 0 ? lock_row(s, z, zone, a, y) : y;
}

static void zones_draw(const struct scene *s, void *state, const struct area *a)
{
	struct zones *z = state;
	unsigned int left = z->now.nr - z->first;
	int each, y = 0, least = 4 + pcp_rows_wanted(z, a->w);

	if (!z->now.nr)
		return;
	if (left * (unsigned int)least > (unsigned int)a->h)
		left = a->h / least > 0 ? (unsigned int)(a->h / least) : 1;
	each = a->h / (int)left;
	for (unsigned int i = 0; i < left; i++) {
		int end = draw_zone(s, z, z->first + i, a, y, each);

		y = (int)(i + 1) * each < end + 1 ? (int)(i + 1) * each : end + 1;
	}
	z->shown = left;
}

static int zones_rows(const struct scene *s, const void *state)
{
	const struct zones *z = state;
	int nr = (int)z->now.nr;

	(void)s;
	return nr ? nr * (8 + (int)((z->now.nr_cpus + 2) / 3)) : 8;
}

static void zones_title(const struct scene *s, const void *state, char *buf, size_t size)
{
	const struct zones *z = state;

	(void)s;
	if (z->shown && z->shown < z->now.nr)
		snprintf(buf, size, "zones %u to %u of %u", z->first + 1, z->first + z->shown, z->now.nr);
}

static bool zones_key(struct scene *s, void *state, int key)
{
	struct zones *z = state;

	(void)s;
	switch (key) {
	case K_DOWN:
	case 'j':
		z->first += z->first + 1 < z->now.nr;
		return true;
	case K_UP:
	case 'k':
		z->first -= z->first > 0;
		return true;
	default:
		return false;
	}
}

static bool zones_mouse(struct scene *s, void *state, const struct mouse *m)
{
	return m->kind == MOUSE_WHEEL_UP ? zones_key(s, state, K_UP) :
	       m->kind == MOUSE_WHEEL_DOWN ? zones_key(s, state, K_DOWN) : false;
}

static void zones_fini(void *state)
{
	live_zones_free(&((struct zones *)state)->now);
}

static const struct pane_key zones_keys[] = {
	{ K_UP,   "↑", "the zone before", NULL },
	{ K_DOWN, "↓", "the next zone", NULL },
	{ 0 }
};

const struct pane pane_zones = {
	.name = "Zones",
	.summary = "free blocks by order and type, watermarks, page lists of CPUs, zone lock",
	.state_bytes = sizeof(struct zones),
	.take = zones_take, .draw = zones_draw, .title = zones_title, .key = zones_key, .mouse = zones_mouse,
	.rows = zones_rows, .fini = zones_fini, .keys = zones_keys,
};
