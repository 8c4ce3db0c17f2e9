/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLUB before 3.1, when a lock bit guarded each slab: allocation's slow path
 * and deactivation. Everything else is as later, but that CPUs have no chains
 * and frees of a last object give the slab back at once (slub.discard_test lt).
 *
 * A used-up slab is deactivated, not forgotten; objects go back one by one; an
 * empty slab is kept only here. (slub.md section 11)
 */
#include "slab/slub.h"

#include "slab/emit.h"
#include "slab/exchange.h"
#include "slab/pages.h"

/* What others freed into the CPU's slab, all of it; the slab stays the CPU's. */
static uint64_t take_freed(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct slab_pair old, new = { 0, 0 };

	do {
		struct slab_counts counts;

		old = slab_read(slab);
		if (!old.freelist)
			return 0;
		counts = counts_unpack(old.counters);
		counts.inuse = counts.objects;
		new.counters = counts_pack(counts);
	} while (!slab_exchange(cpu, s, slab_events(cpu, s), slab, old, new, false));
	return old.freelist;
}

/* A look at the CPU's slab counts as a refill even if it brings nothing. */
static uint64_t freelist_of_own(struct cpu *cpu, struct store *s, struct slub_cpu *c, int node)
{
	struct page *slab = lab_page(cpu->lab, c->slab);
	uint64_t freelist = 0;

	tell(cpu, s->number, NOTE_own_slab, slab->slab_nr, slab_counts(slab).inuse, slab_counts(slab).objects);
	if (node < 0 || slab->node == node) {
		freelist = take_freed(cpu, s, slab);
		emit_slab(cpu, s, EV_alloc_refill, slab->slab_nr, slub_freelist_end(cpu, s, freelist).nr, 0);
	}
	if (!freelist)
		slub_deactivate(cpu, s, c);
	return freelist;
}

uint64_t slub_early_alloc(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node)
{
	uint64_t freelist = 0;

	if (c->slab == PFN_NONE)
		tell(cpu, s->number, NOTE_no_own_slab, cpu->id);
	else
		freelist = freelist_of_own(cpu, s, c, node);
	if (!freelist)
		freelist = slub_get_partial(cpu, s, c, node);
	if (!freelist)
		freelist = slub_take_new(cpu, s, c, gfp, node);
	if (freelist)			/* counted at the end, and only then */
		emit_slab(cpu, s, EV_alloc_slowpath, s->serial, true, 0);
	return freelist;
}

/* ---- giving up a CPU slab ---- */

/* One by one in front of each other, so the last one comes first. Nobody else sees the CPU's list. */
static uint64_t turn_round(struct cpu *cpu, const struct store *s, uint64_t freelist)
{
	uint64_t turned = 0, next;

	for (; freelist; freelist = next) {
		next = object_next(cpu->base, s, freelist);
		object_set_next(cpu->base, s, freelist, turned);
		turned = freelist;
	}
	return turned;
}

/* Under the node's lock, as its list may be concerned. */
static struct slab_counts thaw(struct cpu *cpu, struct store *s, struct page *slab, uint64_t freelist, struct chain_end end)
{
	struct slab_pair old, new;
	struct slab_counts counts;

	do {
		old = slab_read(slab);
		counts = slub_thawed(cpu, s, old, freelist, end, &new);
	} while (!slab_exchange(cpu, s, slab_events(cpu, s), slab, old, new, false));
	return counts;
}

/*
 * Objects in hand are hot: then the slab goes to the head (2.6.24: always).
 * An empty one that is kept goes to the tail, where it may get company.
 */
static bool place(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab, struct slab_counts counts, bool hot)
{
	bool tail = !hot && s->era != ERA_2_6_24;

	if (!counts.inuse) {
		emit_slab(cpu, s, EV_deactivate_empty, slab->slab_nr, true, 0);
		if (TELLING)
			slub_tell_surplus(cpu, s, n, slab, slub_is_surplus(s, n));
		if (slub_is_surplus(s, n))
			return false;
		slub_add_partial(cpu, s, n, slab, true);
	} else if (counts.inuse == counts.objects) {
		emit_slab(cpu, s, EV_deactivate_full, slab->slab_nr, 0, 0);
	} else {
		slub_add_partial(cpu, s, n, slab, tail);
		if (tail)
			emit_slab(cpu, s, EV_deactivate_to_tail, slab->slab_nr, slab->node, 0);
		else
			emit_slab(cpu, s, EV_deactivate_to_head, slab->slab_nr, slab->node, 0);
	}
	return true;
}

void slub_early_deactivate(struct cpu *cpu, struct store *s, struct page *slab, uint64_t freelist)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	uint64_t turned = turn_round(cpu, s, freelist), freed = slab_read(slab).freelist;
	struct chain_end end = slub_freelist_end(cpu, s, turned);
	struct slab_counts counts;
	bool kept;

	if (freed)
		emit_slab(cpu, s, EV_deactivate_remote_frees, slab->slab_nr, slub_freelist_end(cpu, s, freed).nr, 0);
	lock_take(cpu, &n->lock, COUNTING);
	counts = thaw(cpu, s, slab, turned, end);
	tell(cpu, s->number, NOTE_given_up, slab->slab_nr, end.nr, counts.inuse, counts.objects, freed != 0);
	kept = place(cpu, s, n, slab, counts, freelist != 0);
	lock_give(cpu, &n->lock);
	if (!kept) {
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	}
}
