/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slub_fast - the two fast paths of SLUB, inline for the entry points.
 *
 * With policy slub.fastpath=owner whoever plays the CPU is the only user of its
 * freelist, so plain loads and stores do what the kernel does with a CPU-local
 * exchange of {freelist, tid}. One line of struct slub_cpu and the object's
 * link word are touched. Stores that want more (WAY_*) are asked for by calls
 * of their own. (slub.md sections 1, 2 and 5)
 */
#ifndef SLAB_SLUB_FAST_H
#define SLAB_SLUB_FAST_H

#include "base/finding.h"
#include "slab/emit.h"
#include "slab/exchange.h"

/* n objects went out under a cache's name; `hits` of them the part has counted, for the store's first cache. */
static inline void slab_count_allocs(struct cpu *cpu, const struct slub_cpu *c, uint32_t cache, uint64_t n, uint64_t hits)
{
	bump(cpu->cache_cpu[cache].allocs, n);
	bump(cpu->cache_cpu[c->name].allocs, -hits);
}

static inline void slab_count_frees(struct cpu *cpu, const struct slub_cpu *c, uint32_t cache, uint64_t n, uint64_t hits)
{
	bump(cpu->cache_cpu[cache].frees, n);
	bump(cpu->cache_cpu[c->name].frees, -hits);
}

/* A hit was counted for the store's first cache; it was this one's. */
static inline void slub_alloc_by(struct cpu *cpu, const struct slub_cpu *c, uint32_t cache)
{
	if (unlikely(c->name != cache)) {
		bump(cpu->cache_cpu[cache].allocs, 1);
		cpu->cache_cpu[c->name].allocs--;
	}
}

static inline void slub_free_by(struct cpu *cpu, const struct slub_cpu *c, uint32_t cache)
{
	if (unlikely(c->name != cache)) {
		bump(cpu->cache_cpu[cache].frees, 1);
		cpu->cache_cpu[c->name].frees--;
	}
}

/* Checks of a debug store may refuse a free: then nothing came back under this name. */
static inline uint32_t slab_free_refused(struct cpu *cpu, uint32_t name)
{
	uint32_t nr = cpu->refused;

	if (likely(!nr))
		return 0;
	cpu->refused = 0;
	cpu->cache_cpu[name].frees -= nr;
	return FINDING_DEBUG;
}

/* What a run that is freed to the CPU's own slab counts: a call, since 6.7 its objects. */
static inline unsigned int slub_run_hits(const struct store *s, unsigned int cnt)
{
	return s->era < ERA_6_8 ? 1 : cnt;
}

/* How many objects the CPU's freelist holds. */
static inline void tell_freelist(struct cpu *cpu, const struct slub_cpu *c)
{
	unsigned int nr = 0;

	for (uint64_t o = c->freelist; o; o = link_read(cpu->base, o + c->freeptr, c->secret))
		nr++;
	tell(cpu, c->number, NOTE_freelist_had, nr, cpu->pages[c->slab].slab_nr);
}

/* An object from the CPU's freelist, 0 if it is empty. Of a secret that is known to be 0 nothing is left in the code. */
static inline __attribute__((always_inline)) uint64_t slub_take(struct cpu *cpu, struct slub_cpu *c, uint64_t secret)
{
	uint64_t object = c->freelist;

	if (unlikely(!object))
		return 0;
	if (TELLING)
		tell_freelist(cpu, c);
	c->freelist = link_read(cpu->base, object + c->freeptr, secret);
	bump(c->alloc_fastpath, 1);
	if (TELLING)
		story_add(cpu, c->number, EV_alloc_fastpath, object, 0, 0);
	return object;
}

static inline uint64_t slub_alloc_fast(struct cpu *cpu, struct slub_cpu *c)
{
	return slub_take(cpu, c, 0);
}

/* Push on the CPU's freelist; the object's slab is this CPU's. */
static inline __attribute__((always_inline)) void slub_put(struct cpu *cpu, struct slub_cpu *c, uint64_t object, uint64_t secret)
{
	link_write(cpu->base, object + c->freeptr, secret, c->freelist);
	if (TELLING)
		tell_freelist(cpu, c);
	c->freelist = object;
	bump(c->free_fastpath, 1);
	if (TELLING)
		story_add(cpu, c->number, EV_free_fastpath, object, 0, 0);
}

static inline void slub_push(struct cpu *cpu, struct slub_cpu *c, uint64_t object)
{
	slub_put(cpu, c, object, 0);
}

/* ---- the same by exchange (slub.fastpath=cmpxchg), with coded links (slub.freelist_hardened) ---- */

#define TID_STEP MAX_CPUS	/* so that no two CPUs ever have the same number */

static inline void exchange_failed(struct cpu *cpu, const struct slub_cpu *c)
{
	if (COUNTING)
		cpu->stat[c->number].ev[EV_cmpxchg_double_cpu_fail - EV_SLAB_FIRST]++;
	if (TELLING)
		story_add(cpu, c->number, EV_cmpxchg_double_cpu_fail, c->number, 0, 0);
}

static inline uint64_t slub_alloc_exchange(struct cpu *cpu, struct slub_cpu *c)
{
	uint64_t object, tid;

	if (TELLING && c->freelist)
		tell_freelist(cpu, c);
	for (;;) {
		tid = c->tid;
		barrier();
		object = c->freelist;
		if (unlikely(!object))
			return 0;
		if (likely(exchange_own(c, object, tid, link_read(cpu->base, object + c->freeptr, c->secret), tid + TID_STEP)))
			break;
		exchange_failed(cpu, c);
	}
	c->alloc_fastpath++;
	if (TELLING)
		story_add(cpu, c->number, EV_alloc_fastpath, object, 0, 0);
	return object;
}

static inline void slub_put_exchange(struct cpu *cpu, struct slub_cpu *c, uint64_t object)
{
	uint64_t head, tid;

	if (TELLING)
		tell_freelist(cpu, c);
	for (;;) {
		tid = c->tid;
		barrier();
		head = c->freelist;
		link_write(cpu->base, object + c->freeptr, c->secret, head);
		if (likely(exchange_own(c, head, tid, object, tid + TID_STEP)))
			break;
		exchange_failed(cpu, c);
	}
	c->free_fastpath++;
	if (TELLING)
		story_add(cpu, c->number, EV_free_fastpath, object, 0, 0);
}

/* As the CPU's part says. */
static inline uint64_t slub_alloc_ways(struct cpu *cpu, struct slub_cpu *c)
{
	return c->ways & WAY_EXCHANGE ? slub_alloc_exchange(cpu, c) : slub_take(cpu, c, c->secret);
}

/* Nor is an object taken that the freelist begins with: the slow path has something to say of it. */
static inline bool slub_free_ways(struct cpu *cpu, struct slub_cpu *c, const struct page *page, uint64_t object)
{
	if (unlikely(c->key != page->key) || unlikely(c->secret && c->freelist == object))
		return false;
	if (c->ways & WAY_EXCHANGE)
		slub_put_exchange(cpu, c, object);
	else
		slub_put(cpu, c, object, c->secret);
	return true;
}

/* The object of this page goes to the CPU's freelist if its slab is this CPU's slab. */
static inline bool slub_free_fast(struct cpu *cpu, struct slub_cpu *c, const struct page *page, uint64_t object)
{
	if (unlikely(c->key != page->key))
		return false;
	slub_push(cpu, c, object);
	return true;
}

#endif
