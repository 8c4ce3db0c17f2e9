/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/arena.h"

static bool is_wanted(const struct panel *p, const struct live_policy *l)
{
	if (p->changed_only && !l->differs)
		return false;
	return !p->filter[0] || strstr(l->row->name, p->filter) || strcasestr(l->row->text, p->filter) ||
	       (l->row->param && strstr(l->row->param, p->filter));
}

static int place_of(const struct panel *p, const char *name)
{
	for (unsigned int i = 0; i < p->nr_shown; i++)
		if (!strcmp(p->v[p->shown[i]].row->name, name))
			return (int)i;
	return -1;
}

void panel_take(struct panel *p, struct scene *s)
{
	if (!p->v) {
		p->v = host_alloc(policy_nr * sizeof(*p->v));
		p->shown = host_alloc(policy_nr * sizeof(*p->shown));
	}
	snprintf(p->filter, sizeof(p->filter), "%s", s->filter);
	p->nr = live_policies(s->lab, p->of_cache ? s->cache : "", p->v);
	p->nr_shown = 0;
	for (unsigned int i = 0; i < p->nr; i++)
		if (is_wanted(p, &p->v[i]))
			p->shown[p->nr_shown++] = i;
	if (place_of(p, p->picked) < 0 && p->nr_shown)
		snprintf(p->picked, sizeof(p->picked), "%s", p->v[p->shown[0]].row->name);
}

static const struct live_policy *picked(const struct panel *p)
{
	int at = place_of(p, p->picked);

	return at < 0 ? NULL : &p->v[p->shown[at]];
}

char *panel_name(const struct panel *p, const struct scene *s, char *buf, size_t size)
{
	const struct live_policy *l = picked(p);

	if (!l)
		snprintf(buf, size, "%s", "");
	else if (p->of_cache)
		snprintf(buf, size, "cache.%s.%s", s->cache, policy_part(l->row));
	else
		snprintf(buf, size, "%s", l->row->name);
	return buf;
}

/* ---- the picture ---- */

static const char *shown_value(const char *value)
{
	return value[0] ? value : "\"\"";
}

static void row_draw(const struct panel *p, const struct live_policy *l, const struct area *a, int y)
{
	bool here = !strcmp(l->row->name, p->picked);
	int name_w = a->w >= 100 ? 32 : 27, value_w = 14;
	unsigned int style = l->differs ? TONE_CHANGED | ATTR_BOLD : l->fixed ? TONE_DIM : TONE_PLAIN;

	put(a, 0, y, TONE_ACCENT | ATTR_BOLD, "%s", here ? "▸" : " ");
	put(a, 1, y, TONE_CHANGED, "%s", l->differs ? "*" : "");
	put(a, 2, y, here ? TONE_ACCENT | ATTR_BOLD : TONE_PLAIN, "%.*s", name_w - 1, l->row->name);
	put(a, 2 + name_w, y, here ? style | ATTR_REVERSE : style, "%.*s", value_w - 1, shown_value(l->value));
	put(a, 2 + name_w + value_w, y, TONE_DIM, "%.*s", value_w - 1, shown_value(l->def));
	put(a, 2 + name_w + 2 * value_w, y, TONE_DIM, "%s", l->row->text);
}

/* What the picked one means; as many rows as there are. */
static void details(const struct panel *p, const struct area *a, int y)
{
	const struct live_policy *l = picked(p);
	char range[256], text[1200];

	put_many(a, 0, y++, TONE_DIM, 0x2500, a->w);
	if (!l)
		return;
	y = put_words(a, 1, y, TONE_PLAIN, l->row->text);
	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", policy_range(l->row, range, sizeof(range)), "; takes effect ",
		 l->row->effect_text ? l->row->effect_text : "at once", l->row->param ? "; kernel: " : "",
		 l->row->param ? l->row->param : "", l->source && l->source[0] ? "; default from " : "", l->source ? l->source : "");
	y = put_words(a, 1, y, TONE_DIM, text);
	if (l->row->detail)
		put_words(a, 1, y, TONE_DIM, l->row->detail);
}

void panel_draw(struct panel *p, const struct scene *s, const struct area *a)
{
	int below = a->h > 16 ? 6 : 4, x;

	for (int y = 0; y < a->h; y++)
		put_many(a, 0, y, TONE_PLAIN, ' ', a->w);
	put_many(a, 0, 0, TONE_HEAD, 0x2501, a->w);
	x = put(a, 1, 0, TONE_ACCENT | ATTR_BOLD, " Policies ");
	x = p->of_cache ? put(a, x, 0, TONE_CHANGED, "of cache %s ", s->cache) : put(a, x, 0, TONE_DIM, "of the lab ");
	x = put(a, x, 0, TONE_DIM, "%u of %u%s ", p->nr_shown, p->nr, p->changed_only ? ", changed ones" : "");
	if (p->filter[0])
		put(a, x, 0, TONE_HEAD, "/ %s ", p->filter);
	put(a, 2, 1, TONE_DIM, "policy");
	put(a, 2 + (a->w >= 100 ? 32 : 27), 1, TONE_DIM, "value");
	put(a, 2 + (a->w >= 100 ? 46 : 41), 1, TONE_DIM, "%s", p->of_cache ? "the lab's" : live_preset(s->lab));
	p->rows = a->h - 2 - below > 0 ? a->h - 2 - below : 1;
	p->first = scroll_to(p->first, place_of(p, p->picked), p->rows, (int)p->nr_shown);
	for (int i = 0; i < p->rows && p->first + i < (int)p->nr_shown; i++)
		row_draw(p, &p->v[p->shown[p->first + i]], a, 2 + i);
	if (!p->nr_shown)
		put(a, 2, 2, TONE_DIM, "%s", p->changed_only ? "none differs from its default" : "no policy has that in its name or meaning");
	details(p, a, a->h - below);
}

/* ---- keys ---- */

static void move(struct panel *p, int by)
{
	int at = place_of(p, p->picked) + by;

	if (!p->nr_shown)
		return;
	at = at < 0 ? 0 : at >= (int)p->nr_shown ? (int)p->nr_shown - 1 : at;
	snprintf(p->picked, sizeof(p->picked), "%s", p->v[p->shown[at]].row->name);
}

static void turn(struct panel *p, struct scene *s, int by)
{
	const struct live_policy *l = picked(p);
	char value[POLICY_TEXT_MAX], name[256];

	if (!l)
		return;
	if (live_policy_turn(l, by, value, sizeof(value)))
		scene_run(s, "set %s %s", panel_name(p, s, name, sizeof(name)), value);
	else
		p->edits = true;
}

bool panel_key(struct panel *p, struct scene *s, int key)
{
	char name[256];

	switch (key) {
	case K_DOWN: case 'j': move(p, 1); break;
	case K_UP: case 'k': move(p, -1); break;
	case K_PAGE_DOWN: move(p, p->rows); break;
	case K_PAGE_UP: move(p, -p->rows); break;
	case K_HOME: case 'g': move(p, -(int)p->nr_shown); break;
	case K_END: case 'G': move(p, (int)p->nr_shown); break;
	case ' ': case K_RIGHT: case 'l': turn(p, s, 1); break;
	case K_LEFT: case 'h': turn(p, s, -1); break;
	case KEY_RETURN: p->edits = picked(p) != NULL; break;
	case 'd': case K_BACKSPACE: case K_DELETE:
		if (picked(p))
			scene_run(s, "unset %s", panel_name(p, s, name, sizeof(name)));
		break;
	case 'x': p->changed_only = !p->changed_only; break;
	case 'c': p->of_cache = !p->of_cache && s->cache[0]; break;
	case KEY_ESC: case 'q': case 'p': case K_F2: return false;
	default: break;
	}
	return true;
}

bool panel_mouse(struct panel *p, struct scene *s, const struct mouse *m)
{
	int at = p->first + m->y - 2;

	if (m->kind == MOUSE_WHEEL_DOWN || m->kind == MOUSE_WHEEL_UP)
		return panel_key(p, s, m->kind == MOUSE_WHEEL_DOWN ? K_DOWN : K_UP);
	if (m->y < 2 || at >= (int)p->nr_shown || m->y >= 2 + p->rows)
		return true;
	if (!strcmp(p->picked, p->v[p->shown[at]].row->name))
		turn(p, s, 1);
	snprintf(p->picked, sizeof(p->picked), "%s", p->v[p->shown[at]].row->name);
	return true;
}

void panel_free(struct panel *p)
{
	free(p->v);
	free(p->shown);
	p->v = NULL;
	p->shown = NULL;
}
