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
	{ "WHAT", ARG_WORDS, NULL, "a handle or slice, a page (pfn:N), an address (addr:N), or a number",
	  (const char *const[]){ "HANDLE", NULL } },
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

static json_t *slice_model(struct ctx *ctx, const char *word)
{
	uint64_t rand = ctx->lab->hdr->rand;	/* a look does not move the lab's own */
	struct ref_list refs = { 0 };
	json_t *model = NULL;

	if (!refs_read(ctx->lab, &rand, word, &refs))
		model = model_of(ctx, &refs);
	refs_free(&refs);
	return model;
}

/* One word's answer as text, or as one more of `all`. */
static int where_one(struct ctx *ctx, const char *word, struct view_args *va, json_t *all)
{
	const char *const words[] = { word, NULL };
	const struct view *view = view_find("where");
	json_t *model;

	va->name = word;
	va->words = words;
	model = strchr(word, '[') ? slice_model(ctx, word) : view->model(ctx->lab, va);
	if (!model)
		return -EINVAL;
	if (ctx->json)
		return json_array_append_new(all, model), 0;
	ctx_model(ctx, model, view->text, va);
	return 0;
}

/* JSON of one word is its answer, of several a list of theirs. */
static int where_run(struct ctx *ctx, const struct args *args)
{
	json_t *all = json_array();
	unsigned int nr, i;
	char *const *words = arg_words(args, "WHAT", &nr);
	struct view_args va;
	int ret = 0;

	ctx_view_args(ctx, args, &va);
	for (i = 0; i < nr && !ret; i++)
		ret = where_one(ctx, words[i], &va, all);
	if (!ret && ctx->json)
		ctx_answer(ctx, json_incref(nr == 1 ? json_array_get(all, 0) : all));
	json_decref(all);
	return ret;
}

const struct cmd cmd_where = {
	.name    = "where",
	.summary = "where members of a handle, a page or an address lie",
	.args    = where_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = where_run,
	.group   = "Views",
};
