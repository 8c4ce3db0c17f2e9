/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot restore - bring the lab back to a state that was kept. Undo takes that back, too. */
#include <errno.h>

#include "op/named.h"
#include "shell/journal.h"
#include "shell/shell.h"

static const struct arg snapshot_restore_args[] = {
	{ "NAME", ARG_WORD, NULL, "the snapshot", (const char *const[]){ "SNAPSHOT", NULL } },
	{ 0 }
};

static int snapshot_restore_run(struct ctx *ctx, const struct args *args)
{
	struct lab_slot *slot = labs_of(&ctx->sh->labs, ctx->lab);
	const struct named_snapshot *s = named_need(ctx->lab, arg_word(args, "NAME"));
	int ret = s ? labs_become(slot, s->snap) : -ENOENT;

	ctx->lab = slot->lab;
	if (!ret)
		journal_restored(slot, s->script);
	return ret;
}

const struct cmd cmd_snapshot_restore = {
	.name    = "snapshot restore",
	.summary = "bring the lab back to a state that was kept",
	.args    = snapshot_restore_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES | CMD_READS_HOST,
	.run     = snapshot_restore_run,
	.group   = "Lab",
};
