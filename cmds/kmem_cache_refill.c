/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache refill - fill a sheaf that was handed out, if it holds less than N objects. */
#include "op/op.h"
#include "shell/cmd.h"
#include "shell/sheaf_ref.h"

static const struct arg kmem_cache_refill_args[] = {
	{ "HANDLE", ARG_HANDLE, NULL, "a sheaf of kmem_cache prefill",
	  (const char *const[]){ "SHEAVES", NULL } },
	{ "n",      ARG_COUNT,   "",           "objects that will be needed at most; all that it can hold, if not said", NULL },
	{ "gfp",    ARG_GFP,     "GFP_KERNEL", "flags in kernel spelling joined by |, or a number", NULL },
	{ 0 }
};

static int kmem_cache_refill_run(struct ctx *ctx, const struct args *args)
{
	struct refs refs = arg_refs(args, "HANDLE");
	struct op op = { .kind = OP_SHEAF_REFILL, .gfp = arg_gfp(args, "gfp"), .cpu = (uint16_t)ctx->cpu };
	struct op_result r;
	uint64_t capacity;
	int ret = sheaf_ref(ctx, refs, &op.off);

	if (ret)
		return ret;
	op_sheaf_objects(ctx->lab, op.off, &capacity);
	op.count = arg_given(args, "n") ? (uint32_t)arg_u64(args, "n") : (uint32_t)capacity;
	ret = op_run(ctx->lab, &op, &r);
	if (ret)
		return ret;
	ref_member(ctx->lab, refs.v[0])->off = r.off;	/* it may have been exchanged */
	op_sheaf_objects(ctx->lab, r.off, &capacity);
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "objects", (json_int_t)r.got, "capacity", (json_int_t)capacity));
	return 0;
}

const struct cmd cmd_kmem_cache_refill = {
	.name    = "kmem_cache refill",
	.summary = "fill a prefilled sheaf again",
	.args    = kmem_cache_refill_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_refill_run,
	.group   = "Slab",
};
