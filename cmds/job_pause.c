/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job pause - hold the lab's workload between two ops. */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/cmd.h"

static int job_pause_run(struct ctx *ctx, const struct args *args)
{
	struct job *j = job_need(ctx->sh, ctx->lab);

	(void)args;
	if (!j)
		return -ENOENT;
	job_pause(j);
	return 0;
}

const struct cmd cmd_job_pause = {
	.name    = "job pause",
	.summary = "hold the workload in the background at a safe point",
	.flags   = CMD_NEEDS_LAB,
	.run     = job_pause_run,
	.group   = "Work",
};
