/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * job step - the next ops of a workload that is held, one at a time.
 *
 * They are told like a command's ops: `why` explains the last of them.
 */
#include <errno.h>

#include "shell/jobs.h"
#include "shell/cmd.h"

#define ASK_EVERY 64	/* ops between two looks at Ctrl-C */

static const struct arg job_step_args[] = {
	{ "N", ARG_COUNT, "1", "how many ops", NULL },
	{ 0 }
};

static int job_step_run(struct ctx *ctx, const struct args *args)
{
	struct job *j = job_need(ctx->sh, ctx->lab);
	uint64_t n = arg_u64(args, "N"), did = 0, now = 1;
	const struct run *run;

	if (!j)
		return -ENOENT;
	run = j->run;
	job_pause(j);
	while (did < n && now && !ctx_stopped(ctx) && (j = job_of_run(ctx->sh, ctx->lab, run))) {
		now = job_step(j, n - did < ASK_EVERY ? n - did : ASK_EVERY);
		did += now;
	}
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "ops", (json_int_t)did));
	if (did < n && now)	/* by Ctrl-C, or a command of the screen ended the workload */
		return fail(EINTR, "stopped after %llu of %llu", (unsigned long long)did, (unsigned long long)n);
	if (did < n)
		ctx_note(ctx, "%llu of %llu: the workload has no more to do", (unsigned long long)did,
			 (unsigned long long)n);
	return 0;
}

const struct cmd cmd_job_step = {
	.name    = "job step",
	.summary = "hold the workload in the background and play its next ops one by one",
	.args    = job_step_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = job_step_run,
	.group   = "Work",
};
