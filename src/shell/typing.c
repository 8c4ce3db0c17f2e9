/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readline catches no signal here: ours (signals.h) notes Ctrl-C for commands
 * and lines alike. While a line is typed, Ctrl-Z and a new window size are
 * noted too and seen to between two keys, where the terminal may be touched.
 */
#include "shell/typing.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <readline/readline.h>

#include "shell/hints.h"
#include "shell/signals.h"

static struct shell *the_shell;
static volatile sig_atomic_t resized, suspended;
static bool hint_is_shown;

static void note_signal(int sig)
{
	if (sig == SIGWINCH)
		resized = 1;
	else
		suspended = 1;
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction sa = { .sa_handler = handler }, before;

	sigemptyset(&sa.sa_mask);
	sigaction(sig, NULL, &before);
	/* whoever started us without job control has Ctrl-Z ignored */
	if (sig != SIGTSTP || before.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

/* ---- the hint ---- */

static void hide_hint(void)
{
	if (!hint_is_shown)
		return;
	fputs("\033[J", rl_outstream);	/* to the screen's end: a narrower window has wrapped it */
	fflush(rl_outstream);
	hint_is_shown = false;
}

/* Columns of a prompt; what stands between \001 and \002 has none. */
static int prompt_width(const char *prompt)
{
	bool hidden = false;
	int width = 0;

	for (; *prompt; prompt++) {
		if (*prompt == '\001' || *prompt == '\002')
			hidden = *prompt == '\001';
		else
			width += !hidden;
	}
	return width;
}

/* Columns of the line; -1 when it has what moves the cursor in other ways. */
static int line_width(void)
{
	wchar_t wide[1024];
	size_t n = mbstowcs(wide, rl_line_buffer, 1024);

	return n < 1024 ? wcswidth(wide, n) : -1;
}

/* How much may stand behind the cursor on its row; the last column is left alone. */
static int room_behind(void)
{
	int rows, columns, width = line_width();

	rl_get_screen_size(&rows, &columns);
	if (width < 0 || columns < 2)
		return 0;
	return columns - 1 - (prompt_width(rl_display_prompt) + width) % columns;
}

static void show_hint(void)
{
	char hint[512];
	int room = room_behind(), len;
	bool cut;

	if (hint_line(the_shell, rl_line_buffer, hint, sizeof(hint))[0] == 0 || room < 6)
		return;
	len = (int)strlen(hint);
	cut = len > room;
	if (cut)
		len = room - 3;
	fprintf(rl_outstream, "%s%.*s%s%s\033[%dD", colour_on(true, MEANS_HINT), len, hint, cut ? "..." : "", colour_off(true),
		len + 3 * cut);
	fflush(rl_outstream);
	hint_is_shown = true;
}

static void redisplay(void)
{
	hide_hint();
	rl_redisplay();
	if (rl_point == rl_end && !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_DONE) &&
	    colour_wanted(the_shell, stdout))
		show_hint();
}

/* ---- keys ---- */

/* Ctrl-Z: give the terminal back as it was, stop, and go on where we were. */
static void suspend(void)
{
	suspended = 0;
	hide_hint();
	rl_deprep_term_function();
	handle(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	handle(SIGTSTP, note_signal);
	rl_prep_term_function(1);
	rl_forced_update_display();
}

static void see_to_signals(void)
{
	if (suspended)
		suspend();
	if (resized) {
		resized = 0;
		hide_hint();
		/* with a display function of our own it would print the line a second time */
		rl_redisplay_function = rl_redisplay;
		rl_resize_terminal();
		rl_redisplay_function = redisplay;
	}
}

/* The next key. Ctrl-C empties the line and accepts it. */
static int next_key(FILE *from)
{
	unsigned char c;
	ssize_t n;

	do {
		see_to_signals();
		n = read(fileno(from), &c, 1);
	} while (n < 0 && errno == EINTR && !stop_asked());
	hide_hint();
	if (n == 1)
		return c;
	if (stop_asked() != SIGINT)
		return EOF;
	rl_replace_line("", 0);
	return '\n';
}

/* Keys that came in a bunch are not asked for one by one: the last of them finds the hint still there. */
static int accept_line(int count, int key)
{
	hide_hint();
	return rl_newline(count, key);
}

/* Where nobody bound something else. */
static void bind_accept(Keymap map)
{
	if (map['\r'].function == rl_newline)
		rl_bind_key_in_map('\r', accept_line, map);
	if (map['\n'].function == rl_newline)
		rl_bind_key_in_map('\n', accept_line, map);
}

/* Only now: readline takes a terminal for dumb when it finds another display function while it looks at it. */
static int draw_hints(void)
{
	rl_redisplay_function = redisplay;
	bind_accept(emacs_standard_keymap);
	bind_accept(vi_insertion_keymap);
	bind_accept(vi_movement_keymap);
	return 0;
}

void typing_init(struct shell *sh)
{
	the_shell = sh;
	rl_readline_name = "slablab";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_getc_function = next_key;
	rl_startup_hook = draw_hints;
	handle(SIGWINCH, note_signal);
}

char *typing_line(const char *prompt)
{
	char *line;

	if (resized) {	/* while a command ran */
		resized = 0;
		rl_reset_screen_size();
	}
	handle(SIGTSTP, note_signal);
	line = readline(prompt);
	handle(SIGTSTP, SIG_DFL);
	return line;
}
