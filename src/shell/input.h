/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input - where lines come from: a file, a text, standard input, a terminal.
 *
 * Idea. The lexer reads bytes from a window and asks for more only when a
 * statement is not complete, so a script on a pipe runs line by line as it
 * arrives and a terminal is asked for continuation lines. What was read of
 * earlier statements is forgotten.
 *
 * Ownership. One reader. Text in the window moves when more is asked for or
 * forgotten, so positions are kept as indexes.
 */
#ifndef SHELL_INPUT_H
#define SHELL_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct input {
	const char *name;	/* for messages; NULL on a terminal */
	char *buf;
	size_t len, room;	/* bytes in the window */
	size_t pos;		/* next byte to lex */
	unsigned long line;	/* of pos, from 1 */
	bool ended;
	int error;		/* errno that reading ended with, 0 for a proper end */
	int fd;			/* -1: a text */
	/* Terminal: the next line with its newline, malloc'ed, NULL at the end. `more`: a statement is open. */
	char *(*ask)(bool more);
	bool dropped;		/* Ctrl-C while a line was typed: what is in the window is void */
	bool open;		/* a statement was begun and is not complete */
};

void input_text(struct input *in, const char *name, const char *text, size_t len);
/* "-" is standard input. Negative errno with a sentence when it cannot be opened. */
int input_file(struct input *in, const char *path);
void input_ask(struct input *in, char *(*ask)(bool more));
void input_close(struct input *in);

/* Have at least one more byte behind the window's end. False at the end. */
bool input_more(struct input *in);

/* Forget what lies before pos. */
void input_forget(struct input *in);

#endif
