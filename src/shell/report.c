/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report - how an error reaches the user: one line on standard error, behind
 * everything that was printed before it, and one JSON line where those are
 * asked for.
 */
#include <stdarg.h>
#include <string.h>

#include "shell/json.h"
#include "shell/shell.h"

static void print_place(const struct shell *sh)
{
	fputs("slablab: ", stderr);
	if (sh->frame && sh->frame->file)
		fprintf(stderr, "%s:%lu: ", sh->frame->file, sh->line);
}

static void keep_first(struct shell *sh, const char *command, const char *sentence)
{
	if (!sh->first_error[0])
		snprintf(sh->first_error, sizeof(sh->first_error), "%s%s%s", command ? command : "",
			 command ? ": " : "", sentence);
}

void report(struct shell *sh, const char *command, bool json, const char *sentence)
{
	keep_first(sh, command, sentence);
	if (sh->status < 1)
		sh->status = 1;
	if (sh->mute)
		return;
	if (json)
		json_failure(sh, command, sentence);
	fflush(sh->out);
	fflush(stdout);
	print_place(sh);
	if (command)
		fprintf(stderr, "%s: ", command);
	fprintf(stderr, "%s\n", sentence);
}

void report_unreadable(struct shell *sh, const char *sentence)
{
	report(sh, NULL, sh->json, sentence);
	sh->status = 2;
}

static void say(const struct shell *sh, const char *kind, const char *fmt, va_list ap)
{
	if (sh->mute)
		return;
	fflush(sh->out);
	fflush(stdout);
	fprintf(stderr, "slablab: %s: ", kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void note(const struct shell *sh, const char *fmt, ...)
{
	va_list ap;

	if (sh->quiet)
		return;
	va_start(ap, fmt);
	say(sh, "note", fmt, ap);
	va_end(ap);
}

void warn(const struct shell *sh, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(sh, "warning", fmt, ap);
	va_end(ap);
}
