/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry - the C interface's calls: marks, fast paths, pointers.
 *
 * Idea. A CPU has a table of calls (struct cpu_calls). Hits go inline, by one
 * route that is asked for first and then by whichever is the store's (enum
 * route): the table is chosen by what most stores of the lab are, and any table
 * is right for any store - but that ROUTE_OWNER may be first only where no
 * store has WAY_*: it asks nothing.
 *
 *   entry.c          objects: the tables, one a route
 *   entry_bulk.c     many objects at once
 *   entry_pages.c    pages
 *   entry_careful.c  the table that looks at each request
 *
 * Included by files compiled per variant. A function here that takes over an
 * op (the _slow and _odd ones) also ends it.
 */
#ifndef SLAB_ENTRY_H
#define SLAB_ENTRY_H

#include "base/gfp.h"
#include "cpu/story.h"
#include "event/variant.h"

struct cache;

#define entry_alloc_slow V(entry_alloc_slow)
#define entry_kmalloc_slow V(entry_kmalloc_slow)
#define entry_free_odd V(entry_free_odd)
#define entry_alloc_bulk V(entry_alloc_bulk)
#define entry_free_bulk V(entry_free_bulk)
#define entry_alloc_bulk_slow V(entry_alloc_bulk_slow)
#define entry_free_bulk_slow V(entry_free_bulk_slow)
#define entry_alloc_pages V(entry_alloc_pages)
#define entry_free_pages V(entry_free_pages)
#define entry_alloc_pages_bulk V(entry_alloc_pages_bulk)
#define entry_free_pages_bulk V(entry_free_pages_bulk)

/* In an op that was begun. bytes: what kmalloc was asked for, to be noted in a debugged object; 0: all of it. */
void *entry_alloc_slow(struct cpu *cpu, struct cache *c, uint64_t bytes);
/* The same for any pointer; c NULL: kfree. NULL and what kmalloc(0) gave lie outside the arena, too. */
void entry_free_odd(struct cpu *cpu, struct cache *c, void *p);

/* Whole calls. */
void *entry_kmalloc_slow(struct cpu *cpu, uint64_t bytes);
size_t entry_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p);
void entry_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p);
size_t entry_alloc_bulk_slow(struct cpu *cpu, struct cache *c, size_t n, void **p);
void entry_free_bulk_slow(struct cpu *cpu, struct cache *c, size_t n, void **p);
void *entry_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp);
void entry_free_pages(struct cpu *cpu, void *p, unsigned int order);
size_t entry_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p);
void entry_free_pages_bulk(struct cpu *cpu, size_t n, void **p);

/* A call is told like an op; it has no number of its own, so it stands behind the op before it. */
static inline void call_begin(struct cpu *cpu, enum told_kind kind, uint32_t cache, uint64_t n, uint64_t off)
{
	const struct story_op what = { .op = cpu->lab->hdr->ops, .kind = (uint8_t)kind, .cache = cache, .n = n,
				       .off = off, .gfp = GFP_KERNEL, .node = -1, .is_call = true };

	story_begin(cpu, &what);
}

#endif
