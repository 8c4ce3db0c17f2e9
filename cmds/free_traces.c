/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free_traces - who freed the objects that are out the last time, most first. */
#include "shell/cmd.h"

static const struct arg free_traces_args[] = {
	{ "CACHE", ARG_WORD, NULL, "a cache with user tracking (debug flag U)", (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int free_traces_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "free_traces");
}

const struct cmd cmd_free_traces = {
	.name    = "free_traces",
	.summary = "who freed the objects that are out the last time, most first",
	.args    = free_traces_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = free_traces_run,
	.group   = "Views",
};
