/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slabs of SLUB, made of pages. How they are given back is in pages.c.
 *
 * A new slab is asked for twice: at the preferred order, gently (no warning,
 * no retry, no reclaim), then at the least order that holds an object, as the
 * caller asked. (slub.md section 6; variant nokswapd of Linux 6.1)
 */
#include "slab/slub.h"

#include "base/gfp.h"
#include "base/rand.h"
#include "cpu/latency.h"
#include "page/alloc.h"
#include "page/drift.h"
#include "page/zone.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/pages.h"

static uint32_t of_order(uint32_t gfp, unsigned int order)
{
	return order ? gfp | GFP_BIT_COMP : gfp;
}

/*
 * What of the caller's wishes the first request keeps (history-pages.md
 * section 6): it may fail, so it shall cost little. A caller that may not
 * wait, or a slab that can be no smaller, is asked for as in noretry.
 */
static uint32_t gentle(const struct store *s, uint32_t gfp)
{
	bool spares = gfp & GFP_BIT_DIRECT_RECLAIM && s->g.order > s->g.min_order;

	gfp = (gfp | GFP_BIT_NOWARN | GFP_BIT_NORETRY) & ~GFP_BIT_NOFAIL;
	switch ((enum order_fallback)s->order_fallback) {
	case ORDER_NOWAIT:
		return gfp & ~GFP_BIT_DIRECT_RECLAIM;
	case ORDER_NOKSWAPD:
	case ORDER_NOPAGE:
		if (!spares)
			return gfp;
		return (gfp | (s->fallback_nomemalloc ? GFP_BIT_NOMEMALLOC : 0)) & ~GFP_BIT_RECLAIM;
	default:
		return gfp;
	}
}

/* A guess from the number of free single pages: is a large block likely to be had? */
static bool plenty_is_free(const struct lab *lab)
{
	uint64_t free = 0, managed = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		free += zone_free_seen(lab, &lab->zones[i]);
		managed += lab->zones[i].managed;
	}
	return free > managed / 8;
}

static bool tries_first(const struct lab *lab, const struct store *s)
{
	return s->order_fallback == ORDER_FREECOUNT ? plenty_is_free(lab) : s->order_fallback != ORDER_MINORDER;
}

/* A block of the preferred order, by the store's way of asking. */
static pfn_t first_try(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	unsigned int order = s->g.order;
	pfn_t pfn;

	tell(cpu, s->number, NOTE_pages_asked, order, s->g.objs, s->g.min_order, 1, s->wish.max_order, s->order_fallback);
	if (s->order_fallback == ORDER_NONE)
		return V(alloc_pages)(cpu, order, of_order(gfp, order), node);
	emit_slab(cpu, s, EV_order_first_try, peek(s->next_slab), order, 0);
	gfp = of_order(gentle(s, gfp), order);
	pfn = s->order_fallback == ORDER_NOPAGE ? V(alloc_pages_once)(cpu, order, gfp, node) : V(alloc_pages)(cpu, order, gfp, node);
	if (pfn != PFN_NONE)
		emit_slab(cpu, s, EV_order_first_try_ok, peek(s->next_slab), order, 0);
	return pfn;
}

static pfn_t slab_pages(struct cpu *cpu, struct store *s, uint32_t gfp, int node, unsigned int *order,
			uint32_t *objects)
{
	bool tried = tries_first(cpu->lab, s);
	pfn_t pfn = PFN_NONE;

	gfp = (gfp & GFP_TO_PAGES) | s->page_gfp;
	*order = s->g.order;
	*objects = s->g.objs;
	if (likely(tried))
		pfn = first_try(cpu, s, gfp, node);
	if (pfn != PFN_NONE || s->order_fallback == ORDER_NONE)
		return pfn;
	*order = s->g.min_order;
	*objects = s->g.min_objs;
	tell(cpu, s->number, NOTE_pages_asked, *order, *objects, s->g.min_order, tried ? 2 : 3, s->wish.max_order,
	     s->order_fallback);
	pfn = V(alloc_pages)(cpu, *order, of_order(gfp, *order), node);
	if (pfn != PFN_NONE && (!s->fallback_strict || s->g.order > s->g.min_order))
		emit_slab(cpu, s, EV_order_fallback, peek(s->next_slab), *order, 0);
	return pfn;
}

/*
 * The store's random order, from a random place on and round again; in a
 * smaller slab numbers that it does not have are passed over. (slub.md
 * section 6.2: one order a store, so that a new slab costs one random number)
 */
static uint64_t build_random(struct cpu *cpu, struct store *s, struct page *slab, pfn_t first, uint32_t objects)
{
	const uint16_t *order = lab_ptr(cpu->lab, s->sequence);
	uint32_t from = (uint32_t)rand_below(&cpu->part->rand, s->g.objs), at = from;
	uint64_t head = 0, last = 0;

	for (uint32_t n = 0; n < objects; at = at + 1 < s->g.objs ? at + 1 : 0) {
		uint64_t object;

		if (order[at] >= objects)
			continue;
		object = slab_object(cpu->lab, s, first, order[at]);
		if (n++)
			object_set_next(cpu->base, s, last, object);
		else
			head = object;
		last = object;
	}
	object_set_next(cpu->base, s, last, 0);
	tell(cpu, s->number, NOTE_shuffled, slab->slab_nr, objects, from);
	return head;
}

/* Objects in order of address, object 0 first. Returns the first. */
static uint64_t build_freelist(struct cpu *cpu, struct store *s, pfn_t first, uint32_t objects)
{
	uint64_t head = slab_object(cpu->lab, s, first, 0), object = head, secret = s->secret;
	uint32_t freeptr = s->g.freeptr, size = s->g.size;

	for (uint32_t i = 1; i < objects; i++, object += size)
		link_write(cpu->base, object + freeptr, secret, object + size);
	link_write(cpu->base, object + freeptr, secret, 0);
	return head;
}

struct page *slub_new_slab(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	unsigned int order;
	struct slub_node *n;
	struct page *slab;
	uint32_t objects;
	pfn_t first = slab_pages(cpu, s, gfp, node, &order, &objects);

	if (first == PFN_NONE) {
		emit_lab(cpu, EV_slab_alloc_fail, s->serial, gfp, 0);
		debug_shortage(cpu, s, gfp, node);
		return NULL;
	}
	cpu->path |= WENT_NEW;
	slab = lab_page(cpu->lab, first);
	slab->next = slab->prev = PFN_NONE;
	slab->chain_slabs = slab->chain_objs = 0;
	__atomic_store_n(&slab->listed, false, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack((struct slab_counts){ 0, objects, false }), __ATOMIC_RELAXED);
	slab_mark_pages(cpu, s, first, order, __atomic_fetch_add(&s->next_slab, 1, __ATOMIC_RELAXED));
	if (unlikely(s->debug))
		debug_init_slab(cpu, s, slab, objects);
	__atomic_store_n(&slab->freelist, unlikely(s->sequence) && objects > 1 ? build_random(cpu, s, slab, first, objects) :
			 build_freelist(cpu, s, first, objects), __ATOMIC_RELAXED);
	n = store_node(cpu->lab, s, slab->node);
	__atomic_add_fetch(&n->nr_slabs, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&n->total_objects, objects, __ATOMIC_RELAXED);
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, 1L << order);
	return slab;
}
