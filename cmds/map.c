/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map - a zone as a picture: what its pages are kept for, or who holds them. */
#include <errno.h>

#include "view/map.h"

#include "shell/cmd.h"

static const char *const by_words[] = { "type", "owner", NULL };
static const char *const cell_words[] = { "block", "page", NULL };

static const struct arg map_args[] = {
	{ "ZONE",  ARG_WORD, "", "one zone; all without", (const char *const[]){ "ZONE", NULL } },
	{ "by",    ARG_ENUM, "type", "what a cell tells: what its pages are kept for, or who holds most of them", by_words },
	{ "cell",  ARG_ENUM, "block", "what a cell is: a pageblock (or several, where there are many), or a page", cell_words },
	{ "from",  ARG_NUMBER, "", "page that the picture begins with, for a part in full detail", NULL },
	{ "cells", ARG_COUNT, "", "cells at most; 16 rows of them without", NULL },
	{ 0 }
};

static int map_run(struct ctx *ctx, const struct args *args)
{
	struct map_choice choice = {
		.zone     = arg_word(args, "ZONE"),
		.by_owner = arg_enum(args, "by"),
		.by_page  = arg_enum(args, "cell"),
		.has_from = arg_given(args, "from"),
		.from     = arg_u64(args, "from"),
		.cells    = arg_u64(args, "cells"),
	};
	struct view_args va;
	json_t *model;

	ctx_view_args(ctx, args, &va);
	model = view_map(ctx->lab, &choice, &va);
	if (!model)
		return -EINVAL;
	ctx_model(ctx, model, view_map_text, &va);
	return 0;
}

const struct cmd cmd_map = {
	.name    = "map",
	.summary = "a zone as a picture, by type or by who holds it",
	.args    = map_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = map_run,
	.group   = "Views",
};
