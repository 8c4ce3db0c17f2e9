/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words - what the files of sentences share: the step under way, and one way to say it.
 *
 * why_words.c tells of pages and of the lab, why_slab.c of slabs, why_slow.c of
 * the slow path; each returns false for steps that are another's.
 */
#ifndef VIEW_WORDS_H
#define VIEW_WORDS_H

#include <stdarg.h>
#include <stdio.h>

#include "view/why.h"

struct words {
	struct lab *lab;
	const struct step *s;
	char *buf;		/* of WHY_TEXT bytes */
	char zone[32];		/* that it is told of, "" none */
};

/* The sentence is this. Always true. */
static inline bool __printf_like(2, 3) say(struct words *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->buf, WHY_TEXT, fmt, ap);
	va_end(ap);
	return true;
}

/* Its i-th field. */
static inline ull f(const struct words *w, unsigned int i)
{
	return step_field(w->s, i);
}

bool slab_event_words(struct words *w);
bool slab_note_words(struct words *w);
bool slow_words(struct words *w);

#endif
