/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reclaim - take pages away from fillers, as a request that finds nothing would. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg reclaim_args[] = {
	{ "N",    ARG_COUNT, "32",  "pages to free", NULL },
	{ "node", ARG_NODE,  "all", "only of this node", NULL },
	{ 0 }
};

static int reclaim_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_RECLAIM, .cpu = (uint16_t)ctx->cpu, .node = arg_node(args, "node"), .n = arg_u64(args, "N"),
	};
	struct op_result r;
	int ret = op_run(ctx->lab, &op, &r);

	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "reclaimed_pages", (json_int_t)r.got));
	else
		fprintf(ctx->out, "%llu pages were taken away\n", (unsigned long long)r.got);
	return 0;
}

const struct cmd cmd_reclaim = {
	.name    = "reclaim",
	.summary = "take pages away from fillers",
	.args    = reclaim_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = reclaim_run,
	.group   = "Pages",
};
