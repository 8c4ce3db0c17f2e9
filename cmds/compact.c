/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compact - move pages of whole zones together, so that large blocks come free. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg compact_args[] = {
	{ "node", ARG_NODE, "all", "only this node", NULL },
	{ 0 }
};

static int compact_run(struct ctx *ctx, const struct args *args)
{
	struct op op = { .kind = OP_COMPACT, .cpu = (uint16_t)ctx->cpu, .node = arg_node(args, "node") };
	struct op_result r;
	int ret = op_run(ctx->lab, &op, &r);

	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "moved_pages", (json_int_t)r.got));
	else
		fprintf(ctx->out, "%llu pages were moved\n", (unsigned long long)r.got);
	return 0;
}

const struct cmd cmd_compact = {
	.name    = "compact",
	.summary = "move pages together, so that large blocks come free",
	.args    = compact_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = compact_run,
	.group   = "Pages",
};
