/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table - rows of cells in columns as wide as what they hold.
 *
 * Use. table_column() for each column, then table_cell() cell by cell (a row
 * ends by itself), then table_print(), which also frees. Units stand in the
 * titles. Two blanks part columns; no line ends in blanks; a table without cells
 * prints nothing. A table wider than a screen has one blank, and what is too
 * long in a last column on the left goes on below, under its title or, where
 * that leaves no room, on lines of its own.
 *
 * Ownership. Titles and cells are copied. When the host has no memory left
 * the table prints what it got.
 */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include <stdio.h>

#include "base/colour.h"
#include "view/view.h"

enum table_side { TABLE_LEFT, TABLE_RIGHT };

struct table {
	unsigned int indent;		/* blanks before each line */
	unsigned int nr_columns, nr_cells, cap_cells;
	enum table_side *side;		/* by column */
	char **title;			/* NULL shows as nothing */
	struct table_text {
		char *text;
		enum meaning meaning;
	} *cell;
	enum meaning next;		/* of the next cell */
};

void table_column(struct table *t, enum table_side side, const char *fmt, ...) __printf_like(3, 4);
void table_cell(struct table *t, const char *fmt, ...) __printf_like(2, 3);
void table_means(struct table *t, enum meaning m);	/* the next cell, where there is colour */
void table_count(struct table *t, uint64_t n);	/* a number, "-" for 0 */
void table_bytes(struct table *t, uint64_t n);	/* "11.4K", "-" for 0 */
void table_print(struct table *t, const struct view_args *args, FILE *to);

/* Columns that a text takes on the screen: its code points, without colour sequences. */
unsigned int text_width(const char *text);

#endif
