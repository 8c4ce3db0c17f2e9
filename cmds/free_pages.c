/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free_pages - give blocks of pages back, each with the order it was taken with. */
#include "shell/cmd.h"
#include "shell/release.h"

static const struct arg free_pages_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles or slices, freed in this order",
	  (const char *const[]){ "PAGES", NULL } },
	{ 0 }
};

static int free_pages_run(struct ctx *ctx, const struct args *args)
{
	return ctx_release(ctx, arg_refs(args, "HANDLE"), RELEASE_PAGES, 0);
}

const struct cmd cmd_free_pages = {
	.name    = "free_pages",
	.summary = "give blocks of pages back",
	.args    = free_pages_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = free_pages_run,
	.group   = "Pages",
};
