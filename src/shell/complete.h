/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete - what may be typed next, read off the command table and the lab.
 *
 * Ownership. The candidates are the caller's: candidates_free(). The line
 * must outlive them.
 */
#ifndef SHELL_COMPLETE_H
#define SHELL_COMPLETE_H

#include "shell/candidates.h"
#include "shell/shell.h"

/* Candidates for the word at line[point], which replace the line from c->start to point. */
void complete_line(struct shell *sh, const char *line, size_t point, struct candidates *c);

#endif
