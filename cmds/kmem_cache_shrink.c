/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache shrink - give back empty slabs and sort the partial lists. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_shrink_args[] = {
	{ "NAME", ARG_CACHE, NULL, "the cache", NULL },
	{ 0 }
};

static int kmem_cache_shrink_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_CACHE_SHRINK, .cpu = (uint16_t)ctx->cpu, .node = -1, .cache = arg_cache(args, "NAME"),
	};
	struct op_result r;

	return op_run(ctx->lab, &op, &r);
}

const struct cmd cmd_kmem_cache_shrink = {
	.name    = "kmem_cache shrink",
	.summary = "give back empty slabs and sort the partial lists",
	.args    = kmem_cache_shrink_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_shrink_run,
	.group   = "Slab",
};
