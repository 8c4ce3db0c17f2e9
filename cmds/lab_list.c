/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab list - the labs of this session. */
#include "shell/shell.h"

#include <stdlib.h>

#include "view/view.h"

static int lab_list_run(struct ctx *ctx, const struct args *args)
{
	const struct labs *labs = &ctx->sh->labs;
	struct lab **all = host_alloc(labs->nr * sizeof(*all));
	bool *twin = host_alloc(labs->nr * sizeof(*twin));
	struct view_args va;
	json_t *model;

	for (unsigned int i = 0; i < labs->nr; i++)
		all[i] = labs->v[i].lab;
	for (unsigned int i = 0; i < labs->nr; i++)
		twin[i] = twins_have(ctx->sh, all[i]->name);
	model = view_lab_list(all, labs->nr, labs->v[labs->current].lab, twin);
	free(twin);
	free(all);
	if (!model)
		return -1;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_lab_list_text, &va);
	return 0;
}

const struct cmd cmd_lab_list = {
	.name    = "lab list",
	.summary = "list the labs of this session",
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = lab_list_run,
	.group   = "Lab",
};
