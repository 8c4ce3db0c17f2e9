/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/storeline.h"
#include "base/units.h"

#include <string.h>

/* *starts_up: did all of them come with the lab? */
static json_t *cache_names(struct lab *lab, uint32_t store, bool *starts_up)
{
	json_t *names = json_array();
	uint32_t cursor = 0, id;

	*starts_up = true;
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE) {
		if (!store_serves(lab, store, id))
			continue;
		json_array_append_new(names, json_string(cache_name(lab, id)));
		*starts_up &= cache_starts_up(lab, id);
	}
	return names;
}

void waiting_fill(const struct store_figures *s, json_t *o)
{
	look_set(o, "rcu_objects", s->rcu_objects);
	look_set(o, "rcu_sheaves", s->rcu_sheaves);
	look_set(o, "prefilled_sheaves", s->held_sheaves);
	look_set(o, "prefilled_objects", s->held_objects);
}

void waiting_text(const json_t *o, const char *before, FILE *to)
{
	uint64_t rcu = look_get(o, "rcu_objects"), sheaves = look_get(o, "prefilled_sheaves"), held = look_get(o, "prefilled_objects");

	if (rcu)
		fprintf(to, "%s%llu object%s wait%s for a grace period\n", before, (unsigned long long)rcu, plural(rcu), rcu == 1 ? "s" : "");
	if (sheaves)
		fprintf(to, "%s%llu prefilled sh%s out, with %llu object%s\n", before, (unsigned long long)sheaves,
			sheaves == 1 ? "eaf is" : "eaves are", (unsigned long long)held, plural(held));
}

json_t *store_object(struct lab *lab, uint32_t store)
{
	json_t *o = json_object();
	struct store_figures s;
	bool starts_up = false;

	if (store_figures(lab, store, &s))
		return o;
	look_set(o, "store", s.serial);
	look_set_text(o, "engine", s.engine);
	look_set_text(o, "state", s.state == STORE_DRAINING ? "draining" : "active");
	look_set_text(o, "name", s.name);
	json_object_set_new(o, "caches", s.state == STORE_DRAINING ? json_array()
								   : cache_names(lab, store, &starts_up));
	json_object_set_new(o, "starts_up", json_boolean(starts_up));
	look_set(o, "born_op", s.born_op);
	look_set(o, "age_ops", lab->hdr->ops - s.born_op);
	look_set(o, "size", s.size);
	look_set(o, "order", s.order);
	look_set(o, "objs_per_slab", s.objs);
	look_set(o, "objects", store_count_live(lab, store));
	look_set(o, "total_objects", s.total_objects);
	look_set(o, "slabs", s.slabs);
	look_set(o, "partial", s.partial);
	look_set(o, "pages", s.pages);
	waiting_fill(&s, o);
	return o;
}

uint32_t store_draining_next(struct lab *lab, uint32_t cache, uint32_t *cursor, struct store_figures *s)
{
	uint32_t store;

	while ((store = store_next(lab, cursor)))
		if (!store_figures(lab, store, s) && s->state == STORE_DRAINING && store_served(lab, store, cache))
			break;
	return store;
}

static bool served_alone(struct lab *lab, uint32_t store, uint32_t cache)
{
	uint32_t cursor = 0, other;

	while ((other = cache_next(lab, &cursor)) != CACHE_NONE)
		if (other != cache && store_served(lab, store, other))
			return false;
	return true;
}

void stores_left(struct lab *lab, uint32_t cache, struct stores_left *left)
{
	uint32_t cursor = 0, store;
	struct store_figures s;
	uint64_t live;

	memset(left, 0, sizeof(*left));
	while ((store = store_draining_next(lab, cache, &cursor, &s))) {
		if (!served_alone(lab, store, cache))
			continue;
		live = store_count_live(lab, store);
		left->objects += live;
		left->used_bytes += live * s.size;
		left->room_bytes += s.total_objects * s.size;
		left->total_objects += s.total_objects;
		left->slabs += s.slabs;
		left->pages += s.pages;
	}
}

json_t *stores_draining(struct lab *lab, uint32_t cache)
{
	json_t *list = json_array();
	uint32_t cursor = 0, store;
	struct store_figures s;

	while ((store = store_draining_next(lab, cache, &cursor, &s)))
		json_array_append_new(list, store_object(lab, store));
	return list;
}

char *store_words(const json_t *store, char *buf, size_t size)
{
	uint64_t slabs = look_get(store, "slabs"), objects = look_get(store, "objects");

	snprintf(buf, size, "%llu slab%s of order %llu, %llu of %llu object%s out",
		 (unsigned long long)slabs, plural(slabs),
		 (unsigned long long)look_get(store, "order"), (unsigned long long)objects,
		 (unsigned long long)look_get(store, "total_objects"),
		 plural(look_get(store, "total_objects")));
	return buf;
}

#define OWNERS_NAMED 16

void owners_fill(struct lab *lab, pfn_t slab, json_t *o)
{
	struct owner_share share[OWNERS_NAMED];
	unsigned int nr = slab_owners(lab, slab, share, OWNERS_NAMED);
	json_t *owners;

	if (!nr)
		return;
	owners = json_object();
	for (unsigned int i = 0; i < nr; i++)
		look_set(owners, cache_name(lab, share[i].cache), share[i].objects);
	json_object_set_new(o, "owners", owners);
}

char *owners_words(const json_t *o, char *buf, size_t size)
{
	const char *name;
	size_t at = 0;
	json_t *n;

	buf[0] = 0;
	json_object_foreach(json_object_get(o, "owners"), name, n) {
		if (at + 32 > size)
			break;
		at += (size_t)snprintf(buf + at, size - at, "%s%.24s %lld", at ? ", " : "", name, (long long)json_integer_value(n));
	}
	return buf;
}
