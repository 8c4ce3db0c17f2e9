/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * token - bytes of a command file become words.
 *
 * Idea. A word is what stands between blanks; '…' and "…" may stand around
 * all or a part of it and a `;` outside them ends it. `{`, `}` and ` | ` mean
 * something only as whole bare words, so `flags=HWCACHE|RCU` is one word.
 * What follows a pipe is for the host's shell: it is handed on as it was
 * written, up to `;`, the line's end or the `}` of the block around it.
 *
 * A word without `$` is finished here; one with `$` is kept as written and
 * finished by word_expand() each time its statement runs.
 *
 * Ownership. Texts lie in the arena given.
 */
#ifndef SHELL_TOKEN_H
#define SHELL_TOKEN_H

#include "shell/arena.h"
#include "shell/input.h"

enum word_flag {
	WORD_QUOTED = 1 << 0,	/* some of it stood in quotes or behind a backslash: never an operator */
	WORD_DOLLAR = 1 << 1,	/* text is as written; word_expand() finishes it */
};

struct word {
	const char *text;
	unsigned int flags;
};

/* Is this the bare word `text`, so that it may be an operator or keyword? */
bool word_is(const struct word *w, const char *text);

enum token_kind {
	TOKEN_END, TOKEN_NEWLINE, TOKEN_SEMICOLON, TOKEN_OPEN, TOKEN_CLOSE,
	TOKEN_PIPE,	/* word.text: the host command */
	TOKEN_WORD,
	TOKEN_BAD,	/* word.text: what is wrong */
};

struct token {
	enum token_kind kind;
	unsigned long line;
	struct word word;
};

struct lexer {
	struct input *in;
	struct arena *arena;
	unsigned int depth;	/* blocks open; kept by the parser */
	char *raw;		/* the word being read */
	size_t len, room;
};

struct token token_next(struct lexer *lx);
void token_skip_line(struct lexer *lx);	/* after an error: to the next line */

/*
 * Take quotes off and put values in. `value` answers a `$NAME` (len bytes);
 * NULL: there is none, and it called fail(). Returns NULL then.
 */
char *word_expand(struct arena *arena, const char *raw,
		  const char *(*value)(void *from, const char *name, size_t len), void *from);

#endif
