/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lru list - the LRU lists of each node and zone, their fillers, cached objects, and what workers do. */
#include "shell/cmd.h"

static const struct arg lru_list_args[] = {
	{ "HANDLE", ARG_WORD, "", "one filler's pages; all lists without",
	  (const char *const[]){ "FILLERS", "CACHED", NULL } },
	{ 0 }
};

static int lru_list_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "lru");
}

const struct cmd cmd_lru_list = {
	.name    = "lru list",
	.summary = "LRU lists, fillers, cached objects, and what kswapd does",
	.args    = lru_list_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = lru_list_run,
	.group   = "Pages",
};
