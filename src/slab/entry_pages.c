/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls for pages: a hit of the CPU's own list inline
 * (page/quick.h), anything else by the page layer's ordinary way.
 */
#include "slab/entry.h"

#include <errno.h>

#include "base/gfp.h"
#include "page/alloc.h"
#include "page/pcp_model.h"
#include "page/quick.h"

static void *pages_at(struct cpu *cpu, pfn_t pfn)
{
	return pfn == PFN_NONE ? NULL : cpu->arena + ((uint64_t)pfn << PAGE_SHIFT);
}

/* Not a single page that waits on the CPU's list. */
static __attribute__((noinline)) void *alloc_pages_slow(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	pfn_t pfn;

	cpu_enter(cpu);
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

void *entry_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	pfn_t pfn;

	if (TELLING || unlikely(order | (gfp & GFP_BIT_ZERO)) || unlikely(!cpu_try_enter_lists(cpu)))
		return alloc_pages_slow(cpu, order, gfp);
	pfn = page_take_quick(cpu, gfp);
	cpu_leave_lists(cpu);
	if (unlikely(pfn == PFN_NONE))
		return alloc_pages_slow(cpu, 0, gfp);
	return cpu->arena + ((uint64_t)pfn << PAGE_SHIFT);
}

/* Number of the page that begins at p; of any other address not below cpu->arena_pages. */
static inline uint64_t page_number(const struct cpu *cpu, const void *p)
{
	uint64_t at = (uint64_t)((const uint8_t *)p - cpu->arena);

	return at >> PAGE_SHIFT | at << (64 - PAGE_SHIFT);
}

/* A page that was handed out alone? pages: the descriptors. */
static inline bool is_single(const struct cpu *cpu, const struct page *pages, uint64_t nr)
{
	return nr < cpu->arena_pages && (page_get_kind(&pages[nr]) & 0xffff) == page_kind(PAGE_ALLOCATED, 0, 0);
}

/* Find out what it is. The block knows its order better than its holder. */
static void give_odd(struct cpu *cpu, void *p)
{
	uint64_t nr = page_number(cpu, p);

	if (nr >= cpu->arena_pages || cpu->pages[nr].role != PAGE_ALLOCATED)
		emit_lab(cpu, EV_bad_free, (uint64_t)((uint8_t *)p - cpu->base), 0, 0);
	else
		V(free_pages)(cpu, (pfn_t)nr, cpu->pages[nr].order);
}

/* Not a single page that goes to the CPU's list. */
static __attribute__((noinline)) void free_pages_slow(struct cpu *cpu, void *p)
{
	uint64_t at = (uint64_t)((uint8_t *)p - cpu->arena);

	if (!p)
		return;
	cpu_enter(cpu);
	if (TELLING) {
		call_begin(cpu, TOLD_FREE_PAGES, 0, 1, (uint64_t)((uint8_t *)p - cpu->base));
		story_now(cpu)->order = at < cpu->arena_bytes ? cpu->pages[at >> PAGE_SHIFT].order : 0;
	}
	give_odd(cpu, p);
	cpu_leave(cpu);
}

static __attribute__((noinline)) void free_pages_over(struct cpu *cpu, pfn_t pfn)
{
	V(page_free_over)(cpu, pfn);
	cpu_leave_lists(cpu);
}

void entry_free_pages(struct cpu *cpu, void *p, unsigned int order)
{
	uint64_t nr = page_number(cpu, p);
	enum page_given given = PAGE_NOT_GIVEN;

	if (TELLING || unlikely(order) || unlikely(!cpu_try_enter_lists(cpu))) {
		free_pages_slow(cpu, p);
		return;
	}
	if (likely(is_single(cpu, cpu->pages, nr)))
		given = page_give_quick(cpu, (pfn_t)nr);
	if (unlikely(given == PAGE_GIVEN_OVER)) {
		free_pages_over(cpu, (pfn_t)nr);
		return;
	}
	cpu_leave_lists(cpu);
	if (unlikely(given == PAGE_NOT_GIVEN))
		free_pages_slow(cpu, p);
}

#define BULK_PAGES 64u		/* of one op */

/* n pages off a list of unmovable ones, on which all go by this type. False: there are not so many, and nothing was done. */
static inline bool take_n(struct cpu *cpu, struct pcp_list *list, size_t n, void **p)
{
	struct page *pages = cpu->pages;
	uint8_t *arena = cpu->arena;
	pfn_t pfn = list->head;
	void **end = p + n;

	for (; p != end && pfn != PFN_NONE; p++) {
		*p = arena + ((uint64_t)pfn << PAGE_SHIFT);
		page_set_kind(&pages[pfn], page_kind(PAGE_ALLOCATED, 0, MT_UNMOVABLE));
		pfn = pages[pfn].next;
	}
	if (likely(p == end)) {
		list->head = pfn;
		return true;
	}
	for (pfn = list->head; pfn != PFN_NONE; pfn = pages[pfn].next)
		page_set_kind(&pages[pfn], page_kind(PAGE_ON_PCP, 0, MT_UNMOVABLE));
	return false;
}

/*
 * n pages that wait on the list of the usual zone, with much free there. False:
 * there are not so many, or the long way is due. The caller may use the lists.
 */
static inline bool take_waiting(struct cpu *cpu, size_t n, void **p)
{
	uint8_t *parts = (uint8_t *)cpu->zone_cpu;
	const struct quick *q = &cpu_quick(cpu->zone_cpu)->by_gfp[GFP_KERNEL & QUICK_GFP];
	const struct zone *z = (const struct zone *)(parts + q->zone);
	struct zone_cpu *zc = (struct zone_cpu *)(parts + q->part);
	uint64_t free = peek(z->free_pages), mark = peek(*(const uint64_t *)(parts + q->mark));

	if (n < 2 || free <= mark || free - mark <= n || !pcp_model_has_types(&zc->pcp) ||
	    !take_n(cpu, &zc->pcp.lists[MT_UNMOVABLE], n, p))
		return false;
	bump(zc->pcp.count, -(uint32_t)n);
	emit_page(cpu, zc, EV_zonelist_scan, 0, 0, 0);
	emit_page(cpu, zc, EV_zone_visit, 0, 0, 0);
	emit_page(cpu, zc, EV_wmark_check, 0, 0, 0);
	page_count_taken(cpu, z, z, 0, (unsigned int)n);
	return true;
}

static __attribute__((noinline)) size_t alloc_some_pages(struct cpu *cpu, unsigned int n, void **p)
{
	pfn_t pfns[BULK_PAGES];
	unsigned int got;

	cpu_enter(cpu);
	if (TELLING)
		call_begin(cpu, TOLD_ALLOC_PAGES_BULK, 0, n, 0);
	got = V(alloc_pages_bulk)(cpu, GFP_KERNEL, -1, n, pfns);
	if (TELLING)
		story_end(cpu, got ? 0 : -ENOMEM, 0, got, 0);
	cpu_leave(cpu);
	for (unsigned int i = 0; i < got; i++)
		p[i] = pages_at(cpu, pfns[i]);
	return got;
}

/* One op. */
static inline size_t alloc_chunk(struct cpu *cpu, size_t n, void **p)
{
	bool taken;

	if (!TELLING && likely(cpu_try_enter_lists(cpu))) {
		taken = take_waiting(cpu, n, p);
		cpu_leave_lists(cpu);
		if (likely(taken))
			return n;
	}
	return alloc_some_pages(cpu, (unsigned int)n, p);
}

size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	size_t left = n;

	for (size_t want, got; left; left -= got, p += got) {
		want = left < BULK_PAGES ? left : BULK_PAGES;
		got = alloc_chunk(cpu, want, p);
		if (got < want)
			return n - left + got;
	}
	return n;
}

/* The first of them that lie in blocks of this key, onto one list; how many. Each becomes the head without a look at the list. */
static inline unsigned int give_alike(struct cpu *cpu, struct pcp_list *list, enum mtype type, uint32_t key, unsigned int n, void **p)
{
	struct page *pages = cpu->pages, nobody, *before = list->head == PFN_NONE ? &nobody : &pages[list->head];
	const struct block *blocks = cpu->blocks;
	uint32_t kind = page_kind(PAGE_ON_PCP, 0, type);
	pfn_t head = list->head;
	void **from = p, **end = p + n;

	for (; p != end; p++) {
		uint64_t nr = page_number(cpu, *p);
		struct page *page;

		if (unlikely(!is_single(cpu, pages, nr) || peek(blocks[nr >> TOP_ORDER].key) != key))
			break;
		page = &pages[nr];
		page_set_kind(page, kind);
		page->next = head;
		before->prev = head = (pfn_t)nr;
		before = page;
	}
	if (list->head == PFN_NONE && p != from)
		list->tail = (pfn_t)page_number(cpu, *from);
	list->head = head;
	return (unsigned int)(p - from);
}

/* The same for any types. */
static __attribute__((noinline)) unsigned int give_mixed(struct cpu *cpu, struct pcp *pcp, unsigned int n, void **p)
{
	const struct cpu_quick *mine = cpu_quick(cpu->zone_cpu);
	unsigned int given = 0, type = 0, some;

	for (; given < n && type < PCP_TYPES; given += some, type = some ? 0 : type + 1)
		some = give_alike(cpu, &pcp->lists[type & mine->list_of], type, mine->key[type], n - given, p + given);
	return given;
}

/* The first of them, as many as go to lists of the CPU's usual zone and reach no limit; how many. The caller may use the lists. */
static inline unsigned int give_usual(struct cpu *cpu, unsigned int n, void **p)
{
	const struct cpu_quick *mine = cpu_quick(cpu->zone_cpu);
	struct zone_cpu *zc = (struct zone_cpu *)((uint8_t *)cpu->zone_cpu + mine->part);
	struct pcp *pcp = &zc->pcp;
	uint32_t look_at = peek(pcp->look_at);
	unsigned int given;

	if (pcp_model_has_cold_end(pcp))
		return 0;
	if (unlikely(pcp->count + n >= look_at))
		n = look_at > pcp->count ? look_at - pcp->count - 1 : 0;
	given = give_alike(cpu, &pcp->lists[MT_UNMOVABLE], MT_UNMOVABLE, mine->key[MT_UNMOVABLE], n, p);
	if (given < n)
		given += give_mixed(cpu, pcp, n - given, p + given);
	bump(pcp->count, given);
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
		uint64_t at = page_number(cpu, p[i]);

		if (likely(is_single(cpu, cpu->pages, at))) {
			pfns[nr] = (pfn_t)at;
			page_set_kind(&cpu->pages[pfns[nr++]], 0);
		} else if (p[i]) {
			give_odd(cpu, p[i]);
		}
	}
	return nr;
}

static __attribute__((noinline)) void give_some_pages(struct cpu *cpu, unsigned int n, void **p)
{
	pfn_t pfns[BULK_PAGES];

	cpu_enter(cpu);
	if (TELLING)
		call_begin(cpu, TOLD_FREE_PAGES_LIST, 0, n, (uint64_t)((uint8_t *)p[0] - cpu->base));
	V(free_page_list)(cpu, claim_pages(cpu, n, p, pfns), pfns);
	cpu_leave(cpu);
}

void entry_free_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	for (unsigned int some, given; n; n -= some, p += some) {
		some = n < BULK_PAGES ? (unsigned int)n : BULK_PAGES;
		given = 0;
		if (!TELLING && likely(cpu_try_enter_lists(cpu))) {
			given = give_usual(cpu, some, p);
			cpu_leave_lists(cpu);
		}
		if (unlikely(given < some))
			give_some_pages(cpu, some - given, p + given);
	}
}
