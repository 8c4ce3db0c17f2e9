/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache free_bulk - give all these objects back in one bulk call, in the order given. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg kmem_cache_free_bulk_args[] = {
	{ "NAME",   ARG_CACHE,   NULL, "the cache they go to", NULL },
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order",
	  (const char *const[]){ "CACHE_OBJECTS", "CACHED", NULL } },
	{ 0 }
};

static int kmem_cache_free_bulk_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_BULK, arg_cache(args, "NAME"));
}

const struct cmd cmd_kmem_cache_free_bulk = {
	.name    = "kmem_cache free_bulk",
	.summary = "give objects back to a cache in one call",
	.args    = kmem_cache_free_bulk_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_free_bulk_run,
	.group   = "Slab",
};
