/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/pages.h"

#include <string.h>

#include "cpu/latency.h"
#include "page/alloc.h"
#include "page/zone.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/deferred.h"
#include "slab/grace.h"
#include "slab/owner.h"
#include "slab/store.h"

/* Every page of a slab says so, that a free finds store and first page in one look. */
void slab_mark_pages(struct cpu *cpu, struct store *s, pfn_t first, unsigned int order, uint32_t nr)
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
	if (unlikely(s->owner_map))
		memset(owner_words(cpu->lab, first), 0, slab_counts(lab_page(cpu->lab, first)).objects * sizeof(uint32_t));
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
	slab->start = slab->owner = 0;
	page_set_kind(slab, page_kind(PAGE_ALLOCATED, order, slab->mtype));
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, -(1L << order));
	cpu->slab_pages += 1ULL << order;
	V(free_pages)(cpu, first, order);
}

void slab_give_back(struct cpu *cpu, pfn_t first)
{
	struct store *s = lab_store(cpu->lab, lab_page(cpu->lab, first)->store);

	give_pages_back(cpu, first);
	__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELEASE);
	store_note_death(cpu->lab, s);
}

void slab_rcu_slabs(struct cpu *cpu)
{
	if (!grace_poll(cpu))
		return;
	for (pfn_t slab = grace_take(cpu), next; slab != PFN_NONE; slab = next) {
		next = lab_page(cpu->lab, slab)->next;
		slab_give_back(cpu, slab);
	}
}

/* The slab is on no list and all its objects are free: it is the store's no longer. */
void slab_discard(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	pfn_t first = page_pfn(cpu->lab, slab);

	cpu->path |= WENT_BACK;
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
	slab_rcu_slabs(cpu);
}
