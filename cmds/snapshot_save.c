/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot save - keep the lab's present state under a name. */
#include "op/named.h"
#include "shell/jobs.h"
#include "shell/journal.h"
#include "shell/names.h"
#include "shell/shell.h"

static const struct arg snapshot_save_args[] = {
	{ "NAME", ARG_WORD, NULL, "its name; a snapshot of that name is replaced", (const char *const[]){ "SNAPSHOT", NULL } },
	{ 0 }
};

static int snapshot_save_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "NAME");
	struct job_loan loan;
	int ret = name_proper(name, "snapshot", sizeof(((struct named_snapshot *)0)->name));

	if (ret)
		return ret;
	jobs_lend(ctx->sh, ctx->lab, &loan);
	ret = named_save(ctx->lab, name, journal_script(labs_of(&ctx->sh->labs, ctx->lab)));
	jobs_lend_end(&loan);
	return ret;
}

const struct cmd cmd_snapshot_save = {
	.name    = "snapshot save",
	.summary = "keep the lab's present state under a name",
	.args    = snapshot_save_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = snapshot_save_run,
	.group   = "Lab",
};
