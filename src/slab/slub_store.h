/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slub_store - what SLUB does in a stop, for its own table and for the sheaves that lie above it. */
#ifndef SLAB_SLUB_STORE_H
#define SLAB_SLUB_STORE_H

#include "slab/engine.h"

#define SLUB_FREELIST "freelist"	/* the kind of SLUB's only queue, a CPU's freelist */

int slub_make(struct lab *lab, struct store *s);
void slub_unmake(struct lab *lab, struct store *s);
int slub_tune(struct lab *lab, struct store *s, const struct store_policy *p);
void slub_drain(struct lab *lab, struct store *s);
bool slub_has_cpu_part(const struct cpu *cpu, const struct store *s);
/* A freelist from this object on: its length; fn may be NULL. */
uint32_t slub_walk_list(struct lab *lab, const struct store *s, uint64_t object,
			bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg);
uint32_t slub_walk_slab(struct lab *lab, const struct store *s, pfn_t slab,
			bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg);
void slub_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w);
int slub_pieces(struct lab *lab, const struct store *s, struct heap_audit *a);
int slub_check(struct lab *lab, struct store *s, struct audit *a);	/* slub_audit.c */

#endif
