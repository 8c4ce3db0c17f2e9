/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * undo - take back the last commands that changed this lab.
 *
 * Shell and script alike; looks do not count. The journal does the work; here
 * it is told how far back one can still go.
 */
#include "shell/journal.h"
#include "base/units.h"
#include "shell/shell.h"

static const struct arg undo_args[] = {
	{ "N", ARG_COUNT, "1", "how many commands", NULL },
	{ 0 }
};

static int undo_run(struct ctx *ctx, const struct args *args)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	uint64_t n = arg_u64(args, "N"), left;
	int ret = journal_undo(ctx->sh, slot, n);

	ctx->lab = slot->lab;
	if (ret)
		return ret;
	left = journal_reach(slot);
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I, s:I}", "undone", (json_int_t)n, "left", (json_int_t)left));
	else
		fprintf(ctx->out, "undone: %llu command%s; %llu more can be\n", (unsigned long long)n,
			plural(n), (unsigned long long)left);
	return 0;
}

const struct cmd cmd_undo = {
	.name    = "undo",
	.summary = "take back the last commands that changed this lab",
	.args    = undo_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = undo_run,
	.group   = "Lab",
};
