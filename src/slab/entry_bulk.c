/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's bulk calls. What a CPU's array, sheaf or list holds, or has room
 * for, is copied at once between there and the caller's array, offsets becoming
 * pointers on the way; what SLUB's freelist of the CPU has, or what is all of
 * its slab, likewise. All else goes through bulk.c, in the caller's array: the
 * results and the counts of both are the same.
 */
#include "slab/entry.h"

#include <errno.h>

#include "slab/bulk.h"
#include "slab/queue_fast.h"
#include "slab/slub.h"
#include "slab/slub_fast.h"

/* Offsets and pointers share the caller's array: both are 64 bits. */
_Static_assert(sizeof(void *) == sizeof(uint64_t), "pointers are 64 bits");

typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

static void to_pointers(struct cpu *cpu, size_t n, uint64_t *vec)
{
	const uint64_t base = (uint64_t)cpu->base;
	size_t i = 0;

	for (; i + 2 <= n; i += 2)
		*(pair *)(vec + i) += (pair){ base, base };
	if (i < n)
		vec[i] += base;
}

/* NULLs are left out; how many others there are. */
static size_t to_offsets(struct cpu *cpu, size_t n, uint64_t *vec)
{
	const uint64_t base = (uint64_t)cpu->base;
	size_t nr = 0;

	for (; nr < n && vec[nr]; nr++)
		vec[nr] -= base;
	for (size_t i = nr; i < n; i++)
		if (unlikely(vec[i]))
			vec[nr++] = vec[i] - base;
	return nr;
}

size_t entry_alloc_bulk_slow(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t *vec = (uint64_t *)p;
	size_t got;

	cpu_enter(cpu);
	if (TELLING)
		call_begin(cpu, TOLD_CACHE_ALLOC_BULK, c->id, n, 0);
	got = slab_alloc_bulk(cpu, c, GFP_KERNEL, n, vec);
	if (TELLING)
		story_end(cpu, got == n ? 0 : -ENOMEM, 0, got, 0);
	cpu_leave(cpu);
	to_pointers(cpu, got, vec);
	return got;
}

void entry_free_bulk_slow(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t *vec = (uint64_t *)p;

	n = to_offsets(cpu, n, vec);
	cpu_enter(cpu);
	if (TELLING)
		call_begin(cpu, TOLD_CACHE_FREE_BULK, c ? c->id : 0, n, 0);
	slab_free_bulk(cpu, c, n, vec);
	cpu_leave(cpu);
}

/* ---- queues that are arrays ---- */

/* Where a CPU's array is full up to, and its entries. */
struct stack {
	uint32_t *fill, room;
	uint64_t *entry;
};

static inline bool stack_of(struct cpu *cpu, const struct slub_cpu *part, struct stack *st)
{
	if (part->route == ROUTE_ARRAY) {
		struct array_cache *ac = (struct array_cache *)(cpu->base + part->own);

		*st = (struct stack){ &ac->avail, ac->limit, ac->entry };
	} else if (part->route == ROUTE_SHEAF) {
		struct sheaf *main = main_sheaf(cpu, part);

		*st = (struct stack){ &main->size, part->room, main->object };
	} else {
		return false;
	}
	return true;
}

static void count_bulk(struct cpu *cpu, uint32_t store, enum event_id calls, enum event_id objects, size_t n)
{
	uint64_t *ev = cpu->stat[store].ev;

	if (COUNTING) {
		bump(ev[calls - EV_SLAB_FIRST], 1);
		bump(ev[objects - EV_SLAB_FIRST], n);
	}
}

/*
 * SLAB gives the newest first, a sheaf its end as it lies. (As slabq.c and
 * sheaves.c.) Words, as copy_in() wrote them: a wider load of what was written
 * just now by parts would wait until that has left the processor.
 */
static void copy_out(const struct cpu *cpu, uint64_t *vec, const uint64_t *entry, size_t n, bool newest_first)
{
	const uint64_t base = (uint64_t)cpu->base;

	if (newest_first) {
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			vec[i] = entry[n - 1 - i] + base;
	} else {
#pragma GCC unroll 4
		for (size_t i = 0; i < n; i++)
			vec[i] = entry[i] + base;
	}
}

static inline struct sheaf *other_sheaf(struct cpu *cpu, const struct slub_cpu *part)
{
	return part->route == ROUTE_SHEAF ? spare_sheaf(cpu, part) : NULL;
}

/* In an op; false: nothing has changed. */
static inline bool take_stack(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	struct slub_cpu *part = cpu->slub + c->store;
	struct sheaf *other;
	struct stack st;
	size_t rest;

	if (TELLING || !stack_of(cpu, part, &st) || lab_store(cpu->lab, c->store)->bulk_form == BULK_FALLBACK)
		return false;
	rest = n > *st.fill ? n - *st.fill : 0;
	if (rest) {
		other = other_sheaf(cpu, part);
		if (!other || other->size < rest)
			return false;
		copy_out(cpu, vec, st.entry, *st.fill, false);
		vec += *st.fill;
		*st.fill = 0;
		turn_sheaves(cpu, part);
		st = (struct stack){ &other->size, part->room, other->object };
	}
	*st.fill -= (uint32_t)(rest ? rest : n);
	copy_out(cpu, vec, st.entry + *st.fill, rest ? rest : n, part->route == ROUTE_ARRAY);
	if (part->route == ROUTE_ARRAY)
		((struct array_cache *)(cpu->base + part->own))->touched = 1;
	bump(part->alloc_fastpath, n);
	if (unlikely(part->name != c->id))
		slab_count_allocs(cpu, part, c->id, n, n);
	count_bulk(cpu, c->store, EV_bulk_alloc_calls, EV_bulk_alloc_objs, n);
	return true;
}

/* Is each of them an object of this store and of the CPU's node? Copies them meanwhile, if `entry` says where. */
static inline __attribute__((always_inline)) bool look_at(const struct cpu *cpu, uint64_t *entry, uint32_t store, size_t n, void *const *p)
{
	const uint64_t base = (uint64_t)cpu->base;
	uint64_t last = UINT64_MAX;

#pragma GCC unroll 4
	for (size_t i = 0; i < n; i++) {
		uint64_t object = (uint64_t)p[i];

		if (unlikely((object ^ last) >= PAGE_SIZE)) {
			uint64_t at = object - (uint64_t)cpu->arena;
			const struct page *page = cpu->pages + (at >> PAGE_SHIFT);

			if (at >= cpu->arena_bytes || page->store != store || page->node != cpu->node)
				return false;
			last = object;
		}
		if (entry)
			entry[i] = object - base;
	}
	return true;
}

static __attribute__((noinline)) bool copy_in(const struct cpu *cpu, uint64_t *entry, uint32_t store, size_t n, void *const *p)
{
	return look_at(cpu, entry, store, n, p);
}

static inline bool give_stack(struct cpu *cpu, struct cache *c, size_t n, void *const *p)
{
	struct slub_cpu *part = cpu->slub + c->store;
	enum bulk_form form;
	struct sheaf *other;
	struct stack st;
	size_t rest;

	if (TELLING || !stack_of(cpu, part, &st))
		return false;
	form = lab_store(cpu->lab, c->store)->bulk_form;
	if (form == BULK_FALLBACK || form == BULK_4_3)
		return false;
	rest = *st.fill + n > st.room ? *st.fill + n - st.room : 0;
	if (rest) {
		other = other_sheaf(cpu, part);
		if (*st.fill > st.room || !other || other->size + rest > st.room ||
		    !copy_in(cpu, other->object + other->size, c->store, rest, p + n - rest))
			return false;
	}
	if (!copy_in(cpu, st.entry + *st.fill, c->store, n - rest, p))
		return false;
	*st.fill += (uint32_t)(n - rest);
	if (rest) {
		other->size += (uint32_t)rest;
		turn_sheaves(cpu, part);
	}
	bump(part->free_fastpath, n);
	if (unlikely(part->name != c->id))
		slab_count_frees(cpu, part, c->id, n, n);
	count_bulk(cpu, c->store, EV_bulk_free_calls, EV_bulk_free_objs, n);
	return true;
}

/* ---- queues that are lists ---- */

/* In an op; false: nothing has changed. */
static inline bool take_chain(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	struct slub_cpu *part = cpu->slub + c->store;

	if (TELLING || part->route != ROUTE_LIST || own_list(cpu, part)->nr < n || lab_store(cpu->lab, c->store)->bulk_form == BULK_FALLBACK)
		return false;
	list_take_many(cpu, part, n, vec);
	to_pointers(cpu, n, vec);
	if (unlikely(part->name != c->id))
		slab_count_allocs(cpu, part, c->id, n, n);
	count_bulk(cpu, c->store, EV_bulk_alloc_calls, EV_bulk_alloc_objs, n);
	return true;
}

static inline bool give_chain(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	struct slub_cpu *part = cpu->slub + c->store;
	enum bulk_form form = lab_store(cpu->lab, c->store)->bulk_form;

	if (TELLING || part->route != ROUTE_LIST || form == BULK_FALLBACK || form == BULK_4_3 ||
	    own_list(cpu, part)->nr + n > part->room || !look_at(cpu, NULL, c->store, n, p))
		return false;
	to_offsets(cpu, n, (uint64_t *)p);
	list_put_many(cpu, part, n, (uint64_t *)p);
	if (unlikely(part->name != c->id))
		slab_count_frees(cpu, part, c->id, n, n);
	count_bulk(cpu, c->store, EV_bulk_free_calls, EV_bulk_free_objs, n);
	return true;
}

/* ---- SLUB's freelist ---- */

/* In an op; false: nothing has changed. */
static inline bool take_list(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	struct slub_cpu *part = cpu->slub + c->store;
	const struct store *s = lab_store(cpu->lab, c->store);
	uint8_t *const base = cpu->base;
	const uint32_t freeptr = part->freeptr;
	uint64_t object = part->freelist;

	if (TELLING || part->route != ROUTE_OWNER || s->bulk_form == BULK_FALLBACK || n > s->g.objs)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!object)
			return false;
		vec[i] = (uint64_t)base + object;
		object = *(uint64_t *)(base + object + freeptr);
	}
	part->freelist = object;
	if (s->era < ERA_6_8) {
		bump(cpu->cache_cpu[c->id].allocs, n);
	} else {
		bump(part->alloc_fastpath, n);
		slab_count_allocs(cpu, part, c->id, n, n);
	}
	count_bulk(cpu, c->store, EV_bulk_alloc_calls, EV_bulk_alloc_objs, n);
	if (COUNTING)
		bump(cpu->stat[c->store].ev[EV_bulk_cas_saved - EV_SLAB_FIRST], n);
	return true;
}

static inline bool is_of_slab(const struct cpu *cpu, uint64_t p, uint64_t key)
{
	uint64_t at = p - (uint64_t)cpu->arena;

	return at < cpu->arena_bytes && cpu->pages[at >> PAGE_SHIFT].key == key;
}

/*
 * The objects at the end of p[0..n) that are of one slab are linked, last one
 * first, as bulk.c does; *tail is the last one linked. Returns how many come
 * before them, or n where bulk.c has to look: more of that slab follow behind
 * one or two of another, or a NULL, which it leaves out.
 */
static inline size_t link_run(const struct cpu *cpu, uint64_t key, uint32_t freeptr, size_t n, const uint64_t *p, uint64_t *tail)
{
	const uint64_t base = (uint64_t)cpu->base;
	uint64_t last = p[n - 1];
	size_t left = n - 1;

	for (; left; left--) {
		uint64_t object = p[left - 1];

		if (!same_page(object, last) && !is_of_slab(cpu, object, key))
			break;
		*(uint64_t *)(last + freeptr) = object - base;
		last = object;
	}
	for (size_t i = 1; i <= BULK_LOOK_AHEAD && i <= left; i++)
		if (unlikely(!p[left - i]) || unlikely(is_of_slab(cpu, p[left - i], key)))
			return n;
	*tail = last;
	return left;
}

/* A run goes to the CPU's slab, or to another one of the store. */
static inline void give_run(struct cpu *cpu, struct cache *c, struct slub_cpu *part, const struct page *page, uint64_t head,
			    uint64_t tail, unsigned int cnt)
{
	struct store *s = cpu->stores + c->store;
	const bool own = page->key == part->key;

	if (COUNTING)
		bulk_count_run(cpu, s, cnt, own);
	if (own) {
		*(uint64_t *)(cpu->base + tail + part->freeptr) = part->freelist;
		part->freelist = head;
		bump(part->free_fastpath, slub_run_hits(s, cnt));
		slab_count_frees(cpu, part, c->id, cnt, slub_run_hits(s, cnt));
	} else {
		bump(cpu->cache_cpu[c->id].frees, cnt);
		slub_free_slow(cpu, s, cpu->pages + page->head, head, tail, cnt);
	}
}

/* In an op; run by run from the end. How many are left, for bulk.c. */
static inline size_t give_list(struct cpu *cpu, struct cache *c, size_t n, const uint64_t *p)
{
	struct slub_cpu *part = cpu->slub + c->store;
	const size_t all = n;

	if (TELLING || part->route != ROUTE_OWNER || cpu->stores[c->store].bulk_form < BULK_5_18)
		return n;
	while (n) {
		uint64_t at = p[n - 1] - (uint64_t)cpu->arena, tail;
		const struct page *page = cpu->pages + (at >> PAGE_SHIFT);
		size_t left;

		if (unlikely(at >= cpu->arena_bytes) || unlikely(page->store != c->store))
			break;
		left = link_run(cpu, page->key, part->freeptr, n, p, &tail);
		if (unlikely(left == n))
			break;
		if (n == all && COUNTING)
			bump(cpu->stat[c->store].ev[EV_bulk_free_calls - EV_SLAB_FIRST], 1);
		give_run(cpu, c, part, page, p[n - 1] - (uint64_t)cpu->base, tail - (uint64_t)cpu->base, (unsigned int)(n - left));
		n = left;
	}
	return n;
}

/* ---- the calls ---- */

size_t entry_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	if (likely(cpu_try_enter(cpu)) && likely(n) &&
	    (take_list(cpu, c, n, (uint64_t *)p) || take_stack(cpu, c, n, (uint64_t *)p) ||
	     take_chain(cpu, c, n, (uint64_t *)p))) {
		cpu_leave(cpu);
		return n;
	}
	cpu_leave(cpu);
	return entry_alloc_bulk_slow(cpu, c, n, p);
}

/* Some of the call's objects are given; the first n are not. */
static __attribute__((noinline)) void free_rest(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec)
{
	bulk_free_rest(cpu, c, to_offsets(cpu, n, vec), vec);
}

void entry_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	if (likely(cpu_try_enter(cpu)) && likely(c && n)) {
		size_t left = give_list(cpu, c, n, (uint64_t *)p);

		if (likely(left < n) || give_stack(cpu, c, n, p) || give_chain(cpu, c, n, p)) {
			if (unlikely(left && left < n))
				free_rest(cpu, c, left, (uint64_t *)p);
			cpu_leave(cpu);
			return;
		}
	}
	cpu_leave(cpu);
	entry_free_bulk_slow(cpu, c, n, p);
}
