/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow - a label and then words, as many to a line as the screen takes.
 *
 * Lists of slabs, pages and objects have no length known beforehand; they
 * flow, with later lines under the first word.
 */
#ifndef VIEW_FLOW_H
#define VIEW_FLOW_H

#include <stdio.h>

#include "base/colour.h"
#include "view/view.h"

struct flow {
	FILE *to;
	const char *between;	/* put between words; breaks come after it */
	unsigned int width, indent, at, words;
	bool colour;
	enum meaning next;	/* of the next word */
};

void flow_begin(struct flow *f, const struct view_args *args, FILE *to, const char *fmt, ...)
	__printf_like(4, 5);
void flow_means(struct flow *f, enum meaning m);	/* the next word, where there is colour */
void flow_word(struct flow *f, const char *fmt, ...) __printf_like(2, 3);
void flow_sentence(struct flow *f, enum meaning m, const char *text);	/* word by word */
/* Only a screen breaks lines: off it, who reads line by line wants them whole. */
void flow_unbroken_off_screen(struct flow *f, const struct view_args *args);
void flow_end(struct flow *f);
/* A line of its own; on a screen broken where it has to be, later lines set in by two. */
void flow_line(const struct view_args *args, FILE *to, const char *fmt, ...) __printf_like(3, 4);

#endif
