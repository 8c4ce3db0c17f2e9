/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab check - walk every invariant of the lab; the first that is broken is the failure. */
#include "op/op.h"
#include "shell/cmd.h"

static int lab_check_run(struct ctx *ctx, const struct args *args)
{
	int ret = lab_check(ctx->lab);

	(void)args;
	if (!ret && !ctx->json)
		fprintf(ctx->out, "lab %s: every invariant holds\n", ctx->lab->name);
	return ret;
}

const struct cmd cmd_lab_check = {
	.name    = "lab check",
	.summary = "walk every invariant of the lab",
	.flags   = CMD_NEEDS_LAB,
	.run     = lab_check_run,
	.group   = "Lab",
};
