/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reclaim - take pages away from fillers and caches, as a request that finds nothing would, or all that can go. */
#include <errno.h>

#include "op/op.h"
#include "shell/cmd.h"

static const struct arg reclaim_args[] = {
	{ "N",    ARG_COUNT, "32",  "pages to free", NULL },
	{ "node", ARG_NODE,  "all", "only of this node", NULL },
	{ "pagecache", ARG_FLAG, "", "all clean file pages instead, as by writing 1 to drop_caches", NULL },
	{ "slab", ARG_FLAG, "", "all cached objects that were not used lately, as by writing 2 to it", NULL },
	{ 0 }
};

static void say_taken(FILE *to, const struct op_result *r)
{
	fprintf(to, "%llu %s taken away", (unsigned long long)r->got, r->got == 1 ? "page was" : "pages were");
	if (r->shrunk)
		fprintf(to, "; %llu cached %s freed for it", (unsigned long long)r->shrunk, r->shrunk == 1 ? "object was" : "objects were");
	fputc('\n', to);
}

static int reclaim_run(struct ctx *ctx, const struct args *args)
{
	struct op op = {
		.kind = OP_RECLAIM, .cpu = (uint16_t)ctx->cpu, .node = arg_node(args, "node"), .n = arg_u64(args, "N"),
		.order = (uint8_t)((arg_flag(args, "pagecache") ? RECLAIM_PAGECACHE : 0) | (arg_flag(args, "slab") ? RECLAIM_SLAB : 0)),
	};
	struct op_result r;
	int ret;

	if (op.order && arg_given(args, "N"))
		return fail(EINVAL, "pagecache and slab take all that can go: no number of pages beside them");
	ret = op_run(ctx->lab, &op, &r);
	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "reclaimed_pages", (json_int_t)r.got, "shrunk_objects", (json_int_t)r.shrunk));
	else
		say_taken(ctx->out, &r);
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
