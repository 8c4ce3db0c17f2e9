/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui - the full-screen view: everything of it but the terminal.
 *
 * Idea. A frame is: take the models of the panes that are seen (tui_take),
 * lay them out and draw them into one grid (tui_draw). A key changes the
 * view's own state, or becomes a command that the shell runs as if it were
 * typed (tui_key); nothing here changes a lab by itself. The loop that joins
 * this with the terminal is loop.c; a test goes without.
 *
 * Ownership. One view a program, on the shell's thread.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "tui/drawer.h"
#include "tui/line.h"
#include "tui/panel.h"
#include "tui/panes.h"
#include "view/live.h"

struct job;

#define TUI_LEAST_W 40
#define TUI_LEAST_H 10

enum tui_mode { MODE_PANES, MODE_COMMAND, MODE_FILTER, MODE_HELP, MODE_SAVE, MODE_POLICY };

struct tui {
	struct scene scene;
	void *state[PANE_NR];
	struct area at[PANE_NR];	/* where each is drawn, without its title */
	bool seen[PANE_NR];
	int focus;
	bool zoom;

	enum tui_mode mode;
	struct line line;
	enum tui_mode behind;		/* the mode that a line was opened from */
	struct drawer drawer;
	struct panel panel;
	struct area panel_at;
	int help_first, help_rows;

	struct live_zones strip;	/* of memory, where the pane Zones is not seen */
	struct grid grid;
	int cursor_x, cursor_y;		/* -1: hidden */
	char notice[200];		/* a word on the bottom line until the next key */
	bool awaiting;			/* a command file waits for the user */
	char awaits[512];		/* what it says */
	bool busy, hold;		/* a command is under way; and held between two ops */
	bool leave, step;
	void (*caught)(struct tui *t);	/* takes in what was printed; NULL: nobody catches it */
	uint64_t took_ns;		/* the last frame's models and painting */
};

void tui_init(struct tui *t, struct shell *sh);
void tui_fini(struct tui *t);

/* Find the lab that is shown (commands may have put another in its place) and what its last op touched. */
void tui_look(struct tui *t);
/* Models of the panes seen. */
void tui_take(struct tui *t);
/* Lay out and draw into t->grid, which has the window's size. */
void tui_draw(struct tui *t);

/* The pane whose tab is at this column of the header, -1 none. */
int tui_tab_at(const struct tui *t, int x);

void tui_key(struct tui *t, int key);
void tui_mouse(struct tui *t, const struct mouse *m);

/* Run a line as if it were typed at the prompt; what it prints is caught by whoever runs the loop. */
void tui_run(struct tui *t, const char *line, bool remember);
/* Take in what was printed. */
void tui_caught(struct tui *t);
/* Show a moment so many commands further back (less than 0: nearer), or the present. */
void tui_go_back(struct tui *t, int by);
void tui_present(struct tui *t);
struct lab *tui_lab(const struct tui *t);	/* the one that is shown */
/* The workload in the background of the lab, NULL if nothing goes on. */
struct job *tui_job(const struct tui *t);
void tui_say(struct tui *t, const char *fmt, ...) __printf_like(2, 3);

/* ---- layout.c ---- */

/* Places of all panes in these rows; those without a place are not seen. */
void layout(struct tui *t, int y, int h);
/* The pane at a cell, -1 none. */
int layout_pane_at(const struct tui *t, int x, int y);

/* ---- help.c ---- */
int help_draw(const struct tui *t, const struct area *a);	/* rows that there are */

#endif
