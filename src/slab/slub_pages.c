/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slabs made of pages, and given back to the page layer.
 *
 * A new slab is asked for twice: at the preferred order, gently (no warning,
 * no retry, no reclaim), then at the least order that holds an object, as the
 * caller asked. (slub.md section 6; variant nokswapd of Linux 6.1)
 */
#include "slab/slub.h"

#include "base/gfp.h"
#include "page/alloc.h"
#include "page/zone.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/grace.h"
#include "slab/store.h"

/* Bits of an object request that reach the page layer: what may be done to find pages, and where. */
#define GFP_TO_PAGES                                                                              \
	(GFP_BIT_RECLAIM | GFP_BIT_HIGH | GFP_BIT_IO | GFP_BIT_FS | GFP_BIT_NOWARN |              \
	 GFP_BIT_RETRY_MAYFAIL | GFP_BIT_NOFAIL | GFP_BIT_NORETRY | GFP_BIT_MEMALLOC |            \
	 GFP_BIT_NOMEMALLOC | GFP_BIT_ATOMIC | GFP_BIT_NOLOCKDEP | GFP_BIT_HARDWALL | GFP_BIT_THISNODE)

static uint32_t gentle(const struct store *s, uint32_t gfp)
{
	gfp = (gfp | GFP_BIT_NOWARN | GFP_BIT_NORETRY) & ~GFP_BIT_NOFAIL;
	if (gfp & GFP_BIT_DIRECT_RECLAIM && s->g.order > s->g.min_order)
		gfp = (gfp | GFP_BIT_NOMEMALLOC) & ~GFP_BIT_RECLAIM;
	return gfp;
}

static uint32_t of_order(uint32_t gfp, unsigned int order)
{
	return order ? gfp | GFP_BIT_COMP : gfp;
}

static pfn_t slab_pages(struct cpu *cpu, struct store *s, uint32_t gfp, int node, unsigned int *order,
			uint32_t *objects)
{
	pfn_t pfn;

	gfp = (gfp & GFP_TO_PAGES) | s->page_gfp;
	*order = s->g.order;
	*objects = s->g.objs;
	tell(cpu, s->number, NOTE_pages_asked, *order, *objects, s->g.min_order, 1,
	     s->wish.max_order);
	pfn = V(alloc_pages)(cpu, *order, of_order(gentle(s, gfp), *order), node);
	if (pfn != PFN_NONE)
		return pfn;
	*order = s->g.min_order;
	*objects = s->g.min_objs;
	tell(cpu, s->number, NOTE_pages_asked, *order, *objects, s->g.min_order, 2,
	     s->wish.max_order);
	pfn = V(alloc_pages)(cpu, *order, of_order(gfp, *order), node);
	if (pfn != PFN_NONE && (!s->fallback_strict || s->g.order > s->g.min_order))
		emit_slab(cpu, s, EV_order_fallback, s->next_slab, *order, 0);
	return pfn;
}

/* Every page of a slab says so, that a free finds store and first page in one look. */
static void mark_pages(struct cpu *cpu, struct store *s, pfn_t first, unsigned int order, uint32_t nr)
{
	unsigned int node = page_node(cpu->lab, first);

	for (pfn_t pfn = first; pfn < first + (1u << order); pfn++) {
		struct page *page = lab_page(cpu->lab, pfn);

		page_set_kind(page, page_kind(PAGE_SLAB, order, page->mtype));
		page->head = first;
		page->slab_nr = nr;
		page->node = (uint8_t)node;
		__atomic_store_n(&page->store, s->number, __ATOMIC_RELEASE);
	}
}

/* Objects in order of address, object 0 first. Returns the first. */
static uint64_t build_freelist(struct cpu *cpu, struct store *s, pfn_t first, uint32_t objects)
{
	uint64_t head = slab_object(cpu->lab, s, first, 0), object = head;

	for (uint32_t i = 1; i < objects; i++, object += s->g.size)
		*object_link(cpu->base, &s->g, object) = object + s->g.size;
	*object_link(cpu->base, &s->g, object) = 0;
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
		return NULL;
	}
	slab = lab_page(cpu->lab, first);
	slab->next = slab->prev = PFN_NONE;
	slab->chain_slabs = slab->chain_objs = 0;
	__atomic_store_n(&slab->counters, counts_pack((struct slab_counts){ 0, objects, false }), __ATOMIC_RELAXED);
	mark_pages(cpu, s, first, order, __atomic_fetch_add(&s->next_slab, 1, __ATOMIC_RELAXED));
	if (unlikely(s->debug))
		debug_init_slab(cpu, s, slab, objects);
	__atomic_store_n(&slab->freelist, build_freelist(cpu, s, first, objects), __ATOMIC_RELAXED);
	n = store_node(cpu->lab, s, slab->node);
	__atomic_add_fetch(&n->nr_slabs, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&n->total_objects, objects, __ATOMIC_RELAXED);
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, 1L << order);
	return slab;
}

static void give_pages_back(struct cpu *cpu, pfn_t first)
{
	struct page *slab = lab_page(cpu->lab, first);
	struct store *s = lab_store(cpu->lab, slab->store);
	unsigned int order = slab->order;

	for (pfn_t pfn = first; pfn < first + (1u << order); pfn++) {
		struct page *page = lab_page(cpu->lab, pfn);

		__atomic_store_n(&page->store, 0, __ATOMIC_RELAXED);
		page_set_kind(page, page_kind(PAGE_NOTHING, 0, page->mtype));
	}
	page_set_kind(slab, page_kind(PAGE_ALLOCATED, order, slab->mtype));
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, -(1L << order));
	V(free_pages)(cpu, first, order);
}

void slub_give_back(struct cpu *cpu, pfn_t first)
{
	struct store *s = lab_store(cpu->lab, lab_page(cpu->lab, first)->store);

	give_pages_back(cpu, first);
	__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELEASE);
	store_note_death(cpu->lab, s);
}

/* The slab is on no list and all its objects are free: it is the store's no longer. */
void slub_discard(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	pfn_t first = page_pfn(cpu->lab, slab), next;

	__atomic_sub_fetch(&n->total_objects, slab_counts(slab).objects, __ATOMIC_RELAXED);
	if (unlikely(s->debug)) {
		uint32_t errors = debug_check_empty(cpu, s, slab);

		if (errors)
			emit_slab_n(cpu, s, EV_debug_errors, errors, slab->slab_nr, errors, 0);
	}
	if (!s->rcu || grace_is_over(cpu)) {
		give_pages_back(cpu, first);
		__atomic_sub_fetch(&n->nr_slabs, 1, __ATOMIC_RELEASE);
		store_note_death(cpu->lab, s);
		return;
	}
	__atomic_add_fetch(&s->waiting, 1, __ATOMIC_RELAXED);
	__atomic_sub_fetch(&n->nr_slabs, 1, __ATOMIC_RELEASE);
	grace_wait(cpu, first);
	for (pfn_t done = grace_take(cpu); done != PFN_NONE; done = next) {
		next = lab_page(cpu->lab, done)->next;
		slub_give_back(cpu, done);
	}
}
