/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a slab goes on its node's partial list: policy slub.partial_add.
 *
 * Head means it is the next to be taken; tail gives it time to lose more
 * objects. The site says what the kernel does; the policy may overrule it.
 * (slub.md section 9; the criterion is that of the 2011 discussion)
 */
#include "slab/list.h"
#include "slab/slub.h"

#include "slab/emit.h"

static bool goes_to_tail(const struct store *s, bool site_tail, struct slab_counts counts)
{
	uint64_t inuse = counts.inuse, objects = counts.objects;

	if (likely(s->partial_add == PARTIAL_DEACTIVATE))
		return site_tail;
	if (s->partial_add == PARTIAL_CRITERION)	/* above the fraction: to the side named; else the other */
		return (inuse * s->criterion_den > objects * s->criterion_num) == s->criterion_side;
	return partial_add_is_tail(s->partial_add, site_tail, inuse, objects);
}

void slub_add_partial(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab, bool site_tail)
{
	struct slab_counts counts = slab_counts(slab);

	tell(cpu, s->number, NOTE_placing, slab->slab_nr, counts.inuse, counts.objects, s->partial_add, site_tail,
	     n->nr_partial);
	__atomic_store_n(&n->nr_partial, n->nr_partial + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->listed, true, __ATOMIC_RELAXED);
	if (goes_to_tail(s, site_tail, counts)) {
		slab_list_add_tail(cpu->lab, &n->partial, slab);
		emit_slab(cpu, s, EV_placed_tail, slab->slab_nr, counts.inuse, 0);
	} else {
		slab_list_add_head(cpu->lab, &n->partial, slab);
		emit_slab(cpu, s, EV_placed_head, slab->slab_nr, counts.inuse, 0);
	}
}

void slub_remove_partial(struct cpu *cpu, struct slub_node *n, struct page *slab)
{
	slab_list_del(cpu->lab, &n->partial, slab);
	__atomic_store_n(&n->nr_partial, n->nr_partial - 1, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->listed, false, __ATOMIC_RELAXED);
}
