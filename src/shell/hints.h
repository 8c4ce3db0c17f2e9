/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hints - what comes next on a line being typed, in a few words shown dim behind the cursor. */
#ifndef SHELL_HINTS_H
#define SHELL_HINTS_H

#include "shell/shell.h"

/* "" where nothing helps. ASCII, begins with a blank where the line needs one. Returns buf. */
char *hint_line(struct shell *sh, const char *line, char *buf, size_t size);

#endif
