/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid - a picture made of cells, drawn into without a terminal.
 *
 * Idea. Painters draw into areas: rectangles of a grid with their own corner
 * and their own edges, which nothing can be drawn beyond. The finished grid is
 * put to the terminal (term.h), written to a file (save.h) or looked at by a
 * test; all three see the same cells.
 *
 * Painters use UTF-8. A grid for a terminal without it turns each glyph into
 * its ASCII form as it is drawn.
 *
 * Units. Columns and rows, from 0. Every glyph takes one column.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include <stdarg.h>

#include "tui/palette.h"

struct cell {
	uint32_t ch;
	uint32_t style;		/* a tone and ATTR_* */
};

struct grid {
	int w, h;
	bool ascii;
	struct cell *cell;	/* row by row */
};

/* All blank. Aborts where the host has no memory, as the shell does. */
void grid_size(struct grid *g, int w, int h);
void grid_clear(struct grid *g);
void grid_free(struct grid *g);
const struct cell *grid_at(const struct grid *g, int x, int y);
/* One row as UTF-8 text without the blanks at its end. Returns buf. */
char *grid_text(const struct grid *g, int y, char *buf, size_t size);

struct area {
	struct grid *g;
	int x, y, w, h;		/* within the grid */
};

/* Cut to what lies inside `a`. */
struct area area_part(const struct area *a, int x, int y, int w, int h);

/* Text from x on; returns the column behind it. What lies outside is not drawn. */
int put_long(const struct area *a, int x, int y, unsigned int style, const char *text);
/* The same, of at most 1023 bytes. */
int put(const struct area *a, int x, int y, unsigned int style, const char *fmt, ...) __printf_like(5, 6);
/* The same, ending before column x. Returns the column where it begins. */
int put_right(const struct area *a, int x, int y, unsigned int style, const char *fmt, ...) __printf_like(5, 6);
void put_glyph(const struct area *a, int x, int y, unsigned int style, uint32_t ch);
void put_many(const struct area *a, int x, int y, unsigned int style, uint32_t ch, int n);
/* Another style for cells that are drawn already; attributes alone are added to theirs. */
void put_style(const struct area *a, int x, int y, int w, unsigned int style);

/* A gauge of w columns with its two ends: part of whole, in eighths of a column. */
void put_gauge(const struct area *a, int x, int y, int w, unsigned int style, uint64_t part, uint64_t whole);

/* Parts of one bar of w columns, by size; a part that is not 0 gets a column at least as long as there is room. */
struct slice {
	uint64_t size;
	unsigned int style;
	uint32_t ch;
};
void put_slices(const struct area *a, int x, int y, int w, const struct slice *s, unsigned int nr, uint64_t whole);

/* "1234", "56.7K": at most `width` columns, thousands as K, M, G (1000 each) where digits do not fit. */
char *short_count(uint64_t n, int width, char *buf, size_t size);

/* Words in lines from row y on, the later ones indented to x too; returns the row behind them. y may be outside. */
int put_words(const struct area *a, int x, int y, unsigned int style, const char *text);

/* First row shown of a list of nr, scrolled from `first` no further than `at` needs to be among the `rows`. */
int scroll_to(int first, int at, int rows, int nr);

/* Columns of a text. */
int text_columns(const char *text);
/* One code point, 1 to 4 bytes; returns the place behind it. */
char *write_utf8(char *to, uint32_t ch);

#endif
