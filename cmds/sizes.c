/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes - what kmalloc is asked for, its waste, and the class that would save most. */
#include "shell/cmd.h"

static const struct arg sizes_args[] = {
	{ "CACHE", ARG_WORD, "", "one kmalloc cache; all that track their users without", (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int sizes_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "sizes");
}

const struct cmd cmd_sizes = {
	.name    = "sizes",
	.summary = "what kmalloc is asked for, its waste, and the class that would save most",
	.args    = sizes_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = sizes_run,
	.group   = "Views",
};
