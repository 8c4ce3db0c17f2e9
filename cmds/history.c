/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history - what was typed, in this session and in those before it; with -s a
 * script of what was done to this lab, in shell and scripts, from its journal.
 */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "shell/journal.h"
#include "shell/shell.h"

static const struct arg history_args[] = {
	{ "-s",   ARG_FLAG, "", "write a script that rebuilds the lab as it is now", NULL },
	{ "WHAT", ARG_WORD, "", "how many of the last entries; with -s the file to write", NULL },
	{ 0 }
};

/* Lines after an entry's first stand under it. */
static void print_entry(FILE *to, unsigned int number, const char *entry)
{
	fprintf(to, "%5u  ", number);
	for (; *entry; entry++) {
		fputc(*entry, to);
		if (*entry == '\n')
			fputs("       ", to);
	}
	fputc('\n', to);
}

static int write_script(struct ctx *ctx, const char *path)
{
	FILE *to;
	bool bad;
	int ret;

	if (!path)
		return fail(EINVAL, "-s needs a file to write the script to");
	to = fopen(path, "we");
	if (!to)
		return fail(errno, "cannot write %s: %s", path, strerror(errno));
	ret = journal_write(ctx->sh, ctx->lab, to);
	bad = ferror(to);
	bad |= fclose(to) != 0;
	if (bad && !ret)
		ret = fail(EIO, "cannot write %s", path);
	if (!ret && ctx->json)
		ctx_answer(ctx, json_pack("{s:o}", "file", json_text(path)));
	return ret;
}

static int list(struct ctx *ctx, uint64_t last)
{
	const struct history *h = &ctx->sh->history;
	json_t *all = json_array();

	if (!ctx->sh->interactive)
		ctx_note(ctx, "nothing was typed: only a shell on a terminal has a history");
	for (unsigned int i = last < h->nr ? h->nr - (unsigned int)last : 0; i < h->nr; i++) {
		if (ctx->json)
			json_array_append_new(all, json_text(h->v[i]));
		else
			print_entry(ctx->out, i + 1, h->v[i]);
	}
	ctx_answer(ctx, all);
	return 0;
}

static int history_run(struct ctx *ctx, const struct args *args)
{
	const char *what = arg_word(args, "WHAT");
	uint64_t last = UINT64_MAX;

	if (arg_flag(args, "-s"))
		return write_script(ctx, what);
	if (what && parse_u64(what, &last))
		return -EINVAL;
	return list(ctx, last);
}

const struct cmd cmd_history = {
	.name    = "history",
	.summary = "list what was typed, or write it as a script",
	.args    = history_args,
	.flags   = CMD_NEEDS_LAB | CMD_OF_LABS,
	.run     = history_run,
	.group   = "Session",
};
