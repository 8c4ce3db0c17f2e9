/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLAB, as Linux 6.1 has it: allocation, refilling, growing; freeing, flushing,
 * alien arrays. Read top to bottom. What a timer, a shrink or another size of
 * the arrays gives back is in slabq_reap.c and slabq_store.c.
 */
#include "slab/slabq.h"

#include "base/gfp.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/list.h"
#include "slab/pages.h"
#include "slab/queue_fast.h"

/* ---- statistics that the kernel keeps by cache ---- */

/* Events count in the counted code only; the high mark of objects out of their slabs is state. */
static void active_add(struct store *s, uint32_t n)
{
	uint64_t active = __atomic_add_fetch(&s->slabq.active, n, __ATOMIC_RELAXED);
	uint64_t high = __atomic_load_n(&s->slabq.high, __ATOMIC_RELAXED);

	while (high < active && !__atomic_compare_exchange_n(&s->slabq.high, &high, active, true, __ATOMIC_RELAXED,
							     __ATOMIC_RELAXED))
		;
}

static void freeable_seen(struct store *s, const struct slabq_node *n)
{
	uint64_t most = __atomic_load_n(&s->slabq.freeable, __ATOMIC_RELAXED);

	while (most < n->free_slabs && !__atomic_compare_exchange_n(&s->slabq.freeable, &most, n->free_slabs, true,
								    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* ---- one object out of a slab and back. Under the list lock, or with the slab on no list ---- */

static uint64_t take_object(struct cpu *cpu, const struct store *s, struct page *slab)
{
	struct slab_counts c = slab_counts(slab);
	uint8_t number = slabq_index(cpu->lab, slab)[c.inuse++];

	__atomic_store_n(&slab->counters, counts_pack(c), __ATOMIC_RELAXED);
	return slab_object(cpu->lab, s, page_pfn(cpu->lab, slab), number);
}

static void put_object(struct cpu *cpu, const struct store *s, struct page *slab, uint64_t object)
{
	struct slab_counts c = slab_counts(slab);

	if (!slab->freelist)	/* a full slab kept no array: this object is its home now */
		__atomic_store_n(&slab->freelist, object, __ATOMIC_RELAXED);
	slabq_index(cpu->lab, slab)[--c.inuse] = (uint8_t)object_index(cpu->lab, s, slab, object);
	__atomic_store_n(&slab->counters, counts_pack(c), __ATOMIC_RELAXED);
}

/* ---- lists ---- */

static void list_remove(struct cpu *cpu, struct slub_node *n, struct slabq_node *q, struct page *slab)
{
	struct slab_counts c = slab_counts(slab);

	if (c.inuse == c.objects) {
		slab_list_del(cpu->lab, &n->full, slab);
		n->nr_full--;
	} else if (c.inuse) {
		slab_list_del(cpu->lab, &n->partial, slab);
		__atomic_store_n(&n->nr_partial, n->nr_partial - 1, __ATOMIC_RELAXED);
	} else {
		slab_list_del(cpu->lab, &q->free, slab);
		q->free_slabs--;
	}
}

/* A slab that objects were taken of: to the head of the full or the partial ones. */
static void list_taken(struct cpu *cpu, const struct store *s, struct slub_node *n, struct page *slab)
{
	struct slab_counts c = slab_counts(slab);

	if (c.inuse < c.objects) {
		slab_list_add_head(cpu->lab, &n->partial, slab);
		__atomic_store_n(&n->nr_partial, n->nr_partial + 1, __ATOMIC_RELAXED);
		return;
	}
	slab_list_add_head(cpu->lab, &n->full, slab);
	n->nr_full++;
	if (s->g.management != SLABQ_IN_OBJECT)
		return;
	if (unlikely(s->debug))
		slabq_debug_home(cpu, s, slab->freelist);
	__atomic_store_n(&slab->freelist, 0, __ATOMIC_RELAXED);
}

/* The slab to take from, off its list: the first partial one, else the first free one. */
static struct page *first_slab(struct cpu *cpu, struct slub_node *n, struct slabq_node *q)
{
	struct page *slab;

	if (n->partial.head != PFN_NONE) {
		slab = lab_page(cpu->lab, n->partial.head);
	} else {
		q->free_touched = 1;
		if (q->free.head == PFN_NONE)
			return NULL;
		slab = lab_page(cpu->lab, q->free.head);
	}
	list_remove(cpu, n, q, slab);
	return slab;
}

/* ---- allocation ---- */

/* Up to n objects of a slab into the array; how many were not to be had. */
static uint32_t alloc_block(struct cpu *cpu, struct store *s, struct array_cache *ac, struct page *slab, uint32_t n)
{
	struct slab_counts c = slab_counts(slab);
	uint32_t take = c.objects - c.inuse < n ? c.objects - c.inuse : n;

	tell(cpu, s->number, NOTE_list_had, slab->slab_nr, c.inuse, c.objects);
	for (uint32_t i = 0; i < take; i++)
		ac->entry[ac->avail++] = take_object(cpu, s, slab);
	active_add(s, take);
	emit_slab_n(cpu, s, EV_listallocs, take, slab->slab_nr, take, 0);
	return n - take;
}

/* What the node has: a batch of its shared array, else of its slabs. */
static void refill_from_node(struct cpu *cpu, struct store *s, struct array_cache *ac, uint32_t batch)
{
	struct slub_node *n = store_node(cpu->lab, s, cpu->node);
	struct slabq_node *q = slabq_node(cpu->lab, s, cpu->node);
	struct array_cache *shared = slabq_shared(cpu->lab, q);
	uint32_t got = 0, avail;

	fetch_own(&n->lock);
	if (shared) {
		avail = __atomic_load_n(&shared->avail, __ATOMIC_RELAXED);
		fetch_entries(shared->entry + (avail < batch ? 0 : avail - batch), batch);
	}
	lock_take(cpu, &n->lock, COUNTING);
	if (shared) {
		tell(cpu, s->number, NOTE_shared_had, cpu->node, shared->avail, shared->limit);
		got = array_transfer(ac, shared, batch);
		shared->touched |= got != 0;
	}
	while (!got && batch) {
		struct page *slab = first_slab(cpu, n, q);

		if (!slab)
			break;
		batch = alloc_block(cpu, s, ac, slab, batch);
		list_taken(cpu, s, n, slab);
	}
	if (!got)
		__atomic_store_n(&q->free_objects, q->free_objects - ac->avail, __ATOMIC_RELAXED);
	lock_give(cpu, &n->lock);
	if (got)
		emit_slab_n(cpu, s, EV_shared_get, got, cpu->node, got, 0);
}

/* A slab that was made joins its node, on the list that fits what was taken of it. */
static void grow_end(struct cpu *cpu, struct store *s, struct page *slab)
{
	struct slub_node *n = store_node(cpu->lab, s, slab->node);
	struct slabq_node *q = slabq_node(cpu->lab, s, slab->node);
	struct slab_counts c = slab_counts(slab);

	lock_take(cpu, &n->lock, COUNTING);
	if (c.inuse) {
		list_taken(cpu, s, n, slab);
	} else {
		slab_list_add_tail(cpu->lab, &q->free, slab);
		q->free_slabs++;
	}
	__atomic_store_n(&q->free_objects, q->free_objects + c.objects - c.inuse, __ATOMIC_RELAXED);
	lock_give(cpu, &n->lock);
	emit_slab(cpu, s, EV_grown, slab->slab_nr, slab->order, 0);
}

/* Of exactly this node, and quietly: what to do when it has none is decided here. */
static uint32_t exact(uint32_t gfp)
{
	return (gfp | GFP_BIT_THISNODE | GFP_BIT_NOWARN) & ~GFP_BIT_NOFAIL;
}

/* One object of this node's slabs, past all arrays; 0 if none of them has one. */
static uint64_t alloc_from_lists(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	struct slabq_node *q = slabq_node(cpu->lab, s, node);
	struct page *slab;
	uint64_t object = 0;

	lock_take(cpu, &n->lock, COUNTING);
	slab = first_slab(cpu, n, q);
	if (slab) {
		struct slab_counts c = slab_counts(slab);

		tell(cpu, s->number, NOTE_list_had, slab->slab_nr, c.inuse, c.objects);
		object = take_object(cpu, s, slab);
		__atomic_store_n(&q->free_objects, q->free_objects - 1, __ATOMIC_RELAXED);
		list_taken(cpu, s, n, slab);
	}
	lock_give(cpu, &n->lock);
	if (!object)
		return 0;
	active_add(s, 1);
	emit_slab(cpu, s, EV_nodeallocs, object, node, 0);
	return object;
}

/* The node wanted has nothing: any node's objects, then any node's pages. */
static uint64_t fallback_alloc(struct cpu *cpu, struct store *s, uint32_t gfp)
{
	uint64_t object = 0;
	struct page *slab;

	if (gfp & GFP_BIT_THISNODE)
		return 0;
	for (unsigned int i = 0; i < cpu->lab->nr_nodes && !object; i++) {
		unsigned int node = i ? (i <= cpu->node ? i - 1 : i) : cpu->node;

		if (__atomic_load_n(&slabq_node(cpu->lab, s, node)->free_objects, __ATOMIC_RELAXED))
			object = alloc_from_lists(cpu, s, node);
	}
	while (!object) {
		slab = slabq_grow(cpu, s, gfp, -1);
		if (!slab)
			return 0;
		grow_end(cpu, s, slab);
		object = alloc_from_lists(cpu, s, slab->node);
	}
	return object;
}

static uint64_t alloc_on_node(struct cpu *cpu, struct store *s, uint32_t gfp, unsigned int node)
{
	uint64_t object = alloc_from_lists(cpu, s, node);
	struct page *slab;

	if (object)
		return object;
	slab = slabq_grow(cpu, s, exact(gfp), (int)node);
	if (!slab)
		return fallback_alloc(cpu, s, gfp);
	object = take_object(cpu, s, slab);
	grow_end(cpu, s, slab);
	return object;
}

/* The array is empty. One object, and up to a batch less one into the array. */
static __attribute__((noinline)) uint64_t refill(struct cpu *cpu, struct store *s, struct array_cache *ac, uint32_t gfp)
{
	struct slabq_node *q = slabq_node(cpu->lab, s, cpu->node);
	const struct array_cache *shared = slabq_shared(cpu->lab, q);
	uint32_t batch = ac->batchcount;
	struct page *slab;

	if (shared)
		fetch_own(shared);
	emit_slab(cpu, s, EV_allocmiss, ac->limit, 0, 0);
	if (!ac->touched && batch > SLABQ_REFILL_COLD)
		batch = SLABQ_REFILL_COLD;
	tell(cpu, s->number, NOTE_refill_wants, batch, ac->touched);
	if (__atomic_load_n(&q->free_objects, __ATOMIC_RELAXED) ||
	    (shared && __atomic_load_n(&shared->avail, __ATOMIC_RELAXED)))
		refill_from_node(cpu, s, ac, batch);
	if (!ac->avail) {
		slab = slabq_grow(cpu, s, exact(gfp), (int)cpu->node);
		if (slab && !ac->avail)		/* reclaim on the way to the pages may have freed some into it */
			alloc_block(cpu, s, ac, slab, batch);
		if (slab)
			grow_end(cpu, s, slab);
		if (!ac->avail)
			return fallback_alloc(cpu, s, gfp);
	}
	ac->touched = 1;
	return ac->entry[--ac->avail];
}

uint64_t slabq_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	uint64_t object;

	if (unlikely(node >= 0 && (unsigned int)node != cpu->node)) {
		object = alloc_on_node(cpu, s, gfp, (unsigned int)node);
	} else {
		object = array_take(cpu, front_part(cpu, s));
		if (likely(object))
			return object;
		object = refill(cpu, s, slabq_cpu(cpu, s), gfp);
	}
	if (!object)
		emit_lab(cpu, EV_slab_alloc_fail, s->serial, gfp, 0);
	return object;
}

static size_t slabq_alloc_bulk(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct array_cache *ac = slabq_cpu(cpu, s);

	for (size_t got = 0; got < n; ) {
		size_t take = ac->avail < n - got ? ac->avail : n - got;

		if (!take) {
			vec[got] = slabq_alloc(cpu, s, gfp, -1);
			if (!vec[got])
				return got;
			got++;
			continue;
		}
		ac->touched = 1;
		ac->avail -= (uint32_t)take;
		for (size_t i = 0; i < take; i++)
			vec[got + i] = ac->entry[ac->avail + take - 1 - i];
		emit_slab_n(cpu, s, EV_allochit, take, vec[got], 0, 0);
		got += take;
	}
	return n;
}

/* ---- freeing ---- */

void slabq_free_block(struct cpu *cpu, struct store *s, unsigned int node, const uint64_t *objects, uint32_t nr,
		      struct slabq_doomed *doomed)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	struct slabq_node *q = slabq_node(cpu->lab, s, node);
	uint64_t free_objects = q->free_objects + nr;

	for (uint32_t i = 0; i < nr; i++) {
		struct page *slab = slab_of(cpu->lab, objects[i]);

		list_remove(cpu, n, q, slab);
		put_object(cpu, s, slab, objects[i]);
		if (slab_counts(slab).inuse) {
			slab_list_add_tail(cpu->lab, &n->partial, slab);
			__atomic_store_n(&n->nr_partial, n->nr_partial + 1, __ATOMIC_RELAXED);
		} else {
			slab_list_add_head(cpu->lab, &q->free, slab);
			q->free_slabs++;
		}
	}
	__atomic_sub_fetch(&s->slabq.active, nr, __ATOMIC_RELAXED);
	emit_slab_n(cpu, s, EV_listfrees, nr, node, nr, 0);
	while (free_objects > q->free_limit && q->free.tail != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, q->free.tail);

		free_objects -= s->g.objs;
		list_remove(cpu, n, q, slab);
		slabq_doom(cpu->lab, doomed, slab);
	}
	__atomic_store_n(&q->free_objects, free_objects, __ATOMIC_RELAXED);
}

/* The array is full: its oldest batch goes to the shared array as far as that has room, else to the slabs. */
static __attribute__((noinline)) void flush_array(struct cpu *cpu, struct store *s, struct array_cache *ac)
{
	struct slub_node *n = store_node(cpu->lab, s, cpu->node);
	struct slabq_node *q = slabq_node(cpu->lab, s, cpu->node);
	struct array_cache *shared = slabq_shared(cpu->lab, q);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };
	uint32_t batch = ac->batchcount, put = 0;

	fetch_own(&n->lock);
	if (shared) {
		fetch_own(shared);
		fetch_entries(shared->entry + __atomic_load_n(&shared->avail, __ATOMIC_RELAXED), batch);
	}
	lock_take(cpu, &n->lock, COUNTING);
	if (shared) {
		tell(cpu, s->number, NOTE_shared_had, cpu->node, shared->avail, shared->limit);
		put = shared->limit - shared->avail < batch ? shared->limit - shared->avail : batch;
		__builtin_memcpy(shared->entry + shared->avail, ac->entry, put * sizeof(uint64_t));
		__atomic_store_n(&shared->avail, shared->avail + put, __ATOMIC_RELAXED);
	}
	if (put)
		batch = put;
	else
		slabq_free_block(cpu, s, cpu->node, ac->entry, batch, &doomed);
	freeable_seen(s, q);
	lock_give(cpu, &n->lock);
	if (put)
		emit_slab_n(cpu, s, EV_shared_put, put, cpu->node, put, 0);
	array_shift(ac, batch);
	slabq_destroy(cpu, s, doomed);
}

/* Past all arrays, to a slab of this node. */
static void free_to_slab(struct cpu *cpu, struct store *s, unsigned int node, uint64_t object)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };

	lock_take(cpu, &n->lock, COUNTING);
	slabq_free_block(cpu, s, node, &object, 1, &doomed);
	lock_give(cpu, &n->lock);
	slabq_destroy(cpu, s, doomed);
}

void slabq_drain_alien(struct cpu *cpu, struct store *s, struct array_cache *ac, unsigned int node,
		       struct slabq_doomed *doomed)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	struct array_cache *shared = slabq_shared(cpu->lab, slabq_node(cpu->lab, s, node));

	if (!ac->avail)
		return;
	lock_take(cpu, &n->lock, COUNTING);
	if (shared)
		array_transfer(shared, ac, ac->limit);
	slabq_free_block(cpu, s, node, ac->entry, ac->avail, doomed);
	ac->avail = 0;
	lock_give(cpu, &n->lock);
}

static void free_alien(struct cpu *cpu, struct store *s, unsigned int node, uint64_t object)
{
	struct alien_cache *alien = slabq_alien(cpu->lab, slabq_node(cpu->lab, s, cpu->node), node);
	struct slabq_doomed doomed = { PFN_NONE, PFN_NONE };

	emit_slab(cpu, s, EV_remotefrees, object, node, 0);
	if (!alien || s->state != STORE_ACTIVE) {
		free_to_slab(cpu, s, node, object);
		return;
	}
	lock_take(cpu, &alien->lock, COUNTING);
	if (alien->ac.avail == alien->ac.limit) {
		emit_slab(cpu, s, EV_alienoverflow, node, alien->ac.avail, 0);
		slabq_drain_alien(cpu, s, &alien->ac, node, &doomed);
	}
	alien->ac.entry[alien->ac.avail++] = object;
	lock_give(cpu, &alien->lock);
	slabq_destroy(cpu, s, doomed);
}

/* The array has no room, or the store drains, whose arrays have none ever. */
static __attribute__((noinline)) void free_full(struct cpu *cpu, struct store *s, struct array_cache *ac, uint64_t object)
{
	if (!ac->limit) {
		free_to_slab(cpu, s, cpu->node, object);
		return;
	}
	emit_slab(cpu, s, EV_freemiss, ac->limit, 0, 0);
	flush_array(cpu, s, ac);
	ac->entry[ac->avail++] = object;
}

void slabq_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
		unsigned int cnt)
{
	(void)tail;
	(void)cnt;	/* objects are never linked: they come one by one, or through free_bulk */
	if (unlikely(slab->node != cpu->node))
		free_alien(cpu, s, slab->node, head);
	else if (unlikely(!array_put(cpu, front_part(cpu, s), head)))
		free_full(cpu, s, slabq_cpu(cpu, s), head);
}

/* As one by one in the order given. */
static void slabq_free_bulk(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec)
{
	struct array_cache *ac = slabq_cpu(cpu, s);
	bool one_node = cpu->lab->nr_nodes == 1;

	for (size_t i = 0; i < n; ) {
		size_t put = ac->limit - ac->avail < n - i ? ac->limit - ac->avail : n - i;

		if (!put || !one_node) {
			slabq_free(cpu, s, slab_of(cpu->lab, vec[i]), vec[i], vec[i], 1);
			i++;
			continue;
		}
		__builtin_memcpy(ac->entry + ac->avail, vec + i, put * sizeof(uint64_t));
		ac->avail += (uint32_t)put;
		emit_slab_n(cpu, s, EV_freehit, put, vec[i], 0, 0);
		i += put;
	}
}

const struct store_ops slabq_ops = {
	.name = "slab",
	.alloc = slabq_alloc,
	.free = slabq_free,
	.free_elsewhere = slabq_free,
	.free_bulk = slabq_free_bulk,
	.alloc_bulk = slabq_alloc_bulk,
	.flush_cpu = slabq_flush_cpu,
	.flush_nodes = slabq_flush_nodes,
	.discard_empty = slabq_discard_empty,
	.reap = slabq_reap,
	.give_back = slab_give_back,
};
