/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry_sheaf - the C interface's calls for frees after a grace period, and for
 * sheaves that are handed out. (Ideas: deferred.h, prefill.h)
 *
 * Whole calls, each an op of its own of the thread that plays the CPU.
 */
#ifndef SLAB_ENTRY_SHEAF_H
#define SLAB_ENTRY_SHEAF_H

#include <stddef.h>

struct cpu;
struct cache;
struct sheaf;

/* Where no side memory is left to note it in, the grace period is waited for. */
void entry_kfree_rcu(struct cpu *cpu, void *p);

struct sheaf *entry_prefill(struct cpu *cpu, struct cache *c, size_t n);	/* NULL: no memory, or n is out of range */
void *entry_alloc_from(struct cpu *cpu, struct sheaf *sheaf);			/* NULL: it is empty */
int entry_refill(struct cpu *cpu, struct sheaf **sheaf, size_t n);		/* 0, -ENOMEM, -EINVAL */
void entry_return(struct cpu *cpu, struct sheaf *sheaf);

#endif
