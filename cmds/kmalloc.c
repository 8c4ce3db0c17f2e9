/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kmalloc - take an object of at least SIZE bytes.
 *
 * The lab chooses the size class, or whole pages where no class is large
 * enough; what it chose comes back with the handle's member.
 */
#include <errno.h>

#include "op/op.h"
#include "shell/cmd.h"

static const struct arg kmalloc_args[] = {
	{ "SIZE", ARG_SIZE, NULL,         "bytes", NULL },
	{ "gfp",  ARG_GFP,  "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ "node", ARG_NODE, "local",      "node to take it from", NULL },
	{ 0 }
};

static int kmalloc_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_KMALLOC,
		.gfp  = arg_gfp(args, "gfp"),
		.node = arg_node(args, "node"),
		.size = arg_u64(args, "SIZE"),
	};

	if (!op.size)	/* the kernel answers with ZERO_SIZE_PTR, which is no memory */
		return fail(EINVAL, "0 bytes are no object that a handle could hold");
	return ctx_submit(ctx, &op);
}

const struct cmd cmd_kmalloc = {
	.name    = "kmalloc",
	.summary = "take an object of at least SIZE bytes",
	.args    = kmalloc_args,
	.flags   = CMD_NEEDS_LAB | CMD_MAKES_HANDLE | CMD_CHANGES,
	.run     = kmalloc_run,
	.group   = "Slab",
};
