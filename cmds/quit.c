/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quit - leave the shell, or end the script here. */
#include "shell/shell.h"

static int quit_run(struct ctx *ctx, const struct args *args)
{
	(void)args;
	ctx->sh->quit = true;
	return 0;
}

const struct cmd cmd_quit = {
	.name    = "quit",
	.summary = "leave the shell, or end the script here",
	.run     = quit_run,
	.group   = "Session",
};
