/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be typed next is complete.h's; here its candidates become
 * readline's matches. The two may cut words at different places (`key=value`
 * is one word of ours), so texts are fitted to where readline's word begins.
 */
#include "shell/tab.h"

#include <string.h>

#include <readline/readline.h>

#include "shell/complete.h"

#define SPARE_ROWS 3	/* of the screen: the line, its list's end, the line again */

static struct shell *the_shell;
static struct candidates found;	/* of the last Tab */
static size_t word_start;	/* where readline's word begins */

static char *fitted(const char *candidate)
{
	size_t between;
	char *text;

	if (found.start <= word_start)
		return strdup(candidate + (word_start - found.start));
	between = found.start - word_start;
	text = host_alloc(between + strlen(candidate) + 1);
	memcpy(text, rl_line_buffer + word_start, between);
	strcpy(text + between, candidate);
	return text;
}

static char *next_match(const char *text, int again)
{
	static unsigned int i;

	(void)text;
	if (!again)
		i = 0;
	return i < found.nr ? fitted(found.v[i++].text) : NULL;
}

static char **complete(const char *text, int start, int end)
{
	candidates_free(&found);
	complete_line(the_shell, rl_line_buffer, (size_t)end, &found);
	word_start = (size_t)start;
	rl_completion_append_character = ' ';
	/* without candidates readline offers files, where one may stand */
	rl_attempted_completion_over = found.nr || !found.files;
	if (!found.nr)
		return NULL;
	if (found.nr == 1 && found.v[0].open)
		rl_completion_append_character = 0;
	return rl_completion_matches(text, next_match);
}

/* ---- the list under the line ---- */

static void show_one(const struct candidate *c, int text_width, int columns)
{
	bool colour = colour_wanted(the_shell, stdout);
	int room = columns - text_width - 5;

	fprintf(rl_outstream, "  %s%-*s%s", colour_on(colour, MEANS_NAME), text_width, c->text, colour_off(colour));
	if (room > 0 && room < (int)strlen(c->hint))
		while (room && (c->hint[room] & 0xc0) == 0x80)	/* not inside a letter */
			room--;
	if (room > 0)
		fprintf(rl_outstream, "  %.*s", room, c->hint);
	fputc('\n', rl_outstream);
}

static void show_all(int columns)
{
	int width = 0;

	for (unsigned int i = 0; i < found.nr; i++)
		if ((int)strlen(found.v[i].text) > width)
			width = (int)strlen(found.v[i].text);
	fputc('\n', rl_outstream);
	for (unsigned int i = 0; i < found.nr; i++)
		show_one(&found.v[i], width, columns);
}

static int by_name(const void *a, const void *b)
{
	return strcoll(*(char *const *)a, *(char *const *)b);
}

static void show(char **matches, int nr, int longest)
{
	int rows, columns;

	rl_get_screen_size(&rows, &columns);
	if (!found.nr)	/* files, as the folder has them */
		qsort(matches + 1, (size_t)nr, sizeof(*matches), by_name);
	if (found.nr && (int)found.nr + SPARE_ROWS <= rows)
		show_all(columns);
	else
		rl_display_match_list(matches, nr, longest);	/* too many for a line each */
	rl_forced_update_display();
}

void tab_init(struct shell *sh)
{
	the_shell = sh;
	rl_attempted_completion_function = complete;
	rl_completion_display_matches_hook = show;
	rl_completer_word_break_characters = " \t\n=|,;{}>\"'";
	rl_completer_quote_characters = "\"'";
	rl_filename_quote_characters = " \t\n;{}|$\\\"'#";
	rl_sort_completion_matches = 0;
	rl_variable_bind("show-all-if-ambiguous", "on");	/* ~/.inputrc is read later and has the last word */
}
