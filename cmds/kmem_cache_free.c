/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache free - give objects back to a cache, one op an object. */
#include <errno.h>

#include "shell/cmd.h"
#include "shell/release.h"
#include "shell/spot_at.h"

static const struct arg kmem_cache_free_args[] = {
	{ "NAME",   ARG_CACHE,   NULL, "the cache they go to", NULL },
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order",
	  (const char *const[]){ "CACHE_OBJECTS", "CACHED", NULL } },
	{ "--rcu",  ARG_FLAG,    "",   "after a grace period: when every CPU was between two ops", NULL },
	{ "--force", ARG_FLAG,   "",   "free what was freed before, or at offset=: a wrong act that debugging reports", NULL },
	{ "offset", ARG_WORD,    "",   "with --force: free the address so many bytes into each", NULL },
	{ 0 }
};

static int kmem_cache_free_run(struct ctx *ctx, const struct args *args)
{
	const char *offset = arg_word(args, "offset");
	int64_t at = 0;
	int ret = offset ? spot_offset(offset, &at) : 0;

	if (ret)
		return ret;
	if (arg_flag(args, "--rcu") && (arg_flag(args, "--force") || offset))
		return fail(EINVAL, "--rcu frees objects that are out: not with --force or offset=");
	if (arg_flag(args, "--force"))
		return ctx_release_forced(ctx, arg_refs(args, "HANDLE"), RELEASE_CACHE, arg_cache(args, "NAME"), at);
	if (at)
		return fail(EINVAL, "offset= frees what is no object: only with --force");
	return ctx_release(ctx, arg_refs(args, "HANDLE"), arg_flag(args, "--rcu") ? RELEASE_CACHE_RCU : RELEASE_CACHE,
			   arg_cache(args, "NAME"));
}

const struct cmd cmd_kmem_cache_free = {
	.name    = "kmem_cache free",
	.summary = "give objects back to a cache",
	.args    = kmem_cache_free_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_free_run,
	.group   = "Slab",
};
