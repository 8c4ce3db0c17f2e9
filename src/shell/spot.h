/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spot - what the cursor stands at in a line being typed.
 *
 * Idea. The words before the cursor are read by the same rules and tables as
 * a finished line: prefixes, command, argument rows. What is left open is
 * what may be typed next; completion offers it, the dim hint tells of it.
 *
 * Ownership. A spot lives shorter than the shell; spot_end() gives it back.
 */
#ifndef SHELL_SPOT_H
#define SHELL_SPOT_H

#include "shell/args.h"
#include "shell/partial.h"

enum spot_kind {
	SPOT_NOTHING,	/* nothing that we know could stand here */
	SPOT_COMMAND,	/* a command's first word */
	SPOT_MEMBER,	/* the second word of a command of two, behind `family` */
	SPOT_ARGUMENT,	/* an argument of `cmd`; `args` says which rows have theirs */
	SPOT_CPU,	/* behind `on` */
	SPOT_TIMES,	/* behind `repeat` */
	SPOT_IN,	/* behind `for NAME` */
	SPOT_FILE,	/* behind > or >>, or in a host command */
};

struct spot {
	enum spot_kind kind;
	struct partial partial;
	const char *text;	/* typed so far of the word */
	struct lab *lab;	/* that the statement is about; NULL before the first is made */
	bool bare;		/* COMMAND: prefixes and keywords may stand here too */
	bool named;		/* `NAME =` stands before it: it must allocate */
	const char *family;
	const struct cmd *cmd;
	struct args args;	/* given and word of each row; nothing is read */
	int row;		/* ARGUMENT: of the word at the cursor, -1: every place is taken */
	const char *value;	/* ARGUMENT: what is typed of the row's value (behind `key=`) */
	bool by_key;
};

void spot_find(struct shell *sh, const char *line, size_t point, struct spot *s);
/* ARGUMENT: the policy that an earlier row names, or NULL. */
const char *spot_policy(const struct spot *s);
void spot_end(struct spot *s);

#endif
