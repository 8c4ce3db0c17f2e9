/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcp - each CPU's page lists. */
#include "shell/cmd.h"

static const struct arg pcp_args[] = {
	{ "WHAT", ARG_WORD, "", "a zone or a CPU; all without",
	  (const char *const[]){ "ZONE", "CPU", NULL } },
	{ 0 }
};

static int pcp_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "pcp");
}

const struct cmd cmd_pcp = {
	.name    = "pcp",
	.summary = "each CPU's page lists",
	.args    = pcp_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = pcp_run,
	.group   = "Views",
};
