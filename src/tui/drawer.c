/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/drawer.h"

#include <stdlib.h>
#include <string.h>

#include "shell/arena.h"

static void forget_old(struct drawer *d)
{
	unsigned int gone = DRAWER_LINES / 5;

	if (d->nr < DRAWER_LINES)
		return;
	for (unsigned int i = 0; i < gone; i++)
		free(d->v[i].text);
	memmove(d->v, d->v + gone, (d->nr - gone) * sizeof(*d->v));
	d->nr -= gone;
	d->since = d->since > gone ? d->since - gone : 0;
}

static struct drawer_line *new_line(struct drawer *d)
{
	forget_old(d);
	if (d->nr == d->room)
		d->v = host_grow(d->v, (d->room = d->room * 2 + 64) * sizeof(*d->v));
	d->v[d->nr] = (struct drawer_line){ host_text(""), TONE_PLAIN };
	return &d->v[d->nr++];
}

/* Errors and remarks of ours are told by how they begin. */
static enum tone tone_of(const char *text)
{
	if (!strncmp(text, "slablab: note:", 14))
		return TONE_DIM;
	if (!strncmp(text, "slablab: warning:", 17))
		return TONE_UNMOVABLE;
	return strncmp(text, "slablab:", 8) ? TONE_PLAIN : TONE_BAD;
}

static void append(struct drawer_line *l, const char *text, size_t len)
{
	size_t had = strlen(l->text);

	l->text = host_grow(l->text, had + len + 1);
	memcpy(l->text + had, text, len);
	l->text[had + len] = 0;
	l->tone = (uint8_t)tone_of(l->text);
}

/* Blanks up to the next multiple of eight, as a terminal does. */
static void append_part(struct drawer_line *l, const char *text, size_t len)
{
	const char *tab;

	while ((tab = memchr(text, '\t', len))) {
		append(l, text, (size_t)(tab - text));
		append(l, "        ", 8 - (size_t)text_columns(l->text) % 8);
		len -= (size_t)(tab + 1 - text);
		text = tab + 1;
	}
	append(l, text, len);
}

void drawer_add(struct drawer *d, const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t part = end ? (size_t)(end - text) : len;
		struct drawer_line *l = d->unfinished && d->nr ? &d->v[d->nr - 1] : new_line(d);

		append_part(l, text, part);
		d->unfinished = !end;
		text += part + (end != NULL);
		len -= part + (end != NULL);
	}
}

void drawer_say(struct drawer *d, enum tone tone, const char *text)
{
	struct drawer_line *l;

	d->unfinished = false;
	l = new_line(d);
	append(l, text, strlen(text));
	l->tone = (uint8_t)tone;
}

void drawer_scroll(struct drawer *d, int lines, int rows)
{
	int most = (int)d->nr - rows, back = (int)d->back + lines;

	d->back = (unsigned int)(back < 0 || most < 0 ? 0 : back > most ? most : back);
}

/* Rows that a line takes at this width. */
static int rows_of(const char *text, int w)
{
	int columns = text_columns(text);

	return columns > w && w > 0 ? (columns + w - 1) / w : 1;
}

/* Text drawn further and further to the left, row by row: each row shows its part. */
static void draw_line(const struct drawer_line *l, const struct area *a, int y, int rows)
{
	for (int k = 0; k < rows; k++) {
		struct area row = area_part(a, 0, y + k, a->w, 1);

		if (y + k >= 0)
			put_long(&row, -k * a->w, 0, l->tone, l->text);
	}
}

void drawer_draw(const struct drawer *d, const struct area *a)
{
	int y = a->h;

	for (int i = (int)d->nr - (int)d->back - 1; y > 0 && i >= 0; i--) {
		int rows = rows_of(d->v[i].text, a->w);

		y -= rows;
		draw_line(&d->v[i], a, y, rows);
	}
}

int drawer_rows_since(const struct drawer *d, int w, int most)
{
	int rows = 0;

	for (unsigned int i = d->since; i < d->nr && rows < most; i++)
		rows += rows_of(d->v[i].text, w);
	return rows < most ? rows : most;
}

const char *drawer_last(const struct drawer *d)
{
	return d->nr ? d->v[d->nr - 1].text : "";
}

void drawer_free(struct drawer *d)
{
	for (unsigned int i = 0; i < d->nr; i++)
		free(d->v[i].text);
	free(d->v);
	memset(d, 0, sizeof(*d));
}
