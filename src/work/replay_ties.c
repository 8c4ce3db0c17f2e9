/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_ties - lines of different CPUs that bear the same time.
 *
 * Nothing tells in which order they happened; the file's is as good as any
 * until it says what cannot be, an address handed out twice or given back
 * twice. Then the next line of that address that does the opposite runs
 * first, if the lines of this time can be brought into an order at all.
 */
#include "work/replay_priv.h"

/* The lines of one address in a group, as far as the question needs them. */
struct rivals {
	uint32_t left, allocs, frees;	/* not yet run */
	uint32_t opposite;		/* first of them that does the opposite */
	bool other_cpu;			/* among all, run or not */
};

static void rivals_find(const struct window *w, uint32_t nr, uint32_t at, struct rivals *v)
{
	const struct event *ev = window_at(w, w->head + at);

	*v = (struct rivals){ .opposite = nr };
	for (uint32_t i = 0; i < nr; i++) {
		const struct event *e = window_at(w, w->head + i);
		bool alloc = event_is_alloc(e);

		if (e->addr != ev->addr || event_is_object(e) != event_is_object(ev) ||
		    e->flags & EVENT_FAILED || !(alloc || event_is_free(e)))
			continue;
		v->other_cpu |= e->cpu != ev->cpu;
		if (i < at || e->flags & EVENT_RUN)
			continue;
		v->left++;
		v->allocs += alloc;
		v->frees += !alloc;
		if (v->opposite == nr && alloc != event_is_alloc(ev))
			v->opposite = i;
	}
}

/* The line to run before line `at`, or nr. */
static uint32_t tie_first(const struct window *w, const struct book *b, uint32_t nr, uint32_t at)
{
	const struct event *ev = window_at(w, w->head + at);
	struct rivals v;
	int64_t after;

	if (!book_contradicts(b, ev))
		return nr;
	rivals_find(w, nr, at, &v);
	after = (int64_t)book_lives(b, ev) + v.allocs - v.frees;
	if (!v.other_cpu || v.left < 2 || after < 0 || after > 1)
		return nr;
	return v.opposite;
}

static int run_one(struct window *w, struct book *b, uint32_t i)
{
	struct event *ev = window_at(w, w->head + i);

	if (unlikely(ev->flags & EVENT_ASKS)) {
		int ret = window_answer(w, w->head + i);

		if (ret)
			return ret;
	}
	ev->flags |= EVENT_RUN;
	return book_event(b, ev);
}

int ties_run(struct window *w, struct book *b, uint32_t nr, bool in_file_order)
{
	b->group_seq = b->counts.seq;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t first = nr;
		int ret;

		if (!in_file_order) {
			if (window_at(w, w->head + i)->flags & EVENT_RUN)
				continue;
			first = tie_first(w, b, nr, i);
		}
		if (first != nr) {
			ret = run_one(w, b, first);
			if (ret)
				return ret;
			b->counts.tie_moves++;
		}
		ret = run_one(w, b, i);
		if (ret)
			return ret;
	}
	w->head += nr;
	return 0;
}
