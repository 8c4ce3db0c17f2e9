/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dispatch - one command: found, its words read, run on its CPUs, answered.
 *
 * What every command shares is here and nowhere else: xN, --json, --help,
 * the handle, `on all`, the JSON line, the error line.
 */
#ifndef SHELL_DISPATCH_H
#define SHELL_DISPATCH_H

#include "shell/shell.h"

#define ON_NOTHING (-1)	/* no `on`: the lab's current CPU */
#define ON_ALL (-2)

struct request {
	const struct cmd *cmd;		/* NULL: not looked up yet */
	unsigned int used;		/* words that name it */
	char *const *words;		/* NULL-terminated */
	unsigned int nr;
	const char *handle_name;	/* NAME =, or NULL */
	const char *lab;		/* @LAB, or NULL for the current one */
	int on;				/* a CPU, ON_NOTHING or ON_ALL */
};

/* 0, or -1 when it failed, which was reported. */
int dispatch(struct shell *sh, struct request *rq);

/* For commands that run another: the same handle, lab and CPU go to that. */
int dispatch_inner(struct ctx *ctx, char *const *words, unsigned int nr);

/* What dispatch_inner() returns when the inner command failed: already reported. */
#define ALREADY_REPORTED (-ECANCELED)

#endif
