/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab drop - end a lab and give its memory back to the host. The last one stays. */
#include "shell/shell.h"

static const struct arg lab_drop_args[] = {
	{ "NAME", ARG_LAB, NULL, "the lab", NULL },
	{ 0 }
};

static int lab_drop_run(struct ctx *ctx, const struct args *args)
{
	struct labs *labs = &ctx->sh->labs;
	int ret = labs_drop(labs, labs_find(labs, arg_word(args, "NAME")));

	if (!ret)
		ctx->lab = labs_current(labs)->lab;	/* the answer must not name a lab that is gone */
	return ret;
}

const struct cmd cmd_lab_drop = {
	.name    = "lab drop",
	.summary = "end a lab",
	.args    = lab_drop_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_drop_run,
	.group   = "Lab",
};
