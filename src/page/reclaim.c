/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning LRU lists (reclaim.md section 4) and direct reclaim (section 5). Compiled once a variant. */
#include "page/reclaim.h"

#include <string.h>

#include "base/bits.h"
#include "page/alloc.h"
#include "page/compact.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/request.h"
#include "page/shrink.h"
#include "page/watermark.h"

static const enum event_id pgscan_by[2] = { EV_pgscan_direct, EV_pgscan_kswapd };
static const enum event_id pgsteal_by[2] = { EV_pgsteal_direct, EV_pgsteal_kswapd };
static const enum event_id pgscan_of[LRU_KINDS] = { EV_pgscan_anon, EV_pgscan_file };
static const enum event_id pgsteal_of[LRU_KINDS] = { EV_pgsteal_anon, EV_pgsteal_file };
static const enum event_id pgskip_of[] = {
	[ZONE_DMA] = EV_pgskip_dma, [ZONE_DMA32] = EV_pgskip_dma32, [ZONE_NORMAL] = EV_pgskip_normal,
	[ZONE_HIGHMEM] = EV_pgskip_normal, [ZONE_MOVABLE] = EV_pgskip_movable, [ZONE_DEVICE] = EV_pgskip_movable,
};
static const enum event_id allocstall_of[] = {
	[ZONE_DMA] = EV_allocstall_dma, [ZONE_DMA32] = EV_allocstall_dma32, [ZONE_NORMAL] = EV_allocstall_normal,
	[ZONE_HIGHMEM] = EV_allocstall_normal, [ZONE_MOVABLE] = EV_allocstall_movable, [ZONE_DEVICE] = EV_allocstall_normal,
};

/* ---- one batch of one list ---- */

/* The lists that one scan is about: a node's, or one zone's. */
struct target {
	struct reclaim_node *rn;
	struct lruvec *vec;
	const struct zone *zone;	/* NULL: all zones of the node up to s->high */
};

static uint64_t target_size(const struct lab *lab, const struct scan *s, const struct target *t, unsigned int id)
{
	return t->zone ? peek(reclaim_zone(lab, t->zone->index)->nr[id]) : lru_size(lab, s->node, s->high, (enum lru_list_id)id);
}

/*
 * Take up to k pages off the tail. Pages of zones that would not help go to
 * the head and use up nothing. Under the node's lock.
 */
static unsigned int isolate(struct cpu *cpu, const struct scan *s, struct lruvec *vec, unsigned int id, unsigned int k,
			    pfn_t *out)
{
	struct lru_list *l = &vec->list[id];
	unsigned int nr = 0;

	for (uint64_t left = l->nr; left && nr < k; left--) {
		pfn_t pfn = l->tail;
		const struct zone *z = page_zone(cpu->lab, pfn);

		lru_unlink(cpu->lab, pfn);
		if (z->kind <= s->high) {
			out[nr++] = pfn;
			continue;
		}
		lru_link(cpu->lab, pfn, false);
		emit_lab(cpu, pgskip_of[z->kind], pfn, 0, 0);
	}
	return nr;
}

/* The page leaves its entry: the owner finds it evicted. Under the node's lock. */
static void evict(struct lab *lab, pfn_t pfn)
{
	struct page *page = &lab->pages[pfn];
	struct lru_entry *e = lru_entry(lab, page->slab_nr);

	if (lru_flags(page) & LRU_DIRTY)
		lru_dirty_add(lab, pfn, -1);
	poke(e->state, ENTRY_EVICTED);
	__atomic_store_n(&e->pfn, PFN_NONE, __ATOMIC_RELEASE);	/* last: from here on the entry is its owner's again */
	page_set_kind(page, page_kind(PAGE_ALLOCATED, 0, (enum mtype)page->mtype));
}

/*
 * Last touch of the oldest page on the same list of the node that is another
 * zone's: with lists by zone the tails, else the first one behind the tail.
 */
#define ELSEWHERE_STEPS 32
static uint64_t oldest_elsewhere(const struct lab *lab, const struct scan *s, const struct target *t, unsigned int id,
				 const struct zone *z)
{
	uint64_t oldest = UINT64_MAX;
	unsigned int steps = 0;
	bool alone = true;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct lru_list *l = &reclaim_zone(lab, i)->vec.list[id];

		if (&lab->zones[i] == z || lab->zones[i].node != s->node)
			continue;
		alone = false;
		if (t->zone && l->nr)
			oldest = min_u64(oldest, lab->pages[l->tail].counters);
	}
	if (alone || t->zone || !t->vec->list[id].nr)
		return oldest;
	for (pfn_t pfn = t->vec->list[id].tail; pfn != PFN_NONE && steps++ < ELSEWHERE_STEPS; pfn = lab->pages[pfn].prev)
		if (page_zone(lab, pfn) != z)
			return lab->pages[pfn].counters;
	return oldest;
}

/* How old it became, and was an older one left in another zone? Under the node's lock, before it is evicted. */
static void count_age(struct cpu *cpu, const struct scan *s, const struct target *t, unsigned int id, pfn_t pfn)
{
	const struct zone *z = page_zone(cpu->lab, pfn);
	struct zone_cpu *zc = zone_cpu(cpu, z);
	uint64_t touched = cpu->lab->pages[pfn].counters, age = t->rn->clock - touched;

	/* not told: a story of reclaim would be of little else */
	bump(zc->ev[EV_lru_age_sum], age);
	bump(zc->ev[EV_lru_aged], 1);
	if (touched <= oldest_elsewhere(cpu->lab, s, t, id, z))
		return;
	emit_page(cpu, zc, EV_lru_age_inversion, pfn, age, 0);
}

static void give_away(struct cpu *cpu, unsigned int nr, const pfn_t *pfns)
{
	struct reclaim_head *h = reclaim_head(cpu->lab);

	if (!nr)
		return;
	lock_take(cpu, &h->entries_lock, COUNTING);
	poke(h->resident, h->resident - nr);
	poke(h->evicted, h->evicted + nr);
	lock_give(cpu, &h->entries_lock);
	V(free_page_list)(cpu, nr, pfns);
}

/* Pages of one batch are told by zone, as they may be of several. */
static void count_pages(struct cpu *cpu, unsigned int nr, const pfn_t *pfns, enum event_id by, enum event_id of)
{
	for (unsigned int i = 0; COUNTING && i < nr; i++) {
		struct zone_cpu *zc = zone_cpu(cpu, page_zone(cpu->lab, pfns[i]));

		bump(zc->ev[by], 1);
		bump(zc->ev[of], 1);
	}
}

static uint64_t shrink_inactive(struct cpu *cpu, struct scan *s, const struct target *t, unsigned int id, unsigned int k)
{
	enum lru_kind kind = id >= LRU_INACTIVE_FILE ? LRU_KIND_FILE : LRU_KIND_ANON;
	pfn_t taken[RECLAIM_BATCH_MOST], gone[RECLAIM_BATCH_MOST];
	unsigned int nr, nr_gone = 0;

	lock_take(cpu, &t->rn->lock, COUNTING);
	nr = isolate(cpu, s, t->vec, id, k, taken);
	for (unsigned int i = 0; i < nr; i++) {
		struct page *page = &cpu->lab->pages[taken[i]];
		uint8_t flags = lru_flags(page);

		if (!(flags & (LRU_REFERENCED | LRU_DIRTY))) {
			if (COUNTING)
				count_age(cpu, s, t, id, taken[i]);
			evict(cpu->lab, taken[i]);
			gone[nr_gone++] = taken[i];
			continue;
		}
		lru_set(page, PAGE_LRU, flags & ~(uint32_t)LRU_REFERENCED);
		lru_link(cpu->lab, taken[i], false);
	}
	lock_give(cpu, &t->rn->lock);
	count_pages(cpu, nr, taken, pgscan_by[s->kswapd], pgscan_of[kind]);
	count_pages(cpu, nr_gone, gone, pgsteal_by[s->kswapd], pgsteal_of[kind]);
	emit_lab(cpu, EV_mm_vmscan_lru_shrink_inactive, nr, nr_gone, s->priority);
	give_away(cpu, nr_gone, gone);
	s->scanned += nr;
	s->reclaimed += nr_gone;
	return nr_gone;
}

static void shrink_active(struct cpu *cpu, struct scan *s, const struct target *t, unsigned int id, unsigned int k)
{
	pfn_t taken[RECLAIM_BATCH_MOST];
	unsigned int nr;

	lock_take(cpu, &t->rn->lock, COUNTING);
	nr = isolate(cpu, s, t->vec, id, k, taken);
	for (unsigned int i = 0; i < nr; i++) {
		struct page *page = &cpu->lab->pages[taken[i]];

		lru_set(page, PAGE_LRU, lru_flags(page) & ~(uint32_t)(LRU_ACTIVE | LRU_REFERENCED));
		lru_link(cpu->lab, taken[i], false);
	}
	lock_give(cpu, &t->rn->lock);
	count_pages(cpu, nr, taken, EV_pgrefill, EV_pgdeactivate);
	emit_lab(cpu, EV_mm_vmscan_lru_shrink_active, nr, nr, s->priority);
}

/* ---- how much of each list ---- */

/* Too few inactive ones: then active ones may lose their place. */
static bool inactive_is_low(const struct lab *lab, const struct scan *s, const struct target *t, unsigned int inactive)
{
	uint64_t in = target_size(lab, s, t, inactive), active = target_size(lab, s, t, inactive + 1);
	uint64_t gib = (in + active) >> (30 - PAGE_SHIFT), ratio = gib ? isqrt(10 * gib) : 1;

	return in * ratio < active;
}

static bool may_deactivate(const struct lab *lab, const struct scan *s, const struct target *t, enum lru_kind kind)
{
	return peek(t->rn->refaults[kind]) != peek(t->rn->refaults_seen[kind]) ||
	       inactive_is_low(lab, s, t, kind == LRU_KIND_FILE ? LRU_INACTIVE_FILE : LRU_INACTIVE_ANON);
}

/* File pages are almost gone: freeing the last of them would not do. */
static bool file_is_tiny(const struct lab *lab, const struct scan *s, const struct target *t, bool may_anon)
{
	uint64_t high = 0, free = 0, file = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		if (z->node != s->node || (t->zone && t->zone != z))
			continue;
		high += zone_mark(z, WMARK_HIGH);
		free += zone_free_seen(lab, z);
		file += peek(reclaim_zone(lab, i)->nr[LRU_INACTIVE_FILE]) + peek(reclaim_zone(lab, i)->nr[LRU_ACTIVE_FILE]);
	}
	return file + free <= high && !may_anon && target_size(lab, s, t, LRU_INACTIVE_ANON) >> s->priority;
}

/* Each kind's part of a scan: anon, file, of their sum. */
struct shares {
	uint64_t part[LRU_KINDS], of;
};

static struct shares shares_of(struct cpu *cpu, const struct scan *s, const struct target *t, const bool deactivate[LRU_KINDS])
{
	const struct page_policy *p = page_policy(cpu->lab);
	uint64_t lru = 0, a, b, anon, file, total, *cost = t->rn->cost;
	uint64_t swappiness = min_u64(p->swappiness, p->era <= PAGE_ERA_4_2 ? 100 : 200);	/* more since 5.8 */

	if (!p->swap)
		return (struct shares){ { 0, 1 }, 1 };
	if (!s->priority)
		return (struct shares){ { 1, 1 }, 1 };
	if (file_is_tiny(cpu->lab, s, t, deactivate[LRU_KIND_ANON]))
		return (struct shares){ { 1, 0 }, 1 };
	if (target_size(cpu->lab, s, t, LRU_INACTIVE_FILE) >> s->priority && !deactivate[LRU_KIND_FILE])
		return (struct shares){ { 0, 1 }, 1 };
	for (unsigned int id = 0; id < LRU_LISTS; id++)
		lru += target_size(cpu->lab, s, t, id);
	anon = peek(cost[LRU_KIND_ANON]);
	file = peek(cost[LRU_KIND_FILE]);
	for (; anon + file > lru / 4; file /= 2)
		anon /= 2;
	poke(cost[LRU_KIND_ANON], anon);
	poke(cost[LRU_KIND_FILE], file);
	a = 2 * anon + file;
	b = anon + 2 * file;
	total = a + b;
	a = swappiness * (total + 1) / (a + 1);
	b = (200 - swappiness) * (total + 1) / (b + 1);
	return (struct shares){ { a, b }, a + b };
}

static void counts_of(struct cpu *cpu, const struct scan *s, const struct target *t, const bool deactivate[LRU_KINDS],
		      uint64_t nr[LRU_LISTS])
{
	struct shares sh = shares_of(cpu, s, t, deactivate);

	for (unsigned int id = 0; id < LRU_LISTS; id++)
		nr[id] = (target_size(cpu->lab, s, t, id) >> s->priority) * sh.part[id / 2] / sh.of;
}

/* ---- one scan ---- */

/*
 * The goal is reached: stop the kind of which less is left, and scan the other
 * only by the share to which that one was. False: only one kind is left.
 */
static bool balance(uint64_t nr[LRU_LISTS], const uint64_t want[LRU_LISTS])
{
	uint64_t anon = nr[0] + nr[1], file = nr[2] + nr[3], percent;
	unsigned int less = file > anon ? 0 : 2, more = 2 - less;

	if (!anon || !file)
		return false;
	percent = (nr[less] + nr[less + 1]) * 100 / (want[less] + want[less + 1] + 1);
	nr[less] = nr[less + 1] = 0;
	for (unsigned int id = more; id < more + 2; id++) {
		uint64_t done = want[id] - nr[id];

		nr[id] = want[id] * (100 - percent) / 100;
		nr[id] -= min_u64(nr[id], done);
	}
	return true;
}

static void shrink_list(struct cpu *cpu, struct scan *s, const struct target *t, unsigned int id, unsigned int k,
			const bool deactivate[LRU_KINDS], uint64_t *freed)
{
	if (!(id & 1))
		*freed += shrink_inactive(cpu, s, t, id, k);
	else if (deactivate[id / 2])
		shrink_active(cpu, s, t, id, k);
}

static void shrink_target(struct cpu *cpu, struct scan *s, const struct target *t)
{
	unsigned int batch = (unsigned int)page_policy(cpu->lab)->reclaim_batch;
	bool deactivate[LRU_KINDS], adjusted = !s->kswapd && s->priority == RECLAIM_PRIORITY;
	uint64_t nr[LRU_LISTS], want[LRU_LISTS], freed = 0;

	for (unsigned int kind = 0; kind < LRU_KINDS; kind++)
		deactivate[kind] = may_deactivate(cpu->lab, s, t, (enum lru_kind)kind);
	counts_of(cpu, s, t, deactivate, nr);
	memcpy(want, nr, sizeof(want));
	while (nr[LRU_INACTIVE_ANON] || nr[LRU_INACTIVE_FILE] || nr[LRU_ACTIVE_FILE]) {
		for (unsigned int id = 0; id < LRU_LISTS; id++) {
			unsigned int k = (unsigned int)min_u64(nr[id], batch);

			nr[id] -= k;
			if (k)
				shrink_list(cpu, s, t, id, k, deactivate, &freed);
		}
		if (freed < s->goal || adjusted)
			continue;
		if (!balance(nr, want))
			break;
		adjusted = true;
	}
}

static void age_target(struct cpu *cpu, struct scan *s, const struct target *t)
{
	if (page_policy(cpu->lab)->swap && inactive_is_low(cpu->lab, s, t, LRU_INACTIVE_ANON))
		shrink_active(cpu, s, t, LRU_ACTIVE_ANON, (unsigned int)page_policy(cpu->lab)->reclaim_batch);
}

/* fn on the node's lists, or on those of its zones, highest first. */
static void each_target(struct cpu *cpu, struct scan *s,
			void (*fn)(struct cpu *cpu, struct scan *s, const struct target *t))
{
	struct lab *lab = cpu->lab;
	struct target t = { .rn = reclaim_node(lab, s->node) };

	if (page_policy(lab)->lru_scope == LRU_SCOPE_NODE) {
		t.vec = &t.rn->vec;
		fn(cpu, s, &t);
		return;
	}
	for (unsigned int i = lab->nr_zones; i-- > 0;) {
		t.zone = &lab->zones[i];
		t.vec = &reclaim_zone(lab, i)->vec;
		if (t.zone->node == s->node && t.zone->kind <= s->high && t.zone->managed)
			fn(cpu, s, &t);
	}
}

void V(age_anon)(struct cpu *cpu, struct scan *s)
{
	each_target(cpu, s, age_target);
}

/* A large block is wanted: go on while that helps and pages are left, until compaction could start. */
static bool goes_on(const struct lab *lab, const struct scan *s, uint64_t freed)
{
	uint64_t inactive = lru_size(lab, s->node, s->high, LRU_INACTIVE_FILE);

	if (!page_policy(lab)->compact_direct || !s->order || !freed || (s->order <= COSTLY_ORDER && s->priority >= RECLAIM_PRIORITY - 2))
		return false;
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		if (z->node == s->node && z->kind <= s->high && z->managed &&
		    compaction_suitable(lab, z, s->order, 0, s->high) != COMPACT_SKIPPED)
			return false;
	}
	if (page_policy(lab)->swap)
		inactive += lru_size(lab, s->node, s->high, LRU_INACTIVE_ANON);
	return inactive > 2ULL << s->order;
}

/* All pages that a scan may look at. */
static uint64_t scannable(const struct lab *lab, const struct scan *s)
{
	uint64_t pages = 0;

	for (unsigned int id = page_policy(lab)->swap ? 0 : LRU_INACTIVE_FILE; id < LRU_LISTS; id++)
		pages += lru_size(lab, s->node, s->high, (enum lru_list_id)id);
	return pages;
}

/* What others cache, by the measure by which pages were looked at. */
static void shrink_slabs(struct cpu *cpu, struct scan *s, uint64_t scanned)
{
	const struct shrinker *shrinker = cpu->lab->shrinker;
	struct shrink sh = { .node = s->node, .priority = s->priority, .may_fs = s->fs, .lru_scanned = scanned };

	if (!page_policy(cpu->lab)->slab || !shrinker)
		return;
	sh.lru_pages = scannable(cpu->lab, s);
	shrinker->shrink[THIS_VARIANT](cpu, &sh);
	s->reclaimed += sh.pages;
	s->slab_scanned += sh.scanned;
	s->slab_freed += sh.freed;
	s->slab_pages += sh.pages;
}

static void tell_shrunk(struct cpu *cpu, uint32_t zone, const struct scan *s)
{
	if (s->slab_scanned)
		tell(cpu, zone, NOTE_shrunk, s->slab_scanned, s->slab_freed, s->slab_pages);
}

void V(shrink_node)(struct cpu *cpu, struct scan *s)
{
	struct reclaim_node *rn = reclaim_node(cpu->lab, s->node);
	uint64_t before, scanned;

	do {
		before = s->reclaimed;
		scanned = s->scanned;
		each_target(cpu, s, shrink_target);
		each_target(cpu, s, age_target);
		shrink_slabs(cpu, s, s->scanned - scanned);
	} while (goes_on(cpu->lab, s, s->reclaimed - before));
	for (unsigned int kind = 0; kind < LRU_KINDS; kind++)
		poke(rn->refaults_seen[kind], peek(rn->refaults[kind]));
	if (s->reclaimed)
		poke(rn->kswapd.failures, 0);
}

/* ---- direct reclaim ---- */

/* Compaction would do for this request: more pages would not help it. */
static bool compaction_is_ready(const struct lab *lab, const struct zone *z, const struct request *rq)
{
	struct wmark_walk walk = { .sum = 1, .may_wait = true, .count = COUNT_NEAR_MARK };
	enum compact_result r = compaction_suitable(lab, z, rq->order, 0, rq->high);

	if (!may_compact(lab, rq) || r == COMPACT_SKIPPED)
		return false;
	return r == COMPACT_SUCCESS ||
	       zone_watermark_ok(lab, z, 0, zone_mark(z, WMARK_HIGH) + (2ULL << rq->order), rq->high, 0, &walk);
}

/* Each node of the zonelist once. True: compaction can do the rest. */
static bool scan_nodes(struct cpu *cpu, const struct request *rq, struct scan *s)
{
	bool seen[MAX_NODES] = { false }, ready = false;

	for (unsigned int i = 0; i < rq->nr; i++) {
		const struct zone *z = &cpu->lab->zones[rq->list[i]];

		if (z->kind > rq->high)
			continue;
		if (rq->order > COSTLY_ORDER && compaction_is_ready(cpu->lab, z, rq)) {
			ready = true;
			continue;
		}
		if (seen[z->node])
			continue;
		seen[z->node] = true;
		s->node = z->node;
		V(shrink_node)(cpu, s);
	}
	return ready;
}

uint64_t V(direct_reclaim)(struct cpu *cpu, const struct request *rq)
{
	struct scan s = { .high = rq->high, .order = rq->order, .goal = DIRECT_GOAL, .fs = rq->gfp & GFP_BIT_FS };
	bool ready = false;

	emit_lab(cpu, allocstall_of[gfp_high_zone(rq->gfp)], 0, 0, 0);
	emit_lab(cpu, EV_mm_vmscan_direct_reclaim_begin, rq->order, rq->gfp, 0);
	for (s.priority = page_policy(cpu->lab)->reclaim_priority; s.priority >= 0; s.priority--) {
		ready = scan_nodes(cpu, rq, &s);
		if (s.reclaimed >= s.goal || ready)
			break;
	}
	emit_lab(cpu, EV_mm_vmscan_direct_reclaim_end, s.reclaimed, 0, 0);
	tell_shrunk(cpu, rq->preferred->index, &s);
	tell(cpu, rq->preferred->index, NOTE_reclaimed, s.reclaimed, rq->order, ready);
	return s.reclaimed ? s.reclaimed : ready;
}

uint64_t V(reclaim_pages)(struct cpu *cpu, unsigned int node, uint64_t n)
{
	struct scan s = { .node = node, .high = ZONE_KINDS - 1, .goal = n, .fs = true };

	for (s.priority = RECLAIM_PRIORITY; s.priority >= 0 && s.reclaimed < n; s.priority--) {
		s.goal = n - s.reclaimed;
		V(shrink_node)(cpu, &s);
	}
	tell_shrunk(cpu, node_first_zone(cpu->lab, node), &s);
	return s.reclaimed;
}

static void drop_clean(struct cpu *cpu, struct scan *s, const struct target *t, unsigned int id)
{
	for (uint64_t left = t->vec->list[id].nr; left; ) {
		pfn_t taken[DIRECT_GOAL], gone[DIRECT_GOAL];
		unsigned int nr, nr_gone = 0;

		lock_take(cpu, &t->rn->lock, COUNTING);
		nr = isolate(cpu, s, t->vec, id, (unsigned int)min_u64(left, DIRECT_GOAL), taken);
		for (unsigned int i = 0; i < nr; i++) {
			if (lru_flags(&cpu->lab->pages[taken[i]]) & LRU_DIRTY) {
				lru_link(cpu->lab, taken[i], false);
				continue;
			}
			evict(cpu->lab, taken[i]);
			gone[nr_gone++] = taken[i];
		}
		lock_give(cpu, &t->rn->lock);
		give_away(cpu, nr_gone, gone);
		s->reclaimed += nr_gone;
		left -= nr ? nr : left;
	}
}

static void drop_target(struct cpu *cpu, struct scan *s, const struct target *t)
{
	drop_clean(cpu, s, t, LRU_INACTIVE_FILE);
	drop_clean(cpu, s, t, LRU_ACTIVE_FILE);
}

uint64_t V(drop_pagecache)(struct cpu *cpu, unsigned int node)
{
	struct scan s = { .node = node, .high = ZONE_KINDS - 1 };

	each_target(cpu, &s, drop_target);
	return s.reclaimed;
}

uint64_t V(evict_largest)(struct cpu *cpu, const struct request *rq)
{
	struct scan s = { .high = rq->high, .order = 0, .goal = UINT64_MAX };
	uint64_t most = 0;
	const struct zone *from = NULL;

	for (unsigned int i = 0; i < rq->nr; i++) {
		const struct zone *z = &cpu->lab->zones[rq->list[i]];
		uint64_t pages = zone_lru_pages(cpu->lab, z->index);

		if (z->kind <= rq->high && pages > most) {
			most = pages;
			from = z;
		}
	}
	if (!from)
		return 0;
	s.node = from->node;
	for (unsigned int id = 0; id < LRU_LISTS; id++) {
		struct target t = { reclaim_node(cpu->lab, from->node), lruvec_of(cpu->lab, from), from };

		for (uint64_t left = t.vec->list[id].nr; left; left -= min_u64(left, DIRECT_GOAL)) {
			pfn_t taken[DIRECT_GOAL];
			unsigned int nr;

			lock_take(cpu, &t.rn->lock, COUNTING);
			nr = isolate(cpu, &s, t.vec, id, DIRECT_GOAL, taken);
			for (unsigned int i = 0; i < nr; i++)
				evict(cpu->lab, taken[i]);
			lock_give(cpu, &t.rn->lock);
			give_away(cpu, nr, taken);
			s.reclaimed += nr;
		}
	}
	return s.reclaimed;
}
