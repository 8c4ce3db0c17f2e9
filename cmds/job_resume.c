/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job resume - let the lab's workload go on. */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/cmd.h"

static int job_resume_run(struct ctx *ctx, const struct args *args)
{
	struct job *j = job_need(ctx->sh, ctx->lab);

	(void)args;
	if (!j)
		return -ENOENT;
	job_resume(j);
	return 0;
}

const struct cmd cmd_job_resume = {
	.name    = "job resume",
	.summary = "let a workload that was paused go on",
	.flags   = CMD_NEEDS_LAB,
	.run     = job_resume_run,
	.group   = "Work",
};
