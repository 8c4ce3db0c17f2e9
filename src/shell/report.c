/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report - how an error reaches the user: one line on standard error, behind
 * everything that was printed before it, and one JSON line where those are
 * asked for.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shell/json.h"
#include "shell/shell.h"
#include "view/table.h"

/* What was printed before an error stands before it. */
static void settle(struct shell *sh)
{
	pager_settle(sh);
	fflush(sh->out);
	fflush(stdout);
}

/* ---- one message, in lines that the screen takes ---- */

struct message {
	FILE *to;
	char *text;
	size_t size;
};

static void message_begin(struct message *m)
{
	m->to = open_memstream(&m->text, &m->size);
	if (!m->to)
		abort();
}

#define MORE "    "		/* before a message's later lines */

/* Off a terminal a message is one line, for whoever reads line by line. */
static void message_end(const struct shell *sh, struct message *m)
{
	unsigned int columns = screen_columns(sh, stderr), at = 0;
	char *rest, *word;

	fclose(m->to);
	for (rest = m->text; (word = strsep(&rest, " ")); ) {
		unsigned int width = text_width(word);

		if (columns && at && at + 1 + width > columns) {
			fputs("\n" MORE, stderr);
			at = strlen(MORE);
		} else if (word != m->text) {
			fputc(' ', stderr);
			at++;
		}
		fputs(word, stderr);
		at += width;
	}
	fputc('\n', stderr);
	free(m->text);
}

static void print_place(const struct shell *sh, FILE *to)
{
	bool colour = colour_wanted(sh, stderr);

	fprintf(to, "%sslablab:%s ", colour_on(colour, MEANS_ERROR), colour_off(colour));
	if (sh->frame && sh->frame->file)
		fprintf(to, "%s:%lu: ", sh->frame->file, sh->line);
}

/* " (round 3 of repeat, c = foo)" of the blocks around. */
static void print_rounds(const struct shell *sh, FILE *to)
{
	const char *sep = " (";

	for (const struct round *r = sh->rounds; r; r = r->outer) {
		if (r->name)
			fprintf(to, "%s%s = %s", sep, r->name, r->value);
		else
			fprintf(to, "%sround %llu of repeat", sep, (unsigned long long)r->n);
		sep = ", ";
	}
	if (sh->rounds)
		fputc(')', to);
}

static void keep_first(struct shell *sh, const char *command, const char *sentence)
{
	if (!sh->first_error[0])
		snprintf(sh->first_error, sizeof(sh->first_error), "%s%s%s", command ? command : "",
			 command ? ": " : "", sentence);
}

void report(struct shell *sh, const char *command, bool json, const char *sentence)
{
	struct message m;

	keep_first(sh, command, sentence);
	if (sh->status < 1)
		sh->status = 1;
	if (sh->mute)
		return;
	if (json)
		json_failure(sh, command, sentence);
	settle(sh);
	message_begin(&m);
	print_place(sh, m.to);
	if (command)
		fprintf(m.to, "%s: ", command);
	if (sh->twins.now)
		fprintf(m.to, "lab %s: ", sh->twins.now);
	fputs(sentence, m.to);
	print_rounds(sh, m.to);
	message_end(sh, &m);
}

void report_unreadable(struct shell *sh, const char *sentence)
{
	report(sh, NULL, sh->json, sentence);
	sh->status = 2;
}

static void say(struct shell *sh, enum meaning m, const char *fmt, va_list ap)
{
	bool colour = colour_wanted(sh, stderr);
	struct message msg;

	if (sh->mute)
		return;
	settle(sh);
	message_begin(&msg);
	fprintf(msg.to, "%sslablab: %s:%s ", colour_on(colour, m), m == MEANS_NOTE ? "note" : "warning",
		colour_off(colour));
	if (sh->twins.now)
		fprintf(msg.to, "lab %s: ", sh->twins.now);
	vfprintf(msg.to, fmt, ap);
	message_end(sh, &msg);
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
