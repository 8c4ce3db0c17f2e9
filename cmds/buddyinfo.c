/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buddyinfo - free blocks of each zone by order, as /proc/buddyinfo. */
#include "shell/cmd.h"

static int buddyinfo_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "buddyinfo");
}

const struct cmd cmd_buddyinfo = {
	.name    = "buddyinfo",
	.summary = "free blocks of each zone by order, as /proc/buddyinfo",
	.flags   = CMD_NEEDS_LAB,
	.run     = buddyinfo_run,
	.group   = "Views",
};
