/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * colour - whether what is printed gets colours (which: base/colour.h).
 *
 * --color=always and never have the last word; `auto` asks whether it is a
 * terminal that can, and NO_COLOR.
 */
#ifndef SHELL_COLOUR_H
#define SHELL_COLOUR_H

#include <stdio.h>

#include "base/colour.h"

struct shell;

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* Does what is printed here get colours? */
bool colour_wanted(const struct shell *sh, FILE *to);

#endif
