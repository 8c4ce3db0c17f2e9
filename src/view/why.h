/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why - a told op in words: its steps, and what would have come of other policies.
 *
 * Words and choices are made of what the step itself carries, never of how the
 * lab is by now: between the two a policy may have changed. Names of zones,
 * caches and stores are looked up, as these keep theirs.
 */
#ifndef VIEW_WHY_H
#define VIEW_WHY_H

#include "cpu/read.h"
#include "event/note.h"
#include "view/view.h"

#define WHY_TEXT 1024

/* The i-th field of a step. */
static inline uint64_t step_field(const struct step *s, unsigned int i)
{
	return i ? s->b[i - 1] : s->a;
}

static inline bool step_is_note(const struct step *s)
{
	return s->event >= EV_NR;
}

/* "N0 Normal", or "Normal" in a lab of one node. */
void why_zone(struct lab *lab, unsigned int zone, char *buf, size_t size);

/* One sentence (words.h). False: it only counts what another step says better. */
bool why_words(struct lab *lab, const struct step *s, char buf[WHY_TEXT]);

/* Mark the steps that a text leaves out ("folded"), and the next one with how many there were. */
void why_fold(json_t *steps);
/* What stands between a step and the one shown before it, "" nothing. Returns buf. */
char *why_between(const json_t *step, char *buf, size_t size);

/* why_choice.c: the policy that decided. */
struct choice {
	const char *policy;
	char value[64];		/* it had then */
	char otherwise[WHY_TEXT];	/* what other values would have brought about */
};
/* False if the step is no decision of a policy. */
bool why_choice(const struct step *s, struct choice *c);

#endif
