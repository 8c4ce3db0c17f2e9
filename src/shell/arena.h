/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arena - memory of one statement, freed all at once.
 *
 * Idea. Parsing makes many small pieces that die together when the statement
 * has run. Pieces are cut from chunks; a mark remembers a point to go back
 * to, so that a loop's body does not pile up what each round expanded.
 *
 * Host memory that runs out ends the program with a sentence: nothing
 * sensible can be done in the middle of a line.
 */
#ifndef SHELL_ARENA_H
#define SHELL_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena {
	struct arena_chunk *chunk;	/* the newest */
	size_t used;			/* of it */
};
struct arena_mark {
	struct arena_chunk *chunk;
	size_t used;
};

void *arena_get(struct arena *a, size_t bytes);	/* zeroed, aligned for any type */
char *arena_text(struct arena *a, const char *text, size_t len);
struct arena_mark arena_mark(const struct arena *a);
void arena_reset(struct arena *a, struct arena_mark m);
void arena_free(struct arena *a);

/* malloc and friends that end the program when the host has no memory. */
void *host_alloc(size_t bytes);
void *host_grow(void *p, size_t bytes);
char *host_text(const char *text);

#endif
