/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free - give members of handles back, each by what it is. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg free_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order", NULL },
	{ 0 }
};

static int free_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_ANY, 0);
}

const struct cmd cmd_free = {
	.name    = "free",
	.summary = "give back members of handles, whatever they are",
	.args    = free_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = free_run,
	.group   = "Pages",
};
