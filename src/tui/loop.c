/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loop - the view joined with the terminal (ncurses behind term.h).
 *
 * Idea. Everything happens on the shell's thread. While nothing runs the loop
 * paints and waits for keys. While a command runs it is that command which
 * asks between two ops (shell/tick.h); then one turn of the same loop is
 * taken, and when the user holds the work, turns are taken until it goes on,
 * with all CPUs stopped. One more thread only says when a turn is due: ten
 * times a second, and when a key waits.
 */
#include "tui/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shell/signals.h"
#include "shell/tick.h"
#include "shell/xdg.h"
#include "tui/capture.h"
#include "tui/term.h"
#include "tui/tui.h"
#include "view/live.h"

#define FRAME_MS 100
#define IDLE_MS 250

static struct tui *view;
static pthread_t ticker;
static bool ticker_ends;

/* ---- when a turn is due ---- */

static void *tick_on(void *arg)
{
	struct timespec rest = { .tv_nsec = 20000000 };

	(void)arg;
	while (!__atomic_load_n(&ticker_ends, __ATOMIC_RELAXED)) {
		struct pollfd in = { .fd = term_fd(), .events = POLLIN };

		if (poll(&in, 1, FRAME_MS) > 0)
			nanosleep(&rest, NULL);	/* a key stays there until somebody asks */
		tick_make_due();
	}
	return NULL;
}

static int start_ticker(void)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);	/* signals are the shell's thread's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ticker_ends = false;
	err = pthread_create(&ticker, NULL, tick_on, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err ? fail(err, "cannot start a thread: %s", strerror(err)) : 0;
}

static void stop_ticker(void)
{
	__atomic_store_n(&ticker_ends, true, __ATOMIC_RELAXED);
	pthread_join(ticker, NULL);
}

/* ---- turns ---- */

static void take_in(struct tui *t)
{
	char buf[16384];
	size_t n;

	while ((n = capture_read(buf, sizeof(buf))))
		drawer_add(&t->drawer, buf, n);
}

static void paint(struct tui *t, bool again)
{
	int w, h;

	term_size(&w, &h);
	if (w != t->grid.w || h != t->grid.h)
		grid_size(&t->grid, w, h);
	t->grid.ascii = term_is_ascii();
	t->scene.mono = term_depth() == DEPTH_MONO;
	take_in(t);
	tui_look(t);
	tui_take(t);
	tui_draw(t);
	term_put(&t->grid, again);
	term_cursor(t->cursor_x, t->cursor_y);
}

static void press(struct tui *t, int key, const struct mouse *m)
{
	if (key == K_MOUSE)
		tui_mouse(t, m);
	else if (key == CTRL('L'))
		paint(t, true);
	else
		tui_key(t, key);
}

/* One picture, then whatever is pressed within so many ms. */
static void turn(struct tui *t, int wait_ms)
{
	struct mouse m;
	int key;

	term_suspend_if_asked();
	paint(t, false);
	key = term_key(wait_ms, &m);
	for (; key != KEY_NONE_YET && key != K_RESIZE; key = term_key(0, &m)) {
		press(t, key, &m);
		if (t->leave || t->step)
			return;
	}
}

/* Ctrl-C where no command would take it. */
static bool asked_to_end(struct tui *t)
{
	if (stop_asked() == SIGINT) {
		stop_forget();
		t->mode = MODE_PANES;
		if (tui_job(t))
			tui_run(t, "job stop", false);
		else
			tui_say(t, "q leaves");
	}
	return stop_asked() || t->leave || t->scene.sh->quit;
}

/* Between two ops of a command that runs. */
static void look_in(void *arg)
{
	struct tui *t = arg;
	struct lab *lab = labs_current(&t->scene.sh->labs)->lab;

	t->step = false;
	if (!t->hold)
		turn(t, 0);
	if (!t->hold)
		return;
	live_stop(lab);
	while (t->hold && !t->step && !stop_asked())
		turn(t, IDLE_MS);
	live_go(lab);
	t->hold &= !stop_asked();
	if (t->step)
		tick_make_due();
}

/* ---- a command file that waits ---- */

static int await(struct ctx *ctx, const char *text)
{
	struct tui *t = view;

	(void)ctx;
	snprintf(t->awaits, sizeof(t->awaits), "%s", text);
	t->awaiting = true;
	take_in(t);
	t->drawer.open = t->drawer.nr > t->drawer.since;
	while (t->awaiting && !t->leave && !stop_asked())
		turn(t, IDLE_MS);
	t->awaiting = false;
	t->drawer.since = t->drawer.nr;	/* what comes next is shown from its beginning */
	return stop_asked() || t->leave ? fail(EINTR, "stopped") : 0;
}

/* ---- opening and leaving ---- */

static void run_file(struct tui *t, char *const *words, unsigned int nr)
{
	struct input in;
	bool kept = t->scene.sh->looking_in;

	if (input_file(&in, words[0])) {
		drawer_say(&t->drawer, TONE_BAD, fail_why());
		t->drawer.open = true;
		return;
	}
	t->busy = t->scene.sh->looking_in = true;
	shell_run(t->scene.sh, &in, words + 1, nr - 1);
	t->busy = t->hold = false;
	t->scene.sh->looking_in = kept;
	input_close(&in);
	take_in(t);
	t->drawer.open = t->drawer.nr > t->drawer.since;
}

static void live(struct tui *t, char *const *words, unsigned int nr)
{
	int status = t->scene.sh->status;

	tick_set(look_in, t);
	if (nr)
		run_file(t, words, nr);
	while (!asked_to_end(t))
		turn(t, t->scene.running ? FRAME_MS : IDLE_MS);
	tui_present(t);
	tick_set(NULL, NULL);
	t->scene.sh->status = status;	/* what was typed here failed before its user's eyes */
}

static void open_history(struct shell *sh)
{
	char *path;

	if (sh->interactive || sh->history.nr)
		return;
	path = xdg_state("history");
	history_open(&sh->history, path);
	free(path);
}

static int show(struct ctx *ctx, char *const *words, unsigned int nr)
{
	struct tui t;
	int ret = term_open();

	if (ret)
		return ret;
	ret = capture_begin();
	if (!ret)
		ret = start_ticker();
	if (!ret) {
		open_history(ctx->sh);
		tui_init(&t, ctx->sh);
		t.caught = take_in;
		view = &t;
		tui_screen.shown = true;
		live(&t, words, nr);
		tui_screen.shown = false;
		view = NULL;
		tui_fini(&t);
		stop_ticker();
	}
	capture_end();
	term_close();
	ctx->lab = labs_current(&ctx->sh->labs)->lab;
	return ret;
}

struct screen tui_screen = { .show = show, .await = await };
