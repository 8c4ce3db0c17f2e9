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

/* A page that was handed out alone? at: bytes from the arena's begin. */
static inline bool is_single(const struct cpu *cpu, uint64_t at)
{
	return at < cpu->arena_bytes && !(at & (PAGE_SIZE - 1)) &&
	       (page_get_kind(&cpu->pages[at >> PAGE_SHIFT]) & 0xffff) == page_kind(PAGE_ALLOCATED, 0, 0);
}

/* Find out what it is. The block knows its order better than its holder. */
static void give_odd(struct cpu *cpu, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena);
	const struct page *page = cpu->pages + (at >> PAGE_SHIFT);

	if (at >= cpu->arena_bytes || at & (PAGE_SIZE - 1) || page->role != PAGE_ALLOCATED)
		emit_lab(cpu, EV_bad_free, (uint64_t)((uint8_t *)p - cpu->base), 0, 0);
	else
		V(free_pages)(cpu, (pfn_t)(at >> PAGE_SHIFT), page->order);
}

/* Not a single page that goes to the CPU's list. */
static __attribute__((noinline)) void free_pages_slow(struct cpu *cpu, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena);

	if (TELLING) {
		call_begin(cpu, TOLD_FREE_PAGES, 0, 1, (uint64_t)((uint8_t *)p - cpu->base));
		story_now(cpu)->order = at < cpu->arena_bytes ? cpu->pages[at >> PAGE_SHIFT].order : 0;
	}
	give_odd(cpu, p);
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
	if (TELLING || order || !is_single(cpu, at) || !page_free_quick(cpu, (pfn_t)(at >> PAGE_SHIFT))) {
		free_pages_slow(cpu, p);
		return;
	}
	cpu_leave(cpu);
}

#define BULK_PAGES 64u		/* of one op */

/* n pages that wait on the list of the usual zone, with much free there; 0: not so many, or the long way is due. */
static unsigned int take_waiting(struct cpu *cpu, unsigned int n, void **p)
{
	uint8_t *parts = (uint8_t *)cpu->zone_cpu;
	const struct quick *q = &cpu_quick(cpu->zone_cpu)->by_gfp[GFP_KERNEL & QUICK_GFP];
	const struct zone *z = (const struct zone *)(parts + q->zone);
	struct zone_cpu *zc = (struct zone_cpu *)(parts + q->part);
	struct pcp_list *list = &zc->pcp.lists[q->list & QUICK_LIST];
	uint64_t free = peek(z->free_pages), mark = peek(z->quick_mark[q->high]);
	unsigned int got = 0;
	pfn_t pfn;

	if (TELLING || n < 2 || free <= mark || free - mark <= n || q->list & QUICK_MIXED || !cpu_pcp_try(cpu))
		return 0;
	for (pfn = list->head; got < n && pfn != PFN_NONE; pfn = cpu->pages[pfn].next)
		p[got++] = cpu->arena + ((uint64_t)pfn << PAGE_SHIFT);
	if (got == n) {
		list->head = pfn;
		bump(zc->pcp.count, -n);
	}
	cpu_pcp_done(cpu);
	if (got < n)
		return 0;
	for (unsigned int i = 0; i < n; i++)
		page_set_kind(&cpu->pages[(uint64_t)((uint8_t *)p[i] - cpu->arena) >> PAGE_SHIFT], q->kind);
	emit_page(cpu, zc, EV_zonelist_scan, 0, 0, 0);
	emit_page(cpu, zc, EV_zone_visit, 0, 0, 0);
	emit_page(cpu, zc, EV_wmark_check, 0, 0, 0);
	page_count_taken(cpu, z, z, 0, n);
	return n;
}

static unsigned int alloc_some_pages(struct cpu *cpu, unsigned int n, void **p)
{
	pfn_t pfns[BULK_PAGES];
	unsigned int got;

	if (TELLING)
		call_begin(cpu, TOLD_ALLOC_PAGES_BULK, 0, n, 0);
	got = V(alloc_pages_bulk)(cpu, GFP_KERNEL, -1, n, pfns);
	if (TELLING)
		story_end(cpu, got ? 0 : -ENOMEM, 0, got, 0);
	for (unsigned int i = 0; i < got; i++)
		p[i] = pages_at(cpu, pfns[i]);
	return got;
}

size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	size_t got = 0;

	while (got < n) {
		unsigned int want = n - got < BULK_PAGES ? (unsigned int)(n - got) : BULK_PAGES, more;

		cpu_enter(cpu);
		more = take_waiting(cpu, want, p + got);
		if (!more)
			more = alloc_some_pages(cpu, want, p + got);
		cpu_leave(cpu);
		got += more;
		if (more < want)
			break;
	}
	return got;
}

/* The first of them that lie in blocks of this key, onto one list; how many. */
static unsigned int give_alike(struct cpu *cpu, struct pcp_list *to, enum mtype type, uint32_t key, unsigned int n, void **p)
{
	const struct block *blocks = cpu->lab->blocks;
	uint32_t kind = page_kind(PAGE_ON_PCP, 0, type);
	struct pcp_list list = *to;	/* in registers: the next push waits for no store */
	unsigned int i;

	for (i = 0; i < n; i++) {
		uint64_t at = (uint64_t)((uint8_t *)p[i] - cpu->arena);
		pfn_t pfn = (pfn_t)(at >> PAGE_SHIFT);

		if (unlikely(!is_single(cpu, at) || peek(blocks[pfn >> TOP_ORDER].key) != key))
			break;
		page_set_kind(&cpu->pages[pfn], kind);
		pcp_push(cpu->pages, &list, pfn);
	}
	*to = list;
	return i;
}

/* The first of them, as many as go to lists of the CPU's usual zone and reach no limit; how many. */
static unsigned int give_usual(struct cpu *cpu, unsigned int n, void **p)
{
	const struct cpu_quick *mine = cpu_quick(cpu->zone_cpu);
	struct zone_cpu *zc = (struct zone_cpu *)((uint8_t *)cpu->zone_cpu + mine->part);
	struct pcp *pcp = &zc->pcp;
	unsigned int given = 0, type = 0, some;
	uint32_t look_at = peek(pcp->look_at);

	if (TELLING || !cpu_pcp_try(cpu))
		return 0;
	if (pcp->count + n >= look_at)
		n = look_at > pcp->count ? look_at - pcp->count - 1 : 0;
	for (; given < n && type < PCP_TYPES; given += some, type = some ? 0 : type + 1)
		some = give_alike(cpu, &pcp->lists[type & mine->list_of], type, mine->key[type], n - given, p + given);
	bump(pcp->count, given);
	cpu_pcp_done(cpu);
	if (COUNTING)
		bump(pcp->quick_frees, given);
	emit_page_n(cpu, zc, EV_mm_page_free_batched, given, 0, 0, 0);
	return given;
}

/* The single pages among them, each claimed lest it come twice; all else goes back, or is reported, by itself. */
static unsigned int claim_pages(struct cpu *cpu, unsigned int n, void **p, pfn_t *pfns)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < n; i++) {
		uint64_t at = (uint64_t)((uint8_t *)p[i] - cpu->arena);

		if (likely(is_single(cpu, at))) {
			pfns[nr] = (pfn_t)(at >> PAGE_SHIFT);
			page_set_kind(&cpu->pages[pfns[nr++]], 0);
		} else if (p[i]) {
			give_odd(cpu, p[i]);
		}
	}
	return nr;
}

static void give_some_pages(struct cpu *cpu, unsigned int n, void **p)
{
	pfn_t pfns[BULK_PAGES];

	if (TELLING)
		call_begin(cpu, TOLD_FREE_PAGES_LIST, 0, n, (uint64_t)((uint8_t *)p[0] - cpu->base));
	V(free_page_list)(cpu, claim_pages(cpu, n, p, pfns), pfns);
}

void entry_free_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	for (unsigned int some, done; n; n -= some, p += some) {
		some = n < BULK_PAGES ? (unsigned int)n : BULK_PAGES;
		cpu_enter(cpu);
		done = give_usual(cpu, some, p);
		if (done < some)
			give_some_pages(cpu, some - done, p + done);
		cpu_leave(cpu);
	}
}
