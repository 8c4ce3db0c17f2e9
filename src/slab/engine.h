/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine - what an engine must be able to do, in one table.
 *
 * A store holds its engine's number; store_ops[engine][variant] is the table.
 * An engine is one file that closes with its table, and one line here.
 */
#ifndef SLAB_ENGINE_H
#define SLAB_ENGINE_H

#include "event/variant.h"
#include "slab/slab.h"

struct store_ops {
	const char *name;
	/* One object, or 0. */
	uint64_t (*alloc)(struct cpu *cpu, struct store *s, uint32_t gfp, int node);
	/* A run of cnt objects of one slab, linked from head to tail. */
	void (*free)(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		     unsigned int cnt);
	/* The same, for a slab that is known not to be this CPU's. */
	void (*free_elsewhere)(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			       unsigned int cnt);
	/* n objects into vec; returns how many it got before memory ended. */
	size_t (*alloc_bulk)(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec);
	/* Give up this CPU's part. */
	void (*flush_cpu)(struct cpu *cpu, struct store *s);
	bool (*has_cpu_part)(struct cpu *cpu, struct store *s);
	/* Give the pages of an unlisted empty slab back (outside hot paths). */
	void (*discard)(struct cpu *cpu, struct store *s, struct page *slab);
	/* Pages of a discarded slab whose grace period is over. */
	void (*give_back)(struct cpu *cpu, pfn_t first);
};

extern const struct store_ops slub_ops_bare, slub_ops_counted, slub_ops_told;
extern const struct store_ops *const store_ops[ENGINE_NR][VARIANT_NR];

/* The layer's own entry points, by variant: from caches and addresses to stores. */
struct slab_ops {
	uint64_t (*cache_alloc)(struct cpu *cpu, struct cache *c, uint32_t gfp, int node);
	/* cache NULL: any (kfree). owner: cache id a handle knows, 0: none. Returns FINDING_* of op.h. */
	uint32_t (*free)(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner);
	size_t (*cache_alloc_bulk)(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec);
	uint32_t (*free_bulk)(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec);
	uint64_t (*kmalloc)(struct cpu *cpu, uint64_t bytes, uint32_t gfp, int node, uint32_t *cache);
};
extern const struct slab_ops *const slab_ops[VARIANT_NR];

/* The C interface's calls (struct cpu_calls), by variant; each CPU has a copy of its own. */
extern const struct cpu_calls *const cpu_calls[VARIANT_NR];

#endif
