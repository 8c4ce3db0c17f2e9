/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partial - a line that is still being typed, cut into words.
 *
 * Idea. The parser asks whether a line is right; here it is not finished, and
 * the question is which statement the cursor stands in, which words that has
 * before it, and what has been typed of the one at it. Anything goes: open
 * quotes, blocks without an end.
 *
 * Ownership. Words are the struct's until partial_free().
 */
#ifndef SHELL_PARTIAL_H
#define SHELL_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>

#define PARTIAL_WORDS 256	/* of a statement; of more, the rest is not completed */

struct partial {
	char *words[PARTIAL_WORDS + 1];	/* finished ones of the statement, quotes taken off */
	unsigned int nr;
	char *text;		/* the word at the cursor so far, "" for none; quotes off */
	size_t start;		/* byte of the line where it begins, behind its quote */
	bool host;		/* behind a pipe: the host's words */
	bool comment;		/* behind # */
	bool plain;		/* text stands in the line as it is, byte for byte */
};

/* Cut line[0 .. point-1]. */
void partial_read(struct partial *p, const char *line, size_t point);
void partial_free(struct partial *p);

#endif
