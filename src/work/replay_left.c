/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_left - what a replay leaves behind gets handles.
 *
 * After a run to the end the book's tables say what lives. When a program was
 * stopped on its way they are ahead of the lab; then the steps that ran are
 * gone through again, and the last allocation of each slot still in use counts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "lab/handle.h"
#include "work/replay_priv.h"

struct left {
	struct spot *v;
	uint64_t nr;
};

static int by_seq(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool spot_is_held(const struct runner *r, const struct spot *s)
{
	return s->state == SPOT_LIVE && s->slot != SLOT_NONE && s->slot < r->slots &&
	       r->slot[s->slot] > SLOT_FAILED;
}

/* What of a table the lab really holds, in order of allocation. */
static int left_find(const struct runner *r, const struct spots *t, struct left *l)
{
	*l = (struct left){ 0 };
	if (!t->nr)
		return 0;
	l->v = malloc(t->nr * sizeof(*l->v));
	if (!l->v)
		return fail(ENOMEM, "no memory for the list of what lives at the end");
	for (uint64_t i = 0; i <= t->mask; i++)
		if (spot_is_held(r, &t->slot[i]))
			l->v[l->nr++] = t->slot[i];
	qsort(l->v, l->nr, sizeof(*l->v), by_seq);
	return 0;
}

/* The cache an object was asked from; 0 where the lab may have chosen another class. */
static uint32_t cache_of_member(const struct runner *r, const struct spot *s)
{
	const struct target *t = &r->sites->target[s->site];

	return t->kind == SITE_CACHE || !r->counts->class_differs ? t->cache : 0;
}

static int handle_fill(struct runner *r, const char *name, const struct left *l, enum member_kind kind,
		       char moved[HANDLE_NAME])
{
	struct handle *h = handle_new(r->lab, name, moved);

	if (!h || !handle_reserve(r->lab, h, (uint32_t)l->nr))
		return fail(ENOMEM, "no side memory for the handle %s", name);
	for (uint64_t i = 0; i < l->nr; i++) {
		const struct spot *s = &l->v[i];
		struct member m = {
			.off = r->slot[s->slot], .kind = (uint8_t)kind, .order = s->order, .cpu = s->cpu,
		};

		if (kind == MEMBER_OBJECT)
			m.cache = cache_of_member(r, s);
		if (!handle_add(r->lab, h, &m))
			return fail(ENOMEM, "no side memory for the handle %s", name);
	}
	return 0;
}

static int handle_make(struct runner *r, const char *name, const struct spots *t, enum member_kind kind,
		       char note[256])
{
	char moved[HANDLE_NAME] = "";
	struct left l;
	int ret = left_find(r, t, &l);

	if (!ret && l.nr)
		ret = handle_fill(r, name, &l, kind, moved);
	if (moved[0]) {
		size_t at = strlen(note);

		snprintf(note + at, 256 - at, "%s%s of before is now %s", at ? "; " : "", name, moved);
	}
	free(l.v);
	return ret;
}

/* A slot is of one kind at a time: forget it in the other table. */
static int slot_remember(struct spots *other, struct spots *t, const struct step *st)
{
	struct spot *s = spots_find(other, st->slot);

	if (s && s->seq > st->line)
		return 0;
	if (s)
		spots_remove(other, s);
	s = spots_find(t, st->slot);
	if (s && s->seq > st->line)
		return 0;
	if (!s)
		s = spots_add(t, st->slot);
	if (!s)
		return -ENOMEM;
	*s = (struct spot){
		.addr = st->slot, .seq = st->line, .slot = st->slot, .site = st->site, .cpu = st->cpu,
		.order = st->order, .state = SPOT_LIVE,
	};
	return 0;
}

/* The steps of one stream that ran: remember each slot's latest allocation. */
static int stream_slots(struct program *p, unsigned int stream, struct spots *objects, struct spots *pages)
{
	struct program_cursor c;
	uint64_t todo = p->stream[stream].ran;
	int error = program_rewind(p, stream, &c);

	while (!error && todo && program_next_block(&c, &error)) {
		for (; c.at < c.end && todo && !error; c.at++, todo--) {
			bool is_pages = c.at->kind == STEP_ALLOC_PAGES;

			if (step_allocates(c.at))
				error = slot_remember(is_pages ? objects : pages, is_pages ? pages : objects, c.at);
		}
	}
	program_cursor_fini(&c);
	return error;
}

/* The tables as they were when the program stopped, by slot instead of by address. */
static int left_rebuild(struct program *p, struct book *b)
{
	spots_clear(&b->objects);
	spots_clear(&b->pages);
	for (unsigned int i = 0; i < p->streams; i++) {
		int ret = stream_slots(p, i, &b->objects, &b->pages);

		if (ret)
			return ret;
	}
	return 0;
}

int runner_handles(struct runner *r, struct book *b, struct program *stopped, char note[256])
{
	int ret = stopped ? left_rebuild(stopped, b) : 0;

	if (!ret)
		ret = handle_make(r, "replayed", &b->objects, MEMBER_OBJECT, note);
	return ret ? ret : handle_make(r, "replayed_pages", &b->pages, MEMBER_PAGES, note);
}
