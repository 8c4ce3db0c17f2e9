/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/interactive.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>
#include <readline/history.h>

#include "shell/prompt.h"
#include "shell/signals.h"
#include "shell/tab.h"
#include "shell/typing.h"
#include "shell/xdg.h"

/* readline hands its hooks no argument. */
static struct shell *the_shell;
static unsigned int known;	/* entries of its history that readline has */

/* Arrow keys bring a statement back whole, over however many lines it went. */
static void remember(const char *line, bool more)
{
	const char *entry = history_add(&the_shell->history, line, more);
	HIST_ENTRY *before;

	if (!entry)
		return;
	before = more && history_length ? remove_history(history_length - 1) : NULL;
	if (before)
		free_history_entry(before);
	add_history(entry);
	known = the_shell->history.nr;
}

/* What was typed elsewhere meanwhile, in the full-screen view. */
static void catch_up(void)
{
	for (; known < the_shell->history.nr; known++)
		add_history(the_shell->history.v[known]);
}

static char *ask(bool more)
{
	char prompt[192], *line;
	size_t len;

	if (more && stop_asked())	/* Ctrl-C between two lines of a statement drops it at once */
		return strcpy(host_grow(NULL, 2), "\n");
	fflush(stdout);
	catch_up();
	line = typing_line(prompt_text(the_shell, more, colour_wanted(the_shell, stdout), prompt, sizeof(prompt)));
	if (!line)
		return NULL;
	if (!stop_asked())
		remember(line, more);
	len = strlen(line);
	line = host_grow(line, len + 2);
	strcpy(line + len, "\n");
	return line;
}

static void begin_history(struct shell *sh)
{
	char *path = xdg_state("history");

	history_open(&sh->history, path);
	free(path);
	using_history();
	catch_up();
}

/* ~/.config/slablab/rc: what goes wrong in it is told and ends it, not the shell. */
static void run_start_file(struct shell *sh)
{
	char *path = xdg_config("rc");
	struct input in;

	if (path && !access(path, F_OK)) {
		if (input_file(&in, path))
			report(sh, NULL, sh->json, strdupa(fail_why()));
		else
			shell_run(sh, &in, NULL, 0);
		input_close(&in);
	}
	free(path);
	if (stop_asked() == SIGINT)
		stop_forget();
}

int interactive_run(struct shell *sh, const char *version)
{
	struct input in;
	char shape[512];
	int ret;

	the_shell = sh;
	sh->interactive = true;
	setenv("LESS", "FRX", 0);	/* as git does: short texts stay, colours too, and the screen is kept */
	typing_init(sh);
	tab_init(sh);
	begin_history(sh);
	run_start_file(sh);
	if (sh->quit)
		return 0;
	if (!sh->quiet)
		printf("slablab %s: lab %s, %s. \"help\" lists the commands, \"quit\" leaves.\n", version,
		       labs_current(&sh->labs)->lab->name,
		       shape_print(&labs_current(&sh->labs)->lab->hdr->shape, shape, sizeof(shape)));
	input_ask(&in, ask);
	ret = shell_run(sh, &in, NULL, 0);
	input_close(&in);
	if (!sh->quit)
		putchar('\n');
	return ret;
}
