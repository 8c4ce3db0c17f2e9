/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slabs of the queued engine: made of pages, coloured, given an array of free
 * indexes; and given back. (slab.md sections 1 and 5)
 */
#include "slab/slabq.h"

#include "page/alloc.h"
#include "page/zone.h"
#include "slab/bulk.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/pages.h"

#define LEAST_KMALLOC 32	/* smallest class that this engine's kernel has */

static uint32_t start_offset(const struct store *s, struct slabq_node *n)
{
	uint32_t colour;

	if (!s->colouring || !s->g.colours)
		return 0;
	colour = __atomic_load_n(&n->colour_next, __ATOMIC_RELAXED) + 1;
	if (colour >= s->g.colours)
		colour = 0;
	__atomic_store_n(&n->colour_next, colour, __ATOMIC_RELAXED);
	return colour * s->g.colour_off;
}

/* Where the array of free indexes goes; 0 when the object for it is not to be had. */
static uint64_t place_index(struct cpu *cpu, struct store *s, pfn_t first, uint32_t start, uint32_t gfp)
{
	uint32_t cache;

	switch (s->g.management) {
	case SLABQ_IN_OBJECT:
		return pfn_off(cpu->lab, first) + start + (uint64_t)(s->g.objs - 1) * s->g.size + object_at(&s->g);
	case SLABQ_ON_SLAB:
		return pfn_off(cpu->lab, first) + (PAGE_SIZE << s->g.order) - s->g.index_bytes;
	default:
		return slab_kmalloc(cpu, s->g.index_bytes < LEAST_KMALLOC ? LEAST_KMALLOC : s->g.index_bytes,
				    gfp & GFP_TO_PAGES, (int)page_node(cpu->lab, first), &cache);
	}
}

static pfn_t slab_pages(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	tell(cpu, s->number, NOTE_pages_asked, s->g.order, s->g.objs, s->g.order, 1, s->g.order);
	return V(alloc_pages)(cpu, s->g.order, (gfp & GFP_TO_PAGES) | s->page_gfp | GFP_BIT_COMP, node);
}

struct page *slabq_grow(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	pfn_t first = slab_pages(cpu, s, gfp, node);
	struct slub_node *n;
	struct page *slab;
	uint64_t index;
	uint32_t start;

	if (first == PFN_NONE)
		return NULL;
	start = start_offset(s, slabq_node(cpu->lab, s, page_node(cpu->lab, first)));
	index = place_index(cpu, s, first, start, gfp);
	if (!index) {
		V(free_pages)(cpu, first, s->g.order);
		return NULL;
	}
	slab = lab_page(cpu->lab, first);
	slab->next = slab->prev = PFN_NONE;
	slab->start = start;
	__atomic_store_n(&slab->freelist, index, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack((struct slab_counts){ 0, s->g.objs, false }), __ATOMIC_RELAXED);
	slab_mark_pages(cpu, s, first, s->g.order, __atomic_fetch_add(&s->next_slab, 1, __ATOMIC_RELAXED));
	if (unlikely(s->debug))
		debug_init_slab(cpu, s, slab, s->g.objs);
	for (uint32_t i = 0; i < s->g.objs; i++)
		slabq_index(cpu->lab, slab)[i] = (uint8_t)i;
	n = store_node(cpu->lab, s, slab->node);
	__atomic_add_fetch(&n->nr_slabs, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&n->total_objects, s->g.objs, __ATOMIC_RELAXED);
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, 1L << s->g.order);
	return slab;
}

void slabq_destroy(struct cpu *cpu, struct store *s, struct slabq_doomed doomed)
{
	while (doomed.first != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, doomed.first);
		uint64_t index = s->g.management == SLABQ_OFF_SLAB ? slab->freelist : 0;

		doomed.first = slab->next;
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
		if (index)
			slab_free(cpu, NULL, index, 0);
	}
}
