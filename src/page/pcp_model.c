/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other models of pcp.model (history-pages.md section 5, pages.md section 4.7). Compiled once a variant. */
#include "page/pcp_model.h"

#include "base/bits.h"
#include "page/buddy.h"
#include "page/emit.h"
#include "page/lru.h"
#include "page/zone_lock.h"
#include "page/watermark.h"

enum { HOT, COLD };	/* lists of hotcold */

/* ---- before 5.14: take ---- */

static pfn_t take_off(struct pcp *pcp, unsigned int list, pfn_t pfn)
{
	if (pfn == PFN_NONE)
		return pfn;
	bump(pcp->count, -1U);
	if (pcp->model == PCP_MODEL_HOTCOLD && list == COLD)
		pcp->cold--;
	return pfn;
}

static pfn_t pop(struct cpu *cpu, struct pcp *pcp, unsigned int list, bool from_tail)
{
	struct pcp_list *l = &pcp->lists[list];

	if (l->head == PFN_NONE)
		return PFN_NONE;
	return take_off(pcp, list, from_tail ? pcp_pop_tail(cpu->pages, l) : pcp_pop(cpu->pages, l));
}

/* It refills at its low mark although pages are there; so hot pages sink below fresh ones. */
static pfn_t take_hotcold(struct cpu *cpu, struct zone *z, enum mtype type, unsigned int flags)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int list = flags & ALLOC_COLD ? COLD : HOT;
	uint32_t has = list == COLD ? pcp->cold : pcp->count - pcp->cold;

	if (has <= (list == HOT ? 2U * pcp->batch : 0))
		has += V(pcp_fetch)(cpu, z, list, 0, type, pcp->batch, flags, false);
	return pop(cpu, pcp, list, false);
}

/* The first page of the type from the hot end, or from the cold one. */
static pfn_t find_typed(struct cpu *cpu, struct pcp *pcp, enum mtype type, bool cold)
{
	struct pcp_list *l = &pcp->lists[0];
	struct page *pages = cpu->pages;
	pfn_t before = PFN_NONE, pfn = l->head, found = PFN_NONE, found_before = PFN_NONE;

	for (; pfn != PFN_NONE; before = pfn, pfn = pages[pfn].next) {
		if (pages[pfn].mtype != (uint8_t)type)
			continue;
		found = pfn;
		found_before = before;
		if (!cold)
			break;
	}
	if (found == PFN_NONE)
		return PFN_NONE;
	if (found_before == PFN_NONE)
		return pop(cpu, pcp, 0, false);
	if (found == l->tail)
		return pop(cpu, pcp, 0, true);
	pages[found_before].next = pages[found].next;
	pages[pages[found].next].prev = found_before;
	return take_off(pcp, 0, found);
}

static pfn_t take_hotcold1(struct cpu *cpu, struct zone *z, enum mtype type, unsigned int flags)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	pfn_t pfn = PFN_NONE;

	if (pcp->count || V(pcp_fetch)(cpu, z, 0, 0, type, pcp->batch, flags, true))
		pfn = find_typed(cpu, pcp, type, flags & ALLOC_COLD);
	if (pfn == PFN_NONE && V(pcp_fetch)(cpu, z, 0, 0, type, pcp->batch, flags, true))
		pfn = pop(cpu, pcp, 0, false);
	return pfn;
}

pfn_t V(pcp_old_take)(struct cpu *cpu, struct zone *z, enum mtype type, unsigned int flags)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int list = pcp->model == PCP_MODEL_TYPES ? (unsigned int)type : 0;

	tell(cpu, z->index, NOTE_pcp_list, list, pcp_length(cpu->pages, &pcp->lists[list]), pcp->count, pcp->high);
	if (pcp->model == PCP_MODEL_HOTCOLD)
		return take_hotcold(cpu, z, type, flags);
	if (pcp->model == PCP_MODEL_HOTCOLD1)
		return take_hotcold1(cpu, z, type, flags);
	if (pcp->lists[list].head == PFN_NONE)
		V(pcp_fetch)(cpu, z, list, 0, type, pcp->batch, flags, false);
	return pop(cpu, pcp, list, pcp->model == PCP_MODEL_TYPES && flags & ALLOC_COLD);
}

/* ---- before 5.14: give ---- */

/*
 * A batch from the cold ends, the types in turns: a list that is found empty
 * lets the next one give a page more, and the only one left gives all.
 */
static void types_over(struct cpu *cpu, struct zone *z)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);
	struct pcp *pcp = &zc->pcp;
	uint32_t left = (uint32_t)min_u64(pcp->batch, pcp->count), freed = left;
	unsigned int list = 0;

	tell(cpu, z->index, NOTE_pcp_drain_size, left, pcp->count, pcp->high, pcp->batch, 0);
	zone_lock_take(cpu, z);
	while (left) {
		unsigned int run = 0;

		do {
			run++;
			list = list + 1 < PCP_TYPES ? list + 1 : 0;
		} while (pcp->lists[list].head == PFN_NONE);
		if (run == PCP_TYPES)
			run = left;
		for (; left && run && pcp->lists[list].head != PFN_NONE; left--, run--) {
			pfn_t pfn = pcp_pop_tail(cpu->pages, &pcp->lists[list]);
			enum mtype type = (enum mtype)cpu->pages[pfn].mtype;

			emit_page_order(cpu, zc, EV_mm_page_pcpu_drain, 0, pfn, 0, type);
			V(free_one_page)(cpu, z, pfn, 0, type, false);
		}
	}
	zone_lock_give(cpu, z);
	bump(pcp->count, -freed);
	poke(zc->touched, 1);
	emit_page(cpu, zc, EV_pcp_bulk_free, 1, freed, 0);
}

void V(pcp_old_over)(struct cpu *cpu, struct zone *z, unsigned int list)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	uint32_t n = (uint32_t)min_u64(pcp->batch, pcp->count);

	if (pcp->model == PCP_MODEL_TYPES) {
		types_over(cpu, z);
		return;
	}
	tell(cpu, z->index, NOTE_pcp_drain_size, n, pcp->count, pcp->high, pcp->batch, 0);
	V(pcp_bulk_free)(cpu, z, n, list, 1U << list);
}

/* The batch goes back before the page is put on its list. */
static void give_hotcold(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype type, bool cold)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int list = cold ? COLD : HOT;
	uint32_t has = cold ? pcp->cold : pcp->count - pcp->cold;
	uint32_t high = cold ? pcp->high / 3 : pcp->high, n = (uint32_t)min_u64(pcp->batch, has);

	if (has >= high && n) {
		tell(cpu, z->index, NOTE_pcp_drain_size, n, has, high, pcp->batch, 0);
		V(pcp_bulk_free)(cpu, z, n, list, 1U << list);
	}
	page_set_kind(&cpu->pages[pfn], page_kind(PAGE_ON_PCP, 0, type));
	pcp_push(cpu->pages, &pcp->lists[list], pfn);
	bump(pcp->count, 1);
	pcp->cold += cold;
	tell(cpu, z->index, NOTE_pcp_put, list, pcp->count, pcp->high, pfn);
}

void V(pcp_old_give)(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype type, bool cold)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int list = pcp->model == PCP_MODEL_TYPES ? (unsigned int)(type < PCP_TYPES ? type : MT_MOVABLE) : 0;

	if (pcp->model == PCP_MODEL_HOTCOLD) {
		give_hotcold(cpu, z, pfn, type, cold);
		return;
	}
	page_set_kind(&cpu->pages[pfn], page_kind(PAGE_ON_PCP, 0, type));
	if (cold && pcp_model_has_cold_end(pcp))
		pcp_append(cpu->pages, &pcp->lists[list], pfn);
	else
		pcp_push(cpu->pages, &pcp->lists[list], pfn);
	bump(pcp->count, 1);
	tell(cpu, z->index, NOTE_pcp_put, list, pcp->count, pcp->high, pfn);
	if (pcp->count >= peek(pcp->look_at))
		V(pcp_old_over)(cpu, z, list);
}

/* ---- from 6.7 on ---- */

static uint32_t tuned_high(struct pcp *pcp)
{
	pcp->high = (uint32_t)clamp_u64(pcp->high, pcp->high_min, pcp->high_max);
	return pcp->high;
}

/* How much was freed lately without an allocation: by pages since 6.8, by doublings before. */
static uint32_t freed_lately(const struct pcp *pcp)
{
	return pcp->model == PCP_MODEL_6_7 ? (uint32_t)pcp->batch << pcp->free_factor : pcp->free_count;
}

unsigned int V(pcp_tuned_refill)(struct zone *z, struct pcp *pcp, unsigned int order)
{
	uint32_t high = tuned_high(pcp), batch = pcp->batch, most;

	if (high < batch)
		return 1;
	if (!order)
		batch <<= pcp->alloc_factor;
	if (pcp->high_min != pcp->high_max && !peek(z->below_high))
		high = pcp->high = (uint32_t)min_u64(high + batch, pcp->high_max);
	if (!order) {
		int64_t room = (int64_t)high - pcp->count - pcp->batch;

		most = room > pcp->batch ? (uint32_t)room : pcp->batch;
		if (batch <= most && pcp->alloc_factor < pcp->scale_max)
			pcp->alloc_factor++;
		batch = (uint32_t)min_u64(batch, most);
	}
	return batch > 1 ? (unsigned int)max_u64(batch >> order, 2) : batch;
}

/* A free of order 1-3 behind another while only frees come. */
static bool gives_up_all(struct pcp *pcp, unsigned int order)
{
	bool was = pcp->flags & PCP_PREV_HIGH_ORDER;
	bool many = pcp->model == PCP_MODEL_6_7 ? pcp->free_factor : pcp->free_count >= pcp->batch;

	if (!order || order >= PCP_LOW_ORDERS) {
		pcp->flags &= (uint8_t)~PCP_PREV_HIGH_ORDER;
		return false;
	}
	pcp->flags |= PCP_PREV_HIGH_ORDER;
	return many && was && (!(pcp->flags & PCP_HIGH_BATCH) || pcp->count >= pcp->batch);
}

static uint32_t lowered(const struct pcp *pcp, uint32_t high, uint32_t by)
{
	return high > by && high - by > pcp->high_min ? high - by : pcp->high_min;
}

static uint32_t tuned_limit(const struct cpu *cpu, const struct zone *z, struct pcp *pcp, bool all)
{
	uint32_t high = tuned_high(pcp), much = (uint32_t)max_u64(freed_lately(pcp), pcp->batch);

	if (!high)
		return 0;
	if (all) {
		pcp->high = lowered(pcp, high, (uint32_t)pcp->batch << pcp->scale_max);
		return 0;
	}
	if (unlikely(zone_is_reclaimed(cpu->lab, z))) {
		pcp->high = lowered(pcp, high, much);
		return (uint32_t)min_u64(4ULL * pcp->batch, pcp->high);
	}
	if (pcp->high_min == pcp->high_max)
		return high;
	if (peek(z->below_high)) {
		pcp->high = lowered(pcp, high, much);
		return (uint32_t)max_u64(pcp->count, pcp->high_min);
	}
	if (pcp->count >= high && pcp->high < freed_lately(pcp) + pcp->batch)
		pcp->high = (uint32_t)clamp_u64(freed_lately(pcp) + pcp->batch, pcp->high_min, pcp->high_max);
	return high;
}

static uint32_t tuned_size(struct pcp *pcp, uint32_t high, bool all)
{
	uint32_t n;

	if (all)
		return (uint32_t)pcp->batch << pcp->scale_max;
	if (high < pcp->batch)
		return 1;
	n = freed_lately(pcp);
	if (pcp->model == PCP_MODEL_6_7 && n <= high - pcp->batch && pcp->free_factor < pcp->scale_max)
		pcp->free_factor++;
	return (uint32_t)clamp_u64(n, pcp->batch, max_u64(high - pcp->batch, pcp->batch));
}

uint32_t V(pcp_tuned_drain)(struct cpu *cpu, struct zone *z, unsigned int order, uint32_t *limit)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	bool all = gives_up_all(pcp, order);

	pcp->alloc_factor >>= 1;
	if (pcp->free_count < (uint32_t)pcp->batch << pcp->scale_max)
		pcp->free_count += 1U << order;
	*limit = tuned_limit(cpu, z, pcp, all);
	if (pcp->count < *limit || !pcp->count)
		return 0;
	return (uint32_t)min_u64(tuned_size(pcp, *limit, all), pcp->count);
}

void V(pcp_tuned_drained)(struct cpu *cpu, struct zone *z)
{
	struct wmark_walk walk = { .sum = 1, .may_wait = true };

	if (peek(z->below_high) &&
	    zone_watermark_ok(cpu->lab, z, 0, zone_mark(z, WMARK_HIGH), ZONE_MOVABLE, 0, &walk))
		poke(z->below_high, 0);
}

uint32_t V(pcp_tuned_decay)(struct pcp *pcp)
{
	uint32_t batch = (uint32_t)pcp->batch << pcp->scale_max, keep;

	if (pcp->high > pcp->high_min)
		pcp->high = (uint32_t)max_u64(pcp->count > batch ? pcp->count - batch : 0,
					      max_u64(pcp->high - pcp->high / 8, pcp->high_min));
	keep = (uint32_t)max_u64(pcp->high, pcp->high_min);	/* reclaim may have lowered it below what is held */
	return pcp->count > keep ? pcp->count - keep : 0;
}
