/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab info - shape, clock and contents of a lab. */
#include "shell/cmd.h"
#include "view/view.h"

static int lab_info_run(struct ctx *ctx, const struct args *args)
{
	json_t *model = view_lab_info(ctx->lab);
	struct view_args va;

	if (!model)
		return -1;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_lab_info_text, &va);
	return 0;
}

const struct cmd cmd_lab_info = {
	.name    = "lab info",
	.summary = "shape, clock and contents of the lab",
	.flags   = CMD_NEEDS_LAB,
	.run     = lab_info_run,
	.group   = "Lab",
};
