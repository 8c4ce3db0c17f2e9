/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * where - where members of a handle, a page or an address lie.
 *
 * A slice chooses members here; any other word is the view's own to read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/cmd.h"
#include "shell/handle_ref.h"
#include "view/view.h"

static const struct arg where_args[] = {
	{ "WHAT", ARG_WORD, NULL, "a handle or slice, a page (pfn:N), an address (addr:N), or a number", NULL },
	{ 0 }
};

/* The members that a slice names, and their indexes, copied out of their handle. */
static json_t *model_of(struct ctx *ctx, const struct ref_list *refs)
{
	struct member *members = calloc(refs->nr, sizeof(*members));
	uint32_t *indexes = calloc(refs->nr, sizeof(*indexes));
	json_t *model = NULL;

	for (size_t i = 0; members && indexes && i < refs->nr; i++) {
		members[i] = *ref_member(ctx->lab, refs->v[i]);
		indexes[i] = refs->v[i].index;
	}
	if (members && indexes)
		model = view_where_members(ctx->lab, refs->v[0].h->name, members, indexes, (unsigned int)refs->nr);
	else
		fail(ENOMEM, "the host has no memory for %zu members", refs->nr);
	free(members);
	free(indexes);
	return model;
}

static int where_slice(struct ctx *ctx, const struct args *args)
{
	uint64_t rand = ctx->lab->hdr->rand;	/* a look does not move the lab's own */
	struct ref_list refs = { 0 };
	struct view_args va;
	json_t *model = NULL;
	int ret = refs_read(ctx->lab, &rand, arg_word(args, "WHAT"), &refs);

	if (!ret) {
		model = model_of(ctx, &refs);
		ret = model ? 0 : -EINVAL;
	}
	refs_free(&refs);
	if (ret)
		return ret;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, model, view_find("where")->text, &va);
	return 0;
}

static int where_run(struct ctx *ctx, const struct args *args)
{
	if (strchr(arg_word(args, "WHAT"), '['))
		return where_slice(ctx, args);
	return ctx_view(ctx, args, "where");
}

const struct cmd cmd_where = {
	.name    = "where",
	.summary = "where members of a handle, a page or an address lie",
	.args    = where_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = where_run,
	.group   = "Views",
};
