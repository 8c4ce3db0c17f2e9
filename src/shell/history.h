/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history - what was typed, in this session and in earlier ones.
 *
 * Idea. An entry is a statement as it was typed, over as many lines as it
 * took. Each line goes to the file as soon as it is typed, before it runs, so
 * that nothing is lost with the program. In the file an entry's first line
 * begins with no blank, for such entries are never stored; its further lines
 * follow, each behind one blank.
 *
 * What cannot be written is still remembered for the session: no error.
 *
 * Ownership. Entries are the history's. Several sessions may append to one
 * file; each sees what the others wrote when it starts.
 */
#ifndef SHELL_HISTORY_H
#define SHELL_HISTORY_H

#include "base/types.h"

#define HISTORY_MAX 5000	/* entries kept of earlier sessions */

struct history {
	char **v;
	unsigned int nr, room;
	int fd;			/* file to append to; -1: none */
	bool skipping;		/* the entry under way is not stored */
};

/* Read what the file holds and keep it open for more. path NULL: a history without a file. */
void history_open(struct history *h, const char *path);
void history_close(struct history *h);

/*
 * A line was typed (its newline left out; pasted text may have some inside).
 * `more`: it goes on the entry before it. Returns that entry, or NULL if it is not stored: it
 * begins with a blank, is empty or is the same as the one before.
 */
const char *history_add(struct history *h, const char *line, bool more);

#endif
