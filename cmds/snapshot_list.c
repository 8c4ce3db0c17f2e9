/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot list - the states of this lab that were kept, the last one first. */
#include "base/units.h"
#include "op/named.h"
#include "shell/cmd.h"

static int snapshot_list_run(struct ctx *ctx, const struct args *args)
{
	json_t *all = json_array();
	char time[32];

	(void)args;
	for (const struct named_snapshot *s = ctx->lab->snapshots; s; s = s->next) {
		json_array_append_new(all, json_pack("{s:o, s:I, s:I}", "name", json_text(s->name), "ops",
						     (json_int_t)s->ops, "time_ns", (json_int_t)s->time_ns));
		if (!ctx->json)
			fprintf(ctx->out, "%-20s after %llu ops, at %s\n", s->name, (unsigned long long)s->ops,
				format_ns(s->time_ns, time, sizeof(time)));
	}
	if (!ctx->json && !ctx->lab->snapshots)
		fprintf(ctx->out, "lab %s has no snapshots\n", ctx->lab->name);
	ctx_answer(ctx, all);
	return 0;
}

const struct cmd cmd_snapshot_list = {
	.name    = "snapshot list",
	.summary = "list the states of this lab that were kept",
	.flags   = CMD_NEEDS_LAB,
	.run     = snapshot_list_run,
	.group   = "Lab",
};
