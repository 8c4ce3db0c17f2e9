/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (32u << 10)

struct arena_chunk {
	struct arena_chunk *older;
	size_t bytes;
	alignas(max_align_t) char room[];
};

static void *no_memory(void)
{
	fputs("slablab: the host has no more memory\n", stderr);
	exit(1);
}

void *host_grow(void *p, size_t bytes)
{
	void *q = realloc(p, bytes ? bytes : 1);

	return q ? q : no_memory();
}

void *host_alloc(size_t bytes)
{
	void *p = calloc(1, bytes ? bytes : 1);

	return p ? p : no_memory();
}

char *host_text(const char *text)
{
	char *copy = strdup(text);

	return copy ? copy : no_memory();
}

void *arena_get(struct arena *a, size_t bytes)
{
	struct arena_chunk *c = a->chunk;
	void *p;

	bytes = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!c || c->bytes - a->used < bytes) {
		size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;

		c = host_grow(NULL, sizeof(*c) + room);
		c->older = a->chunk;
		c->bytes = room;
		a->chunk = c;
		a->used = 0;
	}
	p = c->room + a->used;
	a->used += bytes;
	return memset(p, 0, bytes);
}

char *arena_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_get(a, len + 1);

	memcpy(copy, text, len);
	return copy;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->chunk, a->used };
}

void arena_reset(struct arena *a, struct arena_mark m)
{
	/* The first chunk stays: the next statement will want it. */
	while (a->chunk != m.chunk && a->chunk->older) {
		struct arena_chunk *c = a->chunk;

		a->chunk = c->older;
		free(c);
	}
	a->used = a->chunk == m.chunk ? m.used : 0;
}

void arena_free(struct arena *a)
{
	while (a->chunk) {
		struct arena_chunk *c = a->chunk;

		a->chunk = c->older;
		free(c);
	}
	a->used = 0;
}
