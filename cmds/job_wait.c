/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * job wait - until the workload in the background is over, then its report.
 *
 * Ctrl-C ends the waiting, not the workload. One that is held goes on first.
 * Where nothing goes on there is nothing to wait for.
 */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/shell.h"
#include "work/run_report.h"

#define LOOK_EVERY_MS 50

static int job_wait_run(struct ctx *ctx, const struct args *args)
{
	struct job *j = job_of(ctx->sh, ctx->lab);
	struct run_figures f;
	char line[160];
	json_t *model;

	(void)args;
	if (!j)
		return 0;
	job_figures(j, &f);
	if (!f.of_ops && !f.of_ns)
		return fail(EINVAL, "it was given no end (ops=, time=): job stop ends it");
	job_resume(j);
	while (!run_wait(j->run, LOOK_EVERY_MS)) {
		if (ctx_stopped(ctx))
			return fail(EINTR, "stopped waiting; the workload goes on");
		job_figures(j, &f);
		if (ctx->progress)
			fprintf(stderr, "\r%s\033[K", run_line(run_workload(j->run), &f, line, sizeof(line)));
	}
	if (ctx->progress)
		fputs("\r\033[K", stderr);
	job_end(ctx->sh, labs_of(&ctx->sh->labs, ctx->lab), &model);
	if (ctx->json)
		ctx_answer(ctx, model);
	else
		run_text(model, ctx->out), json_decref(model);
	return 0;
}

const struct cmd cmd_job_wait = {
	.name    = "job wait",
	.summary = "wait until the workload in the background is over",
	.flags   = CMD_NEEDS_LAB | CMD_ENDS_JOBS,
	.run     = job_wait_run,
	.group   = "Work",
};
