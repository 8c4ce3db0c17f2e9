/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache destroy - end a cache that has no live object. */
#include "op/op.h"
#include "shell/cmd.h"
#include "shell/jobs.h"

static const struct arg kmem_cache_destroy_args[] = {
	{ "NAME", ARG_CACHE, NULL, "the cache", NULL },
	{ 0 }
};

static int kmem_cache_destroy_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_CACHE_DESTROY, .cpu = (uint16_t)ctx->cpu, .node = -1, .cache = arg_cache(args, "NAME"),
	};
	struct op_result r;
	int ret = job_refuses_cache(ctx->sh, ctx->lab, op.cache);

	return ret ? ret : op_run(ctx->lab, &op, &r);
}

const struct cmd cmd_kmem_cache_destroy = {
	.name    = "kmem_cache destroy",
	.summary = "end a cache that has no live object",
	.args    = kmem_cache_destroy_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_destroy_run,
	.group   = "Slab",
};
