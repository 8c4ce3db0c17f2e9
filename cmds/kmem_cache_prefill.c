/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache prefill - take a sheaf that holds N objects or more, to allocate from later. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_prefill_args[] = {
	{ "NAME", ARG_CACHE, NULL,         "the cache", NULL },
	{ "N",    ARG_COUNT, NULL,         "objects that will be needed at most", NULL },
	{ "gfp",  ARG_GFP,   "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ 0 }
};

static int kmem_cache_prefill_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind  = OP_SHEAF_PREFILL,
		.cache = arg_cache(args, "NAME"),
		.n     = arg_u64(args, "N"),
		.gfp   = arg_gfp(args, "gfp"),
		.node  = -1,
	};

	return ctx_submit(ctx, &op);
}

const struct cmd cmd_kmem_cache_prefill = {
	.name    = "kmem_cache prefill",
	.summary = "take a sheaf of objects, to allocate from",
	.args    = kmem_cache_prefill_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = kmem_cache_prefill_run,
	.group   = "Slab",
};
