/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quick - single pages from and to the CPU's own list, when nothing is out of
 * the ordinary. Inlined where each nanosecond counts.
 *
 * Idea. What a request's flags lead to (zone, list, mark) changes only in a
 * stop, so each CPU keeps it ready by flags (struct cpu_quick). A take then
 * compares the zone's free pages with one mark and pops; a free compares its
 * block's zone and type with what is usual here and pushes. Anything else is
 * answered "no", and the caller goes the long way from its beginning. Both
 * ways leave the same pages in the same places and the same counts.
 *
 * Chains. One request waits for the other through the list's head in memory,
 * so the address of the head must not wait for anything else: it comes from
 * the CPU's table and from branches, which a processor guesses, never from
 * what the page or its block says. (Measured on Zen 3: 5 of 17 ns.)
 *
 * Ownership. Inside an op of this CPU. pcp_give() and pcp_take() do the same
 * to the lists.
 */
#ifndef PAGE_QUICK_H
#define PAGE_QUICK_H

#include "cpu/drain.h"
#include "page/emit.h"
#include "page/zone.h"

#define page_always_inline static inline __attribute__((always_inline))

/* n blocks of an order were taken from z for a request that preferred another zone, or this one. */
static inline void page_count_taken(struct cpu *cpu, const struct zone *z, const struct zone *preferred,
				    unsigned int order, unsigned int n)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	emit_page_n(cpu, zc, EV_pgalloc, (uint64_t)n << order, (uint64_t)n << order, 0, 0);
	if (likely(z->node == preferred->node)) {
		emit_page_n(cpu, zc, EV_numa_hit, n, z->node, 0, 0);
	} else {
		emit_page_n(cpu, zc, EV_numa_miss, n, z->node, 0, 0);
		emit_page_n(cpu, zone_cpu(cpu, preferred), EV_numa_foreign, n, preferred->node, 0, 0);
	}
	emit_page_n(cpu, zc, z->node == cpu->node ? EV_numa_local : EV_numa_other, n, z->node, 0, 0);
}

/* One counter stands for all that a quick take is; told, each event is said. */
page_always_inline void tell_quick_alloc(struct cpu *cpu, struct zone_cpu *zc, const struct zone *z, pfn_t pfn,
					 unsigned int list, enum mtype type, uint32_t gfp, uint32_t left)
{
	if (!TELLING) {
		if (COUNTING)
			bump(zc->pcp.quick_allocs, 1);
		return;
	}
	emit_page(cpu, zc, EV_zonelist_scan, z->index, 0, 0);
	emit_page(cpu, zc, EV_zone_visit, z->index, 0, 0);
	emit_page(cpu, zc, EV_wmark_check, 0, zone_mark(z, WMARK_LOW), peek(z->free_pages));
	tell(cpu, z->index, NOTE_mark_seen, WMARK_LOW, zone_mark(z, WMARK_LOW) + z->reserved_highatomic,
	     peek(z->free_pages), 0, MARK_PASSED, 0);
	tell(cpu, z->index, NOTE_pcp_list, list, left + 1, peek(zc->pcp.count) + 1, zc->pcp.high);
	page_count_taken(cpu, z, z, 0, 1);
	emit_page_order(cpu, zc, EV_mm_page_alloc, 0, pfn, 0, type);
	tell_more(cpu, EV_mm_page_alloc, TPX_GFP, gfp);
}

page_always_inline void tell_quick_free(struct cpu *cpu, struct zone_cpu *zc, pfn_t pfn)
{
	if (TELLING) {
		emit_page_order(cpu, zc, EV_mm_page_free, 0, pfn, 0, 0);
		emit_page_n(cpu, zc, EV_pgfree, 1, 1, 0, 0);
	} else if (COUNTING) {
		bump(zc->pcp.quick_frees, 1);
	}
}

/* What a take minds beside the list; false: the first page is not of the type, and a search is for the long way. */
static inline bool page_may_take(const struct cpu *cpu, struct pcp *pcp, pfn_t pfn, enum mtype type)
{
	if (pcp->mixed && cpu->pages[pfn].mtype != (uint8_t)type)
		return false;
	pcp_note_take(pcp);
	return true;
}

/*
 * A page that waits on the list of the CPU's own node's first zone, with much
 * free there; else PFN_NONE. (With pcp.enabled=off the lists are empty.) It is
 * not cleared. The caller may use the lists.
 */
page_always_inline pfn_t page_take_quick(struct cpu *cpu, uint32_t gfp)
{
	uint8_t *parts = (uint8_t *)cpu->zone_cpu;
	const struct quick *q = &cpu_quick(cpu->zone_cpu)->by_gfp[gfp & QUICK_GFP];
	const struct zone *z = (const struct zone *)(parts + q->zone);
	struct zone_cpu *zc = (struct zone_cpu *)(parts + q->part);
	struct pcp_list *list = &zc->pcp.lists[q->list];
	struct page *page;
	pfn_t pfn;

	if (unlikely(peek(z->free_pages) <= peek(*(const uint64_t *)(parts + q->mark))))
		return PFN_NONE;
	pfn = list->head;
	if (unlikely(pfn == PFN_NONE || (zc->pcp.minds_takes && !page_may_take(cpu, &zc->pcp, pfn, q->type))))
		return PFN_NONE;
	page = &cpu->pages[pfn];
	list->head = page->next;
	bump(zc->pcp.count, -1U);
	page_set_kind(page, q->kind);
	tell_quick_alloc(cpu, zc, z, pfn, q->list, q->type, gfp, TELLING ? pcp_length(cpu->pages, list) : 0);
	return pfn;
}

/* The same for who has no leave to use the lists yet. A page to be cleared takes its time anyway. */
page_always_inline pfn_t page_alloc_quick(struct cpu *cpu, uint32_t gfp)
{
	pfn_t pfn;

	if (unlikely(gfp & GFP_BIT_ZERO || !cpu_pcp_try(cpu)))
		return PFN_NONE;
	pfn = page_take_quick(cpu, gfp);
	cpu_pcp_done(cpu);
	return pfn;
}

/* What became of a page: it has to go the long way; it is on a list; so it is, and page_free_over() is due. */
enum page_given { PAGE_NOT_GIVEN, PAGE_GIVEN, PAGE_GIVEN_OVER };

/* After a page reached the limit of its list. The caller may use the lists. */
void V(page_free_over)(struct cpu *cpu, pfn_t pfn);

page_always_inline enum page_given page_give_to(struct cpu *cpu, struct zone_cpu *zc, pfn_t pfn, enum mtype type,
						unsigned int list)
{
	struct page *pages = cpu->pages;
	struct pcp *pcp = &zc->pcp;

	tell_quick_free(cpu, zc, pfn);
	page_set_kind(&pages[pfn], page_kind(PAGE_ON_PCP, 0, type));
	pcp_push(pages, &pcp->lists[list], pfn);
	bump(pcp->count, 1);
	tell(cpu, zone_of_part(cpu, zc), NOTE_pcp_put, list, pcp->count, pcp->high, pfn);
	return unlikely(pcp->count >= peek(pcp->look_at)) ? PAGE_GIVEN_OVER : PAGE_GIVEN;
}

/* Put a single page on the CPU's list. The caller may use the lists. */
page_always_inline enum page_given page_give_quick(struct cpu *cpu, pfn_t pfn)
{
	const struct cpu_quick *mine = cpu_quick(cpu->zone_cpu);
	struct zone_cpu *zc = (struct zone_cpu *)((uint8_t *)cpu->zone_cpu + mine->part);
	uint32_t key = peek(cpu->blocks[pfn >> TOP_ORDER].key);

	if (likely(key == mine->key[MT_UNMOVABLE]))
		return page_give_to(cpu, zc, pfn, MT_UNMOVABLE, MT_UNMOVABLE);
	if (key == mine->key[MT_MOVABLE])
		return page_give_to(cpu, zc, pfn, MT_MOVABLE, MT_MOVABLE & mine->list_of);
	if (key == mine->key[MT_RECLAIMABLE])
		return page_give_to(cpu, zc, pfn, MT_RECLAIMABLE, MT_RECLAIMABLE & mine->list_of);
	return PAGE_NOT_GIVEN;
}

/* The same for who has no leave yet; false: it has to go the long way. */
page_always_inline bool page_free_quick(struct cpu *cpu, pfn_t pfn)
{
	enum page_given given;

	if (unlikely(!cpu_pcp_try(cpu)))
		return false;
	given = page_give_quick(cpu, pfn);
	if (unlikely(given == PAGE_GIVEN_OVER))
		V(page_free_over)(cpu, pfn);
	cpu_pcp_done(cpu);
	return given != PAGE_NOT_GIVEN;
}

#endif
