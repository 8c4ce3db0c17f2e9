/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kswapd - frees pages of a node before requests have to do so themselves.
 *
 * Idea. Woken by a request that fails at a zone's low mark, it works until one
 * zone is above its high mark: between the two lies its hysteresis. After
 * types were mixed it also frees what the marks were boosted by. When it is
 * content it has background compaction look at what was asked for.
 *
 * Who plays it. It is no CPU; it plays the first online CPU of its node, whose
 * page lists take what it frees. In stepped and virtual time it runs after the
 * op that woke it, to its sleep; in parallel a thread of the lab (cpu/worker.h)
 * stops that CPU for a round at a time.
 *
 * Ownership. state, order and high: anybody (relaxed); the rest: whoever runs it.
 */
#ifndef PAGE_KSWAPD_H
#define PAGE_KSWAPD_H

#include "event/variant.h"
#include "page/lru.h"

#define KSWAPD_NAP_NS 100000000ULL	/* woken within this time of its sleep, it fell asleep too early */
#define KSWAPD_FAILURES_MOST 16

/* Does some zone up to `high` pass its high mark (reclaim.balance=all: do all)? */
bool node_is_balanced(const struct lab *lab, unsigned int node, unsigned int order, unsigned int high);

/* The CPU that workers of this node play, NULL if none is online. */
struct cpu *worker_cpu(const struct lab *lab, unsigned int node);

/* One round of whatever is due in the lab, in a parallel run; false: nothing was. */
bool page_work_in_parallel(struct lab *lab);

#ifdef VARIANT
/* A request failed in a zone: its node's kswapd is told. */
void V(wakeup_kswapd)(struct cpu *cpu, struct zone *z, uint32_t gfp, unsigned int order, unsigned int high);

/* After an allocation in a zone that was boosted. */
void V(kswapd_tell_boosted)(struct cpu *cpu, struct zone *z);

/* One round of a node's kswapd or background compaction, played by cpu; false: both sleep. */
bool V(page_work_round)(struct cpu *cpu, unsigned int node);

/* In a stop: everything that is due, to its end. */
void V(page_work)(struct lab *lab);

/* Lab time moved from then to now: naps end, writers write, proactive compaction looks. In a stop. */
void V(page_timers)(struct lab *lab, uint64_t then_ns, uint64_t now_ns);
#endif

#endif
