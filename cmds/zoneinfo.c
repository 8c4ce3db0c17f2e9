/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zoneinfo - watermarks, counters and page lists of each zone, as /proc/zoneinfo. */
#include "shell/cmd.h"

static int zoneinfo_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "zoneinfo");
}

const struct cmd cmd_zoneinfo = {
	.name    = "zoneinfo",
	.summary = "watermarks, counters and page lists of each zone, as /proc/zoneinfo",
	.flags   = CMD_NEEDS_LAB,
	.run     = zoneinfo_run,
	.group   = "Views",
};
