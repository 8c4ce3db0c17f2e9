/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp_model - the CPUs' page lists as they were, and as they became.
 *
 * Idea. pcp.model chooses how many lists a CPU has for a zone, which end of
 * them is used when, how much a refill fetches and when how much goes back.
 * The model of the default (6.1) and its next of kin are in pcp.c; here are
 *
 *   akpm16    a patch of spring 2002: one list, 16 pages either way, 32 held
 *   hotcold   2.5.45-2.6.24: list 0 hot, list 1 cold, each with a low mark at
 *             which it is refilled and a high one at which a batch goes back
 *   hotcold1  2.6.25-2.6.31: one list, hot pages at the head, cold ones at the
 *             tail; a request looks for a page of its type along it
 *   types     2.6.32-5.13: a list for each type, emptied in turns
 *   6.7, 6.18 the limit `high` tunes itself between high_min and high_max;
 *             refills and drains grow while only one of them happens
 *
 * Models without lists by type hold pages of all types; each says its own.
 * Who frees a list of pages gives them up as cold.
 *
 * Ownership. As in pcp.h.
 */
#ifndef PAGE_PCP_MODEL_H
#define PAGE_PCP_MODEL_H

#include "event/variant.h"
#include "page/pcp.h"
#include "page/policy.h"

/* Lists of one order in front of each other, not one for each type? */
static inline bool pcp_model_is_old(const struct pcp *pcp)
{
	return pcp->model < PCP_MODEL_5_14;
}

static inline bool pcp_model_tunes(const struct pcp *pcp)
{
	return pcp->model >= PCP_MODEL_6_7;
}

static inline bool pcp_model_has_types(const struct pcp *pcp)
{
	return pcp->model >= PCP_MODEL_TYPES;
}

/* Is there one end for pages that nobody will want soon, which are those freed as a list? */
static inline bool pcp_model_has_cold_end(const struct pcp *pcp)
{
	return pcp_model_is_old(pcp) && pcp->model != PCP_MODEL_AKPM16;
}

/* May single pages go the quick ways (quick.h)? Two lists whose lengths count are too much for that. */
static inline bool pcp_model_is_quick(const struct pcp *pcp)
{
	return pcp->model != PCP_MODEL_NONE && pcp->model != PCP_MODEL_HOTCOLD;
}

/* Pages held at which a free asks whether to drain, while kswapd works on the zone or not. 0: each free changes the limit. */
static inline uint32_t pcp_look_at(const struct pcp *pcp, bool reclaimed)
{
	if (pcp_model_tunes(pcp))
		return 0;
	if (pcp->model == PCP_MODEL_AKPM16)
		return pcp->high + 1;
	if (!pcp_model_is_old(pcp) && reclaimed && pcp->high > 4U * pcp->batch)
		return 4U * pcp->batch;
	return pcp->high;
}

/* What the model makes of a zone's size, where the policies leave it open: pages, orders. */
uint32_t pcp_model_batch(const struct page_policy *p, uint64_t managed);
uint32_t pcp_model_high(const struct page_policy *p, uint64_t managed, uint32_t batch, uint64_t low_mark, unsigned int cpus);
uint32_t pcp_model_high_max(const struct page_policy *p, uint64_t managed, uint32_t high, unsigned int cpus);
uint16_t pcp_model_orders(const struct page_policy *p);

#ifdef VARIANT
/* pcp_take() and pcp_give() of the models before 5.14; cold: use the other end, or list. */
pfn_t V(pcp_old_take)(struct cpu *cpu, struct zone *z, enum mtype type, unsigned int flags);
void V(pcp_old_give)(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype type, bool cold);
/* Their drain after a push that reached the limit, to the list of that number. */
void V(pcp_old_over)(struct cpu *cpu, struct zone *z, unsigned int list);

/* Blocks of a refill, and what goes back behind a free, where the limit tunes itself. */
unsigned int V(pcp_tuned_refill)(struct zone *z, struct pcp *pcp, unsigned int order);
uint32_t V(pcp_tuned_drain)(struct cpu *cpu, struct zone *z, unsigned int order, uint32_t *limit);
/* Behind that drain; and each second: pages to let go. */
void V(pcp_tuned_drained)(struct cpu *cpu, struct zone *z);
uint32_t V(pcp_tuned_decay)(struct pcp *pcp);

/* pcp.c: see there. */
void V(pcp_bulk_free)(struct cpu *cpu, struct zone *z, uint32_t n, unsigned int nr, uint32_t lists);
unsigned int V(pcp_fetch)(struct cpu *cpu, struct zone *z, unsigned int list, unsigned int order, enum mtype type,
			  unsigned int want, unsigned int flags, bool in_front);
#endif

#endif
