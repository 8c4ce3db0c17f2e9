/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls for pages: a hit of the CPU's own list inline
 * (page/quick.h), anything else by the page layer's ordinary way.
 */
#include "slab/entry.h"

#include <errno.h>

#include "base/gfp.h"
#include "page/alloc.h"
#include "page/quick.h"

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

void *entry_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
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

void entry_free_pages(struct cpu *cpu, void *p, unsigned int order)
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

size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
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
