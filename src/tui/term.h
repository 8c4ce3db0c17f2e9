/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term - a grid put to the terminal, and keys from it. The one file that knows ncurses.
 *
 * Only cells that differ from what was put before are written. The terminal is
 * given back as it was found whenever the view is left: at its end, at exit(),
 * when it is suspended, and by handlers of the signals that kill.
 *
 * It has descriptors of its own, so standard input, output and error may be
 * caught while it is open.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "tui/grid.h"
#include "tui/keys.h"

/* -ENOTTY, -ENOTSUP or -EIO with a sentence. */
int term_open(void);
void term_close(void);

void term_size(int *w, int *h);
bool term_is_ascii(void);
enum depth term_depth(void);
int term_fd(void);

/* Show it. `again`: all of it, whatever was put before. */
void term_put(const struct grid *g, bool again);
void term_cursor(int x, int y);		/* x < 0: none */

/* The next key, KEY_NONE_YET after so many ms without one. K_MOUSE fills m. */
int term_key(int timeout_ms, struct mouse *m);

/* Was Ctrl-Z pressed? Gives the terminal back, stops, and takes it again. */
void term_suspend_if_asked(void);

#endif
