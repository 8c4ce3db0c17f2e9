/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signals - how Ctrl-C ends a command and not the lab.
 *
 * Idea. A handler only notes the signal; commands ask between two ops, so
 * whatever is stopped stops at a moment when the lab is consistent. A second
 * SIGINT or SIGTERM while nobody asked ends the program at once.
 */
#ifndef SHELL_SIGNALS_H
#define SHELL_SIGNALS_H

#include <stdbool.h>

void signals_init(void);

/* The signal that asks to stop, 0 if none came. */
int stop_asked(void);
/* Forget it: the shell goes on with the next line. */
void stop_forget(void);

/* Called from the handler before it ends the program at once: to give the terminal back. NULL: nothing. */
void signals_before_exit(void (*fn)(void));

#endif
