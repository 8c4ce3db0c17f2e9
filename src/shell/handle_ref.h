/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handle_ref - which members a word like `a`, `a[3]`, `a[10:20]`, `a[::-1]`
 * or `a[~50%]` means.
 *
 * Rules. Indexes are those of the allocation, for ever. A bare handle means
 * its live members; a slice means exactly what it says, so a freed member in
 * it is an error. A slice keeps its order. `~` chooses among what is live:
 * `~50%` that share (rounded to the nearest), `~10` that many. Whatever means
 * no member at all is an error.
 */
#ifndef SHELL_HANDLE_REF_H
#define SHELL_HANDLE_REF_H

#include "shell/cmd.h"

struct ref_list {
	struct ref *v;
	size_t nr, room;
	unsigned int words;	/* how many words were added */
	bool freed_too;		/* freed members may be named, and any of them twice */
};

/* Append what the word means. `rand` is the random state to draw from. Nothing is appended on failure. */
int refs_read(struct lab *lab, uint64_t *rand, const char *word, struct ref_list *refs);

/* -EINVAL with a sentence when a member is named twice. */
int refs_check_twice(const struct ref_list *refs);

void refs_free(struct ref_list *refs);

#endif
