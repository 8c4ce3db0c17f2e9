/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SLQB's stores, in a stop: geometry, parts made and unmade, limits, walks, checks. (slab-geometry.md section 6) */
#include "slab/slqb.h"

#include <errno.h>

#include "base/bits.h"
#include "base/fail.h"
#include "lab/heap.h"
#include "slab/list.h"
#include "slab/slub_store.h"
#include "slab/store.h"

/* ---- geometry ---- */

static unsigned int first_order(const struct wish *w, uint32_t size, unsigned int most, unsigned int fraction)
{
	unsigned int order = get_order(size);

	if (order < w->slqb_min_order)
		order = w->slqb_min_order;
	for (; order <= most; order++) {
		uint32_t objs = objs_in(order, size);
		uint64_t left = (PAGE_SIZE << order) - (uint64_t)objs * size;

		if (objs && (order == MAX_PAGE_ORDER || objs >= (uint32_t)w->slqb_min_objects) && left * fraction <= PAGE_SIZE << order)
			break;
	}
	return order;
}

int slqb_geometry(const struct wish *w, struct geometry *g)
{
	uint32_t left;

	*g = (struct geometry){ .align = align_compute(w->era, w->flags, w->align, w->object_size) };
	slub_lay_out(w, w->flags, g);
	slub_lay_out(w, debug_flags_kept(w, g->size), g);
	g->order = first_order(w, g->size, 1, 4);
	if (g->order > 1)
		g->order = first_order(w, g->size, MAX_PAGE_ORDER, 0);
	if (g->order > MAX_PAGE_ORDER)
		return slot_too_large(w, g->size);
	g->objs = objs_in(g->order, g->size);
	if (g->objs > MAX_OBJS_PER_SLAB)
		g->objs = MAX_OBJS_PER_SLAB;
	g->min_order = g->order;
	g->min_objs = g->objs;
	g->colour_off = g->align > CACHE_LINE ? g->align : CACHE_LINE;
	left = (uint32_t)((PAGE_SIZE << g->order) - (uint64_t)g->objs * g->size);
	g->colours = g->flags & CF_DEBUG ? 0 : left / g->colour_off;
	return 0;
}

static uint32_t freebatch_auto(uint32_t size)
{
	uint64_t batch = max_u64(4 * PAGE_SIZE / size, min_u64(256, 64 * PAGE_SIZE / size));

	return (uint32_t)max_u64(batch, 1);
}

/* ---- parts ---- */

static void list_init(struct slqb_list *l, uint32_t number)
{
	*l = (struct slqb_list){ .number = number, .page_lock.rank = RANK_QUEUE, .remote_lock.rank = RANK_QUEUE };
	slab_list_init(&l->partial);
}

static void slqb_unmake(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		heap_free(lab, front_part(lab->cpus[i], s)->own, sizeof(struct slqb_cpu));
		front_part(lab->cpus[i], s)->own = 0;
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		heap_free(lab, store_node(lab, s, n)->own, sizeof(struct slqb_list));
		store_node(lab, s, n)->own = 0;
	}
}

static int slqb_make(struct lab *lab, struct store *s)
{
	bool made = true;

	s->slqb.freebatch = freebatch_auto(s->g.size);
	s->slqb.hiwater = 4 * s->slqb.freebatch;
	for (unsigned int i = 0; i < lab->nr_cpus && made; i++) {
		struct slub_cpu *front = front_part(lab->cpus[i], s);

		front->number = PART_QUEUED;
		front->own = heap_alloc(lab, sizeof(struct slqb_cpu));
		made = front->own;
		if (made)
			list_init(&slqb_cpu(lab->cpus[i], s)->list, i);
	}
	for (unsigned int n = 0; n < lab->nr_nodes && made; n++) {
		store_node(lab, s, n)->own = heap_alloc(lab, sizeof(struct slqb_list));
		made = store_node(lab, s, n)->own;
		if (made)
			list_init(slqb_node_list(lab, s, n), lab->nr_cpus + n);
	}
	if (made)
		return 0;
	slqb_unmake(lab, s);
	return fail(ENOMEM, "the lab's side memory has no room for the lists of a cache");
}

static int slqb_tune(struct lab *lab, struct store *s, const struct store_policy *p)
{
	uint32_t batch = p->slqb_freebatch < 0 ? freebatch_auto(s->g.size) : (uint32_t)p->slqb_freebatch;
	uint32_t hiwater = p->slqb_hiwater < 0 ? 4 * freebatch_auto(s->g.size) : (uint32_t)p->slqb_hiwater;

	(void)lab;
	s->colouring = p->slqb_colour;
	s->slqb.freebatch = batch > hiwater + 1 ? hiwater + 1 : batch;	/* what suits others is cut to this store's list */
	s->slqb.hiwater = hiwater;
	return 0;
}

static void slqb_drain(struct lab *lab, struct store *s)
{
	(void)lab;
	s->slqb.hiwater = 0;
}

static bool slqb_has_cpu_part(const struct cpu *cpu, const struct store *s)
{
	const struct slqb_cpu *c = slqb_cpu(cpu, s);

	return c->list.free.nr || c->rlist.nr || c->list.remote.nr;
}

/* ---- walks ---- */

static void walk_chain(struct lab *lab, const struct store *s, const struct queue_walk *w, const struct slqb_chain *c,
		       struct queue q)
{
	uint32_t n = 0;

	q.nr = c->nr;
	w->queue(&q, w->arg);
	for (uint64_t o = c->head; n < c->nr && o; o = *object_link(lab->base, &s->g, o), n++)
		w->object(o, w->arg);
}

static void slqb_walk_queues(struct lab *lab, const struct store *s, const struct queue_walk *w)
{
	uint32_t hiwater = s->slqb.hiwater, batch = s->slqb.freebatch;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct slqb_cpu *c = slqb_cpu(lab->cpus[i], s);
		int node = (int)lab->cpus[i]->node;

		walk_chain(lab, s, w, &c->list.free, (struct queue){ .kind = "list", .cpu = (int)i, .node = node, .peer = -1,
			.limit = hiwater, .batch = batch, .newest_first = true });
		walk_chain(lab, s, w, &c->rlist, (struct queue){ .kind = "rlist", .cpu = (int)i, .node = node, .peer = -1,
			.limit = batch, .newest_first = true });
		walk_chain(lab, s, w, &c->list.remote, (struct queue){ .kind = "remote", .cpu = (int)i, .node = node, .peer = -1,
			.batch = batch, .touched = c->list.remote_check, .newest_first = true });
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct slqb_list *l = slqb_node_list(lab, s, n);

		walk_chain(lab, s, w, &l->free, (struct queue){ .kind = "list", .cpu = -1, .node = (int)n, .peer = -1,
			.limit = hiwater, .batch = batch, .newest_first = true });
		walk_chain(lab, s, w, &l->remote, (struct queue){ .kind = "remote", .cpu = -1, .node = (int)n, .peer = -1,
			.batch = batch, .touched = l->remote_check, .newest_first = true });
	}
}

/* ---- check ---- */

static int check_chain(struct lab *lab, struct store *s, struct audit *a, const struct slqb_chain *c, const char *what)
{
	uint64_t object = c->head, last = 0;

	for (uint32_t n = 0; n < c->nr; n++) {
		int ret = audit_free(a, "T3", object);

		if (ret)
			return ret;
		last = object;
		object = *object_link(lab->base, &s->g, object);
	}
	return last == c->tail ? 0 : audit_broken(a, "T3", "%s does not end where it says", what);
}

static int check_slab(struct lab *lab, struct store *s, struct audit *a, const struct page *slab)
{
	struct slab_counts c = slab_counts(slab);
	pfn_t pfn = page_pfn(lab, slab);
	uint32_t n = 0;

	if (c.objects != s->g.objs || c.inuse > c.objects || slab->start + (uint64_t)c.objects * s->g.size > PAGE_SIZE << s->g.order)
		return audit_broken(a, "T1", "slab S%u has %u of %u objects out", slab->slab_nr, c.inuse, c.objects);
	for (uint64_t o = slab->freelist; o; o = *object_link(lab->base, &s->g, o), n++) {
		int ret = n < c.objects ? audit_free(a, "T1", o) : audit_broken(a, "T1", "slab S%u: its freelist is a ring", slab->slab_nr);

		if (ret)
			return ret;
		if (slab_of(lab, o) != lab_page(lab, pfn))
			return audit_broken(a, "T1", "slab S%u: its freelist leads into another slab", slab->slab_nr);
	}
	return n == c.objects - c.inuse ? 0 :
	       audit_broken(a, "T1", "slab S%u has %u free objects, its count says %u", slab->slab_nr, n, c.objects - c.inuse);
}

static int check_slqb_list(struct lab *lab, struct store *s, struct audit *a, struct slqb_list *l, uint32_t number)
{
	pfn_t prev = PFN_NONE;
	uint64_t len = 0;
	int ret;

	if (l->number != number || !lock_is_idle(&l->page_lock, RANK_QUEUE) ||
	    !lock_is_idle(&l->remote_lock, RANK_QUEUE) || l->remote_check > 1)
		return audit_broken(a, "T2", "list %u is damaged", number);
	for (pfn_t pfn = l->partial.head; pfn != PFN_NONE; prev = pfn, pfn = lab_page(lab, pfn)->next, len++) {
		const struct page *slab = pfn < lab->hdr->shape.pages ? lab_page(lab, pfn) : NULL;

		if (!slab || slab->store != s->number || slab->head != pfn || slab->owner != number + 1 || slab->prev != prev ||
		    len > l->nr_partial)
			return audit_broken(a, "T1", "list %u: its partial slabs lead to page 0x%x", number, pfn);
		ret = check_slab(lab, s, a, slab);
		if (ret)
			return ret;
		if (!slab->freelist)
			return audit_broken(a, "T1", "slab S%u is full and on list %u's partial ones", slab->slab_nr, number);
	}
	if (len != l->nr_partial || l->partial.tail != prev || l->nr_partial > l->nr_slabs)
		return audit_broken(a, "T2", "list %u counts %llu partial slabs and has %llu", number,
				    (unsigned long long)l->nr_partial, (unsigned long long)len);
	ret = check_chain(lab, s, a, &l->free, "a list");
	return ret ? ret : check_chain(lab, s, a, &l->remote, "a remote queue");
}

static int slqb_check(struct lab *lab, struct store *s, struct audit *a)
{
	uint64_t slabs = 0, counted = 0;
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++) {
		const struct slub_cpu *front = front_part(lab->cpus[i], s);
		struct slqb_cpu *c = slqb_cpu(lab->cpus[i], s);

		if (front->freelist || front->slab != PFN_NONE || front->number != PART_QUEUED ||
		    !audit_piece(lab, front->own, sizeof(*c)) || c->rlist_to > lab->nr_cpus + lab->nr_nodes ||
		    (c->rlist.nr && !c->rlist_to))
			return audit_broken(a, "T3", "CPU %u: its part is damaged", i);
		ret = check_slqb_list(lab, s, a, &c->list, i);
		if (!ret)
			ret = check_chain(lab, s, a, &c->rlist, "an rlist");
		slabs += c->list.nr_slabs;
	}
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++) {
		if (!audit_piece(lab, store_node(lab, s, n)->own, sizeof(struct slqb_list)))
			return audit_broken(a, "T2", "node %u has no list", n);
		ret = check_slqb_list(lab, s, a, slqb_node_list(lab, s, n), lab->nr_cpus + n);
		slabs += slqb_node_list(lab, s, n)->nr_slabs;
		counted += store_node(lab, s, n)->nr_slabs;
	}
	if (!ret && slabs != counted)
		ret = audit_broken(a, "T2", "its lists count %llu slabs, it has %llu", (unsigned long long)slabs,
				   (unsigned long long)counted);
	return ret;
}

static int slqb_pieces(struct lab *lab, const struct store *s, struct heap_audit *a)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++)
		ret = heap_audit_piece(a, "a CPU's lists", front_part(lab->cpus[i], s)->own, sizeof(struct slqb_cpu));
	for (unsigned int n = 0; n < lab->nr_nodes && !ret; n++)
		ret = heap_audit_piece(a, "a node's list", store_node(lab, s, n)->own, sizeof(struct slqb_list));
	return ret;
}

static void slqb_figures(struct lab *lab, const struct store *s, struct store_figures *f)
{
	f->hiwater = s->slqb.hiwater;
	f->freebatch = s->slqb.freebatch;
	for (uint32_t i = 0; i < lab->nr_cpus + lab->nr_nodes; i++)
		f->partial += __atomic_load_n(&slqb_list(lab, s, i)->nr_partial, __ATOMIC_RELAXED);
}

const struct engine slqb_engine = {
	.name = "slqb",
	.route = ROUTE_LIST,
	.hit_alloc = EV_alloc,
	.hit_free = EV_free,
	.geometry = slqb_geometry,
	.make = slqb_make,
	.unmake = slqb_unmake,
	.tune = slqb_tune,
	.drain = slqb_drain,
	.has_cpu_part = slqb_has_cpu_part,
	.walk_slab = slub_walk_slab,
	.walk_queues = slqb_walk_queues,
	.check = slqb_check,
	.pieces = slqb_pieces,
	.figures = slqb_figures,
};
