/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why - the story of the last op, step by step.
 *
 * The model is the view `why`, which the scene keeps. A step that is picked
 * alone has the accent in the other panes; Escape or leaving the list gives it
 * back to all.
 */
#include <stdio.h>
#include <string.h>

#include "tui/panes.h"
#include "view/look.h"
#include "view/why.h"

struct why {
	const json_t *seen;		/* the model that `picked` is about */
	uint64_t op;
	int first;			/* row scrolled to the top */
	int picked;			/* step, -1: none */
	bool all;			/* steps that only count as well */
	int rows;			/* that the story takes */
};

static void why_take(struct scene *s, void *state)
{
	struct why *w = state;

	w->seen = s->why;
	if (w->op != look_get(s->why, "op")) {
		w->op = look_get(s->why, "op");
		w->first = 0;
		w->picked = -1;
	}
}

static bool is_shown(const struct why *w, const json_t *step)
{
	return w->all || (!json_is_true(json_object_get(step, "count_only")) && !json_is_true(json_object_get(step, "folded")));
}

static int draw_step(const json_t *step, int number, bool picked, const struct area *a, int y)
{
	const char *policy = look_get_text(step, "policy");
	char text[1400];

	put_right(a, 3, y, picked ? TOUCHED : TONE_DIM, "%d", number);
	y = put_words(a, 4, y, picked ? TONE_ACCENT | ATTR_BOLD : json_is_true(json_object_get(step, "count_only")) ? TONE_DIM : TONE_PLAIN,
		      look_get_text(step, "text"));
	if (!policy[0])
		return y;
	snprintf(text, sizeof(text), "%s %s; %s", policy, look_get_text(step, "value"), look_get_text(step, "otherwise"));
	put_glyph(a, 2, y, TONE_CHANGED, picked ? 0x2502 : ' ');
	return put_words(a, 6, y, TONE_CHANGED, text);
}

static void why_draw(const struct scene *s, void *state, const struct area *a)
{
	struct why *w = state;
	const json_t *steps = json_object_get(s->why, "steps");
	int y = -w->first, number = 0;
	char between[96];

	if (s->running) {
		put(a, 1, 0, TONE_DIM, "ops rush by; hold them (Space) to be told of one");
		return;
	}
	if (!s->touch.told) {
		put_words(a, 1, 0, TONE_DIM, look_get(s->why, "op") ?
			  "The last op was not told: \":set event.story on\", and the next one is." :
			  "Nothing happened yet. \":\" opens the command line; try \"a = kmalloc 64 x20\".");
		return;
	}
	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *step = json_array_get(steps, i);

		number += w->all || !json_is_true(json_object_get(step, "count_only"));
		if (!is_shown(w, step))
			continue;
		if (*why_between(step, between, sizeof(between)) && !(w->all && json_object_get(step, "more_before")))
			put(a, 6, y++, TONE_DIM, "%s", between);
		y = draw_step(step, number, w->picked == (int)i, a, y);
	}
	w->rows = y + w->first;
	if (y > a->h)
		put_right(a, a->w, a->h - 1, TONE_DIM, " ↓ %d more", y - a->h);
}

static void why_title(const struct scene *s, const void *state, char *buf, size_t size)
{
	const struct why *w = state;
	const char *cache = look_get_text(s->why, "cache");
	size_t len;

	if (!s->touch.told)
		return;
	len = (size_t)snprintf(buf, size, "%s", look_get_text(s->why, "kind"));
	if (json_object_get(s->why, "order"))
		len += (size_t)snprintf(buf + len, size - len, " %llu", (unsigned long long)look_get(s->why, "order"));
	if (json_object_get(s->why, "bytes"))
		len += (size_t)snprintf(buf + len, size - len, " %llu", (unsigned long long)look_get(s->why, "bytes"));
	if (cache[0])
		len += (size_t)snprintf(buf + len, size - len, " %s", cache);
	len += (size_t)snprintf(buf + len, size - len, " on CPU %u", s->touch.cpu);
	if (json_is_true(json_object_get(s->why, "failed")))
		len += (size_t)snprintf(buf + len, size - len, ", failed");
	if (w->picked >= 0)
		snprintf(buf + len, size - len, ", step picked");
}

static int why_rows(const struct scene *s, const void *state)
{
	const struct why *w = state;

	(void)s;
	return w->rows > 4 ? w->rows : 4;
}

/* ---- keys ---- */

static void pick(struct scene *s, struct why *w, int by)
{
	const json_t *steps = json_object_get(s->why, "steps");
	int i = w->picked, nr = (int)json_array_size(steps);

	do {
		i += by;
	} while (i >= 0 && i < nr && !is_shown(w, json_array_get(steps, (size_t)i)));
	w->picked = i < 0 ? -1 : i >= nr ? w->picked : i;
	touch_of_why(&s->touch, s->why, w->picked);
}

static bool why_key(struct scene *s, void *state, int key)
{
	struct why *w = state;

	switch (key) {
	case K_DOWN: case 'j': pick(s, w, 1); return true;
	case K_UP: case 'k': pick(s, w, -1); return true;
	case 'a': w->all = !w->all; return true;
	case K_PAGE_DOWN: w->first += w->first + 5 < w->rows ? 5 : 0; return true;
	case K_PAGE_UP: w->first -= w->first > 5 ? 5 : w->first; return true;
	default: return false;
	}
}

static bool why_mouse(struct scene *s, void *state, const struct mouse *m)
{
	if (m->kind == MOUSE_WHEEL_DOWN || m->kind == MOUSE_WHEEL_UP)
		return why_key(s, state, m->kind == MOUSE_WHEEL_DOWN ? K_PAGE_DOWN : K_PAGE_UP);
	return false;
}

static const struct pane_key why_keys[] = {
	{ 0, "↑ ↓", "pick a step: the other panes mark what that one touched", "step" },
	{ 'a', "a", "steps that only count, too", "all steps" },
	{ 0, "PgUp PgDn", "scroll", NULL },
	{ 0 }
};

const struct pane pane_why = {
	.name = "Why",
	.summary = "the story of the last op, and which policies decided",
	.state_bytes = sizeof(struct why),
	.take = why_take, .draw = why_draw, .title = why_title, .key = why_key, .mouse = why_mouse, .rows = why_rows,
	.keys = why_keys,
};
