/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace clear - forget what was traced. */
#include "op/tracing.h"
#include "shell/cmd.h"

static int trace_clear_run(struct ctx *ctx, const struct args *args)
{
	(void)args;
	op_trace_clear(ctx->lab);
	return 0;
}

const struct cmd cmd_trace_clear = {
	.name    = "trace clear",
	.summary = "forget what was traced",
	.flags   = CMD_NEEDS_LAB,
	.run     = trace_clear_run,
	.group   = "Views",
};
