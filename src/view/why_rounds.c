/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why_rounds - what is told again and again, told once.
 *
 * A drain of fifty pages tells fifty times that a page left the CPU's list,
 * each time with the merges that came of it. Of such rounds the first and the
 * last are for the reader; the model keeps all, those between marked "folded".
 * The same of several steps that come in the same order again and again, as
 * where an engine takes the objects of one call one by one.
 */
#include "view/why.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "view/look.h"

#define ROUNDS_SHOWN 4	/* of more the first and the last are shown */
#define CYCLE_STEPS 8	/* steps of one round, most */
#define CYCLE_SAVES 3	/* steps that have to be left out for it to be worth a line */

/* The next step that says something, from i on; the number of steps at the end. */
static size_t next_said(const json_t *steps, size_t i)
{
	while (i < json_array_size(steps) && json_is_true(json_object_get(json_array_get(steps, i), "count_only")))
		i++;
	return i;
}

static bool is_of(const json_t *step, const char *event)
{
	return !strcmp(look_get_text(step, "event"), event);
}

/* Steps that belong to one of that event before them: what became of a block that was taken or given back. */
static bool is_detail(const json_t *step, const char *event)
{
	return !strncmp(look_get_text(step, "event"), "buddy_", strlen("buddy_")) && !is_of(step, event);
}

/* Steps that tell of one event again and again, each with its details. */
struct rounds {
	unsigned int times, merges;	/* merges: in all of them but the last */
	size_t last;			/* step that the last one begins with */
};

static struct rounds rounds_from(const json_t *steps, size_t i)
{
	const char *event = look_get_text(json_array_get(steps, i), "event");
	struct rounds r = { .times = 1, .last = i };
	unsigned int merges = 0;

	for (i = next_said(steps, i + 1); i < json_array_size(steps); i = next_said(steps, i + 1)) {
		const json_t *step = json_array_get(steps, i);

		if (json_object_get(step, "missing_before"))
			break;
		if (is_of(step, event))
			r = (struct rounds){ r.times + 1, merges, i };
		else if (is_detail(step, event))
			merges += is_of(step, "buddy_merge");
		else
			break;
	}
	return r;
}

/* Between the first of several rounds and the last one: left out of a text, which says how many there were. */
static void fold(json_t *steps, size_t i, const struct rounds *r)
{
	json_t *last = json_array_get(steps, r->last);
	const char *event = look_get_text(last, "event");
	unsigned int merges = r->merges;

	for (i = next_said(steps, i + 1); is_detail(json_array_get(steps, i), event); i = next_said(steps, i + 1))
		merges -= is_of(json_array_get(steps, i), "buddy_merge");
	for (; i < r->last; i++)
		json_object_set_new(json_array_get(steps, i), "folded", json_true());
	look_set(last, "more_before", r->times - 2);
	look_set(last, "merges_before", merges);
}

static size_t skip_said(const json_t *steps, size_t i, unsigned int nr)
{
	while (nr-- && i < json_array_size(steps))
		i = next_said(steps, i + 1);
	return i;
}

/* Are these `nr` steps of the same events, with none missing before them? */
static bool is_same_round(const json_t *steps, size_t a, size_t b, unsigned int nr)
{
	for (; nr; nr--, a = next_said(steps, a + 1), b = next_said(steps, b + 1)) {
		const json_t *step = json_array_get(steps, b);

		if (!step || json_object_get(step, "missing_before") || !is_of(step, look_get_text(json_array_get(steps, a), "event")))
			return false;
	}
	return true;
}

static struct rounds cycle_from(const json_t *steps, size_t i, unsigned int nr)
{
	struct rounds r = { .times = 1, .last = i };

	for (size_t next = skip_said(steps, i, nr); is_same_round(steps, i, next, nr); next = skip_said(steps, next, nr))
		r = (struct rounds){ r.times + 1, 0, next };
	return r;
}

/* Returns the step behind what was folded; i: nothing was. */
static size_t fold_cycle(json_t *steps, size_t i)
{
	for (unsigned int nr = 2; nr <= CYCLE_STEPS; nr++) {
		struct rounds r = cycle_from(steps, i, nr);

		if (r.times < 3 || (r.times - 2) * nr < CYCLE_SAVES)
			continue;
		for (size_t k = skip_said(steps, i, nr); k < r.last; k++)
			json_object_set_new(json_array_get(steps, k), "folded", json_true());
		look_set(json_array_get(steps, r.last), "more_before", r.times - 2);
		look_set(json_array_get(steps, r.last), "steps_each", nr);
		return skip_said(steps, r.last, nr);
	}
	return i;
}

void why_fold(json_t *steps)
{
	size_t i = next_said(steps, 0), next;

	while (i < json_array_size(steps)) {
		struct rounds r = rounds_from(steps, i);

		if (r.times > ROUNDS_SHOWN) {
			fold(steps, i, &r);
			i = next_said(steps, r.last + 1);
			continue;
		}
		next = fold_cycle(steps, i);
		i = next > i ? next : next_said(steps, i + 1);
	}
}

char *why_between(const json_t *step, char *buf, size_t size)
{
	uint64_t more = look_get(step, "more_before"), merges = look_get(step, "merges_before"), each = look_get(step, "steps_each");

	buf[0] = 0;
	if (json_object_get(step, "missing_before"))
		snprintf(buf, size, "(%llu steps between were not kept)", (unsigned long long)look_get(step, "missing_before"));
	else if (more && each)
		snprintf(buf, size, "and %llu more time%s these %llu steps, up to", (unsigned long long)more, plural(more), (unsigned long long)each);
	else if (more && merges)
		snprintf(buf, size, "and %llu more like it (%llu merge%s), up to", (unsigned long long)more, (unsigned long long)merges, plural(merges));
	else if (more)
		snprintf(buf, size, "and %llu more like it, up to", (unsigned long long)more);
	return buf;
}
