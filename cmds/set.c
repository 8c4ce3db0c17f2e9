/* SPDX-License-Identifier: GPL-3.0-or-later */
/* set - give a policy, an override of a cache or a writable figure another value. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg set_args[] = {
	{ "NAME",  ARG_POLICY, NULL, "a policy, or cache.NAME.POLICY for one cache", NULL },
	{ "VALUE", ARG_WORD,   NULL, "the value; its range is in help NAME", NULL },
	{ 0 }
};

static int set_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "NAME"), *value = arg_word(args, "VALUE");
	int ret = op_set(ctx->lab, name, value);

	if (!ret && ctx->json)
		ctx_answer(ctx, json_pack("{s:o, s:o}", "name", json_text(name), "value", json_text(value)));
	return ret;
}

const struct cmd cmd_set = {
	.name    = "set",
	.summary = "change a policy",
	.args    = set_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = set_run,
	.group   = "Session",
};
