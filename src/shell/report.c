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

/* What was printed before an error stands before it. */
static void settle(struct shell *sh)
{
	pager_settle(sh);
	fflush(sh->out);
	fflush(stdout);
}

static void print_place(const struct shell *sh)
{
	bool colour = colour_wanted(sh, stderr);

	fprintf(stderr, "%sslablab:%s ", colour_on(colour, MEANS_ERROR), colour_off(colour));
	if (sh->frame && sh->frame->file)
		fprintf(stderr, "%s:%lu: ", sh->frame->file, sh->line);
}

/* " (round 3 of repeat, c = foo)" of the blocks around. */
static void print_rounds(const struct shell *sh)
{
	const char *sep = " (";

	for (const struct round *r = sh->rounds; r; r = r->outer) {
		if (r->name)
			fprintf(stderr, "%s%s = %s", sep, r->name, r->value);
		else
			fprintf(stderr, "%sround %llu of repeat", sep, (unsigned long long)r->n);
		sep = ", ";
	}
	if (sh->rounds)
		fputc(')', stderr);
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
	settle(sh);
	print_place(sh);
	if (command)
		fprintf(stderr, "%s: ", command);
	if (sh->twins.now)
		fprintf(stderr, "lab %s: ", sh->twins.now);
	fputs(sentence, stderr);
	print_rounds(sh);
	fputc('\n', stderr);
}

void report_unreadable(struct shell *sh, const char *sentence)
{
	report(sh, NULL, sh->json, sentence);
	sh->status = 2;
}

static void say(struct shell *sh, enum meaning m, const char *fmt, va_list ap)
{
	bool colour = colour_wanted(sh, stderr);

	if (sh->mute)
		return;
	settle(sh);
	fprintf(stderr, "%sslablab: %s:%s ", colour_on(colour, m), m == MEANS_NOTE ? "note" : "warning",
		colour_off(colour));
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void note(struct shell *sh, const char *fmt, ...)
{
	va_list ap;

	if (sh->quiet)
		return;
	va_start(ap, fmt);
	say(sh, MEANS_NOTE, fmt, ap);
	va_end(ap);
}

void warn(struct shell *sh, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(sh, MEANS_WARNING, fmt, ap);
	va_end(ap);
}
