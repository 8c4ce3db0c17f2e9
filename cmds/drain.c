/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain - give all pages of the CPU's lists back to the buddy lists. */
#include "op/op.h"
#include "shell/cmd.h"

static int drain_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_DRAIN, .cpu = (uint16_t)ctx->cpu, .node = -1,
	};
	struct op_result r;

	(void)args;
	return op_run(ctx->lab, &op, &r);
}

const struct cmd cmd_drain = {
	.name    = "drain",
	.summary = "give all pages of the CPU's lists back to the buddy lists",
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = drain_run,
	.group   = "Pages",
};
