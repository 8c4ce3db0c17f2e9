/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * colour - which meaning is shown in which colour, and whether at all.
 *
 * Whatever is coloured says the same in words or marks: colour is never the
 * only sign. --color=always and never have the last word; `auto` asks whether
 * it is a terminal that can, and NO_COLOR.
 */
#ifndef SHELL_COLOUR_H
#define SHELL_COLOUR_H

#include <stdio.h>

#include "base/types.h"

struct shell;

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
enum meaning { MEANS_ERROR, MEANS_WARNING, MEANS_NOTE, MEANS_NAME, MEANS_CHANGED, MEANS_HINT };

/* Does what is printed here get colours? */
bool colour_wanted(const struct shell *sh, FILE *to);

/* The sequences that begin a meaning and end any; "" when not wanted. */
const char *colour_on(bool wanted, enum meaning m);
const char *colour_off(bool wanted);

#endif
