/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kswapd's wake-up, rounds and sleep (reclaim.md section 2). Compiled once a variant. */
#include "page/kswapd.h"

#include "base/bits.h"
#include "cpu/worker.h"
#include "page/boost.h"
#include "page/buddy.h"
#include "page/compact.h"
#include "page/drift.h"
#include "page/emit.h"
#include "page/pcp_model.h"
#include "page/reclaim.h"
#include "page/zone_lock.h"

/* ---- wake-up ---- */

static void note_due(struct cpu *cpu)
{
	poke(reclaim_head(cpu->lab)->work, 1);
	lab_worker_wake(cpu->lab);
}

static void raise_to(uint32_t *word, uint32_t value)
{
	if (peek(*word) < value)
		poke(*word, value);
}

static bool any_boost(const struct lab *lab, unsigned int node, unsigned int high)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].node == node && lab->zones[i].kind <= high && peek(lab->zones[i].boost))
			return true;
	return false;
}

static void wakeup_kcompactd(struct cpu *cpu, unsigned int node, unsigned int order, unsigned int high)
{
	struct kcompactd *kc = &reclaim_node(cpu->lab, node)->kcompactd;

	if (!page_policy(cpu->lab)->compact_background || !order)
		return;
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++) {
		const struct zone *z = &cpu->lab->zones[i];

		if (z->node != node || z->kind > high || !z->managed ||
		    compaction_suitable(cpu->lab, z, order, 0, high) != COMPACT_CONTINUE)
			continue;
		raise_to(&kc->high, high);
		raise_to(&kc->wanted, order + 1);
		note_due(cpu);
		return;
	}
}

void V(wakeup_kswapd)(struct cpu *cpu, struct zone *z, uint32_t gfp, unsigned int order, unsigned int high)
{
	struct kswapd *k = &reclaim_node(cpu->lab, z->node)->kswapd;
	uint32_t asleep = KSWAPD_ASLEEP;

	if (!page_policy(cpu->lab)->kswapd)
		return;
	emit_lab(cpu, EV_kswapd_wake_request, z->node, order, gfp);
	raise_to(&k->order, order);
	raise_to(&k->high, high);
	if (peek(k->state) != KSWAPD_ASLEEP)
		return;
	if (peek(k->failures) >= KSWAPD_FAILURES_MOST ||
	    (node_is_balanced(cpu->lab, z->node, order, high) && !any_boost(cpu->lab, z->node, high))) {
		if (!(gfp & GFP_BIT_DIRECT_RECLAIM))
			wakeup_kcompactd(cpu, z->node, order, high);
		return;
	}
	if (!__atomic_compare_exchange_n(&k->state, &asleep, KSWAPD_WOKEN, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	emit_lab(cpu, EV_kswapd_wake_done, z->node, order, gfp);
	if (peek(k->nap_until_ns) > lab_now(cpu->lab))
		emit_lab(cpu, EV_kswapd_low_wmark_hit_quickly, z->node, 0, 0);
	note_due(cpu);
}

void V(kswapd_tell_boosted)(struct cpu *cpu, struct zone *z)
{
	poke(z->boosted, 0);
	V(wakeup_kswapd)(cpu, z, 0, 0, z->kind);
}

/* ---- a run ---- */

/* fn on each managed zone of the run. */
#define each_zone_of_run(lab, node, k, z)                                                           \
	for (struct zone *z = (lab)->zones; z < (lab)->zones + (lab)->nr_zones; z++)                \
		if (z->node == (node) && z->kind <= (k)->run_high && z->managed)

/* Meanwhile CPUs keep less of the zone. */
static void work_on(const struct lab *lab, const struct zone *z, bool active)
{
	poke(reclaim_zone(lab, z->index)->active, active);
	for (unsigned int i = 0; i < lab->hdr->shape.possible; i++) {
		struct pcp *pcp = &zone_cpu_of(lab, i, z->index)->pcp;

		poke(pcp->look_at, pcp_look_at(pcp, active));
	}
}

static void begin(struct cpu *cpu, unsigned int node)
{
	struct kswapd *k = &reclaim_node(cpu->lab, node)->kswapd;
	uint64_t boost = 0;

	poke(k->state, KSWAPD_RUNNING);
	k->run_order = k->run_want = peek(k->order);
	k->run_high = peek(k->high);
	poke(k->order, 0);
	poke(k->high, 0);
	poke(k->nap_until_ns, 0);
	each_zone_of_run(cpu->lab, node, k, z) {
		k->boost[z->kind] = peek(z->boost);
		boost += k->boost[z->kind];
		work_on(cpu->lab, z, true);
	}
	k->boosting = boost != 0;
	k->reclaimed = 0;
	k->priority = page_policy(cpu->lab)->reclaim_priority;
	drift_pressure(cpu->lab, node, true);
	emit_lab(cpu, EV_mm_vmscan_kswapd_wake, node, k->run_order, 0);
	emit_lab(cpu, EV_pageoutrun, node, 0, 0);
}

static void end(struct cpu *cpu, unsigned int node)
{
	struct reclaim_node *rn = reclaim_node(cpu->lab, node);
	struct kswapd *k = &rn->kswapd;
	bool boosted = false;

	if (!k->reclaimed)
		poke(k->failures, peek(k->failures) + 1);
	each_zone_of_run(cpu->lab, node, k, z) {
		work_on(cpu->lab, z, false);
		if (!k->boost[z->kind])
			continue;
		zone_lock_take(cpu, z);
		zone_boost_lower(cpu->lab, z, k->boost[z->kind]);
		zone_lock_give(cpu, z);
		k->boost[z->kind] = 0;
		boosted = true;
	}
	if (boosted)
		wakeup_kcompactd(cpu, node, pageblock_order(cpu->lab), k->run_high);
	if (node_is_balanced(cpu->lab, node, k->run_order, k->run_high)) {
		compaction_reset_skip(cpu->lab, node, k->run_high);
		wakeup_kcompactd(cpu, node, k->run_want, k->run_high);
		poke(k->nap_until_ns, lab_now(cpu->lab) + KSWAPD_NAP_NS);
	} else {
		drift_pressure(cpu->lab, node, false);
	}
	emit_lab(cpu, EV_mm_vmscan_kswapd_sleep, node, 0, 0);
	poke(k->state, KSWAPD_ASLEEP);
}

static uint64_t run_goal(const struct lab *lab, unsigned int node, const struct kswapd *k)
{
	uint64_t goal = 0;

	each_zone_of_run(lab, node, k, z)
		goal += max_u64(zone_mark(z, WMARK_HIGH), DIRECT_GOAL);
	return goal;
}

static uint64_t boost_seen(const struct kswapd *k)
{
	uint64_t boost = 0;

	for (unsigned int i = 0; i < ZONE_KINDS; i++)
		boost += k->boost[i];
	return boost;
}

/* One priority; false: the run is over. */
static bool scan_round(struct cpu *cpu, unsigned int node)
{
	struct kswapd *k = &reclaim_node(cpu->lab, node)->kswapd;
	struct scan s = {
		.node = node, .high = k->run_high, .order = k->run_order, .priority = k->priority, .kswapd = true, .fs = true,
		.goal = run_goal(cpu->lab, node, k),
	};

	V(age_anon)(cpu, &s);
	V(shrink_node)(cpu, &s);
	k->reclaimed += s.reclaimed;
	if (k->run_order && k->reclaimed >= 2ULL << k->run_order)
		k->run_order = 0;	/* what is left to do is compaction's */
	if (k->boosting && !s.reclaimed)
		return false;
	k->boosting = k->boosting && k->reclaimed < boost_seen(k);
	if (!s.reclaimed || (s.scanned < s.goal && !(k->boosting && k->priority == RECLAIM_PRIORITY - 2)))
		k->priority--;
	return k->priority >= 1;
}

static void kswapd_round(struct cpu *cpu, unsigned int node)
{
	struct kswapd *k = &reclaim_node(cpu->lab, node)->kswapd;
	bool balanced;

	if (peek(k->state) == KSWAPD_WOKEN)
		begin(cpu, node);
	balanced = node_is_balanced(cpu->lab, node, k->run_order, k->run_high);
	if (!balanced && k->boosting) {
		k->boosting = 0;
		k->priority = page_policy(cpu->lab)->reclaim_priority;
	}
	if (page_policy(cpu->lab)->kswapd && k->priority >= 1 && !(balanced && !k->boosting) && scan_round(cpu, node))
		return;
	end(cpu, node);
}

bool V(page_work_round)(struct cpu *cpu, unsigned int node)
{
	struct reclaim_node *rn = reclaim_node(cpu->lab, node);
	uint32_t wanted;

	if (peek(rn->kswapd.state) != KSWAPD_ASLEEP) {
		kswapd_round(cpu, node);
		return true;
	}
	wanted = __atomic_exchange_n(&rn->kcompactd.wanted, 0, __ATOMIC_RELAXED);
	if (!wanted)
		return false;
	V(compact_in_background)(cpu, node, wanted - 1, __atomic_exchange_n(&rn->kcompactd.high, 0, __ATOMIC_RELAXED));
	return true;
}

void V(page_work)(struct lab *lab)
{
	poke(reclaim_head(lab)->work, 0);
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct cpu *cpu = worker_cpu(lab, n);

		while (cpu && V(page_work_round)(cpu, n))
			;
	}
}

/* ---- timers ---- */

#define SECOND 1000000000ULL
#define PROACTIVE_NS 500000000ULL

void V(page_timers)(struct lab *lab, uint64_t then, uint64_t now)
{
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct kswapd *k = &reclaim_node(lab, n)->kswapd;
		struct cpu *cpu = worker_cpu(lab, n);

		if (!cpu)
			continue;
		if (k->nap_until_ns && k->nap_until_ns <= now) {
			k->nap_until_ns = 0;
			drift_pressure(lab, n, false);
			if (!node_is_balanced(lab, n, k->run_want, k->run_high)) {
				emit_lab(cpu, EV_kswapd_high_wmark_hit_quickly, n, 0, 0);
				raise_to(&k->order, k->run_want);
				raise_to(&k->high, k->run_high);
				poke(k->state, KSWAPD_WOKEN);
			}
		}
		if (then / SECOND != now / SECOND)
			V(lru_write_back)(cpu, n);
		if (then / PROACTIVE_NS != now / PROACTIVE_NS)
			V(compact_proactively)(cpu, n);
	}
	V(page_work)(lab);
}
