/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who holds which pages. Slabs name their store; of other blocks only handles
 * know, so their members are looked through once, and those in the pages asked
 * about are noted by page.
 */
#include "view/map.h"

#include <stdlib.h>
#include <string.h>

#include "lab/handle.h"
#include "slab/read.h"

#define NOBODY 0	/* held, and in no handle */

struct owners {
	struct lab *lab;
	pfn_t start, end;
	unsigned int nr_handles;
	struct handle **handle;		/* owner 1 .. nr_handles */
	uint32_t *by_page;		/* owner of the block that begins there, or 0 */
	unsigned int nr_stores;		/* owners behind the handles, by number of the store */
	char (*store)[CACHE_NAME];
	unsigned int nr_caches;		/* and behind those, by id: of slabs whose store has an owner map */
};

static unsigned int count_handles(struct lab *lab)
{
	unsigned int nr = 0;

	for (uint64_t cursor = 0; handle_next(lab, &cursor); )
		nr++;
	return nr;
}

static unsigned int count_stores(struct lab *lab)
{
	uint32_t cursor = 0, most = 0, store;

	while ((store = store_next(lab, &cursor)))
		if (store >= most)
			most = store + 1;
	return most;
}

static unsigned int count_caches(struct lab *lab)
{
	uint32_t cursor = 0, most = 0, id;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (id >= most)
			most = id + 1;
	return most;
}

/* The cache with the most objects in a slab, where its store keeps a map; CACHE_NONE else. */
static uint32_t most_of(const struct owners *o, const struct page_extent *e)
{
	struct owner_share share[16];
	unsigned int nr = slab_owners(o->lab, e->pfn, share, ARRAY_SIZE(share)), most = 0;

	for (unsigned int i = 1; i < nr; i++)
		if (share[i].objects > share[most].objects)
			most = i;
	return nr && share[most].cache < o->nr_caches ? share[most].cache : CACHE_NONE;
}

static void note_members(struct owners *o, unsigned int owner)
{
	const struct handle *h = o->handle[owner - 1];
	const struct member *m = handle_members(o->lab, h);

	for (uint32_t i = 0; i < h->nr && h->live; i++) {
		uint64_t pfn = m[i].off ? (m[i].off - o->lab->arena_off) >> PAGE_SHIFT : UINT64_MAX;

		if (pfn >= o->start && pfn < o->end)
			o->by_page[pfn - o->start] = owner;
	}
}

static void name_stores(struct owners *o)
{
	struct store_figures s;
	uint32_t cursor = 0, store;

	while ((store = store_next(o->lab, &cursor)))
		if (!store_figures(o->lab, store, &s))
			memcpy(o->store[store], s.name, sizeof(o->store[store]));
}

struct owners *owners_make(struct lab *lab, pfn_t start, pfn_t end)
{
	struct owners *o = calloc(1, sizeof(*o));
	uint64_t cursor = 0;

	if (!o)
		return NULL;
	*o = (struct owners){ .lab = lab, .start = start, .end = end };
	o->nr_handles = count_handles(lab);
	o->nr_stores = count_stores(lab);
	o->nr_caches = count_caches(lab);
	o->handle = calloc(o->nr_handles + 1, sizeof(struct handle *));
	o->by_page = calloc(end - start + 1, sizeof(*o->by_page));
	o->store = calloc(o->nr_stores + 1, sizeof(*o->store));
	if (!o->handle || !o->by_page || !o->store) {
		owners_free(o);
		return NULL;
	}
	for (unsigned int i = 0; i < o->nr_handles; i++) {
		o->handle[i] = handle_next(lab, &cursor);
		note_members(o, i + 1);
	}
	name_stores(o);
	return o;
}

unsigned int owners_of(const struct owners *o, const struct page_extent *e)
{
	if (e->role == PAGE_SLAB && e->store < o->nr_stores) {
		uint32_t cache = most_of(o, e);

		if (cache != CACHE_NONE)
			return 1 + o->nr_handles + o->nr_stores + cache;
	}
	if (e->role == PAGE_SLAB)
		return e->store < o->nr_stores ? 1 + o->nr_handles + e->store : NOBODY;
	return e->pfn >= o->start && e->pfn < o->end ? o->by_page[e->pfn - o->start] : NOBODY;
}

unsigned int owners_nr(const struct owners *o)
{
	return 1 + o->nr_handles + o->nr_stores + o->nr_caches;
}

const char *owners_name(const struct owners *o, unsigned int owner, const char **what)
{
	if (owner == NOBODY)
		return *what = "program", "(in no handle)";
	if (owner <= o->nr_handles)
		return *what = "handle", o->handle[owner - 1]->name;
	*what = "cache";
	owner -= 1 + o->nr_handles;
	return owner < o->nr_stores ? o->store[owner] : cache_name(o->lab, owner - o->nr_stores);
}

void owners_free(struct owners *o)
{
	if (!o)
		return;
	free(o->handle);
	free(o->by_page);
	free(o->store);
	free(o);
}
