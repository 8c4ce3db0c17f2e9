/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace on - keep what happens in the lab, event by event. */
#include "op/tracing.h"
#include "shell/cmd.h"

static const struct arg trace_on_args[] = {
	{ "size", ARG_COUNT, "", "entries that each CPU's ring holds (default: 65536, or as before)", NULL },
	{ "EVENT", ARG_WORDS, "", "events to keep, with * for any letters (default: all)",
	  (const char *const[]){ "TRACE", NULL } },
	{ 0 }
};

static int trace_on_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *globs = arg_words(args, "EVENT", &nr);

	return op_trace_on(ctx->lab, globs, nr, arg_given(args, "size") ? arg_u64(args, "size") : 0);
}

const struct cmd cmd_trace_on = {
	.name    = "trace on",
	.summary = "keep what happens in the lab, event by event",
	.args    = trace_on_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = trace_on_run,
	.group   = "Views",
};
