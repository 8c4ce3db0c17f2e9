/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache alloc - take an object of a cache. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_alloc_args[] = {
	{ "NAME", ARG_CACHE, NULL,         "the cache", NULL },
	{ "gfp",  ARG_GFP,   "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ "node", ARG_NODE,  "local",      "node to take it from", NULL },
	{ 0 }
};

static int kmem_cache_alloc_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind  = OP_CACHE_ALLOC,
		.cache = arg_cache(args, "NAME"),
		.gfp   = arg_gfp(args, "gfp"),
		.node  = arg_node(args, "node"),
	};

	return ctx_submit(ctx, &op);
}

const struct cmd cmd_kmem_cache_alloc = {
	.name    = "kmem_cache alloc",
	.summary = "take an object of a cache",
	.args    = kmem_cache_alloc_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = kmem_cache_alloc_run,
	.group   = "Slab",
};
