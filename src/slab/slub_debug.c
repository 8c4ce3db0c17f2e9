/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores with debug flags: no CPU slab, no chain; one object at a time, under
 * the node's list lock. Full slabs are listed only with user tracking.
 * (slab-debug.md section 3)
 */
#include "slab/slub.h"

#include "slab/emit.h"
#include "slab/list.h"

static void add_full(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab)
{
	if (!(s->g.flags & CF_USER))
		return;
	slab_list_add_head(cpu->lab, &n->full, slab);
	n->nr_full++;
}

static void remove_full(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab)
{
	if (!(s->g.flags & CF_USER))
		return;
	slab_list_del(cpu->lab, &n->full, slab);
	n->nr_full--;
}

/* The first object of a slab whose lists nobody else can change now; true if that was the last. */
static uint64_t take_one(struct cpu *cpu, struct store *s, struct page *slab, bool *was_last)
{
	struct slab_counts counts = slab_counts(slab);
	uint64_t object = slab->freelist;

	counts.inuse++;
	*was_last = counts.inuse == counts.objects;
	__atomic_store_n(&slab->freelist, *object_link(cpu->base, &s->g, object), __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack(counts), __ATOMIC_RELAXED);
	return object;
}

static uint64_t alloc_from_node(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	uint64_t object = 0;
	bool was_last;

	tell(cpu, s->number, NOTE_node_had, node, slub_nr_partial(n));
	if (!__atomic_load_n(&n->nr_partial, __ATOMIC_RELAXED))
		return 0;
	lock_take(cpu, &n->lock, COUNTING);
	if (n->partial.head != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, n->partial.head);

		object = take_one(cpu, s, slab, &was_last);
		tell(cpu, s->number, NOTE_slab_had, slab->slab_nr, slab_counts(slab).objects - slab_counts(slab).inuse + 1,
		     slab_counts(slab).objects, n->nr_partial - was_last);
		if (was_last) {
			slub_remove_partial(cpu, n, slab);
			add_full(cpu, s, n, slab);
		}
	}
	lock_give(cpu, &n->lock);
	return object;
}

static uint64_t alloc_from_partial(struct cpu *cpu, struct store *s, int node)
{
	uint64_t object = alloc_from_node(cpu, s, node < 0 ? cpu->node : (unsigned int)node);

	if (object || node >= 0 || !s->defrag_ratio)
		return object;
	for (unsigned int i = 1; i < cpu->lab->nr_nodes && !object; i++) {
		unsigned int other = slub_nth_node(cpu->node, i);

		if (store_node(cpu->lab, s, other)->nr_partial > s->min_partial)
			object = alloc_from_node(cpu, s, other);
	}
	return object;
}

uint64_t slub_debug_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	uint64_t object = alloc_from_partial(cpu, s, node);
	struct slub_node *n;
	struct page *slab;
	bool was_last;

	if (object)
		return object;
	slab = slub_new_slab(cpu, s, gfp, node);
	if (!slab)
		return 0;
	emit_slab(cpu, s, EV_alloc_slab, slab->slab_nr, slab->order, 0);
	n = store_node(cpu->lab, s, slab->node);
	lock_take(cpu, &n->lock, COUNTING);
	object = take_one(cpu, s, slab, &was_last);
	if (was_last)
		add_full(cpu, s, n, slab);
	else
		slub_add_partial(cpu, s, n, slab, false);
	lock_give(cpu, &n->lock);
	return object;
}

void slub_debug_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		     unsigned int cnt)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	struct slab_counts counts;
	bool was_full, discard;

	lock_take(cpu, &n->lock, COUNTING);
	counts = slab_counts(slab);
	was_full = !slab->freelist;
	counts.inuse -= cnt;
	*object_link(cpu->base, &s->g, tail) = slab->freelist;
	__atomic_store_n(&slab->freelist, head, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack(counts), __ATOMIC_RELAXED);
	discard = !counts.inuse && slub_is_surplus(s, n);
	tell(cpu, s->number, NOTE_freed_into, slab->slab_nr, counts.inuse, counts.objects, false, was_full, cnt);
	if (!counts.inuse)
		tell(cpu, s->number, NOTE_surplus, slab->node, n->nr_partial, s->min_partial, discard,
		     s->discard_test == DISCARD_GT, slab->slab_nr);
	if (was_full)
		remove_full(cpu, s, n, slab);
	if (discard && !was_full) {
		slub_remove_partial(cpu, n, slab);
		emit_slab(cpu, s, EV_free_remove_partial, slab->slab_nr, slab->node, 0);
	}
	if (!discard && was_full) {
		slub_add_partial(cpu, s, n, slab, true);
		emit_slab(cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
	}
	lock_give(cpu, &n->lock);
	if (discard) {
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slub_discard(cpu, s, slab);
	}
}
