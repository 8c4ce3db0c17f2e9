/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caches - every cache: geometry, objects, slabs, use. */
#include "shell/cmd.h"

static const struct arg caches_args[] = {
	{ "WHICH", ARG_WORD, "", "all, or a pattern of names; without it those that hold something", NULL },
	{ 0 }
};

static int caches_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "caches");
}

const struct cmd cmd_caches = {
	.name    = "caches",
	.summary = "every cache: geometry, objects, slabs, use",
	.args    = caches_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = caches_run,
	.group   = "Views",
};
