/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lru touch - use pages of a filler, or cached objects; those that were taken away come back. */
#include <errno.h>

#include "op/op.h"
#include "shell/cmd.h"

static const struct arg lru_touch_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles of lru add or lru cache, or slices of them",
	  (const char *const[]){ "FILLERS", "CACHED", NULL } },
	{ 0 }
};

static bool is_reclaimable(const struct member *m)
{
	return m->kind == MEMBER_LRU || m->kind == MEMBER_CACHED;
}

static int lru_touch_run(struct ctx *ctx, const struct args *args)
{
	struct refs refs = arg_refs(args, "HANDLE");
	uint64_t back = 0;
	int ret = 0;

	for (size_t i = 0; i < refs.nr; i++)
		if (!is_reclaimable(ref_member(ctx->lab, refs.v[i])))
			return fail(EINVAL, "%s[%u] is no page of a filler and no cached object (lru add, lru cache)", refs.v[i].h->name,
				    refs.v[i].index);
	lab_hold(ctx->lab);
	for (size_t i = 0; i < refs.nr && !ret; i++) {
		struct op op = {
			.kind = OP_LRU_TOUCH, .cpu = (uint16_t)ctx->cpu, .node = -1, .off = ref_member(ctx->lab, refs.v[i])->off,
		};
		struct op_result r;

		ret = op_run(ctx->lab, &op, &r);
		back += r.got;
		if (ret)
			fail_in(ret, "after %zu of %zu: ", i, refs.nr);
	}
	lab_release(ctx->lab);
	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "touched", (json_int_t)refs.nr, "refaults", (json_int_t)back));
	else if (back)
		fprintf(ctx->out, "%llu of %zu had been taken away and came back\n", (unsigned long long)back, refs.nr);
	return 0;
}

const struct cmd cmd_lru_touch = {
	.name    = "lru touch",
	.summary = "use pages of a filler, or cached objects",
	.args    = lru_touch_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = lru_touch_run,
	.group   = "Pages",
};
