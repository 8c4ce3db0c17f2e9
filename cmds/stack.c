/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack - call stacks at an event.
 *
 * The first time an event is named its stacks begin to be kept; from then on
 * naming it shows them.
 */
#include <errno.h>
#include <string.h>

#include "event/stacks.h"
#include "op/tracing.h"
#include "shell/cmd.h"
#include "view/stack.h"

static const struct arg stack_args[] = {
	{ "EVENT",  ARG_WORD,  "",   "an event, zone_lock or list_lock; all that are kept without", (const char *const[]){ "EVENT", "zone_lock", "list_lock", NULL } },
	{ "n",      ARG_COUNT, "20", "paths shown at most", NULL },
	{ "folded", ARG_FLAG,  "",   "a line a path, as flame graphs take them", NULL },
	{ "off",    ARG_FLAG,  "",   "end it for this event, or for all, and forget the stacks", NULL },
	{ 0 }
};

static int show(struct ctx *ctx, const struct args *args, unsigned int event)
{
	struct view_args va;

	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, view_stack(ctx->lab, event, arg_u64(args, "n")),
		  arg_flag(args, "folded") ? view_stack_folded : view_stack_text, &va);
	return 0;
}

/* Every event whose stacks are kept; JSON is a list of them. */
static int show_all(struct ctx *ctx, const struct args *args)
{
	json_t *all = json_array();
	struct view_args va;

	ctx_view_args(ctx, args, &va);
	for (unsigned int event = 0; event < STACK_EVENTS; event++)
		if (stacks_wants(ctx->lab->stacks, event))
			json_array_append_new(all, view_stack(ctx->lab, event, arg_u64(args, "n")));
	for (size_t i = 0; i < json_array_size(all) && !ctx->json; i++)
		(arg_flag(args, "folded") ? view_stack_folded : view_stack_text)(json_array_get(all, i), &va, ctx->out);
	if (!json_array_size(all) && !ctx->json)
		fputs("no stacks are kept (stack EVENT begins)\n", ctx->out);
	if (ctx->json)
		ctx_answer(ctx, json_incref(all));
	json_decref(all);
	return 0;
}

static int stack_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "EVENT");
	int event = name ? stacks_find(name) : -1, ret;

	if (!name)
		return arg_flag(args, "off") ? op_stacks(ctx->lab, -1, false) : show_all(ctx, args);
	if (event < 0)
		return fail(ENOENT, "there is no event \"%s\" (help events), and no such lock (zone_lock, list_lock)", name);
	if (arg_flag(args, "off"))
		return op_stacks(ctx->lab, event, false);
	if (stacks_wants(ctx->lab->stacks, (unsigned int)event))
		return show(ctx, args, (unsigned int)event);
	ret = op_stacks(ctx->lab, event, true);
	if (!ret)
		ctx_note(ctx, "call stacks at %s are kept from now on", stacks_name((unsigned int)event));
	return ret ? ret : ctx->json ? show(ctx, args, (unsigned int)event) : 0;
}

const struct cmd cmd_stack = {
	.name    = "stack",
	.summary = "call stacks at an event, as a tree with counts",
	.args    = stack_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = stack_run,
	.group   = "Views",
};
