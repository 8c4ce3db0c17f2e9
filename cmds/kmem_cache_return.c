/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache return - give sheaves of kmem_cache prefill back, with what they hold. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg kmem_cache_return_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "sheaves of kmem_cache prefill, or slices of such handles",
	  (const char *const[]){ "SHEAVES", NULL } },
	{ 0 }
};

static int kmem_cache_return_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_SHEAF, 0);
}

const struct cmd cmd_kmem_cache_return = {
	.name    = "kmem_cache return",
	.summary = "give prefilled sheaves back",
	.args    = kmem_cache_return_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_return_run,
	.group   = "Slab",
};
