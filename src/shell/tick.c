/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/tick.h"

#include <pthread.h>

bool tick_due_word;

static void (*looker)(void *arg);
static void *looker_arg;
static pthread_t shell_thread;
static bool inside;

void tick_set(void (*fn)(void *arg), void *arg)
{
	shell_thread = pthread_self();
	looker_arg = arg;
	looker = fn;
	inside = false;
}

void tick_make_due(void)
{
	__atomic_store_n(&tick_due_word, true, __ATOMIC_RELAXED);
}

void tick(void)
{
	if (!tick_is_due() || !looker || !pthread_equal(shell_thread, pthread_self()) || inside)
		return;
	__atomic_store_n(&tick_due_word, false, __ATOMIC_RELAXED);
	inside = true;
	looker(looker_arg);
	inside = false;
}
