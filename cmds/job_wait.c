/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * job wait - until the workload in the background is over, then its report.
 *
 * Ctrl-C ends the waiting, not the workload. One that is held goes on first.
 * Where nothing goes on there is nothing to wait for.
 */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/progress.h"
#include "shell/shell.h"

#define LOOK_EVERY_MS 50

/* true: it is over. */
static bool await(struct ctx *ctx, struct job *j)
{
	struct run *run = j->run;
	struct progress progress;
	char line[160];
	bool over;

	progress_begin(&progress, ctx, 0);
	while (!(over = run_wait(run, LOOK_EVERY_MS)) && !ctx_stopped(ctx) && (j = job_of_run(ctx->sh, ctx->lab, run)))
		if (progress_is_due(&progress))
			progress_show(&progress, "%s", job_line(j, line, sizeof(line)));
	progress_end(&progress);
	return over;
}

static int job_wait_run(struct ctx *ctx, const struct args *args)
{
	struct job *j = job_of(ctx->sh, ctx->lab);
	struct run_figures f;
	struct run *run;
	json_t *model;

	(void)args;
	if (!j)
		return 0;
	run = j->run;
	job_figures(j, &f);
	if (!f.of_ops && !f.of_ns)
		return fail(EINVAL, "it was given no end (ops=, time=): job stop ends it");
	job_resume(j);
	if (!await(ctx, j))
		/* from the screen it may have been ended meanwhile, which told of it */
		return job_of_run(ctx->sh, ctx->lab, run) ? fail(EINTR, "stopped waiting; the workload goes on") : 0;
	job_end(ctx->sh, labs_of(&ctx->sh->labs, ctx->lab), &model);
	run_tell(ctx, model);
	return 0;
}

const struct cmd cmd_job_wait = {
	.name    = "job wait",
	.summary = "wait until the workload in the background is over",
	.flags   = CMD_NEEDS_LAB | CMD_ENDS_JOBS,
	.run     = job_wait_run,
	.group   = "Work",
};
