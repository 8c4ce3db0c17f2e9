/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tick - a look-in between two ops: how a screen lives on while a command runs.
 *
 * Idea. Long work asks shell_stopped() (ctx_stopped()) between two ops, where
 * the lab is consistent. When a tick is due, that question lets the screen in
 * first: it paints, takes keys, holds the work while it is paused, and runs
 * the commands that the user types meanwhile. Work that asks needs nothing
 * more; who waits for threads asks every few milliseconds while he waits.
 *
 * Only the shell's own thread lets it in, never a CPU's.
 */
#ifndef SHELL_TICK_H
#define SHELL_TICK_H

#include "base/types.h"

/* fn is called on this thread whenever a tick is due; NULL: nobody looks in. */
void tick_set(void (*fn)(void *arg), void *arg);

/* From any thread or signal handler: the next question lets the screen in. */
void tick_make_due(void);

extern bool tick_due_word;
/* Cheap enough to be asked at every op. */
static inline bool tick_is_due(void)
{
	return __atomic_load_n(&tick_due_word, __ATOMIC_RELAXED);
}

/* Let it in, if a tick is due, this is the shell's thread, and it is not in already. */
void tick(void);

#endif
