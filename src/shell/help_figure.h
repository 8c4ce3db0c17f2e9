/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_figure - `help PATH` and `help figures`: what a figure says, and its value now. */
#ifndef SHELL_HELP_FIGURE_H
#define SHELL_HELP_FIGURE_H

#include "shell/cmd.h"

/* Is it the path of a figure, or its form (zone.N<node>.<zone>.free_pages)? Then help_figure() tells of it. */
bool help_knows_figure(const char *path);
int help_figure(struct ctx *ctx, const char *path);
/* Does it begin like a figure? Then help_no_figure() says which are near. */
bool help_means_figure(const char *path);
int help_no_figure(struct ctx *ctx, const char *path);
int help_figures(struct ctx *ctx);

#endif
