/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry - the C interface's calls: marks, fast path, pointers.
 *
 * Hot. A hit touches struct cpu, the cache's first line, the CPU's line of the
 * store, its count of the cache and the object; nothing else is called.
 */
#include "slab/bulk.h"

#include <errno.h>

#include "base/bits.h"
#include "base/finding.h"
#include "base/gfp.h"
#include "cpu/latency.h"
#include "page/alloc.h"
#include "page/quick.h"
#include "slab/debug.h"
#include "slab/kmalloc.h"
#include "slab/slub_fast.h"

/* Only inside an op: a stop may give the cache another store. */
static inline struct slub_cpu *part_of(struct cpu *cpu, const struct cache *c)
{
	return (struct slub_cpu *)((uint8_t *)cpu->slub + c->part);
}

/* A call is told like an op; it has no number of its own, so it stands behind the op before it. */
static inline void call_begin(struct cpu *cpu, enum told_kind kind, uint32_t cache, uint64_t n, uint64_t off)
{
	const struct story_op what = { .op = cpu->lab->hdr->ops, .kind = (uint8_t)kind, .cache = cache, .n = n,
				       .off = off, .gfp = GFP_KERNEL, .node = -1, .is_call = true };

	story_begin(cpu, &what);
}

/*
 * Whatever is not a hit goes on here, in the op that was begun. bytes: what
 * kmalloc was asked for, to be noted in a debugged object; 0: all of it.
 */
static __attribute__((noinline)) void *alloc_slow(struct cpu *cpu, struct cache *c, uint64_t bytes)
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

static __attribute__((noinline)) void *alloc_stopped(struct cpu *cpu, struct cache *c)
{
	cpu_enter_slow(cpu);
	return alloc_slow(cpu, c, 0);
}

static void *cache_alloc(struct cpu *cpu, struct cache *c)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(!cpu_try_enter(cpu)))
		return alloc_stopped(cpu, c);
	if (TELLING)
		return alloc_slow(cpu, c, 0);
	part = part_of(cpu, c);
	object = slub_alloc_fast(cpu, part);
	if (unlikely(!object))
		return alloc_slow(cpu, c, 0);
	slub_alloc_by(cpu, part, c->id);
	cpu_leave(cpu);
	return cpu->base + object;
}

static __attribute__((noinline)) void free_slow(struct cpu *cpu, struct cache *c, uint64_t off)
{
	if (TELLING)
		call_begin(cpu, c ? TOLD_CACHE_FREE : TOLD_KFREE, c ? c->id : 0, 1, off);
	slab_free(cpu, c, off, 0);
	cpu_leave(cpu);
}

/* NULL and what kmalloc(0) gave lie outside the arena like any other address that is no object. */
static __attribute__((noinline)) void free_odd(struct cpu *cpu, struct cache *c, void *p)
{
	if ((uintptr_t)p > ZERO_SIZE)
		free_slow(cpu, c, (uint64_t)((uint8_t *)p - cpu->base));
	else
		cpu_leave(cpu);
}

static __attribute__((noinline)) void free_stopped(struct cpu *cpu, struct cache *c, void *p)
{
	cpu_enter_slow(cpu);
	free_odd(cpu, c, p);
}

/* An object of a store that the CPU knows, but not of its slab there. `name` took it. */
static __attribute__((noinline)) void free_elsewhere(struct cpu *cpu, const struct slub_cpu *c, uint32_t name,
						     pfn_t head, uint64_t off)
{
	struct page *slab = cpu->pages + head;
	struct store *s;

	bump(cpu->cache_cpu[name].frees, 1);
	if (!slub_free_frozen(cpu, c, slab, off)) {
		s = lab_store(cpu->lab, c->number);
		store_ops[s->engine][THIS_VARIANT]->free_elsewhere(cpu, s, slab, off, off, 1);
		slab_free_refused(cpu, name);
	}
	cpu_leave(cpu);
}

static void cache_free(struct cpu *cpu, struct cache *c, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena), off = (uint64_t)((uint8_t *)p - cpu->base);
	struct slub_cpu *part;
	const struct page *page;

	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, c, p);
		return;
	}
	if (TELLING || unlikely(at >= cpu->arena_bytes)) {
		free_odd(cpu, c, p);
		return;
	}
	/* the part by the cache, so that no address waits for the page's descriptor; that is only compared */
	part = part_of(cpu, c);
	page = cpu->pages + (at >> PAGE_SHIFT);
	if (unlikely(page->key != part->key)) {
		if (page->store == part->number)
			free_elsewhere(cpu, part, c->id, page->head, off);
		else
			free_slow(cpu, c, off);
		return;
	}
	slub_push(cpu, part, off);
	slub_free_by(cpu, part, c->id);
	cpu_leave(cpu);
}

/* No class of the lab's: whole pages, in the op that was begun. */
static __attribute__((noinline)) void *kmalloc_pages(struct cpu *cpu, uint64_t bytes)
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

static __attribute__((noinline)) void *kmalloc_odd(struct cpu *cpu, uint64_t bytes)
{
	if (!bytes)
		return (void *)ZERO_SIZE;
	cpu_enter(cpu);
	return kmalloc_pages(cpu, bytes);
}

/* Part 0 stands where the lab has no class. */
static __attribute__((noinline)) void *kmalloc_slow(struct cpu *cpu, uint64_t bytes)
{
	const struct slub_cpu *part = cpu->kmalloc[kmalloc_class(bytes)];

	return part == cpu->slub ? kmalloc_pages(cpu, bytes) : alloc_slow(cpu, lab_cache(cpu->lab, part->name), bytes);
}

static __attribute__((noinline)) void *kmalloc_stopped(struct cpu *cpu, uint64_t bytes)
{
	cpu_enter_slow(cpu);
	return kmalloc_slow(cpu, bytes);
}

/* A kmalloc cache never shares its store, so the hit is its own. */
static void *entry_kmalloc(struct cpu *cpu, uint64_t bytes)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(bytes - 1 >= KMALLOC_MOST))
		return kmalloc_odd(cpu, bytes);
	if (unlikely(!cpu_try_enter(cpu)))
		return kmalloc_stopped(cpu, bytes);
	if (TELLING)
		return kmalloc_slow(cpu, bytes);
	cpu->guess = part = cpu->kmalloc[kmalloc_class(bytes)];
	object = slub_alloc_fast(cpu, part);
	if (unlikely(!object))
		return kmalloc_slow(cpu, bytes);
	cpu_leave(cpu);
	return cpu->base + object;
}

/*
 * What was taken last is often given back first: with the right guess no
 * address waits for the page's descriptor. A branch, not a conditional move.
 */
static void entry_kfree(struct cpu *cpu, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena), off = (uint64_t)((uint8_t *)p - cpu->base);
	struct slub_cpu *c = cpu->guess;
	const struct page *page;

	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, NULL, p);
		return;
	}
	if (TELLING || unlikely(at >= cpu->arena_bytes)) {
		free_odd(cpu, NULL, p);
		return;
	}
	page = cpu->pages + (at >> PAGE_SHIFT);
	if (c->key != page->key) {
		c = cpu->slub + page->store;
		__asm__ volatile("" : "+r"(c));
		if (c->key != page->key) {
			if (c->number == page->store)	/* else no slab's, or queues lie before them */
				free_elsewhere(cpu, c, c->name, page->head, off);
			else
				free_slow(cpu, NULL, off);
			return;
		}
	}
	slub_push(cpu, c, off);
	cpu_leave(cpu);
}

/* Offsets and pointers share the caller's array: both are 64 bits. */
_Static_assert(sizeof(void *) == sizeof(uint64_t), "pointers are 64 bits");

static size_t entry_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
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
	for (size_t i = 0; i < got; i++)
		p[i] = cpu->base + vec[i];
	return got;
}

static void entry_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t *vec = (uint64_t *)p;
	size_t nr = n;
	bool gaps = false;

	for (size_t i = 0; i < n; i++)
		gaps |= !p[i];
	if (unlikely(gaps)) {
		nr = 0;
		for (size_t i = 0; i < n; i++)
			if (p[i])
				p[nr++] = p[i];
	}
	for (size_t i = 0; i < nr; i++)
		vec[i] = (uint64_t)((uint8_t *)p[i] - cpu->base);
	cpu_enter(cpu);
	if (TELLING)
		call_begin(cpu, TOLD_CACHE_FREE_BULK, c ? c->id : 0, nr, 0);
	slab_free_bulk(cpu, c, nr, vec);
	cpu_leave(cpu);
}

static void *pages_at(struct cpu *cpu, pfn_t pfn)
{
	return pfn == PFN_NONE ? NULL : cpu->arena + ((uint64_t)pfn << PAGE_SHIFT);
}

static __attribute__((noinline)) void *alloc_pages_slow(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	pfn_t pfn;

	if (TELLING) {
		call_begin(cpu, TOLD_ALLOC_PAGES, 0, 1, 0);
		story_now(cpu)->order = (uint8_t)order;
		story_now(cpu)->gfp = gfp;
	}
	pfn = V(alloc_pages)(cpu, order, gfp, -1);
	if (TELLING)
		story_end(cpu, pfn == PFN_NONE ? -ENOMEM : 0, pfn == PFN_NONE ? 0 : pfn_off(cpu->lab, pfn), 0, 0);
	cpu_leave(cpu);
	return pages_at(cpu, pfn);
}

static __attribute__((noinline)) void *alloc_pages_stopped(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	cpu_enter_slow(cpu);
	return alloc_pages_slow(cpu, order, gfp);
}

static void *entry_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	pfn_t pfn;

	if (unlikely(!cpu_try_enter(cpu)))
		return alloc_pages_stopped(cpu, order, gfp);
	if (TELLING || order || (pfn = page_alloc_quick(cpu, gfp)) == PFN_NONE)
		return alloc_pages_slow(cpu, order, gfp);
	cpu_leave(cpu);
	return cpu->arena + ((uint64_t)pfn << PAGE_SHIFT);
}

/* Not a single page that goes to the CPU's list: find out what it is. The block knows its order better than its holder. */
static __attribute__((noinline)) void free_pages_slow(struct cpu *cpu, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena);
	const struct page *page = cpu->pages + (at >> PAGE_SHIFT);

	if (TELLING) {
		call_begin(cpu, TOLD_FREE_PAGES, 0, 1, (uint64_t)((uint8_t *)p - cpu->base));
		story_now(cpu)->order = at < cpu->arena_bytes ? page->order : 0;
	}
	if (at >= cpu->arena_bytes || at & (PAGE_SIZE - 1) || page->role != PAGE_ALLOCATED)
		emit_lab(cpu, EV_bad_free, (uint64_t)((uint8_t *)p - cpu->base), 0, 0);
	else
		V(free_pages)(cpu, (pfn_t)(at >> PAGE_SHIFT), page->order);
	cpu_leave(cpu);
}

static __attribute__((noinline)) void free_pages_stopped(struct cpu *cpu, void *p)
{
	cpu_enter_slow(cpu);
	free_pages_slow(cpu, p);
}

static void entry_free_pages(struct cpu *cpu, void *p, unsigned int order)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena);

	if (unlikely(!p))
		return;
	if (unlikely(!cpu_try_enter(cpu))) {
		free_pages_stopped(cpu, p);
		return;
	}
	if (TELLING || order || at >= cpu->arena_bytes || at & (PAGE_SIZE - 1) ||
	    (page_get_kind(&cpu->pages[at >> PAGE_SHIFT]) & 0xffff) != page_kind(PAGE_ALLOCATED, 0, 0) ||
	    !page_free_quick(cpu, (pfn_t)(at >> PAGE_SHIFT))) {
		free_pages_slow(cpu, p);
		return;
	}
	cpu_leave(cpu);
}

static size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	pfn_t pfns[64];
	size_t got = 0;

	while (got < n) {
		unsigned int want = n - got < 64 ? (unsigned int)(n - got) : 64, more;

		cpu_enter(cpu);
		if (TELLING)
			call_begin(cpu, TOLD_ALLOC_PAGES_BULK, 0, want, 0);
		more = V(alloc_pages_bulk)(cpu, GFP_KERNEL, -1, want, pfns);
		if (TELLING)
			story_end(cpu, more ? 0 : -ENOMEM, 0, more, 0);
		cpu_leave(cpu);
		for (unsigned int i = 0; i < more; i++)
			p[got + i] = cpu->base + pfn_off(cpu->lab, pfns[i]);
		got += more;
		if (more < want)
			break;
	}
	return got;
}

#define entry V(entry)
const struct cpu_calls entry = {
	.kmalloc = entry_kmalloc,
	.kfree = entry_kfree,
	.cache_alloc = cache_alloc,
	.cache_free = cache_free,
	.cache_alloc_bulk = entry_alloc_bulk,
	.cache_free_bulk = entry_free_bulk,
	.alloc_pages = entry_alloc_pages,
	.free_pages = entry_free_pages,
	.alloc_pages_bulk = entry_alloc_pages_bulk,
};

/*
 * The same calls in a lab where some store changes its freelists by exchange
 * (slub.fastpath=cmpxchg) or codes their links (slub.freelist_hardened): one
 * question more in each.
 */
static void *choosing_cache_alloc(struct cpu *cpu, struct cache *c)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(!cpu_try_enter(cpu)))
		return alloc_stopped(cpu, c);
	if (TELLING)
		return alloc_slow(cpu, c, 0);
	part = part_of(cpu, c);
	object = part->ways ? slub_alloc_ways(cpu, part) : slub_alloc_fast(cpu, part);
	if (unlikely(!object))
		return alloc_slow(cpu, c, 0);
	slub_alloc_by(cpu, part, c->id);
	cpu_leave(cpu);
	return cpu->base + object;
}

static void *choosing_kmalloc(struct cpu *cpu, uint64_t bytes)
{
	struct slub_cpu *part;
	uint64_t object;

	if (unlikely(bytes - 1 >= KMALLOC_MOST))
		return kmalloc_odd(cpu, bytes);
	if (unlikely(!cpu_try_enter(cpu)))
		return kmalloc_stopped(cpu, bytes);
	if (TELLING)
		return kmalloc_slow(cpu, bytes);
	part = cpu->kmalloc[kmalloc_class(bytes)];
	object = part->ways ? slub_alloc_ways(cpu, part) : slub_alloc_fast(cpu, part);
	if (unlikely(!object))
		return kmalloc_slow(cpu, bytes);
	cpu_leave(cpu);
	return cpu->base + object;
}

/* `c` NULL: kfree, which counts for the store's first name. */
static void choosing_free(struct cpu *cpu, struct cache *c, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena), off = (uint64_t)((uint8_t *)p - cpu->base);
	const struct page *page;
	struct slub_cpu *part;

	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, c, p);
		return;
	}
	if (TELLING || unlikely(at >= cpu->arena_bytes)) {
		free_odd(cpu, c, p);
		return;
	}
	page = cpu->pages + (at >> PAGE_SHIFT);
	part = c ? part_of(cpu, c) : cpu->slub + page->store;
	if (part->ways ? !slub_free_ways(cpu, part, page, off) : !slub_free_fast(cpu, part, page, off)) {
		free_slow(cpu, c, off);
		return;
	}
	if (c)
		slub_free_by(cpu, part, c->id);
	cpu_leave(cpu);
}

static void choosing_kfree(struct cpu *cpu, void *p)
{
	choosing_free(cpu, NULL, p);
}

#define choosing V(choosing)
const struct cpu_calls choosing = {
	.kmalloc = choosing_kmalloc,
	.kfree = choosing_kfree,
	.cache_alloc = choosing_cache_alloc,
	.cache_free = choosing_free,
	.cache_alloc_bulk = entry_alloc_bulk,
	.cache_free_bulk = entry_free_bulk,
	.alloc_pages = entry_alloc_pages,
	.free_pages = entry_free_pages,
	.alloc_pages_bulk = entry_alloc_pages_bulk,
};

/*
 * The same calls where something has to look at each request (fault injection,
 * latency): no short way past slab_cache_alloc(). One table or the other is in
 * a CPU, so that the usual calls ask nothing.
 */
static inline uint64_t timed_from(const struct cpu *cpu)
{
	return cpu->latency ? latency_clock() : 0;
}

static inline void timed(struct cpu *cpu, enum latency_op op, uint64_t from)
{
	if (from && cpu->latency)
		latency_add(cpu, op, from);
}

static void *careful_kmalloc(struct cpu *cpu, uint64_t bytes)
{
	uint64_t from = timed_from(cpu);
	void *p;

	if (bytes - 1 >= KMALLOC_MOST) {
		p = kmalloc_odd(cpu, bytes);
	} else {
		cpu_enter(cpu);
		p = kmalloc_slow(cpu, bytes);
	}
	timed(cpu, LATENCY_ALLOC, from);
	return p;
}

static void careful_kfree(struct cpu *cpu, void *p)
{
	uint64_t from = timed_from(cpu);

	cpu_enter(cpu);
	free_odd(cpu, NULL, p);
	timed(cpu, LATENCY_FREE, from);
}

static void *careful_cache_alloc(struct cpu *cpu, struct cache *c)
{
	uint64_t from = timed_from(cpu);
	void *p;

	cpu_enter(cpu);
	p = alloc_slow(cpu, c, 0);
	timed(cpu, LATENCY_ALLOC, from);
	return p;
}

static void careful_cache_free(struct cpu *cpu, struct cache *c, void *p)
{
	uint64_t from = timed_from(cpu);

	cpu_enter(cpu);
	free_odd(cpu, c, p);
	timed(cpu, LATENCY_FREE, from);
}

static size_t careful_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);
	size_t got = entry_alloc_bulk(cpu, c, n, p);

	timed(cpu, LATENCY_BULK_ALLOC, from);
	return got;
}

static void careful_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);

	entry_free_bulk(cpu, c, n, p);
	timed(cpu, LATENCY_BULK_FREE, from);
}

static void *careful_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	uint64_t from = timed_from(cpu);
	void *p = entry_alloc_pages(cpu, order, gfp);

	timed(cpu, LATENCY_PAGE_ALLOC, from);
	return p;
}

static void careful_free_pages(struct cpu *cpu, void *p, unsigned int order)
{
	uint64_t from = timed_from(cpu);

	entry_free_pages(cpu, p, order);
	timed(cpu, LATENCY_PAGE_FREE, from);
}

#define careful V(careful)
const struct cpu_calls careful = {
	.kmalloc = careful_kmalloc,
	.kfree = careful_kfree,
	.cache_alloc = careful_cache_alloc,
	.cache_free = careful_cache_free,
	.cache_alloc_bulk = careful_alloc_bulk,
	.cache_free_bulk = careful_free_bulk,
	.alloc_pages = careful_alloc_pages,
	.free_pages = careful_free_pages,
	.alloc_pages_bulk = entry_alloc_pages_bulk,
};

#define front V(front)
const struct slab_ops front = {
	.cache_alloc = slab_cache_alloc,
	.free = slab_free,
	.cache_alloc_bulk = slab_alloc_bulk,
	.free_bulk = slab_free_bulk,
	.kmalloc = slab_kmalloc,
};
