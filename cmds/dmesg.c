/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dmesg - what a kernel would have logged: reports of slab debugging, failed requests for pages. */
#include "shell/cmd.h"

static const struct arg dmesg_args[] = {
	{ "CACHE", ARG_WORD, "", "reports of one cache; all without", (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int dmesg_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "dmesg");
}

const struct cmd cmd_dmesg = {
	.name    = "dmesg",
	.summary = "reports of slab debugging and of failed requests for pages, in the kernel's format",
	.args    = dmesg_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = dmesg_run,
	.group   = "Views",
};
