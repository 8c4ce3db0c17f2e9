/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line - a line being typed at the screen's foot: editing, completion, history, hint.
 *
 * What it completes, remembers and hints is the shell's (complete.h,
 * history.h, hints.h); here are the keys and the picture.
 */
#ifndef TUI_LINE_H
#define TUI_LINE_H

#include "shell/complete.h"
#include "tui/grid.h"
#include "tui/keys.h"

#define LINE_MAX_BYTES 4096

enum line_result { LINE_GOES_ON, LINE_DONE, LINE_LEFT };

struct line {
	const char *prompt;		/* ":", "/" */
	bool plain;			/* no completion, history, hints */
	char text[LINE_MAX_BYTES];
	size_t len, at;			/* bytes; the cursor's place */
	char kept[LINE_MAX_BYTES];	/* what was typed before history was gone through */
	unsigned int past;		/* entries back in history, 0: the line itself */
	struct candidates found;	/* of Tab, shown above the line */
	bool listing;
	unsigned int picked;		/* of the list, + 1; 0: none */
};

void line_begin(struct line *l, const char *prompt, bool plain);
enum line_result line_key(struct line *l, struct shell *sh, int key);
/* The line in row 0 of the area; returns the cursor's column. */
int line_draw(const struct line *l, struct shell *sh, const struct area *a);
/* The list of candidates fills the area from its foot up. Rows that it takes. */
int line_list_rows(const struct line *l, int most);
void line_list_draw(const struct line *l, const struct area *a);
void line_end(struct line *l);

#endif
