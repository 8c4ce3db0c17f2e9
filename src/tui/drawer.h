/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawer - what commands printed, kept in lines, drawn from its end.
 *
 * While the view is open, standard output and error of the whole program go to
 * a file without a name (capture.h); the drawer takes in what came.
 */
#ifndef TUI_DRAWER_H
#define TUI_DRAWER_H

#include "tui/grid.h"

#define DRAWER_LINES 5000	/* kept */

struct drawer_line {
	char *text;
	uint8_t tone;
};

struct drawer {
	struct drawer_line *v;
	unsigned int nr, room;
	bool unfinished;	/* the last line's end has not come */
	bool open;
	unsigned int back;	/* lines scrolled back from the end */
	unsigned int since;	/* first line of the last command */
};

void drawer_add(struct drawer *d, const char *text, size_t len);	/* as printed */
void drawer_say(struct drawer *d, enum tone tone, const char *text);	/* a line of our own */
void drawer_scroll(struct drawer *d, int lines, int rows);
void drawer_draw(const struct drawer *d, const struct area *a);
/* Rows that what came since the last command takes, at this width; no more than `most`. */
int drawer_rows_since(const struct drawer *d, int w, int most);
void drawer_free(struct drawer *d);
/* The last line that says something, "" if there is none. */
const char *drawer_last(const struct drawer *d);

#endif
