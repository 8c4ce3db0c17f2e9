/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pager - what one command prints, held until it is known whether the screen
 * has room for it.
 *
 * Idea. On a terminal a command prints into a file that keeps the text. When
 * there is more than a screen of it, $PAGER is started and gets everything;
 * else it goes to the terminal at the command's end. Messages on standard
 * error must not overtake it, so pager_settle() lets go what is held.
 *
 * Ownership. One pager at a time, on the shell's thread.
 */
#ifndef SHELL_PAGER_H
#define SHELL_PAGER_H

#include <stdio.h>
#include <sys/types.h>

#include "base/types.h"

struct shell;

struct pager {
	struct shell *sh;
	FILE *file;		/* that the command prints into; NULL: not in use */
	FILE *before;		/* where output went till now */
	FILE *to;		/* once it is decided: the terminal or the pager; NULL: still held */
	pid_t pid;		/* of the pager, 0: none */
	char *held;
	size_t len, room;
	unsigned int rows, columns;	/* of the screen */
	unsigned int row, column;	/* where what is held would leave the cursor */
};

/* Hold what is printed from now on. Does nothing where output goes to no terminal or no pager is wanted. */
void pager_begin(struct shell *sh, struct pager *p);
/* Show it, and wait for the user to leave the pager. */
void pager_end(struct pager *p);
/* Something is to be printed beside it: show now what is held, and no longer hold. */
void pager_settle(struct shell *sh);

/* The command that shows long texts; NULL: none. */
const char *pager_command(void);

/* Take more text into account: true once it is more than the screen holds. For tests. */
bool pager_overflows(struct pager *p, const char *text, size_t len);

#endif
