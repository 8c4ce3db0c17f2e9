/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk over one store: each slab once, wherever it is.
 *
 * Which objects are really out is derived, not kept: of a slab's objects
 * those that are on no freelist, its own or a CPU's. (slab-observables.md 6)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "page/zone.h"
#include "slab/engine.h"
#include "slab/prefill.h"
#include "slab/read.h"
#include "slab/slabq.h"
#include "slab/slqb.h"
#include "slab/slub_store.h"

/* ---- freelists ---- */

uint32_t freelist_walk(struct lab *lab, uint32_t store, int cpu, pfn_t slab,
		       bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	const struct store *s = lab_store(lab, store);

	if (cpu < 0)
		return engines[s->engine]->walk_slab(lab, s, slab, fn, arg);
	return has_slub(s) ? slub_walk_list(lab, s, store_cpu(lab->cpus[cpu], s)->freelist, fn, arg) : 0;
}

/* ---- lines ---- */

/* While a model is made. Both tables go by slab number. */
struct seen {
	struct lab *lab;
	const struct store *s;
	struct store_model *m;
	uint8_t *listed;
	uint32_t *queued;		/* free objects of the slab that lie in queues */
	uint64_t nr;			/* entries of the tables */
	uint32_t most;			/* slabs of one list that are taken */
	uint32_t cap;
	uint32_t queues_cap, queued_cap;
	bool failed, hidden;
};

/* Since 6.8 such a slab is not frozen: it has free objects, and no node lists it. */
static bool is_on_chain(const struct store *s, const struct page *slab)
{
	return has_slub(s) && !s->debug && slab->freelist && !slab->listed;
}

static struct slab_line line_of(const struct seen *seen, pfn_t pfn)
{
	const struct page *slab = lab_page(seen->lab, pfn);
	struct slab_counts c = slab_counts(slab);
	struct slab_line l = {
		.number = slab->slab_nr, .pfn = pfn, .node = slab->node, .order = slab->order,
		.objects = c.objects, .field_inuse = c.inuse, .of_cpu = c.frozen || is_on_chain(seen->s, slab), .start = slab->start,
		.free_len = engines[seen->s->engine]->walk_slab(seen->lab, seen->s, pfn, NULL, NULL),
	};

	l.out = c.objects - l.free_len - slab_lost(seen->s, slab) - (slab->slab_nr < seen->nr ? seen->queued[slab->slab_nr] : 0);
	return l;
}

/* Every slab of a store, by the page map; only blocks that were ever split or given out are looked at. */
static bool each_slab(struct lab *lab, uint32_t store, bool (*fn)(struct page *slab, void *arg), void *arg)
{
	uint64_t pages = lab->hdr->shape.pages;

	for (uint64_t block = 0; block < pages >> TOP_ORDER; block++) {
		if (lab->blocks[block].is_free)
			continue;
		for (uint64_t pfn = block << TOP_ORDER; pfn < (block + 1) << TOP_ORDER; ) {
			struct page *page = lab_page(lab, (pfn_t)pfn);

			if (page->role != PAGE_SLAB || page->head != pfn) {
				pfn++;
				continue;
			}
			if (page->store == store && !fn(page, arg))
				return false;
			pfn += 1u << page->order;
		}
	}
	return true;
}

int slab_age(struct lab *lab, uint32_t store, pfn_t slab, uint64_t *number, uint64_t *of)
{
	const struct page *page = lab_page(lab, slab);

	if (page->store != store || !store)
		return -ENOENT;
	*number = page->slab_nr;
	*of = __atomic_load_n(&lab_store(lab, store)->next_slab, __ATOMIC_RELAXED);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct slab_line *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- the model ---- */

static void note_queue(const struct queue *q, void *arg)
{
	struct seen *seen = arg;
	struct store_model *m = seen->m;

	seen->hidden = !strcmp(q->kind, SLUB_FREELIST);	/* shown with its CPU's slab */
	if (seen->hidden)
		return;
	if (m->queues_nr == seen->queues_cap) {
		uint32_t cap = seen->queues_cap ? seen->queues_cap * 2 : 16;
		struct queue_line *more = realloc(m->queues, cap * sizeof(*more));

		if (!more) {
			seen->failed = true;
			return;
		}
		m->queues = more;
		seen->queues_cap = cap;
	}
	m->queues[m->queues_nr++] = (struct queue_line){
		.kind = q->kind, .cpu = q->cpu, .node = q->node, .peer = q->peer, .nr = q->nr, .limit = q->limit,
		.batch = q->batch, .touched = q->touched, .newest_first = q->newest_first, .first = m->queued_nr };
}

static void note_queued(uint64_t object, void *arg)
{
	struct seen *seen = arg;
	struct store_model *m = seen->m;
	const struct page *slab = slab_of(seen->lab, object);

	if (slab->slab_nr < seen->nr)
		seen->queued[slab->slab_nr]++;
	if (seen->hidden || seen->failed)
		return;
	if (m->queued_nr == seen->queued_cap) {
		uint32_t cap = seen->queued_cap ? seen->queued_cap * 2 : 256;
		struct queued_line *more = realloc(m->queued, cap * sizeof(*more));

		if (!more) {
			seen->failed = true;
			return;
		}
		m->queued = more;
		seen->queued_cap = cap;
	}
	m->queued[m->queued_nr++] = (struct queued_line){ slab->slab_nr, object_index(seen->lab, seen->s, slab, object) };
}

/* Slabs of a list, head to tail; NULL when the host has no memory. */
static struct slab_line *take_list(struct seen *seen, pfn_t head, uint32_t *nr)
{
	struct slab_line *lines;
	uint32_t n = 0;

	for (pfn_t pfn = head; pfn != PFN_NONE && n <= seen->nr && n < seen->most; pfn = lab_page(seen->lab, pfn)->next)
		n++;
	lines = calloc(n + 1, sizeof(*lines));
	*nr = 0;
	for (pfn_t pfn = head; lines && pfn != PFN_NONE && *nr < n; pfn = lab_page(seen->lab, pfn)->next) {
		lines[(*nr)++] = line_of(seen, pfn);
		if (lab_page(seen->lab, pfn)->slab_nr < seen->nr)
			seen->listed[lab_page(seen->lab, pfn)->slab_nr] = 1;
	}
	return lines;
}

static bool take_slabq_node(struct seen *seen, unsigned int n, struct node_lines *out)
{
	const struct slabq_node *q = slabq_node(seen->lab, seen->s, n);

	out->free_slabs = q->free_slabs;
	out->free_objects = q->free_objects;
	out->free_limit = q->free_limit;
	out->colour_next = q->colour_next;
	out->free_touched = q->free_touched;
	out->full = take_list(seen, store_node(seen->lab, seen->s, n)->full.head, &out->full_nr);
	out->free = take_list(seen, q->free.head, &out->free_nr);
	return out->full && out->free;
}

static bool take_node(struct seen *seen, unsigned int n)
{
	const struct slub_node *node = store_node(seen->lab, seen->s, n);
	struct node_lines *out = &seen->m->nodes[n];

	*out = (struct node_lines){ .node = n, .nr_partial = node->nr_partial, .nr_slabs = node->nr_slabs,
				    .total_objects = node->total_objects };
	if (seen->s->engine == ENGINE_SLQB) {
		out->nr_partial = slqb_node_list(seen->lab, seen->s, n)->nr_partial;
		out->partial = take_list(seen, slqb_node_list(seen->lab, seen->s, n)->partial.head, &out->partial_nr);
	} else {
		out->partial = take_list(seen, node->partial.head, &out->partial_nr);
	}
	return out->partial && (seen->s->engine != ENGINE_SLAB || take_slabq_node(seen, n, out));
}

static bool take_cpu(struct seen *seen, unsigned int id)
{
	const struct slub_cpu *c = store_cpu(seen->lab->cpus[id], seen->s);
	struct cpu_lines *out = &seen->m->cpus[id];

	*out = (struct cpu_lines){ .cpu = id };
	if (c->slab != PFN_NONE) {
		out->has_slab = true;
		out->cpu_free = slub_walk_list(seen->lab, seen->s, c->freelist, NULL, NULL);
		out->slab = line_of(seen, c->slab);
		out->slab_free = out->slab.free_len;
		out->slab_inuse = out->slab.objects - out->slab_free;
		if (out->slab.number < seen->nr)
			seen->listed[out->slab.number] = 1;
	}
	if (seen->s->engine == ENGINE_SLQB) {
		const struct slqb_list *l = &slqb_cpu(seen->lab->cpus[id], seen->s)->list;

		out->partial_slabs = (uint32_t)l->nr_partial;
		out->partial = take_list(seen, l->partial.head, &out->partial_nr);
		return out->partial;
	}
	out->partial = take_list(seen, c->partial, &out->partial_nr);
	if (c->partial != PFN_NONE)
		out->partial_slabs = lab_page(seen->lab, c->partial)->chain_slabs;
	return out->partial;
}

static bool take_unlisted(struct page *slab, void *arg)
{
	struct seen *seen = arg;
	struct store_model *m = seen->m;

	if (slab->slab_nr < seen->nr && seen->listed[slab->slab_nr])
		return true;
	if (m->unlisted_nr == seen->cap) {
		uint32_t cap = seen->cap ? seen->cap * 2 : 64;
		struct slab_line *more = realloc(m->unlisted, cap * sizeof(*more));

		if (!more)
			return false;
		m->unlisted = more;
		seen->cap = cap;
	}
	m->unlisted[m->unlisted_nr++] = line_of(seen, page_pfn(seen->lab, slab));
	return true;
}

static bool fill(struct seen *seen)
{
	struct queue_walk walk = { note_queue, note_queued, seen };
	struct store_model *m = seen->m;
	struct lab *lab = seen->lab;

	store_walk_queues(lab, seen->s, &walk);
	if (seen->failed)
		return false;
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		if (!take_node(seen, n))
			return false;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (!take_cpu(seen, i))
			return false;
	if (seen->most == UINT32_MAX && !each_slab(lab, seen->s->number, take_unlisted, seen))
		return false;
	if (m->unlisted_nr)
		qsort(m->unlisted, m->unlisted_nr, sizeof(*m->unlisted), by_number);
	return true;
}

static struct store_model *take(struct lab *lab, uint32_t store, uint32_t most)
{
	const struct store *s = lab_store(lab, store);
	struct store_model *m = calloc(1, sizeof(*m));
	struct seen seen = { .lab = lab, .s = s, .m = m, .nr = s->next_slab, .most = most };

	if (!m) {
		fail(ENOMEM, "the host has no memory for the slabs of a store");
		return NULL;
	}
	m->nr_nodes = lab->nr_nodes;
	m->nr_cpus = lab->nr_cpus;
	m->nodes = calloc(m->nr_nodes, sizeof(*m->nodes));
	m->cpus = calloc(m->nr_cpus, sizeof(*m->cpus));
	seen.listed = calloc(seen.nr + 1, 1);
	seen.queued = calloc(seen.nr + 1, sizeof(*seen.queued));
	store_figures(lab, store, &m->figures);
	if (!m->nodes || !m->cpus || !seen.listed || !seen.queued || !fill(&seen)) {
		fail(ENOMEM, "the host has no memory for the slabs of a store");
		store_model_free(m);
		m = NULL;
	}
	free(seen.listed);
	free(seen.queued);
	return m;
}

struct store_model *store_model_take(struct lab *lab, uint32_t store)
{
	return take(lab, store, UINT32_MAX);
}

struct store_model *store_model_glance(struct lab *lab, uint32_t store, uint32_t most)
{
	return take(lab, store, most);
}

void store_model_free(struct store_model *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; m->nodes && i < m->nr_nodes; i++) {
		free(m->nodes[i].partial);
		free(m->nodes[i].full);
		free(m->nodes[i].free);
	}
	for (uint32_t i = 0; m->cpus && i < m->nr_cpus; i++)
		free(m->cpus[i].partial);
	free(m->nodes);
	free(m->cpus);
	free(m->unlisted);
	free(m->queues);
	free(m->queued);
	free(m);
}

/* Free objects are in queues and on the slabs' own lists; what is left is out. */
struct count {
	struct lab *lab;
	const struct store *s;
	uint64_t nr_free;
};

static bool add_free(struct page *slab, void *arg)
{
	struct count *n = arg;

	n->nr_free += engines[n->s->engine]->walk_slab(n->lab, n->s, page_pfn(n->lab, slab), NULL, NULL) + slab_lost(n->s, slab);
	return true;
}

static void add_queue(const struct queue *q, void *arg)
{
	((struct count *)arg)->nr_free += q->nr;
}

static void add_nothing(uint64_t object, void *arg)
{
	(void)object;
	(void)arg;
}

uint64_t store_count_live(struct lab *lab, uint32_t store)
{
	struct count n = { lab, lab_store(lab, store), 0 };
	struct queue_walk walk = { add_queue, add_nothing, &n };
	uint64_t total = 0;

	for (unsigned int i = 0; i < lab->nr_nodes; i++)
		total += store_node(lab, n.s, i)->total_objects;
	store_walk_queues(lab, n.s, &walk);
	each_slab(lab, store, add_free, &n);
	return total - n.nr_free;
}

/* ---- where one object is ---- */

struct search {
	uint32_t index, at;
	bool found;
};

static bool is_index(uint32_t index, pfn_t slab, void *arg)
{
	struct search *look = arg;

	(void)slab;
	look->found = index == look->index;
	if (!look->found)
		look->at++;
	return !look->found;
}

static bool chain_position(struct lab *lab, pfn_t chain, pfn_t slab, uint32_t *position)
{
	for (*position = 0; chain != PFN_NONE; chain = lab_page(lab, chain)->next, (*position)++)
		if (chain == slab)
			return true;
	return false;
}

static void place_slab(struct lab *lab, const struct store *s, struct object_place *p)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct slub_cpu *c = store_cpu(lab->cpus[i], s);

		p->list_cpu = i;
		p->list_position = 0;
		if (c->slab == p->slab_pfn) {
			p->list = SLAB_OF_CPU;
			return;
		}
		if (chain_position(lab, c->partial, p->slab_pfn, &p->list_position)) {
			p->list = SLAB_ON_CHAIN;
			return;
		}
	}
	for (uint32_t i = 0; s->engine == ENGINE_SLQB && i < lab->nr_cpus + lab->nr_nodes; i++)
		if (chain_position(lab, slqb_list(lab, s, i)->partial.head, p->slab_pfn, &p->list_position)) {
			p->list = i < lab->nr_cpus ? SLAB_ON_CHAIN : SLAB_ON_NODE;
			p->list_cpu = i;
			return;
		}
	if (chain_position(lab, store_node(lab, s, p->node)->partial.head, p->slab_pfn, &p->list_position))
		p->list = SLAB_ON_NODE;
	else if (s->engine == ENGINE_SLAB && chain_position(lab, store_node(lab, s, p->node)->full.head, p->slab_pfn,
							    &p->list_position))
		p->list = SLAB_ON_FULL;
	else if (s->engine == ENGINE_SLAB && chain_position(lab, slabq_node(lab, s, p->node)->free.head, p->slab_pfn,
							    &p->list_position))
		p->list = SLAB_ON_FREE;
	else
		p->list = SLAB_UNLISTED;
}

/* Is the object in a queue? Position: how many will be taken before it. */
struct queue_search {
	struct object_place *p;
	uint64_t object;
	struct queue q;
	uint32_t at;
};

static void search_queue(const struct queue *q, void *arg)
{
	struct queue_search *look = arg;

	look->q = *q;
	look->at = 0;
}

static void search_object(uint64_t object, void *arg)
{
	struct queue_search *look = arg;

	look->at++;
	if (object != look->object)
		return;
	look->p->where = OBJECT_QUEUED;
	look->p->queue = look->q.kind;
	look->p->queue_cpu = look->q.cpu;
	look->p->queue_node = look->q.node;
	look->p->position = look->q.newest_first ? look->at - 1 : look->q.nr - look->at;
}

static bool in_queue(struct lab *lab, const struct store *s, struct object_place *p)
{
	struct queue_search look = { .p = p, .object = slab_object(lab, s, p->slab_pfn, p->index) };
	struct queue_walk walk = { search_queue, search_object, &look };

	if (front_part(lab->cpus[0], s)->number != PART_QUEUED && !s->held)
		return false;
	store_walk_queues(lab, s, &walk);
	return p->where == OBJECT_QUEUED;
}

static void place_object(struct lab *lab, const struct store *s, struct object_place *p)
{
	struct search look = { .index = p->index };

	if (in_queue(lab, s, p))
		return;
	if (p->list == SLAB_OF_CPU) {
		freelist_walk(lab, s->number, (int)p->list_cpu, 0, is_index, &look);
		if (look.found) {
			p->where = OBJECT_ON_CPU;
			p->cpu = p->list_cpu;
			p->position = look.at;
			return;
		}
	}
	look.at = 0;
	freelist_walk(lab, s->number, -1, p->slab_pfn, is_index, &look);
	p->where = look.found ? OBJECT_ON_SLAB : OBJECT_OUT;
	p->position = look.at;
}

int object_place(struct lab *lab, uint64_t off, struct object_place *p)
{
	const struct page *page, *slab;
	const struct store *s;
	uint64_t in_slab;

	if (off - lab->arena_off >= lab->arena_bytes)
		return fail(ENOENT, "the address lies outside the lab's memory");
	page = lab_page(lab, off_pfn(lab, off));
	if (!page->store)
		return fail(ENOENT, "the address lies in no slab");
	s = lab_store(lab, page->store);
	slab = lab_page(lab, page->head);
	in_slab = off - pfn_off(lab, page->head) - slab->start;
	if (off < pfn_off(lab, page->head) + slab->start)
		in_slab = 0;	/* before the first object: taken for it, at_start is false */
	*p = (struct object_place){
		.store = s->number, .store_serial = s->serial, .slab = slab->slab_nr, .slab_pfn = page->head,
		.node = slab->node, .index = (uint32_t)(in_slab / s->g.size), .objects = slab_counts(slab).objects,
		.at_start = off == slab_object(lab, s, page->head, (uint32_t)(in_slab / s->g.size)),
	};
	place_slab(lab, s, p);
	place_object(lab, s, p);
	return 0;
}
