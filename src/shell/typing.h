/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typing - a line from the keyboard: keys, signals, the dim hint. Part of the program, not the library. */
#ifndef SHELL_TYPING_H
#define SHELL_TYPING_H

#include "shell/shell.h"

void typing_init(struct shell *sh);

/* One line without its newline, malloc'ed; NULL at the end. Ctrl-C gives an empty one. */
char *typing_line(const char *prompt);

#endif
