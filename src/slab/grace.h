/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grace - slabs of RCU caches are given back after a grace period.
 *
 * Idea. A grace period ends when every other CPU was seen between ops once.
 * CPUs that sleep, are played by the control thread or run foreign code are
 * between ops, so in a stepped run the period is over at once. Otherwise the
 * slab waits in its CPU's batch, which is looked at whenever the CPU discards
 * another, and in every stop.
 *
 * Ownership. A batch belongs to whoever plays its CPU. It lies in host memory:
 * its slabs are linked through their descriptors, and a stop empties it, so no
 * snapshot ever sees one.
 */
#ifndef SLAB_GRACE_H
#define SLAB_GRACE_H

#include "slab/slab.h"

/* Is nobody else in an op right now? Then what was unlinked before may go. */
bool grace_is_over(struct cpu *cpu);

/* Put the first page of an unlinked slab into the waiting batch. */
void grace_wait(struct cpu *cpu, pfn_t slab);

/* Slabs whose period is over, as a chain through next; PFN_NONE if none. */
pfn_t grace_take(struct cpu *cpu);

/* In a stop: everything that waits. */
pfn_t grace_take_all(struct cpu *cpu);

void grace_drop(struct cpu *cpu);	/* free the host memory */

#endif
