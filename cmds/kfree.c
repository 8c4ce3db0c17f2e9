/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kfree - give objects back, whatever cache they are of. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg kfree_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order", NULL },
	{ 0 }
};

static int kfree_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_KFREE, 0);
}

const struct cmd cmd_kfree = {
	.name    = "kfree",
	.summary = "give objects back",
	.args    = kfree_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kfree_run,
	.group   = "Slab",
};
