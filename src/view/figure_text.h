/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure_text - what each figure says, in a line.
 *
 * A form is a path with its variable parts in angle brackets: <node>, <cpu>,
 * <order> and <n> stand for a number, <zone> for a word without dots, all
 * others for any run of letters. `help PATH` and slablab-figures(7) are read
 * off this one table; tests/manual.sh holds it against all that `get *` lists.
 *
 * Of several forms that fit a path the first counts, so a form with more parts
 * stands before one that would swallow them.
 */
#ifndef VIEW_FIGURE_TEXT_H
#define VIEW_FIGURE_TEXT_H

#include <stddef.h>

struct figure_text {
	const char *form;
	const char *text;
};

/* In groups by what stands before the first dot; ends with a row without form. */
extern const struct figure_text figure_texts[];

/* The row of a path, or of a form as it stands in the table; NULL: there is none. */
const struct figure_text *figure_text_find(const char *path);

#endif
