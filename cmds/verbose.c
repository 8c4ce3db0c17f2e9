/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbose - show the commands of a file before they run, for who reads along. */
#include <string.h>

#include "shell/shell.h"

static const struct arg verbose_args[] = {
	{ "STATE", ARG_ENUM, NULL, "on: each command of a file is shown before it runs", (const char *const[]){ "on", "off", NULL } },
	{ 0 }
};

static int verbose_run(struct ctx *ctx, const struct args *args)
{
	ctx->sh->verbose = !strcmp(arg_word(args, "STATE"), "on");
	return 0;
}

const struct cmd cmd_verbose = {
	.name    = "verbose",
	.summary = "show each command of a file before it runs",
	.args    = verbose_args,
	.flags   = CMD_FOR_READER,
	.run     = verbose_run,
	.group   = "Session",
};
