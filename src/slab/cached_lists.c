/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and entries of cached.h: what needs no telling. */
#include "slab/cached.h"

#include <errno.h>

#include "base/fail.h"
#include "page/relaxed.h"
#include "page/zone.h"

#define ENTRIES_A_PAGE 32	/* of the lab's memory: address space only, committed by touch */

uint64_t cached_section_bytes(const struct shape *shape)
{
	return sizeof(struct cached_head) + shape->nodes * sizeof(struct cached_node) +
	       (uint64_t)shape->nodes * MAX_CACHES * sizeof(struct cached_list) +
	       shape->pages * ENTRIES_A_PAGE * sizeof(struct cached);
}

static uint32_t entries_most(const struct lab *lab)
{
	uint64_t most = lab->hdr->shape.pages * ENTRIES_A_PAGE;

	return most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1;
}

void cached_init(struct lab *lab)
{
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		cached_node(lab, n)->lock.rank = RANK_LRU;
}

/* ---- lists ---- */

void cached_link(struct lab *lab, uint32_t nr)
{
	struct cached *e = cached_entry(lab, nr);
	struct cached_list *l = cached_list(lab, e->on, e->cache);
	struct cached_node *n = cached_node(lab, e->on);

	e->newer = 0;
	e->older = l->newest;
	if (l->newest)
		cached_entry(lab, l->newest - 1)->newer = nr + 1;
	else
		l->oldest = nr + 1;
	l->newest = nr + 1;
	poke(l->nr, l->nr + 1);
	poke(n->nr, n->nr + 1);
}

void cached_unlink(struct lab *lab, uint32_t nr)
{
	struct cached *e = cached_entry(lab, nr);
	struct cached_list *l = cached_list(lab, e->on, e->cache);
	struct cached_node *n = cached_node(lab, e->on);

	if (e->newer)
		cached_entry(lab, e->newer - 1)->older = e->older;
	else
		l->newest = e->older;
	if (e->older)
		cached_entry(lab, e->older - 1)->newer = e->newer;
	else
		l->oldest = e->newer;
	e->newer = e->older = 0;
	poke(l->nr, l->nr - 1);
	poke(n->nr, n->nr - 1);
}

/* ---- entries, in a stop ---- */

/* The slab of an object, NULL if there is none at this address. */
static const struct page *slab_at(const struct lab *lab, uint64_t object)
{
	const struct page *page;
	const struct store *s;

	if (object - lab->arena_off >= lab->arena_bytes)
		return NULL;
	page = lab_page(lab, off_pfn(lab, object));
	if (page->role != PAGE_SLAB || !page->store || page->store >= MAX_STORES || page->head >= lab->hdr->shape.pages)
		return NULL;
	s = lab_store(lab, page->store);
	page = lab_page(lab, page->head);
	return s->g.size && slab_is_object(lab, s, page, object) ? page : NULL;
}

int cached_add(struct lab *lab, uint64_t object, uint32_t cache, uint32_t gfp, uint32_t *nr)
{
	struct cached_head *h = cached_head(lab);
	const struct page *slab = slab_at(lab, object);

	if (!slab || !cache || cache >= slab_state(lab)->nr_caches || lab_cache(lab, cache)->state != CACHE_LIVE)
		return fail(EINVAL, "this is no object of a cache");
	if (h->free) {
		*nr = h->free - 1;
		h->free = cached_entry(lab, *nr)->older;
	} else if (h->entries < entries_most(lab)) {
		*nr = h->entries++;
	} else {
		return fail(ENOSPC, "the lab keeps at most %u cached objects, %u a page of its memory", entries_most(lab), ENTRIES_A_PAGE);
	}
	*cached_entry(lab, *nr) = (struct cached){ .off = object, .cache = cache, .gfp = gfp, .state = CACHED_HERE, .on = slab->node };
	cached_link(lab, *nr);
	return 0;
}

uint64_t cached_remove(struct lab *lab, uint32_t nr)
{
	struct cached_head *h = cached_head(lab);
	struct cached *e = cached_entry(lab, nr);
	uint64_t object = e->state == CACHED_HERE ? e->off : 0;

	if (object)
		cached_unlink(lab, nr);
	*e = (struct cached){ .older = h->free };
	h->free = nr + 1;
	return object;
}

int cached_find(const struct lab *lab, uint64_t off, uint32_t *nr)
{
	uint64_t at = off - lab_off(lab, cached_entry(lab, 0)), i = at / sizeof(struct cached);

	if (off < lab_off(lab, cached_entry(lab, 0)) || at % sizeof(struct cached) || i >= cached_head(lab)->entries ||
	    cached_entry(lab, (uint32_t)i)->state == CACHED_FREE)
		return fail(EINVAL, "this is no cached object (lru cache makes some)");
	*nr = (uint32_t)i;
	return 0;
}

void cached_forget(struct lab *lab, uint32_t cache, uint32_t heir)
{
	for (uint32_t i = 0; i < cached_head(lab)->entries; i++) {
		struct cached *e = cached_entry(lab, i);

		if (e->state == CACHED_FREE || e->cache != cache)
			continue;
		if (e->state == CACHED_HERE)
			cached_unlink(lab, i);
		e->cache = e->state == CACHED_HERE ? heir : 0;
		if (e->state == CACHED_HERE)
			cached_link(lab, i);
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		cached_list(lab, n, cache)->deferred = 0;
}

/* ---- for views ---- */

int cached_place(const struct lab *lab, uint64_t entry, struct cached_place *p)
{
	const struct cached *e;
	uint32_t nr;
	int ret = cached_find(lab, entry, &nr);

	*p = (struct cached_place){ 0 };
	if (ret)
		return ret;
	e = cached_entry(lab, nr);
	*p = (struct cached_place){ .off = e->state == CACHED_HERE ? e->off : 0, .cache = e->cache, .referenced = e->referenced };
	return 0;
}

void cached_figures(const struct lab *lab, uint32_t cache, unsigned int node, bool walk, struct cached_figures *f)
{
	const struct cached_list *l = cached_list(lab, node, cache);

	*f = (struct cached_figures){ .objects = peek(l->nr), .deferred = peek(l->deferred) };
	for (uint32_t at = walk ? l->newest : 0; at; at = cached_entry(lab, at - 1)->older)
		f->referenced += cached_entry(lab, at - 1)->referenced;
}

/* ---- check ---- */

static int wrong(const char *label, uint64_t what, const char *why)
{
	return fail(EUCLEAN, "%s: %s (%llu)", label, why, (unsigned long long)what);
}

static int check_list(const struct lab *lab, unsigned int node, uint32_t cache, uint64_t *sum)
{
	const struct cached_list *l = cached_list(lab, node, cache);
	uint32_t newer = 0, at = l->newest;
	uint64_t nr = 0;

	for (; at; newer = at, at = cached_entry(lab, at - 1)->older, nr++) {
		const struct cached *e;
		const struct page *slab;

		if (at > cached_head(lab)->entries || nr >= l->nr)
			return wrong("C1", cache, "a list of cached objects is longer than it says, or leads astray");
		e = cached_entry(lab, at - 1);
		if (e->newer != newer)
			return wrong("C1", at - 1, "links of cached objects do not agree");
		if (e->state != CACHED_HERE || e->cache != cache || e->on != node || e->referenced > 1)
			return wrong("C2", at - 1, "a cached object is on a list of another cache or node");
		slab = slab_at(lab, e->off);
		if (!slab || slab->node != node)
			return wrong("C2", at - 1, "a cached object is no object of a slab of its node");
	}
	if (nr != l->nr || l->oldest != newer)
		return wrong("C1", cache, "a list of cached objects is not as long as it says");
	*sum += nr;
	return 0;
}

static int check_entries(const struct lab *lab, uint64_t listed)
{
	const struct cached_head *h = cached_head(lab);
	uint64_t nr[3] = { 0 }, free = 0;

	for (uint32_t i = 0; i < h->entries; i++) {
		const struct cached *e = cached_entry(lab, i);

		if (e->state > CACHED_GONE || e->cache >= MAX_CACHES ||
		    (e->state != CACHED_FREE && e->cache && lab_cache(lab, e->cache)->state != CACHE_LIVE))
			return wrong("C3", i, "an entry for a cached object makes no sense");
		nr[e->state]++;
	}
	for (uint32_t at = h->free; at; at = cached_entry(lab, at - 1)->older)
		if (at > h->entries || cached_entry(lab, at - 1)->state != CACHED_FREE || ++free > nr[CACHED_FREE])
			return wrong("C3", at - 1, "the list of free entries for cached objects leads astray");
	if (free != nr[CACHED_FREE] || listed != nr[CACHED_HERE])
		return wrong("C3", listed, "the counts of cached objects do not agree");
	return 0;
}

int cached_check(const struct lab *lab)
{
	uint64_t listed = 0;

	if (cached_head(lab)->entries > entries_most(lab))
		return wrong("C3", cached_head(lab)->entries, "more cached objects are in use than there can be");
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		const struct cached_node *cn = cached_node(lab, n);
		uint64_t sum = 0;

		if (!lock_is_idle(&cn->lock, RANK_LRU))
			return wrong("C1", n, "a node's cached objects are locked");
		for (uint32_t id = 1; id < slab_state(lab)->nr_caches; id++) {
			int ret = check_list(lab, n, id, &sum);

			if (ret)
				return ret;
		}
		if (sum != cn->nr)
			return wrong("C1", n, "a node's sum of cached objects is wrong");
		listed += sum;
	}
	return check_entries(lab, listed);
}
