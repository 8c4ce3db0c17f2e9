/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * caches - the table of caches: sorted, filtered, with rates.
 *
 * Rows keep their places while ops rush by: they are sorted anew when the lab
 * stands still, or when another column is asked for.
 */
#include "tui/caches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "shell/arena.h"
#include "tui/panes.h"

#define RATE_EVERY_NS 500000000ULL

static const struct column {
	const char *title;
	int w;
} columns[COL_NR] = {
	[COL_NAME] = { "name", 18 }, [COL_OBJECTS] = { "out", 7 }, [COL_TOTAL] = { "of", 7 },
	[COL_USE] = { "use", 5 }, [COL_SLABS] = { "slabs", 7 }, [COL_ORDER] = { "ord", 4 },
	[COL_PARTIAL] = { "part", 5 }, [COL_WASTE] = { "waste", 7 }, [COL_RATE] = { "ops/s", 6 },
	[COL_STORE] = { "store", 0 },
};

/* ---- the model ---- */

static double use_of(const struct live_cache *c)
{
	if (!c->total_objects || c->objects > c->total_objects)	/* some lie in a shared store that drains */
		return -1;
	return (double)c->objects / (double)c->total_objects;
}

static const struct caches *sorting;

static double key_of(const struct caches *s, unsigned int i)
{
	const struct live_cache *c = &s->now.v[i];

	switch (s->by) {
	case COL_OBJECTS: return (double)c->objects;
	case COL_TOTAL: return (double)c->total_objects;
	case COL_USE: return use_of(c);
	case COL_SLABS: return (double)c->pages;
	case COL_ORDER: return c->order;
	case COL_PARTIAL: return (double)c->partial;
	case COL_WASTE: return (double)c->waste_bytes;
	case COL_RATE: return i < s->rates ? s->rate[i].per_s : 0;
	case COL_STORE: return (double)c->store;
	default: return 0;
	}
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;
	double kx = key_of(sorting, x), ky = key_of(sorting, y);
	int by = sorting->by == COL_NAME ? -strcmp(sorting->now.v[x].name, sorting->now.v[y].name) : kx < ky ? -1 : kx > ky;

	if (!by)	/* caches that the user made come before those of the start */
		by = sorting->now.v[x].starts_up != sorting->now.v[y].starts_up ?
		     (sorting->now.v[x].starts_up ? -1 : 1) : x < y ? 1 : -1;
	return sorting->upwards ? by : -by;
}

static void choose_rows(struct caches *s, const struct scene *sc)
{
	if (s->order_room < s->now.nr) {
		s->order_room = s->now.nr;
		s->order = host_grow(s->order, s->order_room * sizeof(*s->order));
	}
	s->shown = 0;
	for (unsigned int i = 0; i < s->now.nr; i++)
		if (scene_lists(sc, s->now.v[i].name))
			s->order[s->shown++] = i;
	sorting = s;
	if (s->shown)
		qsort(s->order, s->shown, sizeof(*s->order), compare);
}

/* Rates go by place; where places moved they begin anew. */
static void take_rates(struct caches *s, uint64_t now_ns)
{
	uint64_t span = now_ns - s->then_ns;

	if (s->then_ns && span < RATE_EVERY_NS)
		return;
	if (s->rates < s->now.nr) {
		s->rate = host_grow(s->rate, s->now.nr * sizeof(*s->rate));
		memset(s->rate + s->rates, 0, (s->now.nr - s->rates) * sizeof(*s->rate));
	}
	s->rates = s->now.nr;
	for (unsigned int i = 0; i < s->now.nr; i++) {
		struct caches_rate *r = &s->rate[i];
		uint64_t ops = s->now.v[i].allocs + s->now.v[i].frees;

		r->per_s = r->id == s->now.v[i].id && ops >= r->ops && s->then_ns ? (double)(ops - r->ops) * 1e9 / (double)span : 0;
		r->id = s->now.v[i].id;
		r->ops = ops;
	}
	s->then_ns = now_ns;
}

static int place_of(const struct caches *s, const char *name)
{
	for (unsigned int i = 0; i < s->shown; i++)
		if (!strcmp(s->now.v[s->order[i]].name, name))
			return (int)i;
	return -1;
}

static void caches_take(struct scene *sc, void *state)
{
	struct caches *s = state;
	unsigned int nr = s->now.nr;

	if (s->lab != sc->lab) {
		s->then_ns = 0;
		s->rates = 0;
		s->lab = sc->lab;
	}
	if (!s->begun)
		s->by = COL_SLABS;
	s->begun = true;
	live_caches(sc->lab, &s->now);
	take_rates(s, sc->now_ns);
	if (!s->sorted || nr != s->now.nr || strcmp(s->filter, sc->filter) ||
	    (!sc->running && s->sorted_op != sc->lab->hdr->ops)) {
		choose_rows(s, sc);
		s->sorted = true;
		s->sorted_op = sc->lab->hdr->ops;
		memcpy(s->filter, sc->filter, sizeof(s->filter));
	}
	if (!s->chosen && s->followed != sc->touch.op && sc->touch.cache[0]) {	/* nobody picked one: the last op's */
		s->followed = sc->touch.op;
		snprintf(s->picked, sizeof(s->picked), "%s", sc->touch.cache);
		snprintf(sc->cache, sizeof(sc->cache), "%s", s->picked);
	}
	if (s->shown && !s->chosen && !sc->touch.cache[0] && !s->followed)	/* nothing was told of: the largest */
		snprintf(s->picked, sizeof(s->picked), "%s", s->now.v[s->order[0]].name);
	if (place_of(s, s->picked) < 0 && s->shown)
		snprintf(s->picked, sizeof(s->picked), "%s", s->now.v[s->order[0]].name);
	if (!sc->cache[0] || (!s->chosen && !s->followed))
		snprintf(sc->cache, sizeof(sc->cache), "%s", s->picked);
}

/* ---- the painter ---- */

static int name_width(const struct area *a)
{
	int others = 0;

	for (int i = 1; i < COL_NR; i++)
		others += columns[i].w;
	others += a->w > 90 ? 26 : 12;	/* the store and what is said behind it */
	return a->w - others < 15 ? 15 : a->w - others > 30 ? 30 : a->w - others;
}

static void head_row(const struct caches *s, const struct area *a)
{
	int x = name_width(a);

	put(a, 1, 0, s->by == COL_NAME ? TONE_HEAD : TONE_DIM, "name%s", s->by == COL_NAME ? (s->upwards ? "▴" : "▾") : "");
	for (int i = 1; i < COL_STORE; i++) {
		x += columns[i].w;
		put_right(a, x, 0, s->by == (enum caches_column)i ? TONE_HEAD : TONE_DIM, "%s%s", columns[i].title,
			  s->by == (enum caches_column)i ? (s->upwards ? "▴" : "▾") : "");
	}
	put(a, x + 2, 0, s->by == COL_STORE ? TONE_HEAD : TONE_DIM, "store%s", s->by == COL_STORE ? (s->upwards ? "▴" : "▾") : "");
}

static void number(const struct area *a, int x, int y, unsigned int style, uint64_t n, int w)
{
	char text[24];

	if (n)
		put_right(a, x, y, style, "%s", short_count(n, w - 1, text, sizeof(text)));
	else
		put_right(a, x, y, TONE_DIM, "–");
}

static void store_cell(const struct live_cache *c, const struct area *a, int x, int y, bool hit)
{
	x = put(a, x, y, hit ? TOUCHED : TONE_PLAIN, "#%llu", (unsigned long long)c->store);
	if (strcmp(c->engine, "slub"))
		x = put(a, x + 1, y, TONE_DIM, "%s", c->engine);
	if (c->aliases)
		x = put(a, x + 1, y, TONE_DIM, "×%u", c->aliases + 1);
	if (c->draining)
		x = put(a, x + 1, y, TONE_PCP, "⇠#%llu", (unsigned long long)c->draining_store);
	if (c->overrides[0])
		put(a, x + 1, y, TONE_CHANGED, "%s", c->overrides);
}

static void cache_row(const struct scene *sc, const struct caches *s, unsigned int at, const struct area *a, int y)
{
	const struct live_cache *c = &s->now.v[at];
	bool hit = !sc->running && sc->touch.op && sc->touch.store == c->store, picked = !strcmp(c->name, s->picked);
	int x = name_width(a), w;
	char text[24];
	double use = use_of(c);

	put(a, 0, y, TONE_ACCENT | ATTR_BOLD, "%s", picked ? "▸" : " ");
	w = put(a, 1, y, hit ? TONE_ACCENT | ATTR_BOLD : c->slabs ? TONE_PLAIN : TONE_DIM, "%.*s", x - 2, c->name);
	if ((int)strlen(c->name) > x - 2)
		put_glyph(a, w - 1, y, TONE_DIM, 0x2026);
	number(a, x += columns[COL_OBJECTS].w, y, hit ? TONE_ACCENT | ATTR_BOLD : TONE_PLAIN, c->objects, columns[COL_OBJECTS].w);
	number(a, x += columns[COL_TOTAL].w, y, TONE_PLAIN, c->total_objects, columns[COL_TOTAL].w);
	x += columns[COL_USE].w;
	if (use >= 0)
		put_right(a, x, y, use < 0.5 ? TONE_BAD : TONE_PLAIN, "%.0f%%", use * 100);
	number(a, x += columns[COL_SLABS].w, y, TONE_PLAIN, c->slabs, columns[COL_SLABS].w);
	put_right(a, x += columns[COL_ORDER].w, y, TONE_DIM, "%u", c->order);
	number(a, x += columns[COL_PARTIAL].w, y, TONE_PLAIN, c->partial, columns[COL_PARTIAL].w);
	x += columns[COL_WASTE].w;
	if (c->waste_bytes > 0)
		put_right(a, x, y, TONE_PLAIN, "%s", format_bytes((uint64_t)c->waste_bytes, text, sizeof(text)));
	else
		put_right(a, x, y, TONE_DIM, "%s", c->waste_bytes < 0 ? "shared" : "–");
	number(a, x += columns[COL_RATE].w, y, TONE_GOOD, at < s->rates ? (uint64_t)s->rate[at].per_s : 0, columns[COL_RATE].w);
	store_cell(c, a, x + 2, y, hit);
	if (picked && sc->sh)
		put_style(a, 0, y, a->w, ATTR_BOLD);
}

static void caches_draw(const struct scene *sc, void *state, const struct area *a)
{
	struct caches *s = state;

	s->name_w = name_width(a);
	s->rows = a->h - 1;
	s->first = scroll_to(s->first, place_of(s, s->picked), s->rows, (int)s->shown);
	head_row(s, a);
	for (int y = 1; y < a->h && s->first + y - 1 < (int)s->shown; y++)
		cache_row(sc, s, s->order[s->first + y - 1], a, y);
	if (!s->shown)
		put(a, 1, 1, TONE_DIM, "no cache is called \"%s\"", sc->filter);
}

static void caches_title(const struct scene *sc, const void *state, char *buf, size_t size)
{
	const struct caches *s = state;
	size_t len = (size_t)snprintf(buf, size, "%u by %s", s->shown, s->by == COL_SLABS ? "memory" : columns[s->by].title);

	if (sc->filter[0])
		snprintf(buf + len, size - len, "  / %s (%u of %u)", sc->filter, s->shown, s->now.nr);
}

/* ---- keys ---- */

static void move(struct caches *s, int by)
{
	int at = place_of(s, s->picked) + by;

	if (!s->shown)
		return;
	at = at < 0 ? 0 : at >= (int)s->shown ? (int)s->shown - 1 : at;
	snprintf(s->picked, sizeof(s->picked), "%s", s->now.v[s->order[at]].name);
}

static void sort_by(struct caches *s, int column)
{
	s->upwards = column == (int)s->by ? !s->upwards : column == COL_NAME || column == COL_STORE;
	s->by = (enum caches_column)column;
	s->sorted = false;
}

static void open_cache(struct scene *sc, struct caches *s)
{
	snprintf(sc->cache, sizeof(sc->cache), "%s", s->picked);
	scene_show(sc, "Cache");
}

static bool caches_key(struct scene *sc, void *state, int key)
{
	struct caches *s = state;

	switch (key) {
	case K_DOWN: case 'j': move(s, 1); break;
	case K_UP: case 'k': move(s, -1); break;
	case K_PAGE_DOWN: move(s, s->rows); break;
	case K_PAGE_UP: move(s, -s->rows); break;
	case K_HOME: case 'g': move(s, -(int)s->shown); break;
	case K_END: case 'G': move(s, (int)s->shown); break;
	case K_RIGHT: sort_by(s, ((int)s->by + 1) % COL_NR); break;
	case K_LEFT: sort_by(s, ((int)s->by + COL_NR - 1) % COL_NR); break;
	case 'r': sort_by(s, (int)s->by); break;
	case KEY_RETURN: open_cache(sc, s); return true;
	default: return false;
	}
	s->chosen = true;
	snprintf(sc->cache, sizeof(sc->cache), "%s", s->picked);
	return true;
}

static bool caches_mouse(struct scene *sc, void *state, const struct mouse *m)
{
	struct caches *s = state;
	int at = s->first + m->y - 1, x;

	if (m->kind == MOUSE_WHEEL_DOWN || m->kind == MOUSE_WHEEL_UP)
		return caches_key(sc, state, m->kind == MOUSE_WHEEL_DOWN ? K_DOWN : K_UP);
	if (m->y == 0) {
		x = s->name_w;
		for (int i = 0; i < COL_NR; i++) {
			x += i ? columns[i].w : 0;
			if (m->x < x || i == COL_STORE) {
				sort_by(s, i);
				break;
			}
		}
		return true;
	}
	if (at < 0 || at >= (int)s->shown)
		return false;
	if (!strcmp(s->picked, s->now.v[s->order[at]].name) || m->kind == MOUSE_DOUBLE)
		open_cache(sc, s);
	snprintf(s->picked, sizeof(s->picked), "%s", s->now.v[s->order[at]].name);
	snprintf(sc->cache, sizeof(sc->cache), "%s", s->picked);
	s->chosen = true;
	return true;
}

static void caches_fini(void *state)
{
	struct caches *s = state;

	live_caches_free(&s->now);
	free(s->order);
	free(s->rate);
}

static const struct pane_key caches_keys[] = {
	{ KEY_RETURN, "Enter", "open the cache", "open" },
	{ 0, "↑ ↓", "pick a cache; so does a click, a second one opens it", NULL },
	{ 0, "← →", "sort by the column before or behind; so does a click on its title", "sort" },
	{ 'r', "r", "sort the other way round", NULL },
	{ 0 }
};

const struct pane pane_caches = {
	.name = "Caches",
	.summary = "every cache: objects out, slabs, partial slabs, waste, ops a second, store, overrides",
	.state_bytes = sizeof(struct caches),
	.take = caches_take, .draw = caches_draw, .title = caches_title, .key = caches_key, .mouse = caches_mouse,
	.fini = caches_fini, .keys = caches_keys,
};
