/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache free - give objects back to a cache, one op an object. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg kmem_cache_free_args[] = {
	{ "NAME",   ARG_CACHE,   NULL, "the cache they go to", NULL },
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order", NULL },
	{ 0 }
};

static int kmem_cache_free_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_CACHE, arg_cache(args, "NAME"));
}

const struct cmd cmd_kmem_cache_free = {
	.name    = "kmem_cache free",
	.summary = "give objects back to a cache",
	.args    = kmem_cache_free_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_free_run,
	.group   = "Slab",
};
