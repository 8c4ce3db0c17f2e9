/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "op/keep.h"

#include <pthread.h>
#include <sys/mman.h>

#include "op/snapshot.h"

#define CHUNK_BYTES (2UL << 20)
#define SMALL_CHUNKS 4		/* so many before huge host pages are worth their clearing */

/* At the front of its 2 MiB. */
struct chunk {
	struct chunk *prev, *next;	/* with room */
	struct kept_page *free;		/* chained through their content */
	struct kept_page *fresh;	/* never given out: from here to the end */
	unsigned int used;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *with_room;
static unsigned int chunks;

static struct chunk *chunk_of(struct kept_page *p)
{
	return (struct chunk *)((uintptr_t)p & ~(CHUNK_BYTES - 1));
}

static struct kept_page **next_free(struct kept_page *p)
{
	return (struct kept_page **)p->content;
}

static bool has_fresh(const struct chunk *c)
{
	return (uint8_t *)(c->fresh + 1) <= (uint8_t *)c + CHUNK_BYTES;
}

static void list_add(struct chunk *c)
{
	c->prev = NULL;
	c->next = with_room;
	if (with_room)
		with_room->prev = c;
	with_room = c;
}

static void list_del(struct chunk *c)
{
	if (c->prev)
		c->prev->next = c->next;
	else
		with_room = c->next;
	if (c->next)
		c->next->prev = c->prev;
}

/* Twice the size holds an aligned one; the rest goes back. */
static struct chunk *map_chunk(void)
{
	uint8_t *all = mmap(NULL, 2 * CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *at;
	struct chunk *c;

	if (all == MAP_FAILED)
		return NULL;
	at = (uint8_t *)(((uintptr_t)all + CHUNK_BYTES - 1) & ~(CHUNK_BYTES - 1));
	if (at > all)
		munmap(all, (size_t)(at - all));
	munmap(at + CHUNK_BYTES, (size_t)(all + CHUNK_BYTES - at));
	if (chunks >= SMALL_CHUNKS)
		madvise(at, CHUNK_BYTES, MADV_HUGEPAGE);
	c = (struct chunk *)at;
	c->fresh = (struct kept_page *)(((uintptr_t)(c + 1) + 63) & ~63UL);
	chunks++;
	list_add(c);
	return c;
}

static struct kept_page *take(struct chunk *c)
{
	struct kept_page *p = c->free;

	if (p)
		c->free = *next_free(p);
	else
		p = c->fresh++;
	c->used++;
	if (!c->free && !has_fresh(c))
		list_del(c);
	return p;
}

struct kept_page *keep_get(void)
{
	struct chunk *c;
	struct kept_page *p;

	pthread_mutex_lock(&lock);
	c = with_room ? with_room : map_chunk();
	p = c ? take(c) : NULL;
	pthread_mutex_unlock(&lock);
	return p;
}

void keep_put(struct kept_page *p)
{
	struct chunk *c = chunk_of(p);

	pthread_mutex_lock(&lock);
	if (!c->free && !has_fresh(c))
		list_add(c);
	*next_free(p) = c->free;
	c->free = p;
	if (!--c->used && (c->prev || c->next)) {	/* another one has room */
		list_del(c);
		chunks--;
		munmap(c, CHUNK_BYTES);
	}
	pthread_mutex_unlock(&lock);
}
