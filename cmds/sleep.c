/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sleep - let time pass in the lab: its timers run; in virtual time nobody waits. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg sleep_args[] = {
	{ "TIME", ARG_TIME, NULL, "how long: 10us, 5ms, 1.5s", NULL },
	{ 0 }
};

static int sleep_run(struct ctx *ctx, const struct args *args)
{
	return op_sleep(ctx->lab, arg_u64(args, "TIME"));
}

const struct cmd cmd_sleep = {
	.name    = "sleep",
	.summary = "let time pass in the lab",
	.args    = sleep_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = sleep_run,
	.group   = "Session",
};
