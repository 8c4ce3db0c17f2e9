/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab use - make a lab the current one. */
#include "shell/shell.h"

static const struct arg lab_use_args[] = {
	{ "NAME", ARG_LAB, NULL, "the lab", NULL },
	{ 0 }
};

static int lab_use_run(struct ctx *ctx, const struct args *args)
{
	struct labs *labs = &ctx->sh->labs;

	labs->current = (unsigned int)(labs_find(labs, arg_word(args, "NAME")) - labs->v);
	ctx->lab = labs->v[labs->current].lab;
	return 0;
}

const struct cmd cmd_lab_use = {
	.name    = "lab use",
	.summary = "make a lab the current one",
	.args    = lab_use_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_use_run,
	.group   = "Lab",
};
