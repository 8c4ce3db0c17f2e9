/* SPDX-License-Identifier: GPL-3.0-or-later */
/* echo - print its words, in order with all other output. */
#include <stdlib.h>
#include <string.h>

#include "shell/arena.h"
#include "shell/cmd.h"

static const struct arg echo_args[] = {
	{ "WORD", ARG_WORDS, "", "what to print, one blank between words", NULL },
	{ 0 }
};

static char *joined(char *const *words, unsigned int nr)
{
	size_t len = 1;
	char *text, *at;

	for (unsigned int i = 0; i < nr; i++)
		len += strlen(words[i]) + 1;
	text = at = host_alloc(len);
	for (unsigned int i = 0; i < nr; i++)
		at = stpcpy(stpcpy(at, i ? " " : ""), words[i]);
	return text;
}

static int echo_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr;
	char *const *words = arg_words(args, "WORD", &nr);
	char *text = joined(words, nr);

	if (ctx->json)
		ctx_answer(ctx, json_text(text));
	else
		fprintf(ctx->out, "%s\n", text);
	free(text);
	return 0;
}

const struct cmd cmd_echo = {
	.name    = "echo",
	.summary = "print words",
	.args    = echo_args,
	.flags   = CMD_FOR_READER,
	.run     = echo_run,
	.group   = "Session",
};
