/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin off - commands go to the current lab alone again. */
#include <errno.h>

#include "shell/shell.h"

static int twin_off_run(struct ctx *ctx, const struct args *args)
{
	(void)args;
	if (!ctx->sh->twins.nr)
		return fail(EINVAL, "no labs are twins (twin on LAB LAB makes some)");
	twins_off(ctx->sh);
	return 0;
}

const struct cmd cmd_twin_off = {
	.name    = "twin off",
	.summary = "drive the current lab alone again",
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = twin_off_run,
	.group   = "Lab",
};
