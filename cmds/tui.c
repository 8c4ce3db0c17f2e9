/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui - the full-screen view of the labs.
 *
 * The view is the program's and stands above the shell (shell/screen.h); this
 * is the door to it. What is typed there is run by this same shell.
 */
#include <errno.h>

#include "shell/shell.h"

static const struct arg tui_args[] = {
	{ "FILE", ARG_FILE, "", "a command file to run in the view", NULL },
	{ "ARG", ARG_WORDS, "", "its arguments", NULL },
	{ 0 }
};

static int tui_run(struct ctx *ctx, const struct args *args)
{
	struct screen *screen = ctx->sh->screen;
	unsigned int nr = 0;
	char *const *words = arg_words(args, NULL, &nr);

	if (!screen)
		return fail(ENOTSUP, "this program has no screen");
	if (screen->shown)
		return fail(EBUSY, "it is shown already");
	if (ctx->json)
		return fail(EINVAL, "a screen is no JSON: leave --json away");
	return screen->show(ctx, words, nr);
}

const struct cmd cmd_tui = {
	.name    = "tui",
	.summary = "watch the labs on the whole screen",
	.args    = tui_args,
	.flags   = CMD_NEEDS_LAB | CMD_SHOWS_LIVE | CMD_OF_LABS,
	.run     = tui_run,
	.group   = "Screen",
};
