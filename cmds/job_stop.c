/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job stop - end the workload in the background between two ops, and report. */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/shell.h"

static int job_stop_run(struct ctx *ctx, const struct args *args)
{
	json_t *model;

	(void)args;
	if (!job_need(ctx->sh, ctx->lab))
		return -ENOENT;
	job_end(ctx->sh, labs_of(&ctx->sh->labs, ctx->lab), &model);
	run_tell(ctx, model);
	return 0;
}

const struct cmd cmd_job_stop = {
	.name    = "job stop",
	.summary = "end the workload in the background",
	.flags   = CMD_NEEDS_LAB | CMD_ENDS_JOBS,
	.run     = job_stop_run,
	.group   = "Work",
};
