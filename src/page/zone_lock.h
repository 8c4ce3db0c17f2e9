/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zone_lock - taking a zone's lock, with a note of which CPU took it, how
 * often it had to wait, and for how long it held it.
 *
 * For files compiled once a variant. Holds are timed where CPUs run on threads
 * of their own, one in HOLD_SAMPLE; a CPU that is alone has no time to measure
 * but the host's, which would make two equal runs differ.
 */
#ifndef PAGE_ZONE_LOCK_H
#define PAGE_ZONE_LOCK_H

#include "base/clock.h"
#include "event/variant.h"
#include "page/zone.h"

#define HOLD_SAMPLE 16

static inline void zone_lock_take(struct cpu *cpu, struct zone *z)
{
	struct lock_use *use = &zone_cpu(cpu, z)->lock;
	uint64_t waited = lock_take(cpu, &z->lock, COUNTING);

	if (!COUNTING)
		return;
	bump(use->acquired, 1);
	if (unlikely(waited)) {
		bump(use->contended, 1);
		bump(use->wait_ns, waited);
	}
	if (unlikely(!cpu->alone) && use->acquired % HOLD_SAMPLE == 0)
		use->since = host_ns();
}

static inline void zone_lock_give(struct cpu *cpu, struct zone *z)
{
	struct lock_use *use = &zone_cpu(cpu, z)->lock;

	if (COUNTING && unlikely(use->since)) {
		bump(use->hold_ns, (host_ns() - use->since) * HOLD_SAMPLE);
		use->since = 0;
	}
	lock_give(cpu, &z->lock);
}

#endif
