/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job list - workloads that go on in the background, lab by lab. */
#include "shell/jobs.h"
#include "shell/shell.h"
#include "work/run_report.h"

static int job_list_run(struct ctx *ctx, const struct args *args)
{
	json_t *all = json_array();

	(void)args;
	for (unsigned int i = 0; i < ctx->sh->labs.nr; i++) {
		const struct lab_slot *slot = &ctx->sh->labs.v[i];
		char line[160];
		struct run_figures f;
		json_t *m;

		if (!slot->job)
			continue;
		job_figures(slot->job, &f);
		if (!ctx->json)
			fprintf(ctx->out, "%s  %s\n", slot->lab->name,
				run_line(run_workload(slot->job->run), &f, line, sizeof(line)));
		m = run_model(slot->job->run, NULL, false);
		json_object_set_new(m, "lab", json_text(slot->lab->name));
		json_array_append_new(all, m);
	}
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:O}", "jobs", all));
	else if (!json_array_size(all))
		fputs("nothing goes on in the background\n", ctx->out);
	json_decref(all);
	return 0;
}

const struct cmd cmd_job_list = {
	.name    = "job list",
	.summary = "workloads that go on in the background, and how far they are",
	.run     = job_list_run,
	.group   = "Work",
};
