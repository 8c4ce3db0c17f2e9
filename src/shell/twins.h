/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twins - labs that are driven together: each command goes to all of them.
 *
 * Idea. While twins are on, the dispatcher hands a command that names no lab
 * (`@LAB`) to each twin in turn. What they print is caught and shown once
 * where all say the same, else side by side, lines that differ marked: in
 * columns where the width is enough, else one below the other. JSON is one
 * line whose data is an object by lab.
 */
#ifndef SHELL_TWINS_H
#define SHELL_TWINS_H

#include <stdbool.h>

#define MAX_TWINS 16

struct request;
struct shell;

struct twins {
	char name[MAX_TWINS][64];
	unsigned int nr;	/* 0: off */
	const char *now;	/* the one that a command runs in, for messages; NULL: none */
};

/* -EINVAL, -ENOENT or -ERANGE with a sentence when these are no two labs or more. */
int twins_on(struct shell *sh, char *const *names, unsigned int nr);
void twins_off(struct shell *sh);

bool twins_have(const struct shell *sh, const char *lab);

/* Is this request one for all twins? */
bool twins_take(const struct shell *sh, const struct request *rq);

/* Run it in each. 0, or -1 when it failed in one (which was reported). */
int twins_dispatch(struct shell *sh, const struct request *rq, bool json);

#endif
