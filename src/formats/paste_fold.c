/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that a mailer broke.
 *
 * A mailer breaks at the last blank that fits: a line goes on where its next
 * word would not have fitted into the widest of the text's lines. A text with
 * lines wider than any mail was not broken; what has no blanks is no line of text.
 * In a log, a line without the logger's prefix behind a long one goes on with it;
 * where such long ones are all of one width, a terminal broke them, inside words.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/paste_priv.h"

#define MAIL_LEAST 60
#define MAIL_MOST  82
#define SWALLOWED  3	/* blanks of a table that may have been where the line was broken */

/* Is there a blank in it that a mailer would have broken it at? */
static bool is_breakable(const struct paste *p, uint32_t i)
{
	const char *line = p->line[i];
	size_t blanks = strspn(line, " "), word = strcspn(line + blanks, " ");

	return line[blanks + word] && p->was[i].width - strlen(line) + blanks + word <= MAIL_MOST;
}

/* The widest line; 0 if a mailer would have broken some line of this text. */
static uint32_t width_of(const struct paste *p)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < p->nr; i++) {
		if (p->was[i].width <= MAIL_MOST)
			most = p->was[i].width > most ? p->was[i].width : most;
		else if (is_breakable(p, i))
			return 0;
	}
	return most >= MAIL_LEAST ? most : 0;
}

/* Does line i, which is a logger's or goes on with one, go on in the next? */
static bool goes_on(const struct paste *p, uint32_t i, bool logged, uint32_t width)
{
	const char *next = i + 1 < p->nr ? p->line[i + 1] : "", *word = next + strspn(next, " ");

	if (logged)
		width = width < MAIL_LEAST ? width : MAIL_LEAST;
	return (strchr(p->line[i], ' ') || logged) && *next && !p->was[i + 1].logged &&
	       p->was[i].width + 1 + (uint32_t)(word - next) + strcspn(word, " ") + SWALLOWED > width;
}

static void copy_lines(const struct paste *p, uint32_t width, struct paste *to)
{
	char *at = to->text, *empty = at++;
	uint32_t of_one_width = 0, most = 0;

	*empty = 0;
	for (uint32_t i = 0; i < p->nr; i++) {
		bool logged = p->was[i].logged;
		char *begins = at;

		to->line[i] = at;
		to->was[i] = p->was[i];
		at = stpcpy(at, p->line[i]);
		for (; goes_on(p, i, logged, width); i++) {
			if (at > begins)
				*at++ = ' ';
			at = stpcpy(at, p->line[i + 1]);
			to->line[i + 1] = empty;
			to->was[i + 1] = p->was[i + 1];
			to->unfolded++;
			if (!logged)
				continue;
			to->bare++;
			of_one_width = p->was[i].width == most ? of_one_width + 1 : p->was[i].width > most ? 1 : of_one_width;
			most = p->was[i].width > most ? p->was[i].width : most;
		}
		at++;
	}
	if (2 * of_one_width > to->bare)
		to->bare = 0;
}

int paste_unfold(const struct paste *p, struct paste *to)
{
	uint32_t width = width_of(p);

	memset(to, 0, sizeof(*to));
	if (!width)
		return 0;
	to->text = malloc(p->bytes + 2 * (size_t)p->nr + 2);
	to->line = malloc(p->nr * sizeof(*to->line));
	to->was = malloc(p->nr * sizeof(*to->was));
	if (!to->text || !to->line || !to->was) {
		paste_free(to);
		return fail(ENOMEM, "no memory for the text");
	}
	to->bytes = p->bytes + p->nr;	/* with the blanks between joined lines */
	to->nr = p->nr;
	to->quoted = p->quoted;
	to->first_quoted = p->first_quoted;
	copy_lines(p, width, to);
	return 0;
}
