/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handles - the names of what was allocated, and what they stand for. */
#include "shell/cmd.h"

static const struct arg handles_args[] = {
	{ "PATTERN", ARG_WORD, "", "a handle, or a pattern of names (a*); all without",
	  (const char *const[]){ "HANDLE", NULL } },
	{ 0 }
};

static int handles_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "handles");
}

const struct cmd cmd_handles = {
	.name    = "handles",
	.summary = "names of what was allocated: members, what they are, on which CPU",
	.args    = handles_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = handles_run,
	.group   = "Views",
};
