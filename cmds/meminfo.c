/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meminfo - where the memory is, as /proc/meminfo. */
#include "shell/cmd.h"

static int meminfo_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "meminfo");
}

const struct cmd cmd_meminfo = {
	.name    = "meminfo",
	.summary = "where the memory is, as /proc/meminfo",
	.flags   = CMD_NEEDS_LAB,
	.run     = meminfo_run,
	.group   = "Views",
};
