/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc_pages - take one block of 2^ORDER pages.
 *
 * Turns words into one op; the handle that comes back names the block.
 * Nothing here knows which list answered.
 */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg alloc_pages_args[] = {
	{ "ORDER", ARG_ORDER, NULL,         "pages in the block, as a power of two", NULL },
	{ "gfp",   ARG_GFP,   "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ "node",  ARG_NODE,  "local",      "node to try first", NULL },
	{ "type",  ARG_MTYPE, "by gfp",     "migratetype of the block", NULL },
	{ 0 }
};

static int alloc_pages_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind  = OP_ALLOC_PAGES,
		.order = (uint8_t)arg_order(args, "ORDER"),
		.gfp   = arg_gfp(args, "gfp") | arg_mtype(args, "type"),
		.node  = arg_node(args, "node"),
	};

	return ctx_submit(ctx, &op);
}

const struct cmd cmd_alloc_pages = {
	.name    = "alloc_pages",
	.summary = "take one block of 2^ORDER pages",
	.args    = alloc_pages_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = alloc_pages_run,
	.group   = "Pages",
};
