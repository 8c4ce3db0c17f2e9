/* SPDX-License-Identifier: GPL-3.0-or-later */
/* set - give a policy, an override of a cache or a writable figure another value. */
#include "shell/switch.h"

static const struct arg set_args[] = {
	{ "NAME",  ARG_POLICY, NULL, "a policy, or cache.NAME.POLICY for one cache", NULL },
	{ "VALUE", ARG_WORD,   NULL, "the value; its range is in help NAME",
	  (const char *const[]){ "VALUE", NULL } },
	{ 0 }
};

static int set_run(struct ctx *ctx, const struct args *args)
{
	return ctx_switch(ctx, arg_word(args, "NAME"), arg_word(args, "VALUE"));
}

const struct cmd cmd_set = {
	.name    = "set",
	.summary = "change a policy",
	.args    = set_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = set_run,
	.group   = "Session",
};
