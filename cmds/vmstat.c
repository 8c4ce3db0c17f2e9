/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmstat - counters of the whole lab, as /proc/vmstat. */
#include "shell/cmd.h"

static int vmstat_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "vmstat");
}

const struct cmd cmd_vmstat = {
	.name    = "vmstat",
	.summary = "counters of the whole lab, as /proc/vmstat",
	.flags   = CMD_NEEDS_LAB,
	.run     = vmstat_run,
	.group   = "Views",
};
