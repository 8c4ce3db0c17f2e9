/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls for objects. (Idea: entry.h)
 *
 * Hot. A hit touches struct cpu, the cache's first line, the CPU's part of the
 * store, its queue if it has one, and the object; nothing else is called.
 */
#include "slab/entry.h"

#include <errno.h>

#include "slab/bulk.h"
#include "slab/cached.h"
#include "slab/debug.h"
#include "slab/deferred.h"
#include "slab/kmalloc.h"
#include "slab/prefill.h"
#include "slab/queue_fast.h"
#include "slab/slub.h"
#include "slab/slub_fast.h"

#define hot static inline __attribute__((always_inline))
#define cold static __attribute__((noinline))

/* Only inside an op: a stop may give the cache another store. */
hot struct slub_cpu *part_of(struct cpu *cpu, const struct cache *c)
{
	return (struct slub_cpu *)((uint8_t *)cpu->slub + c->part);
}

/* ---- what is no hit ---- */

void *entry_alloc_slow(struct cpu *cpu, struct cache *c, uint64_t bytes)
{
	struct store *s;
	uint64_t object;

	if (TELLING)
		call_begin(cpu, c->kmalloc ? TOLD_KMALLOC : TOLD_CACHE_ALLOC, c->id, 0, 0);
	object = slab_cache_alloc(cpu, c, GFP_KERNEL, -1);
	s = lab_store(cpu->lab, c->store);
	if (unlikely(bytes && object && s->debug))
		debug_set_size(cpu->lab, s, object, bytes);
	if (TELLING)
		story_end(cpu, object ? 0 : -ENOMEM, object, 0, 0);
	cpu_leave(cpu);
	return object ? cpu->base + object : NULL;
}

cold void *alloc_stopped(struct cpu *cpu, struct cache *c)
{
	cpu_enter_slow(cpu);
	return entry_alloc_slow(cpu, c, 0);
}

/* No class of the lab's: whole pages, in the op that was begun. */
cold void *kmalloc_pages(struct cpu *cpu, uint64_t bytes)
{
	uint64_t off;
	uint32_t cache;

	if (TELLING)
		call_begin(cpu, TOLD_KMALLOC, 0, bytes, 0);
	off = slab_kmalloc(cpu, bytes, GFP_KERNEL, -1, &cache);
	if (TELLING)
		story_end(cpu, off ? 0 : -ENOMEM, off, 0, cache);
	cpu_leave(cpu);
	return off ? cpu->base + off : NULL;
}

cold void *kmalloc_odd(struct cpu *cpu, uint64_t bytes)
{
	if (!bytes)
		return (void *)ZERO_SIZE;
	cpu_enter(cpu);
	return kmalloc_pages(cpu, bytes);
}

/* In an op that was begun. Part 0 stands where the lab has no class. */
static void *kmalloc_miss(struct cpu *cpu, uint64_t bytes)
{
	const struct slub_cpu *part = cpu->kmalloc[kmalloc_class(bytes)];

	return part == cpu->slub ? kmalloc_pages(cpu, bytes) : entry_alloc_slow(cpu, lab_cache(cpu->lab, part->name), bytes);
}

cold void *kmalloc_stopped(struct cpu *cpu, uint64_t bytes)
{
	cpu_enter_slow(cpu);
	return kmalloc_miss(cpu, bytes);
}

void *entry_kmalloc_slow(struct cpu *cpu, uint64_t bytes)
{
	if (bytes - 1 >= KMALLOC_MOST)
		return kmalloc_odd(cpu, bytes);
	cpu_enter(cpu);
	return kmalloc_miss(cpu, bytes);
}

cold void free_slow(struct cpu *cpu, struct cache *c, uint64_t off)
{
	if (TELLING)
		call_begin(cpu, c ? TOLD_CACHE_FREE : TOLD_KFREE, c ? c->id : 0, 1, off);
	slab_free(cpu, c, off, 0);
	cpu_leave(cpu);
}

void entry_free_odd(struct cpu *cpu, struct cache *c, void *p)
{
	if ((uintptr_t)p > ZERO_SIZE)
		free_slow(cpu, c, (uint64_t)((uint8_t *)p - cpu->base));
	else
		cpu_leave(cpu);
}

cold void free_stopped(struct cpu *cpu, struct cache *c, void *p)
{
	cpu_enter_slow(cpu);
	entry_free_odd(cpu, c, p);
}

/* ---- one object, by the route that is asked for first, and by any ---- */

hot uint64_t take_first(struct cpu *cpu, struct slub_cpu *part, enum route first)
{
	if (first == ROUTE_OWNER)		/* where anything else stands the freelist is empty */
		return slub_alloc_fast(cpu, part);
	if (unlikely(part->route != first))
		return 0;
	return first == ROUTE_WAYS ? slub_alloc_ways(cpu, part) : queue_take(cpu, part, first);
}

cold uint64_t take(struct cpu *cpu, struct slub_cpu *part)
{
	switch (part->route) {
	case ROUTE_OWNER:
		return slub_alloc_fast(cpu, part);
	case ROUTE_WAYS:
		return slub_alloc_ways(cpu, part);
	case ROUTE_SHEAF:
		return main_sheaf(cpu, part)->size || turn_to_take(cpu, part) ? sheaf_take(cpu, part) : 0;
	default:
		return queue_take(cpu, part, part->route);
	}
}

/* part: the CPU's of `store`, which need not be the page's. */
hot bool give_first(struct cpu *cpu, struct slub_cpu *part, uint32_t store, const struct page *page, uint64_t off,
		    enum route first)
{
	if (first == ROUTE_OWNER)		/* where anything else stands the key is no page's */
		return slub_free_fast(cpu, part, page, off);
	if (unlikely(part->route != first))
		return false;
	if (first == ROUTE_WAYS)
		return slub_free_ways(cpu, part, page, off);
	return likely(page->store == store) && queue_put(cpu, part, page, off, first);
}

/* part: the CPU's of the page's store. */
hot bool give(struct cpu *cpu, struct slub_cpu *part, const struct page *page, uint64_t off)
{
	switch (part->route) {
	case ROUTE_OWNER:
		return slub_free_fast(cpu, part, page, off);
	case ROUTE_WAYS:
		return slub_free_ways(cpu, part, page, off);
	case ROUTE_SHEAF:
		return page->node == cpu->node && (main_sheaf(cpu, part)->size < part->room || turn_to_put(cpu, part)) &&
		       sheaf_put(cpu, part, off);
	default:
		return queue_put(cpu, part, page, off, part->route);
	}
}

/* An object of SLUB, of a slab that is not this CPU's. `name` took it. */
static void give_elsewhere(struct cpu *cpu, uint32_t name, const struct page *page, uint64_t off)
{
	struct store *s = cpu->stores + page->store;

	bump(cpu->cache_cpu[name].frees, 1);
	store_ops[s->ops][THIS_VARIANT]->free_elsewhere(cpu, s, cpu->pages + page->head, off, off, 1);
	slab_free_refused(cpu, name);
}

/* ---- the calls ---- */

/* Is SLUB's slow path next, and nothing else to be looked at before it? */
hot bool comes_from_slabs(const struct cpu *cpu, const struct slub_cpu *part)
{
	return likely(part->route == ROUTE_OWNER) && !part->freelist && is_plain_part(cpu, part);
}

/* The same of a free, to a slab of the part's store that is not the CPU's. */
hot bool goes_elsewhere(const struct cpu *cpu, const struct slub_cpu *part, const struct page *page, enum route first)
{
	return first == ROUTE_OWNER && is_plain_part(cpu, part) && likely(page->store == part->number);
}

cold void *alloc_other(struct cpu *cpu, struct cache *c, struct slub_cpu *part)
{
	uint64_t object;

	if (comes_from_slabs(cpu, part))
		return slub_alloc_plain(cpu, part, c->id);
	object = take(cpu, part);
	if (!object)
		return entry_alloc_slow(cpu, c, 0);
	slub_alloc_by(cpu, part, c->id);
	cpu_leave(cpu);
	return cpu->base + object;
}

hot void *alloc_by(struct cpu *cpu, struct cache *c, enum route first)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(!cpu_try_enter(cpu)))
		return alloc_stopped(cpu, c);
	if (TELLING)
		return entry_alloc_slow(cpu, c, 0);
	part = part_of(cpu, c);
	object = take_first(cpu, part, first);
	if (unlikely(!object))
		return alloc_other(cpu, c, part);
	slub_alloc_by(cpu, part, c->id);
	cpu_leave(cpu);
	return cpu->base + object;
}

cold void *kmalloc_other(struct cpu *cpu, uint64_t bytes, struct slub_cpu *part)
{
	uint64_t object;

	if (comes_from_slabs(cpu, part))
		return slub_alloc_plain(cpu, part, part->name);
	object = take(cpu, part);
	if (!object)
		return kmalloc_miss(cpu, bytes);
	cpu_leave(cpu);
	return cpu->base + object;
}

/* A kmalloc cache never shares its store, so the hit is its own. */
hot void *kmalloc_by(struct cpu *cpu, uint64_t bytes, enum route first)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(bytes - 1 >= KMALLOC_MOST))
		return kmalloc_odd(cpu, bytes);
	if (unlikely(!cpu_try_enter(cpu)))
		return kmalloc_stopped(cpu, bytes);
	if (TELLING)
		return kmalloc_miss(cpu, bytes);
	part = cpu->kmalloc[kmalloc_class(bytes)];
	cpu->guess = part;
	object = take_first(cpu, part, first);
	if (unlikely(!object))
		return kmalloc_other(cpu, bytes, part);
	cpu_leave(cpu);
	return cpu->base + object;
}

/* part: of the cache's store, c NULL: of the page's. */
cold void free_other(struct cpu *cpu, struct cache *c, struct slub_cpu *part, const struct page *page, uint64_t off)
{
	uint32_t name = c ? c->id : part->name;

	if (c && page->store != c->store) {
		free_slow(cpu, c, off);
	} else if (give(cpu, part, page, off)) {
		slub_free_by(cpu, part, name);
		cpu_leave(cpu);
	} else if (part->route == ROUTE_OWNER) {
		give_elsewhere(cpu, name, page, off);
		cpu_leave(cpu);
	} else {
		free_slow(cpu, c, off);
	}
}

/* The part is the cache's, so that no address waits for the page's descriptor; that is only compared. */
hot void free_by(struct cpu *cpu, struct cache *c, void *p, enum route first)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena), off = (uint64_t)((uint8_t *)p - cpu->base);
	struct slub_cpu *part;
	const struct page *page;

	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, c, p);
		return;
	}
	if (TELLING || unlikely(at >= cpu->arena_bytes)) {
		entry_free_odd(cpu, c, p);
		return;
	}
	part = part_of(cpu, c);
	page = cpu->pages + (at >> PAGE_SHIFT);
	if (likely(give_first(cpu, part, c->store, page, off, first))) {
		slub_free_by(cpu, part, c->id);
		cpu_leave(cpu);
	} else if (goes_elsewhere(cpu, part, page, first)) {
		slub_free_plain(cpu, c->id, part, page->head, off);
	} else {
		free_other(cpu, c, part, page, off);
	}
}

/*
 * What was taken last is often given back first: with the right guess no
 * address waits for the page's descriptor. A branch, not a conditional move.
 * Of queues the store is asked for; a part of another route may seem to be right.
 */
hot struct slub_cpu *part_of_page(struct cpu *cpu, const struct page *page, enum route first)
{
	struct slub_cpu *c = cpu->guess;

	if (first == ROUTE_OWNER ? likely(c->key == page->key) : likely(c->store == page->store))
		return c;
	c = cpu->slub + page->store;
	__asm__ volatile("" : "+r"(c));
	return c;
}

hot void kfree_by(struct cpu *cpu, void *p, enum route first)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena), off = (uint64_t)((uint8_t *)p - cpu->base);
	struct slub_cpu *part;
	const struct page *page;

	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, NULL, p);
		return;
	}
	if (TELLING || unlikely(at >= cpu->arena_bytes)) {
		entry_free_odd(cpu, NULL, p);
		return;
	}
	page = cpu->pages + (at >> PAGE_SHIFT);
	part = part_of_page(cpu, page, first);
	if (likely(give_first(cpu, part, page->store, page, off, first)))
		cpu_leave(cpu);
	else if (goes_elsewhere(cpu, part, page, first))
		slub_free_plain(cpu, part->name, part, page->head, off);
	else
		free_other(cpu, NULL, cpu->slub + page->store, page, off);
}

/* ---- tables ---- */

#define ROUTES(X) X(ROUTE_OWNER, owner) X(ROUTE_WAYS, ways) X(ROUTE_ARRAY, array) X(ROUTE_SHEAF, sheaf) X(ROUTE_LIST, list)

#define CALLS(route, name) \
	static void *name##_kmalloc(struct cpu *cpu, uint64_t bytes) { return kmalloc_by(cpu, bytes, route); } \
	static void name##_kfree(struct cpu *cpu, void *p) { kfree_by(cpu, p, route); } \
	static void *name##_alloc(struct cpu *cpu, struct cache *c) { return alloc_by(cpu, c, route); } \
	static void name##_free(struct cpu *cpu, struct cache *c, void *p) { free_by(cpu, c, p, route); }
ROUTES(CALLS)

#define ROW(route, name) [route] = { \
	.kmalloc = name##_kmalloc, .kfree = name##_kfree, .cache_alloc = name##_alloc, .cache_free = name##_free, \
	.cache_alloc_bulk = entry_alloc_bulk, .cache_free_bulk = entry_free_bulk, \
	.alloc_pages = entry_alloc_pages, .free_pages = entry_free_pages, .alloc_pages_bulk = entry_alloc_pages_bulk, .free_pages_bulk = entry_free_pages_bulk },

#define entry V(entry)
const struct cpu_calls entry[ROUTE_NR] = { ROUTES(ROW) };

#define front V(front)
const struct slab_ops front = {
	.cache_alloc = slab_cache_alloc,
	.free = slab_free,
	.cache_alloc_bulk = slab_alloc_bulk,
	.free_bulk = slab_free_bulk,
	.kmalloc = slab_kmalloc,
	.touch = V(cached_touch),
	.drop = V(cached_drop),
	.free_rcu = slab_free_rcu,
	.rcu_all = slab_rcu_all,
	.sheaf_prefill = slab_sheaf_prefill,
	.sheaf_alloc = slab_sheaf_alloc,
	.sheaf_refill = slab_sheaf_refill,
	.sheaf_return = slab_sheaf_return,
};
