/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kfree - give objects back, whatever cache they are of. */
#include <errno.h>

#include "shell/cmd.h"
#include "shell/release.h"
#include "shell/spot_at.h"

static const struct arg kfree_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order",
	  (const char *const[]){ "OBJECTS", "CACHED", NULL } },
	{ "--rcu",  ARG_FLAG,    "",   "after a grace period: when every CPU was between two ops", NULL },
	{ "--force", ARG_FLAG,   "",   "free what was freed before, or at offset=: a wrong act that debugging reports", NULL },
	{ "offset", ARG_WORD,    "",   "with --force: free the address so many bytes into each", NULL },
	{ 0 }
};

static int kfree_run(struct ctx *ctx, const struct args *args)
{
	const char *offset = arg_word(args, "offset");
	int64_t at = 0;
	int ret = offset ? spot_offset(offset, &at) : 0;

	if (ret)
		return ret;
	if (arg_flag(args, "--rcu") && (arg_flag(args, "--force") || offset))
		return fail(EINVAL, "--rcu frees objects that are out: not with --force or offset=");
	if (arg_flag(args, "--force"))
		return ctx_release_forced(ctx, arg_refs(args, "HANDLE"), RELEASE_KFREE, 0, at);
	if (at)
		return fail(EINVAL, "offset= frees what is no object: only with --force");
	return ctx_release(ctx, arg_refs(args, "HANDLE"), arg_flag(args, "--rcu") ? RELEASE_KFREE_RCU : RELEASE_KFREE, 0);
}

const struct cmd cmd_kfree = {
	.name    = "kfree",
	.summary = "give objects back",
	.args    = kfree_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kfree_run,
	.group   = "Slab",
};
