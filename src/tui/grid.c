/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "shell/arena.h"

/* ---- the grid ---- */

void grid_size(struct grid *g, int w, int h)
{
	if (w != g->w || h != g->h || !g->cell) {
		free(g->cell);
		g->w = w;
		g->h = h;
		g->cell = host_alloc(((size_t)w * (size_t)h + 1) * sizeof(*g->cell));
	}
	grid_clear(g);
}

void grid_clear(struct grid *g)
{
	for (int i = 0; i < g->w * g->h; i++)
		g->cell[i] = (struct cell){ ' ', TONE_PLAIN };
}

void grid_free(struct grid *g)
{
	free(g->cell);
	g->cell = NULL;
	g->w = g->h = 0;
}

const struct cell *grid_at(const struct grid *g, int x, int y)
{
	return &g->cell[y * g->w + x];
}

/* ---- UTF-8 ---- */

char *write_utf8(char *to, uint32_t ch)
{
	if (ch < 0x80) {
		*to++ = (char)ch;
	} else if (ch < 0x800) {
		*to++ = (char)(0xc0 | ch >> 6);
		*to++ = (char)(0x80 | (ch & 0x3f));
	} else if (ch < 0x10000) {
		*to++ = (char)(0xe0 | ch >> 12);
		*to++ = (char)(0x80 | (ch >> 6 & 0x3f));
		*to++ = (char)(0x80 | (ch & 0x3f));
	} else {
		*to++ = (char)(0xf0 | ch >> 18);
		*to++ = (char)(0x80 | (ch >> 12 & 0x3f));
		*to++ = (char)(0x80 | (ch >> 6 & 0x3f));
		*to++ = (char)(0x80 | (ch & 0x3f));
	}
	return to;
}

/* The next code point; what is no UTF-8 is '?', and so is all that would not take one column. */
static uint32_t read_utf8(const char **at)
{
	const unsigned char *s = (const unsigned char *)*at;
	unsigned int more = *s < 0x80 ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : *s >> 3 == 30 ? 3 : 9;
	uint32_t ch = more == 0 ? *s : more == 9 ? '?' : *s & (0x3fu >> more);

	++*at;
	for (unsigned int i = 1; more < 9 && i <= more; i++) {
		if (s[i] >> 6 != 2)
			return '?';
		ch = ch << 6 | (s[i] & 0x3f);
		++*at;
	}
	if (ch < ' ' || ch == 0x7f || (ch >= 0x80 && ch < 0xa0))
		return ' ';
	return ch >= 0x300 && wcwidth((wchar_t)ch) == 2 ? '?' : ch;
}

int text_columns(const char *text)
{
	int n = 0;

	while (*text) {
		read_utf8(&text);
		n++;
	}
	return n;
}

char *grid_text(const struct grid *g, int y, char *buf, size_t size)
{
	char *to = buf, *end = buf;

	for (int x = 0; x < g->w && (size_t)(to - buf) + 5 < size; x++) {
		uint32_t ch = grid_at(g, x, y)->ch;

		to = write_utf8(to, ch);
		if (ch != ' ')
			end = to;
	}
	*end = 0;
	return buf;
}

/* ---- areas ---- */

struct area area_part(const struct area *a, int x, int y, int w, int h)
{
	if (x < 0)
		w += x, x = 0;
	if (y < 0)
		h += y, y = 0;
	w = x + w > a->w ? a->w - x : w;
	h = y + h > a->h ? a->h - y : h;
	return (struct area){ a->g, a->x + x, a->y + y, w > 0 ? w : 0, h > 0 ? h : 0 };
}

static struct cell *cell_at(const struct area *a, int x, int y)
{
	if (x < 0 || y < 0 || x >= a->w || y >= a->h || a->x + x >= a->g->w || a->y + y >= a->g->h)
		return NULL;
	return &a->g->cell[(a->y + y) * a->g->w + a->x + x];
}

void put_glyph(const struct area *a, int x, int y, unsigned int style, uint32_t ch)
{
	struct cell *c = cell_at(a, x, y);

	if (c)
		*c = (struct cell){ a->g->ascii ? (uint32_t)glyph_ascii(ch) : ch, style };
}

void put_many(const struct area *a, int x, int y, unsigned int style, uint32_t ch, int n)
{
	for (int i = 0; i < n; i++)
		put_glyph(a, x + i, y, style, ch);
}

void put_style(const struct area *a, int x, int y, int w, unsigned int style)
{
	for (int i = 0; i < w; i++) {
		struct cell *c = cell_at(a, x + i, y);

		if (c)
			c->style = STYLE_TONE(style) ? style : c->style | style;
	}
}

int put_long(const struct area *a, int x, int y, unsigned int style, const char *text)
{
	while (*text)
		put_glyph(a, x++, y, style, read_utf8(&text));
	return x;
}

int put(const struct area *a, int x, int y, unsigned int style, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return put_long(a, x, y, style, text);
}

int put_right(const struct area *a, int x, int y, unsigned int style, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	x -= text_columns(text);
	put_long(a, x, y, style, text);
	return x;
}

int put_words(const struct area *a, int x, int y, unsigned int style, const char *text)
{
	int at = x;

	while (*text) {
		size_t len = strcspn(text, " ");
		char word[256];
		int w;

		len = len < sizeof(word) ? len : sizeof(word) - 1;
		memcpy(word, text, len);
		word[len] = 0;
		w = text_columns(word);
		if (at > x && at + w > a->w) {
			at = x;
			y++;
		}
		at = put_long(a, at, y, style, word) + 1;
		text += len;
		while (*text == ' ')
			text++;
	}
	return y + 1;
}

int scroll_to(int first, int at, int rows, int nr)
{
	first = at < first ? at : at >= first + rows ? at - rows + 1 : first;
	first = first > nr - rows ? nr - rows : first;
	return first < 0 ? 0 : first;
}

/* ---- bars ---- */

#define EIGHTHS 8

void put_gauge(const struct area *a, int x, int y, int w, unsigned int style, uint64_t part, uint64_t whole)
{
	int inside = w - 2;
	uint64_t eighths = whole ? (uint64_t)((double)(part < whole ? part : whole) / (double)whole * inside * EIGHTHS + 0.5) : 0;

	if (inside < 1)
		return;
	if (part && !eighths)
		eighths = 1;
	put_glyph(a, x, y, TONE_DIM, 0x2595);
	for (int i = 0; i < inside; i++, eighths -= eighths < EIGHTHS ? eighths : EIGHTHS) {
		if (!eighths)
			put_glyph(a, x + 1 + i, y, TONE_FREE, 0xb7);
		else
			put_glyph(a, x + 1 + i, y, style, 0x2590 - (uint32_t)(eighths < EIGHTHS ? eighths : EIGHTHS));
	}
	put_glyph(a, x + 1 + inside, y, TONE_DIM, 0x258f);
}

/* Columns of each part: its share rounded, one at least, and no more than w in all. */
static void share(const struct slice *s, unsigned int nr, uint64_t whole, int w, int columns[])
{
	int left = w;

	for (unsigned int i = 0; i < nr; i++) {
		columns[i] = whole ? (int)((double)s[i].size / (double)whole * w + 0.5) : 0;
		if (s[i].size && !columns[i])
			columns[i] = 1;
		if (columns[i] > left)
			columns[i] = left;
		left -= columns[i];
	}
}

void put_slices(const struct area *a, int x, int y, int w, const struct slice *s, unsigned int nr, uint64_t whole)
{
	int columns[64];

	if (nr > ARRAY_SIZE(columns))
		nr = ARRAY_SIZE(columns);
	share(s, nr, whole, w, columns);
	for (unsigned int i = 0; i < nr; i++) {
		put_many(a, x, y, s[i].style, s[i].ch, columns[i]);
		x += columns[i];
	}
}

/* ---- numbers ---- */

char *short_count(uint64_t n, int width, char *buf, size_t size)
{
	static const char units[] = " KMGTPE";
	double v = (double)n;
	unsigned int u = 0;

	if (snprintf(buf, size, "%llu", (unsigned long long)n) <= width)
		return buf;
	for (; u < 6 && v >= 999.5; u++)
		v /= 1000;
	snprintf(buf, size, v < 99.95 && width > 4 ? "%.1f%c" : "%.0f%c", v, units[u]);
	return buf;
}
