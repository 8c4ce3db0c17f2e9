/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

unsigned int text_width(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			n += ((unsigned char)*text & 0xc0) != 0x80;
		if (!*text)
			break;
	}
	return n;
}

static char *text_of(const char *fmt, va_list ap)
{
	char *text;

	return vasprintf(&text, fmt, ap) < 0 ? NULL : text;
}

void table_column(struct table *t, enum table_side side, const char *fmt, ...)
{
	unsigned int n = t->nr_columns + 1;
	enum table_side *sides = realloc(t->side, n * sizeof(*sides));
	char **titles;
	va_list ap;

	if (!sides)
		return;
	t->side = sides;
	titles = realloc(t->title, n * sizeof(*titles));
	if (!titles)
		return;
	t->title = titles;
	va_start(ap, fmt);
	titles[n - 1] = text_of(fmt, ap);
	va_end(ap);
	sides[n - 1] = side;
	t->nr_columns = n;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	if (t->nr_cells == t->cap_cells) {
		unsigned int cap = t->cap_cells ? 2 * t->cap_cells : 64;
		struct table_text *cells = realloc(t->cell, cap * sizeof(*cells));

		if (!cells)
			return;
		t->cell = cells;
		t->cap_cells = cap;
	}
	va_start(ap, fmt);
	t->cell[t->nr_cells++] = (struct table_text){ text_of(fmt, ap), t->next };
	va_end(ap);
	t->next = MEANS_PLAIN;
}

void table_means(struct table *t, enum meaning m)
{
	t->next = m;
}

void table_count(struct table *t, uint64_t n)
{
	if (n)
		table_cell(t, "%llu", (unsigned long long)n);
	else
		table_cell(t, "-");
}

void table_bytes(struct table *t, uint64_t n)
{
	char buf[32];

	table_cell(t, "%s", n ? format_bytes(n, buf, sizeof(buf)) : "-");
}

static unsigned int column_width(const struct table *t, unsigned int c)
{
	unsigned int w = t->title[c] ? text_width(t->title[c]) : 0;

	for (unsigned int i = c; i < t->nr_cells; i += t->nr_columns) {
		unsigned int n = t->cell[i].text ? text_width(t->cell[i].text) : 0;

		w = n > w ? n : w;
	}
	return w;
}

/* How a table is laid out: the columns' widths, the blanks between, and what the last one may take. */
struct layout {
	FILE *to;
	bool colour;
	unsigned int gap;
	unsigned int room;		/* of the last column, 0: as much as it likes */
	bool below;			/* the last column stands on lines of its own */
	unsigned int owed;		/* blanks before the next text, so that none ends a line */
	unsigned int width[];
};

#define BELOW 4		/* how far lines of their own are indented */

/* Where the last column begins. */
static unsigned int last_begins(const struct table *t, const struct layout *l)
{
	unsigned int at = t->indent;

	if (l->below)
		return at + BELOW;
	for (unsigned int c = 0; c + 1 < t->nr_columns; c++)
		at += l->width[c] + l->gap;
	return at;
}

#define LEAST_ROOM 28	/* narrower, a column's text goes below its row */

static void fit_to_screen(const struct table *t, struct layout *l, const struct view_args *args)
{
	unsigned int last = t->nr_columns - 1, wide = args && args->screen ? args->width : 0;

	if (!wide || last_begins(t, l) + l->width[last] <= wide)
		return;
	l->gap = 1;
	if (t->side[last] != TABLE_LEFT || !last)
		return;
	l->below = l->width[last] >= LEAST_ROOM && last_begins(t, l) + LEAST_ROOM > wide;
	if (last_begins(t, l) + l->width[last] > wide && last_begins(t, l) < wide)
		l->room = wide - last_begins(t, l);
}

/* As much of a text as the room takes, broken at a blank; its bytes. */
static size_t piece_of(const char *text, unsigned int room)
{
	size_t at = 0, end = 0;

	while (text[at]) {
		size_t word = at + strspn(text + at, " ");
		unsigned int columns = 0;

		word += strcspn(text + word, " ");
		for (size_t i = 0; i < word; i++)
			columns += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (room && columns > room && end)
			break;
		at = end = word;
	}
	return end;
}

static void put_folded(const struct table *t, struct layout *l, const char *text, const char *on, const char *off)
{
	size_t n = piece_of(text, l->room);

	if (l->below) {
		putc('\n', l->to);
		l->owed = t->indent + BELOW;
	}
	fprintf(l->to, "%*s%s%.*s%s", (int)l->owed, "", on, (int)n, text, off);
	while (text += n, text += strspn(text, " "), *text) {
		n = piece_of(text, l->room);
		fprintf(l->to, "\n%*s%s%.*s%s", (int)last_begins(t, l), "", on, (int)n, text, off);
	}
}

static void cell_put(const struct table *t, struct layout *l, unsigned int c, const char *text, enum meaning m)
{
	const char *on = colour_on(l->colour, m), *off = colour_off(l->colour && m != MEANS_PLAIN);
	unsigned int pad;

	text = text ? text : "";
	pad = l->width[c] - text_width(text);
	if (t->side[c] == TABLE_RIGHT)
		l->owed += pad;
	if (*text && (l->room || l->below) && c + 1 == t->nr_columns) {
		put_folded(t, l, text, on, off);
	} else if (*text) {
		fprintf(l->to, "%*s%s%s%s", (int)l->owed, "", on, text, off);
		l->owed = 0;
	}
	l->owed += l->gap + (t->side[c] == TABLE_LEFT ? pad : 0);
}

static void titles_print(const struct table *t, struct layout *l)
{
	l->owed = t->indent;
	for (unsigned int c = 0; c + l->below < t->nr_columns; c++)
		cell_put(t, l, c, t->title[c], MEANS_TITLE);
	putc('\n', l->to);
}

/* A cell that says "none" steps back by itself. */
static enum meaning cell_means(const struct table_text *cell)
{
	return cell->meaning == MEANS_PLAIN && cell->text && !strcmp(cell->text, "-") ? MEANS_NOTHING : cell->meaning;
}

static void row_print(const struct table *t, struct layout *l, unsigned int first)
{
	l->owed = t->indent;
	for (unsigned int c = 0; c < t->nr_columns && first + c < t->nr_cells; c++)
		cell_put(t, l, c, t->cell[first + c].text, cell_means(&t->cell[first + c]));
	putc('\n', l->to);
}

static void table_free(struct table *t)
{
	for (unsigned int i = 0; i < t->nr_columns; i++)
		free(t->title[i]);
	for (unsigned int i = 0; i < t->nr_cells; i++)
		free(t->cell[i].text);
	free(t->title);
	free(t->side);
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

static bool has_titles(const struct table *t)
{
	for (unsigned int c = 0; c < t->nr_columns; c++)
		if (t->title[c] && t->title[c][0])
			return true;
	return false;
}

void table_print(struct table *t, const struct view_args *args, FILE *to)
{
	struct layout *l = t->nr_columns ? calloc(1, sizeof(*l) + t->nr_columns * sizeof(*l->width)) : NULL;

	if (!l || !t->nr_cells)
		goto out;
	*l = (struct layout){ .to = to, .colour = args && args->colour, .gap = 2 };
	for (unsigned int c = 0; c < t->nr_columns; c++)
		l->width[c] = column_width(t, c);
	fit_to_screen(t, l, args);
	if (has_titles(t))
		titles_print(t, l);
	for (unsigned int i = 0; i < t->nr_cells; i += t->nr_columns)
		row_print(t, l, i);
out:
	free(l);
	table_free(t);
}
