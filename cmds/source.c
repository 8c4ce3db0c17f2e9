/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source - run a command file here: in this lab, with this shell's options.
 *
 * The file sees its own arguments, and the `for` variables around it.
 */
#include "shell/dispatch.h"

#include <errno.h>

static const struct arg source_args[] = {
	{ "FILE", ARG_FILE,  NULL, "the command file, - for standard input", NULL },
	{ "ARG",  ARG_WORDS, "",   "its $1 ... $9", NULL },
	{ 0 }
};

static int source_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *argv = arg_words(args, "ARG", &nr);
	struct input in;
	int ret = input_file(&in, arg_word(args, "FILE"));

	if (ret)
		return ret;
	ret = shell_run(ctx->sh, &in, argv, nr);
	input_close(&in);
	return ret ? ALREADY_REPORTED : 0;
}

const struct cmd cmd_source = {
	.name    = "source",
	.summary = "run a command file",
	.args    = source_args,
	.flags   = CMD_SHOWS_LIVE,
	.run     = source_run,
	.group   = "Session",
};
