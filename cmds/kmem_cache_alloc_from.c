/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache alloc_from - take an object of a sheaf that was handed out. */
#include "op/op.h"
#include "shell/cmd.h"
#include "shell/sheaf_ref.h"

static const struct arg kmem_cache_alloc_from_args[] = {
	{ "HANDLE", ARG_HANDLE, NULL, "a sheaf of kmem_cache prefill",
	  (const char *const[]){ "SHEAVES", NULL } },
	{ "gfp",    ARG_GFP,     "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ 0 }
};

static int kmem_cache_alloc_from_run(struct ctx *ctx, const struct args *args)
{
	struct op op = { .kind = OP_SHEAF_ALLOC, .gfp = arg_gfp(args, "gfp"), .node = -1 };
	int ret = sheaf_ref(ctx, arg_refs(args, "HANDLE"), &op.off);

	return ret ? ret : ctx_submit(ctx, &op);
}

const struct cmd cmd_kmem_cache_alloc_from = {
	.name    = "kmem_cache alloc_from",
	.summary = "take an object of a prefilled sheaf",
	.args    = kmem_cache_alloc_from_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = kmem_cache_alloc_from_run,
	.group   = "Slab",
};
