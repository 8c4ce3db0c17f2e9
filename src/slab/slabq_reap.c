/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes back to slabs and pages without being asked for: the timer's
 * passes, flushes, shrinks. (slab.md section 6)
 */
#include "slab/slabq.h"

#include "slab/emit.h"
#include "slab/list.h"
#include "slab/pages.h"

/* The oldest n of an array, of objects of one node, back to their slabs. */
static void give_oldest(struct cpu *cpu, struct store *s, struct array_cache *ac, unsigned int node, uint32_t n)
{
	struct slub_node *home = store_node(cpu->lab, s, node);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };

	if (!n)
		return;
	lock_take(cpu, &home->lock, COUNTING);
	slabq_free_block(cpu, s, node, ac->entry, n, &doomed);
	array_shift(ac, n);
	lock_give(cpu, &home->lock);
	slabq_destroy(cpu, s, doomed);
}

/* A fifth of what fits, unless the array was used since the last pass. An empty one keeps its mark. */
static void drain_idle(struct cpu *cpu, struct store *s, struct array_cache *ac)
{
	uint32_t n;

	if (!ac || !ac->avail)
		return;
	if (ac->touched) {
		ac->touched = 0;
		return;
	}
	n = (ac->limit + 4) / 5;
	give_oldest(cpu, s, ac, cpu->node, n > ac->avail ? (ac->avail + 1) / 2 : n);
}

/* Free slabs of a node from the tail, at most n; how many there were. */
static uint32_t drop_free_slabs(struct cpu *cpu, struct store *s, unsigned int node, uint64_t n, enum event_id why)
{
	struct slub_node *home = store_node(cpu->lab, s, node);
	struct slabq_node *q = slabq_node(cpu->lab, s, node);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };
	uint32_t nr = 0;

	lock_take(cpu, &home->lock, COUNTING);
	for (; nr < n && q->free.tail != PFN_NONE; nr++) {
		struct page *slab = lab_page(cpu->lab, q->free.tail);

		slab_list_del(cpu->lab, &q->free, slab);
		q->free_slabs--;
		__atomic_store_n(&q->free_objects, q->free_objects - s->g.objs, __ATOMIC_RELAXED);
		slabq_doom(cpu->lab, &doomed, slab);
		emit_slab(cpu, s, why, slab->slab_nr, 0, 0);
	}
	lock_give(cpu, &home->lock);
	slabq_destroy(cpu, s, doomed);
	return nr;
}

static void reap_alien(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct alien_cache *alien = slabq_alien(cpu->lab, slabq_node(cpu->lab, s, cpu->node), node);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };

	if (!alien)
		return;
	lock_take(cpu, &alien->lock, COUNTING);
	slabq_drain_alien(cpu, s, &alien->ac, node, &doomed);
	lock_give(cpu, &alien->lock);
	slabq_destroy(cpu, s, doomed);
}

/* The node's part: the shared array as a CPU's, then free slabs, unless somebody wanted one lately. */
static void reap_node(struct cpu *cpu, struct store *s, struct slabq_node *q)
{
	drain_idle(cpu, s, slabq_shared(cpu->lab, q));
	if (q->free_touched)
		q->free_touched = 0;
	else
		drop_free_slabs(cpu, s, cpu->node, (q->free_limit + 5 * s->g.objs - 1) / (5 * s->g.objs), EV_reaped);
}

static bool node_is_due(const struct lab *lab, struct slabq_node *q, const struct reap *r)
{
	uint64_t every = (uint64_t)((const struct slab_policy *)lab_section(lab, SEC_SLAB_POLICY))->slabq_reap_node_ms * 1000000;

	if (r->part != REAP_BY_TIME)
		return r->part == REAP_NODE;
	if (q->next_reap_ns > r->now_ns)
		return false;
	q->next_reap_ns = every ? r->now_ns / every * every + every : r->now_ns;
	return true;
}

void slabq_reap(struct cpu *cpu, struct store *s, struct reap *r)
{
	struct slabq_node *q = slabq_node(cpu->lab, s, cpu->node);

	if (s->state != STORE_ACTIVE)
		return;
	if (r->alien >= 0)
		reap_alien(cpu, s, (unsigned int)r->alien);
	drain_idle(cpu, s, slabq_cpu(cpu, s));
	if (node_is_due(cpu->lab, q, r))
		reap_node(cpu, s, q);
}

/* ---- everything, in a stop ---- */

void slabq_flush_cpu(struct cpu *cpu, struct store *s)
{
	struct array_cache *ac = slabq_cpu(cpu, s);

	give_oldest(cpu, s, ac, cpu->node, ac->avail);
}

void slabq_flush_shared(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct array_cache *shared = slabq_shared(cpu->lab, slabq_node(cpu->lab, s, node));

	if (shared)
		give_oldest(cpu, s, shared, node, shared->avail);
}

void slabq_flush_nodes(struct cpu *cpu, struct store *s)
{
	struct lab *lab = cpu->lab;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		for (unsigned int other = 0; other < lab->nr_nodes; other++) {
			struct alien_cache *alien = slabq_alien(lab, slabq_node(lab, s, n), other);
			struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };

			if (!alien)
				continue;
			lock_take(cpu, &alien->lock, COUNTING);
			slabq_drain_alien(cpu, s, &alien->ac, other, &doomed);
			lock_give(cpu, &alien->lock);
			slabq_destroy(cpu, s, doomed);
		}
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		slabq_flush_shared(cpu, s, n);
}

void slabq_discard_empty(struct cpu *cpu, struct store *s, unsigned int node)
{
	drop_free_slabs(cpu, s, node, UINT64_MAX, EV_slab_discard);
}
