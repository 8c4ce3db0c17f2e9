/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse - words become statements.
 *
 *   statement = [NAME =] [@LAB] [on CPU|all] ( command | block ) [ | HOST COMMAND ]
 *   block     = { statements } | repeat N { statements } | for NAME in WORD… { statements }
 *
 * Idea. One line is parsed, then run, so a script on a pipe runs as it comes
 * and a mistake further down does not keep what stands before it from
 * running. A block takes as many lines as it needs. Nothing here knows which
 * commands exist: words are looked up when the statement runs.
 *
 * Ownership. Nodes and texts lie in the arena, good until it is reset.
 */
#ifndef SHELL_PARSE_H
#define SHELL_PARSE_H

#include "shell/token.h"

enum node_kind { NODE_COMMAND, NODE_BLOCK, NODE_REPEAT, NODE_FOR };

struct node {
	enum node_kind kind;
	unsigned long line;
	struct node *next;
	struct word name;		/* NAME =; text NULL: none */
	bool timed;			/* `time` before a block */
	struct word lab, on;		/* @LAB without the @; CPU or all */
	struct word *words;		/* command; REPEAT: the count; FOR: the list */
	unsigned int nr;
	const char *var;		/* FOR */
	struct node *body;		/* of a block */
	const char *host;		/* host command behind a pipe, or NULL */
	struct word file;		/* block: where its output goes; text NULL: nowhere else */
	bool append;
};

#define BLOCKS_DEEP 64

struct parser {
	struct lexer lexer;
	struct token now;	/* looked at, not taken */
	const char *wrong;	/* the sentence, after -EINVAL */
	unsigned long wrong_line;
};

void parser_init(struct parser *p, struct input *in, struct arena *arena);
void parser_fini(struct parser *p);

/*
 * Read the statements of the next line that has some. 1: *list is the first
 * of them; 0: the input has ended; -EINVAL: p->wrong says what is wrong in
 * line p->wrong_line; the rest of that line was skipped. -EINTR: the user
 * took back what was typed.
 */
int parse_line(struct parser *p, struct node **list);

/* May this be a handle's or variable's name? */
bool is_name(const char *text);

#endif
