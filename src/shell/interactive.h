/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interactive - the shell on a terminal: prompt, line editing, completion. Part of the program, not the library. */
#ifndef SHELL_INTERACTIVE_H
#define SHELL_INTERACTIVE_H

#include "shell/shell.h"

int interactive_run(struct shell *sh, const char *version);

#endif
