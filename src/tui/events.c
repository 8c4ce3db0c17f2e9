/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events - what happens how often, and one by one.
 *
 * Above, a row an event: how often so far, how often a second, and the last
 * seconds as a small curve, each against its own highest. Rows stand in the
 * order of the event table, so that none jumps. Below, the end of the trace
 * while one is kept, or the call stacks at the event that is picked while those
 * are. `/` filters rows and trace.
 */
#include "tui/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/stacks.h"
#include "tui/panes.h"
#include "view/stack.h"
#include "view/tracing.h"

#define NAME_W 26
#define LOOK 4096	/* newest entries of the trace among which lines are looked for: bounds the stop */

/* ---- the model ---- */

static void choose_rows(struct events *s, const struct scene *sc)
{
	s->shown = 0;
	for (unsigned int e = 0; e < EV_NR; e++)
		if ((s->all || s->now.rate[e].total) && scene_lists(sc, event_table[e].name))
			s->row[s->shown++] = e;
}

static int keep_line(const struct traced_line *l, void *arg)
{
	struct events *s = arg;
	struct events_line *to = &s->line[s->lines];
	size_t at = 0;

	to->seq = l->seq;
	to->ns = l->ns;
	to->cpu = l->cpu;
	to->event = l->event;
	to->text[0] = 0;
	for (unsigned int i = 0; i < l->nr && at < sizeof(to->text); i++)
		if (strcmp(l->field[i].key, "page"))	/* the pfn says it */
			at += (size_t)snprintf(to->text + at, sizeof(to->text) - at, "%s%s=%s", at ? " " : "",
					       l->field[i].key, l->field[i].text);
	return ++s->lines == EVENTS_LINES;
}

static void wanted_of(const struct scene *sc, uint8_t wanted[(TP_END + 7) / 8])
{
	memset(wanted, 0, (TP_END + 7) / 8);
	for (unsigned int e = 0; e < TP_END; e++)
		if (scene_lists(sc, trace_name(e)))
			wanted[e / 8] |= (uint8_t)(1 << e % 8);
}

static void take_trace(struct scene *sc, struct events *s)
{
	const struct trace *t = sc->lab->trace;
	uint8_t wanted[(TP_END + 7) / 8];
	struct traced_totals all;
	struct traced_choice choice = { .wanted = wanted, .cpu = -1, .last = EVENTS_LINES, .look = LOOK };

	s->tracing = t && t->on;
	s->lines = 0;
	s->kept = s->lost = 0;
	if (!t)
		return;
	wanted_of(sc, wanted);
	live_stop(sc->lab);
	all = traced_totals(sc->lab);
	traced_lines(sc->lab, &choice, keep_line, s);
	live_go(sc->lab);
	s->kept = all.kept;
	s->lost = all.written - all.kept;
	if (s->lines && s->line[s->lines - 1].seq != s->newest_seq) {
		s->from_seq = s->newest_seq;
		s->newest_seq = s->line[s->lines - 1].seq;
	}
}

#define STACKS_PATHS 20
#define STACKS_NS 1000000000ULL		/* between two looks at those of running CPUs, which stop for it */

/* What `stack` would print. */
static char *stacks_text(struct lab *lab, unsigned int event)
{
	json_t *model = view_stack(lab, event, STACKS_PATHS);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to) {
		view_stack_text(model, &(const struct view_args){ .quiet = true }, to);
		fclose(to);
	}
	json_decref(model);
	return text;
}

static unsigned int stacks_wanted(const struct events *s)
{
	return s->picked >= 0 ? (unsigned int)s->picked : STACK_ZONE_LOCK;
}

static void take_stacks(struct scene *sc, struct events *s)
{
	unsigned int of = stacks_wanted(s);
	bool kept = view_stack_kept(sc->lab, of);

	if (kept && s->stacks && s->stacks_of == of && sc->running && sc->now_ns - s->stacks_ns < STACKS_NS)
		return;
	free(s->stacks);
	s->stacks = kept ? stacks_text(sc->lab, of) : NULL;
	s->stacks_ns = sc->now_ns;
	if (s->stacks_of != of)
		s->stacks_first = 0;
	s->stacks_of = of;
}

static void events_take(struct scene *sc, void *state)
{
	struct events *s = state;

	if (!s->now.lab)
		s->picked = -1;
	live_events(sc->lab, sc->now_ns, &s->now);
	choose_rows(s, sc);
	take_trace(sc, s);
	take_stacks(sc, s);
}

/* ---- painting ---- */

static void draw_curve(const struct events *s, unsigned int e, int w, const struct area *a, int x, int y)
{
	double most = 0;

	w = w < LIVE_HISTORY ? w : LIVE_HISTORY;
	for (int i = 0; i < w; i++)
		most = live_sample(&s->now, (enum event_id)e, (unsigned int)i) > most ?
		       live_sample(&s->now, (enum event_id)e, (unsigned int)i) : most;
	for (int i = 0; i < w && i < (int)s->now.nr; i++) {
		double v = live_sample(&s->now, (enum event_id)e, (unsigned int)i);
		unsigned int eighths = most > 0 ? (unsigned int)(v / most * 7 + 0.5) : 0;

		put_glyph(a, x + w - 1 - i, y, i ? TONE_DIM : TONE_MOVABLE, v > 0 ? 0x2581 + eighths : 0xb7);
	}
}

static void draw_row(const struct events *s, unsigned int e, const struct area *a, int y)
{
	const struct live_rate *r = &s->now.rate[e];
	bool picked = s->picked == (int)e;
	char count[24], rate[24];

	put(a, 1, y, picked ? TONE_ACCENT | ATTR_REVERSE : r->per_s > 0 ? TONE_HEAD : TONE_PLAIN, "%.*s", NAME_W - 1,
	    event_table[e].name);
	if (!s->now.counting)
		return;
	put_right(a, NAME_W + 9, y, TONE_PLAIN, "%s", short_count(r->total, 8, count, sizeof(count)));
	if (r->per_s >= 0.5)
		put_right(a, NAME_W + 17, y, TONE_HEAD, "%s", short_count((uint64_t)(r->per_s + 0.5), 7, rate, sizeof(rate)));
	else
		put_right(a, NAME_W + 17, y, TONE_DIM, "·");
	draw_curve(s, e, a->w - NAME_W - 20, a, NAME_W + 19, y);
}

static void draw_head(const struct events *s, const struct area *a)
{
	put(a, 1, 0, TONE_DIM, "event");
	put_right(a, NAME_W + 9, 0, TONE_DIM, "so far");
	put_right(a, NAME_W + 17, 0, TONE_DIM, "/s");
	if (!s->now.counting)
		put(a, NAME_W + 19, 0, TONE_BAD, "counters are off");
	else
		put(a, NAME_W + 19, 0, TONE_DIM, "last %d s", (int)(LIVE_HISTORY * LIVE_SAMPLE_NS / 1000000000));
}

static void draw_rates(struct events *s, const struct area *a)
{
	int room = a->h - 1, most = (int)s->shown > room ? (int)s->shown - room : 0;

	draw_head(s, a);
	s->page = room > 1 ? room : 1;
	s->first = s->first > most ? most : s->first;
	if (!s->shown)
		put(a, 1, 1, TONE_DIM, "nothing happened yet");
	for (int i = 0; i < room && s->first + i < (int)s->shown; i++)
		draw_row(s, s->row[s->first + i], a, i + 1);
	if (s->first < most)
		put_right(a, a->w, 0, TONE_DIM, " ↓ %d more", most - s->first);
}

static void draw_line(const struct events *s, const struct events_line *l, const struct area *a, int y)
{
	bool fresh = l->seq > s->from_seq && s->from_seq < s->newest_seq;
	int x = put(a, 1, y, TONE_DIM, "%5llu.%06llu %3u ", (unsigned long long)(l->ns / 1000000000),
		    (unsigned long long)(l->ns % 1000000000 / 1000), l->cpu);

	x = put(a, x, y, fresh ? TONE_ACCENT | ATTR_BOLD : TONE_HEAD, "%s ", trace_name(l->event));
	put_long(a, x, y, TONE_PLAIN, l->text);
}

static void draw_trace(const struct events *s, const struct area *a)
{
	int rows = a->h - 1, from = (int)s->lines > rows ? (int)s->lines - rows : 0;

	put_many(a, 0, 0, TONE_DIM, 0x2500, a->w);
	if (s->tracing)
		put(a, 2, 0, TONE_HEAD, " trace ");
	else
		put(a, 2, 0, TONE_DIM, s->kept ? " trace, off " : " no trace: t begins one ");
	if (s->lost)
		put_right(a, a->w - 1, 0, TONE_DIM, " %llu kept, %llu before them lost ", (unsigned long long)s->kept,
			  (unsigned long long)s->lost);
	else if (s->kept)
		put_right(a, a->w - 1, 0, TONE_DIM, " %llu kept ", (unsigned long long)s->kept);
	for (int i = 0; i < rows && from + i < (int)s->lines; i++)
		draw_line(s, &s->line[from + i], a, i + 1);
}

static void draw_stacks(struct events *s, const struct area *a)
{
	const char *line = s->stacks;
	int row = -s->stacks_first;

	put_many(a, 0, 0, TONE_DIM, 0x2500, a->w);
	put(a, 2, 0, TONE_HEAD, " call stacks at %s ", stacks_name(s->stacks_of));
	for (const char *end; (end = strchr(line, '\n')); line = end + 1, row++) {
		char text[EVENTS_TEXT];

		if (row < 0 || row >= a->h - 1)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(end - line), line);
		put_long(a, 1, row + 1, line == s->stacks ? TONE_DIM : TONE_PLAIN, text);
	}
	if (row > a->h - 1)
		put_right(a, a->w - 1, 0, TONE_DIM, " ↓ %d more ", row - (a->h - 1));
	else if (s->stacks_first > 0 && row < a->h - 1)
		s->stacks_first--;
}

static void events_draw(const struct scene *sc, void *state, const struct area *a)
{
	struct events *s = state;
	bool half = s->kept || s->tracing || s->stacks;
	int trace = a->h < 8 ? 0 : half ? a->h / 2 : 1;
	int rates = (int)s->shown + 1 < a->h - trace ? (int)s->shown + 1 : a->h - trace;
	struct area above, below;

	(void)sc;
	if (half && rates < 4)
		rates = 4 < a->h ? 4 : a->h;
	above = area_part(a, 0, 0, a->w, half ? rates : a->h - trace);
	below = area_part(a, 0, above.h, a->w, a->h - above.h);
	draw_rates(s, &above);
	if (below.h > 0 && s->stacks)
		draw_stacks(s, &below);
	else if (below.h > 0)
		draw_trace(s, &below);
}

static void events_title(const struct scene *sc, const void *state, char *buf, size_t size)
{
	const struct events *s = state;

	if (sc->filter[0])
		snprintf(buf, size, "%u that match %s", s->shown, sc->filter);
	else
		snprintf(buf, size, "%u kinds", s->shown);
}

static int events_rows(const struct scene *sc, const void *state)
{
	const struct events *s = state;

	(void)sc;
	return s->kept || s->tracing || s->stacks ? 1000 : (int)s->shown + 3;
}

/* ---- keys ---- */

static void pick(struct events *s, int by)
{
	int at = -1;

	for (unsigned int i = 0; i < s->shown; i++)
		if ((int)s->row[i] == s->picked)
			at = (int)i;
	if (!s->shown)
		return;
	at = at < 0 ? (by > 0 ? 0 : (int)s->shown - 1) : at + by;
	at = at < 0 ? 0 : at >= (int)s->shown ? (int)s->shown - 1 : at;
	s->picked = (int)s->row[at];
	s->first = scroll_to(s->first, at, s->page, (int)s->shown);
}

static bool events_key(struct scene *sc, void *state, int key)
{
	struct events *s = state;

	switch (key) {
	case K_DOWN: case 'j': pick(s, 1); return true;
	case K_UP: case 'k': pick(s, -1); return true;
	case K_PAGE_DOWN: pick(s, s->page); return true;
	case K_PAGE_UP: pick(s, -s->page); return true;
	case 'a': s->all = !s->all; return true;
	case 't': scene_run(sc, s->tracing ? "trace off" : "trace on"); return true;
	case 'x': scene_run(sc, "trace clear"); return true;
	case 'c':
		scene_run(sc, "stack %s%s", stacks_name(stacks_wanted(s)), view_stack_kept(sc->lab, stacks_wanted(s)) ? " off" : "");
		return true;
	case '[': s->stacks_first -= s->stacks_first > 0; return true;
	case ']': s->stacks_first += s->stacks != NULL; return true;
	case KEY_RETURN:
		if (s->picked >= 0)
			scene_run(sc, "trace on %s", event_table[s->picked].name);
		return true;
	default: return false;
	}
}

static bool events_mouse(struct scene *sc, void *state, const struct mouse *m)
{
	struct events *s = state;

	(void)sc;
	if (m->kind == MOUSE_WHEEL_DOWN || m->kind == MOUSE_WHEEL_UP) {
		s->first += m->kind == MOUSE_WHEEL_DOWN ? 3 : s->first < 3 ? -s->first : -3;	/* a click may come before a frame */
		return true;
	}
	if (m->y < 1 || m->y > s->page || s->first + m->y - 1 >= (int)s->shown)
		return false;
	s->picked = (int)s->row[s->first + m->y - 1];
	if (m->kind == MOUSE_DOUBLE)
		return events_key(sc, state, KEY_RETURN);
	return true;
}

static const struct pane_key events_keys[] = {
	{ 't', "t", "begin or end a trace", "trace" },
	{ 0, "↑ ↓", "pick an event", NULL },
	{ KEY_RETURN, "Enter", "trace the event that is picked, and no other", "only this" },
	{ 'x', "x", "forget what was traced", NULL },
	{ 'c', "c", "keep and show call stacks at the event that is picked (without one: of who takes a zone's lock), or end it", "stacks" },
	{ 0, "[ ]", "scroll the call stacks", NULL },
	{ 'a', "a", "events that never happened, too", "all" },
	{ 0, "/", "only events whose name has this in it, or fits the pattern", NULL },
	{ 0 }
};

static void events_fini(void *state)
{
	struct events *s = state;

	free(s->stacks);
}

const struct pane pane_events = {
	.name = "Events",
	.summary = "how often each event happens, and the trace",
	.state_bytes = sizeof(struct events),
	.take = events_take, .draw = events_draw, .title = events_title, .key = events_key, .mouse = events_mouse,
	.rows = events_rows, .keys = events_keys, .fini = events_fini,
};
