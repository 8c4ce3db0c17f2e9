/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLUB, as Linux has it since 3.1: allocation, freeing, deactivation, the chain.
 *
 * Read top to bottom: where an allocation looks for objects, in order; then
 * where a freed object goes. Fast paths are in slub_fast.h, node lists in
 * slub_partial.c, pages in slub_pages.c, debug stores in slub_debug.c, what
 * was otherwise before 3.1 in slub_early.c.
 */
#include "slab/slub.h"

#include "base/gfp.h"
#include "cpu/latency.h"
#include "slab/debug.h"
#include "slab/exchange.h"
#include "slab/list.h"
#include "slab/owner.h"
#include "slab/pages.h"
#include "slab/slub_fast.h"

#define always static inline __attribute__((always_inline))

/* ---- giving up a CPU slab ---- */

struct chain_end slub_freelist_end(struct cpu *cpu, const struct store *s, uint64_t head)
{
	struct chain_end e = { head, 0 };

	for (uint64_t next = head; next; next = object_next(cpu->base, s, next)) {
		e.tail = next;
		e.nr++;
	}
	return e;
}

void slub_tell_surplus(struct cpu *cpu, const struct store *s, const struct slub_node *n, const struct page *slab, bool is_surplus)
{
	tell(cpu, s->number, NOTE_surplus, slab->node, slub_nr_partial(n), s->min_partial, is_surplus, s->discard_test,
	     slab->slab_nr);
}

static void tell_given_up(struct cpu *cpu, const struct store *s, const struct slub_node *n, const struct page *slab,
			  unsigned int nr, bool others)
{
	struct slab_counts counts = slab_counts(slab);

	tell(cpu, s->number, NOTE_given_up, slab->slab_nr, nr, counts.inuse, counts.objects, others);
	if (!counts.inuse)
		slub_tell_surplus(cpu, s, n, slab, slub_is_surplus(s, n));
}

/*
 * To 5.x the CPU's objects go back one exchange at a time: all but the last,
 * which goes with the slab. So the last one taken comes first.
 */
static uint64_t give_back_singly(struct cpu *cpu, struct store *s, struct page *slab, uint64_t freelist)
{
	struct slab_pair old, new;
	uint64_t next;

	for (; freelist && (next = object_next(cpu->base, s, freelist)); freelist = next)
		do {
			struct slab_counts counts;

			old = slab_read(slab);
			counts = counts_unpack(old.counters);
			counts.inuse--;
			object_set_next(cpu->base, s, freelist, old.freelist);
			new = (struct slab_pair){ freelist, counts_pack(counts) };
		} while (!slab_exchange(cpu, s, slab_events(cpu, s), slab, old, new, false));
	return freelist;
}

struct slab_counts slub_thawed(struct cpu *cpu, const struct store *s, struct slab_pair old, uint64_t freelist,
			       struct chain_end end, struct slab_pair *new)
{
	struct slab_counts counts = counts_unpack(old.counters);

	counts.inuse -= end.nr;
	counts.frozen = false;
	*new = (struct slab_pair){ .freelist = old.freelist, .counters = counts_pack(counts) };
	if (freelist) {
		object_set_next(cpu->base, s, end.tail, old.freelist);
		new->freelist = freelist;
	}
	return counts;
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
	unsigned int given = TELLING ? slub_freelist_end(cpu, s, freelist).nr : 0;
	struct chain_end end;
	enum { TO_FREE, TO_PARTIAL, TO_FULL } goal;
	struct slab_pair old, new;
	bool tail = false;

	if (slab_read(slab).freelist) {
		emit_slab(cpu, s, EV_deactivate_remote_frees, slab->slab_nr,
			  slub_freelist_end(cpu, s, slab_read(slab).freelist).nr, 0);
		tail = true;
	}
	if (s->era < ERA_6_1)
		freelist = give_back_singly(cpu, s, slab, freelist);
	end = slub_freelist_end(cpu, s, freelist);
	for (;;) {
		struct slab_counts counts;

		old = slab_read(slab);
		counts = slub_thawed(cpu, s, old, freelist, end, &new);
		goal = !counts.inuse && slub_is_surplus(s, n) ? TO_FREE : new.freelist ? TO_PARTIAL : TO_FULL;
		if (goal == TO_PARTIAL)
			lock_take(cpu, &n->lock, COUNTING);
		if (slab_exchange(cpu, s, slab_events(cpu, s), slab, old, new, false))
			break;
		if (goal == TO_PARTIAL)
			lock_give(cpu, &n->lock);
	}
	if (TELLING)
		tell_given_up(cpu, s, n, slab, given, tail);
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

void slub_deactivate(struct cpu *cpu, struct store *s, struct slub_cpu *c)
{
	struct page *slab = lab_page(cpu->lab, c->slab);
	uint64_t freelist = c->freelist;

	part_set_slab(c, PFN_NONE);
	c->freelist = 0;
	if (s->era < ERA_3_1)
		slub_early_deactivate(cpu, s, slab, freelist);
	else
		deactivate_slab(cpu, s, slab, freelist);
}

/* ---- the CPU's chain of partial slabs ---- */

/* Under the lock of its node: objects that come back see the list from now on. */
static inline void unfreeze(struct cpu *cpu, struct store *s, uint64_t *ev, struct page *slab, bool plain)
{
	struct slab_pair old, new;

	do {
		old = new = slab_read(slab);
		new.counters &= ~COUNTS_FROZEN;
	} while (!slab_exchange(cpu, s, ev, slab, old, new, plain));
}

/* The chain goes to the nodes, its newest slab first, each to the tail of its list. */
static void unfreeze_chain(struct cpu *cpu, struct store *s, pfn_t chain)
{
	uint64_t *ev = slab_events(cpu, s);
	struct slub_node *n = NULL, *of_slab;
	pfn_t discard = PFN_NONE;
	const bool plain = is_plain(cpu, s);

	while (chain != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, chain);
		bool is_empty, is_surplus;

		chain = slab->next;
		of_slab = store_node(cpu->lab, s, slab->node);
		if (n != of_slab) {
			if (n)
				lock_give(cpu, &n->lock);
			n = of_slab;
			lock_take(cpu, &n->lock, COUNTING);
		}
		if (slub_freezes_chain(s))
			unfreeze(cpu, s, ev, slab, plain);
		is_empty = unlikely(!slab_counts(slab).inuse);
		is_surplus = is_empty && slub_is_surplus(s, n);
		if (TELLING && is_empty)
			slub_tell_surplus(cpu, s, n, slab, is_surplus);
		if (is_surplus) {
			slab->next = discard;
			discard = page_pfn(cpu->lab, slab);
		} else {
			slub_add_partial(cpu, s, n, slab, true);
			if (s->era != ERA_3_2)	/* counted since 3.4 */
				emit_slab_in(ev, cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
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

/* Slabs are counted as they are; their free objects, as they were when the slabs came. */
static bool chain_is_full(const struct store *s, const struct page *first)
{
	return s->cpu_partial_unit == UNIT_OBJECTS ? first->chain_objs > s->cpu_partial :
						     first->chain_slabs >= s->cpu_partial_slabs;
}

static uint32_t chain_limit(const struct store *s)
{
	return s->cpu_partial_unit == UNIT_OBJECTS ? s->cpu_partial : s->cpu_partial_slabs;
}

static void tell_chain_limit(struct cpu *cpu, const struct store *s, const struct page *first, bool drained)
{
	bool objects = s->cpu_partial_unit == UNIT_OBJECTS;

	tell(cpu, s->number, NOTE_chain_limit, !first ? 0 : objects ? first->chain_objs : first->chain_slabs, chain_limit(s),
	     drained, cpu->id, objects);
}

/*
 * Put a slab in front of this CPU's chain. With drain, a chain at its limit
 * ends there: it is returned, and has to go to the nodes as a whole. A slab
 * keeps the length of the chain that it heads, and how many free objects that
 * brought.
 */
always pfn_t put_cpu_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c, struct page *slab, struct slab_counts counts,
			     bool drain)
{
	pfn_t chain = c->partial;
	struct page *first = cpu->pages + chain;
	bool full = drain && chain != PFN_NONE && chain_is_full(s, first);

	if (TELLING && drain)
		tell_chain_limit(cpu, s, chain == PFN_NONE ? NULL : first, full);
	slab->chain_slabs = 1;
	slab->chain_objs = counts.objects - counts.inuse;
	slab->prev = PFN_NONE;
	slab->next = full ? PFN_NONE : chain;
	if (chain != PFN_NONE && likely(!full)) {
		slab->chain_slabs += first->chain_slabs;
		slab->chain_objs += first->chain_objs;
	}
	c->partial = (pfn_t)(slab - cpu->pages);
	return full ? chain : PFN_NONE;
}

/* ---- partial slabs of nodes ---- */

/* Freeze a listed slab; with take_objects its freelist is ours. False when a free came in between. */
static bool acquire_slab(struct cpu *cpu, struct store *s, uint64_t *ev, struct page *slab, bool take_objects,
			 uint64_t *freelist)
{
	struct slab_pair old = slab_read(slab), new = old;

	*freelist = old.freelist;
	if (!take_objects && !slub_freezes_chain(s))
		return true;
	if (take_objects)
		new = (struct slab_pair){ 0, counts_all_out(old.counters) };
	new.counters |= COUNTS_FROZEN;
	return slab_exchange(cpu, s, ev, slab, old, new, false);
}

/* A slab that was taken: what is free in it, and how many are left where it was. */
#define tell_slab(cpu, s, slab, nr_free, left)                                                          \
	tell((cpu), (s)->number, NOTE_slab_had, (slab)->slab_nr, (nr_free), slab_counts(slab).objects, (left))

/* `more` slabs went to the chain; `objects` were free in them and in the first one. */
static bool has_enough(const struct store *s, unsigned int more, unsigned int objects)
{
	if (s->cpu_partial_unit == UNIT_OBJECTS)
		return objects > s->cpu_partial / 2;
	return more > s->cpu_partial_slabs / 2;
}

/* From the head of one node's list: the first slab is the CPU's, some more fill half its chain. */
static uint64_t get_partial_node(struct cpu *cpu, struct store *s, struct slub_cpu *c, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	uint64_t object = 0, freelist, *ev = slab_events(cpu, s);
	unsigned int more = 0, objects = 0;

	tell(cpu, s->number, NOTE_node_had, node, slub_nr_partial(n));
	if (!slub_nr_partial(n))
		return 0;
	lock_take(cpu, &n->lock, COUNTING);
	for (pfn_t pfn = n->partial.head, next; pfn != PFN_NONE; pfn = next) {
		struct page *slab = lab_page(cpu->lab, pfn);

		struct slab_counts counts = slab_counts(slab);

		next = slab->next;
		if (!acquire_slab(cpu, s, ev, slab, !object, &freelist))
			break;
		slub_remove_partial(cpu, n, slab);
		if (!object) {
			part_set_slab(c, pfn);
			object = freelist;
			emit_slab_in(ev, cpu, s, EV_alloc_from_partial, slab->slab_nr, node, 0);
		} else {
			put_cpu_partial(cpu, s, c, slab, counts, false);
			if (s->era != ERA_3_2)
				emit_slab_in(ev, cpu, s, EV_cpu_partial_node, slab->slab_nr, node, 0);
			else		/* one counter served both to 3.3 */
				emit_slab(cpu, s, EV_cpu_partial_free, slab->slab_nr, slab->chain_slabs, 0);
			more++;
		}
		objects += counts.objects - counts.inuse;
		tell_slab(cpu, s, slab, slub_freelist_end(cpu, s, freelist).nr, n->nr_partial);
		if (!s->has_cpu_partial || has_enough(s, more, objects))
			break;
	}
	lock_give(cpu, &n->lock);
	if (s->has_cpu_partial && object)
		tell(cpu, s->number, NOTE_chain_filled, more, chain_limit(s), s->cpu_partial_unit, objects);
	return object;
}

/* Other nodes, by distance, if they hold more than they keep. */
static uint64_t get_any_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c)
{
	bool drawn;

	if (cpu->lab->nr_nodes == 1)
		return 0;
	if (!slub_asks_others(cpu, s, &drawn)) {
		if (drawn)
			tell(cpu, s->number, NOTE_nodes_drawn, cpu->node);
		else
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

uint64_t slub_get_partial(struct cpu *cpu, struct store *s, struct slub_cpu *c, int node)
{
	uint64_t object = get_partial_node(cpu, s, c, node < 0 ? cpu->node : (unsigned int)node);

	return object || node >= 0 ? object : get_any_partial(cpu, s, c);
}

/* ---- allocation ---- */

/*
 * The CPU's freelist is used up: take what others freed into the slab. If that
 * is nothing, the slab is full, and let go by the same exchange.
 */
always uint64_t get_freelist(struct cpu *cpu, struct store *s, uint64_t *ev, struct page *slab, bool plain)
{
	struct slab_pair old, new = { 0, 0 };

	do {
		old = slab_read(slab);
		/* with nothing on its freelist all are counted as in use already */
		new.counters = old.freelist ? counts_all_out(old.counters) | COUNTS_FROZEN : old.counters & ~COUNTS_FROZEN;
	} while (!slab_exchange(cpu, s, ev, slab, old, new, plain));
	return old.freelist;
}

/* Keep the rest of a freelist for the next allocations. */
always uint64_t take_first(struct cpu *cpu, const struct store *s, struct slub_cpu *c, uint64_t freelist, bool plain)
{
	c->freelist = link_read(cpu->base, freelist + s->g.freeptr, plain ? 0 : s->secret);
	tell(cpu, s->number, NOTE_first_taken, lab_page(cpu->lab, c->slab)->slab_nr, slub_freelist_end(cpu, s, c->freelist).nr);
	return freelist;
}

static void tell_chain(struct cpu *cpu, const struct store *s, const struct slub_cpu *c)
{
	tell(cpu, s->number, NOTE_chain_had, cpu->id,
	     c->partial == PFN_NONE ? 0 : lab_page(cpu->lab, c->partial)->chain_slabs);
}

/* What the CPU's slab has. With nothing left, or of another node than is asked for, it is the CPU's no longer: 0. */
always uint64_t freelist_of_slab(struct cpu *cpu, struct store *s, uint64_t *ev, struct slub_cpu *c, int node, bool plain)
{
	struct page *slab = cpu->pages + c->slab;
	uint64_t freelist;

	if (!c->freelist)
		tell(cpu, s->number, NOTE_own_slab, slab->slab_nr, slab_counts(slab).inuse, slab_counts(slab).objects);
	if (unlikely(node >= 0 && slab->node != node)) {
		emit_slab_in(ev, cpu, s, EV_alloc_node_mismatch, slab->slab_nr, slab->node, 0);
		slub_deactivate(cpu, s, c);
		return 0;
	}
	if (!plain && unlikely(c->freelist))
		return c->freelist;
	freelist = get_freelist(cpu, s, ev, slab, plain);
	if (freelist) {
		emit_slab_in(ev, cpu, s, EV_alloc_refill, slab->slab_nr, slub_freelist_end(cpu, s, freelist).nr, 0);
	} else {
		part_set_slab(c, PFN_NONE);
		emit_slab_in(ev, cpu, s, EV_deactivate_bypass, slab->slab_nr, 0, 0);
	}
	return freelist;
}

/* The first slab of the CPU's chain becomes the CPU's. */
always bool take_from_chain(struct cpu *cpu, struct store *s, uint64_t *ev, struct slub_cpu *c)
{
	struct page *slab;

	if (TELLING)
		tell_chain(cpu, s, c);
	if (c->partial == PFN_NONE)
		return false;
	slab = cpu->pages + c->partial;
	part_set_slab(c, c->partial);
	c->partial = slab->next;
	emit_slab_in(ev, cpu, s, EV_cpu_partial_alloc, slab->slab_nr, 0, 0);
	tell_slab(cpu, s, slab, slub_freelist_end(cpu, s, slab_read(slab).freelist).nr, slab->chain_slabs - 1);
	return true;
}

/*
 * What the CPU has already: its slab, then the slabs of its chain. The two
 * places guess apart: its own slab seldom has something, one of a chain always.
 */
always uint64_t freelist_of_own(struct cpu *cpu, struct store *s, uint64_t *ev, struct slub_cpu *c, int node, bool plain)
{
	uint64_t freelist = c->slab == PFN_NONE ? 0 : freelist_of_slab(cpu, s, ev, c, node, plain);

	while (!freelist && take_from_chain(cpu, s, ev, c))
		freelist = freelist_of_slab(cpu, s, ev, c, node, plain);
	return freelist;
}

uint64_t slub_take_new(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node)
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
	part_set_slab(c, page_pfn(cpu->lab, slab));
	return freelist;
}

static bool node_has_memory(const struct lab *lab, int node)
{
	for (unsigned int i = 0; i < lab->hdr->shape.zones; i++)
		if (lab->hdr->shape.zone[i].node == node)
			return true;
	return false;
}

/* The CPU has nothing left: a slab that waits on a node's list, or a new one. */
static __attribute__((noinline)) uint64_t alloc_from_nodes(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t gfp, int node)
{
	uint64_t freelist = slub_get_partial(cpu, s, c, node);

	if (!freelist)
		freelist = slub_take_new(cpu, s, c, gfp, node);
	return freelist ? take_first(cpu, s, c, freelist, false) : 0;
}

uint64_t slub_alloc_slow(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	uint64_t freelist, *ev = slab_events(cpu, s);

	cpu->path |= WENT_SLOW;
	if (unlikely(s->era < ERA_3_1 && !s->debug)) {
		freelist = slub_early_alloc(cpu, s, c, gfp, node >= 0 && node_has_memory(cpu->lab, node) ? node : -1);
		return freelist ? take_first(cpu, s, c, freelist, false) : 0;
	}
	if (s->era != ERA_3_1 || s->debug || c->slab != PFN_NONE)	/* 3.1: only when there was a slab to look at */
		emit_slab_in(ev, cpu, s, EV_alloc_slowpath, s->serial, 0, 0);
	if (unlikely(node >= 0 && !node_has_memory(cpu->lab, node)))
		node = -1;
	if (unlikely(s->debug))
		return slub_debug_alloc(cpu, s, gfp, node);
	if (c->slab == PFN_NONE)
		tell(cpu, s->number, NOTE_no_own_slab, cpu->id);
	if (likely(node < 0) && is_plain(cpu, s))
		freelist = freelist_of_own(cpu, s, ev, c, -1, true);
	else
		freelist = freelist_of_own(cpu, s, ev, c, node, false);
	return freelist ? take_first(cpu, s, c, freelist, false) : alloc_from_nodes(cpu, s, c, gfp, node);
}

/* `name` asked for it; the op ends. */
static inline void *give_out(struct cpu *cpu, uint32_t name, uint64_t object)
{
	bump(cpu->cache_cpu[name].allocs, 1);
	cpu_leave(cpu);
	return cpu->base + object;
}

static __attribute__((noinline)) void *give_out_of_nodes(struct cpu *cpu, struct store *s, struct slub_cpu *c, uint32_t name)
{
	uint64_t object = alloc_from_nodes(cpu, s, c, GFP_KERNEL, -1);

	if (likely(object))
		return give_out(cpu, name, object);
	cpu_leave(cpu);
	return NULL;
}

void *slub_alloc_plain(struct cpu *cpu, struct slub_cpu *c, uint32_t name)
{
	struct store *s = cpu->stores + c->number;
	uint64_t freelist, *ev = slab_events(cpu, s);

	emit_slab_in(ev, cpu, s, EV_alloc_slowpath, s->serial, 0, 0);
	freelist = freelist_of_own(cpu, s, ev, c, -1, true);
	return likely(freelist) ? give_out(cpu, name, take_first(cpu, s, c, freelist, true)) : give_out_of_nodes(cpu, s, c, name);
}

static uint64_t slub_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	uint64_t object = 0;

	if (likely(node < 0 || (c->slab != PFN_NONE && lab_page(cpu->lab, c->slab)->node == node)))
		object = unlikely(s->ways) ? slub_alloc_ways(cpu, c) : slub_alloc_fast(cpu, c);
	return object ? object : slub_alloc_slow(cpu, s, gfp, node);
}

/* Up to n objects of the CPU's freelist; how many there were. */
static inline __attribute__((always_inline)) size_t take_all(struct cpu *cpu, struct slub_cpu *c, size_t n, uint64_t *vec,
							     uint64_t secret)
{
	uint64_t object = c->freelist;
	const uint32_t freeptr = c->freeptr;
	size_t i = 0;

	for (; i < n && object; i++) {
		vec[i] = object;
		object = link_read(cpu->base, object + freeptr, secret);
	}
	c->freelist = object;
	return i;
}

/* n objects, one after the other, but without the price of a call each; hits count since 6.7. (Linux 5.18) */
static size_t slub_alloc_bulk(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	size_t slow = 0;

	if (TELLING && c->freelist)
		tell_freelist(cpu, c);
	for (size_t i = 0;;) {
		uint64_t object;

		i += c->secret ? take_all(cpu, c, n - i, vec + i, c->secret) : take_all(cpu, c, n - i, vec + i, 0);
		if (i == n)
			break;
		object = slub_alloc_slow(cpu, s, gfp, -1);
		if (!object) {
			n = i;
			break;
		}
		emit_slab(cpu, s, EV_bulk_alloc_slow, object, 0, 0);
		slow++;
		vec[i++] = object;
	}
	if (s->era >= ERA_6_8)
		bump(c->alloc_fastpath, n - slow);
	if (slow < n)
		emit_slab_n(cpu, s, EV_bulk_cas_saved, n - slow, n - slow, 0, 0);
	return n;
}

/* ---- freeing ---- */

/* The node's list is involved: the slab was emptied, or a store without chains lists it again. */
static void free_listed(struct cpu *cpu, struct store *s, struct slub_node *n, struct page *slab,
			bool was_full, bool is_empty)
{
	bool discard = is_empty && slub_is_surplus_freed(s, n);

	if (TELLING && is_empty)
		slub_tell_surplus(cpu, s, n, slab, discard);
	if (discard && !was_full) {
		slub_remove_partial(cpu, n, slab);
		emit_slab(cpu, s, EV_free_remove_partial, slab->slab_nr, slab->node, 0);
	}
	if (!discard && was_full && !s->has_cpu_partial) {
		slub_add_partial(cpu, s, n, slab, s->era != ERA_2_6_24);
		emit_slab(cpu, s, EV_free_add_partial, slab->slab_nr, slab->node, 0);
	}
	lock_give(cpu, &n->lock);
	if (discard) {
		emit_slab(cpu, s, EV_free_slab, slab->slab_nr, 0, 0);
		slab_discard(cpu, s, slab);
	}
}

/*
 * A hardened store finds the object first on the freelist that it is to join.
 * The kernel halts there; a lab says so and leaves the object where it is.
 */
void slub_refuse_twice(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t object, unsigned int cnt)
{
	cpu->refused += cnt;
	for (uint64_t o = head; s->owner_map && o != object; o = object_next(cpu->base, s, o))
		owner_keep(owner_word(cpu->lab, s, o));
	debug_freed_twice(cpu, s, slab, object);
	emit_slab(cpu, s, EV_debug_errors, slab->slab_nr, 1, 0);
	emit_slab(cpu, s, EV_debug_free_refused, object, slab->slab_nr, 0);
}

/* Whose slab it is, or on whose chain. No other CPU is in an op. */
static void tell_owner(struct cpu *cpu, const struct store *s, const struct page *slab)
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

/* True: the slab is, or waits on the list of, some CPU. */
static bool tell_freed(struct cpu *cpu, const struct store *s, const struct page *slab, bool was_frozen, bool was_full,
		       unsigned int cnt)
{
	struct slab_counts counts = slab_counts(slab);
	bool of_cpu = was_frozen || (!was_full && !slub_is_listed(slab));

	tell(cpu, s->number, NOTE_freed_into, slab->slab_nr, counts.inuse, counts.objects, of_cpu, was_full, cnt);
	return of_cpu;
}

/* A full slab has joined the CPU's chain; and the chain before it, at its limit, goes to the nodes. */
static inline void count_taken(struct cpu *cpu, const struct store *s, uint64_t *ev, const struct page *slab)
{
	emit_slab_in(ev, cpu, s, EV_cpu_partial_free, slab->slab_nr, slab->chain_slabs, 0);
}

static __attribute__((noinline)) void drain_chain(struct cpu *cpu, struct store *s, const struct page *slab, pfn_t chain)
{
	unfreeze_chain(cpu, s, chain);
	if (s->era != ERA_3_2)	/* counted since 3.4 */
		emit_slab(cpu, s, EV_cpu_partial_drain, chain_limit(s), 0, 0);
	count_taken(cpu, s, slab_events(cpu, s), slab);
}

/*
 * Objects go back to a slab that is not this CPU's. A full slab that gets its
 * first free object joins this CPU's chain, without a lock, and to 6.7 is
 * frozen for it. False (plain only): a list's lock is needed, nothing was done.
 */
always bool free_slow(struct cpu *cpu, struct store *s, uint64_t *ev, struct slub_cpu *c, struct page *slab, uint64_t head,
		      uint64_t tail, unsigned int cnt, bool plain)
{
	const uint64_t secret = plain ? 0 : s->secret;
	struct slab_pair old, new = { head, 0 };
	struct slub_node *locked = NULL;
	bool was_frozen, was_full, we_take, is_empty, on_chain, of_cpu;

	do {
		if (unlikely(locked)) {
			lock_give(cpu, &locked->lock);
			locked = NULL;
		}
		old = slab_read(slab);
		if (unlikely(secret && old.freelist == tail)) {
			slub_refuse_twice(cpu, s, slab, head, tail, cnt);
			return true;
		}
		link_write(cpu->base, tail + c->freeptr, secret, old.freelist);
		new.counters = old.counters - cnt;	/* inuse is the lowest field */
		was_frozen = old.counters & COUNTS_FROZEN;
		was_full = !old.freelist;
		is_empty = !counts_unpack(new.counters).inuse;
		we_take = on_chain = false;
		if (!was_frozen && (was_full || is_empty)) {
			if (was_full && s->has_cpu_partial) {
				we_take = true;
				if (slub_freezes_chain(s))
					new.counters |= COUNTS_FROZEN;
			} else if (plain) {
				return false;
			} else {
				locked = store_node(cpu->lab, s, slab->node);
				lock_take(cpu, &locked->lock, COUNTING);
				/* looked at now: once its last object is back, who has the chain may give the slab away */
				on_chain = !slub_freezes_chain(s) && !was_full && !slub_is_listed(slab);
			}
		}
	} while (!slab_exchange(cpu, s, ev, slab, old, new, plain));

	of_cpu = TELLING && tell_freed(cpu, s, slab, was_frozen, was_full, cnt);
	if (we_take) {
		pfn_t chain = put_cpu_partial(cpu, s, c, slab, counts_unpack(new.counters), true);

		if (likely(chain == PFN_NONE))
			count_taken(cpu, s, ev, slab);
		else
			drain_chain(cpu, s, slab, chain);
	} else if (was_frozen) {
		emit_slab_in(ev, cpu, s, EV_free_frozen, slab->slab_nr, 0, 0);
	} else if (on_chain) {
		lock_give(cpu, &locked->lock);
	} else if (locked) {
		free_listed(cpu, s, locked, slab, was_full, is_empty);
	}
	if (of_cpu && cpu->alone)
		tell_owner(cpu, s, slab);
	return true;
}

static __attribute__((noinline)) void free_with_lock(struct cpu *cpu, struct store *s, struct slub_cpu *c, struct page *slab,
						     uint64_t head, uint64_t tail, unsigned int cnt)
{
	free_slow(cpu, s, slab_events(cpu, s), c, slab, head, tail, cnt, false);
}

void slub_free_slow(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		    unsigned int cnt)
{
	struct slub_cpu *c = store_cpu(cpu, s);
	uint64_t *ev = slab_events(cpu, s);

	if (unlikely(s->secret && c->freelist == tail)) {
		slub_refuse_twice(cpu, s, slab, head, tail, cnt);
		return;
	}
	emit_slab_in(ev, cpu, s, EV_free_slowpath, head, slab->slab_nr, 0);
	cpu->path |= WENT_SLOW;
	if (unlikely(s->debug))
		slub_debug_free(cpu, s, slab, head, tail, cnt);
	else if (!is_plain(cpu, s) || unlikely(!free_slow(cpu, s, ev, c, slab, head, tail, cnt, true)))
		free_with_lock(cpu, s, c, slab, head, tail, cnt);
}

void slub_free_plain(struct cpu *cpu, uint32_t name, struct slub_cpu *c, pfn_t first, uint64_t object)
{
	struct store *s = cpu->stores + c->number;
	struct page *slab = cpu->pages + first;
	uint64_t *ev = cpu->stat[c->number].ev;

	bump(cpu->cache_cpu[name].frees, 1);
	emit_slab_in(ev, cpu, s, EV_free_slowpath, object, slab->slab_nr, 0);
	if (unlikely(!free_slow(cpu, s, ev, c, slab, object, object, 1, true)))
		free_with_lock(cpu, s, c, slab, object, object, 1);
	cpu_leave(cpu);
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
	bump(c->free_fastpath, slub_run_hits(s, cnt));
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

		slub_deactivate(cpu, s, c);
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
