/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stat - counters of SLUB per cache, total and per CPU. */
#include "shell/cmd.h"

static const struct arg stat_args[] = {
	{ "CACHE", ARG_WORD, "", "one cache; all without",
	  (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int stat_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "stat");
}

const struct cmd cmd_stat = {
	.name    = "stat",
	.summary = "counters of SLUB per cache, total and per CPU",
	.args    = stat_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = stat_run,
	.group   = "Views",
};
