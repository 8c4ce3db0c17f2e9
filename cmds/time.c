/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time - run a command and tell how long it took, by the host's clock and by
 * the lab's.
 *
 * Before a block (`time repeat 9 { … }`) it is the parser's; the words of
 * `time NAME = COMMAND` come here as they stand.
 */
#include <string.h>

#include "shell/dispatch.h"
#include "shell/parse.h"
#include "shell/timing.h"

static const struct arg time_args[] = {
	{ "COMMAND", ARG_COMMAND, NULL, "a command and its words, or a block", NULL },
	{ 0 }
};

static int time_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *words = arg_words(args, "COMMAND", &nr);
	struct timing t;
	int ret;

	if (nr > 2 && !ctx->handle_name && !strcmp(words[1], "=") && is_name(words[0])) {
		ctx->handle_name = words[0];
		words += 2;
		nr -= 2;
	}
	timing_begin(&t, ctx->lab);
	ret = dispatch_inner(ctx, words, nr);
	timing_end(&t, ctx->sh);
	ctx->lab = (struct lab *)t.lab;
	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, timing_json(&t));
	else
		timing_print(&t, ctx->out);
	return 0;
}

const struct cmd cmd_time = {
	.name    = "time",
	.summary = "run a command and tell how long it took",
	.args    = time_args,
	.flags   = CMD_NEEDS_LAB | CMD_RUNS_COMMAND,
	.run     = time_run,
	.group   = "Session",
};
