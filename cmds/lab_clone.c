/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab clone - another lab in the same state.
 *
 * It is idle, whatever runs in the first; handles, policies and the random
 * state come along, so the same commands do the same in both.
 */
#include "op/op.h"
#include "shell/jobs.h"
#include "shell/journal.h"
#include "shell/shell.h"

static const struct arg lab_clone_args[] = {
	{ "NAME", ARG_WORD, NULL, "its name", NULL },
	{ 0 }
};

static int lab_clone_run(struct ctx *ctx, const struct args *args)
{
	struct labs *labs = &ctx->sh->labs;
	const char *name = arg_word(args, "NAME");
	struct lab_slot *slot;
	struct lab *clone;
	struct job_loan loan;
	int ret = labs_name_is_free(labs, name);

	if (!ret) {
		jobs_lend(ctx->sh, ctx->lab, &loan);
		ret = lab_clone(ctx->lab, name, &clone);
		jobs_lend_end(&loan);
	}
	if (ret)
		return ret;
	slot = labs_add(labs, clone);
	slot->cpu = labs_of(labs, ctx->lab)->cpu;
	journal_clone(labs_of(labs, ctx->lab), slot);
	return 0;
}

const struct cmd cmd_lab_clone = {
	.name    = "lab clone",
	.summary = "make another lab in the same state",
	.args    = lab_clone_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_clone_run,
	.group   = "Lab",
};
