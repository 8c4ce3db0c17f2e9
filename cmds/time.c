/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time - run a command and tell how long it took, by the host's clock and by
 * the lab's.
 */
#include <time.h>

#include "base/units.h"
#include "shell/dispatch.h"

static const struct arg time_args[] = {
	{ "COMMAND", ARG_COMMAND, NULL, "a command and its words", NULL },
	{ 0 }
};

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void tell(struct ctx *ctx, uint64_t host, uint64_t lab)
{
	char a[32], b[32];

	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I, s:I}", "host_ns", (json_int_t)host, "lab_ns", (json_int_t)lab));
	else
		fprintf(ctx->out, "time: %s (lab clock: %s)\n", format_ns(host, a, sizeof(a)),
			format_ns(lab, b, sizeof(b)));
}

static int time_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *words = arg_words(args, "COMMAND", &nr);
	uint64_t lab = ctx->lab ? lab_now(ctx->lab) : 0, host = host_ns(), took;
	const struct lab_slot *slot;
	int ret = dispatch_inner(ctx, words, nr);

	took = host_ns() - host;
	/* The command may have put another lab in its place (replay sizes it), with a clock of its own. */
	slot = labs_of(&ctx->sh->labs, ctx->lab);
	if (!slot)
		ctx->lab = NULL;
	if (!ret)
		tell(ctx, took, slot ? lab_now(slot->lab) - lab : 0);
	return ret;
}

const struct cmd cmd_time = {
	.name    = "time",
	.summary = "run a command and tell how long it took",
	.args    = time_args,
	.flags   = CMD_NEEDS_LAB | CMD_RUNS_COMMAND,
	.run     = time_run,
	.group   = "Session",
};
