/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc_pages_bulk - take N single pages in one call.
 *
 * The kernel's bulk call may give fewer than asked for; the handle holds what
 * came, and that is no failure as long as anything did.
 */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg alloc_pages_bulk_args[] = {
	{ "N",    ARG_COUNT, NULL,         "pages wanted", NULL },
	{ "gfp",  ARG_GFP,   "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ "node", ARG_NODE,  "local",      "node to try first", NULL },
	{ "type", ARG_MTYPE, "by gfp",     "migratetype of the pages", NULL },
	{ 0 }
};

static int alloc_pages_bulk_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_ALLOC_PAGES_BULK,
		.gfp  = arg_gfp(args, "gfp") | arg_mtype(args, "type"),
		.node = arg_node(args, "node"),
		.n    = arg_u64(args, "N"),
	};
	uint64_t before = ctx->made_nr;
	int ret = ctx_submit(ctx, &op);

	if (!ret && ctx->made_nr - before < op.n * ctx->times)
		ctx_note(ctx, "%llu of %llu pages were given", (unsigned long long)(ctx->made_nr - before),
			 (unsigned long long)(op.n * ctx->times));
	return ret;
}

const struct cmd cmd_alloc_pages_bulk = {
	.name    = "alloc_pages_bulk",
	.summary = "take N single pages in one call",
	.args    = alloc_pages_bulk_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = alloc_pages_bulk_run,
	.group   = "Pages",
};
