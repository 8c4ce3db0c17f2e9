/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drift - a zone's count of free pages as kernels keep it: nearly right.
 *
 * Idea. One word that every CPU writes would travel between them. A kernel
 * notes in each CPU by how much that CPU has changed the count, and adds this
 * difference to the zone's word once it is larger than a threshold. Who
 * compares the word with a mark may therefore be wrong by a threshold a CPU;
 * kswapd, and who asks whether more reclaim would help, count exactly where
 * that could hide a zone that is below its marks.
 *
 * free_pages stays exact whatever the policy: views, checks and the lists go
 * by it. With zone.stat_drift=on, checks read free_seen instead.
 *
 *   free_seen + the CPUs' free_diff = free_pages
 *   threshold      2 · fls(CPUs) · (1 + fls(managed >> 15)), at most 125; while
 *                  kswapd is awake (low - min) / CPUs, where a drift could hide that much
 *   drift_mark     high + CPUs · threshold, if that hides more than low - min; 0: never looked at closely
 *
 * The batch of a zone's turn (fair.h) is such a count too.
 *
 * Invariants (page_check() reports them by these labels, with zone.stat_drift=on)
 *   V1  free_seen and the differences add up to free_pages.
 *   V2  no difference is beyond 125.
 *
 * Locks. A difference is its CPU's own, the words are added to in one piece.
 * Thresholds are written by kswapd and in a stop.
 *
 * Units. Pages.
 */
#ifndef PAGE_DRIFT_H
#define PAGE_DRIFT_H

#include "page/zone.h"

#define DRIFT_MOST 125

static inline bool drift_is_on(const struct lab *lab)
{
	return unlikely(page_policy(lab)->stat_drift);
}

/* The zone's free pages as whoever compares them reads them. */
static inline uint64_t zone_free_seen(const struct lab *lab, const struct zone *z)
{
	int64_t seen;

	if (!drift_is_on(lab))
		return peek(z->free_pages);
	seen = peek(z->free_seen);
	return seen > 0 ? (uint64_t)seen : 0;
}

/* A CPU changed one of these counts: true if that is added to the word now. */
static inline bool drift_add(const struct zone *z, int64_t *word, int32_t *diff, int64_t pages)
{
	int64_t all = *diff + pages, most = peek(z->stat_threshold);

	if (all <= most && all >= -most) {
		poke(*diff, (int32_t)all);
		return false;
	}
	poke(*diff, 0);
	__atomic_fetch_add(word, all, __ATOMIC_RELAXED);
	return true;
}

/* In a stop: counts begin anew with differences of 0, thresholds for sleeping kswapds. */
void drift_reset(struct lab *lab);

/* A CPU adds its differences, as it does each second. */
void drift_fold(struct cpu *cpu);

/* kswapd of the node woke up, or went to sleep. */
void drift_pressure(struct lab *lab, unsigned int node, bool awake);

/* Thresholds and drift mark of a zone for so many CPUs online (watermark.c); those that are not add theirs. In a stop. */
void drift_sizes(struct lab *lab, struct zone *z, unsigned int cpus);

int drift_check(const struct lab *lab, const struct zone *z);

#ifdef VARIANT
#include "page/emit.h"

/* free_pages changes by so many. Under the zone lock. */
static inline void zone_free_add(struct cpu *cpu, struct zone *z, int64_t pages)
{
	struct zone_cpu *zc;

	poke(z->free_pages, z->free_pages + (uint64_t)pages);
	if (!drift_is_on(cpu->lab))
		return;
	zc = zone_cpu(cpu, z);
	if (drift_add(z, &z->free_seen, &zc->free_diff, pages))
		emit_page(cpu, zc, EV_stat_fold, (uint64_t)(pages < 0 ? -pages : pages), 0, 0);
}
#endif

#endif
