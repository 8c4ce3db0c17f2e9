/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What views may see (read.h). Figures are read as they stand, with relaxed
 * loads; walks follow the links and need a stop.
 */
#include "page/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "page/area.h"
#include "page/drift.h"
#include "page/kswapd.h"
#include "page/lru.h"
#include "page/pageblock.h"
#include "page/pcp_model.h"

/* ---- figures ---- */

void zone_figures(struct lab *lab, unsigned int zone, bool by_type, struct zone_figures *f)
{
	const struct zone *z = &lab->zones[zone];

	memset(f, 0, sizeof(*f));
	f->index = zone;
	f->node = z->node;
	f->kind = z->kind;
	f->start = z->start;
	f->spanned = f->present = z->spanned;
	f->managed = z->managed;
	f->free = peek(z->free_pages);
	f->free_seen = zone_free_seen(lab, z);
	f->drift_mark = drift_is_on(lab) ? peek(z->drift_mark) : 0;
	f->min = z->mark[WMARK_MIN];
	f->low = z->mark[WMARK_LOW];
	f->high = z->mark[WMARK_HIGH];
	f->boost = peek(z->boost);
	f->reserved_highatomic = peek(z->reserved_highatomic);
	f->fair_batch = peek(z->fair_batch);
	f->due_merges = peek(z->due_merges);
	f->stat_threshold = peek(z->stat_threshold);
	f->lock_acquired = peek(z->lock.acquired);
	f->lock_contended = peek(z->lock.contended);
	f->lock_wait_ns = peek(z->lock.wait_ns);
	for (unsigned int k = 0; k < ZONE_KINDS; k++)
		f->protection[k] = (int64_t)z->protection[k];
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		f->nr_free[o] = peek(z->area[o].nr_free);
		f->lazy_used[o] = peek(z->lazy[o].used);
		f->lazy_delayed[o] = peek(z->lazy[o].local);
		for (unsigned int t = 0; by_type && t < MT_NR; t++)
			f->free_by_type[o][t] = peek(z->area[o].list[t].nr);
	}
}

int zone_find(struct lab *lab, unsigned int node, const char *kind)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == node && !strcmp(zone_kind_names[lab->zones[i].kind], kind))
			return (int)i;
	return -1;
}

void zone_pageblocks(struct lab *lab, unsigned int zone, uint64_t blocks[MT_NR])
{
	const struct zone *z = &lab->zones[zone];
	uint64_t size = 1ULL << pageblock_order(lab);

	memset(blocks, 0, MT_NR * sizeof(*blocks));
	for (uint64_t pfn = z->start; pfn < zone_managed_end(z); pfn += size) {
		enum mtype type = pageblock_type(lab, (pfn_t)pfn);

		if (type < MT_NR)
			blocks[type]++;
	}
}

static bool count_one(pfn_t pfn, void *arg)
{
	(void)pfn;
	++*(uint64_t *)arg;
	return true;
}

void pcp_figures(struct lab *lab, unsigned int zone, unsigned int cpu, struct pcp_figures *p)
{
	const struct zone_cpu *zc = zone_cpu_of(lab, cpu, zone);
	const struct pcp *pcp = &zc->pcp;

	memset(p, 0, sizeof(*p));
	p->count = peek(pcp->count);
	p->batch = pcp->batch;
	p->high = pcp->high;
	p->free_factor = peek(pcp->free_factor);
	p->alloc_factor = pcp->alloc_factor;
	p->high_min = pcp->high_min;
	p->high_max = pcp->high_max;
	p->tunes = pcp_model_tunes(pcp);
	p->free_count = pcp->free_count;
	p->model = pcp->model;
	p->free_diff = drift_is_on(lab) ? peek(zc->free_diff) : 0;
	p->lock_acquired = peek(zc->lock.acquired);
	p->lock_contended = peek(zc->lock.contended);
	p->lock_wait_ns = peek(zc->lock.wait_ns);
	p->lock_hold_ns = peek(zc->lock.hold_ns);
	p->lists = PCP_LISTS;
	for (unsigned int l = 0; l < PCP_LISTS; l++)
		pcp_list_walk(lab, zone, cpu, l, count_one, &p->length[l]);
}

void pcp_size(struct lab *lab, unsigned int zone, unsigned int cpu, uint32_t *count, uint32_t *batch, uint32_t *high)
{
	const struct pcp *pcp = &zone_cpu_of(lab, cpu, zone)->pcp;

	*count = peek(pcp->count);
	*batch = pcp->batch;
	*high = pcp->high;
}

/* What the quick ways stand for (quick.h, alloc.c): all of it in the CPU's own zone and node. */
static uint64_t quick_of(const struct pcp *pcp, enum event_id ev)
{
	switch (ev) {
	case EV_mm_page_alloc:
	case EV_pgalloc:
		return peek(pcp->quick_allocs);
	case EV_zonelist_scan:
	case EV_zone_visit:
	case EV_wmark_check:
	case EV_numa_hit:
	case EV_numa_local:
		return peek(pcp->quick_allocs) + peek(pcp->quick_blocks);
	case EV_pcp_bypass:
		return peek(pcp->quick_blocks);
	case EV_mm_page_free:
	case EV_pgfree:
		return peek(pcp->quick_frees);
	default:
		return 0;
	}
}

static uint64_t event_of(const struct zone_cpu *zc, enum event_id ev, int order)
{
	uint64_t sum = order <= 0 ? quick_of(&zc->pcp, ev) : 0;

	if (ev >= EV_ORDERED_NR)
		return order < 0 ? sum + peek(zc->ev[ev]) : 0;
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		if (order < 0 || (unsigned int)order == o)
			sum += peek(zc->by_order[ev][o]);
	return sum;
}

uint64_t zone_event(struct lab *lab, unsigned int zone, int cpu, enum event_id ev, int order)
{
	uint64_t sum = 0;

	if (ev >= EV_PAGE_NR)
		return 0;
	if (cpu >= 0)
		return event_of(zone_cpu_of(lab, (unsigned int)cpu, zone), ev, order);
	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		sum += event_of(zone_cpu_of(lab, c, zone), ev, order);
	return sum;
}

void node_slab_pages(struct lab *lab, unsigned int node, uint64_t *reclaimable, uint64_t *unreclaimable)
{
	*reclaimable = (uint64_t)peek(lab->nodes[node].slab_reclaimable);
	*unreclaimable = (uint64_t)peek(lab->nodes[node].slab_unreclaimable);
}

/* ---- reclaim ---- */

void lru_zone_figures(struct lab *lab, unsigned int zone, struct lru_figures *f)
{
	const struct reclaim_zone *rz = reclaim_zone(lab, zone);

	for (unsigned int id = 0; id < LRU_LISTS; id++)
		f->list[id] = peek(rz->nr[id]);
	f->dirty = peek(rz->dirty);
	for (unsigned int kind = 0; kind < LRU_KINDS; kind++)
		f->isolated[kind] = peek(rz->isolated[kind]);
	f->kswapd_at_work = peek(rz->active);
}

void node_worker_figures(struct lab *lab, unsigned int node, struct worker_figures *f)
{
	static const char *const states[] = { "asleep", "woken", "running" };
	const struct reclaim_node *rn = reclaim_node(lab, node);
	uint32_t state = peek(rn->kswapd.state);

	f->kswapd = state == KSWAPD_ASLEEP && peek(rn->kswapd.nap_until_ns) > lab_now(lab) ? "napping" :
		    state < ARRAY_SIZE(states) ? states[state] : "?";
	f->order = peek(rn->kswapd.order);
	f->failures = peek(rn->kswapd.failures);
	f->hopeless = f->failures >= KSWAPD_FAILURES_MOST;
	f->kcompactd = peek(rn->kcompactd.wanted) ? "woken" : "asleep";
	f->clock = peek(rn->clock);
}

int lru_place(struct lab *lab, uint64_t off, struct lru_place *p)
{
	const struct lru_entry *e;
	const struct page *page;
	uint32_t nr;
	int ret = lru_entry_find(lab, off, &nr);

	memset(p, 0, sizeof(*p));
	if (ret)
		return ret;
	e = lru_entry(lab, nr);
	p->file = e->kind == LRU_KIND_FILE;
	p->dirty = e->dirty;
	p->pfn = peek(e->pfn);
	p->resident = p->pfn < lab->hdr->shape.pages;
	if (!p->resident)
		return 0;
	page = &lab->pages[p->pfn];
	p->active = lru_flags(page) & LRU_ACTIVE;
	p->referenced = lru_flags(page) & LRU_REFERENCED;
	p->born = page->freelist;
	p->touched = page->counters;
	return 0;
}

void compact_figures(struct lab *lab, unsigned int zone, struct compact_figures *f)
{
	const struct reclaim_zone *rz = reclaim_zone(lab, zone);

	f->migrate_async = (int64_t)peek(rz->migrate_at[0]) - 1;
	f->migrate_sync = (int64_t)peek(rz->migrate_at[1]) - 1;
	f->free = (int64_t)peek(rz->free_at) - 1;
	f->considered = peek(rz->considered);
	f->shift = peek(rz->shift);
	f->order_failed = peek(rz->order_failed);
}

bool page_last_failure(struct lab *lab, struct told_failure *f)
{
	bool any = false;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct told_failure *one = &lab->cpus[i]->part->failure;

		if (!one->failed || (any && one->op < f->op))
			continue;
		*f = *one;
		any = true;
	}
	return any;
}

static int by_op(const void *a, const void *b)
{
	const struct told_failure *x = a, *y = b;

	return x->op != y->op ? (x->op > y->op) - (x->op < y->op) : (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

unsigned int page_failures(const struct lab *lab, struct told_failure *out, uint64_t *ever)
{
	struct told_failure some[2 * FAILURES_KEPT];
	unsigned int nr = 0;

	*ever = 0;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct cpu_part *part = lab->cpus[i]->part;
		unsigned int kept = (unsigned int)min_u64(part->failures - part->forgotten, FAILURES_KEPT);

		*ever += part->failures;
		memcpy(some + nr, part->reported, kept * sizeof(*some));
		nr += kept;
		qsort(some, nr, sizeof(*some), by_op);
		if (nr > FAILURES_KEPT)
			memmove(some, some + nr - FAILURES_KEPT, FAILURES_KEPT * sizeof(*some));
		nr = nr > FAILURES_KEPT ? FAILURES_KEPT : nr;
	}
	memcpy(out, some, nr * sizeof(*some));
	return nr;
}

void page_failures_forget(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		lab->cpus[i]->part->forgotten = lab->cpus[i]->part->failures;
}

uint64_t zone_extfrag_events(struct lab *lab, unsigned int zone, int cpu, unsigned int asked, unsigned int taken)
{
	uint64_t sum = 0;

	if (asked >= PCP_TYPES || taken >= PCP_TYPES)
		return 0;
	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		if (cpu < 0 || (unsigned int)cpu == c)
			sum += peek(zone_cpu_of(lab, c, zone)->extfrag[asked][taken]);
	return sum;
}

/* ---- walks ---- */

void free_list_walk(struct lab *lab, unsigned int zone, unsigned int order, unsigned int type,
		    bool (*fn)(pfn_t pfn, void *arg), void *arg)
{
	pfn_t pfn = peek(lab->zones[zone].area[order].list[type].head);

	for (; pfn != PFN_NONE && fn(pfn, arg); pfn = *area_next(lab, pfn, order))
		;
}

/* Bounded by the count, so that a look without a stop ends, whatever the owner does meanwhile. */
void pcp_list_walk(struct lab *lab, unsigned int zone, unsigned int cpu, unsigned int list,
		   bool (*fn)(pfn_t pfn, void *arg), void *arg)
{
	const struct pcp *pcp = &zone_cpu_of(lab, cpu, zone)->pcp;
	uint32_t left = peek(pcp->count) >> pcp_list_order(list);

	for (pfn_t pfn = peek(pcp->lists[list].head); pfn != PFN_NONE && left-- && fn(pfn, arg);
	     pfn = peek(lab->pages[pfn].next))
		;
}

unsigned int zonelist_read(struct lab *lab, unsigned int node, unsigned int zones[MAX_ZONES])
{
	const struct node *n = &lab->nodes[node];

	for (unsigned int i = 0; i < n->nr_list; i++)
		zones[i] = n->list[i];
	return n->nr_list;
}

/* ---- where a page is ---- */

struct seek {
	pfn_t pfn;
	unsigned int position;
	bool found;
};

static bool seek_one(pfn_t pfn, void *arg)
{
	struct seek *s = arg;

	s->found = pfn == s->pfn;
	s->position += !s->found;
	return !s->found;
}

static void find_on_free_list(struct lab *lab, struct page_place *p)
{
	struct seek s = { .pfn = p->head };

	p->list = area_type(lab, p->head, p->order);
	free_list_walk(lab, p->zone, p->order, p->list, seek_one, &s);
	p->position = s.position;
}

/* Which list of its order that is depends on the model. */
static void find_on_pcp(struct lab *lab, struct page_place *p)
{
	for (unsigned int cpu = 0; cpu < lab->nr_cpus; cpu++)
		for (unsigned int l = 0; l < PCP_LISTS; l++) {
			struct seek s = { .pfn = p->head };

			if (pcp_list_order(l) != p->order)
				continue;
			pcp_list_walk(lab, p->zone, cpu, l, seek_one, &s);
			if (!s.found)
				continue;
			p->list = l;
			p->cpu = cpu;
			p->position = s.position;
			return;
		}
}

int page_place(struct lab *lab, pfn_t pfn, struct page_place *p)
{
	struct page_extent e;
	const struct zone *z;

	memset(p, 0, sizeof(*p));
	if (pfn >= lab->hdr->shape.pages)
		return fail(EINVAL, "page %u is outside the lab (0 .. %llu)", pfn,
			    (unsigned long long)lab->hdr->shape.pages - 1);
	z = page_zone(lab, pfn);
	p->head = pfn;
	p->zone = z->index;
	p->node = z->node;
	p->block_type = pageblock_type(lab, pfn);
	page_extent(lab, pfn, &e);
	p->role = e.role;
	if (e.role == PAGE_RESERVED)
		return 0;
	p->head = e.pfn;
	p->order = e.order;
	if (p->role == PAGE_BUDDY || p->role == PAGE_DELAYED)
		find_on_free_list(lab, p);
	else if (p->role == PAGE_ON_PCP)
		find_on_pcp(lab, p);
	else if (p->role == PAGE_SLAB)
		p->store = lab->pages[pfn].store;
	return 0;
}
