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
#include "slab/read.h"
#include "slab/slab.h"

/* ---- freelists ---- */

/* A link that `poke` broke leads anywhere. */
static bool is_in_arena(const struct lab *lab, uint64_t object)
{
	return object - lab->arena_off < lab->arena_bytes - PAGE_SIZE;
}

static uint32_t list_walk(struct lab *lab, const struct store *s, uint64_t object,
			  bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	uint32_t n = 0;

	for (; object && is_in_arena(lab, object); object = *object_link(lab->base, &s->g, object), n++) {
		pfn_t slab = lab_page(lab, off_pfn(lab, object))->head;
		uint32_t index = (uint32_t)((object - pfn_off(lab, slab)) / s->g.size);

		if (fn && !fn(index, slab, arg))
			return n + 1;
		if (n > MAX_OBJS_PER_SLAB)
			break;		/* a ring: slab_check() says so */
	}
	return n;
}

uint32_t freelist_walk(struct lab *lab, uint32_t store, int cpu, pfn_t slab,
		       bool (*fn)(uint32_t index, pfn_t slab, void *arg), void *arg)
{
	const struct store *s = lab_store(lab, store);
	uint64_t head = cpu >= 0 ? lab->cpus[cpu]->slub[store].freelist : lab_page(lab, slab)->freelist;

	return list_walk(lab, s, head, fn, arg);
}

/* ---- lines ---- */

static struct slab_line line_of(struct lab *lab, const struct store *s, pfn_t pfn, uint32_t cpu_free)
{
	const struct page *slab = lab_page(lab, pfn);
	struct slab_counts c = slab_counts(slab);
	struct slab_line l = {
		.number = slab->slab_nr, .pfn = pfn, .node = slab->node, .order = slab->order,
		.objects = c.objects, .field_inuse = c.inuse, .frozen = c.frozen,
		.free_len = list_walk(lab, s, slab->freelist, NULL, NULL),
	};

	l.out = c.objects - l.free_len - cpu_free - slab_lost(s, slab);
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

struct seen {
	struct lab *lab;
	struct store_model *m;
	uint8_t *listed;		/* by slab number */
	uint64_t listed_nr;
	uint32_t cap;
	uint32_t most;			/* slabs of one list that are taken */
};

static bool mark_listed(struct seen *seen, uint64_t number)
{
	if (number < seen->listed_nr)
		seen->listed[number] = 1;
	return true;
}

static bool take_node(struct lab *lab, const struct store *s, unsigned int n, struct seen *seen)
{
	const struct slub_node *node = store_node(lab, s, n);
	struct node_lines *out = &seen->m->nodes[n];
	uint32_t most;

	*out = (struct node_lines){ .node = n, .nr_partial = node->nr_partial, .nr_slabs = node->nr_slabs,
				    .total_objects = node->total_objects };
	most = node->nr_partial < seen->most ? (uint32_t)node->nr_partial : seen->most;
	out->partial = calloc(most + 1, sizeof(*out->partial));
	if (!out->partial)
		return false;
	for (pfn_t pfn = node->partial.head; pfn != PFN_NONE && out->partial_nr < most;
	     pfn = lab_page(lab, pfn)->next) {
		out->partial[out->partial_nr++] = line_of(lab, s, pfn, 0);
		mark_listed(seen, lab_page(lab, pfn)->slab_nr);
	}
	return true;
}

static bool take_cpu(struct lab *lab, const struct store *s, unsigned int id, struct seen *seen)
{
	const struct slub_cpu *c = &lab->cpus[id]->slub[s->number];
	struct cpu_lines *out = &seen->m->cpus[id];
	uint32_t n = 0;

	*out = (struct cpu_lines){ .cpu = id };
	if (c->slab != PFN_NONE) {
		out->has_slab = true;
		out->cpu_free = list_walk(lab, s, c->freelist, NULL, NULL);
		out->slab = line_of(lab, s, c->slab, out->cpu_free);
		out->slab_free = out->slab.free_len;
		out->slab_inuse = out->slab.objects - out->slab_free;
		mark_listed(seen, out->slab.number);
	}
	for (pfn_t pfn = c->partial; pfn != PFN_NONE && n < seen->most; pfn = lab_page(lab, pfn)->next)
		n++;
	out->partial = calloc(n + 1, sizeof(*out->partial));
	if (!out->partial)
		return false;
	for (pfn_t pfn = c->partial; out->partial_nr < n; pfn = lab_page(lab, pfn)->next) {
		out->partial[out->partial_nr++] = line_of(lab, s, pfn, 0);
		mark_listed(seen, lab_page(lab, pfn)->slab_nr);
	}
	if (n)
		out->partial_slabs = lab_page(lab, c->partial)->chain_slabs;
	return true;
}

static bool take_unlisted(struct page *slab, void *arg)
{
	struct seen *seen = arg;
	struct store_model *m = seen->m;

	if (slab->slab_nr < seen->listed_nr && seen->listed[slab->slab_nr])
		return true;
	if (m->unlisted_nr == seen->cap) {
		uint32_t cap = seen->cap ? seen->cap * 2 : 64;
		struct slab_line *more = realloc(m->unlisted, cap * sizeof(*more));

		if (!more)
			return false;
		m->unlisted = more;
		seen->cap = cap;
	}
	m->unlisted[m->unlisted_nr++] = line_of(seen->lab, lab_store(seen->lab, slab->store),
						page_pfn(seen->lab, slab), 0);
	return true;
}

static bool fill(struct lab *lab, const struct store *s, struct seen *seen)
{
	struct store_model *m = seen->m;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		if (!take_node(lab, s, n, seen))
			return false;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (!take_cpu(lab, s, i, seen))
			return false;
	if (seen->most == UINT32_MAX && !each_slab(lab, s->number, take_unlisted, seen))
		return false;
	if (m->unlisted_nr)
		qsort(m->unlisted, m->unlisted_nr, sizeof(*m->unlisted), by_number);
	return true;
}

static struct store_model *take(struct lab *lab, uint32_t store, uint32_t most)
{
	const struct store *s = lab_store(lab, store);
	struct store_model *m = calloc(1, sizeof(*m));
	struct seen seen = { .lab = lab, .m = m, .listed_nr = most == UINT32_MAX ? s->next_slab : 0, .most = most };

	if (!m) {
		fail(ENOMEM, "the host has no memory for the slabs of a store");
		return NULL;
	}
	m->nr_nodes = lab->nr_nodes;
	m->nr_cpus = lab->nr_cpus;
	m->nodes = calloc(m->nr_nodes, sizeof(*m->nodes));
	m->cpus = calloc(m->nr_cpus, sizeof(*m->cpus));
	seen.listed = calloc(seen.listed_nr + 1, 1);
	store_figures(lab, store, &m->figures);
	if (!m->nodes || !m->cpus || !seen.listed || !fill(lab, s, &seen)) {
		fail(ENOMEM, "the host has no memory for the slabs of a store");
		store_model_free(m);
		m = NULL;
	}
	free(seen.listed);
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
	for (uint32_t i = 0; m->nodes && i < m->nr_nodes; i++)
		free(m->nodes[i].partial);
	for (uint32_t i = 0; m->cpus && i < m->nr_cpus; i++)
		free(m->cpus[i].partial);
	free(m->nodes);
	free(m->cpus);
	free(m->unlisted);
	free(m);
}

/* Free objects are on CPUs' freelists and on the slabs' own; what is left is out. */
static bool add_free(struct page *slab, void *arg)
{
	struct seen *seen = arg;

	seen->listed_nr += list_walk(seen->lab, lab_store(seen->lab, slab->store), slab->freelist, NULL, NULL) +
			   slab_lost(lab_store(seen->lab, slab->store), slab);
	return true;
}

uint64_t store_count_live(struct lab *lab, uint32_t store)
{
	const struct store *s = lab_store(lab, store);
	struct seen seen = { .lab = lab };
	uint64_t total = 0;

	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		total += store_node(lab, s, n)->total_objects;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		seen.listed_nr += list_walk(lab, s, lab->cpus[i]->slub[store].freelist, NULL, NULL);
	each_slab(lab, store, add_free, &seen);
	return total - seen.listed_nr;
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
		const struct slub_cpu *c = &lab->cpus[i]->slub[s->number];

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
	if (chain_position(lab, store_node(lab, s, p->node)->partial.head, p->slab_pfn, &p->list_position))
		p->list = SLAB_ON_NODE;
	else
		p->list = SLAB_UNLISTED;
}

static void place_object(struct lab *lab, const struct store *s, struct object_place *p)
{
	struct search look = { .index = p->index };

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
	in_slab = off - pfn_off(lab, page->head);
	*p = (struct object_place){
		.store = s->number, .store_serial = s->serial, .slab = slab->slab_nr, .slab_pfn = page->head,
		.node = slab->node, .index = (uint32_t)(in_slab / s->g.size), .objects = slab_counts(slab).objects,
		.at_start = in_slab % s->g.size == object_at(&s->g),
	};
	place_slab(lab, s, p);
	place_object(lab, s, p);
	return 0;
}
