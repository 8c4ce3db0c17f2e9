/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch - run a command again and again, and let time pass in between.
 *
 * Between two looks `sleep INTERVAL` is run, by name: timers that fall due
 * run, so that there is something to see, and whoever keeps track of commands
 * sees it too. On a terminal the screen is painted anew each time and the
 * host's time passes as well; a script in virtual time waits for nothing.
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "shell/dispatch.h"

#define STEP_NS 50000000	/* between two looks at Ctrl-C */
#define LEAST_NS 20000000	/* faster no eye follows */

static const struct arg watch_args[] = {
	{ "n",        ARG_COUNT,   "",   "how often; until Ctrl-C without", NULL },
	{ "INTERVAL", ARG_TIME,    NULL, "time between two looks: 10ms, 1s", NULL },
	{ "COMMAND",  ARG_COMMAND, NULL, "a command and its words", NULL },
	{ 0 }
};

static bool on_screen(const struct ctx *ctx)
{
	return ctx->out == stdout && isatty(STDOUT_FILENO) && !ctx->json;
}

static void title(struct ctx *ctx, char *const *words, uint64_t ns)
{
	char every[32], now[32];

	fprintf(ctx->out, "\033[H\033[2Jevery %s:", format_ns(ns, every, sizeof(every)));
	for (; *words; words++)
		fprintf(ctx->out, " %s", *words);
	fprintf(ctx->out, "   (lab clock %s; Ctrl-C ends)\n\n", format_ns(lab_now(ctx->lab), now, sizeof(now)));
}

static void wait_on_host(struct ctx *ctx, uint64_t ns)
{
	while (ns && !ctx_stopped(ctx)) {
		uint64_t step = ns < STEP_NS ? ns : STEP_NS;
		struct timespec t = { .tv_nsec = (long)step };

		nanosleep(&t, NULL);
		ns -= step;
	}
}

/* The lab's time passes, and before a screen the host's: in real time they are the same. */
static int pass(struct ctx *ctx, const char *interval, uint64_t ns)
{
	char *const sleep[] = { "sleep", (char *)interval, NULL };

	if (on_screen(ctx) && !ctx->lab->hdr->shape.clock_real)
		wait_on_host(ctx, ns > LEAST_NS ? ns : LEAST_NS);
	return ctx_stopped(ctx) ? 0 : dispatch_inner(ctx, sleep, 2);
}

static int watch_run(struct ctx *ctx, const struct args *args)
{
	uint64_t ns = arg_u64(args, "INTERVAL"), n = arg_given(args, "n") ? arg_u64(args, "n") : UINT64_MAX;
	unsigned int nr;
	char *const *words = arg_words(args, "COMMAND", &nr);
	bool cut = false;
	int ret = 0;

	if (ctx->handle_name)
		return fail(EINVAL, "it runs again and again, \"%s\" would stand for the last round only: name handles in a repeat { }",
			    ctx->handle_name);
	for (uint64_t i = 0; i < n && !ret && !ctx_stopped(ctx) && !ctx->sh->quit; i++) {
		if (i)
			ret = pass(ctx, arg_word(args, "INTERVAL"), ns);
		if (ret || ctx_stopped(ctx))
			break;
		if (on_screen(ctx))
			title(ctx, words, ns);
		ret = dispatch_inner(ctx, words, nr);
		fflush(ctx->out);
		cut = ctx_stopped(ctx);
		if (n == UINT64_MAX && ferror(ctx->out))	/* who read a pipe is gone; a given number runs out */
			break;
		/* the command may have put another lab in this one's place */
		if (!ret && !labs_of(&ctx->sh->labs, ctx->lab))
			ret = fail(ENOENT, "the lab that was watched is gone");
	}
	if (cut && on_screen(ctx))	/* half a picture: what comes next begins below all of it */
		fputs("\033[999H\n", ctx->out);
	return ret;
}

const struct cmd cmd_watch = {
	.name    = "watch",
	.summary = "run a command again and again as time passes",
	.args    = watch_args,
	.flags   = CMD_NEEDS_LAB | CMD_RUNS_COMMAND | CMD_SHOWS_LIVE,
	.run     = watch_run,
	.group   = "Session",
};
