/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frag explain - what keeps an order from being free, and what would give blocks of it. */
#include "view/frag_explain.h"

#include <errno.h>

#include "shell/cmd.h"

static const struct arg frag_explain_args[] = {
	{ "ORDER", ARG_ORDER, NULL, "the order that is wanted", NULL },
	{ "ZONE",  ARG_WORD,  "",   "one zone; all without", (const char *const[]){ "ZONE", NULL } },
	{ 0 }
};

static int frag_explain_run(struct ctx *ctx, const struct args *args)
{
	json_t *model = view_frag_explain(ctx->lab, arg_order(args, "ORDER"), arg_word(args, "ZONE"));
	struct view_args va;

	if (!model)
		return -ENOENT;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_frag_explain_text, &va);
	return 0;
}

const struct cmd cmd_frag_explain = {
	.name    = "frag explain",
	.summary = "what keeps an order from being free, and what would help",
	.args    = frag_explain_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = frag_explain_run,
	.group   = "Views",
};
