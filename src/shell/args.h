/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args - words become typed arguments by a command's table.
 *
 * Everything is checked before the handler runs, so a command that fails here
 * changed nothing, the lab's random state included.
 */
#ifndef SHELL_ARGS_H
#define SHELL_ARGS_H

#include "shell/arena.h"
#include "shell/cmd.h"
#include "shell/handle_ref.h"
#include "shell/shell.h"

#define ARGS_MAX 16	/* rows of a table */

struct arg_value {
	bool given;
	uint64_t n;
	const char *word;
	char **words;			/* WORDS, COMMAND */
	unsigned int nr;
};

struct args {
	const struct cmd *cmd;
	char *const *words;		/* all, NULL-terminated */
	unsigned int nr;
	struct arg_value value[ARGS_MAX];
	struct ref_list refs;		/* of the one ARG_HANDLES row */
};

/* Read words[0..nr-1] (behind the command's name). words[nr] is NULL. */
int args_read(struct shell *sh, struct lab *lab, const struct cmd *cmd, char *const *words, unsigned int nr,
	      struct args *args);
void args_free(struct args *args);

/* The first row by place that still takes a word; -1 if none does. */
int args_place(const struct args *args);
/* The row of `--name VALUE` that this word is the name of; its value is the next word. -1: it is none. */
int args_option(const struct args *args, const char *word);
/* The row that the next word goes to, by its key or by place, and the value in it; -1: it is one too many. */
int args_row(const struct args *args, const char *word, const char **value);
/* How many of these words stand before those of a command that this one runs; nr: none of them is of one. */
unsigned int args_before_command(const struct cmd *cmd, char *const *words, unsigned int nr);

static inline bool arg_by_place(const struct arg *a)
{
	return a->name[0] >= 'A' && a->name[0] <= 'Z';
}

static inline bool arg_takes_many(const struct arg *a)
{
	return a->type == ARG_HANDLES || a->type == ARG_WORDS || a->type == ARG_COMMAND;
}

#endif
