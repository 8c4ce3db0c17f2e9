/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act - what keys and the mouse do. A change of a lab is always a command that the shell runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/jobs.h"
#include "tui/save.h"
#include "tui/tui.h"

void tui_say(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->notice, sizeof(t->notice), fmt, ap);
	va_end(ap);
}

/* ---- commands ---- */

static void run_text(struct shell *sh, const char *text)
{
	bool inside = sh->looking_in;
	struct input in;

	sh->looking_in = true;
	input_text(&in, NULL, text, strlen(text));
	shell_run(sh, &in, NULL, 0);
	input_close(&in);
	sh->looking_in = inside;
}

/* A line or less is told at the screen's foot; more opens the drawer. */
static void show_output(struct tui *t, const char *line)
{
	unsigned int lines = t->drawer.nr - t->drawer.since;

	if (lines > 2 || t->drawer.open) {
		t->drawer.open = true;
		t->drawer.back = 0;
	} else if (lines == 2) {
		tui_say(t, "%s → %s", line, drawer_last(&t->drawer));
	} else {
		tui_say(t, "%s", line);
	}
}

/* A workload typed here goes on beside the screen, as if `&` stood behind it. */
static const char *in_background(const char *line, char *buf, size_t size)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		len--;
	if (strncmp(line + strspn(line, " "), "run ", 4) || strpbrk(line, ";{|>#") || (len && line[len - 1] == '&'))
		return line;
	snprintf(buf, size, "%.*s &", (int)len, line);
	return buf;
}

void tui_run(struct tui *t, const char *line, bool remember)
{
	struct scene *s = &t->scene;
	struct shell *sh = s->sh;
	bool was_busy = t->busy;
	char echo[LINE_MAX_BYTES + 4], text[LINE_MAX_BYTES + 4];

	if (!line[strspn(line, " ")])
		return;
	if (remember)
		history_add(&sh->history, line, false);
	tui_present(t);
	snprintf(echo, sizeof(echo), "> %s", line);
	t->drawer.since = t->drawer.nr;
	drawer_say(&t->drawer, TONE_HEAD, echo);
	t->busy = true;
	run_text(sh, in_background(line, text, sizeof(text)));
	t->busy = was_busy;
	t->hold &= was_busy;
	s->touch.step = -1;
	tui_caught(t);
	show_output(t, line);
	if (tui_job(t) && t->drawer.nr - t->drawer.since <= 2 && !strncmp(line, "run ", 4))
		t->notice[0] = 0;	/* its progress stands there */
}

/* ---- what is typed at the foot ---- */

/* Back to where the line was opened. */
static void end_line(struct tui *t)
{
	t->mode = t->behind;
	t->behind = MODE_PANES;
}

static void line_is_done(struct tui *t)
{
	enum tui_mode mode = t->mode;
	char text[LINE_MAX_BYTES];

	memcpy(text, t->line.text, t->line.len + 1);
	end_line(t);
	if (mode == MODE_COMMAND)
		tui_run(t, text, true);
	else if (mode == MODE_SAVE && text[0])
		tui_say(t, save_grid(&t->grid, text) ? "%s: not saved: %s" : "saved to %s", text, fail_why());
}

static void typed(struct tui *t, int key)
{
	enum line_result r = line_key(&t->line, t->scene.sh, key);

	if (t->mode == MODE_FILTER && r != LINE_LEFT)
		snprintf(t->scene.filter, sizeof(t->scene.filter), "%.*s", (int)sizeof(t->scene.filter) - 1, t->line.text);
	if (r == LINE_GOES_ON)
		return;
	if (r == LINE_DONE) {
		line_is_done(t);
		return;
	}
	if (t->mode == MODE_FILTER)
		t->scene.filter[0] = 0;
	end_line(t);
}

static void begin_line(struct tui *t, enum tui_mode mode, const char *prompt)
{
	line_begin(&t->line, prompt, mode != MODE_COMMAND);
	t->behind = t->mode == MODE_POLICY ? MODE_POLICY : MODE_PANES;
	t->mode = mode;
}

/* ---- keys ---- */

static void focus(struct tui *t, int pane)
{
	if (pane >= 0 && pane < PANE_NR)
		t->focus = pane;
}

static void close_something(struct tui *t)
{
	if (t->drawer.open)
		t->drawer.open = false;
	else if (t->scene.filter[0])
		t->scene.filter[0] = 0;
	else if (t->scene.past)
		tui_present(t);
	else
		t->zoom = false;
}

static void leave(struct tui *t)
{
	if (t->busy && !t->awaiting)
		tui_say(t, "a command is under way: Ctrl-C ends it");
	else
		t->leave = true;
}

static void help_key(struct tui *t, int key)
{
	int most = t->help_rows > t->grid.h - 2 ? t->help_rows - (t->grid.h - 2) : 0;

	switch (key) {
	case K_DOWN: case 'j': t->help_first++; break;
	case K_UP: case 'k': t->help_first--; break;
	case K_PAGE_DOWN: case ' ': t->help_first += t->grid.h / 2; break;
	case K_PAGE_UP: t->help_first -= t->grid.h / 2; break;
	default: t->mode = MODE_PANES;
	}
	t->help_first = t->help_first < 0 ? 0 : t->help_first > most ? most : t->help_first;
}

/* A workload is held by its own gate; a command by being kept between two ops. */
static void hold(struct tui *t)
{
	struct job *j = tui_job(t);

	if (j && t->scene.paused)
		job_resume(j);
	else if (j)
		job_pause(j);
	else if (t->busy)
		t->hold = !t->hold;
	else
		tui_say(t, "nothing runs: \":run churn\" starts a workload");
}

static void step(struct tui *t)
{
	struct job *j = tui_job(t);

	if (j) {
		job_pause(j);
		t->scene.running = false;
		if (!job_step(j, 1))
			tui_say(t, "it has no op to do");
	} else if (t->busy) {
		t->hold = t->step = true;
	} else {
		tui_say(t, "nothing runs that could do one op more");
	}
}

static void policy_key(struct tui *t, int key)
{
	char name[256];

	if (key == ':' || key == '/' || key == K_F3) {
		begin_line(t, key == ':' ? MODE_COMMAND : MODE_FILTER, key == ':' ? ":" : "/");
		return;
	}
	if (!panel_key(&t->panel, &t->scene, key)) {
		t->scene.filter[0] = 0;
		t->mode = MODE_PANES;
	}
	if (!t->panel.edits)
		return;
	t->panel.edits = false;
	begin_line(t, MODE_COMMAND, ":");
	t->line.len = t->line.at = (size_t)snprintf(t->line.text, sizeof(t->line.text), "set %s ",
						    panel_name(&t->panel, &t->scene, name, sizeof(name)));
}

static bool hold_key(struct tui *t, int key)
{
	if (key == ' ' || key == K_F5)
		hold(t);
	else if (key == '.' || key == K_F6)
		step(t);
	else
		return false;
	return true;
}

static bool open_key(struct tui *t, int key)
{
	switch (key) {
	case '?': case K_F1: t->mode = MODE_HELP; t->help_first = 0; return true;
	case 'p': case K_F2: t->mode = MODE_POLICY; return true;
	case ':': begin_line(t, MODE_COMMAND, ":"); return true;
	case '/': case K_F3: begin_line(t, MODE_FILTER, "/"); return true;
	case 's': case K_F12: begin_line(t, MODE_SAVE, "save as"); return true;
	case 'o': t->drawer.open = !t->drawer.open; return true;
	case 'z': t->zoom = !t->zoom; return true;
	case 'u': case K_F9: tui_run(t, "undo", false); return true;
	case '<': case K_F7: tui_go_back(t, 1); return true;
	case '>': case K_F8: tui_go_back(t, -1); return true;
	case 'q': case K_F10: leave(t); return true;
	case KEY_ESC: close_something(t); return true;
	default: return false;
	}
}

static bool move_key(struct tui *t, int key)
{
	int rows = t->grid.h * 2 / 5;

	if (key == KEY_TAB || key == K_BACKTAB)
		focus(t, (t->focus + (key == KEY_TAB ? 1 : PANE_NR - 1)) % PANE_NR);
	else if (key >= '1' && key <= '9')
		focus(t, key - '1');
	else if (t->drawer.open && (key == K_PAGE_UP || key == K_PAGE_DOWN))
		drawer_scroll(&t->drawer, key == K_PAGE_UP ? rows / 2 : -rows / 2, rows);
	else
		return false;
	return true;
}

/* What a pane asked for. */
static void grant(struct tui *t)
{
	char wish[sizeof(t->scene.wish)];

	if (t->scene.want_pane >= 0)
		focus(t, t->scene.want_pane);
	t->scene.want_pane = -1;
	if (!t->scene.wish[0])
		return;
	memcpy(wish, t->scene.wish, sizeof(wish));
	t->scene.wish[0] = 0;
	tui_run(t, wish, true);
}

void tui_key(struct tui *t, int key)
{
	const struct pane *p = pane_table[t->focus];

	if (key == K_RESIZE || key == KEY_NONE_YET)
		return;
	t->notice[0] = 0;
	if (t->mode == MODE_COMMAND || t->mode == MODE_FILTER || t->mode == MODE_SAVE)
		typed(t, key);
	else if (t->mode == MODE_HELP)
		help_key(t, key);
	else if (t->mode == MODE_POLICY)
		policy_key(t, key);
	else if (t->awaiting && (key == KEY_RETURN || key == ' '))
		t->awaiting = false;
	else if (!move_key(t, key) && !open_key(t, key) && !(p->key && p->key(&t->scene, t->state[t->focus], key)))
		hold_key(t, key);
	grant(t);
}

/* ---- the mouse ---- */

void tui_mouse(struct tui *t, const struct mouse *m)
{
	int pane = layout_pane_at(t, m->x, m->y);
	struct mouse inside = *m;
	bool wheel = m->kind == MOUSE_WHEEL_UP || m->kind == MOUSE_WHEEL_DOWN;

	t->notice[0] = 0;
	if (t->mode == MODE_HELP) {
		help_key(t, m->kind == MOUSE_WHEEL_DOWN ? K_DOWN : m->kind == MOUSE_WHEEL_UP ? K_UP : KEY_ESC);
		return;
	}
	if (t->mode == MODE_POLICY && m->x >= t->panel_at.x && m->y >= t->panel_at.y && m->y < t->panel_at.y + t->panel_at.h) {
		inside.x -= t->panel_at.x;
		inside.y -= t->panel_at.y;
		panel_mouse(&t->panel, &t->scene, &inside);
		grant(t);
		return;
	}
	if (m->y == 0 && !wheel) {
		focus(t, tui_tab_at(t, m->x));
		return;
	}
	if (pane < 0) {
		if (t->drawer.open && wheel)
			drawer_scroll(&t->drawer, m->kind == MOUSE_WHEEL_UP ? 3 : -3, t->grid.h * 2 / 5);
		return;
	}
	if (!wheel)
		focus(t, pane);
	inside.x -= t->at[pane].x;
	inside.y -= t->at[pane].y;
	if (inside.y >= 0 && pane_table[pane]->mouse)
		pane_table[pane]->mouse(&t->scene, t->state[pane], &inside);
	grant(t);
}
