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

/* Blanks are owed until the next text, so that none ends a line. */
struct line {
	FILE *to;
	unsigned int owed;
};

static void line_put(struct line *l, const struct table *t, unsigned int c, unsigned int width,
		     const char *text, const char *on, const char *off)
{
	unsigned int pad;

	text = text ? text : "";
	pad = width - text_width(text);
	if (t->side[c] == TABLE_RIGHT)
		l->owed += pad;
	if (*text) {
		fprintf(l->to, "%*s%s%s%s", (int)l->owed, "", on, text, off);
		l->owed = 0;
	}
	l->owed += 2 + (t->side[c] == TABLE_LEFT ? pad : 0);
}

static void titles_print(const struct table *t, const unsigned int *width, bool colour, FILE *to)
{
	struct line l = { to, t->indent };

	for (unsigned int c = 0; c < t->nr_columns; c++)
		line_put(&l, t, c, width[c], t->title[c], colour_on(colour, MEANS_TITLE), colour_off(colour));
	putc('\n', to);
}

/* A cell that says "none" steps back by itself. */
static enum meaning cell_means(const struct table_text *cell)
{
	return cell->meaning == MEANS_PLAIN && cell->text && !strcmp(cell->text, "-") ? MEANS_NOTHING : cell->meaning;
}

static void row_print(const struct table *t, const unsigned int *width, unsigned int first, bool colour, FILE *to)
{
	struct line l = { to, t->indent };

	for (unsigned int c = 0; c < t->nr_columns && first + c < t->nr_cells; c++) {
		const struct table_text *cell = &t->cell[first + c];
		enum meaning m = cell_means(cell);

		line_put(&l, t, c, width[c], cell->text, colour_on(colour, m), colour_off(colour && m != MEANS_PLAIN));
	}
	putc('\n', to);
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
	unsigned int *width = t->nr_columns ? calloc(t->nr_columns, sizeof(*width)) : NULL;
	bool colour = args && args->colour;

	if (!width || !t->nr_cells)
		goto out;
	for (unsigned int c = 0; c < t->nr_columns; c++)
		width[c] = column_width(t, c);
	if (has_titles(t))
		titles_print(t, width, colour, to);
	for (unsigned int i = 0; i < t->nr_cells; i += t->nr_columns)
		row_print(t, width, i, colour, to);
out:
	free(width);
	table_free(t);
}
