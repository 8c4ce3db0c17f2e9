/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save - a grid as a file: text, text with ANSI colours, or a picture. */
#ifndef TUI_SAVE_H
#define TUI_SAVE_H

#include <stdio.h>

#include "tui/grid.h"

/* By the name's end: .svg a picture, .ans or .ansi with colours, else plain text. 0 or -errno with a sentence. */
int save_grid(const struct grid *g, const char *path);

void save_text(const struct grid *g, FILE *to);
void save_ansi(const struct grid *g, FILE *to);
void save_svg(const struct grid *g, FILE *to);

#endif
