/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grace - what readers may still look at goes after a grace period.
 *
 * Idea. A grace period ends when every other CPU was seen between ops once.
 * CPUs that sleep, are played by the control thread or run foreign code are
 * between ops. What has to wait is kept in its CPU's batch, which is looked at
 * whenever the CPU adds to it, and in stops:
 *
 *   slabs of RCU caches    gone at once where nobody else is in an op; linked
 *                          through their descriptors, in host memory, which a
 *                          stop empties, so no snapshot ever sees one
 *   freed objects, sheaves in the region (deferred.h): until the next op where
 *                          ops are played one at a time
 *
 * Ownership. A batch belongs to whoever plays its CPU.
 */
#ifndef SLAB_GRACE_H
#define SLAB_GRACE_H

#include "slab/slab.h"

/* Is nobody else in an op right now? Then a slab that was unlinked before may go. */
bool grace_is_over(struct cpu *cpu);

/* Put the first page of an unlinked slab into the batch that comes next. */
void grace_wait(struct cpu *cpu, pfn_t slab);

/*
 * Look around. True: a period is over; what waited for it is in
 * part->rcu[RCU_OVER], and slabs are to be had from grace_take(). Begins a
 * period when there is enough to wait for.
 */
bool grace_poll(struct cpu *cpu);

/* Slabs whose period is over, as a chain through next; PFN_NONE if none. */
pfn_t grace_take(struct cpu *cpu);

/* In a stop: everything that waits. */
pfn_t grace_take_all(struct cpu *cpu);

void grace_drop(struct cpu *cpu);	/* free the host memory */

#endif
