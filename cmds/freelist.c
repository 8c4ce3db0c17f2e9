/* SPDX-License-Identifier: GPL-3.0-or-later */
/* freelist - a free list from head to tail. */
#include "shell/cmd.h"

static const struct arg freelist_args[] = {
	{ "WHAT", ARG_WORD, NULL, "a cache, a CPU or a zone",
	  (const char *const[]){ "CACHE", "CPU", "ZONE", NULL } },
	{ 0 }
};

static int freelist_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "freelist");
}

const struct cmd cmd_freelist = {
	.name    = "freelist",
	.summary = "a free list from head to tail",
	.args    = freelist_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = freelist_run,
	.group   = "Views",
};
