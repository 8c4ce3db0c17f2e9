/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests (pages.md sections 4.2-4.5, 6, 7). Compiled once a variant.
 *
 * Single pages mostly go the quick ways of quick.h; here is all the rest.
 */
#include "page/alloc.h"

#include <string.h>

#include "cpu/drain.h"
#include "cpu/latency.h"
#include "page/buddy.h"
#include "page/emit.h"
#include "page/fail_page.h"
#include "page/fair.h"
#include "page/highatomic.h"
#include "page/kswapd.h"
#include "page/lru.h"
#include "page/pageblock.h"
#include "page/pcp_model.h"
#include "page/quick.h"
#include "page/request.h"
#include "page/slow.h"
#include "page/watermark.h"
#include "page/zone_lock.h"

#define LIST_LOCK_PAGES 32	/* of a list free, between two takes of the list lock */

static inline struct node *request_node(const struct cpu *cpu, int node)
{
	return &cpu->lab->nodes[node < 0 ? cpu->node : (unsigned int)node];
}

static inline enum mtype request_type(const struct node *n, uint32_t gfp)
{
	return (enum mtype)n->type_of[gfp >> 3 & 3];
}

static void request_init(struct request *rq, const struct cpu *cpu, unsigned int order, uint32_t gfp, int node)
{
	const struct node *n = request_node(cpu, node);

	rq->order = order;
	rq->high = node_high_zone(n, gfp);
	rq->gfp = gfp;
	rq->type = request_type(n, gfp);
	rq->list = gfp & GFP_BIT_THISNODE ? n->own : n->list;
	rq->nr = gfp & GFP_BIT_THISNODE ? n->nr_own : n->nr_list;
	rq->preferred = NULL;
	for (; rq->nr; rq->list++, rq->nr--)
		if (cpu->lab->zones[*rq->list].kind <= rq->high) {
			rq->preferred = &cpu->lab->zones[*rq->list];
			break;
		}
}

static inline void prepare(struct cpu *cpu, pfn_t pfn, unsigned int order, uint32_t gfp, enum mtype type)
{
	page_set_kind(&cpu->lab->pages[pfn], page_kind(PAGE_ALLOCATED, order, type));
	if (unlikely(gfp & GFP_BIT_ZERO))
		memset(page_memory(cpu->lab, pfn), 0, PAGE_SIZE << order);
}

/* ---- one zone ---- */

static pfn_t rmqueue_buddy(struct cpu *cpu, struct zone *z, const struct request *rq, unsigned int flags)
{
	pfn_t pfn = PFN_NONE;

	zone_lock_take(cpu, z);
	cpu->steals = false;
	if (flags & ALLOC_HIGHATOMIC)
		pfn = V(rmqueue_smallest)(cpu, z, rq->order, MT_HIGHATOMIC);
	if (pfn == PFN_NONE)
		pfn = V(rmqueue_fallback)(cpu, z, rq->order, rq->type, flags);
	if (pfn == PFN_NONE && flags & (ALLOC_OOM | ALLOC_NON_BLOCK))
		pfn = V(rmqueue_smallest)(cpu, z, rq->order, MT_HIGHATOMIC);
	if (pfn != PFN_NONE)
		zone_free_add(cpu, z, -(int64_t)(1UL << rq->order));
	zone_lock_give(cpu, z);
	poke(zone_cpu(cpu, z)->touched, 1);
	return pfn;
}

/* From the CPU's list, PFN_NONE if this order has none, it is in use, or the zone has nothing for it. */
static pfn_t rmqueue_pcp(struct cpu *cpu, struct zone *z, const struct request *rq, unsigned int flags)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);
	pfn_t pfn;

	if (!pcp_has_order(&zc->pcp, rq->order)) {
		emit_page(cpu, zc, EV_pcp_bypass, rq->order, zc->pcp.orders ? BYPASS_ORDER : BYPASS_DISABLED, 0);
		return PFN_NONE;
	}
	if (!cpu_pcp_try(cpu)) {
		emit_page(cpu, zc, EV_pcp_bypass, rq->order, BYPASS_LOCK, 0);
		return PFN_NONE;
	}
	pcp_note_take(&zc->pcp);
	if (unlikely(rq->gfp & GFP_BIT_COLD))
		flags |= ALLOC_COLD;
	pfn = V(pcp_take)(cpu, z, rq->order, rq->type, flags);
	cpu_pcp_done(cpu);
	return pfn;
}

static pfn_t rmqueue(struct cpu *cpu, struct zone *z, const struct request *rq, unsigned int flags)
{
	pfn_t pfn = rmqueue_pcp(cpu, z, rq, flags);

	if (pfn == PFN_NONE)
		pfn = rmqueue_buddy(cpu, z, rq, flags);
	if (pfn == PFN_NONE)
		return pfn;
	page_count_taken(cpu, z, rq->preferred, rq->order, 1);
	if (unlikely(fair_is_on(cpu->lab)))
		fair_take(cpu, z, 1ULL << rq->order);
	return pfn;
}

/* ---- one walk ---- */

static void tell_mark(struct cpu *cpu, const struct zone *z, const struct request *rq, unsigned int flags,
		      uint64_t mark, struct wmark_walk walk)
{
	struct wmark_terms t;

	zone_watermark_terms(cpu->lab, z, rq->order, mark, rq->high, flags, walk, &t);
	tell(cpu, z->index, NOTE_mark_seen, flags & ALLOC_MARK, t.need, t.free, t.protection, t.fault, rq->order);
	if (t.free != peek(z->free_pages))
		tell(cpu, z->index, NOTE_free_drift, t.free, peek(z->free_pages), peek(z->stat_threshold));
	if (t.fault == MARK_TOO_FEW && (t.need != mark || peek(z->boost)))
		tell(cpu, z->index, NOTE_mark_terms, mark, peek(z->boost), t.heeded, t.protection, t.reserved,
		     (1ULL << rq->order) - 1);
}

/* A boost is no reason to refuse those who cannot wait for what it is to bring: to 6.2 __GFP_ATOMIC, then __GFP_HIGH. */
static bool passes_unboosted(struct cpu *cpu, const struct zone *z, const struct request *rq, unsigned int flags,
			     struct wmark_walk walk)
{
	bool urgent = page_policy(cpu->lab)->era >= PAGE_ERA_6_18 ? flags & ALLOC_MIN_RESERVE : rq->gfp & GFP_BIT_ATOMIC;

	if (rq->order || !urgent || (flags & ALLOC_MARK) != WMARK_MIN || !peek(z->boost))
		return false;
	if (TELLING)
		tell_mark(cpu, z, rq, flags, z->mark[WMARK_MIN], walk);
	return zone_watermark_ok(cpu->lab, z, 0, z->mark[WMARK_MIN], rq->high, flags, &walk);
}

static bool check_mark(struct cpu *cpu, const struct zone *z, const struct request *rq, unsigned int flags,
		       uint64_t above, struct wmark_walk *walk)
{
	uint64_t mark = zone_mark(z, flags & ALLOC_MARK) + above;
	struct zone_cpu *zc = zone_cpu(cpu, z);

	emit_page(cpu, zc, EV_wmark_check, rq->order, mark, zone_free_seen(cpu->lab, z));
	if (TELLING)
		tell_mark(cpu, z, rq, flags, mark, *walk);
	if (likely(zone_watermark_ok(cpu->lab, z, rq->order, mark, rq->high, flags, walk)) ||
	    passes_unboosted(cpu, z, rq, flags, *walk))
		return true;
	emit_page(cpu, zc, EV_wmark_fail, rq->order, mark, zone_free_seen(cpu->lab, z));
	return flags & ALLOC_NO_WATERMARKS;
}

/* From 6.7 on a zone that an allocation finds under its high mark lets its CPUs' lists shrink. */
static void note_below_high(struct cpu *cpu, struct zone *z, const struct request *rq, unsigned int flags)
{
	struct wmark_walk walk = { .sum = 1ULL << rq->order, .may_wait = true };

	if (!peek(z->below_high) &&
	    !zone_watermark_ok(cpu->lab, z, rq->order, zone_mark(z, WMARK_HIGH), rq->high, flags, &walk))
		poke(z->below_high, 1);
}

static bool is_remote(const struct cpu *cpu, const struct zone *z, const struct request *rq)
{
	return cpu->lab->nr_nodes > 1 && z->node != rq->preferred->node;
}

/* Zones that take turns are those of the preferred one's node; 3.12 went farther. */
static bool ends_at(const struct cpu *cpu, const struct zone *z, const struct request *rq)
{
	const struct page_policy *p = page_policy(cpu->lab);

	return is_remote(cpu, z, rq) && (p->fair == FAIR_LOWCOST || p->fair_second_pass == FAIR_RETRY);
}

static bool passes_over(struct cpu *cpu, const struct zone *z)
{
	if (!fair_is_used_up(cpu->lab, z))
		return false;
	emit_page(cpu, zone_cpu(cpu, z), EV_fair_skip, z->index, 0, 0);
	return true;
}

/* One pass along the zonelist; *again: it stopped, or ended, for the sake of NOFRAGMENT alone. */
static pfn_t walk_once(struct cpu *cpu, const struct request *rq, unsigned int flags, bool *again, bool *skipped)
{
	struct wmark_walk walk = { .sum = 1ULL << rq->order, .may_wait = rq->gfp & GFP_BIT_DIRECT_RECLAIM };

	*again = flags & ALLOC_NOFRAGMENT;
	emit_page(cpu, zone_cpu(cpu, rq->preferred), EV_zonelist_scan, rq->preferred->index, 0, 0);
	for (unsigned int i = 0; i < rq->nr; i++) {
		struct zone *z = &cpu->lab->zones[rq->list[i]];
		pfn_t pfn;

		if (z->kind > rq->high)
			continue;
		/* a near page in a mixed block is better than a far one */
		if (flags & ALLOC_NOFRAGMENT && is_remote(cpu, z, rq)) {
			tell(cpu, z->index, NOTE_remote_stop, z->index);
			return PFN_NONE;
		}
		if (unlikely(flags & ALLOC_FAIR) && ends_at(cpu, z, rq))
			return PFN_NONE;
		emit_page(cpu, zone_cpu(cpu, z), EV_zone_visit, z->index, 0, 0);
		if (unlikely(flags & ALLOC_FAIR) && passes_over(cpu, z)) {
			*skipped = true;
			continue;
		}
		if (unlikely(page_policy(cpu->lab)->pcp_model >= PCP_MODEL_6_7))
			note_below_high(cpu, z, rq, flags);
		if (!check_mark(cpu, z, rq, flags, 0, &walk))
			continue;
		pfn = rmqueue(cpu, z, rq, flags);
		if (unlikely(peek(z->boosted)))
			V(kswapd_tell_boosted)(cpu, z);
		if (pfn == PFN_NONE)
			continue;
		if (unlikely(flags & ALLOC_HIGHATOMIC))
			V(highatomic_reserve)(cpu, z, pfn);
		return pfn;
	}
	return PFN_NONE;
}

static pfn_t walk_tidily(struct cpu *cpu, const struct request *rq, unsigned int flags, bool *skipped)
{
	bool again;
	pfn_t pfn = walk_once(cpu, rq, flags, &again, skipped);

	if (pfn != PFN_NONE || !again)
		return pfn;
	emit_page(cpu, zone_cpu(cpu, rq->preferred), EV_nofragment_retry, rq->preferred->index, 0, 0);
	return walk_once(cpu, rq, flags & ~(unsigned int)ALLOC_NOFRAGMENT, &again, skipped);
}

/*
 * A new round: full batches for the zones that took turns, which are those of
 * the node (lowcost: up to the preferred one), or of the whole list.
 */
static void fair_reset(struct cpu *cpu, const struct request *rq)
{
	const struct page_policy *p = page_policy(cpu->lab);

	emit_page(cpu, zone_cpu(cpu, rq->preferred), EV_fair_reset, rq->preferred->index, 0, 0);
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		struct zone *z = &cpu->lab->zones[i];
		bool own = z->node == rq->preferred->node;

		if (p->fair == FAIR_LOWCOST ? own && z->kind <= rq->preferred->kind :
		    own || p->fair_second_pass == FAIR_SLOWPATH)
			fair_refill_by(cpu, z);
	}
}

/* Zones take turns in the first walk; what comes after one that found nothing depends on the time. */
static __attribute__((noinline)) pfn_t walk_fairly(struct cpu *cpu, const struct request *rq, unsigned int flags)
{
	const struct page_policy *p = page_policy(cpu->lab);
	bool skipped = false;
	pfn_t pfn = walk_tidily(cpu, rq, flags, &skipped);

	if (pfn != PFN_NONE)
		return pfn;
	flags &= ~(unsigned int)ALLOC_FAIR;
	if (p->fair == FAIR_LOWCOST) {
		if (skipped)
			fair_reset(cpu, rq);
		else if (cpu->lab->nr_nodes == 1)
			return pfn;
		return walk_tidily(cpu, rq, flags, &skipped);
	}
	fair_reset(cpu, rq);
	return p->fair_second_pass == FAIR_RETRY ? walk_tidily(cpu, rq, flags, &skipped) : pfn;
}

pfn_t V(get_page_from_freelist)(struct cpu *cpu, const struct request *rq, unsigned int flags)
{
	bool skipped;

	if (unlikely(flags & ALLOC_FAIR))
		return walk_fairly(cpu, rq, flags);
	return walk_tidily(cpu, rq, flags, &skipped);
}

static unsigned int fast_flags(const struct cpu *cpu, const struct request *rq)
{
	unsigned int flags = WMARK_LOW;

	if (rq->gfp & GFP_BIT_KSWAPD_RECLAIM)
		flags |= ALLOC_KSWAPD;
	if (page_policy(cpu->lab)->nofragment && rq->preferred->may_avoid_mixing)
		flags |= ALLOC_NOFRAGMENT;
	if (unlikely(fair_is_on(cpu->lab)))
		flags |= ALLOC_FAIR;
	return flags;
}

/* ---- alloc ---- */

static void tell_request(struct cpu *cpu, const struct request *rq, int node)
{
	uint32_t zone = rq->preferred ? rq->preferred->index : UINT16_MAX;

	tell(cpu, zone, NOTE_request, rq->order, rq->gfp, rq->type, rq->high, zone,
	     (uint64_t)(node < 0 ? (int)cpu->node : node));
}

static __attribute__((noinline)) pfn_t alloc_asked(struct cpu *cpu, unsigned int order, uint32_t gfp, int node, bool once)
{
	struct request rq;
	pfn_t pfn = PFN_NONE;

	if (order <= MAX_PAGE_ORDER) {
		request_init(&rq, cpu, order, gfp, node);
		if (TELLING)
			tell_request(cpu, &rq, node);
		if (rq.preferred)
			pfn = V(get_page_from_freelist)(cpu, &rq, fast_flags(cpu, &rq));
		if (unlikely(rq.preferred && pfn == PFN_NONE && !once))
			pfn = V(alloc_slow)(cpu, &rq);
	}
	if (pfn == PFN_NONE) {
		emit_lab(cpu, EV_alloc_fail, order, gfp, 0);
		return pfn;
	}
	prepare(cpu, pfn, order, gfp, rq.type);
	emit_page_order(cpu, zone_cpu(cpu, page_zone(cpu->lab, pfn)), EV_mm_page_alloc, order, pfn, order, rq.type);
	tell_more(cpu, EV_mm_page_alloc, TPX_GFP, gfp);
	return pfn;
}

/* Fault injection has the request fail. */
static bool is_refused(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	if (!page_should_fail(cpu, order, gfp))
		return false;
	cpu->path |= WENT_TO_NO_ZONE;
	emit_lab(cpu, EV_fail_page_alloc_hits, order, gfp, 0);
	return true;
}

static pfn_t alloc_walk(struct cpu *cpu, unsigned int order, uint32_t gfp, int node, bool once)
{
	return is_refused(cpu, order, gfp) ? PFN_NONE : alloc_asked(cpu, order, gfp, node, once);
}

static bool has_type(const struct zone *z, unsigned int order, enum mtype type)
{
	for (; order < NR_PAGE_ORDERS; order++)
		if (peek(z->area[order].list[type].head) != PFN_NONE)
			return true;
	return false;
}

/*
 * A block of an order without lists, from the first zone of the CPU's own node,
 * with much free there; else PFN_NONE, and nothing was counted. The walk would
 * do the same. A fallback to other types is for the walk.
 */
static pfn_t block_alloc_quick(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	const struct quick *q = &cpu_quick(cpu->zone_cpu)->by_gfp[gfp & QUICK_GFP];
	uint8_t *parts = (uint8_t *)cpu->zone_cpu;
	struct zone *z = (struct zone *)(parts + q->zone);
	struct zone_cpu *zc = (struct zone_cpu *)(parts + q->part);
	uint64_t free = peek(z->free_pages), mark = peek(*(const uint64_t *)(parts + q->mark_block));
	pfn_t pfn;

	if (TELLING || free <= mark || free - mark < 1UL << order || pcp_has_order(&zc->pcp, order) || peek(z->boosted) ||
	    !has_type(z, order, q->type))
		return PFN_NONE;
	zone_lock_take(cpu, z);
	pfn = V(rmqueue_smallest)(cpu, z, order, q->type);
	if (pfn != PFN_NONE)
		zone_free_add(cpu, z, -(int64_t)(1UL << order));
	zone_lock_give(cpu, z);
	if (pfn == PFN_NONE)
		return pfn;
	poke(zc->touched, 1);
	prepare(cpu, pfn, order, gfp, q->type);
	if (COUNTING) {
		bump(zc->pcp.quick_blocks, 1);
		bump(zc->ev[EV_pgalloc], 1UL << order);
		bump(zc->by_order[EV_mm_page_alloc][order], 1);
	}
	return pfn;
}

pfn_t V(alloc_pages)(struct cpu *cpu, unsigned int order, uint32_t gfp, int node)
{
	pfn_t pfn = PFN_NONE;

	if (likely(node < 0 && order == 0))
		pfn = page_alloc_quick(cpu, gfp);
	if (pfn == PFN_NONE && node < 0 && order <= MAX_PAGE_ORDER)
		pfn = block_alloc_quick(cpu, order, gfp);
	return likely(pfn != PFN_NONE) ? pfn : alloc_walk(cpu, order, gfp, node, false);
}

pfn_t V(alloc_pages_once)(struct cpu *cpu, unsigned int order, uint32_t gfp, int node)
{
	return alloc_walk(cpu, order, gfp, node, true);
}

/* ---- bulk alloc ---- */

/* The first zone of the preferred one's node with n pages above its low mark, NULL if there is none. */
static struct zone *bulk_zone(struct cpu *cpu, const struct request *rq, unsigned int flags, unsigned int n)
{
	struct wmark_walk walk = { .sum = 1, .may_wait = rq->gfp & GFP_BIT_DIRECT_RECLAIM };

	emit_page(cpu, zone_cpu(cpu, rq->preferred), EV_zonelist_scan, rq->preferred->index, 0, 0);
	for (unsigned int i = 0; i < rq->nr; i++) {
		struct zone *z = &cpu->lab->zones[rq->list[i]];

		if (z->kind > rq->high)
			continue;
		if (is_remote(cpu, z, rq))
			return NULL;
		emit_page(cpu, zone_cpu(cpu, z), EV_zone_visit, z->index, 0, 0);
		if (check_mark(cpu, z, rq, flags, n, &walk))
			return z;
	}
	return NULL;
}

/* Those that wait on a list, as many as are wanted and there. */
static unsigned int take_waiting(struct cpu *cpu, struct pcp *pcp, struct pcp_list *list, enum mtype type,
				 unsigned int n, pfn_t *out)
{
	uint32_t kind = page_kind(PAGE_ALLOCATED, 0, type);
	struct page *pages = cpu->pages;
	pfn_t pfn = list->head;
	unsigned int got = 0;

	for (; got < n && pfn != PFN_NONE; pfn = pages[pfn].next) {
		page_set_kind(&pages[pfn], kind);
		out[got++] = pfn;
	}
	list->head = pfn;
	bump(pcp->count, -got);
	return got;
}

/* n pages off one list, the CPU's list lock held once. */
static unsigned int bulk_take(struct cpu *cpu, struct zone *z, const struct request *rq, unsigned int flags,
			      unsigned int n, pfn_t *out)
{
	struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	struct pcp_list *list = &pcp->lists[rq->type];
	unsigned int got = 0;

	if (!pcp_has_order(pcp, 0) || !cpu_pcp_try(cpu))
		return 0;
	tell(cpu, z->index, NOTE_pcp_list, rq->type, pcp_length(cpu->pages, list), pcp->count, pcp->high);
	while (got < n) {
		if (likely(pcp_model_has_types(pcp)))
			got += take_waiting(cpu, pcp, list, rq->type, n - got, out + got);
		if (got == n || (out[got] = V(pcp_take)(cpu, z, 0, rq->type, flags)) == PFN_NONE)
			break;
		page_set_kind(&cpu->pages[out[got++]], page_kind(PAGE_ALLOCATED, 0, rq->type));
	}
	cpu_pcp_done(cpu);
	for (unsigned int i = 0; unlikely(rq->gfp & GFP_BIT_ZERO) && i < got; i++)
		memset(page_memory(cpu->lab, out[i]), 0, PAGE_SIZE);
	return got;
}

unsigned int V(alloc_pages_bulk)(struct cpu *cpu, uint32_t gfp, int node, unsigned int n, pfn_t *out)
{
	const unsigned int flags = WMARK_LOW;
	struct request rq;
	struct zone *z = NULL;
	unsigned int got = 0;

	if (!n || is_refused(cpu, 0, gfp))	/* asked once, as in the kernel */
		return 0;
	request_init(&rq, cpu, 0, gfp, node);
	if (TELLING)
		tell_request(cpu, &rq, node);
	if (n > 1 && rq.preferred)
		z = bulk_zone(cpu, &rq, flags, n);
	if (z)
		got = bulk_take(cpu, z, &rq, flags, n, out);
	if (got) {
		page_count_taken(cpu, z, rq.preferred, 0, got);
		if (unlikely(fair_is_on(cpu->lab)))
			fair_take(cpu, z, got);
		return got;
	}
	out[0] = node < 0 ? page_alloc_quick(cpu, gfp) : PFN_NONE;
	if (out[0] == PFN_NONE)
		out[0] = alloc_asked(cpu, 0, gfp, node, false);
	return out[0] != PFN_NONE;
}

/* ---- free ---- */

static void free_to_buddy(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	zone_lock_take(cpu, z);
	if (unlikely(pageblock_follows_lists(cpu->lab)))
		type = pageblock_free_type(cpu->lab, pfn);	/* now nobody changes it */
	V(free_one_page)(cpu, z, pfn, order, type, false);
	zone_lock_give(cpu, z);
	poke(zc->touched, 1);
}

static __attribute__((noinline)) void free_slow(struct cpu *cpu, pfn_t pfn, unsigned int order)
{
	struct zone *z = page_zone(cpu->lab, pfn);
	struct zone_cpu *zc = zone_cpu(cpu, z);
	enum mtype type = pageblock_free_type(cpu->lab, pfn);
	enum pcp_bypass why = BYPASS_ORDER;

	if (!zc->pcp.orders) {
		why = BYPASS_DISABLED;
	} else if (pcp_has_order(&zc->pcp, order) && type != MT_ISOLATE) {
		if (cpu_pcp_try(cpu)) {
			V(pcp_give)(cpu, z, pfn, order, type);
			cpu_pcp_done(cpu);
			return;
		}
		why = BYPASS_LOCK;
	}
	emit_page(cpu, zc, EV_pcp_bypass, order, why, 0);
	free_to_buddy(cpu, z, pfn, order, type);
}

static __attribute__((noinline)) void free_walk(struct cpu *cpu, pfn_t pfn, unsigned int order)
{
	struct zone_cpu *zc = zone_cpu(cpu, page_zone(cpu->lab, pfn));

	emit_page_order(cpu, zc, EV_mm_page_free, order, pfn, order, 0);
	emit_page_n(cpu, zc, EV_pgfree, 1ULL << order, 1ULL << order, 0, 0);
	free_slow(cpu, pfn, order);
}

void V(page_free_over)(struct cpu *cpu, pfn_t pfn)
{
	struct zone *z = page_zone(cpu->lab, pfn);
	const struct pcp *pcp = &zone_cpu(cpu, z)->pcp;
	unsigned int list = pcp_model_has_types(pcp) ? cpu->pages[pfn].mtype : 0;

	if (pcp_model_is_old(pcp))
		V(pcp_old_over)(cpu, z, list);
	else
		V(pcp_over)(cpu, z, 0, list);
}

void V(free_pages)(struct cpu *cpu, pfn_t pfn, unsigned int order)
{
	if (unlikely(order || !page_free_quick(cpu, pfn)))
		free_walk(cpu, pfn, order);
}

/* ---- list free ---- */

/* Onto its list, as a page that nobody will want soon where lists have a cold end. */
static void give_listed(struct cpu *cpu, struct zone *z, struct pcp *pcp, pfn_t pfn, enum mtype type)
{
	unsigned int list;

	if (unlikely(pcp_model_is_old(pcp))) {
		V(pcp_old_give)(cpu, z, pfn, type, true);
		return;
	}
	list = pcp_put(cpu->pages, pcp, pfn, 0, type);
	tell(cpu, z->index, NOTE_pcp_put, list, pcp->count, pcp->high, pfn);
	if (unlikely(pcp->count >= peek(pcp->look_at)))
		V(pcp_over)(cpu, z, 0, list);
}

/* A run of pages of one zone, the list lock held once. False if it was not to be had. */
static bool give_run(struct cpu *cpu, struct zone *z, unsigned int n, const pfn_t *pfns)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	if (!pcp_has_order(&zc->pcp, 0) || !cpu_pcp_try(cpu))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		enum mtype type = pageblock_free_type(cpu->lab, pfns[i]);

		if (unlikely(type == MT_ISOLATE)) {
			free_to_buddy(cpu, z, pfns[i], 0, type);
			continue;
		}
		emit_page(cpu, zc, EV_mm_page_free_batched, pfns[i], 0, 0);
		give_listed(cpu, z, &zc->pcp, pfns[i], type);
	}
	cpu_pcp_done(cpu);
	return true;
}

/* Pages from here on that are of one zone and fit one hold of the list lock. */
static unsigned int run_length(const struct lab *lab, unsigned int n, const pfn_t *pfns)
{
	unsigned int zone = lab->blocks[pfns[0] >> TOP_ORDER].zone, run = 1;

	while (run < n && run < LIST_LOCK_PAGES && lab->blocks[pfns[run] >> TOP_ORDER].zone == zone)
		run++;
	return run;
}

/* First every page of the list is told. */
static void tell_list(struct cpu *cpu, unsigned int n, const pfn_t *pfns)
{
	for (unsigned int i = 0; COUNTING && i < n; i++) {
		struct zone_cpu *zc = zone_cpu(cpu, page_zone(cpu->lab, pfns[i]));

		emit_page_order(cpu, zc, EV_mm_page_free, 0, pfns[i], 0, 0);
		emit_page_n(cpu, zc, EV_pgfree, 1, 1, 0, 0);
	}
}

void V(free_page_list)(struct cpu *cpu, unsigned int n, const pfn_t *pfns)
{
	unsigned int run;

	tell_list(cpu, n, pfns);
	for (; n; n -= run, pfns += run) {
		run = run_length(cpu->lab, n, pfns);
		if (give_run(cpu, page_zone(cpu->lab, pfns[0]), run, pfns))
			continue;
		for (unsigned int i = 0; i < run; i++)
			free_slow(cpu, pfns[i], 0);
	}
}
