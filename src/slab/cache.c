/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named caches: the table, creation, destruction, the wish that a cache's policies make of its request. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "lab/heap.h"
#include "slab/cached.h"
#include "slab/debug.h"
#include "slab/kmalloc.h"
#include "slab/owner.h"
#include "slab/prefill.h"
#include "slab/store.h"

#define MAX_OBJECT (PAGE_SIZE << MAX_PAGE_ORDER)

/* ---- policy ---- */

struct slab_policy *lab_slab_policy(struct lab *lab)
{
	return lab_section(lab, SEC_SLAB_POLICY);
}

struct store_policy *cache_override(struct lab *lab, uint32_t cache)
{
	return &lab_cache(lab, cache)->override;
}

uint32_t *cache_override_mask(struct lab *lab, uint32_t cache)
{
	return &lab_cache(lab, cache)->override_mask;
}

uint8_t slub_max_order_auto(const struct lab *lab, const struct store_policy *p)
{
	(void)lab;
	return p->era == ERA_2_6_24 ? 1 : 3;
}

#define SMALL_MACHINE ((32ULL << 20) >> PAGE_SHIFT)

uint8_t slabq_max_order_auto(const struct lab *lab, const struct store_policy *p)
{
	(void)p;
	return lab->hdr->shape.pages > SMALL_MACHINE;
}

/* The lab-wide values, and over them what the cache has of its own. */
void cache_policy(struct lab *lab, const struct cache *c, struct store_policy *p)
{
	const struct store_policy *o = &c->override;
	uint32_t mask = c->override_mask;

	*p = lab_slab_policy(lab)->store;
#define OVER(bit, field) do { if (mask & (bit)) p->field = o->field; } while (0)
	OVER(SF_ERA, era);
	OVER(SF_MIN_ORDER, min_order);
	OVER(SF_MAX_ORDER, max_order);
	OVER(SF_MIN_OBJECTS, min_objects);
	OVER(SF_DISCARD_TEST, discard_test);
	OVER(SF_MIN_PARTIAL, min_partial);
	OVER(SF_CPU_PARTIAL, cpu_partial);
	OVER(SF_CPU_PARTIAL_UNIT, cpu_partial_unit);
	OVER(SF_DEFRAG_RATIO, defrag_ratio);
	OVER(SF_PARTIAL_ADD, partial_add);
	OVER(SF_PARTIAL_ADD, criterion_side);
	OVER(SF_PARTIAL_ADD, criterion_num);
	OVER(SF_PARTIAL_ADD, criterion_den);
	OVER(SF_ENGINE, engine);
	OVER(SF_BULK_FORM, bulk_form);
	OVER(SF_ORDER_FALLBACK, order_fallback);
	OVER(SF_FALLBACK_NOMEMALLOC, fallback_nomemalloc);
	OVER(SF_SLABQ_LIMIT, slabq_limit);
	OVER(SF_SLABQ_BATCHCOUNT, slabq_batchcount);
	OVER(SF_SLABQ_SHARED, slabq_shared);
	OVER(SF_SLABQ_MAX_ORDER, slabq_max_order);
	OVER(SF_SLABQ_COLOUR, slabq_colour);
	OVER(SF_SLQB_HIWATER, slqb_hiwater);
	OVER(SF_SLQB_FREEBATCH, slqb_freebatch);
	OVER(SF_SLQB_MIN_ORDER, slqb_min_order);
	OVER(SF_SLQB_MIN_OBJECTS, slqb_min_objects);
	OVER(SF_SLQB_COLOUR, slqb_colour);
	OVER(SF_SHEAF_CAPACITY, sheaf_capacity);
	OVER(SF_FASTPATH, fastpath);
	OVER(SF_OWNER_MAP, owner_map);
	OVER(SF_FREELIST_RANDOM, freelist_random);
	OVER(SF_FREELIST_HARDENED, freelist_hardened);
#undef OVER
	if (p->max_order == ORDER_AUTO)
		p->max_order = slub_max_order_auto(lab, p);
	if (p->slabq_max_order == ORDER_AUTO)
		p->slabq_max_order = slabq_max_order_auto(lab, p);
	if (mask & SF_DEBUG) {
		p->debug = o->debug;
		p->has_debug = true;
	}
	if (!(mask & SF_SHEAF_CAPACITY) && c->capacity_asked && p->sheaf_capacity != QUEUE_AUTO)
		p->sheaf_capacity = c->capacity_asked - 1;
	/* at creation, merge=off keeps a cache alone until an override says otherwise */
	if (mask & SF_MERGE && o->merge != MERGE_AUTO)
		p->merge = o->merge;
	else if (c->merge_asked != MERGE_AUTO)
		p->merge = c->merge_asked;
}

/* Fields of other engines are left 0, so that no switch of theirs makes a store anew; likewise eras that are one to an engine. */
static void wish_of_engine(const struct slab_policy *policy, const struct store_policy *p, struct wish *w)
{
	w->era = p->era;
	switch (w->engine) {
	case ENGINE_SLAB:
		w->era = p->era < ERA_4_2 ? ERA_2_6_29 : ERA_4_2;
		w->slabq_max_order = p->slabq_max_order;
		w->wipes = policy->init_on_free;
		break;
	case ENGINE_SLQB:
		w->era = ERA_2_6_29;
		w->slqb_min_order = p->slqb_min_order;
		w->slqb_min_objects = p->slqb_min_objects;
		w->own_debug = false;		/* it is for merging, which this one never does */
		break;
	default:
		w->min_order = p->min_order;
		w->max_order = p->max_order;
		w->min_objects = p->min_objects;
		w->cpu_partial_off = p->cpu_partial == CPU_PARTIAL_OFF;
		w->freelist_random = p->freelist_random;
		w->freelist_hardened = p->freelist_hardened;
		return;
	}
	w->cpus = 0;
}

/* CPUs from which the objects of a slab are derived: since 5.12 present ones if there are two or more, else all ids. */
static uint32_t cpus_for_min_objects(const struct lab *lab, const struct slab_policy *policy, enum slab_era era)
{
	const struct shape *shape = &lab->hdr->shape;

	if (policy->cpus_for_min_objects)
		return (uint32_t)policy->cpus_for_min_objects;
	return shape->cpus > 1 && era >= ERA_6_1 ? shape->cpus : shape->possible;
}

/* Of later kernels, where every cache has sheaves: by the size of a slot, but not less than the cache asked for. */
static uint32_t capacity_auto(const struct cache *c, const struct wish *w)
{
	uint32_t asked = c->capacity_asked ? (uint32_t)c->capacity_asked - 1 : 0, capacity;
	struct geometry g;

	if (slub_geometry(w, &g))
		return 0;		/* nor will it get a store */
	capacity = sheaf_capacity_auto(g.size);
	return capacity > asked ? capacity : asked;
}

/* kmalloc's caches ask for what the kernels of the era asked. */
static void wish_of_kmalloc(const struct store_policy *p, struct wish *w)
{
	w->align = kmalloc_align(p->era, w->object_size);
	if (p->era < ERA_6_1 && (w->engine == ENGINE_SLAB || w->engine == ENGINE_SLQB))
		w->flags |= CF_HWCACHE;
}

void cache_wish(struct lab *lab, const struct cache *c, struct wish *w)
{
	const struct slab_policy *policy = lab_slab_policy(lab);
	struct store_policy p;

	cache_policy(lab, c, &p);
	memset(w, 0, sizeof(*w));	/* wishes are compared as bytes */
	w->object_size = c->object_size;
	w->align = c->align;
	w->usersize = c->usersize;
	w->ctor = c->ctor;
	w->kmalloc = c->kmalloc;
	w->link_at = c->link_at;
	w->own_debug = p.has_debug;
	w->flags = p.has_debug ? c->flags | p.debug :
		   debug_string_flags(policy->debug, c->name, c->flags, &w->drop_high);
	w->drop_high &= (w->flags & (CF_REDZONE | CF_POISON | CF_USER)) != 0;
	w->engine = p.engine;
	w->owner_map = p.owner_map;
	if (c->kmalloc)
		wish_of_kmalloc(&p, w);
	w->cpus = cpus_for_min_objects(lab, policy, p.era);
	wish_of_engine(policy, &p, w);
	if (w->engine == ENGINE_SHEAVES && !(w->flags & CF_DEBUG))
		w->sheaf_capacity = p.sheaf_capacity == QUEUE_AUTO ? capacity_auto(c, w) : (uint32_t)p.sheaf_capacity;
}

void cache_policy_now(struct lab *lab, uint32_t cache, struct store_policy *p)
{
	const struct cache *c = lab_cache(lab, cache);

	cache_policy(lab, c, p);
	if (!p->has_debug)	/* flags of its creation, and those that slub.debug names it for */
		p->debug = lab_store(lab, c->store)->g.flags & (CF_DEBUG | CF_FAILSLAB);
}

/* Fields that only tune a store in place. */
#define TUNING (SF_PARTIAL_ADD | SF_DISCARD_TEST | SF_CPU_PARTIAL_UNIT | SF_MIN_PARTIAL | SF_CPU_PARTIAL | SF_DEFRAG_RATIO | SF_BULK_FORM | \
		SF_SLABQ_LIMIT | SF_SLABQ_BATCHCOUNT | SF_SLABQ_SHARED | SF_SLABQ_COLOUR | SF_SLQB_HIWATER |     \
		SF_SLQB_FREEBATCH | SF_SLQB_COLOUR | SF_FASTPATH | SF_ORDER_FALLBACK | SF_FALLBACK_NOMEMALLOC)

static int bring_in_line(struct lab *lab, struct cache *c, uint32_t fields)
{
	struct store *s;
	int ret;

	if (fields & ~TUNING || fields & SF_CPU_PARTIAL) {
		ret = cache_restore(lab, c);
		if (ret < 0)
			return fail_in(ret, "%s keeps its store: ", c->name);
	}
	s = lab_store(lab, c->store);
	if (s->caches != c->id)
		return 0;		/* the first cache's policies hold for all that share it */
	ret = store_tune(lab, s);
	if (ret)
		return fail_in(ret, "%s keeps its sizes: ", c->name);
	if (fields & (SF_CPU_PARTIAL | SF_CPU_PARTIAL_UNIT) && has_slub(s))
		store_flush_all(lab->cpus[0], s);
	return 0;
}

int cache_policy_changed(struct lab *lab, uint32_t cache, uint32_t fields)
{
	stores_open(lab);
	return bring_in_line(lab, lab_cache(lab, cache), fields);
}

/* Is there a slab for the objects of each cache? Asked before the first of them moves. */
static int all_can_be(struct lab *lab)
{
	for (uint32_t i = slab_state(lab)->oldest_cache; i; i = lab_cache(lab, i)->newer) {
		const struct cache *c = lab_cache(lab, i);
		struct geometry g;
		struct wish w;
		int ret;

		cache_wish(lab, c, &w);
		ret = geometry_compute(&w, &g);
		if (ret)
			return fail_in(ret, "%s keeps its store, and all others theirs: ", c->name);
	}
	return 0;
}

/*
 * Newest first: when merging ends, the oldest of a set is the one that stays
 * where it is. Where debug flags change nobody stays, and the oldest goes first,
 * so that what they share next has its name.
 */
int slab_policy_changed(struct lab *lab, uint32_t fields)
{
	bool up = fields == SF_DEBUG;
	int ret = fields & ~TUNING ? all_can_be(lab) : 0;

	if (!ret)
		ret = kmalloc_in_line(lab);
	if (ret)
		return ret;
	stores_open(lab);
	for (uint32_t i = up ? slab_state(lab)->oldest_cache : slab_state(lab)->newest_cache; i && !ret;
	     i = up ? lab_cache(lab, i)->newer : lab_cache(lab, i)->older)
		ret = bring_in_line(lab, lab_cache(lab, i), fields);
	return ret;
}

/* ---- the table ---- */

static uint32_t take_slot(struct lab *lab)
{
	struct slab_state *st = slab_state(lab);

	if (!st->nr_caches)
		st->nr_caches = 1;	/* 0 means no cache */
	if (st->nr_caches < MAX_CACHES)
		return st->nr_caches++;
	if (st->free_cache) {		/* ids are used again only when all are used up */
		uint32_t i = st->free_cache;

		st->free_cache = lab_cache(lab, i)->newer;
		return i;
	}
	return 0;
}

static void link_newest(struct lab *lab, struct cache *c)
{
	struct slab_state *st = slab_state(lab);

	c->older = st->newest_cache;
	c->newer = 0;
	*(c->older ? &lab_cache(lab, c->older)->newer : &st->oldest_cache) = c->id;
	st->newest_cache = c->id;
}

static void remove_slot(struct lab *lab, struct cache *c)
{
	struct slab_state *st = slab_state(lab);
	uint32_t id = c->id;

	*(c->older ? &lab_cache(lab, c->older)->newer : &st->oldest_cache) = c->newer;
	*(c->newer ? &lab_cache(lab, c->newer)->older : &st->newest_cache) = c->older;
	heap_free(lab, c->carry, (uint64_t)lab->nr_cpus * EV_SLAB_NR * sizeof(uint64_t));
	memset(c, 0, sizeof(*c));
	c->id = id;
	c->newer = st->free_cache;
	st->free_cache = id;
}

/* ---- creation ---- */

static int check_name(struct lab *lab, const char *name)
{
	if (!*name || strlen(name) >= CACHE_NAME)
		return fail(EINVAL, "a cache name has 1 to %d characters", CACHE_NAME - 1);
	if (strpbrk(name, " \t\n:/"))
		return fail(EINVAL, "\"%s\": a cache name has no blank, no : and no / (tools that read slabinfo would trip)", name);
	if (cache_find(lab, name))
		return fail(EEXIST, "a cache named %s exists (kmem_cache destroy %s, or choose another name)", name, name);
	return 0;
}

static int check_request(struct lab *lab, const struct cache_request *rq)
{
	int ret = check_name(lab, rq->name);

	if (ret)
		return ret;
	if (!rq->size || rq->size > MAX_OBJECT)
		return fail(ERANGE, "object size %llu is out of range (1 .. %lu)", (unsigned long long)rq->size, MAX_OBJECT);
	if (rq->align && (!is_pow2(rq->align) || rq->align > MAX_OBJECT))
		return fail(EINVAL, "align=%llu is no power of two up to %lu", (unsigned long long)rq->align, MAX_OBJECT);
	if (rq->usersize > rq->size)
		return fail(EINVAL, "usersize=%llu is larger than the object (%llu)",
			    (unsigned long long)rq->usersize, (unsigned long long)rq->size);
	if ((rq->flags & (CF_DMA | CF_DMA32)) == (CF_DMA | CF_DMA32))
		return fail(EINVAL, "DMA and DMA32 exclude each other");
	if (rq->link_at && (!(rq->flags & CF_RCU) || rq->ctor))
		return fail(EINVAL, "freeptr= is for caches with flag RCU and without a constructor");
	if (rq->link_at && ((rq->link_at - 1) % WORD || (uint64_t)rq->link_at - 1 + WORD > rq->size))
		return fail(EINVAL, "freeptr=%lld is no whole word of the object (a multiple of %d up to %llu)",
			    (long long)rq->link_at - 1, WORD, (unsigned long long)(rq->size > WORD ? rq->size - WORD : 0) / WORD * WORD);
	return 0;
}

/* A cache in a store: the one that fits, or a new one. */
static int enter(struct lab *lab, struct cache *c)
{
	struct wish w;
	uint32_t number;
	bool may_merge = cache_may_merge(lab, c);
	int ret;

	cache_wish(lab, c, &w);
	number = may_merge ? merge_find(lab, c, &w) : 0;
	if (!number) {
		ret = store_make(lab, &w, c->name, &number);
		if (ret)
			return ret;
		lab_store(lab, number)->closed = !may_merge;
		if (c->starts_up)
			lab_store(lab, number)->refcount = -1;
	}
	store_attach(lab, lab_store(lab, number), c);
	return 0;
}

int cache_make(struct lab *lab, const struct cache_request *rq, bool starts_up, bool kmalloc, uint32_t *id)
{
	uint32_t i = take_slot(lab);
	struct cache *c;
	int ret;

	if (!i)
		return fail(ENOMEM, "a lab holds at most %d caches", MAX_CACHES - 1);
	c = lab_cache(lab, i);
	memset(c, 0, sizeof(*c));
	c->id = i;
	c->state = CACHE_LIVE;
	c->starts_up = starts_up;
	c->kmalloc = kmalloc;
	c->merge_asked = rq->merge;
	if (rq->engine) {
		c->override.engine = (uint8_t)(rq->engine - 1);
		c->override_mask |= SF_ENGINE;
	}
	c->capacity_asked = rq->sheaf_capacity;
	c->object_size = (uint32_t)rq->size;
	c->align = (uint32_t)rq->align;
	c->flags = rq->flags & ~(uint32_t)CF_SPREAD;	/* means nothing to SLUB */
	c->usersize = (uint32_t)rq->usersize;
	c->ctor = rq->ctor;
	c->link_at = (int32_t)rq->link_at - 1;
	strcpy(c->name, rq->name);
	for (unsigned int n = 0; n < lab->nr_cpus; n++)
		lab->cpus[n]->cache_cpu[i] = (struct cache_cpu){ 0, 0 };
	link_newest(lab, c);
	ret = enter(lab, c);
	if (ret) {
		remove_slot(lab, c);
		return ret;
	}
	*id = i;
	return 0;
}

int cache_create(struct lab *lab, const struct cache_request *rq, uint32_t *id)
{
	int ret = check_request(lab, rq);

	return ret ? ret : cache_make(lab, rq, false, false, id);
}

int cache_rename(struct lab *lab, uint32_t id, const char *name)
{
	struct cache *c = lab_cache(lab, id);
	struct store *s = lab_store(lab, c->store);
	int ret = check_name(lab, name);

	if (ret)
		return ret;
	if (s->caches == id)
		strcpy(s->name, name);
	strcpy(c->name, name);
	return 0;
}

/* ---- destruction ---- */

/*
 * What went out under this name is from now on its store's first cache's; with
 * none it is nobody's (cache 0), as where a free that named no cache was
 * counted for another one than the allocation.
 */
static void hand_over_counts(struct lab *lab, const struct cache *c, uint32_t to)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cache_cpu *from = &lab->cpus[i]->cache_cpu[c->id];

		lab->cpus[i]->cache_cpu[to].allocs += from->allocs;
		lab->cpus[i]->cache_cpu[to].frees += from->frees;
		*from = (struct cache_cpu){ 0, 0 };
	}
}

/* `heir` has its counts, so a store that it left and that still drains counts for the heir too. */
static void forget_name(struct lab *lab, uint32_t cache, uint32_t heir)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer) {
		struct store *s = lab_store(lab, i);
		uint32_t *ids = lab_ptr(lab, s->history);

		for (uint32_t h = 0; h < s->history_nr; h++)
			if (ids[h] == cache)
				ids[h--] = ids[--s->history_nr];
		if (s->count_cache == cache)
			store_count_for(lab, s, s->caches ? s->caches : heir);
	}
}

static uint64_t total_slabs(struct lab *lab, struct store *s)
{
	uint64_t nr = 0;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		nr += store_node(lab, s, n)->nr_slabs;
	return nr;
}

/*
 * Objects in stores that it left. Those of a store that no other cache ever
 * used are surely this one's; those of another may be.
 */
static bool pins_old_store(struct lab *lab, uint32_t id, bool surely)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer) {
		struct store *s = lab_store(lab, i);

		if (s->state == STORE_DRAINING && (s->history_nr == 1 || !surely) && store_had_cache(lab, s, id) && total_slabs(lab, s))
			return true;
	}
	return false;
}

int cache_destroy(struct cpu *self, uint32_t id)
{
	struct lab *lab = self->lab;
	struct cache *c = lab_cache(lab, id);
	struct store *s = lab_store(lab, c->store);
	uint32_t heir;
	uint64_t out;

	if (c->starts_up)
		return fail(EPERM, "%s was made with the lab and stays", c->name);
	if (held_by_cache(lab, id))
		return fail(EBUSY, "Slab cache still has objects: a prefilled sheaf of %s is out (kmem_cache return)", c->name);
	if (s->caches == id && !c->next_in_store) {
		s->refcount = 0;
		store_empty(self, s);
		store_discard_empty(lab, s);
		store_finish_grace(lab);
		out = cache_objects(lab, id);
		/* a free that named no cache may have been counted for another one: the count alone says little */
		if (total_slabs(lab, s) || (out && pins_old_store(lab, id, false))) {
			c->refused = true;
			debug_remaining(self, c);
			return fail(EBUSY, "Slab cache still has objects: %llu of %s %s out (pin %s lists %s)",
				    (unsigned long long)out, c->name, out == 1 ? "is" : "are", c->name, out == 1 ? "it" : "them");
		}
		s->refcount = 1;
	} else {
		store_finish_grace(lab);
		out = owner_count(lab, id);
		if (out) {
			c->refused = true;
			return fail(EBUSY, "Slab cache still has objects: %llu of %s are out, as its owner map says",
				    (unsigned long long)out, c->name);
		}
		if (pins_old_store(lab, id, true))
			return fail(EBUSY, "Slab cache still has objects: %s has some in a store that it left (see stores)",
				    c->name);
	}
	store_detach(lab, c);
	heir = s->state == STORE_ACTIVE ? s->caches : CACHE_NONE;
	store_reap(lab);
	cached_forget(lab, id, heir);
	forget_name(lab, id, heir);	/* before the counts go: it adds the hits of stores that count for this name */
	hand_over_counts(lab, c, heir);
	remove_slot(lab, c);
	return 0;
}

/* ---- a fresh lab ---- */

int slab_init(struct lab *lab)
{
	bool barns = lab_slab_policy(lab)->store.era >= ERA_6_18;	/* a word more in each for sheaves */
	const struct cache_request own[] = {	/* sizes of 6.1: a pointer for each node behind the rest */
		{ .name = "kmem_cache", .size = 216 + 8ULL * barns + 8ULL * lab->nr_nodes, .flags = CF_HWCACHE },
		{ .name = "kmem_cache_node", .size = 64 + 8ULL * barns, .flags = CF_HWCACHE },
	};
	uint32_t id;

	slab_state(lab)->nr_caches = slab_state(lab)->nr_stores = 1;
	debug_state(lab)->lock.rank = RANK_DEBUG;
	cached_init(lab);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		lab->cpus[i]->slub[0] = (struct slub_cpu){ .number = PART_QUEUED, .slab = PFN_NONE, .partial = PFN_NONE };
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		int ret = cache_make(lab, &own[i], true, false, &id);

		if (ret)
			return ret;
	}
	return kmalloc_in_line(lab);
}

void slab_attach(struct lab *lab, struct cpu *cpu)
{
	cpu->slub = (struct slub_cpu *)lab_section(lab, SEC_STORE_CPU) + (size_t)cpu->id * MAX_STORES;
	cpu->stores = lab_store(lab, 0);
	cpu->stat = (struct store_stat *)lab_section(lab, SEC_STORE_STAT) + (size_t)cpu->id * MAX_STORES;
	cpu->cache_cpu = (struct cache_cpu *)lab_section(lab, SEC_CACHE_CPU) + (size_t)cpu->id * MAX_CACHES;
	kmalloc_attach(lab, cpu);
}

void slab_section_bytes(const struct shape *shape, uint64_t bytes[SEC_NR])
{
	bytes[SEC_SLAB_POLICY] = sizeof(struct slab_policy);
	bytes[SEC_SLAB] = sizeof(struct slab_state);
	bytes[SEC_CACHE] = MAX_CACHES * sizeof(struct cache);
	bytes[SEC_CACHE_CPU] = (uint64_t)shape->possible * MAX_CACHES * sizeof(struct cache_cpu);
	bytes[SEC_STORE] = MAX_STORES * sizeof(struct store);
	bytes[SEC_STORE_NODE] = (uint64_t)MAX_STORES * shape->nodes * sizeof(struct slub_node);
	bytes[SEC_STORE_CPU] = (uint64_t)shape->possible * MAX_STORES * sizeof(struct slub_cpu);
	bytes[SEC_OWNER] = (shape->pages << PAGE_SHIFT) / OWNER_SECTION_SHARE;
	bytes[SEC_DEBUG_OUT] = (shape->pages << PAGE_SHIFT) / WORD / 8;
	bytes[SEC_CACHED] = cached_section_bytes(shape);
	bytes[SEC_DEBUG] = sizeof(struct debug_state);
	bytes[SEC_STORE_STAT] = (uint64_t)shape->possible * MAX_STORES * sizeof(struct store_stat);
}
