/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slabs - the slabs of a cache: fill, lists, which CPU holds what. */
#include "shell/cmd.h"

static const struct arg slabs_args[] = {
	{ "CACHE", ARG_CACHE, NULL, "whose slabs", NULL },
	{ 0 }
};

static int slabs_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "slabs");
}

const struct cmd cmd_slabs = {
	.name    = "slabs",
	.summary = "the slabs of a cache: fill, lists, which CPU holds what",
	.args    = slabs_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = slabs_run,
	.group   = "Views",
};
