/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of caches and stores; the walk over a store's slabs is in model.c, sysfs text in sysfs.c. */
#include "slab/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "slab/cached.h"
#include "slab/debug.h"
#include "slab/engine.h"
#include "slab/prefill.h"
#include "slab/slab.h"

uint32_t cache_next(struct lab *lab, uint32_t *cursor)
{
	uint32_t next = *cursor ? lab_cache(lab, *cursor)->newer : slab_state(lab)->oldest_cache;

	if (next)
		*cursor = next;
	return next;
}

uint32_t cache_find(struct lab *lab, const char *name)
{
	for (uint32_t i = slab_state(lab)->newest_cache; i; i = lab_cache(lab, i)->older)
		if (!strcmp(lab_cache(lab, i)->name, name))
			return i;
	return CACHE_NONE;
}

const char *cache_name(struct lab *lab, uint32_t cache)
{
	return lab_cache(lab, cache)->name;
}

uint32_t store_next(struct lab *lab, uint32_t *cursor)
{
	uint32_t i = *cursor ? lab_store(lab, *cursor)->newer : slab_state(lab)->oldest_store;

	while (i && __atomic_load_n(&lab_store(lab, i)->state, __ATOMIC_RELAXED) == STORE_DEAD)
		i = lab_store(lab, i)->newer;
	if (i)
		*cursor = i;
	return i;
}

bool cache_starts_up(const struct lab *lab, uint32_t cache)
{
	return lab_cache(lab, cache)->starts_up;
}

bool store_serves(const struct lab *lab, uint32_t store, uint32_t cache)
{
	return lab_cache(lab, cache)->store == store;
}

bool store_served(struct lab *lab, uint32_t store, uint32_t cache)
{
	return store_had_cache(lab, lab_store(lab, store), cache);
}

/* The directory in /sys/kernel/slab: ":aA-0000192" for a store that may be shared, else its name. */
static void directory(const struct store *s, char *buf, size_t size)
{
	char letters[8];
	int n = 0;

	if (!store_may_merge(s)) {
		snprintf(buf, size, "%s", s->name);
		return;
	}
	if (s->g.flags & CF_DMA)
		letters[n++] = 'd';
	if (s->g.flags & CF_DMA32)
		letters[n++] = 'D';
	if (s->g.flags & CF_RECLAIM)
		letters[n++] = 'a';
	if (s->g.flags & CF_CONSIST)
		letters[n++] = 'F';
	if (s->g.flags & CF_ACCOUNT)
		letters[n++] = 'A';
	if (n)
		letters[n++] = '-';
	letters[n] = 0;
	snprintf(buf, size, ":%s%07u", letters, s->g.size);
}

static void node_sums(struct lab *lab, const struct store *s, struct store_figures *f)
{
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct slub_node *node = store_node(lab, s, n);

		f->slabs += __atomic_load_n(&node->nr_slabs, __ATOMIC_RELAXED);
		f->total_objects += __atomic_load_n(&node->total_objects, __ATOMIC_RELAXED);
		f->partial += __atomic_load_n(&node->nr_partial, __ATOMIC_RELAXED);
	}
	if (s->g.objs != s->g.min_objs) {	/* f fallback slabs of the slabs are smaller */
		uint64_t fallback = (f->slabs * s->g.objs - f->total_objects) / (s->g.objs - s->g.min_objs);

		f->pages = ((f->slabs - fallback) << s->g.order) + (fallback << s->g.min_order);
	} else {
		f->pages = f->slabs << s->g.order;
	}
}

int store_figures(struct lab *lab, uint32_t number, struct store_figures *f)
{
	const struct store *s = lab_store(lab, number);

	if (!number || number >= slab_state(lab)->nr_stores || s->state == STORE_FREE)
		return fail(ENOENT, "there is no store %u", number);
	*f = (struct store_figures){
		.number = number, .serial = s->serial, .born_op = s->born_op,
		.engine = engines[s->engine]->name,
		.state = s->state == STORE_ACTIVE ? STORE_ACTIVE : STORE_DRAINING,
		.object_size = s->object_size, .size = s->g.size, .align = s->g.align,
		.inuse = s->inuse_now, .freeptr_offset = s->g.freeptr, .red_left_pad = s->g.red_left_pad,
		.order = s->g.order, .objs = s->g.objs,
		.fallback_order = s->g.min_order, .fallback_objs = s->g.min_objs,
		.flags = s->g.flags, .usersize = s->wish.usersize, .ctor = s->wish.ctor,
		.aliases = s->refcount < 0 ? 0 : s->refcount - 1,
		.min_partial = s->min_partial, .cpu_partial = s->cpu_partial,
		.cpu_partial_slabs = s->cpu_partial_slabs, .defrag_ratio = s->defrag_ratio / 10,
		.has_cpu_partial = s->has_cpu_partial,
		.owner_map = s->owner_map,
		.freelist_random = s->wish.freelist_random, .freelist_hardened = s->wish.freelist_hardened,
		.has_tracks = debug_has_tracks(s), .has_sizes = debug_has_size(s), .slub_lists = has_slub(s), .queued = front_part(lab->cpus[0], s)->number == PART_QUEUED,
		.colours = s->g.colours, .colour_off = s->g.colour_off, .index_bytes = s->g.index_bytes,
	};
	snprintf(f->name, sizeof(f->name), "%s", s->name);
	directory(s, f->dir, sizeof(f->dir));
	node_sums(lab, s, f);
	if (engines[s->engine]->figures)
		engines[s->engine]->figures(lab, s, f);
	f->rcu_objects += __atomic_load_n(&s->deferred, __ATOMIC_RELAXED);
	held_figures(lab, s, f);
	return 0;
}

static void sum_counts(struct lab *lab, uint32_t cache, uint64_t *allocs, uint64_t *frees)
{
	*allocs = *frees = 0;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct cache_cpu *c = &lab->cpus[i]->cache_cpu[cache];

		*allocs += __atomic_load_n(&c->allocs, __ATOMIC_RELAXED);
		*frees += __atomic_load_n(&c->frees, __ATOMIC_RELAXED);
	}
	for (uint32_t s = slab_state(lab)->oldest_store; s; s = lab_store(lab, s)->newer)
		for (unsigned int i = 0; i < lab->nr_cpus && lab_store(lab, s)->count_cache == cache; i++) {
			*allocs += __atomic_load_n(&lab->cpus[i]->slub[s].alloc_fastpath, __ATOMIC_RELAXED);
			*frees += __atomic_load_n(&lab->cpus[i]->slub[s].free_fastpath, __ATOMIC_RELAXED);
		}
}

uint64_t cache_objects(struct lab *lab, uint32_t cache)
{
	uint64_t allocs, frees;

	sum_counts(lab, cache, &allocs, &frees);
	return allocs - frees;
}

/*
 * What is out under one name of a store. A free that names no cache counts for
 * the store's first name, whoever took the object: what such names lack was
 * others', who are taken in turn.
 */
static uint64_t objects_out(struct lab *lab, const struct cache *c)
{
	int64_t own = (int64_t)cache_objects(lab, c->id), lacking = 0;
	bool before = true;

	if (own <= 0)
		return 0;
	for (uint32_t id = lab_store(lab, c->store)->caches; id; id = lab_cache(lab, id)->next_in_store) {
		int64_t out = id == c->id ? 0 : (int64_t)cache_objects(lab, id);

		before = before && id != c->id;
		lacking -= out < 0 || before ? out : 0;
	}
	return lacking <= 0 ? (uint64_t)own : own > lacking ? (uint64_t)(own - lacking) : 0;
}

static uint64_t cached_objects(const struct lab *lab, uint32_t cache)
{
	uint64_t nr = 0;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		nr += __atomic_load_n(&cached_list(lab, n, cache)->nr, __ATOMIC_RELAXED);
	return nr;
}

int cache_figures(struct lab *lab, uint32_t id, struct cache_figures *f)
{
	const struct cache *c = lab_cache(lab, id);

	if (!id || id >= slab_state(lab)->nr_caches || c->state != CACHE_LIVE)
		return fail(ENOENT, "there is no cache %u", id);
	*f = (struct cache_figures){
		.id = id, .store = c->store, .store_serial = lab_store(lab, c->store)->serial, .name = c->name,
		.size_asked = c->object_size, .align_asked = c->align, .flags_asked = c->flags,
		.usersize = c->usersize, .ctor = c->ctor, .starts_up = c->starts_up,
		.refused_destroy = c->refused, .merge_asked = c->merge_asked, .override_mask = c->override_mask,
	};
	sum_counts(lab, id, &f->allocs, &f->frees);
	f->objects = objects_out(lab, c);
	f->cached = cached_objects(lab, id);
	return 0;
}

unsigned int cache_switches(struct lab *lab, uint32_t cache, struct cache_switch *out, uint32_t *all)
{
	const struct cache *c = lab_cache(lab, cache);
	unsigned int kept = c->nr_switches < CACHE_SWITCHES ? c->nr_switches : CACHE_SWITCHES;

	*all = c->nr_switches;
	for (unsigned int i = 0; i < kept; i++)
		out[i] = c->switched[(c->nr_switches - kept + i) % CACHE_SWITCHES];
	return kept;
}

const char *engine_name(unsigned int engine)
{
	return engine < ENGINE_NR ? engines[engine]->name : "none";
}

/* ---- counters ---- */

unsigned int fast_events(const struct cpu *cpu, const struct store *s, struct fast_event out[4])
{
	const struct slub_cpu *front = front_part(cpu, s), *slub = store_cpu(cpu, s);
	unsigned int n = 0;

	if (has_slub(s)) {
		out[n++] = (struct fast_event){ EV_alloc_fastpath, &slub->alloc_fastpath };
		out[n++] = (struct fast_event){ EV_free_fastpath, &slub->free_fastpath };
	}
	if (front->number == PART_QUEUED) {
		out[n++] = (struct fast_event){ engines[s->engine]->hit_alloc, &front->alloc_fastpath };
		out[n++] = (struct fast_event){ engines[s->engine]->hit_free, &front->free_fastpath };
	}
	return n;
}

/* What struct store_stat holds, and hits. */
static uint64_t count_on(const struct cpu *cpu, uint32_t store, enum event_id ev)
{
	uint64_t nr = __atomic_load_n(&cpu->stat[store].ev[ev - EV_SLAB_FIRST], __ATOMIC_RELAXED);
	struct fast_event fast[4];
	unsigned int n = store ? fast_events(cpu, lab_store(cpu->lab, store), fast) : 0;

	while (n--)
		if (fast[n].ev == ev && cpu->lab->hdr->counters)
			nr += __atomic_load_n(fast[n].hits, __ATOMIC_RELAXED);
	return nr;
}

uint64_t store_event(struct lab *lab, uint32_t store, int cpu, enum event_id ev)
{
	uint64_t nr = 0;

	if (cpu >= 0)
		return count_on(lab->cpus[cpu], store, ev);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		nr += count_on(lab->cpus[i], store, ev);
	return nr;
}

static uint64_t carried(struct lab *lab, const struct cache *c, int cpu, enum event_id ev)
{
	const uint64_t *carry = lab_ptr(lab, c->carry);
	uint64_t nr = 0;

	if (!c->carry)
		return 0;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (cpu < 0 || i == (unsigned int)cpu)
			nr += carry[i * EV_SLAB_NR + (ev - EV_SLAB_FIRST)];
	return nr;
}

/* The cache's store, and those it left, dead or draining, so that no number jumps back at a switch. */
uint64_t cache_event(struct lab *lab, uint32_t cache, int cpu, enum event_id ev)
{
	const struct cache *c = lab_cache(lab, cache);
	uint64_t nr = store_event(lab, c->store, cpu, ev);

	if (lab_slab_policy(lab)->reset_on_restore)
		return nr;
	for (uint32_t i = c->nr_stores > 1 ? slab_state(lab)->oldest_store : 0; i; i = lab_store(lab, i)->newer)
		if (i != c->store && store_had_cache(lab, lab_store(lab, i), cache))
			nr += store_event(lab, i, cpu, ev);
	return nr + carried(lab, c, cpu, ev);
}

uint64_t slab_event_total(struct lab *lab, int cpu, enum event_id ev)
{
	uint64_t nr = store_event(lab, 0, cpu, ev);

	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		nr += store_event(lab, i, cpu, ev);
	return nr;
}

static void add_events(const struct cpu *cpu, uint32_t store, uint64_t total[EV_SLAB_NR])
{
	const uint64_t *ev = cpu->stat[store].ev;
	struct fast_event fast[4];
	unsigned int n = store && cpu->lab->hdr->counters ? fast_events(cpu, lab_store(cpu->lab, store), fast) : 0;

	for (unsigned int e = 0; e < EV_SLAB_NR; e++)
		total[e] += __atomic_load_n(&ev[e], __ATOMIC_RELAXED);
	while (n--)
		total[fast[n].ev - EV_SLAB_FIRST] += __atomic_load_n(fast[n].hits, __ATOMIC_RELAXED);
}

void slab_event_totals(struct lab *lab, uint64_t total[EV_SLAB_NR])
{
	memset(total, 0, EV_SLAB_NR * sizeof(*total));
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		add_events(lab->cpus[i], 0, total);
		for (uint32_t s = slab_state(lab)->oldest_store; s; s = lab_store(lab, s)->newer)
			add_events(lab->cpus[i], s, total);
	}
}

void store_node_lock(struct lab *lab, uint32_t store, unsigned int node, uint64_t *acquired, uint64_t *contended)
{
	const struct lock *lock = &store_node(lab, lab_store(lab, store), node)->lock;

	*acquired = __atomic_load_n(&lock->acquired, __ATOMIC_RELAXED);
	*contended = __atomic_load_n(&lock->contended, __ATOMIC_RELAXED);
}
