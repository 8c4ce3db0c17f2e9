/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unset - take an override of a cache away, or give a policy its default again. */
#include "shell/switch.h"

static const struct arg unset_args[] = {
	{ "NAME", ARG_POLICY, NULL, "a policy, or cache.NAME.POLICY for one cache", NULL },
	{ 0 }
};

static int unset_run(struct ctx *ctx, const struct args *args)
{
	return ctx_switch(ctx, arg_word(args, "NAME"), NULL);
}

const struct cmd cmd_unset = {
	.name    = "unset",
	.summary = "take an override away, or give a policy its default again",
	.args    = unset_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = unset_run,
	.group   = "Session",
};
