/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * candidates - what a word being typed could become, each with a line about it.
 *
 * Names with dots come by their next part: `zone.` before all of its figures,
 * with how many there are. A group of one is shown whole.
 *
 * Ownership. Texts are the list's until candidates_free().
 */
#ifndef SHELL_CANDIDATES_H
#define SHELL_CANDIDATES_H

#include <stdarg.h>

#include "base/types.h"

struct candidate {
	char *text, *hint;
	bool open;		/* more follows: no blank behind it */
	size_t group;		/* bytes of text that it shares with its group; 0: stands alone */
	unsigned int members;	/* of the group so far */
};

struct candidates {
	const char *typed;	/* only what begins so is taken in */
	struct candidate *v;
	unsigned int nr, room;
	size_t start;		/* byte of the line from which on they replace */
	bool files;		/* a file's name may stand here */
};

void candidates_add(struct candidates *c, const char *text, bool open, const char *fmt, ...) __printf_like(4, 5);
/* A name with dots; those of one group are offered one behind the other. */
void candidates_add_dotted(struct candidates *c, const char *name, const char *fmt, ...) __printf_like(3, 4);
bool candidates_has(const struct candidates *c, const char *text);
void candidates_free(struct candidates *c);

#endif
