/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/interactive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "shell/dispatch.h"
#include "shell/signals.h"

/* readline hands its hooks no argument. */
static struct shell *the_shell;

/*
 * The next key. Ctrl-C, which our own handler notes (readline's would only
 * look at the next key), empties the line and accepts it.
 */
static int next_key(FILE *from)
{
	unsigned char c;
	ssize_t n;

	do
		n = read(fileno(from), &c, 1);
	while (n < 0 && errno == EINTR && !stop_asked());
	if (n == 1)
		return c;
	if (stop_asked() != SIGINT)
		return EOF;
	rl_replace_line("", 0);
	return '\n';
}

static char *ask(bool more)
{
	char prompt[96], *line, *with_newline;
	struct lab_slot *slot = labs_current(&the_shell->labs);

	/* a statement that goes on gets a prompt of the same width */
	snprintf(prompt, sizeof(prompt), "%s> ", slot->lab->name);
	if (more)
		memset(prompt, '.', strlen(slot->lab->name));
	fflush(stdout);
	line = readline(prompt);
	if (!line)
		return NULL;
	with_newline = host_alloc(strlen(line) + 2);
	sprintf(with_newline, "%s\n", line);
	free(line);
	return with_newline;
}

/* ---- completion of command names ---- */

static const char *const keywords[] = { "repeat", "for", "on", NULL };

/* The word that the user is at as it continues the first word before it, or as a first word. */
static char *name_from(const char *name, const char *family, const char *text)
{
	const char *word = name, *end;

	if (family) {
		size_t len = strlen(family);

		if (strncmp(name, family, len) || name[len] != ' ')
			return NULL;
		word = name + len + 1;
	}
	end = strchrnul(word, ' ');
	return strncmp(word, text, strlen(text)) ? NULL : strndup(word, (size_t)(end - word));
}

/* The first word of the line when the cursor is in the second, else NULL. malloc'ed. */
static char *family_before(int start)
{
	char *first = strndup(rl_line_buffer, (size_t)start);
	char *word = first ? strtok(first, " \t") : NULL, *family = NULL;

	if (word && !strtok(NULL, " \t"))
		family = strdup(word);
	free(first);
	return family;
}

static char *next_name(const char *text, int again)
{
	static unsigned int i;
	static char *family;
	char *name;

	if (!again) {
		i = 0;
		free(family);
		family = family_before(rl_point - (int)strlen(text));
	}
	for (; i < cmd_nr; i++) {
		const char *before = i ? cmd_table[i - 1]->name : "";
		size_t first = strcspn(cmd_table[i]->name, " ");

		/* commands of one family stand together: offer its name once */
		if (!family && !strncmp(before, cmd_table[i]->name, first) && before[first] == ' ')
			continue;
		name = name_from(cmd_table[i]->name, family, text);
		if (name) {
			i++;
			return name;
		}
	}
	while (!family && i - cmd_nr < 3) {
		const char *word = keywords[i++ - cmd_nr];

		if (!strncmp(word, text, strlen(text)))
			return strdup(word);
	}
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	char *family;
	bool names;

	(void)end;
	family = family_before(start);
	names = family || strspn(rl_line_buffer, " \t") == (size_t)start;
	free(family);
	/* Elsewhere readline offers file names, which replay, import and source want. */
	return names ? rl_completion_matches(text, next_name) : NULL;
}

int interactive_run(struct shell *sh, const char *version)
{
	struct input in;
	char shape[512];
	int ret;

	the_shell = sh;
	sh->interactive = true;
	rl_readline_name = "slablab";
	rl_catch_signals = 0;
	rl_getc_function = next_key;
	rl_attempted_completion_function = complete;
	if (!sh->quiet)
		printf("slablab %s: lab main, %s. \"help\" lists the commands, \"quit\" leaves.\n", version,
		       shape_print(&labs_current(&sh->labs)->lab->hdr->shape, shape, sizeof(shape)));
	input_ask(&in, ask);
	ret = shell_run(sh, &in, NULL, 0);
	input_close(&in);
	if (!sh->quit)
		putchar('\n');
	return ret;
}
