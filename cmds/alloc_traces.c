/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc_traces - who allocated the objects that are out, most first. */
#include "shell/cmd.h"

static const struct arg alloc_traces_args[] = {
	{ "CACHE", ARG_WORD, NULL, "a cache with user tracking (debug flag U)", (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int alloc_traces_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "alloc_traces");
}

const struct cmd cmd_alloc_traces = {
	.name    = "alloc_traces",
	.summary = "who allocated the objects that are out, most first",
	.args    = alloc_traces_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = alloc_traces_run,
	.group   = "Views",
};
