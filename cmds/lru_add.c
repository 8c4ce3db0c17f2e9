/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lru add - fill memory with pages that may be taken away again.
 *
 * Each member of the handle is an entry: it stays the handle's own while
 * reclaim evicts its page, or compaction gives it another.
 */
#include <errno.h>

#include "op/op.h"
#include "shell/cmd.h"

static const struct arg lru_add_args[] = {
	{ "KIND",  ARG_ENUM, NULL, "file or anon", (const char *const[]){ "anon", "file", NULL } },
	{ "N",     ARG_COUNT, NULL, "pages", NULL },
	{ "gfp",   ARG_GFP,  "GFP_HIGHUSER_MOVABLE", "flags in kernel spelling joined by |, or a number", NULL },
	{ "node",  ARG_NODE, "local", "node to try first", NULL },
	{ "dirty", ARG_FLAG, "", "pages that have to be written before they can go; a writer does so each second of lab time", NULL },
	{ 0 }
};

static int lru_add_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_LRU_ADD,
		.gfp  = arg_gfp(args, "gfp"),
		.node = arg_node(args, "node"),
		.size = (arg_enum(args, "KIND") ? LRU_ADD_FILE : 0) | (arg_flag(args, "dirty") ? LRU_ADD_DIRTY : 0),
	};
	uint64_t times = ctx->times;
	int ret;

	if (__builtin_mul_overflow(times, arg_u64(args, "N"), &ctx->times) || ctx->times > UINT32_MAX)
		return fail(ERANGE, "so many pages no lab has");
	ret = ctx_submit(ctx, &op);
	ctx->times = times;
	return ret;
}

const struct cmd cmd_lru_add = {
	.name    = "lru add",
	.summary = "fill memory with pages that reclaim may take away",
	.args    = lru_add_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = lru_add_run,
	.group   = "Pages",
};
