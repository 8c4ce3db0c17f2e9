/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagetypeinfo - free blocks by migratetype and order, as /proc/pagetypeinfo. */
#include "shell/cmd.h"

static int pagetypeinfo_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "pagetypeinfo");
}

const struct cmd cmd_pagetypeinfo = {
	.name    = "pagetypeinfo",
	.summary = "free blocks by migratetype and order, as /proc/pagetypeinfo",
	.flags   = CMD_NEEDS_LAB,
	.run     = pagetypeinfo_run,
	.group   = "Views",
};
