/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * snapshot diff - what is different now: figures, lists, slabs.
 *
 * A lab is made from the snapshot, looked at beside this one, and dropped.
 */
#include <errno.h>

#include "op/named.h"
#include "op/op.h"
#include "shell/cmd.h"
#include "view/diff.h"
#include "view/view.h"

static const struct arg snapshot_diff_args[] = {
	{ "NAME", ARG_WORD, NULL, "the snapshot", (const char *const[]){ "SNAPSHOT", NULL } },
	{ 0 }
};

static int snapshot_diff_run(struct ctx *ctx, const struct args *args)
{
	const struct named_snapshot *s = named_need(ctx->lab, arg_word(args, "NAME"));
	struct view_args va;
	struct lab *then;
	json_t *model;
	int ret;

	if (!s)
		return -ENOENT;
	ret = lab_from_snapshot(s->snap, s->name, &then);
	if (ret)
		return ret;
	model = view_diff(then, ctx->lab);
	lab_drop(then);
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_diff_text, &va);
	return 0;
}

const struct cmd cmd_snapshot_diff = {
	.name    = "snapshot diff",
	.summary = "say what changed since a snapshot",
	.args    = snapshot_diff_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = snapshot_diff_run,
	.group   = "Lab",
};
