/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants of slab.h, walked in a stop. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "lab/heap.h"
#include "page/zone.h"
#include "slab/audit.h"
#include "slab/cached.h"
#include "slab/debug.h"
#include "slab/deferred.h"
#include "slab/prefill.h"
#include "slab/owner.h"
#include "slab/store.h"

#define BROKEN(label, fmt, ...) audit_broken(a, label, fmt, ##__VA_ARGS__)

/* ---- for engines ---- */

int audit_broken(const struct audit *a, const char *label, const char *fmt, ...)
{
	char what[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return fail(EUCLEAN, "%s: store %llu (%s): %s", label, (unsigned long long)a->s->serial, a->s->name, what);
}

bool audit_piece(const struct lab *lab, uint64_t off, uint64_t bytes)
{
	uint64_t from = lab->hdr->offset[SEC_HEAP], top = lab->hdr->heap_top;

	return off && off % 16 == 0 && off - from < top && bytes <= top && off - from <= top - bytes;
}

bool audit_marked(const struct audit *a, uint64_t object)
{
	uint64_t at = (object - a->lab->arena_off) / WORD;

	return a->map[at / 8] & 1u << at % 8;
}

bool audit_mark(struct audit *a, uint64_t object)
{
	uint64_t word = (object - a->lab->arena_off) / WORD;
	bool was = a->map[word / 8] & 1u << word % 8;

	a->map[word / 8] |= (uint8_t)(1u << word % 8);
	return !was;
}

int audit_free(struct audit *a, const char *label, uint64_t object)
{
	const struct page *page, *slab;

	if (object - a->lab->arena_off >= a->lab->arena_bytes)
		return BROKEN(label, "0x%llx is no object", (unsigned long long)object);
	page = lab_page(a->lab, off_pfn(a->lab, object));
	slab = page->store == a->s->number && page->head < a->lab->hdr->shape.pages ? lab_page(a->lab, page->head) : NULL;
	if (!slab || slab->role != PAGE_SLAB || slab->store != a->s->number ||
	    object < slab_object(a->lab, a->s, page->head, 0) ||
	    object_index(a->lab, a->s, slab, object) >= slab_counts(slab).objects ||
	    slab_object(a->lab, a->s, page->head, object_index(a->lab, a->s, slab, object)) != object)
		return BROKEN(label, "0x%llx is no object of it", (unsigned long long)object);
	if (!audit_mark(a, object))
		return BROKEN(label, "slab S%u: object %u is free, or waits to be, twice", slab->slab_nr, object_index(a->lab, a->s, slab, object));
	a->free_objects++;
	return 0;
}

int audit_out(struct audit *a, const char *label, uint64_t object)
{
	uint64_t free_objects = a->free_objects;
	int ret = audit_free(a, label, object);

	a->free_objects = free_objects;
	return ret;
}

/* ---- each store ---- */

/* Numbers that choose code and tables. */
static int check_kind(struct audit *a)
{
	if (a->s->engine >= ENGINE_NR || a->s->ops != store_ops_of(&a->s->wish, a->s->debug) || a->s->debug != ((a->s->g.flags & CF_DEBUG) != 0) ||
	    a->s->wish.engine != a->s->engine || !a->s->g.size ||
	    (a->s->part != a->s->number && a->s->engine != ENGINE_SHEAVES) || a->s->part >= slab_state(a->lab)->nr_stores || a->s->number >= slab_state(a->lab)->nr_stores)
		return fail(EUCLEAN, "S2: a store is of no engine that there is");
	return 0;
}

/* What hits are to find in each CPU's part. */
static int check_routes(struct audit *a)
{
	for (unsigned int i = 0; i < a->lab->nr_cpus; i++) {
		const struct slub_cpu *c = front_part(a->lab->cpus[i], a->s);

		if (c->route != store_route(a->s) || (is_queue(c->route) && c->store != a->s->number) ||
		    (store_has_room(a->s) && c->room != store_room(a->s)))
			return BROKEN("S4", "CPU %u: its hits would go another route than the store's", i);
	}
	return 0;
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
			ret = has_slub(a->s) ? slub_check_slab(a, (pfn_t)pfn) : 0;
			if (ret)
				return ret;
			a->slabs[page->node]++;
			a->objects[page->node] += slab_counts(page).objects;
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

		if (!lock_is_idle(&n->lock, RANK_NODE_LIST))
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

/* After the engine's check, which marks free objects. */
static int check_bits(pfn_t pfn, uint32_t objects, void *arg)
{
	struct audit *a = arg;
	const struct page *slab = lab_page(a->lab, pfn);
	uint32_t neither = 0;

	for (uint32_t i = 0; i < objects; i++) {
		uint64_t object = slab_object(a->lab, a->s, pfn, i);
		bool is_free = audit_marked(a, object), is_out = debug_is_out(a->lab, object);

		if (is_free && is_out)
			return BROKEN("K3", "slab S%u: object %u is free and marked as out", slab->slab_nr, i);
		neither += !is_free && !is_out;
	}
	if (neither != slab_lost(a->s, slab))
		return BROKEN("K3", "slab S%u: %u objects are neither free nor marked as out, %u are lost", slab->slab_nr, neither,
			      slab_lost(a->s, slab));
	a->free_objects += neither;
	return 0;
}

static int check_store(struct lab *lab, struct audit *a, uint64_t *out)
{
	int ret = check_kind(a);

	if (ret)
		return ret;
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
		ret = check_routes(a);
	if (!ret)
		ret = engines[a->s->engine]->check(lab, a->s, a);
	if (!ret && debug_has_bits(a->s))
		ret = store_each_slab(lab, a->s, check_bits, a);
	if (!ret)
		ret = held_check(lab, a);	/* what held sheaves hold is out, as far as an engine knows */
	if (!ret)
		ret = owner_check(a);
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
	uint64_t counted = cache_objects(lab, CACHE_NONE);	/* under names that are gone */

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
	int ret = deferred_pieces(lab, a);

	for (uint32_t i = 0; i < slab_state(lab)->nr_caches && !ret; i++)
		ret = heap_audit_piece(a, "a cache", lab_cache(lab, i)->carry, carry);
	for (uint32_t i = 0; i < slab_state(lab)->nr_stores && !ret; i++) {
		const struct store *s = lab_store(lab, i);

		ret = heap_audit_piece(a, "a store", s->history, s->history_cap * sizeof(uint32_t));
		if (!ret && s->state != STORE_FREE && s->engine < ENGINE_NR && engines[s->engine]->pieces)
			ret = engines[s->engine]->pieces(lab, s, a);
		if (!ret && s->state != STORE_FREE)
			ret = held_pieces(lab, s, a);
	}
	return ret;
}

/* Only what is touched of it is committed. */
static bool audit_map(const struct lab *lab, struct audit *a)
{
	a->map_bytes = lab->arena_bytes / WORD / 8;
	a->map = mmap(NULL, a->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return a->map != MAP_FAILED;
}

int slab_check(struct lab *lab)
{
	struct audit *a = calloc(1, sizeof(*a));
	uint64_t out = 0;
	int ret = 0;

	if (!a || !audit_map(lab, a)) {
		free(a);
		return fail(ENOMEM, "the host has no memory to check a lab");
	}
	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++)
		if (lab->cpus[i]->slub->route != ROUTE_NONE || lab->cpus[i]->slub->number != PART_QUEUED)
			ret = fail(EUCLEAN, "S4: CPU %u: hits would be taken of no store", i);
	for (uint32_t i = slab_state(lab)->oldest_store; i && !ret; i = lab_store(lab, i)->newer) {
		memset(a, 0, offsetof(struct audit, map));
		a->lab = lab;
		a->s = lab_store(lab, i);
		ret = check_store(lab, a, &out);
	}
	if (!ret)
		ret = deferred_check(lab, a);
	if (!ret)
		ret = check_caches(lab, out);
	if (!ret)
		ret = check_stories(lab);
	if (!ret)
		ret = debug_check(lab);
	if (!ret)
		ret = cached_check(lab);
	munmap(a->map, a->map_bytes);
	free(a);
	return ret;
}
