/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache - one cache, opened: the slab and the chain of each CPU, the partial
 * list of each node from head to tail, one slab object by object, and what
 * still drains.
 *
 * A slab is drawn as a bar of what is out of it. The picked slab's objects
 * are squares: full ones are out, the others carry their place on the
 * freelist, so the chain can be read off; it is also written out.
 */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/panes.h"
#include "view/live_cache.h"

#define SLAB_BAR 8	/* columns inside a slab's bar */
#define SPOTS 256	/* slabs on the screen that can be picked */

struct spot {
	uint64_t slab;
	int x, y, w;
};

struct opened {
	struct live_store s;
	char name[CACHE_NAME];
	uint64_t picked;	/* slab number */
	bool picks;		/* the user picked it; else the slab that the last op touched, or the first */
	struct spot spot[SPOTS];
	unsigned int nr_spots;
};

static void opened_take(struct scene *sc, void *state)
{
	struct opened *o = state;
	uint64_t want = o->picked;

	if (strcmp(o->name, sc->cache)) {
		snprintf(o->name, sizeof(o->name), "%s", sc->cache);
		o->picks = false;
	}
	if (!o->picks) {
		want = UINT64_MAX;
		if (o->s.m && sc->touch.nr_slab && sc->touch.store == o->s.m->figures.serial)
			want = sc->touch.slab[sc->touch.nr_slab - 1];
	}
	live_store(sc->lab, o->name, want, !sc->running, &o->s);
	if (o->s.has_slab)
		o->picked = o->s.slab.number;
}

/* ---- slabs as bars ---- */

static void remember(struct opened *o, uint64_t slab, int x, int y, int w)
{
	if (o->nr_spots < SPOTS)
		o->spot[o->nr_spots++] = (struct spot){ slab, x, y, w };
}

static int slab_width(const struct slab_line *l)
{
	char text[32];

	return snprintf(text, sizeof(text), "S%llu", (unsigned long long)l->number) + SLAB_BAR + 3;
}

/* "S3▕■■■■■···▏": what is out of it. */
static int put_slab(const struct scene *sc, struct opened *o, const struct slab_line *l, const struct area *a, int x, int y)
{
	bool hit = !sc->running && touch_has_slab(&sc->touch, o->s.m->figures.serial, l->number);
	bool picked = o->s.has_slab && l->number == o->s.slab.number;
	int from = x;

	if (x + slab_width(l) > a->w)
		return -1;
	x = put(a, x, y, hit ? TOUCHED : picked ? TONE_ACCENT | ATTR_BOLD | ATTR_UNDERLINE : TONE_HEAD, "S%llu",
		(unsigned long long)l->number);
	put_gauge(a, x, y, SLAB_BAR + 2, TONE_MOVABLE, l->out, l->objects);
	x += SLAB_BAR + 2;
	remember(o, l->number, from, y, x - from);
	return x + 1;
}

/* Slabs one behind the other, with as many as fit and how many more there are. Returns the row behind. */
static int put_list(const struct scene *sc, struct opened *o, const struct slab_line *l, uint32_t nr, uint64_t all,
		    const struct area *a, int x, int y, int last)
{
	int at = x;

	for (uint32_t i = 0; i < nr; i++) {
		int next = put_slab(sc, o, &l[i], a, at, y);

		if (next < 0 && y < last) {
			at = x;
			next = put_slab(sc, o, &l[i], a, at, ++y);
		}
		if (next < 0) {
			put_right(a, a->w, y, TONE_DIM, " +%llu", (unsigned long long)(all - i));
			return y + 1;
		}
		at = next;
	}
	if (all > nr && nr)
		put(a, at, y, TONE_DIM, "+%llu", (unsigned long long)(all - nr));
	return y + 1;
}

/* ---- parts ---- */

static int head_rows(const struct opened *o, const struct area *a, int y)
{
	const struct store_figures *f = &o->s.m->figures;
	int x;

	x = put(a, 1, y, TONE_HEAD | ATTR_BOLD, "#%llu", (unsigned long long)f->serial);
	x = put(a, x + 1, y, TONE_DIM, "%s · object ", f->engine);
	x = put(a, x, y, TONE_PLAIN, "%u", f->object_size);
	x = put(a, x, y, TONE_DIM, " in ");
	x = put(a, x, y, TONE_PLAIN, "%u", f->size);
	x = put(a, x, y, TONE_DIM, " bytes · order ");
	x = put(a, x, y, TONE_PLAIN, "%u", f->order);
	x = put(a, x, y, TONE_DIM, " · ");
	x = put(a, x, y, TONE_PLAIN, "%u", f->objs);
	x = put(a, x, y, TONE_DIM, " a slab · ");
	x = put(a, x, y, TONE_PLAIN, "%llu", (unsigned long long)o->s.cache.objects);
	x = put(a, x, y, TONE_DIM, " out of ");
	x = put(a, x, y, TONE_PLAIN, "%llu", (unsigned long long)f->total_objects);
	x = put(a, x, y, TONE_DIM, " in ");
	x = put(a, x, y, TONE_PLAIN, "%llu", (unsigned long long)f->slabs);
	x = put(a, x, y, TONE_DIM, " slabs");
	if (f->rcu_objects) {
		x = put(a, x, y, TONE_DIM, " · ");
		x = put(a, x, y, TONE_CHANGED, "%llu", (unsigned long long)f->rcu_objects);
		put(a, x, y, TONE_DIM, " wait for a grace period");
	}
	return y + 1;
}

static int cpu_row(const struct scene *sc, struct opened *o, const struct cpu_lines *c, const struct area *a, int y)
{
	bool hit = !sc->running && sc->touch.op && sc->touch.cpu == c->cpu && sc->touch.store == o->s.m->figures.serial;
	int x = put_right(a, 7, y, hit ? TONE_ACCENT | ATTR_BOLD : TONE_DIM, "cpu%u", c->cpu);

	x = 8;
	if (c->has_slab) {
		x = put_slab(sc, o, &c->slab, a, x, y);
		x = put(a, x, y, TONE_DIM, "free ");
		x = put(a, x, y, c->cpu_free ? TONE_PLAIN : TONE_DIM, "%u", c->cpu_free);
		if (c->slab_free)
			x = put(a, x, y, TONE_DIM, "+%u", c->slab_free);
	} else {
		x = put(a, x, y, TONE_DIM, "no slab");
	}
	x = x < 30 ? 30 : x + 2;
	if (!c->partial_nr) {
		put(a, x, y, TONE_DIM, "chain –");
		return y + 1;
	}
	x = put(a, x, y, TONE_DIM, "chain ");
	return put_list(sc, o, c->partial, c->partial_nr, c->partial_slabs > c->partial_nr ? c->partial_slabs : c->partial_nr, a, x, y, y);
}

static bool has_anything(const struct cpu_lines *c)
{
	return c->has_slab || c->partial_nr;
}

/* ---- engines with queues of objects before their slabs ---- */

/* "cpu1 array ▕██···▏ 23/120  next ⇒ S14.3 S14.7" */
static int queue_row(const struct scene *sc, const struct opened *o, const struct queue_line *q, const struct area *a, int y)
{
	bool hit = !sc->running && sc->touch.op && (int)sc->touch.cpu == q->cpu && sc->touch.store == o->s.m->figures.serial;
	uint32_t nr = q->first + q->nr <= o->s.m->queued_nr ? q->nr : 0;
	int x = put_right(a, 7, y, hit ? TONE_ACCENT | ATTR_BOLD : TONE_DIM, q->cpu >= 0 ? "cpu%d" : q->node >= 0 ? "node%d" : "out",
			  q->cpu >= 0 ? q->cpu : q->node);

	x = put(a, 8, y, TONE_PLAIN, "%s ", q->kind);
	if (q->peer >= 0)
		x = put(a, x, y, TONE_DIM, "for node %d ", q->peer);
	if (q->limit) {
		put_gauge(a, x, y, SLAB_BAR + 2, TONE_PCP, q->nr, q->limit);
		x += SLAB_BAR + 3;
	}
	x = put(a, x, y, hit ? TOUCHED : q->nr ? TONE_PLAIN : TONE_DIM, "%u", q->nr);
	if (q->limit)
		x = put(a, x, y, TONE_DIM, "/%u", q->limit);
	if (q->batch)
		x = put(a, x, y, TONE_DIM, " batch %u", q->batch);
	if (nr)
		x = put(a, x, y, TONE_DIM, "  next ⇒");
	for (uint32_t k = 0; k < nr && x + 12 < a->w; k++) {
		const struct queued_line *e = &o->s.m->queued[q->first + (q->newest_first ? k : nr - 1 - k)];

		x = put(a, x + 1, y, k ? TONE_PLAIN : TONE_ACCENT | ATTR_BOLD, "S%llu.%u", (unsigned long long)e->slab, e->index);
	}
	return y + 1;
}

static int queue_rows(const struct scene *sc, const struct opened *o, const struct area *a, int y, int rows)
{
	const struct store_model *m = o->s.m;
	unsigned int left = 0;

	for (uint32_t i = 0; i < m->queues_nr; i++) {
		if (!m->queues[i].nr && !m->queues[i].touched && (int)m->queues_nr > rows)
			continue;
		if (rows-- > 0)
			y = queue_row(sc, o, &m->queues[i], a, y);
		else
			left++;
	}
	if (left)
		put(a, 3, y++, TONE_DIM, "%u more queues", left);
	return y;
}

/* CPUs that have something come first where not all find room. */
static int cpu_rows(const struct scene *sc, struct opened *o, const struct area *a, int y, int rows)
{
	const struct store_model *m = o->s.m;
	unsigned int left = 0, bare = 0;
	bool all = (int)m->nr_cpus <= rows;

	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		if (!all && !has_anything(&m->cpus[i]))
			bare++;
		else if (!all && rows <= 1)
			left++;
		else {
			y = cpu_row(sc, o, &m->cpus[i], a, y);
			rows--;
		}
	}
	if (left)
		put(a, 3, y++, TONE_DIM, "%u more CPUs have slabs, %u have none", left, bare);
	else if (bare)
		put(a, 3, y++, TONE_DIM, "%u %sCPU%s no slab", bare, all || bare == m->nr_cpus ? "" : "other ", bare == 1 ? " has" : "s have");
	return y;
}

/* Lists that only some engines keep. */
static int other_list(const struct scene *sc, struct opened *o, const char *name, const struct slab_line *l, uint32_t nr,
		      uint64_t all, const struct area *a, int y)
{
	if (!nr)
		return y;
	put(a, 8, y, TONE_DIM, "%s", name);
	return put_list(sc, o, l, nr, all > nr ? all : nr, a, 13, y, y);
}

static int node_rows(const struct scene *sc, struct opened *o, const struct area *a, int y, int end)
{
	const struct store_model *m = o->s.m;
	struct area listed = area_part(a, 0, 0, a->w - 8, a->h);

	for (uint32_t n = 0; n < m->nr_nodes && y < end; n++) {
		const struct node_lines *l = &m->nodes[n];
		uint64_t all = l->nr_partial > l->partial_nr ? l->nr_partial : l->partial_nr;
		int share = (end - y) / (int)(m->nr_nodes - n), x;

		x = put_right(a, 7, y, TONE_DIM, "node%u", l->node);
		x = put(a, 8, y, TONE_PLAIN, "head ⇒ ");
		if (!all)
			x = put(a, x, y, TONE_DIM, "no partial slab ");
		y = all ? put_list(sc, o, l->partial, l->partial_nr, all, &listed, x, y, y + share - 1) : y + 1;
		put(a, all ? a->w - 7 : x, y - 1, TONE_PLAIN, "⇐ tail");
		y = other_list(sc, o, "full", l->full, l->full_nr, l->full_nr, a, y);
		y = other_list(sc, o, "free", l->free, l->free_nr, l->free_slabs, a, y);
	}
	return y;
}

static int drain_rows(const struct opened *o, const struct area *a, int y)
{
	for (unsigned int i = 0; i < o->s.nr_draining; i++) {
		const struct live_drain *d = &o->s.draining[i];
		int x = put(a, 1, y, TONE_PCP, "draining");

		x = put(a, x, y, TONE_PLAIN, " #%llu", (unsigned long long)d->store);
		x = put(a, x, y, TONE_DIM, " order %u, %llu slabs", d->order, (unsigned long long)d->slabs);
		if (d->objects != UINT64_MAX)
			put(a, x, y, TONE_DIM, ", %llu objects out", (unsigned long long)d->objects);
		y++;
	}
	return y;
}

/* ---- the picked slab, object by object ---- */

static int object_cell(const struct opened *o, uint32_t i, const struct area *a, int x, int y, int w)
{
	uint8_t where = o->s.where[i];
	uint16_t position = o->s.position[i];
	unsigned int style = where == LIVE_OUT ? TONE_MOVABLE : where == LIVE_ON_CPU ? TONE_PCP : TONE_RECLAIMABLE;

	put_right(a, x + w - 3, y, TONE_DIM, "%u", i);
	if (where == LIVE_OUT)
		put_glyph(a, x + w - 3, y, style, 0x25a0);
	else if (position <= 20 && !a->g->ascii)
		put_glyph(a, x + w - 3, y, style | (position == 1 ? ATTR_REVERSE : 0), 0x2460 + position - 1u);
	else
		put(a, x + w - 3, y, style, ":%u", position);
	return x + w;
}

/* "free: 9→10→11": the freelist in its order. */
static int chain_row(const struct opened *o, uint8_t where, const char *label, const struct area *a, int y)
{
	uint32_t objects = o->s.slab.objects < LIVE_OBJECTS ? o->s.slab.objects : LIVE_OBJECTS;
	uint16_t at[LIVE_OBJECTS + 1];
	uint32_t nr = 0, last = 0;
	int x;

	memset(at, 0xff, sizeof(at));	/* stays so where an object is that is not shown */
	for (uint32_t i = 0; i < objects; i++)
		if (o->s.where[i] == where && o->s.position[i] <= LIVE_OBJECTS) {
			at[o->s.position[i]] = (uint16_t)i;
			last = last > o->s.position[i] ? last : o->s.position[i];
			nr++;
		}
	if (!nr)
		return y;
	x = put(a, 1, y, where == LIVE_ON_CPU ? TONE_PCP : TONE_RECLAIMABLE, "%s", label);
	x = put(a, x + 1, y, TONE_DIM, "(%u) ", nr);
	for (uint32_t i = 1; i <= last && x + 6 < a->w; i++) {
		if (i > 1 && at[i] == UINT16_MAX && at[i - 1] == UINT16_MAX)
			continue;
		if (i > 1)
			x = put(a, x, y, TONE_DIM, "→");
		if (at[i] == UINT16_MAX)
			x = put(a, x, y, TONE_DIM, "…");
		else
			x = put(a, x, y, i == 1 ? TONE_ACCENT | ATTR_BOLD : TONE_PLAIN, "%u", at[i]);
		if (x + 6 >= a->w && i < last)
			put(a, x, y, TONE_DIM, "→…");
	}
	return y + 1;
}

static int slab_rows(const struct scene *sc, const struct opened *o, const struct area *a, int y)
{
	const struct slab_line *l = &o->s.slab;
	uint32_t objects = l->objects < LIVE_OBJECTS ? l->objects : LIVE_OBJECTS;
	int x, w = objects > 100 || a->g->ascii ? 7 : 6;

	if (!o->s.has_slab || y >= a->h)
		return y;
	x = put(a, 1, y, !sc->running && touch_has_slab(&sc->touch, o->s.m->figures.serial, l->number) ? TOUCHED : TONE_HEAD | ATTR_BOLD,
		"S%llu", (unsigned long long)l->number);
	x = put(a, x + 1, y, TONE_PLAIN, "%u of %u out", l->out, l->objects);
	x = put(a, x, y, TONE_DIM, "  page 0x%x  node %u", l->pfn, l->node);
	put(a, x, y, TONE_DIM, "%s", o->s.cpu >= 0 ? "  a CPU's" : l->of_cpu ? "  on a CPU's chain" : "  on its node's list");
	y++;
	y = o->s.m->queues_nr ? y : chain_row(o, LIVE_ON_CPU, "CPU's freelist", a, y);
	y = chain_row(o, LIVE_ON_SLAB, "slab's freelist", a, y);
	x = 1;
	for (uint32_t i = 0; i < objects && y < a->h; i++) {
		if (x + w > a->w) {
			x = 1;
			y++;
		}
		x = object_cell(o, i, a, x, y, w);
	}
	return y + 1;
}

/* ---- the pane ---- */

static void opened_draw(const struct scene *sc, void *state, const struct area *a)
{
	struct opened *o = state;
	int y = 0, below, rows;

	o->nr_spots = 0;
	if (!o->s.m) {
		put(a, 1, 0, TONE_DIM, "no cache is opened: Enter on one in Caches");
		return;
	}
	y = head_rows(o, a, y);
	below = (o->s.has_slab ? 4 : 0) + (int)o->s.nr_draining + 1;
	rows = a->h - y - below - (int)o->s.m->nr_nodes;
	if (o->s.m->queues_nr)
		y = queue_rows(sc, o, a, y, rows < 1 ? 1 : rows);
	if (o->s.m->figures.slub_lists)
		y = cpu_rows(sc, o, a, y, rows < 1 ? 1 : rows);
	y = node_rows(sc, o, a, y, a->h - below > y + 1 ? a->h - below : y + 1);
	if (o->s.m->figures.slub_lists) {
		put(a, 8, y, TONE_CHANGED, "partial_add %s", o->s.partial_add);
		put(a, 20 + (int)strlen(o->s.partial_add), y++, TONE_DIM, "  %s", slabs_next_goes(o->s.partial_add));
	}
	y = drain_rows(o, a, y);
	slab_rows(sc, o, a, y);
}

static void opened_title(const struct scene *sc, const void *state, char *buf, size_t size)
{
	const struct opened *o = state;

	(void)sc;
	snprintf(buf, size, "%s", o->name);
}

static void pick(struct opened *o, int by)
{
	unsigned int at = 0;

	if (!o->nr_spots)
		return;
	for (unsigned int i = 0; i < o->nr_spots; i++)
		if (o->spot[i].slab == o->picked)
			at = i;
	at = (at + o->nr_spots + (unsigned int)by) % o->nr_spots;
	o->picked = o->spot[at].slab;
	o->picks = true;
}

static bool opened_key(struct scene *sc, void *state, int key)
{
	struct opened *o = state;

	switch (key) {
	case K_RIGHT: case K_DOWN: case 'l': case 'j': pick(o, 1); return true;
	case K_LEFT: case K_UP: case 'h': case 'k': pick(o, -1); return true;
	case 't':
		if (o->s.m)
			scene_run(sc, "set cache.%s.partial_add %s", o->name, strcmp(o->s.partial_add, "tail") ? "tail" : "head");
		return true;
	case 'S':
		if (o->s.m)
			scene_run(sc, "kmem_cache shrink %s", o->name);
		return true;
	case K_BACKSPACE: scene_show(sc, "Caches"); return true;
	default: return false;
	}
}

static bool opened_mouse(struct scene *sc, void *state, const struct mouse *m)
{
	struct opened *o = state;

	if (m->kind == MOUSE_WHEEL_DOWN || m->kind == MOUSE_WHEEL_UP)
		return opened_key(sc, state, m->kind == MOUSE_WHEEL_DOWN ? K_DOWN : K_UP);
	for (unsigned int i = 0; i < o->nr_spots; i++)
		if (m->y == o->spot[i].y && m->x >= o->spot[i].x && m->x < o->spot[i].x + o->spot[i].w) {
			o->picked = o->spot[i].slab;
			o->picks = true;
			return true;
		}
	return false;
}

static void opened_fini(void *state)
{
	live_store_free(&((struct opened *)state)->s);
}

static const struct pane_key opened_keys[] = {
	{ 0, "← →", "pick a slab, which is shown object by object; so does a click", "slab" },
	{ 't', "t", "the next slab to the other end: partial_add head or tail, of this cache", "head/tail" },
	{ 'S', "S", "shrink the cache", "shrink" },
	{ K_BACKSPACE, "Backspace", "back to Caches", NULL },
	{ 0 }
};

const struct pane pane_cache = {
	.name = "Cache",
	.summary = "one cache: CPU slabs and chains, partial lists from head to tail, a slab object by object",
	.state_bytes = sizeof(struct opened),
	.take = opened_take, .draw = opened_draw, .title = opened_title, .key = opened_key, .mouse = opened_mouse,
	.fini = opened_fini, .keys = opened_keys,
};
