/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pause - wait for Enter, so that a person can read what a command file shows.
 *
 * Only where somebody sits: standard input and output are a terminal. In a
 * script, in a pipe, with -q and with --json it does nothing, so that the same
 * file is a tour and a test.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "shell/shell.h"

static const struct arg pause_args[] = {
	{ "WORD", ARG_WORDS, "", "what to say while waiting; \"Enter goes on\" without", NULL },
	{ 0 }
};

/* A terminal gives whole lines; its end (Ctrl-D) goes on as well. */
static int await_enter(struct ctx *ctx)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char c;

	do {
		while (poll(&in, 1, 100) <= 0)
			if (ctx_stopped(ctx))
				return fail(EINTR, "stopped");
	} while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n');
	return 0;
}

static int await_screen(struct ctx *ctx, char *const *words, unsigned int nr)
{
	char text[512] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < nr && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? " " : "", words[i]);
	return ctx->sh->screen->await(ctx, text);
}

static int pause_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *words = arg_words(args, "WORD", &nr);

	if (ctx->sh->screen && ctx->sh->screen->shown && !ctx->json)
		return await_screen(ctx, words, nr);
	if (ctx->json || ctx->quiet || !isatty(STDIN_FILENO) || !isatty(fileno(ctx->out)))
		return 0;
	fputs("-- ", ctx->out);
	for (unsigned int i = 0; i < nr; i++)
		fprintf(ctx->out, "%s%s", i ? " " : "", words[i]);
	fputs(nr ? " -- " : "Enter goes on -- ", ctx->out);
	fflush(ctx->out);
	return await_enter(ctx);
}

const struct cmd cmd_pause = {
	.name    = "pause",
	.summary = "wait for Enter on a terminal; nothing in a script",
	.args    = pause_args,
	.flags   = CMD_SHOWS_LIVE | CMD_FOR_READER,
	.run     = pause_run,
	.group   = "Session",
};
