/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stores - every store, who uses it, and what pins those that drain. */
#include "shell/cmd.h"

static int stores_run(struct ctx *ctx, const struct args *args)
{
	return ctx_view(ctx, args, "stores");
}

const struct cmd cmd_stores = {
	.name    = "stores",
	.summary = "every store, who uses it, and what pins those that drain",
	.flags   = CMD_NEEDS_LAB,
	.run     = stores_run,
	.group   = "Views",
};
