/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace off - keep no more; what was kept can still be shown. */
#include "op/tracing.h"
#include "shell/cmd.h"

static int trace_off_run(struct ctx *ctx, const struct args *args)
{
	(void)args;
	op_trace_off(ctx->lab);
	return 0;
}

const struct cmd cmd_trace_off = {
	.name    = "trace off",
	.summary = "end the trace; what it kept can still be shown",
	.flags   = CMD_NEEDS_LAB,
	.run     = trace_off_run,
	.group   = "Views",
};
