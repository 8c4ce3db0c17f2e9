/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt - "main> ": the lab, its current CPU unless that is 0, `*` when policies differ from the preset. */
#ifndef SHELL_PROMPT_H
#define SHELL_PROMPT_H

#include "shell/shell.h"

/*
 * `more`: a statement goes on; dots of the same width. With colour, sequences stand between
 * \001 and \002, as readline wants it. Returns buf.
 */
char *prompt_text(struct shell *sh, bool more, bool colour, char *buf, size_t size);

/*
 * Does any policy of the lab or of one of its caches differ from the preset's?
 * In a lab of more than 500 caches only the lab's own are looked at.
 */
bool policies_differ(struct lab *lab);

#endif
