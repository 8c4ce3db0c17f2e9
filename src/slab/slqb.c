/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLQB, as linux-next had it in 2009: allocation, freeing, flushing, remote
 * queues, trimming. Read top to bottom; stores are made in slqb_store.c.
 */
#include "slab/slqb.h"

#include "base/gfp.h"
#include "page/alloc.h"
#include "page/zone.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/list.h"
#include "slab/pages.h"
#include "slab/queue_fast.h"

/* ---- chains of objects ---- */

static uint64_t *link_of(const struct cpu *cpu, const struct store *s, uint64_t object)
{
	return object_link(cpu->base, &s->g, object);
}

static void chain_push(const struct cpu *cpu, const struct store *s, struct slqb_chain *c, uint64_t object)
{
	poke(*link_of(cpu, s, object), c->head);
	if (!c->nr)
		c->tail = object;
	c->head = object;
	__atomic_store_n(&c->nr, c->nr + 1, __ATOMIC_RELAXED);
}

static uint64_t chain_pop(const struct cpu *cpu, const struct store *s, struct slqb_chain *c)
{
	uint64_t object = c->head;

	if (!c->nr)
		return 0;
	c->head = *link_of(cpu, s, object);
	__atomic_store_n(&c->nr, c->nr - 1, __ATOMIC_RELAXED);
	if (!c->nr)
		c->head = c->tail = 0;
	return object;
}

/* All of `from` behind the end of `to`. */
static void chain_append(const struct cpu *cpu, const struct store *s, struct slqb_chain *to, struct slqb_chain *from)
{
	if (!from->nr)
		return;
	if (to->nr)
		poke(*link_of(cpu, s, to->tail), from->head);
	else
		to->head = from->head;
	to->tail = from->tail;
	__atomic_store_n(&to->nr, to->nr + from->nr, __ATOMIC_RELAXED);
	*from = (struct slqb_chain){ 0, 0, 0 };
}

static void chain_add_tail(const struct cpu *cpu, const struct store *s, struct slqb_chain *to, uint64_t object)
{
	struct slqb_chain one = { object, object, 1 };

	poke(*link_of(cpu, s, object), 0);
	chain_append(cpu, s, to, &one);
}

/* ---- slabs ---- */

/* Slabs that got their last object back, given back when no lock is held; linked by next. */
static void give_back_slabs(struct cpu *cpu, struct store *s, pfn_t chain)
{
	while (chain != PFN_NONE) {
		struct page *slab = lab_page(cpu->lab, chain);

		chain = slab->next;
		slab_discard(cpu, s, slab);
	}
}

static void list_slab(struct cpu *cpu, struct slqb_list *l, struct page *slab)
{
	slab_list_add_head(cpu->lab, &l->partial, slab);
	l->nr_partial++;
}

static void unlist_slab(struct cpu *cpu, struct slqb_list *l, struct page *slab)
{
	slab_list_del(cpu->lab, &l->partial, slab);
	l->nr_partial--;
}

/* An object back to its slab, under the page lock of its list. */
static void return_to_slab(struct cpu *cpu, struct store *s, struct slqb_list *l, uint64_t object, pfn_t *gone)
{
	struct page *slab = slab_of(cpu->lab, object);
	struct slab_counts c = slab_counts(slab);

	poke(*link_of(cpu, s, object), slab->freelist);
	__atomic_store_n(&slab->freelist, object, __ATOMIC_RELAXED);
	c.inuse--;
	__atomic_store_n(&slab->counters, counts_pack(c), __ATOMIC_RELAXED);
	if (!c.inuse) {
		if (c.objects > 1)
			unlist_slab(cpu, l, slab);
		l->nr_slabs--;
		slab->next = *gone;
		*gone = page_pfn(cpu->lab, slab);
		emit_slab(cpu, s, EV_flush_slab_free, slab->slab_nr, 0, 0);
	} else if (c.inuse == c.objects - 1) {
		list_slab(cpu, l, slab);
		emit_slab(cpu, s, EV_flush_slab_partial, slab->slab_nr, 0, 0);
	}
}

static void return_one(struct cpu *cpu, struct store *s, uint64_t object, pfn_t *gone)
{
	struct slqb_list *l = slqb_list(cpu->lab, s, slab_of(cpu->lab, object)->owner - 1);

	lock_take(cpu, &l->page_lock, COUNTING);
	return_to_slab(cpu, s, l, object, gone);
	lock_give(cpu, &l->page_lock);
}

/* ---- remote queues ---- */

/* A CPU's objects of another list: to its queue, or, if that is long, straight to their slabs. */
static void flush_rlist(struct cpu *cpu, struct store *s, struct slqb_cpu *c, pfn_t *gone)
{
	struct slqb_list *to;
	uint32_t nr = c->rlist.nr, was;

	if (!nr)
		return;
	to = slqb_list(cpu->lab, s, c->rlist_to - 1);
	emit_slab(cpu, s, EV_flush_rfree_list, to->number, nr, 0);
	emit_slab_n(cpu, s, EV_flush_rfree_list_objects, nr, nr, 0, 0);
	if (__atomic_load_n(&to->remote.nr, __ATOMIC_RELAXED) > s->slqb.hiwater / 2) {
		lock_take(cpu, &to->page_lock, COUNTING);
		while (c->rlist.nr)
			return_to_slab(cpu, s, to, chain_pop(cpu, s, &c->rlist), gone);
		lock_give(cpu, &to->page_lock);
		return;
	}
	lock_take(cpu, &to->remote_lock, COUNTING);
	was = to->remote.nr;
	chain_append(cpu, s, &to->remote, &c->rlist);
	if (was < s->slqb.freebatch && to->remote.nr >= s->slqb.freebatch)
		__atomic_store_n(&to->remote_check, 1, __ATOMIC_RELAXED);
	lock_give(cpu, &to->remote_lock);
}

static void to_rlist(struct cpu *cpu, struct store *s, struct slqb_cpu *c, uint64_t object, pfn_t *gone)
{
	uint32_t owner = slab_of(cpu->lab, object)->owner;

	if (c->rlist_to != owner) {
		flush_rlist(cpu, s, c, gone);
		c->rlist_to = owner;
	}
	chain_add_tail(cpu, s, &c->rlist, object);
	if (c->rlist.nr >= s->slqb.freebatch)
		flush_rlist(cpu, s, c, gone);
}

/* What others sent goes behind the list's own objects. */
static void claim_remote(struct cpu *cpu, struct store *s, struct slqb_list *l)
{
	struct slqb_chain got;

	if (!__atomic_load_n(&l->remote.nr, __ATOMIC_RELAXED)) {
		__atomic_store_n(&l->remote_check, 0, __ATOMIC_RELAXED);
		return;
	}
	lock_take(cpu, &l->remote_lock, COUNTING);
	got = l->remote;
	l->remote.head = l->remote.tail = 0;
	__atomic_store_n(&l->remote.nr, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&l->remote_check, 0, __ATOMIC_RELAXED);
	lock_give(cpu, &l->remote_lock);
	emit_slab(cpu, s, EV_claim_remote_list, l->number, got.nr, 0);
	emit_slab_n(cpu, s, EV_claim_remote_list_objects, got.nr, got.nr, 0, 0);
	chain_append(cpu, s, &l->free, &got);
}

/* ---- flushing ---- */

/* The newest n: of this list's slabs back to them, of others' on their way there. */
static void flush_list(struct cpu *cpu, struct store *s, struct slqb_list *l, uint32_t n, pfn_t *gone)
{
	struct slqb_cpu *c = slqb_cpu(cpu, s);
	bool locked = false;

	if (n > l->free.nr)
		n = l->free.nr;
	if (!n)
		return;
	emit_slab(cpu, s, EV_flush_free_list, l->number, n, 0);
	emit_slab_n(cpu, s, EV_flush_free_list_objects, n, n, 0, 0);
	while (n--) {
		uint64_t object = chain_pop(cpu, s, &l->free);
		bool own = slab_of(cpu->lab, object)->owner == l->number + 1;

		if (own != locked) {	/* held over stretches of its own objects */
			own ? lock_take(cpu, &l->page_lock, COUNTING) : lock_give(cpu, &l->page_lock);
			locked = own;
		}
		if (own) {
			return_to_slab(cpu, s, l, object, gone);
		} else {
			emit_slab(cpu, s, EV_flush_free_list_remote, object, 0, 0);
			to_rlist(cpu, s, c, object, gone);
		}
	}
	if (locked)
		lock_give(cpu, &l->page_lock);
}

static void flush_once(struct cpu *cpu, struct store *s, struct slqb_list *l, pfn_t *gone)
{
	flush_list(cpu, s, l, s->slqb.freebatch, gone);
}

/* ---- allocation ---- */

static uint64_t build_freelist(struct cpu *cpu, struct store *s, pfn_t first)
{
	uint64_t head = slab_object(cpu->lab, s, first, 0), object = head;

	for (uint32_t i = 1; i < s->g.objs; i++, object += s->g.size)
		*link_of(cpu, s, object) = object + s->g.size;
	poke(*link_of(cpu, s, object), 0);
	return head;
}

static uint32_t next_colour(struct store *s, struct slqb_cpu *c)
{
	uint32_t colour = c->colour_next;

	if (!s->colouring || !s->g.colours)
		return 0;
	c->colour_next += s->g.colour_off;
	if (c->colour_next >= s->g.colours * s->g.colour_off)
		c->colour_next = 0;
	return colour;
}

/* A slab of no list yet; of this node, or wherever pages are (-1). */
static struct page *new_slab(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	pfn_t first;
	struct page *slab;
	struct slub_node *n;

	tell(cpu, s->number, NOTE_pages_asked, s->g.order, s->g.objs, s->g.order, 1, s->g.order);
	gfp = (gfp & GFP_TO_PAGES) | s->page_gfp;
	first = V(alloc_pages)(cpu, s->g.order, s->g.order ? gfp | GFP_BIT_COMP : gfp, node);
	if (first == PFN_NONE)
		return NULL;
	slab = lab_page(cpu->lab, first);
	slab->next = slab->prev = PFN_NONE;
	slab->start = next_colour(s, slqb_cpu(cpu, s));
	__atomic_store_n(&slab->counters, counts_pack((struct slab_counts){ 0, s->g.objs, false }), __ATOMIC_RELAXED);
	slab_mark_pages(cpu, s, first, s->g.order, __atomic_fetch_add(&s->next_slab, 1, __ATOMIC_RELAXED));
	if (unlikely(s->debug))
		debug_init_slab(cpu, s, slab, s->g.objs);
	__atomic_store_n(&slab->freelist, build_freelist(cpu, s, first), __ATOMIC_RELAXED);
	n = store_node(cpu->lab, s, slab->node);
	__atomic_add_fetch(&n->nr_slabs, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&n->total_objects, s->g.objs, __ATOMIC_RELAXED);
	node_slab_add(cpu->lab, slab->node, s->g.flags & CF_RECLAIM, 1L << s->g.order);
	return slab;
}

/* One object of a list's first partial slab, under its page lock. */
static uint64_t take_partial(struct cpu *cpu, struct store *s, struct slqb_list *l)
{
	struct page *slab;
	struct slab_counts c;
	uint64_t object;

	if (l->partial.head == PFN_NONE)
		return 0;
	slab = lab_page(cpu->lab, l->partial.head);
	c = slab_counts(slab);
	tell(cpu, s->number, NOTE_list_had, slab->slab_nr, c.inuse, c.objects);
	object = slab->freelist;
	c.inuse++;
	__atomic_store_n(&slab->freelist, *link_of(cpu, s, object), __ATOMIC_RELAXED);
	__atomic_store_n(&slab->counters, counts_pack(c), __ATOMIC_RELAXED);
	if (!slab->freelist)
		unlist_slab(cpu, l, slab);
	emit_slab(cpu, s, EV_alloc_slab_fill, slab->slab_nr, 0, 0);
	return object;
}

static uint64_t take_slab(struct cpu *cpu, struct store *s, struct slqb_list *l)
{
	uint64_t object;

	lock_take(cpu, &l->page_lock, COUNTING);
	object = take_partial(cpu, s, l);
	lock_give(cpu, &l->page_lock);
	return object;
}

static void adopt(struct cpu *cpu, struct store *s, struct slqb_list *l, struct page *slab)
{
	lock_take(cpu, &l->page_lock, COUNTING);
	slab->owner = l->number + 1;
	l->nr_slabs++;
	list_slab(cpu, l, slab);
	lock_give(cpu, &l->page_lock);
	emit_slab(cpu, s, EV_alloc_slab_new, slab->slab_nr, slab->order, 0);
}

/* The list, then what others sent it, then its slabs. The list is the caller's. */
static uint64_t take(struct cpu *cpu, struct store *s, struct slqb_list *l, pfn_t *gone)
{
	uint64_t object = chain_pop(cpu, s, &l->free);

	if (object)
		return object;
	if (__atomic_load_n(&l->remote_check, __ATOMIC_RELAXED)) {
		claim_remote(cpu, s, l);
		if (l->free.nr > s->slqb.hiwater)
			flush_once(cpu, s, l, gone);
		object = chain_pop(cpu, s, &l->free);
	}
	return object ? object : take_slab(cpu, s, l);
}

static uint64_t take_from_node(struct cpu *cpu, struct store *s, unsigned int node)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	pfn_t gone = PFN_NONE;
	uint64_t object;

	lock_take(cpu, &n->lock, COUNTING);
	object = take(cpu, s, slqb_node_list(cpu->lab, s, node), &gone);
	lock_give(cpu, &n->lock);
	give_back_slabs(cpu, s, gone);
	return object;
}

/* Pages of the CPU's own node are its list's; others' their node's. */
static uint64_t grow(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	struct page *slab = new_slab(cpu, s, gfp, node);

	if (!slab) {
		emit_lab(cpu, EV_slab_alloc_fail, s->serial, gfp, 0);
		return 0;
	}
	if (slab->node == cpu->node && (node < 0 || (unsigned int)node == cpu->node)) {
		adopt(cpu, s, &slqb_cpu(cpu, s)->list, slab);
		return take_slab(cpu, s, &slqb_cpu(cpu, s)->list);
	}
	adopt(cpu, s, slqb_node_list(cpu->lab, s, slab->node), slab);
	return take_from_node(cpu, s, slab->node);
}

static uint64_t slqb_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	pfn_t gone = PFN_NONE;
	uint64_t object;

	if (unlikely(node >= 0 && (unsigned int)node != cpu->node)) {
		object = take_from_node(cpu, s, (unsigned int)node);
	} else {
		object = list_take(cpu, front_part(cpu, s));
		if (likely(object))
			return object;
		object = take(cpu, s, &slqb_cpu(cpu, s)->list, &gone);
		if (unlikely(gone != PFN_NONE))
			give_back_slabs(cpu, s, gone);
	}
	if (unlikely(!object))
		object = grow(cpu, s, gfp, node);
	if (likely(object))
		emit_slab(cpu, s, EV_alloc, object, 0, 0);
	return object;
}

uint64_t slqb_take(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	pfn_t gone = PFN_NONE;
	uint64_t object;

	if (node >= 0 && (unsigned int)node != cpu->node)
		object = take_from_node(cpu, s, (unsigned int)node);
	else
		object = take(cpu, s, &slqb_cpu(cpu, s)->list, &gone);
	give_back_slabs(cpu, s, gone);
	return object ? object : grow(cpu, s, gfp, node);
}

static size_t slqb_alloc_bulk(struct cpu *cpu, struct store *s, uint32_t gfp, size_t n, uint64_t *vec)
{
	struct slub_cpu *part = front_part(cpu, s);

	for (size_t i = 0; i < n; i++) {
		i += list_take_many(cpu, part, n - i, vec + i);
		if (i == n)
			break;
		vec[i] = slqb_alloc(cpu, s, gfp, -1);
		if (!vec[i])
			return i;
	}
	return n;
}

/* ---- freeing ---- */

/* The list is too long, or the store drains: then nothing waits in queues. */
static __attribute__((noinline)) void free_long(struct cpu *cpu, struct store *s, struct slqb_cpu *c)
{
	pfn_t gone = PFN_NONE;

	if (s->state == STORE_ACTIVE)
		flush_once(cpu, s, &c->list, &gone);
	else
		return_one(cpu, s, chain_pop(cpu, s, &c->list.free), &gone);
	give_back_slabs(cpu, s, gone);
}

static __attribute__((noinline)) void free_other_node(struct cpu *cpu, struct store *s, struct slqb_cpu *c, uint64_t object,
						      unsigned int node)
{
	pfn_t gone = PFN_NONE;

	emit_slab(cpu, s, EV_free_remote, object, node, 0);
	if (s->state == STORE_ACTIVE)
		to_rlist(cpu, s, c, object, &gone);
	else
		return_one(cpu, s, object, &gone);
	give_back_slabs(cpu, s, gone);
}

void slqb_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail, unsigned int cnt)
{
	struct slqb_cpu *c = slqb_cpu(cpu, s);

	(void)tail;
	(void)cnt;	/* objects come one by one, or through free_bulk */
	if (likely(slab->node == cpu->node && list_put(cpu, front_part(cpu, s), head)))
		return;
	emit_slab(cpu, s, EV_free, head, 0, 0);
	if (unlikely(slab->node != cpu->node)) {
		free_other_node(cpu, s, c, head, slab->node);
		return;
	}
	tell(cpu, s->number, NOTE_slqb_had, cpu->id, c->list.free.nr, s->slqb.hiwater);
	chain_push(cpu, s, &c->list.free, head);
	if (unlikely(c->list.free.nr > s->slqb.hiwater))
		free_long(cpu, s, c);
}

static void slqb_free_bulk(struct cpu *cpu, struct store *s, size_t n, uint64_t *vec)
{
	struct slub_cpu *part = front_part(cpu, s);
	bool one_node = cpu->lab->nr_nodes == 1;

	for (size_t i = 0; i < n; i++) {
		i += one_node ? list_put_many(cpu, part, n - i, vec + i) : 0;
		if (i < n)
			slqb_free(cpu, s, slab_of(cpu->lab, vec[i]), vec[i], vec[i], 1);
	}
}

/* ---- trimming and flushing, in a stop ---- */

static void trim_node(struct cpu *cpu, struct store *s, unsigned int node, pfn_t *gone)
{
	struct slub_node *n = store_node(cpu->lab, s, node);
	struct slqb_list *l = slqb_node_list(cpu->lab, s, node);

	lock_take(cpu, &n->lock, COUNTING);
	claim_remote(cpu, s, l);
	flush_once(cpu, s, l, gone);
	lock_give(cpu, &n->lock);
}

static void trim_cpu(struct cpu *cpu, struct store *s, pfn_t *gone)
{
	struct slqb_cpu *c = slqb_cpu(cpu, s);

	claim_remote(cpu, s, &c->list);
	flush_once(cpu, s, &c->list, gone);
	flush_rlist(cpu, s, c, gone);
}

void slqb_reap(struct cpu *cpu, struct store *s, struct reap *r)
{
	pfn_t gone = PFN_NONE;

	if (s->state != STORE_ACTIVE)
		return;
	if (r->part != REAP_CPU)
		trim_node(cpu, s, cpu->node, &gone);
	trim_cpu(cpu, s, &gone);
	give_back_slabs(cpu, s, gone);
}

/* All CPUs and nodes once: not to emptiness. */
void slqb_shrink(struct cpu *self, struct store *s)
{
	struct lab *lab = self->lab;
	pfn_t gone = PFN_NONE;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		trim_cpu(lab->cpus[i], s, &gone);
		give_back_slabs(lab->cpus[i], s, gone);
		gone = PFN_NONE;
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		trim_node(self, s, n, &gone);
	give_back_slabs(self, s, gone);
}

/* First phase of a full reap: what is others' is on its way. */
void slqb_flush_cpu(struct cpu *cpu, struct store *s)
{
	struct slqb_cpu *c = slqb_cpu(cpu, s);
	pfn_t gone = PFN_NONE;

	flush_list(cpu, s, &c->list, UINT32_MAX, &gone);
	flush_rlist(cpu, s, c, &gone);
	give_back_slabs(cpu, s, gone);
}

/* Second phase: what was sent is taken over and goes to its slabs. */
void slqb_flush_nodes(struct cpu *cpu, struct store *s)
{
	struct lab *lab = cpu->lab;
	pfn_t gone = PFN_NONE;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		claim_remote(lab->cpus[i], s, &slqb_cpu(lab->cpus[i], s)->list);
		slqb_flush_cpu(lab->cpus[i], s);
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct slub_node *node = store_node(lab, s, n);

		lock_take(cpu, &node->lock, COUNTING);
		claim_remote(cpu, s, slqb_node_list(lab, s, n));
		flush_list(cpu, s, slqb_node_list(lab, s, n), UINT32_MAX, &gone);
		lock_give(cpu, &node->lock);
	}
	flush_rlist(cpu, s, slqb_cpu(cpu, s), &gone);
	give_back_slabs(cpu, s, gone);
}

/* There is no reserve of empty slabs: each went when it became empty. */
void slqb_discard_empty(struct cpu *cpu, struct store *s, unsigned int node)
{
	(void)cpu;
	(void)s;
	(void)node;
}

#define slqb_ops V(slqb_ops)
const struct store_ops slqb_ops = {
	.name = "slqb",
	.alloc = slqb_alloc,
	.free = slqb_free,
	.free_elsewhere = slqb_free,
	.free_bulk = slqb_free_bulk,
	.alloc_bulk = slqb_alloc_bulk,
	.flush_cpu = slqb_flush_cpu,
	.flush_nodes = slqb_flush_nodes,
	.shrink = slqb_shrink,
	.discard_empty = slqb_discard_empty,
	.reap = slqb_reap,
	.give_back = slab_give_back,
};
