/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kmem_cache reap - one pass of a queued engine's timer, now and on this CPU.
 *
 * Sleeping runs the timers of all CPUs as they fall due; this is one of them
 * alone, to see what it does.
 */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmem_cache_reap_args[] = {
	{ "NAME",  ARG_CACHE, NULL, "the cache", NULL },
	{ "node",  ARG_FLAG,  "",   "with the node's part: shared array and free slabs", NULL },
	{ "alien", ARG_NODE,  "-1", "the other node whose objects are due to go home", NULL },
	{ 0 }
};

static int kmem_cache_reap_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_CACHE_REAP, .cpu = (uint16_t)ctx->cpu, .cache = arg_cache(args, "NAME"),
		.n = arg_flag(args, "node") ? REAP_PART_NODE : REAP_PART_CPU,
		.node = arg_node(args, "alien"),
	};
	struct op_result r;

	return op_run(ctx->lab, &op, &r);
}

const struct cmd cmd_kmem_cache_reap = {
	.name    = "kmem_cache reap",
	.summary = "one pass of a queued engine's timer on this CPU",
	.args    = kmem_cache_reap_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_reap_run,
	.group   = "Slab",
};
