/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen - what a full-screen view gives the shell.
 *
 * The view stands above the shell and is the program's: it hands itself in,
 * as line editing does. A shell without one (a library, a test) has none.
 */
#ifndef SHELL_SCREEN_H
#define SHELL_SCREEN_H

#include "base/types.h"

struct ctx;

struct screen {
	/* Show the labs until the user leaves; words: a command file to run there and its arguments. 0 or -errno. */
	int (*show)(struct ctx *ctx, char *const *words, unsigned int nr);
	/* While it is shown: say this and wait until the user goes on. */
	int (*await)(struct ctx *ctx, const char *text);
	bool shown;
};

#endif
