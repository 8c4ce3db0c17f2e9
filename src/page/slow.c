/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow path of a request (reclaim.md sections 1, 6.6 and 7). Compiled once a variant. */
#include "page/slow.h"

#include <sched.h>

#include "base/bits.h"
#include "cpu/drain.h"
#include "page/compact.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/fair.h"
#include "page/fallback.h"
#include "page/highatomic.h"
#include "page/kswapd.h"
#include "page/lazy.h"
#include "page/pcp.h"
#include "page/quick.h"
#include "page/reclaim.h"
#include "page/watermark.h"

#define RETRIES_MOST 16
#define YIELDS_MOST 1000	/* of a __GFP_NOFAIL request among others */

struct slow {
	const struct request *rq;
	unsigned int flags;
	enum compact_priority priority;
	enum compact_result result;
	unsigned int no_progress, compactions, yields;
	uint64_t progress;		/* pages of the last direct reclaim */
	uint64_t reclaimed;		/* of all of them */
	enum slow_step step;		/* tried last */
	bool ran_out;			/* the lab is to be stopped for it */
};

static inline bool may_block(const struct request *rq)
{
	return rq->gfp & GFP_BIT_DIRECT_RECLAIM;
}

static inline bool is_costly(const struct request *rq)
{
	return rq->order > COSTLY_ORDER;
}

static inline bool has_all_rights(const struct request *rq)
{
	return (rq->gfp & (GFP_BIT_MEMALLOC | GFP_BIT_NOMEMALLOC)) == GFP_BIT_MEMALLOC;
}

static unsigned int slow_flags(const struct request *rq)
{
	unsigned int flags = WMARK_MIN;

	if (rq->gfp & GFP_BIT_HIGH)
		flags |= ALLOC_MIN_RESERVE;
	if (rq->gfp & GFP_BIT_KSWAPD_RECLAIM)
		flags |= ALLOC_KSWAPD;
	if (!(rq->gfp & (GFP_BIT_DIRECT_RECLAIM | GFP_BIT_NOMEMALLOC))) {
		flags |= ALLOC_NON_BLOCK;
		if (rq->order && rq->gfp & GFP_BIT_HIGH)
			flags |= ALLOC_HIGHATOMIC;
	}
	return flags;
}

/* One pass with these rights, as this step. */
static pfn_t pass(struct cpu *cpu, struct slow *s, unsigned int flags, enum slow_step step)
{
	const struct request *rq = s->rq;

	s->step = step;
	tell(cpu, rq->preferred->index, NOTE_walk_again, flags & ALLOC_MARK,
	     (flags & ALLOC_MIN_RESERVE ? RIGHT_HALF : 0) | (flags & ALLOC_NO_WATERMARKS ? RIGHT_ALL : 0) |
	     (flags & ALLOC_NON_BLOCK ? RIGHT_NO_WAIT : 0), step);
	return V(get_page_from_freelist)(cpu, rq, flags);
}

static void wake_all(struct cpu *cpu, const struct request *rq)
{
	unsigned int last = UINT32_MAX;

	if (!(rq->gfp & GFP_BIT_KSWAPD_RECLAIM))
		return;
	for (unsigned int i = 0; i < rq->nr; i++) {
		struct zone *z = &cpu->lab->zones[rq->list[i]];

		if (z->kind > rq->high || z->node == last)
			continue;
		last = z->node;
		V(wakeup_kswapd)(cpu, z, rq->gfp, rq->order, rq->high);
	}
}

/* ---- draining ---- */

static uint32_t pages_of(const struct cpu *owner)
{
	uint32_t pages = 0;

	for (unsigned int i = 0; i < owner->lab->nr_zones; i++)
		pages += peek(zone_cpu(owner, &owner->lab->zones[i])->pcp.count);
	return pages;
}

bool V(drain_all_pages)(struct cpu *cpu)
{
	struct lab *lab = cpu->lab;
	uint32_t *draining = &reclaim_head(lab)->draining, none = 0;
	uint64_t pages = 0;

	if (!__atomic_compare_exchange_n(draining, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cpu *owner = lab->cpus[i], drained;
		uint32_t held = pages_of(owner);

		if (!held || !cpu_drain_begin(owner))
			continue;
		drained = cpu_drained(owner, cpu);
		V(pcp_drain_held)(&drained);
		cpu_drain_end(owner);
		pages += held;
	}
	__atomic_store_n(draining, 0, __ATOMIC_RELEASE);
	emit_lab(cpu, EV_drain_all, pages, 0, 0);
	emit_lab_n(cpu, EV_drain_all_pages_moved, pages, pages, 0, 0);
	return true;
}

/* ---- compaction ---- */

/* The block came past all lists. */
static void captured(struct cpu *cpu, const struct request *rq, pfn_t pfn)
{
	struct zone *z = page_zone(cpu->lab, pfn);

	page_count_taken(cpu, z, rq->preferred, rq->order, 1);
	if (fair_is_on(cpu->lab))
		fair_take(cpu, z, 1ULL << rq->order);
}

static pfn_t compact(struct cpu *cpu, struct slow *s, enum slow_step step)
{
	const struct page_policy *p = page_policy(cpu->lab);
	const struct request *rq = s->rq;
	enum compact_priority least = (enum compact_priority)(COMPACT_ASYNC - p->compact_max_priority);
	enum compact_priority priority = s->priority < least ? least : s->priority;
	pfn_t pfn;

	s->result = COMPACT_SKIPPED;
	if (!rq->order || !may_compact(cpu->lab, rq))
		return PFN_NONE;
	s->result = V(compact_for)(cpu, rq, s->flags, priority, &pfn);
	tell(cpu, rq->preferred->index, NOTE_compacted, rq->order, priority, s->result);
	if (s->result == COMPACT_SKIPPED)
		return PFN_NONE;
	emit_lab(cpu, EV_compact_stall, rq->order, 0, 0);
	if (p->era < PAGE_ERA_6_1 && cpu_pcp_try(cpu)) {
		V(pcp_drain_held)(cpu);
		cpu_pcp_done(cpu);
	}
	if (pfn == PFN_NONE)
		pfn = pass(cpu, s, s->flags, step);
	else
		captured(cpu, rq, pfn);
	if (pfn == PFN_NONE) {
		emit_lab(cpu, EV_compact_fail, rq->order, 0, 0);
		return pfn;
	}
	emit_lab(cpu, EV_compact_success, rq->order, 0, 0);
	compaction_defer_reset(cpu->lab, page_zone(cpu->lab, pfn), rq->order, true);
	return pfn;
}

/* Before anything is reclaimed, when a large block is wanted and pages may be there that can move. */
static bool compacts_first(const struct cpu *cpu, const struct request *rq)
{
	if (!may_block(rq) || !rq->order || has_all_rights(rq))
		return false;
	return is_costly(rq) || rq->type != MT_MOVABLE || page_policy(cpu->lab)->era < PAGE_ERA_6_1;
}

/* ---- reclaim ---- */

/* So little is left that even those who may reclaim have to leave the rest to kswapd. */
static bool is_throttled(const struct lab *lab, const struct request *rq)
{
	uint64_t min = 0, free = 0;

	for (unsigned int i = 0; i < rq->nr; i++) {
		const struct zone *z = &lab->zones[rq->list[i]];

		if (z->node != rq->preferred->node || z->kind > ZONE_NORMAL || !zone_reclaimable(lab, z))
			continue;
		min += z->mark[WMARK_MIN];
		free += zone_free_seen(lab, z);
	}
	return min && free <= min / 2 && page_policy(lab)->kswapd &&
	       peek(reclaim_node(lab, rq->preferred->node)->kswapd.failures) < KSWAPD_FAILURES_MOST;
}

/* In a stepped run kswapd works right here; in a parallel one nobody is waited for. */
static void throttle(struct cpu *cpu, const struct request *rq)
{
	struct kswapd *k = &reclaim_node(cpu->lab, rq->preferred->node)->kswapd;

	emit_lab(cpu, EV_pgscan_direct_throttle, rq->preferred->node, 0, 0);
	if (cpu->player != PLAYED_BY_CONTROL)
		return;
	if (peek(k->state) == KSWAPD_ASLEEP)
		V(wakeup_kswapd)(cpu, rq->preferred, rq->gfp, rq->order, rq->high);
	while (peek(k->state) != KSWAPD_ASLEEP)
		V(page_work_round)(worker_cpu(cpu->lab, rq->preferred->node), rq->preferred->node);
}

static pfn_t reclaim(struct cpu *cpu, struct slow *s)
{
	const struct page_policy *p = page_policy(cpu->lab);
	const struct request *rq = s->rq;
	pfn_t pfn;

	s->progress = 0;
	if (!p->direct)
		return PFN_NONE;
	if (is_throttled(cpu->lab, rq))
		throttle(cpu, rq);
	s->progress = V(direct_reclaim)(cpu, rq);
	s->reclaimed += s->progress;
	s->step = STEP_RECLAIM;
	if (rq->order && p->era <= PAGE_ERA_2_6_29 && p->drain)
		V(drain_all_pages)(cpu);
	if (!s->progress)
		return PFN_NONE;
	pfn = pass(cpu, s, s->flags, STEP_RECLAIM);
	if (pfn != PFN_NONE)
		return pfn;
	V(highatomic_unreserve)(cpu, rq, false);
	if (p->era <= PAGE_ERA_2_6_29)	/* it drained before the pass, if at all */
		return pfn;
	if (p->drain)
		V(drain_all_pages)(cpu);
	return pass(cpu, s, s->flags, STEP_DRAIN);
}

/* ---- round again? ---- */

/* flags: rights that count. */
static bool could_pass(struct cpu *cpu, const struct slow *s, const struct zone *z, unsigned int order, uint64_t more,
		       uint64_t mark, unsigned int flags)
{
	struct wmark_walk walk = { .sum = 1ULL << order, .may_wait = true, .more = more, .count = COUNT_EXACTLY };

	return zone_watermark_ok(cpu->lab, z, order, mark, s->rq->high, flags, &walk);
}

/* If all that can be reclaimed were: would some zone do? */
static bool reclaim_would_do(struct cpu *cpu, const struct slow *s)
{
	for (unsigned int i = 0; i < s->rq->nr; i++) {
		const struct zone *z = &cpu->lab->zones[s->rq->list[i]];

		if (z->kind <= s->rq->high &&
		    could_pass(cpu, s, z, s->rq->order, zone_reclaimable(cpu->lab, z), zone_mark(z, WMARK_MIN), s->flags))
			return true;
	}
	return false;
}

/*
 * To 4.2 whoever freed something goes round: for a small block always, for a
 * large one, where failing is a last resort, until as much was freed as it holds.
 */
static bool retries_on_progress(const struct slow *s)
{
	return s->progress && (!is_costly(s->rq) || s->reclaimed < 1ULL << s->rq->order);
}

static bool retries_reclaim(struct cpu *cpu, struct slow *s)
{
	bool again = false;

	if (s->progress && !is_costly(s->rq))
		s->no_progress = 0;
	else
		s->no_progress++;
	if (page_policy(cpu->lab)->era < PAGE_ERA_6_1)
		again = retries_on_progress(s);
	else if (s->no_progress <= RETRIES_MOST)
		again = reclaim_would_do(cpu, s);
	emit_lab(cpu, EV_reclaim_retry_zone, s->rq->order, s->no_progress, again);
	return again || V(highatomic_unreserve)(cpu, s->rq, true);
}

static bool raises_priority(struct cpu *cpu, struct slow *s)
{
	enum compact_priority floor = is_costly(s->rq) ? COMPACT_SYNC_LIGHT : COMPACT_SYNC_FULL;
	enum compact_priority least = (enum compact_priority)(COMPACT_ASYNC - page_policy(cpu->lab)->compact_max_priority);

	if (s->priority <= floor || s->priority <= least)
		return false;
	s->priority--;
	s->compactions = 0;
	return true;
}

/* Skipped for want of pages: would there be enough if some of what can be reclaimed were? */
static bool compaction_would_do(struct cpu *cpu, const struct slow *s)
{
	unsigned int order = s->rq->order;

	for (unsigned int i = 0; i < s->rq->nr; i++) {
		const struct zone *z = &cpu->lab->zones[s->rq->list[i]];
		uint64_t mark = zone_mark(z, is_costly(s->rq) ? WMARK_LOW : WMARK_MIN) + (2ULL << order);

		if (z->kind <= s->rq->high && could_pass(cpu, s, z, 0, zone_reclaimable(cpu->lab, z) / order, mark, 0))
			return true;
	}
	return false;
}

/* Without compaction: while a single page could be had, a small block may still come together. */
static bool a_page_would_do(struct cpu *cpu, const struct slow *s)
{
	for (unsigned int i = 0; i < s->rq->nr; i++) {
		const struct zone *z = &cpu->lab->zones[s->rq->list[i]];

		if (z->kind <= s->rq->high && could_pass(cpu, s, z, 0, 0, zone_mark(z, WMARK_MIN), s->flags))
			return true;
	}
	return false;
}

static bool judge_compaction(struct cpu *cpu, struct slow *s)
{
	if (!s->rq->order || (page_policy(cpu->lab)->compact_direct && !may_compact(cpu->lab, s->rq)))
		return false;
	if (!page_policy(cpu->lab)->compact_direct)
		return !is_costly(s->rq) && s->compactions++ < RETRIES_MOST && a_page_would_do(cpu, s);
	if (s->result == COMPACT_SUCCESS)
		s->compactions++;
	switch (s->result) {
	case COMPACT_SKIPPED:
		return compaction_would_do(cpu, s);
	case COMPACT_COMPLETE:
	case COMPACT_DEFERRED:
	case COMPACT_CONTENDED:
	case COMPACT_PARTIAL_SKIPPED:
		return raises_priority(cpu, s);
	default:
		return s->compactions <= (is_costly(s->rq) ? RETRIES_MOST / 4 : RETRIES_MOST) || raises_priority(cpu, s);
	}
}

static bool retries_compaction(struct cpu *cpu, struct slow *s)
{
	bool again = judge_compaction(cpu, s);

	emit_lab(cpu, EV_compact_retry, s->rq->order, s->result, again);
	return again;
}

/* ---- memory has run out ---- */

static bool may_kill(const struct request *rq)
{
	return !is_costly(rq) && !(rq->gfp & (GFP_BIT_RETRY_MAYFAIL | GFP_BIT_THISNODE)) &&
	       gfp_high_zone(rq->gfp) >= ZONE_NORMAL;
}

/* *again: something was freed. */
static pfn_t out_of_memory(struct cpu *cpu, struct slow *s, bool *again)
{
	uint32_t *oom = &reclaim_head(cpu->lab)->oom, none = 0;
	pfn_t pfn;

	*again = false;
	if (!__atomic_compare_exchange_n(oom, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		sched_yield();
		*again = s->yields++ < YIELDS_MOST;	/* another one decides */
		return PFN_NONE;
	}
	pfn = pass(cpu, s, WMARK_HIGH, STEP_OOM);
	if (pfn == PFN_NONE && may_kill(s->rq)) {
		emit_lab(cpu, EV_oom_kill, s->rq->order, s->rq->gfp, 0);
		if (page_policy(cpu->lab)->oom == OOM_EVICT)
			*again = V(evict_largest)(cpu, s->rq);
		s->ran_out = page_policy(cpu->lab)->oom == OOM_STOP;
		if (!*again && s->rq->gfp & GFP_BIT_NOFAIL)
			pfn = pass(cpu, s, WMARK_MIN | ALLOC_NO_WATERMARKS, STEP_OOM);
	}
	__atomic_store_n(oom, 0, __ATOMIC_RELEASE);
	return pfn;
}

/* ---- the whole ---- */

/* More than one round for a large block? Since 4.7 compaction must have a part in it. */
static bool may_retry_costly(const struct cpu *cpu, const struct request *rq)
{
	return rq->gfp & GFP_BIT_RETRY_MAYFAIL && (page_policy(cpu->lab)->era < PAGE_ERA_6_1 || may_compact(cpu->lab, rq));
}

enum outcome { GOT_PAGE, NO_PAGE, AGAIN };

/* Steps 5 to 13. */
static enum outcome one_round(struct cpu *cpu, struct slow *s, pfn_t *pfn)
{
	const struct request *rq = s->rq;
	bool again, is_old = page_policy(cpu->lab)->era < PAGE_ERA_6_1;

	wake_all(cpu, rq);
	if (has_all_rights(rq))
		s->flags = WMARK_MIN | ALLOC_NO_WATERMARKS;
	*pfn = pass(cpu, s, s->flags, STEP_MIN);
	if (*pfn != PFN_NONE || !may_block(rq))
		return *pfn != PFN_NONE ? GOT_PAGE : NO_PAGE;
	*pfn = reclaim(cpu, s);
	if (*pfn == PFN_NONE)
		*pfn = compact(cpu, s, STEP_COMPACT);
	if (*pfn != PFN_NONE)
		return GOT_PAGE;
	if (rq->gfp & GFP_BIT_NORETRY)
		return NO_PAGE;
	if (is_costly(rq) && !may_retry_costly(cpu, rq))
		return NO_PAGE;
	if (retries_reclaim(cpu, s) || (s->progress && !is_old && retries_compaction(cpu, s)))
		return AGAIN;
	*pfn = out_of_memory(cpu, s, &again);
	if (*pfn != PFN_NONE)
		return GOT_PAGE;
	if (again)
		s->no_progress = 0;
	return again ? AGAIN : NO_PAGE;
}

static pfn_t rounds(struct cpu *cpu, struct slow *s)
{
	enum outcome o;
	pfn_t pfn;

	while ((o = one_round(cpu, s, &pfn)) == AGAIN)
		emit_lab(cpu, EV_slowpath_retry, s->rq->order, s->no_progress, 0);
	return pfn;
}

/* Step 4. *give_up: what it came to speaks against all further effort. */
static pfn_t first_compaction(struct cpu *cpu, struct slow *s, bool *give_up)
{
	pfn_t pfn;

	*give_up = false;
	if (!compacts_first(cpu, s->rq) || !may_compact(cpu->lab, s->rq))
		return PFN_NONE;
	s->priority = COMPACT_ASYNC;
	pfn = compact(cpu, s, STEP_COMPACT_FIRST);
	if (is_costly(s->rq) && s->rq->gfp & GFP_BIT_NORETRY)
		*give_up = pfn == PFN_NONE &&
			   (s->result == COMPACT_SKIPPED || s->result == COMPACT_DEFERRED ||
			    s->rq->gfp & GFP_BIT_THISNODE);
	else
		s->priority = COMPACT_SYNC_LIGHT;
	return pfn;
}

/* __GFP_NOFAIL: once more and once more, while anybody else could free something. */
static pfn_t until_success(struct cpu *cpu, struct slow *s)
{
	const uint32_t must = GFP_BIT_NOFAIL | GFP_BIT_DIRECT_RECLAIM;
	pfn_t pfn = PFN_NONE;

	if ((s->rq->gfp & must) != must)
		return PFN_NONE;
	do {
		pfn = pass(cpu, s, WMARK_MIN | ALLOC_MIN_RESERVE, STEP_NOFAIL);
		if (pfn != PFN_NONE || cpu->player == PLAYED_BY_CONTROL)
			break;
		sched_yield();
		pfn = rounds(cpu, s);
	} while (pfn == PFN_NONE && s->yields++ < YIELDS_MOST);
	return pfn != PFN_NONE ? pfn : pass(cpu, s, WMARK_MIN | ALLOC_NO_WATERMARKS, STEP_NOFAIL);
}

static uint64_t need_of(const struct lab *lab, const struct zone *z, const struct request *rq, unsigned int flags)
{
	struct wmark_walk walk = { .sum = 1ULL << rq->order, .may_wait = true };
	struct wmark_terms t;

	zone_watermark_terms(lab, z, rq->order, zone_mark(z, WMARK_MIN), rq->high, flags, walk, &t);
	return t.need;
}

static uint64_t pages_on_cpus(const struct lab *lab, const struct zone *z)
{
	uint64_t pages = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		pages += peek(zone_cpu_of(lab, i, z->index)->pcp.count);
	return pages;
}

/* What each zone is left with, and which rights would have let the request in. */
static void tell_zones(struct cpu *cpu, const struct slow *s)
{
	const struct request *rq = s->rq;
	const struct lab *lab = cpu->lab;

	for (unsigned int i = 0; i < rq->nr; i++) {
		const struct zone *z = &lab->zones[rq->list[i]];
		unsigned int largest;

		if (z->kind > rq->high)
			continue;
		largest = fallback_largest(lab, z, rq->type, s->flags);
		tell(cpu, z->index, NOTE_zone_left, peek(z->free_pages), pages_on_cpus(lab, z), zone_reclaimable(lab, z),
		     largest, need_of(lab, z, rq, s->flags), rq->order);
		tell(cpu, z->index, NOTE_zone_rights, need_of(lab, z, rq, 0), need_of(lab, z, rq, ALLOC_MIN_RESERVE),
		     need_of(lab, z, rq, ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK), peek(z->free_pages), largest, rq->order);
	}
}

static void note_failure(struct cpu *cpu, const struct slow *s)
{
	const struct request *rq = s->rq;

	cpu->part->failure = (struct told_failure){
		.op = cpu->lab->hdr->ops, .time_ns = lab_now(cpu->lab), .gfp = rq->gfp, .order = (uint8_t)rq->order,
		.step = (uint8_t)s->step, .high = (uint8_t)rq->high, .type = (uint8_t)rq->type,
		.node = rq->preferred->node, .flags = s->flags, .result = (uint8_t)s->result, .failed = 1,
		.stop = s->ran_out,
	};
	if (!(rq->gfp & GFP_BIT_NOWARN))
		cpu->part->reported[cpu->part->failures++ % FAILURES_KEPT] = cpu->part->failure;
	tell(cpu, rq->preferred->index, NOTE_gave_up, s->step, rq->order, rq->gfp, s->result);
	if (TELLING)
		tell_zones(cpu, s);
}

pfn_t V(alloc_slow)(struct cpu *cpu, const struct request *rq)
{
	struct slow s = { .rq = rq, .flags = slow_flags(rq), .priority = COMPACT_SYNC_LIGHT };
	bool give_up;
	pfn_t pfn;

	emit_lab(cpu, EV_slowpath, rq->order, rq->gfp, 0);
	wake_all(cpu, rq);
	pfn = pass(cpu, &s, s.flags, STEP_MIN);
	if (pfn == PFN_NONE && lazy_is_on(cpu->lab) && V(lazy_flush_zones)(cpu, rq->list, rq->nr, rq->high, rq->order))
		pfn = pass(cpu, &s, s.flags, STEP_MIN);	/* blocks that were kept from merging now have */
	if (pfn == PFN_NONE) {
		pfn = first_compaction(cpu, &s, &give_up);
		if (pfn == PFN_NONE && !give_up)
			pfn = rounds(cpu, &s);
		if (pfn == PFN_NONE)
			pfn = until_success(cpu, &s);
	}
	if (pfn == PFN_NONE)
		note_failure(cpu, &s);
	return pfn;
}
