/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin on - from now on each command goes to several labs at once. */
#include "shell/shell.h"

static const struct arg twin_on_args[] = {
	{ "LAB", ARG_WORDS, NULL, "two labs or more", (const char *const[]){ "LAB", NULL } },
	{ 0 }
};

static int twin_on_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *names = arg_words(args, "LAB", &nr);

	return twins_on(ctx->sh, names, nr);
}

const struct cmd cmd_twin_on = {
	.name    = "twin on",
	.summary = "drive several labs at once, views side by side",
	.args    = twin_on_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = twin_on_run,
	.group   = "Lab",
};
