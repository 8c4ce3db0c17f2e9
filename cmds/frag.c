/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frag - fragmentation indexes of each zone by order. */
#include "shell/cmd.h"

static const struct arg frag_args[] = {
	{ "ZONE", ARG_WORD, "", "one zone; all without",
	  (const char *const[]){ "ZONE", NULL } },
	{ 0 }
};

static int frag_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "frag");
}

const struct cmd cmd_frag = {
	.name    = "frag",
	.summary = "fragmentation indexes of each zone by order",
	.args    = frag_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = frag_run,
	.group   = "Views",
};
