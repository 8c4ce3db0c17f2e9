/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache alloc_bulk - take N objects of a cache in one call: all of them or none. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_alloc_bulk_args[] = {
	{ "NAME", ARG_CACHE, NULL,         "the cache", NULL },
	{ "N",    ARG_COUNT, NULL,         "objects", NULL },
	{ "gfp",  ARG_GFP,   "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ 0 }
};

static int kmem_cache_alloc_bulk_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind  = OP_CACHE_ALLOC_BULK,
		.cache = arg_cache(args, "NAME"),
		.gfp   = arg_gfp(args, "gfp"),
		.node  = -1,
		.n     = arg_u64(args, "N"),
	};

	return ctx_submit(ctx, &op);
}

const struct cmd cmd_kmem_cache_alloc_bulk = {
	.name    = "kmem_cache alloc_bulk",
	.summary = "take N objects of a cache in one call, all or none",
	.args    = kmem_cache_alloc_bulk_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = kmem_cache_alloc_bulk_run,
	.group   = "Slab",
};
