/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame - one picture: header, panes, drawer, what is open above them, the line of keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "shell/jobs.h"
#include "shell/prompt.h"
#include "tui/tui.h"
#include "view/live.h"
#include "view/look.h"

#define LIST_ROWS 12	/* of candidates, at most */

void tui_init(struct tui *t, struct shell *sh)
{
	memset(t, 0, sizeof(*t));
	t->scene.sh = sh;
	t->scene.want_pane = -1;
	t->scene.pfn = PFN_NONE;
	t->scene.touch.step = -1;
	t->cursor_x = -1;
	for (int i = 0; i < PANE_NR; i++) {
		t->state[i] = host_alloc(pane_table[i]->state_bytes + 1);
		memset(t->state[i], 0, pane_table[i]->state_bytes);
	}
}

void tui_fini(struct tui *t)
{
	for (int i = 0; i < PANE_NR; i++) {
		if (pane_table[i]->fini)
			pane_table[i]->fini(t->state[i]);
		free(t->state[i]);
	}
	json_decref(t->scene.why);
	live_zones_free(&t->strip);
	panel_free(&t->panel);
	drawer_free(&t->drawer);
	line_end(&t->line);
	grid_free(&t->grid);
}

/* ---- models ---- */

/* Looked at anew each time (after undo another op may have the same number), but not while ops rush by. */
static void look_at_story(struct tui *t)
{
	struct scene *s = &t->scene;
	json_t *why;

	if (s->running)
		return;
	why = view_model(s->lab, "why", NULL);
	json_decref(s->why);
	s->why = why;
	if (look_get(why, "op") != s->touch.op)
		s->touch.step = -1;
	touch_of_why(&s->touch, why, s->touch.step);
}

void tui_caught(struct tui *t)
{
	if (t->caught)
		t->caught(t);
}

struct job *tui_job(const struct tui *t)
{
	return t->scene.past ? NULL : job_of(t->scene.sh, labs_current(&t->scene.sh->labs)->lab);
}

static void look_at_job(struct tui *t)
{
	struct scene *s = &t->scene;
	struct job *j = tui_job(t);
	struct run_figures f;

	s->running = t->busy && !t->hold && !t->awaiting;
	s->paused = t->hold;
	s->progress[0] = 0;
	if (!j)
		return;
	job_figures(j, &f);
	s->running |= f.state == RUN_GOING;
	s->paused |= f.state == RUN_HELD;
	job_line(j, s->progress, sizeof(s->progress));
}

void tui_look(struct tui *t)
{
	struct scene *s = &t->scene;

	if (!t->busy)
		jobs_reap(s->sh);
	s->lab = tui_lab(t);
	s->now_ns = host_ns();
	look_at_job(t);
	look_at_story(t);
}

void tui_take(struct tui *t)
{
	uint64_t start = host_ns();

	for (int i = 0; i < PANE_NR; i++)
		if (t->seen[i] || i == t->focus)
			pane_table[i]->take(&t->scene, t->state[i]);
	if (!t->seen[PANE_zones])
		live_zones(t->scene.lab, &t->strip);
	if (t->mode == MODE_POLICY || t->behind == MODE_POLICY)
		panel_take(&t->panel, &t->scene);
	t->took_ns = host_ns() - start;
}

/* ---- header ---- */

#define TABS_NAMED 72	/* columns from which on tabs have their names */

static int tab_width(const struct tui *t, int i)
{
	return t->grid.w >= TABS_NAMED || i == t->focus ? (int)strlen(pane_table[i]->name) + 2 : 2;
}

int tui_tab_at(const struct tui *t, int x)
{
	int at = t->grid.w;

	for (int i = PANE_NR - 1; i >= 0; i--) {
		at -= tab_width(t, i);
		if (x >= at)
			return i;
	}
	return -1;
}

static int tabs(const struct tui *t, const struct area *a)
{
	int w = 0, x;

	for (int i = 0; i < PANE_NR; i++)
		w += tab_width(t, i);
	x = a->w - w;
	for (int i = 0; i < PANE_NR; i++) {
		bool here = i == t->focus;

		x = put(a, x + 1, 0, here ? TONE_ACCENT | ATTR_BOLD : TONE_DIM, "%d", i + 1);
		if (tab_width(t, i) > 2)
			x = put(a, x, 0, here ? TONE_ACCENT | ATTR_BOLD | ATTR_UNDERLINE : TONE_DIM, "%s", pane_table[i]->name);
	}
	return a->w - w;
}

static void header(const struct tui *t, const struct area *a)
{
	const struct scene *s = &t->scene;
	struct area left = area_part(a, 0, 0, tabs(t, a), 1);
	struct live_lab l;
	char mem[16], clock[32];
	int x;

	live_lab(s->lab, &l);
	x = put(&left, 0, 0, TONE_HEAD | ATTR_BOLD, "slablab ");
	x = put(&left, x, 0, TONE_ACCENT | ATTR_BOLD, " %s", labs_current(&s->sh->labs)->lab->name);
	if (s->past)
		x = put(&left, x, 0, TOUCHED, " %llu back ", (unsigned long long)s->past);
	if (s->paused)
		x = put(&left, x + 1, 0, TOUCHED, " held ");
	else if (s->running)
		x = put(&left, x + 1, 0, TONE_GOOD | ATTR_BOLD, "running");
	x = put(&left, x, 0, TONE_DIM, " · ");
	if (policies_differ(s->lab))
		x = put(&left, x, 0, TONE_CHANGED, "%s*", live_preset(s->lab));
	else
		x = put(&left, x, 0, TONE_PLAIN, "%s", live_preset(s->lab));
	x = put(&left, x, 0, TONE_DIM, " · ");
	if (l.online != l.cpus)
		x = put(&left, x, 0, TONE_PLAIN, "%u/", l.online);
	x = put(&left, x, 0, TONE_PLAIN, "%u CPU%s", l.cpus, plural(l.cpus));
	x = put(&left, x, 0, TONE_DIM, " · ");
	x = put(&left, x, 0, TONE_PLAIN, "%s", format_bytes(l.pages << PAGE_SHIFT, mem, sizeof(mem)));
	x = put(&left, x, 0, TONE_DIM, " · ");
	x = put(&left, x, 0, TONE_PLAIN, "%s", format_ns(l.time_ns, clock, sizeof(clock)));
	put(&left, x, 0, TONE_DIM, l.clock_real ? " real" : " virtual");
}

/* ---- panes ---- */

static void draw_pane(struct tui *t, int i)
{
	const struct pane *p = pane_table[i];
	struct area *a = &t->at[i];
	struct area line = { &t->grid, a->x, a->y - 1, a->w, 1 };
	bool focused = i == t->focus;
	char title[256] = "";
	int x;

	put_many(&line, 0, 0, focused ? TONE_HEAD : TONE_DIM, focused ? 0x2501 : 0x2500, line.w);
	x = put(&line, 1, 0, focused ? TONE_ACCENT | ATTR_BOLD : TONE_HEAD, " %s ", p->name);
	if (p->title)
		p->title(&t->scene, t->state[i], title, sizeof(title));
	if (title[0])
		put(&line, x, 0, TONE_DIM, "%s ", title);
	p->draw(&t->scene, t->state[i], a);
}

/* A thin line between columns. */
static void draw_edge(struct tui *t, int i, int top, int h)
{
	const struct area *a = &t->at[i];
	struct area all = { &t->grid, 0, 0, t->grid.w, t->grid.h };

	if (a->x)
		for (int y = top; y < top + h; y++)
			put_glyph(&all, a->x - 1, y, TONE_DIM, 0x2502);
}

/* ---- foot ---- */

static int key_hint(const struct area *a, int x, const char *label, const char *text)
{
	int w = text_columns(label) + text_columns(text) + 3;

	if (x + w > a->w)
		return x;
	x = put(a, x, 0, TONE_ACCENT | ATTR_BOLD, "%s", label);
	return put(a, x + 1, 0, TONE_DIM, "%s", text) + 2;
}

static void keys_line(const struct tui *t, const struct area *a)
{
	const struct pane_key *k = pane_table[t->focus]->keys;
	int x = 0;

	if (t->mode == MODE_POLICY && !t->notice[0]) {
		x = key_hint(a, x, "← →", "change");
		x = key_hint(a, x, "Enter", "type a value");
		x = key_hint(a, x, "d", "default");
		x = key_hint(a, x, "c", t->panel.of_cache ? "the lab's" : "of the cache");
		x = key_hint(a, x, "x", t->panel.changed_only ? "all" : "changed ones");
		x = key_hint(a, x, "/", "search");
		key_hint(a, x, "Escape", "close");
		return;
	}
	if (t->notice[0]) {
		put(a, 0, 0, TONE_HEAD, "%s", t->notice);
		return;
	}
	if (t->awaiting) {
		x = put(a, x, 0, TOUCHED, " Enter ");
		x = put(a, x, 0, TONE_HEAD, " %s", t->awaits[0] ? t->awaits : "goes on") + 3;
	} else if (t->scene.paused || t->scene.running) {
		if (t->scene.progress[0])
			x = put(a, x, 0, TONE_GOOD, "%s", t->scene.progress) + 2;
		x = key_hint(a, x, "Space", t->scene.paused ? "go on" : "hold");
		x = key_hint(a, x, ".", "step");
	}
	for (; k && k->label; k++)
		if (k->hint)
			x = key_hint(a, x, k->label, k->hint);
	x = key_hint(a, x, ":", "command");
	x = key_hint(a, x, "p", "policies");
	x = key_hint(a, x, "?", "help");
	x = key_hint(a, x, "q", t->drawer.open ? "close" : "leave");
	x = key_hint(a, x, "Tab", "next");
	x = key_hint(a, x, "z", t->zoom ? "all" : "zoom");
	x = key_hint(a, x, "u", "undo");
	x = key_hint(a, x, "/", "filter");
	x = key_hint(a, x, "< >", "history");
	key_hint(a, x, "s", "save");
}

static void foot(struct tui *t, const struct area *all)
{
	struct area a = area_part(all, 0, all->h - 1, all->w, 1);

	t->cursor_x = -1;
	switch (t->mode) {
	case MODE_COMMAND:
	case MODE_FILTER:
	case MODE_SAVE:
		t->cursor_x = line_draw(&t->line, t->scene.sh, &a);
		t->cursor_y = all->h - 1;
		break;
	default:
		keys_line(t, &a);
	}
}

/* ---- the frame ---- */

static void too_small(struct tui *t, const struct area *all)
{
	struct area a = area_part(all, 0, 0, all->w, all->h);

	put(&a, 0, 0, TONE_HEAD, "%dx%d is too small", all->w, all->h);
	put(&a, 0, 1, TONE_DIM, "%dx%d at least; q leaves", TUI_LEAST_W, TUI_LEAST_H);
	t->cursor_x = -1;
}

static int drawer_rows(const struct tui *t, int h)
{
	int most = h * 2 / 5, want = drawer_rows_since(&t->drawer, t->grid.w - 2, most + 1);

	if (!t->drawer.open)
		return 0;
	if (t->drawer.back)
		return most;
	return want < 2 ? 2 : want > most ? most : want;
}

static void draw_drawer(struct tui *t, const struct area *all, int y, int rows)
{
	struct area line = area_part(all, 0, y, all->w, 1), a = area_part(all, 1, y + 1, all->w - 2, rows);

	for (int i = 0; i < rows + 1; i++)
		put_many(all, 0, y + i, TONE_PLAIN, ' ', all->w);
	put_many(&line, 0, 0, TONE_DIM, 0x2500, line.w);
	put(&line, 1, 0, TONE_HEAD, " Output ");
	if (t->drawer.back)
		put_right(&line, line.w - 1, 0, TONE_DIM, " %u lines below ", t->drawer.back);
	else if (t->drawer.nr > (unsigned int)rows)
		put_right(&line, line.w - 1, 0, TONE_DIM, " PgUp: %u lines above ", t->drawer.nr - (unsigned int)rows);
	drawer_draw(&t->drawer, &a);
}

static void draw_list(struct tui *t, const struct area *all)
{
	int rows = t->mode == MODE_COMMAND ? line_list_rows(&t->line, all->h / 2 < LIST_ROWS ? all->h / 2 : LIST_ROWS) : 0;
	struct area line = area_part(all, 0, all->h - 2 - rows, all->w, 1), a = area_part(all, 0, all->h - 1 - rows, all->w, rows);

	if (!rows)
		return;
	put_many(&line, 0, 0, TONE_DIM, 0x2500, line.w);
	line_list_draw(&t->line, &a);
}

#define STRIP_BAR 12
#define STRIP_FROM 12		/* rows of a window that has it */

/* Free memory stays in sight in a row: "N0 Normal ▕███▌··▏ 61.2% free". */
static void draw_strip(const struct tui *t, const struct area *a)
{
	int x = 0;

	for (unsigned int i = 0; i < t->strip.nr; i++) {
		const struct zone_figures *f = &t->strip.zone[i].f;
		int w = text_columns(t->strip.zone[i].name) + STRIP_BAR + 17;

		if (x + w > a->w && i) {
			put_right(a, a->w, 0, TONE_DIM, "+%u", t->strip.nr - i);
			return;
		}
		x = put(a, x, 0, TONE_HEAD, "%s ", t->strip.zone[i].name);
		put_gauge(a, x, 0, STRIP_BAR, live_marks_missed(f) >= 2 ? TONE_BAD : TONE_GOOD, f->free, f->managed);
		x = put(a, x + STRIP_BAR + 1, 0, TONE_PLAIN, "%5.1f%%", f->managed ? 100.0 * (double)f->free / (double)f->managed : 0);
		x = put(a, x, 0, TONE_DIM, " free   ");
	}
}

/* Beside the first column of panes where there is room for both, so that a change is seen. */
static struct area panel_place(const struct area *all, int top, int body)
{
	int w = all->w >= 124 ? (all->w - 1) / 2 : all->w;

	return area_part(all, all->w - w, top, w, body);
}

void tui_draw(struct tui *t)
{
	struct area all = { &t->grid, 0, 0, t->grid.w, t->grid.h };
	int rows = drawer_rows(t, all.h), top = 1, body = all.h - 2 - (rows ? rows + 1 : 0);

	grid_clear(&t->grid);
	if (all.w < TUI_LEAST_W || all.h < TUI_LEAST_H) {
		too_small(t, &all);
		return;
	}
	layout(t, 1, body);
	if (!t->seen[PANE_zones] && all.h >= STRIP_FROM) {
		struct area strip = area_part(&all, 0, 1, all.w, 1);

		draw_strip(t, &strip);
		layout(t, ++top, --body);
	}
	header(t, &all);
	for (int i = 0; i < PANE_NR; i++)
		if (t->seen[i])
			draw_edge(t, i, top, body);
	for (int i = 0; i < PANE_NR; i++)
		if (t->seen[i])
			draw_pane(t, i);
	if (t->mode == MODE_HELP) {
		struct area a = area_part(&all, 0, 1, all.w, all.h - 2);

		t->help_rows = help_draw(t, &a);
	}
	if (t->mode == MODE_POLICY || t->behind == MODE_POLICY) {
		t->panel_at = panel_place(&all, top, body);
		panel_draw(&t->panel, &t->scene, &t->panel_at);
	}
	if (rows)
		draw_drawer(t, &all, all.h - 2 - rows, rows);
	draw_list(t, &all);
	foot(t, &all);
}
