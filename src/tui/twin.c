/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin - two labs side by side, what differs marked.
 *
 * The two are the twins (`twin on A B`), or the present and the moment of the
 * past that is looked at, or the current lab and the next one. A figure that
 * is the same in both is dim.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/panes.h"
#include "tui/twin.h"

#define LABEL 22

/* ---- which two ---- */

static struct lab *lab_named(struct scene *s, const char *name)
{
	struct lab_slot *slot = labs_find(&s->sh->labs, name);

	return slot ? slot->lab : NULL;
}

static void choose(struct scene *s, struct lab *two[2])
{
	struct labs *labs = &s->sh->labs;
	struct lab *current = labs_current(labs)->lab;

	two[0] = two[1] = NULL;
	if (s->past) {
		two[0] = s->lab;
		two[1] = current;
	} else if (s->sh->twins.nr >= 2) {
		two[0] = lab_named(s, s->sh->twins.name[0]);
		two[1] = lab_named(s, s->sh->twins.name[1]);
	} else if (labs->nr >= 2) {
		two[0] = current;
		two[1] = labs->v[(labs->current + 1) % labs->nr].lab;
	}
}

/* ---- the model ---- */

static void take_policies(struct twin *t, struct lab *two[2])
{
	struct live_policy *p[2] = { host_alloc(policy_nr * sizeof(**p)), host_alloc(policy_nr * sizeof(**p)) };
	unsigned int nr = live_policies(two[0], "", p[0]);

	live_policies(two[1], "", p[1]);
	t->nr_policies = 0;
	for (unsigned int i = 0; i < nr && t->nr_policies < TWIN_POLICIES; i++) {
		if (!strcmp(p[0][i].value, p[1][i].value))
			continue;
		t->policy[t->nr_policies].name = p[0][i].row->name;
		for (int k = 0; k < 2; k++)
			snprintf(t->policy[t->nr_policies].value[k], sizeof(t->policy[0].value[k]), "%.*s",
				 (int)sizeof(t->policy[0].value[k]) - 1, p[k][i].value);
		t->nr_policies++;
	}
	free(p[0]);
	free(p[1]);
}

static void twin_take(struct scene *s, void *state)
{
	struct twin *t = state;
	struct lab *two[2];

	choose(s, two);
	t->there = two[0] && two[1] && two[0] != two[1];
	if (!t->there)
		return;
	for (int i = 0; i < 2; i++) {
		snprintf(t->name[i], sizeof(t->name[i]), "%s", s->past ? (i ? "now" : "then") : two[i]->name);
		live_zones(two[i], &t->zones[i]);
		live_caches(two[i], &t->caches[i]);
		t->ops[i] = two[i]->hdr->ops;
	}
	take_policies(t, two);
}

/* ---- the painter ---- */

/* One figure of both: dim where they agree. */
static void pair(const struct area *a, const int x[2], int y, const uint64_t v[2], int w)
{
	char text[24];

	for (int i = 0; i < 2; i++)
		put_right(a, x[i] + w, y, v[0] == v[1] ? TONE_DIM : TONE_CHANGED | ATTR_BOLD, "%s",
			  short_count(v[i], w - 1, text, sizeof(text)));
}

static void words(const struct area *a, const int x[2], int y, const char *left, const char *right, int w)
{
	bool same = !strcmp(left, right);

	put(a, x[0], y, same ? TONE_DIM : TONE_CHANGED, "%.*s", w - 1, left);
	put(a, x[1], y, same ? TONE_DIM : TONE_CHANGED, "%.*s", w - 1, right);
}

static int zone_rows(const struct twin *t, unsigned int zone, const struct area *a, const int x[2], int y, int w)
{
	const struct zone_figures *f[2] = { &t->zones[0].zone[zone].f, &t->zones[1].zone[zone].f };
	int cell = w / NR_PAGE_ORDERS;
	char text[2][32];

	put(a, 1, y, TONE_HEAD, "%s", t->zones[0].zone[zone].name);
	put(a, 12, y, TONE_DIM, "free");
	pair(a, x, y, (const uint64_t[2]){ f[0]->free, f[1]->free }, 9);
	for (int i = 0; i < 2; i++)
		snprintf(text[i], sizeof(text[i]), "unusable o3 %.3f o9 %.3f", t->zones[i].zone[zone].unusable[3] / 1000.0,
			 t->zones[i].zone[zone].unusable[9] / 1000.0);
	words(a, (const int[2]){ x[0] + 10, x[1] + 10 }, y, text[0], text[1], w - 10);
	put(a, 12, y + 1, TONE_DIM, "by order");
	for (int o = 0; o < NR_PAGE_ORDERS && cell >= 2; o++) {
		const int at[2] = { x[0] + o * cell, x[1] + o * cell };

		pair(a, at, y + 1, (const uint64_t[2]){ f[0]->nr_free[o], f[1]->nr_free[o] }, cell);
	}
	return y + 2;
}

static const struct live_cache *cache_named(const struct live_caches *c, const char *name)
{
	for (unsigned int i = 0; i < c->nr; i++)
		if (!strcmp(c->v[i].name, name))
			return &c->v[i];
	return NULL;
}

static void cache_side(const struct live_cache *c, const struct live_cache *other, const struct area *a, int x, int y)
{
	const uint64_t mine[] = { c->objects, c->slabs, c->partial };
	const uint64_t theirs[] = { other->objects, other->slabs, other->partial };
	char text[24];
	int at = x;

	for (unsigned int i = 0; i < ARRAY_SIZE(mine); i++) {
		at += i ? 6 : 8;
		put_right(a, at, y, mine[i] == theirs[i] ? TONE_DIM : TONE_CHANGED | ATTR_BOLD, "%s",
			  short_count(mine[i], i ? 5 : 7, text, sizeof(text)));
	}
	at += 8;
	put_right(a, at, y, c->waste_bytes == other->waste_bytes ? TONE_DIM : TONE_CHANGED | ATTR_BOLD, "%s",
		  c->waste_bytes < 0 ? "shared" : format_bytes((uint64_t)c->waste_bytes, text, sizeof(text)));
}

static bool worth_a_row(const struct live_cache *c, const struct live_cache *d)
{
	return c->slabs || d->slabs || c->overrides[0] || d->overrides[0];
}

static int cache_rows(const struct scene *s, const struct twin *t, const struct area *a, const int x[2], int y, int w)
{
	static const struct live_cache none;
	unsigned int left = 0;

	put(a, 1, y, TONE_HEAD, "caches");
	for (int i = 0; i < 2; i++)
		put(a, x[i], y, TONE_DIM, "     out slabs  part   waste");
	y++;
	for (unsigned int i = 0; i < t->caches[0].nr; i++) {
		const struct live_cache *c = &t->caches[0].v[i], *d = cache_named(&t->caches[1], c->name);
		struct area side[2] = { area_part(a, x[0], 0, w, a->h), area_part(a, x[1], 0, w, a->h) };

		d = d ? d : &none;
		if (!worth_a_row(c, d) || !scene_lists(s, c->name))
			continue;
		if (y >= a->h - 1) {
			left++;
			continue;
		}
		put(a, 1, y, TONE_PLAIN, "%.*s", LABEL - 2, c->name);
		cache_side(c, d, &side[0], 0, y);
		cache_side(d, c, &side[1], 0, y++);
		if (strcmp(c->overrides, d->overrides))
			words(a, (const int[2]){ x[0] + 2, x[1] + 2 }, y++, c->overrides[0] ? c->overrides : "no override",
			      d->overrides[0] ? d->overrides : "no override", w - 2);
	}
	if (left)
		put(a, 1, y++, TONE_DIM, "%u more", left);
	return y;
}

static int policy_rows(const struct twin *t, const struct area *a, const int x[2], int y, int w)
{
	for (unsigned int i = 0; i < t->nr_policies && y < a->h; i++, y++) {
		put(a, 1, y, TONE_PLAIN, "%.*s", LABEL - 2, t->policy[i].name);
		words(a, x, y, t->policy[i].value[0], t->policy[i].value[1], w);
	}
	return y;
}

static void twin_draw(const struct scene *s, void *state, const struct area *a)
{
	struct twin *t = state;
	int w = (a->w - LABEL) / 2, y = 0;
	const int x[2] = { LABEL, LABEL + w };

	if (!t->there) {
		put_words(a, 1, 0, TONE_DIM, "One lab is here. \":lab clone other\" makes a second in the same state, \":twin on main other\" "
			  "sends every command to both; then change a policy of one: \":@other set cache.foo.partial_add tail\".");
		return;
	}
	for (int i = 0; i < 2; i++) {
		put(a, x[i], y, TONE_ACCENT | ATTR_BOLD, "%s", t->name[i]);
		put(a, x[i] + (int)strlen(t->name[i]) + 1, y, t->ops[0] == t->ops[1] ? TONE_DIM : TONE_CHANGED, "%llu ops",
		    (unsigned long long)t->ops[i]);
	}
	y = policy_rows(t, a, x, 1, w);
	for (unsigned int z = 0; z < t->zones[0].nr && z < t->zones[1].nr && y < a->h; z++)
		y = zone_rows(t, z, a, x, y, w);
	cache_rows(s, t, a, x, y, w);
}

static void twin_title(const struct scene *s, const void *state, char *buf, size_t size)
{
	const struct twin *t = state;

	if (!t->there)
		return;
	snprintf(buf, size, "%s and %s%s", t->name[0], t->name[1],
		 s->past ? "" : s->sh->twins.nr ? ", under the same commands" : ", each on its own: \":twin on\" drives both");
}

static void twin_fini(void *state)
{
	struct twin *t = state;

	for (int i = 0; i < 2; i++) {
		live_zones_free(&t->zones[i]);
		live_caches_free(&t->caches[i]);
	}
}

const struct pane pane_twin = {
	.name = "Twin",
	.summary = "two labs side by side, or now and then; what differs is marked",
	.state_bytes = sizeof(struct twin),
	.take = twin_take, .draw = twin_draw, .title = twin_title, .fini = twin_fini,
};
