/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLUB, as Linux 6.1 has it: allocation, freeing, deactivation, the chain.
 *
 * Read top to bottom: where an allocation looks for objects, in order; then
 * where a freed object goes. Fast paths are in slub_fast.h, node lists in
 * slub_partial.c, pages in slub_pages.c, debug stores in slub_debug.c.
 */
#include "slab/slub.h"

#include "cpu/latency.h"
#include "slab/debug.h"
#include "slab/exchange.h"
#include "slab/list.h"
#include "slab/pages.h"
#include "slab/slub_fast.h"

/* ---- giving up a CPU slab ---- */

struct chain_end {
	uint64_t tail;
	unsigned int nr;
};

static struct chain_end freelist_end(struct cpu *cpu, const struct store *s, uint64_t head)
{
	struct chain_end e = { head, 0 };

	for (uint64_t next = head; next; next = object_next(cpu->base, s, next)) {
		e.tail = next;
		e.nr++;
	}
	return e;
}

static void tell_surplus(struct cpu *cpu, const struct store *s, const struct slub_node *n, const struct page *slab)
{
	tell(cpu, s->number, NOTE_surplus, slab->node, slub_nr_partial(n), s->min_partial, slub_is_surplus(s, n),
	     s->discard_test == DISCARD_GT, slab->slab_nr);
}

static void tell_given_up(struct cpu *cpu, const struct store *s, const struct slub_node *n, const struct page *slab,
			  unsigned int nr, bool others)
{
	struct slab_counts counts = slab_counts(slab);

	tell(cpu, s->number, NOTE_given_up, slab->slab_nr, nr, counts.inuse, counts.objects, others);
	if (!counts.inuse)
		tell_surplus(cpu, s, n, slab);
}

/*
 * The CPU's objects go back in front of the slab's own freelist, and the slab
 * to where it now belongs: head of the partial list; tail if others freed into
 * it meanwhile, for those objects are cold; nowhere if full; away if empty and
 * its node keeps enough.
 */
static void deactivate_slab(struct cpu *cpu, struct store *s, struct page *slab, uint64_t freelist)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	struct chain_end end = freelist_end(cpu, s, freelist);
	enum { TO_FREE, TO_PARTIAL, TO_FULL } goal;
	struct slab_pair old, new;
	bool tail = false;

	if (slab_read(slab).freelist) {
		emit_slab(cpu, s, EV_deactivate_remote_frees, slab->slab_nr,
			  freelist_end(cpu, s, slab_read(slab).freelist).nr, 0);
		tail = true;
	}
	for (;;) {
		struct slab_counts counts;

		old = slab_read(slab);
		counts = counts_unpack(old.counters);
		counts.inuse -= end.nr;
		counts.frozen = false;
		new.counters = counts_pack(counts);
		new.freelist = old.freelist;
		if (freelist) {
			object_set_next(cpu->base, s, end.tail, old.freelist);
			new.freelist = freelist;
		}
		goal = !counts.inuse && slub_is_surplus(s, n) ? TO_FREE : new.freelist ? TO_PARTIAL : TO_FULL;
		if (goal == TO_PARTIAL)
			lock_take(cpu, &n->lock, COUNTING);
		if (slab_exchange(cpu, s, slab, old, new))
			break;
		if (goal == TO_PARTIAL)
			lock_give(cpu, &n->lock);
	}
	if (TELLING)
		tell_given_up(cpu, s, n, slab, end.nr, tail);
	if (goal == TO_PARTIAL) {
		slub_add_partial(cpu, s, n, slab, tail);
		lock_give(cpu, &n->lock);
		if (tail)
			emit_slab(cpu, s, EV_deactivate_to_tail, slab->slab_nr, slab->node, 0);
		else
			emit_slab(cpu, s, EV_deactivate_to_head, slab->slab_nr, slab->node, 0);
	} else if (goal == TO_FREE) {
		emit_slab(cpu, s, EV_deactivate_empty, slab->slab_nr, 0, 0);
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	} else {
		emit_slab(cpu, s, EV_deactivate_full, slab->slab_nr, 0, 0);
	}
}

static void deactivate_cpu_slab(struct cpu *cpu, struct store *s, struct slub_cpu *c)
{
	struct page *slab = lab_page(cpu->lab, c->slab);
	uint64_t freelist = c->freelist;

	c->slab = PFN_NONE;
	c->freelist = 0;
	deactivate_slab(cpu, s, slab, freelist);
}

/* ---- the CPU's chain of partial slabs ---- */

/* The chain goes to the nodes, its newest slab first, each to the tail of its list. */
static void unfreeze_chain(struct cpu *cpu, struct store *s, pfn_t chain)
{
	struct slub_node *n = NULL, *of_slab;
	pfn_t discard = PFN_NONE;

	while (chain != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, chain);
		struct slab_counts counts;
		struct slab_pair old, new;

		chain = slab->next;
		of_slab = store_node(cpu->lab, s, slab->node);
		if (n != of_slab) {
			if (n)
				lock_give(cpu, &n->lock);
			n = of_slab;
			lock_take(cpu, &n->lock, COUNTING);
		}
		do {
			old = new = slab_read(slab);
			counts = counts_unpack(old.counters);
			counts.frozen = false;
			new.counters = counts_pack(counts);
		} while (!slab_exchange(cpu, s, slab, old, new));
		if (TELLING && !counts.inuse)
			tell_surplus(cpu, s, n, slab);
		if (!counts.inuse && slub_is_surplus(s, n)) {
			slab->next = discard;
			discard = page_pfn(cpu->lab, slab);
		} else {
			slub_add_partial(cpu, s, n, slab, true);
			emit_slab(cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
		}
	}
	if (n)
		lock_give(cpu, &n->lock);
	while (discard != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, discard);

		discard = slab->next;
		emit_slab(cpu, s, EV_deactivate_empty, slab->slab_nr, 0, 0);
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	}
}

/*
 * Put a frozen slab in front of this CPU's chain. With drain, a chain at its
 * limit first goes to the nodes as a whole. A slab keeps the length of the
 * chain that it heads.
 */
static void put_cpu_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c, struct page *slab, bool drain)
{
	pfn_t old = c->partial, drained = PFN_NONE;
	uint32_t slabs = old == PFN_NONE ? 0 : lab_page(cpu->lab, old)->chain_slabs;

	if (drain && old != PFN_NONE && slabs >= s->cpu_partial_slabs) {
		drained = old;
		old = PFN_NONE;
		slabs = 0;
	}
	if (drain)
		tell(cpu, s->number, NOTE_chain_limit, drained == PFN_NONE ? slabs :
		     lab_page(cpu->lab, drained)->chain_slabs, s->cpu_partial_slabs, drained != PFN_NONE, cpu->id);
	slab->chain_slabs = slabs + 1;
	slab->next = old;
	slab->prev = PFN_NONE;
	c->partial = page_pfn(cpu->lab, slab);
	if (drained != PFN_NONE) {
		unfreeze_chain(cpu, s, drained);
		emit_slab(cpu, s, EV_cpu_partial_drain, s->cpu_partial_slabs, 0, 0);
	}
}

/* ---- partial slabs of nodes ---- */

/* Freeze a listed slab; with take_objects its freelist is ours. False when a free came in between. */
static bool acquire_slab(struct cpu *cpu, struct store *s, struct page *slab, bool take_objects, uint64_t *freelist)
{
	struct slab_pair old = slab_read(slab), new = old;
	struct slab_counts counts = counts_unpack(old.counters);

	*freelist = old.freelist;
	if (take_objects) {
		counts.inuse = counts.objects;
		new.freelist = 0;
	}
	counts.frozen = true;
	new.counters = counts_pack(counts);
	return slab_exchange(cpu, s, slab, old, new);
}

/* A slab that was taken: what is free in it, and how many are left where it was. */
#define tell_slab(cpu, s, slab, nr_free, left)                                                          \
	tell((cpu), (s)->number, NOTE_slab_had, (slab)->slab_nr, (nr_free), slab_counts(slab).objects, (left))

/* From the head of one node's list: the first slab is the CPU's, some more fill half its chain. */
static uint64_t get_partial_node(struct cpu *cpu, struct store *s, struct slub_cpu *c, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	uint64_t object = 0, freelist;
	unsigned int more = 0;

	tell(cpu, s->number, NOTE_node_had, node, slub_nr_partial(n));
	if (!slub_nr_partial(n))
		return 0;
	lock_take(cpu, &n->lock, COUNTING);
	for (pfn_t pfn = n->partial.head, next; pfn != PFN_NONE; pfn = next) {
		struct page *slab = lab_page(cpu->lab, pfn);

		next = slab->next;
		if (!acquire_slab(cpu, s, slab, !object, &freelist))
			break;
		slub_remove_partial(cpu, n, slab);
		if (!object) {
			c->slab = pfn;
			object = freelist;
			emit_slab(cpu, s, EV_alloc_from_partial, slab->slab_nr, node, 0);
		} else {
			put_cpu_partial(cpu, s, c, slab, false);
			emit_slab(cpu, s, EV_cpu_partial_node, slab->slab_nr, node, 0);
			more++;
		}
		tell_slab(cpu, s, slab, freelist_end(cpu, s, freelist).nr, n->nr_partial);
		if (!s->has_cpu_partial || more > s->cpu_partial_slabs / 2)
			break;
	}
	lock_give(cpu, &n->lock);
	if (s->has_cpu_partial && object)
		tell(cpu, s->number, NOTE_chain_filled, more, s->cpu_partial_slabs);
	return object;
}

/*
 * Other nodes, by distance, if they hold more than they keep. The kernel draws
 * against the ratio with the cycle counter; one at a time, ops are never refused.
 */
static uint64_t get_any_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c)
{
	if (!s->defrag_ratio) {
		tell(cpu, s->number, NOTE_nodes_off, cpu->node);
		return 0;
	}
	for (unsigned int i = 1; i < cpu->lab->nr_nodes; i++) {
		unsigned int node = slub_nth_node(cpu->node, i);
		struct slub_node *n = store_node(cpu->lab, s, node);
		uint64_t object;

		if (slub_nr_partial(n) <= s->min_partial) {
			tell(cpu, s->number, NOTE_node_passed, node, slub_nr_partial(n), s->min_partial);
			continue;
		}
		object = get_partial_node(cpu, s, c, node);
		if (object)
			return object;
	}
	return 0;
}

static uint64_t get_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c, int node)
{
	uint64_t object = get_partial_node(cpu, s, c, node < 0 ? cpu->node : (unsigned int)node);

	return object || node >= 0 ? object : get_any_partial(cpu, s, c);
}

/* ---- allocation ---- */

/*
 * The CPU's freelist is used up: take what others freed into the slab. If that
 * is nothing, the slab is full, and let go by the same exchange.
 */
static uint64_t get_freelist(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct slab_pair old, new = { 0, 0 };

	do {
		struct slab_counts counts;

		old = slab_read(slab);
		counts = counts_unpack(old.counters);
		counts.inuse = counts.objects;
		counts.frozen = old.freelist != 0;
		new.counters = counts_pack(counts);
	} while (!slab_exchange(cpu, s, slab, old, new));
	return old.freelist;
}

/* Keep the rest of a freelist for the next allocations. */
static uint64_t take_first(struct cpu *cpu, const struct store *s, struct slub_cpu *c, uint64_t freelist)
{
	c->freelist = object_next(cpu->base, s, freelist);
	tell(cpu, s->number, NOTE_first_taken, lab_page(cpu->lab, c->slab)->slab_nr, freelist_end(cpu, s, c->freelist).nr);
	return freelist;
}

static void tell_chain(struct cpu *cpu, const struct store *s, const struct slub_cpu *c)
{
	tell(cpu, s->number, NOTE_chain_had, cpu->id,
	     c->partial == PFN_NONE ? 0 : lab_page(cpu->lab, c->partial)->chain_slabs);
}

/* What the CPU has already: its slab, then the slabs of its chain. */
static uint64_t freelist_of_own(struct cpu *cpu, struct store *s, struct slub_cpu *c, int node)
{
	for (;;) {
		struct page *slab;
		uint64_t freelist;

		if (c->slab != PFN_NONE) {
			slab = lab_page(cpu->lab, c->slab);
			if (!c->freelist)
				tell(cpu, s->number, NOTE_own_slab, slab->slab_nr, slab_counts(slab).inuse,
				     slab_counts(slab).objects);
			if (node >= 0 && slab->node != node) {
				emit_slab(cpu, s, EV_alloc_node_mismatch, slab->slab_nr, slab->node, 0);
				deactivate_cpu_slab(cpu, s, c);
			} else if (c->freelist) {
				return c->freelist;
			} else if ((freelist = get_freelist(cpu, s, slab))) {
				emit_slab(cpu, s, EV_alloc_refill, slab->slab_nr,
					  freelist_end(cpu, s, freelist).nr, 0);
				return freelist;
			} else {
				c->slab = PFN_NONE;
				emit_slab(cpu, s, EV_deactivate_bypass, slab->slab_nr, 0, 0);
			}
		}
		if (TELLING)
			tell_chain(cpu, s, c);
		if (c->partial == PFN_NONE)
			return 0;
		slab = lab_page(cpu->lab, c->partial);
		c->slab = c->partial;
		c->partial = slab->next;
		emit_slab(cpu, s, EV_cpu_partial_alloc, slab->slab_nr, 0, 0);
		tell_slab(cpu, s, slab, freelist_end(cpu, s, slab_read(slab).freelist).nr, slab->chain_slabs - 1);
	}
}

static uint64_t freelist_of_new(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node)
{
	struct page *slab = slub_new_slab(cpu, s, gfp, node);
	struct slab_counts counts;
	uint64_t freelist;

	if (!slab)
		return 0;
	emit_slab(cpu, s, EV_alloc_slab, slab->slab_nr, slab->order, 0);
	freelist = slab->freelist;
	counts = slab_counts(slab);
	counts.inuse = counts.objects;
	counts.frozen = true;
	__atomic_store_n(&slab->freelist, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack(counts), __ATOMIC_RELEASE);
	c->slab = page_pfn(cpu->lab, slab);
	return freelist;
}

static bool node_has_memory(const struct lab *lab, int node)
{
	for (unsigned int i = 0; i < lab->hdr->shape.zones; i++)
		if (lab->hdr->shape.zone[i].node == node)
			return true;
	return false;
}

uint64_t slub_alloc_slow(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	uint64_t freelist;

	emit_slab(cpu, s, EV_alloc_slowpath, s->serial, 0, 0);
	cpu->path |= WENT_SLOW;
	if (unlikely(node >= 0 && !node_has_memory(cpu->lab, node)))
		node = -1;
	if (unlikely(s->debug))
		return slub_debug_alloc(cpu, s, gfp, node);
	if (c->slab == PFN_NONE)
		tell(cpu, s->number, NOTE_no_own_slab, cpu->id);
	freelist = freelist_of_own(cpu, s, c, node);
	if (!freelist)
		freelist = get_partial(cpu, s, c, node);
	if (!freelist)
		freelist = freelist_of_new(cpu, s, c, gfp, node);
	return freelist ? take_first(cpu, s, c, freelist) : 0;
}

static uint64_t slub_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	uint64_t object = 0;

	if (likely(node < 0 || (c->slab != PFN_NONE && lab_page(cpu->lab, c->slab)->node == node)))
		object = unlikely(s->ways) ? slub_alloc_ways(cpu, c) : slub_alloc_fast(cpu, c);
	return object ? object : slub_alloc_slow(cpu, s, gfp, node);
}

/* n objects, one after the other, but without the price of a call each. (Linux 5.18 to 6.6) */
static size_t slub_alloc_bulk(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	const uint64_t secret = c->secret;
	size_t slow = 0;

	if (TELLING && c->freelist)
		tell_freelist(cpu, c);
	for (size_t i = 0; i < n; i++) {
		uint64_t object = c->freelist;

		if (likely(object)) {
			c->freelist = link_read(cpu->base, object + c->freeptr, secret);
		} else {
			object = slub_alloc_slow(cpu, s, gfp, -1);
			if (!object)
				return i;
			emit_slab(cpu, s, EV_bulk_alloc_slow, object, 0, 0);
			slow++;
		}
		vec[i] = object;
	}
	if (slow < n)
		emit_slab_n(cpu, s, EV_bulk_cas_saved, n - slow, n - slow, 0, 0);
	return n;
}

/* ---- freeing ---- */

/* The node's list is involved: the slab was emptied, or a store without chains lists it again. */
static void free_listed(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab,
			bool was_full, bool is_empty)
{
	bool discard = is_empty && slub_is_surplus(s, n);

	if (TELLING && is_empty)
		tell_surplus(cpu, s, n, slab);
	if (discard && !was_full) {
		slub_remove_partial(cpu, n, slab);
		emit_slab(cpu, s, EV_free_remove_partial, slab->slab_nr, slab->node, 0);
	}
	if (!discard && was_full && !s->has_cpu_partial) {
		slub_add_partial(cpu, s, n, slab, true);
		emit_slab(cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
	}
	lock_give(cpu, &n->lock);
	if (discard) {
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	}
}

static void tell_freed(struct cpu *cpu, const struct store *s, const struct page *slab, bool was_frozen, bool was_full,
		       unsigned int cnt)
{
	struct slab_counts counts = slab_counts(slab);

	tell(cpu, s->number, NOTE_freed_into, slab->slab_nr, counts.inuse, counts.objects, was_frozen, was_full, cnt);
}

/*
 * A hardened store finds the object first on the freelist that it is to join.
 * The kernel halts there; a lab says so and leaves the object where it is.
 */
void slub_refuse_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t object, unsigned int cnt)
{
	cpu->refused += cnt;
	debug_freed_twice(cpu, s, slab, object);
	emit_slab(cpu, s, EV_debug_errors, slab->slab_nr, 1, 0);
	emit_slab(cpu, s, EV_debug_free_refused, object, slab->slab_nr, 0);
}

/* Whose slab it is, or on whose chain. No other CPU is in an op. */
static void tell_frozen_by(struct cpu *cpu, const struct store *s, const struct page *slab)
{
	pfn_t pfn = page_pfn(cpu->lab, slab);

	for (unsigned int i = 0; i < cpu->lab->nr_cpus; i++) {
		const struct slub_cpu *c = store_cpu(cpu->lab->cpus[i], s);
		pfn_t on = c->partial;

		if (c->slab == pfn)
			tell(cpu, s->number, NOTE_frozen_by, slab->slab_nr, i, false);
		for (; on != PFN_NONE && on != pfn; on = lab_page(cpu->lab, on)->next)
			;
		if (on == pfn)
			tell(cpu, s->number, NOTE_frozen_by, slab->slab_nr, i, true);
	}
}

/*
 * Objects go back to a slab that is not this CPU's. A full slab that gets its
 * first free object is frozen for this CPU and joins its chain, without a lock.
 */
void slub_free_slow(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		    unsigned int cnt)
{
	struct slab_pair old, new = { head, 0 };
	struct slub_node *locked = NULL;
	bool was_frozen, we_freeze, is_empty;

	if (unlikely(s->secret && store_cpu(cpu, s)->freelist == tail)) {
		slub_refuse_twice(cpu, s, slab, tail, cnt);
		return;
	}
	emit_slab(cpu, s, EV_free_slowpath, head, slab->slab_nr, 0);
	cpu->path |= WENT_SLOW;
	if (unlikely(s->debug)) {
		slub_debug_free(cpu, s, slab, head, tail, cnt);
		return;
	}
	do {
		struct slab_counts counts;

		if (unlikely(locked)) {
			lock_give(cpu, &locked->lock);
			locked = NULL;
		}
		old = slab_read(slab);
		if (unlikely(s->secret && old.freelist == tail)) {
			slub_refuse_twice(cpu, s, slab, tail, cnt);
			return;
		}
		object_set_next(cpu->base, s, tail, old.freelist);
		counts = counts_unpack(old.counters);
		was_frozen = counts.frozen;
		counts.inuse -= cnt;
		is_empty = !counts.inuse;
		we_freeze = false;
		if (!was_frozen && (is_empty || !old.freelist)) {
			if (s->has_cpu_partial && !old.freelist) {
				we_freeze = counts.frozen = true;
			} else {
				locked = store_node(cpu->lab, s, slab->node);
				lock_take(cpu, &locked->lock, COUNTING);
			}
		}
		new.counters = counts_pack(counts);
	} while (!slab_exchange(cpu, s, slab, old, new));

	if (TELLING)
		tell_freed(cpu, s, slab, was_frozen, !old.freelist, cnt);
	if (was_frozen) {
		emit_slab(cpu, s, EV_free_frozen, slab->slab_nr, 0, 0);
		if (TELLING && cpu->alone)
			tell_frozen_by(cpu, s, slab);
	} else if (locked) {
		free_listed(cpu, s, locked, slab, !old.freelist, is_empty);
	} else if (we_freeze) {
		put_cpu_partial(cpu, s, store_cpu(cpu, s), slab, true);
		emit_slab(cpu, s, EV_cpu_partial_free, slab->slab_nr, slab->chain_slabs, 0);
	}
}

static void slub_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		      unsigned int cnt)
{
	struct slub_cpu *c = store_cpu(cpu, s);

	if (c->key != slab->key || unlikely(s->secret && c->freelist == tail)) {
		slub_free_slow(cpu, s, slab, head, tail, cnt);
		return;
	}
	if (TELLING)
		tell_freelist(cpu, c);
	object_set_next(cpu->base, s, tail, c->freelist);
	c->freelist = head;
	bump(c->free_fastpath, 1);
	if (TELLING)
		story_add(cpu, s->number, EV_free_fastpath, head, 0, 0);
}

/* ---- flush ---- */

static void slub_flush_cpu(struct cpu *cpu, struct store *s)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	pfn_t chain = c->partial;

	if (c->slab != PFN_NONE) {
		uint32_t nr = lab_page(cpu->lab, c->slab)->slab_nr;

		deactivate_cpu_slab(cpu, s, c);
		emit_slab(cpu, s, EV_cpuslab_flush, nr, 0, 0);
	}
	c->partial = PFN_NONE;
	unfreeze_chain(cpu, s, chain);
}

/* An empty slab of a node's list goes, whatever min_partial says: shrink, destroy, drain. */
static void drop_listed(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab)
{
	slub_remove_partial(cpu, n, slab);
	emit_slab(cpu, s, EV_slab_discard, slab->slab_nr, 0, 0);
	slab_discard(cpu, s, slab);
}

static void slub_discard_empty(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);

	for (pfn_t pfn = n->partial.head, next; pfn != PFN_NONE; pfn = next) {
		struct page *slab = lab_page(cpu->lab, pfn);

		next = slab->next;
		if (!slab_counts(slab).inuse)
			drop_listed(cpu, s, n, slab);
	}
}

const struct store_ops slub_ops = {
	.name = "slub",
	.alloc = slub_alloc,
	.free = slub_free,
	.free_elsewhere = slub_free_slow,
	.alloc_bulk = slub_alloc_bulk,
	.flush_cpu = slub_flush_cpu,
	.discard_empty = slub_discard_empty,
	.give_back = slab_give_back,
};
