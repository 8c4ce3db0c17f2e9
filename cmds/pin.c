/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pin - what keeps a cache's slabs, and what freeing it would regain. */
#include "shell/cmd.h"

static const struct arg pin_args[] = {
	{ "CACHE", ARG_WORD, NULL, "the cache", (const char *const[]){ "CACHE", NULL } },
	{ 0 }
};

static int pin_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "pin");
}

const struct cmd cmd_pin = {
	.name    = "pin",
	.summary = "what keeps a cache's slabs, and what freeing it would regain",
	.args    = pin_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = pin_run,
	.group   = "Views",
};
