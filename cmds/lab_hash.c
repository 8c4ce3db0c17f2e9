/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lab hash - a number for everything the lab has touched: equal for equal histories, wherever it is mapped. */
#include <inttypes.h>

#include "op/op.h"
#include "shell/cmd.h"

static int lab_hash_run(struct ctx *ctx, const struct args *args)
{
	char text[20];

	(void)args;
	snprintf(text, sizeof(text), "%016" PRIx64, lab_hash(ctx->lab));
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:s}", "hash", text));
	else
		fprintf(ctx->out, "%s\n", text);
	return 0;
}

const struct cmd cmd_lab_hash = {
	.name    = "lab hash",
	.summary = "a hash of everything the lab has touched",
	.flags   = CMD_NEEDS_LAB,
	.run     = lab_hash_run,
	.group   = "Lab",
};
