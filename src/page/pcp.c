/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refill, drain and their sizes, as Linux 6.1 has them (pages.md section 4). Compiled once a variant. */
#include "cpu/latency.h"
#include "page/pcp.h"

#include "base/bits.h"
#include "cpu/drain.h"
#include "page/buddy.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/lru.h"
#include "page/pageblock.h"
#include "page/pcp_model.h"
#include "page/zone_lock.h"

#define DRAIN_CHUNK_SHIFT 5	/* a whole drain holds the zone lock for batch << 5 pages at a time */
#define TICKS_TO_REST 3

/* ---- take ---- */

/* Blocks of one refill. */
static unsigned int refill_blocks(struct zone *z, struct pcp *pcp, unsigned int order)
{
	unsigned int n = pcp->batch;

	if (unlikely(pcp_model_tunes(pcp)))
		return V(pcp_tuned_refill)(z, pcp, order);
	if (n > 1)
		n = (unsigned int)max_u64(n >> order, 2);
	return n;
}

/* Up to `want` blocks under one hold of the lock to the list's tail, or in front of it in the order they came; how many. */
unsigned int V(pcp_fetch)(struct cpu *cpu, struct zone *z, unsigned int nr, unsigned int order, enum mtype type,
			  unsigned int want, unsigned int flags, bool in_front)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);
	struct pcp_list behind = { PFN_NONE, PFN_NONE }, *list = &zc->pcp.lists[nr];
	struct page *pages = cpu->lab->pages;
	unsigned int got;

	if (in_front) {
		behind = *list;
		list->head = PFN_NONE;
	}
	tell(cpu, z->index, NOTE_pcp_wants, nr, want, zc->pcp.batch, order);
	cpu->path |= WENT_SLOW;
	zone_lock_take(cpu, z);
	cpu->steals = false;
	for (got = 0; got < want; got++) {
		pfn_t pfn = V(rmqueue_fallback)(cpu, z, order, type, flags);

		if (pfn == PFN_NONE)
			break;
		page_set_kind(&pages[pfn], page_kind(PAGE_ON_PCP, order, type));
		pcp_append(pages, list, pfn);
	}
	zone_free_add(cpu, z, -((int64_t)got << order));
	zone_lock_give(cpu, z);
	if (in_front)
		pcp_join(pages, list, &behind);
	if (zc->pcp.model == PCP_MODEL_HOTCOLD && nr == 1)
		zc->pcp.cold += got;
	bump(zc->pcp.count, got << order);
	poke(zc->touched, 1);
	emit_page(cpu, zc, EV_pcp_refill, nr, got, 0);
	return got;
}

pfn_t V(pcp_take)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype type, unsigned int flags)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int nr = pcp_list_in(pcp, order, type);
	struct pcp_list *list = &pcp->lists[nr];
	pfn_t pfn;

	if (unlikely(pcp_model_is_old(pcp)))
		return V(pcp_old_take)(cpu, z, type, flags);
	tell(cpu, z->index, NOTE_pcp_list, nr, pcp_length(cpu->pages, list), pcp->count, pcp->high);
	if (list->head == PFN_NONE)
		V(pcp_fetch)(cpu, z, nr, order, type, refill_blocks(z, pcp, order), flags, false);
	pfn = pcp_pop(cpu->lab->pages, list);
	if (pfn != PFN_NONE)
		bump(pcp->count, -(1U << order));
	return pfn;
}

/* ---- drain ---- */

/*
 * n pages to the buddy lists under one hold of the zone lock, coldest first,
 * list after list from `nr` on among those in the mask. The last block may be
 * larger than what was left of n.
 */
void V(pcp_bulk_free)(struct cpu *cpu, struct zone *z, uint32_t n, unsigned int nr, uint32_t lists)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);
	struct pcp *pcp = &zc->pcp;
	struct page *pages = cpu->lab->pages;
	unsigned int from = nr, empty = 0;
	bool by_block = pageblock_follows_lists(cpu->lab);	/* or by what it was when the page came here */
	uint32_t freed = 0;

	zone_lock_take(cpu, z);
	while (freed < n && empty < PCP_LISTS) {
		struct pcp_list *list = &pcp->lists[nr];
		unsigned int order = pcp_list_order(nr);

		if (!(lists >> nr & 1) || list->head == PFN_NONE) {
			nr = nr + 1 == PCP_LISTS ? 0 : nr + 1;
			empty++;
			continue;
		}
		empty = 0;
		while (freed < n && list->head != PFN_NONE) {
			pfn_t pfn = pcp_pop_tail(pages, list);
			enum mtype type = unlikely(by_block) ? pageblock_free_type(cpu->lab, pfn) : (enum mtype)pages[pfn].mtype;

			emit_page_order(cpu, zc, EV_mm_page_pcpu_drain, order, pfn, order, type);
			V(free_one_page)(cpu, z, pfn, order, type, false);
			freed += 1U << order;
			if (unlikely(pcp->cold) && nr == 1)
				pcp->cold--;
		}
	}
	zone_lock_give(cpu, z);
	bump(pcp->count, -freed);
	poke(zc->touched, 1);
	emit_page(cpu, zc, EV_pcp_bulk_free, from, freed, 0);
}

/* Pages to let go once count has reached the limit h. Only frees in a row let it grow. */
static uint32_t drain_pages(struct pcp *pcp, uint32_t h, bool all)
{
	uint64_t n;

	if (all)
		return pcp->count;
	if (h <= pcp->batch)
		return 1;
	n = (uint64_t)pcp->batch << pcp->free_factor;
	if (n < h - pcp->batch && pcp->free_factor < pcp->scale_max)
		pcp->free_factor++;
	return (uint32_t)clamp_u64(n, pcp->batch, h - pcp->batch);
}

static void tuned_over(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int list)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	uint32_t limit, n = V(pcp_tuned_drain)(cpu, z, order, &limit);

	if (!n)
		return;
	tell(cpu, z->index, NOTE_pcp_drain_size, n, pcp->count, limit, pcp->batch, pcp->free_factor);
	V(pcp_bulk_free)(cpu, z, n, list, UINT32_MAX);
	V(pcp_tuned_drained)(cpu, z);
}

/*
 * A free of order 1-3 while only frees come means a process is giving up its
 * memory: then everything goes back.
 */
void V(pcp_over)(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int list)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	bool all = pcp->free_factor && order && order < PCP_LOW_ORDERS && pcp->model != PCP_MODEL_5_14;
	uint32_t h = all ? 0 : peek(pcp->look_at);

	if (unlikely(pcp_model_tunes(pcp)))
		return tuned_over(cpu, z, order, list);
	if (pcp->count >= h) {
		uint32_t n = (uint32_t)min_u64(drain_pages(pcp, h, all), pcp->count);

		tell(cpu, z->index, NOTE_pcp_drain_size, n, pcp->count, h, pcp->batch, pcp->free_factor);
		V(pcp_bulk_free)(cpu, z, n, list, UINT32_MAX);
	}
}

void V(pcp_give)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	unsigned int list;

	if (unlikely(pcp_model_is_old(&zone_cpu(cpu, z)->pcp)))
		return V(pcp_old_give)(cpu, z, pfn, type, false);
	list = pcp_put(cpu->lab->pages, &zone_cpu(cpu, z)->pcp, pfn, order, type);
	tell(cpu, z->index, NOTE_pcp_put, list, zone_cpu(cpu, z)->pcp.count, zone_cpu(cpu, z)->pcp.high, pfn);
	V(pcp_over)(cpu, z, order, list);
}

static uint32_t pages_on(const struct cpu *cpu, const struct pcp *pcp, uint32_t lists)
{
	uint32_t pages = 0;

	if (lists == UINT32_MAX)
		return pcp->count;
	for (unsigned int l = 0; l < PCP_LISTS; l++)
		for (pfn_t pfn = lists >> l & 1 ? pcp->lists[l].head : PFN_NONE; pfn != PFN_NONE;
		     pfn = cpu->lab->pages[pfn].next)
			pages += 1U << pcp_list_order(l);
	return pages;
}

void V(pcp_drain_zone)(struct cpu *owner, struct zone *z, uint32_t lists)
{
	const struct pcp *pcp = &zone_cpu(owner, z)->pcp;
	uint32_t chunk = (uint32_t)pcp->batch << DRAIN_CHUNK_SHIFT;

	for (uint32_t left; (left = pages_on(owner, pcp, lists)) > 0;)
		V(pcp_bulk_free)(owner, z, left < chunk ? left : chunk, 0, lists);
}

void V(pcp_drain_held)(struct cpu *owner)
{
	for (unsigned int i = 0; i < owner->lab->nr_zones; i++)
		V(pcp_drain_zone)(owner, &owner->lab->zones[i], UINT32_MAX);
}

void V(pcp_drain)(struct cpu *cpu)
{
	if (!cpu_pcp_try(cpu))
		return;
	V(pcp_drain_held)(cpu);
	cpu_pcp_done(cpu);
}

static void decay(struct cpu *cpu, struct zone *z)
{
	uint32_t n = V(pcp_tuned_decay)(&zone_cpu(cpu, z)->pcp);

	if (n)
		V(pcp_bulk_free)(cpu, z, n, 0, UINT32_MAX);
}

void V(pcp_tick)(struct cpu *cpu)
{
	if (!cpu_pcp_try(cpu))
		return;
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		struct zone *z = &cpu->lab->zones[i];
		struct zone_cpu *zc = zone_cpu(cpu, z);

		if (peek(zc->touched))
			zc->expire = TICKS_TO_REST;
		poke(zc->touched, 0);
		if (unlikely(pcp_model_tunes(&zc->pcp)))
			decay(cpu, z);
		if (!zc->expire || !zc->pcp.count)
			continue;
		if (z->node == cpu->node)
			zc->expire = 0;
		else if (!--zc->expire)
			V(pcp_bulk_free)(cpu, z, (uint32_t)min_u64(zc->pcp.count, zc->pcp.batch), 0, UINT32_MAX);
	}
	drift_fold(cpu);
	cpu_pcp_done(cpu);
}
