/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slabinfo - caches and their slabs, as /proc/slabinfo. */
#include "shell/cmd.h"

static int slabinfo_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "slabinfo");
}

const struct cmd cmd_slabinfo = {
	.name    = "slabinfo",
	.summary = "caches and their slabs, as /proc/slabinfo",
	.flags   = CMD_NEEDS_LAB,
	.run     = slabinfo_run,
	.group   = "Views",
};
