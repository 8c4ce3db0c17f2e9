/* SPDX-License-Identifier: GPL-3.0-or-later */
/* allocfail - the last failed request for pages, as a kernel reports it. */
#include "shell/cmd.h"

static int allocfail_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "allocfail");
}

const struct cmd cmd_allocfail = {
	.name    = "allocfail",
	.summary = "the last failed request for pages, as a kernel reports it",
	.flags   = CMD_NEEDS_LAB,
	.run     = allocfail_run,
	.group   = "Views",
};
