/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec - statements at work: blocks, loops, prefixes, output, order.
 *
 * Words are filled in each time a statement runs; what that needed of the
 * arena is given back after it, so a loop of a million rounds stays small.
 */
#ifndef SHELL_EXEC_H
#define SHELL_EXEC_H

#include "shell/parse.h"
#include "shell/shell.h"

/* 0, or -1 when something failed (reported). With keep_going all of the list was tried. */
int exec_list(struct shell *sh, struct node *list);

#endif
