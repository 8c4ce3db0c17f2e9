/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk - many objects in one call; see bulk.c. Included by files compiled per variant. */
#ifndef SLAB_BULK_H
#define SLAB_BULK_H

#include "slab/engine.h"

#define BULK_LOOK_AHEAD 3	/* so many entries of other slabs end a run */

/* Of offsets or of pointers, objects or not: the arena begins on a page, so an address outside is on no page of it. */
static inline bool same_page(uint64_t a, uint64_t b)
{
	return (a ^ b) < PAGE_SIZE;
}

#ifdef VARIANT
#define slab_free_bulk V(slab_free_bulk)
#define slab_alloc_bulk V(slab_alloc_bulk)
#define slab_free V(slab_free)
#define slab_cache_alloc V(slab_cache_alloc)
#define slab_kmalloc V(slab_kmalloc)

#define bulk_count_run V(bulk_count_run)
/* In counted code: a run of cnt objects was freed; own: to the CPU's slab. */
void bulk_count_run(struct cpu *cpu, const struct store *s, unsigned int cnt, bool own);

#define bulk_free_rest V(bulk_free_rest)
/* slab_free_bulk() of a call that was counted. */
uint32_t bulk_free_rest(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec);

#define bulk_free_to_slabs V(bulk_free_to_slabs)
/* Objects of slabs of SLUB, in runs, past whatever lies before them; no name is counted. vec is permuted. */
void bulk_free_to_slabs(struct cpu *cpu, size_t n, uint64_t *vec);

#define bulk_alloc_by V(bulk_alloc_by)
/* Up to n objects by these calls of a store's engine; no name is counted. */
size_t bulk_alloc_by(const struct store_ops *ops, struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec);

size_t slab_alloc_bulk(struct cpu *cpu, struct cache *c, uint32_t gfp, size_t n, uint64_t *vec);
/* c NULL: objects of any cache, and large blocks. vec is permuted. Returns FINDING_*. */
uint32_t slab_free_bulk(struct cpu *cpu, struct cache *c, size_t n, uint64_t *vec);

/* front.c */
#define object_init V(object_init)
#define object_wipe V(object_wipe)
/* What policies slab.init_on_alloc and slab.init_on_free do to an object on its way out, and on its way in. */
void object_init(struct cpu *cpu, const struct store *s, uint64_t object);
void object_wipe(struct cpu *cpu, const struct store *s, uint64_t object);
uint64_t slab_cache_alloc(struct cpu *cpu, struct cache *c, uint32_t gfp, int node);
uint32_t slab_free(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner);
#define slab_tell_store V(slab_tell_store)
/* Told: whose object this is, and how many names share its store. */
void slab_tell_store(struct cpu *cpu, const struct store *s, uint32_t cache);
#define slab_wrong_cache V(slab_wrong_cache)
/* What there is to say of a free of an object of s to c: FINDING_*. */
uint32_t slab_wrong_cache(struct cpu *cpu, struct store *s, struct cache *c, uint64_t off);
uint64_t slab_kmalloc(struct cpu *cpu, uint64_t bytes, uint32_t gfp, int node, uint32_t *cache);
#endif

#endif
