/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/signals.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t asked;
static volatile sig_atomic_t impatient;
static void (*volatile before_exit)(void);

static void note(int sig)
{
	/* Nobody looked three times running: something does not ask. */
	if (asked && ++impatient > 2) {
		if (before_exit)
			before_exit();
		_exit(128 + sig);
	}
	asked = sig;
}

void signals_init(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = note;	/* no SA_RESTART: a read from a terminal or pipe must end */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	/* A reader that went away is seen as EPIPE where it matters. */
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

void signals_before_exit(void (*fn)(void))
{
	before_exit = fn;
}

int stop_asked(void)
{
	return asked;
}

void stop_forget(void)
{
	asked = 0;
	impatient = 0;
}
