/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reclaim - take pages away from fillers and caches, as a request that finds nothing would, or all that can go. */
#include "op/op.h"
#include "shell/cmd.h"

static const struct arg reclaim_args[] = {
	{ "N",    ARG_COUNT, "32",  "pages to free", NULL },
	{ "node", ARG_NODE,  "all", "only of this node", NULL },
	{ "pagecache", ARG_FLAG, "", "all clean file pages instead, as by writing 1 to drop_caches", NULL },
	{ "slab", ARG_FLAG, "", "all cached objects that were not used lately, as by writing 2 to it", NULL },
	{ 0 }
};

static int reclaim_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_RECLAIM, .cpu = (uint16_t)ctx->cpu, .node = arg_node(args, "node"), .n = arg_u64(args, "N"),
		.order = (uint8_t)((arg_flag(args, "pagecache") ? RECLAIM_PAGECACHE : 0) | (arg_flag(args, "slab") ? RECLAIM_SLAB : 0)),
	};
	struct op_result r;
	int ret = op_run(ctx->lab, &op, &r);

	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "reclaimed_pages", (json_int_t)r.got, "shrunk_objects", (json_int_t)r.shrunk));
	else if (r.shrunk)
		fprintf(ctx->out, "%llu pages were taken away; %llu cached objects were freed for it\n", (unsigned long long)r.got,
			(unsigned long long)r.shrunk);
	else
		fprintf(ctx->out, "%llu pages were taken away\n", (unsigned long long)r.got);
	return 0;
}

const struct cmd cmd_reclaim = {
	.name    = "reclaim",
	.summary = "take pages away from fillers and caches",
	.args    = reclaim_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = reclaim_run,
	.group   = "Pages",
};
