/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kmem_cache tune - the three sizes of the queued engine's arrays, at once.
 *
 * What a write to /proc/slabinfo does in a kernel with that engine: arrays are
 * made anew and what they held goes back to the slabs, even if no size changes.
 */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_tune_args[] = {
	{ "NAME",   ARG_CACHE, NULL, "the cache", NULL },
	{ "LIMIT",  ARG_NUMBER, NULL, "objects that a CPU's array holds", NULL },
	{ "BATCH",  ARG_NUMBER, NULL, "objects that one refill or flush moves", NULL },
	{ "SHARED", ARG_NUMBER, NULL, "batches that the array shared by a node's CPUs holds", NULL },
	{ 0 }
};

static int kmem_cache_tune_run(struct ctx *ctx, const struct args *args)
{
	return op_cache_tune(ctx->lab, arg_cache(args, "NAME"), (uint32_t)arg_u64(args, "LIMIT"),
			     (uint32_t)arg_u64(args, "BATCH"), (uint32_t)arg_u64(args, "SHARED"));
}

const struct cmd cmd_kmem_cache_tune = {
	.name    = "kmem_cache tune",
	.summary = "size the arrays of a cache of engine slab",
	.args    = kmem_cache_tune_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_tune_run,
	.group   = "Slab",
};
