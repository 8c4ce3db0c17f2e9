/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue_fast - hits of the queues before slabs: a CPU's array (slab), its main
 * sheaf (sheaves), its list (slqb). Inline for the entry points and for the
 * engines, as slub_fast.h is for SLUB's freelist.
 *
 * A take gives 0 when the queue is empty, a put false when it is full or the
 * store drains; nothing has changed then, and the engine goes on. What is put
 * must be of this CPU's node. Hits are counted in the part (struct slub_cpu).
 */
#ifndef SLAB_QUEUE_FAST_H
#define SLAB_QUEUE_FAST_H

#include "slab/emit.h"
#include "slab/sheaves.h"
#include "slab/slabq.h"
#include "slab/slqb.h"

/* The store whose part this is; its own number says that queues stand before it. */
static inline uint32_t store_of_part(const struct cpu *cpu, const struct slub_cpu *c)
{
	return (uint32_t)(c - cpu->slub);
}

static inline void hit_alloc(struct cpu *cpu, struct slub_cpu *c, enum event_id ev, uint64_t object)
{
	bump(c->alloc_fastpath, 1);
	if (TELLING)
		story_add(cpu, store_of_part(cpu, c), ev, object, 0, 0);
}

static inline void hit_free(struct cpu *cpu, struct slub_cpu *c, enum event_id ev, uint64_t object)
{
	bump(c->free_fastpath, 1);
	if (TELLING)
		story_add(cpu, store_of_part(cpu, c), ev, object, 0, 0);
}

/*
 * What another CPU wrote last is fetched before it is needed, all lines at
 * once, and to be written: a look and then a write would move each twice.
 * (Measured: half the price of a remote free.)
 */
static inline void fetch_own(const void *p)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));	/* the builtin is a mere read for most targets */
#else
	__builtin_prefetch(p, 1);
#endif
}

static inline void fetch_entries(const uint64_t *entry, size_t n)
{
	for (size_t i = 0; i < n; i += CACHE_LINE / sizeof(*entry))
		fetch_own(entry + i);
}

/* ---- engine slab ---- */

static inline uint64_t array_take(struct cpu *cpu, struct slub_cpu *c)
{
	struct array_cache *ac = (struct array_cache *)(cpu->base + c->own);
	uint32_t avail = ac->avail;
	uint64_t object;

	tell(cpu, store_of_part(cpu, c), NOTE_array_had, cpu->id, avail, ac->limit);
	if (unlikely(!avail))
		return 0;
	object = ac->entry[--avail];
	ac->avail = avail;
	ac->touched = 1;
	hit_alloc(cpu, c, EV_allochit, object);
	return object;
}

static inline bool array_put(struct cpu *cpu, struct slub_cpu *c, uint64_t object)
{
	struct array_cache *ac = (struct array_cache *)(cpu->base + c->own);
	uint32_t avail = ac->avail;

	tell(cpu, store_of_part(cpu, c), NOTE_array_had, cpu->id, avail, ac->limit);
	if (unlikely(avail >= ac->limit))
		return false;
	ac->entry[avail] = object;
	ac->avail = avail + 1;
	hit_free(cpu, c, EV_freehit, object);
	return true;
}

/* ---- sheaves ---- */

static inline struct sheaf *main_sheaf(const struct cpu *cpu, const struct slub_cpu *c)
{
	return (struct sheaf *)(cpu->base + ((struct sheaf_cpu *)(cpu->base + c->own))->main);
}

/* The CPU's other sheaf, if it has one. */
static inline struct sheaf *spare_sheaf(const struct cpu *cpu, const struct slub_cpu *c)
{
	uint64_t spare = ((struct sheaf_cpu *)(cpu->base + c->own))->spare;

	return spare ? (struct sheaf *)(cpu->base + spare) : NULL;
}

/* Main sheaf and spare one change places: when the one is empty, or full, and the other not. */
static inline void turn_sheaves(struct cpu *cpu, const struct slub_cpu *c)
{
	struct sheaf_cpu *sheaves = (struct sheaf_cpu *)(cpu->base + c->own);
	uint64_t main = sheaves->main;

	poke(sheaves->main, sheaves->spare);
	poke(sheaves->spare, main);
}

static inline uint64_t sheaf_take(struct cpu *cpu, struct slub_cpu *c)
{
	struct sheaf *main = main_sheaf(cpu, c);
	uint32_t size = main->size;
	uint64_t object;

	tell(cpu, store_of_part(cpu, c), NOTE_sheaf_had, cpu->id, size, main->capacity);
	if (unlikely(!size))
		return 0;
	object = main->object[--size];
	main->size = size;
	hit_alloc(cpu, c, EV_alloc_cpu_sheaf, object);
	return object;
}

static inline bool sheaf_put(struct cpu *cpu, struct slub_cpu *c, uint64_t object)
{
	struct sheaf *main = main_sheaf(cpu, c);
	uint32_t size = main->size;

	tell(cpu, store_of_part(cpu, c), NOTE_sheaf_had, cpu->id, size, main->capacity);
	if (unlikely(size >= c->room))
		return false;
	main->object[size] = object;
	main->size = size + 1;
	hit_free(cpu, c, EV_free_cpu_sheaf, object);
	return true;
}

/* Main is empty, or full: the spare one, if that is not, becomes main. */
static inline bool turn_to_take(struct cpu *cpu, const struct slub_cpu *c)
{
	const struct sheaf *spare = spare_sheaf(cpu, c);

	if (!spare || !spare->size)
		return false;
	turn_sheaves(cpu, c);
	return true;
}

static inline bool turn_to_put(struct cpu *cpu, const struct slub_cpu *c)
{
	const struct sheaf *spare = spare_sheaf(cpu, c);

	if (!spare || spare->size >= c->room)
		return false;
	turn_sheaves(cpu, c);
	return true;
}

/* ---- engine slqb ---- */

static inline struct slqb_chain *own_list(const struct cpu *cpu, const struct slub_cpu *c)
{
	return &((struct slqb_cpu *)(cpu->base + c->own))->list.free;
}

static inline uint64_t list_take(struct cpu *cpu, struct slub_cpu *c)
{
	struct slqb_chain *list = own_list(cpu, c);
	uint32_t nr = list->nr;
	uint64_t object = list->head;

	tell(cpu, store_of_part(cpu, c), NOTE_slqb_had, cpu->id, nr, c->room);
	if (unlikely(!nr))
		return 0;
	list->head = *(uint64_t *)(cpu->base + object + c->freeptr);
	if (unlikely(!--nr))
		list->head = list->tail = 0;
	poke(list->nr, nr);
	hit_alloc(cpu, c, EV_alloc, object);
	return object;
}

static inline bool list_put(struct cpu *cpu, struct slub_cpu *c, uint64_t object)
{
	struct slqb_chain *list = own_list(cpu, c);
	uint32_t nr = list->nr;

	if (unlikely(nr >= c->room))
		return false;
	hit_free(cpu, c, EV_free, object);
	tell(cpu, store_of_part(cpu, c), NOTE_slqb_had, cpu->id, nr, c->room);
	poke(*(uint64_t *)(cpu->base + object + c->freeptr), list->head);	/* a report of a second free looks at it */
	list->head = object;
	if (unlikely(!nr))
		list->tail = object;
	poke(list->nr, nr + 1);
	return true;
}

/* The same of up to n, how many: not while told, when each has something to say. */
static inline size_t list_take_many(struct cpu *cpu, struct slub_cpu *c, size_t n, uint64_t *vec)
{
	struct slqb_chain *list = own_list(cpu, c);
	const uint32_t freeptr = c->freeptr, nr = list->nr < n ? list->nr : (uint32_t)n;
	uint64_t object = list->head;

	if (TELLING || !nr)
		return 0;
	for (uint32_t i = 0; i < nr; i++) {
		vec[i] = object;
		object = *(uint64_t *)(cpu->base + object + freeptr);
	}
	list->head = object;
	if (nr == list->nr)
		list->head = list->tail = 0;
	poke(list->nr, list->nr - nr);
	bump(c->alloc_fastpath, nr);
	return nr;
}

static inline size_t list_put_many(struct cpu *cpu, struct slub_cpu *c, size_t n, const uint64_t *vec)
{
	struct slqb_chain *list = own_list(cpu, c);
	const uint32_t freeptr = c->freeptr, space = list->nr < c->room ? c->room - list->nr : 0;
	const uint32_t nr = space < n ? space : (uint32_t)n;
	uint64_t head = list->head;

	if (TELLING || !nr)
		return 0;
	for (uint32_t i = 0; i < nr; i++) {
		poke(*(uint64_t *)(cpu->base + vec[i] + freeptr), head);
		head = vec[i];
	}
	list->head = head;
	if (!list->nr)
		list->tail = vec[0];
	poke(list->nr, list->nr + nr);
	bump(c->free_fastpath, nr);
	return nr;
}

/* ---- whichever it is ---- */

static inline uint64_t queue_take(struct cpu *cpu, struct slub_cpu *c, enum route route)
{
	switch (route) {
	case ROUTE_ARRAY:
		return array_take(cpu, c);
	case ROUTE_SHEAF:
		return sheaf_take(cpu, c);
	case ROUTE_LIST:
		return list_take(cpu, c);
	default:
		return 0;
	}
}

/* The object is of a page of this store. */
static inline bool queue_put(struct cpu *cpu, struct slub_cpu *c, const struct page *page, uint64_t object, enum route route)
{
	if (unlikely(page->node != cpu->node))
		return false;
	switch (route) {
	case ROUTE_ARRAY:
		return array_put(cpu, c, object);
	case ROUTE_SHEAF:
		return sheaf_put(cpu, c, object);
	case ROUTE_LIST:
		return list_put(cpu, c, object);
	default:
		return false;
	}
}

#endif
