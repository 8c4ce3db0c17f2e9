/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls where something has to look at each request (fault
 * injection, latency): no short way past slab_cache_alloc().
 */
#include "slab/entry.h"

#include "cpu/latency.h"
#include "slab/slab.h"

static inline uint64_t timed_from(const struct cpu *cpu)
{
	return __atomic_load_n(&cpu->latency, __ATOMIC_RELAXED) ? latency_clock() : 0;
}

/* In an op of its own: a stop may end the measuring and take the histograms away. */
static inline void timed(struct cpu *cpu, enum latency_op op, uint64_t from)
{
	uint64_t ticks = from ? latency_clock() - from : 0;

	if (!from)
		return;
	cpu_enter(cpu);
	if (cpu->latency)
		latency_add(cpu, op, ticks);
	cpu_leave(cpu);
}

static void *careful_kmalloc(struct cpu *cpu, uint64_t bytes)
{
	uint64_t from = timed_from(cpu);
	void *p;

	p = entry_kmalloc_slow(cpu, bytes);
	timed(cpu, LATENCY_ALLOC, from);
	return p;
}

static void careful_kfree(struct cpu *cpu, void *p)
{
	uint64_t from = timed_from(cpu);

	cpu_enter(cpu);
	entry_free_odd(cpu, NULL, p);
	timed(cpu, LATENCY_FREE, from);
}

static void *careful_cache_alloc(struct cpu *cpu, struct cache *c)
{
	uint64_t from = timed_from(cpu);
	void *p;

	cpu_enter(cpu);
	p = entry_alloc_slow(cpu, c, 0);
	timed(cpu, LATENCY_ALLOC, from);
	return p;
}

static void careful_cache_free(struct cpu *cpu, struct cache *c, void *p)
{
	uint64_t from = timed_from(cpu);

	cpu_enter(cpu);
	entry_free_odd(cpu, c, p);
	timed(cpu, LATENCY_FREE, from);
}

static size_t careful_alloc_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);
	size_t got = entry_alloc_bulk_slow(cpu, c, n, p);

	timed(cpu, LATENCY_BULK_ALLOC, from);
	return got;
}

static void careful_free_bulk(struct cpu *cpu, struct cache *c, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);

	entry_free_bulk_slow(cpu, c, n, p);
	timed(cpu, LATENCY_BULK_FREE, from);
}

static void *careful_alloc_pages(struct cpu *cpu, unsigned int order, uint32_t gfp)
{
	uint64_t from = timed_from(cpu);
	void *p = entry_alloc_pages(cpu, order, gfp);

	timed(cpu, LATENCY_PAGE_ALLOC, from);
	return p;
}

static void careful_free_pages(struct cpu *cpu, void *p, unsigned int order)
{
	uint64_t from = timed_from(cpu);

	entry_free_pages(cpu, p, order);
	timed(cpu, LATENCY_PAGE_FREE, from);
}

static size_t careful_alloc_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);
	size_t got = entry_alloc_pages_bulk(cpu, n, p);

	timed(cpu, LATENCY_PAGE_BULK_ALLOC, from);
	return got;
}

static void careful_free_pages_bulk(struct cpu *cpu, size_t n, void **p)
{
	uint64_t from = timed_from(cpu);

	entry_free_pages_bulk(cpu, n, p);
	timed(cpu, LATENCY_PAGE_BULK_FREE, from);
}

#define careful V(careful)
const struct cpu_calls careful = {
	.kmalloc = careful_kmalloc,
	.kfree = careful_kfree,
	.cache_alloc = careful_cache_alloc,
	.cache_free = careful_cache_free,
	.cache_alloc_bulk = careful_alloc_bulk,
	.cache_free_bulk = careful_free_bulk,
	.alloc_pages = careful_alloc_pages,
	.free_pages = careful_free_pages,
	.alloc_pages_bulk = careful_alloc_pages_bulk,
	.free_pages_bulk = careful_free_pages_bulk,
};
