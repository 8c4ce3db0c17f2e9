/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dmesg - what a kernel would have logged: reports of slab debugging, failed requests for pages. */
#include <errno.h>

#include "base/fail.h"
#include "op/debug.h"
#include "shell/cmd.h"
#include "view/view.h"

static const struct arg dmesg_args[] = {
	{ "CACHE", ARG_WORD, "", "reports of one cache; all without", (const char *const[]){ "CACHE", NULL } },
	{ "--clear", ARG_FLAG, "", "print all, then forget it", NULL },
	{ 0 }
};

static int dmesg_run(struct ctx *ctx, const struct args *args)
{
	const struct view *view = view_find("dmesg");
	struct view_args va;
	json_t *model;

	if (arg_flag(args, "--clear") && arg_given(args, "CACHE"))
		return fail(EINVAL, "--clear forgets all reports, not those of one cache: leave the cache out");
	ctx_view_args(ctx, args, &va);
	va.name = arg_given(args, "CACHE") ? arg_word(args, "CACHE") : NULL;
	model = view->model(ctx->lab, &va);
	if (!model)
		return -EINVAL;
	ctx_model(ctx, model, view->text, &va);
	if (arg_flag(args, "--clear"))
		op_dmesg_clear(ctx->lab);
	return 0;
}

const struct cmd cmd_dmesg = {
	.name    = "dmesg",
	.summary = "reports of slab debugging and of failed requests for pages, in the kernel's format",
	.args    = dmesg_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,	/* with --clear */
	.run     = dmesg_run,
	.group   = "Views",
};
