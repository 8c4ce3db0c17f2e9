/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why - the steps of the last allocation or free, or of the one that gave a
 * handle's member.
 *
 * Of a handle with many members the first live one is told.
 */
#include <errno.h>

#include "shell/cmd.h"
#include "shell/handle_ref.h"
#include "view/view.h"

static const struct arg why_args[] = {
	{ "MEMBER", ARG_WORD, "", "a handle's member, as a[3]: how it was allocated; the last operation without",
	  (const char *const[]){ "HANDLE", NULL } },
	{ 0 }
};

static int why_member(struct ctx *ctx, const struct args *args)
{
	uint64_t rand = ctx->lab->hdr->rand;	/* a look does not move the lab's own */
	struct ref_list refs = { 0 };
	struct view_args va;
	json_t *model = NULL;
	int ret = refs_read(ctx->lab, &rand, arg_word(args, "MEMBER"), &refs);

	if (!ret) {
		model = view_why_member(ctx->lab, refs.v[0].h, refs.v[0].index);
		ret = model ? 0 : -EINVAL;
	}
	if (!ret && refs.nr > 1)
		ctx_note(ctx, "%zu members are meant; this is the first", refs.nr);
	refs_free(&refs);
	if (ret)
		return ret;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_find("why")->text, &va);
	return 0;
}

static int why_run(struct ctx *ctx, const struct args *args)
{
	return arg_given(args, "MEMBER") ? why_member(ctx, args) : ctx_view(ctx, args, "why");
}

const struct cmd cmd_why = {
	.name    = "why",
	.summary = "how the last allocation or free came out, step by step",
	.args    = why_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = why_run,
	.group   = "Views",
};
