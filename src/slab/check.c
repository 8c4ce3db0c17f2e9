/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants of slab.h, walked in a stop. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "lab/heap.h"
#include "page/zone.h"
#include "slab/debug.h"

/* What one store's slabs should add up to, and one bit per object of the slab under test. */
struct audit {
	struct lab *lab;
	struct store *s;
	uint64_t slabs[MAX_NODES], objects[MAX_NODES];
	uint64_t free_objects;
	uint8_t bits[(MAX_OBJS_PER_SLAB + 8) / 8];
};

#define BROKEN(label, fmt, ...) fail(EUCLEAN, label ": store %llu (%s): " fmt, \
				     (unsigned long long)a->s->serial, a->s->name, ##__VA_ARGS__)

/* A freelist stays in its slab, begins objects only, and has no ring. Returns its length, or -errno. */
static int64_t check_freelist(struct audit *a, pfn_t slab, uint64_t object)
{
	const struct page *page = lab_page(a->lab, slab);
	uint64_t start = slab_object(a->lab, a->s, slab, 0);
	uint32_t objects = slab_counts(page).objects;
	int64_t n = 0;

	for (; object; object = *object_link(a->lab->base, &a->s->g, object), n++) {
		uint64_t index = (object - start) / a->s->g.size;

		if (object < start || index >= objects || (object - start) % a->s->g.size)
			return BROKEN("S5", "slab S%u: a link leads to 0x%llx, which is no object of it",
				      page->slab_nr, (unsigned long long)object);
		if (a->bits[index / 8] & 1u << index % 8)
			return BROKEN("S5", "slab S%u: object %llu is free twice", page->slab_nr, (unsigned long long)index);
		a->bits[index / 8] |= (uint8_t)(1u << index % 8);
	}
	return n;
}

static const struct cpu *owner_of(struct audit *a, pfn_t slab, bool *on_chain)
{
	*on_chain = false;
	for (unsigned int i = 0; i < a->lab->nr_cpus; i++) {
		const struct cpu *cpu = a->lab->cpus[i];
		const struct slub_cpu *c = &cpu->slub[a->s->number];

		if (c->slab == slab)
			return cpu;
		for (pfn_t p = c->partial; p != PFN_NONE; p = lab_page(a->lab, p)->next)
			if (p == slab) {
				*on_chain = true;
				return cpu;
			}
	}
	return NULL;
}

static bool on_list(struct audit *a, const struct slab_list *l, pfn_t slab)
{
	for (pfn_t p = l->head; p != PFN_NONE; p = lab_page(a->lab, p)->next)
		if (p == slab)
			return true;
	return false;
}

static int check_place(struct audit *a, pfn_t pfn, const struct cpu *owner, struct slab_counts c, uint64_t nr_free)
{
	const struct page *slab = lab_page(a->lab, pfn);
	const struct slub_node *n = store_node(a->lab, a->s, slab->node);

	if (c.frozen != (owner != NULL))
		return BROKEN("S4", "slab S%u is %s but %s CPU has it", slab->slab_nr,
			      c.frozen ? "frozen" : "not frozen", owner ? "a" : "no");
	if (owner)
		return 0;
	if (on_list(a, &n->partial, pfn) != (nr_free != 0))
		return BROKEN("S4", "slab S%u has %llu free objects and is %s the partial list of node %u",
			      slab->slab_nr, (unsigned long long)nr_free, nr_free ? "not on" : "on", slab->node);
	return 0;
}

static int check_slab(struct audit *a, pfn_t pfn)
{
	const struct page *slab = lab_page(a->lab, pfn);
	struct slab_counts c = slab_counts(slab);
	bool on_chain;
	const struct cpu *owner = owner_of(a, pfn, &on_chain);
	int64_t own, of_cpu = 0;
	uint32_t want = c.objects - c.inuse, lost;

	memset(a->bits, 0, (c.objects + 7) / 8);
	if (c.objects != (slab->order == a->s->g.order ? a->s->g.objs : a->s->g.min_objs))
		return BROKEN("S3", "slab S%u of order %u has %u objects", slab->slab_nr, slab->order, c.objects);
	if (slab_object(a->lab, a->s, pfn, c.objects) - object_at(&a->s->g) > pfn_off(a->lab, pfn) + (PAGE_SIZE << slab->order) ||
	    object_at(&a->s->g) + a->s->object_size > a->s->g.size)
		return BROKEN("S3", "the objects of slab S%u of order %u reach beyond it", slab->slab_nr, slab->order);
	own = check_freelist(a, pfn, slab->freelist);
	if (own < 0)
		return (int)own;
	if (owner && !on_chain)
		of_cpu = check_freelist(a, pfn, owner->slub[a->s->number].freelist);
	if (of_cpu < 0)
		return (int)of_cpu;
	lost = slab_lost(a->s, slab);
	if (lost > c.objects)
		return BROKEN("K2", "slab S%u: %u of %u objects are lost", slab->slab_nr, lost, c.objects);
	if (own != want && (own > want || want - own > lost))
		return BROKEN("S5", "slab S%u: %lld objects on its freelist, its count says %u", slab->slab_nr, (long long)own, want);
	a->slabs[slab->node]++;
	a->objects[slab->node] += c.objects;
	a->free_objects += (uint64_t)(own + of_cpu) + lost;
	return check_place(a, pfn, owner, c, (uint64_t)own);
}

/* Slabs of this store among the pages of one top-order block. */
static int check_block(struct audit *a, uint64_t block)
{
	for (uint64_t pfn = block << TOP_ORDER; pfn < (block + 1) << TOP_ORDER; ) {
		const struct page *page = lab_page(a->lab, (pfn_t)pfn);
		int ret;

		if (page->role != PAGE_SLAB) {
			if (page->store)
				return fail(EUCLEAN, "D1: page 0x%llx is of no slab but names store %u", (unsigned long long)pfn, page->store);
			pfn++;
			continue;
		}
		if (page->store == a->s->number && page->head == pfn) {
			ret = check_slab(a, (pfn_t)pfn);
			if (ret)
				return ret;
		}
		pfn += 1u << page->order;
	}
	return 0;
}

static int check_nodes(struct audit *a)
{
	for (unsigned int i = 0; i < a->lab->nr_nodes; i++) {
		const struct slub_node *n = store_node(a->lab, a->s, i);
		uint64_t len = 0;

		if (n->lock.word || n->lock.rank != RANK_NODE_LIST)
			return BROKEN("S9", "node %u: its lock is taken", i);
		for (pfn_t p = n->partial.head; p != PFN_NONE && len <= n->nr_partial; p = lab_page(a->lab, p)->next)
			len++;
		if (len != n->nr_partial)
			return BROKEN("S6", "node %u: nr_partial %llu, the list has %llu", i,
				      (unsigned long long)n->nr_partial, (unsigned long long)len);
		if (n->nr_slabs != a->slabs[i] || n->total_objects != a->objects[i])
			return BROKEN("S3", "node %u: %llu slabs with %llu objects are counted, %llu with %llu are there", i,
				      (unsigned long long)n->nr_slabs, (unsigned long long)n->total_objects,
				      (unsigned long long)a->slabs[i], (unsigned long long)a->objects[i]);
	}
	return 0;
}

static int check_chains(struct audit *a)
{
	for (unsigned int i = 0; i < a->lab->nr_cpus; i++) {
		const struct slub_cpu *c = &a->lab->cpus[i]->slub[a->s->number];
		uint32_t left = c->partial == PFN_NONE ? 0 : lab_page(a->lab, c->partial)->chain_slabs;

		if (c->freelist && c->slab == PFN_NONE)
			return BROKEN("S4", "CPU %u has a freelist but no slab", i);
		for (pfn_t p = c->partial; p != PFN_NONE; p = lab_page(a->lab, p)->next, left--)
			if (lab_page(a->lab, p)->chain_slabs != left)
				return BROKEN("S8", "CPU %u: a slab of the chain counts %u where %u are left", i,
					      lab_page(a->lab, p)->chain_slabs, left);
		if (left)
			return BROKEN("S8", "CPU %u: the chain is %u shorter than it says", i, left);
	}
	return 0;
}

static int check_store(struct lab *lab, struct audit *a, uint64_t *out)
{
	int ret;

	if ((a->s->state == STORE_ACTIVE) != (a->s->caches != 0))
		return BROKEN("S2", "it is %s and has %s cache", a->s->state == STORE_ACTIVE ? "active" : "draining",
			      a->s->caches ? "a" : "no");
	for (uint64_t block = 0; block < lab->hdr->shape.pages >> TOP_ORDER; block++) {
		if (lab->blocks[block].is_free)
			continue;
		ret = check_block(a, block);
		if (ret)
			return ret;
	}
	ret = check_nodes(a);
	if (!ret)
		ret = check_chains(a);
	for (unsigned int i = 0; i < lab->nr_nodes; i++)
		*out += a->objects[i];
	*out -= a->free_objects;
	return ret;
}

static uint32_t stores_with(struct lab *lab, uint32_t cache)
{
	uint32_t nr = 0;

	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		nr += store_had_cache(lab, lab_store(lab, i), cache);
	return nr;
}

static int check_caches(struct lab *lab, uint64_t out)
{
	uint64_t counted = 0;

	for (uint32_t i = slab_state(lab)->oldest_cache; i; i = lab_cache(lab, i)->newer) {
		const struct cache *c = lab_cache(lab, i);
		const struct store *s = lab_store(lab, c->store);
		uint32_t id = s->caches;

		while (id && id != i)
			id = lab_cache(lab, id)->next_in_store;
		if (!id || s->state != STORE_ACTIVE)
			return fail(EUCLEAN, "S1: cache %s is not on the list of its store, or that drains", c->name);
		if (stores_with(lab, i) != c->nr_stores)
			return fail(EUCLEAN, "S11: cache %s counts %u stores, %u know it", c->name, c->nr_stores,
				    stores_with(lab, i));
		counted += cache_objects(lab, i);
	}
	if (counted != out)
		return fail(EUCLEAN, "S7: caches count %lld objects out, %lld are", (long long)counted, (long long)out);
	return 0;
}

static int check_stories(const struct lab *lab)
{
	const struct story_op *o;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		for (unsigned int back = 0; (o = story_read(lab, i, back)); back++)
			if (o->cache >= MAX_CACHES)
				return fail(EUCLEAN, "S10: CPU %u tells of a cache in slot %u", i, o->cache);
	return 0;
}

int slab_audit(struct lab *lab, struct heap_audit *a)
{
	uint64_t carry = (uint64_t)lab->nr_cpus * EV_SLAB_NR * sizeof(uint64_t);
	int ret = 0;

	for (uint32_t i = 0; i < slab_state(lab)->nr_caches && !ret; i++)
		ret = heap_audit_piece(a, "a cache", lab_cache(lab, i)->carry, carry);
	for (uint32_t i = 0; i < slab_state(lab)->nr_stores && !ret; i++) {
		const struct store *s = lab_store(lab, i);

		ret = heap_audit_piece(a, "a store", s->history, s->history_cap * sizeof(uint32_t));
	}
	return ret;
}

int slab_check(struct lab *lab)
{
	struct audit *a = malloc(sizeof(*a));
	uint64_t out = 0;
	int ret = 0;

	if (!a)
		return fail(ENOMEM, "the host has no memory to check a lab");
	for (uint32_t i = slab_state(lab)->oldest_store; i && !ret; i = lab_store(lab, i)->newer) {
		memset(a, 0, offsetof(struct audit, bits));
		a->lab = lab;
		a->s = lab_store(lab, i);
		ret = check_store(lab, a, &out);
	}
	if (!ret)
		ret = check_caches(lab, out);
	if (!ret)
		ret = check_stories(lab);
	if (!ret)
		ret = debug_check(lab);
	free(a);
	return ret;
}
