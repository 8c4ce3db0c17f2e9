/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry - the C interface's calls: marks, fast path, pointers.
 *
 * Hot. A hit touches struct cpu, the cache's first line, the CPU's line of the
 * store, its count of the cache and the object; nothing else is called.
 */
#include "slab/bulk.h"

#include "base/bits.h"
#include "base/finding.h"
#include "base/gfp.h"
#include "page/alloc.h"
#include "slab/kmalloc.h"
#include "slab/slub_fast.h"

#define ZERO_SIZE ((void *)16)		/* what kmalloc(0) gives */

/* Whatever is not a hit goes on here, in the op that was begun. */
static __attribute__((noinline)) void *alloc_slow(struct cpu *cpu, struct cache *c)
{
	uint64_t object = slab_cache_alloc(cpu, c, GFP_KERNEL, -1);

	cpu_leave(cpu);
	return object ? cpu->base + object : NULL;
}

static __attribute__((noinline)) void *alloc_stopped(struct cpu *cpu, struct cache *c)
{
	cpu_enter_slow(cpu);
	return alloc_slow(cpu, c);
}

static void *cache_alloc(struct cpu *cpu, struct cache *c)
{
	uint64_t object;

	if (unlikely(!cpu_try_enter(cpu)))
		return alloc_stopped(cpu, c);
	if (TELLING)
		return alloc_slow(cpu, c);
	object = slub_alloc_fast(cpu, cpu->slub + c->store);
	if (unlikely(!object))
		return alloc_slow(cpu, c);
	cpu->cache_cpu[c->id].allocs++;
	cpu_leave(cpu);
	return cpu->base + object;
}

static __attribute__((noinline)) void free_slow(struct cpu *cpu, struct cache *c, uint64_t off)
{
	slab_free(cpu, c, off, 0);
	cpu_leave(cpu);
}

static __attribute__((noinline)) void free_stopped(struct cpu *cpu, struct cache *c, uint64_t off)
{
	cpu_enter_slow(cpu);
	free_slow(cpu, c, off);
}

static void cache_free(struct cpu *cpu, struct cache *c, void *p)
{
	uint64_t off = (uint64_t)((uint8_t *)p - cpu->base);
	const struct page *page;
	uint32_t store;

	if (unlikely(!p))
		return;
	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, c, off);
		return;
	}
	if (TELLING || unlikely(off - cpu->arena_off >= cpu->arena_bytes)) {
		free_slow(cpu, c, off);
		return;
	}
	/* the store by the cache, so that no address waits for the page's descriptor; that is only compared */
	store = c->store;
	__asm__("" : "+r"(store));
	page = cpu->pages + ((off - cpu->arena_off) >> PAGE_SHIFT);
	if (unlikely(page->store != store) ||
	    !slub_free_fast(cpu, cpu->slub + store, page->head, off)) {
		free_slow(cpu, c, off);
		return;
	}
	cpu->cache_cpu[c->id].frees++;
	cpu_leave(cpu);
}

static __attribute__((noinline)) void *kmalloc_odd(struct cpu *cpu, uint64_t bytes)
{
	uint64_t off;
	uint32_t cache;

	if (!bytes)
		return ZERO_SIZE;
	cpu_enter(cpu);
	off = slab_kmalloc(cpu, bytes, GFP_KERNEL, -1, &cache);
	cpu_leave(cpu);
	return off ? cpu->base + off : NULL;
}

static void *entry_kmalloc(struct cpu *cpu, uint64_t bytes)
{
	if (unlikely(bytes - 1 >= KMALLOC_MAX))
		return kmalloc_odd(cpu, bytes);
	return cache_alloc(cpu, cpu->kmalloc[kmalloc_class(bytes)]);
}

static void entry_kfree(struct cpu *cpu, void *p)
{
	uint64_t off = (uint64_t)((uint8_t *)p - cpu->base);
	const struct page *page;
	struct slub_cpu *c;

	if (unlikely((uintptr_t)p <= (uintptr_t)ZERO_SIZE))
		return;
	if (unlikely(!cpu_try_enter(cpu))) {
		free_stopped(cpu, NULL, off);
		return;
	}
	if (TELLING || unlikely(off - cpu->arena_off >= cpu->arena_bytes)) {
		free_slow(cpu, NULL, off);
		return;
	}
	page = cpu->pages + ((off - cpu->arena_off) >> PAGE_SHIFT);
	c = cpu->slub + page->store;
	if (!slub_free_fast(cpu, c, page->head, off)) {
		free_slow(cpu, NULL, off);
		return;
	}
	cpu->cache_cpu[c->name].frees++;
	cpu_leave(cpu);
}

/* Offsets and pointers share the caller's array: both are 64 bits. */
_Static_assert(sizeof(void *) == sizeof(uint64_t), "pointers are 64 bits");

static size_t entry_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t *vec = (uint64_t *)p;
	size_t got;

	cpu_enter(cpu);
	got = slab_alloc_bulk(cpu, c, GFP_KERNEL, n, vec);
	cpu_leave(cpu);
	for (size_t i = 0; i < got; i++)
		p[i] = cpu->base + vec[i];
	return got;
}

static void entry_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t *vec = (uint64_t *)p;
	size_t nr = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i])
			vec[nr++] = (uint64_t)((uint8_t *)p[i] - cpu->base);
	cpu_enter(cpu);
	slab_free_bulk(cpu, c, nr, vec);
	cpu_leave(cpu);
}

static void *entry_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	pfn_t pfn;

	cpu_enter(cpu);
	pfn = V(alloc_pages)(cpu, order, gfp, -1);
	cpu_leave(cpu);
	return pfn == PFN_NONE ? NULL : cpu->base + cpu->arena_off + ((uint64_t)pfn << PAGE_SHIFT);
}

static __attribute__((noinline)) void pages_bad_free(struct cpu *cpu, uint64_t off)
{
	emit_lab(cpu, EV_bad_free, off, 0, 0);
	cpu_leave(cpu);
}

static void entry_free_pages(struct cpu *cpu, void *p, unsigned int order)
{
	uint64_t off = (uint64_t)((uint8_t *)p - cpu->base);
	struct page *page;
	pfn_t pfn;

	if (unlikely(!p))
		return;
	cpu_enter(cpu);
	pfn = (pfn_t)((off - cpu->arena_off) >> PAGE_SHIFT);
	page = cpu->pages + pfn;
	if (unlikely(off - cpu->arena_off >= cpu->arena_bytes || off & (PAGE_SIZE - 1) ||
		     page->role != PAGE_ALLOCATED)) {
		pages_bad_free(cpu, off);
		return;
	}
	if (unlikely(page->order != order))	/* the block knows better than its holder */
		order = page->order;
	V(free_pages)(cpu, pfn, order);
	cpu_leave(cpu);
}

static size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	pfn_t pfns[64];
	size_t got = 0;

	while (got < n) {
		unsigned int want = n - got < 64 ? (unsigned int)(n - got) : 64, more;

		cpu_enter(cpu);
		more = V(alloc_pages_bulk)(cpu, GFP_KERNEL, want, pfns);
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
const struct entry_ops entry = {
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

#define front V(front)
const struct slab_ops front = {
	.cache_alloc = slab_cache_alloc,
	.free = slab_free,
	.cache_alloc_bulk = slab_alloc_bulk,
	.free_bulk = slab_free_bulk,
	.kmalloc = slab_kmalloc,
};
