/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/live_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "view/storeline.h"

/* ---- the table ---- */

static struct live_cache *next_row(struct live_caches *c)
{
	if (c->nr == c->room) {
		unsigned int room = c->room * 2 + 128;
		struct live_cache *more = realloc(c->v, room * sizeof(*more));

		if (!more)
			return NULL;
		c->v = more;
		c->room = room;
	}
	memset(&c->v[c->nr], 0, sizeof(*c->v));
	return &c->v[c->nr++];
}

static void overrides_fill(struct lab *lab, const struct cache_figures *f, struct live_cache *row)
{
	size_t len = 0;

	for (unsigned int i = 0; f->override_mask && i < policy_nr && len + 2 < sizeof(row->overrides); i++) {
		char value[POLICY_TEXT_MAX];

		if (policy_table[i].scope != SCOPE_CACHE || !policy_is_overridden(lab, &policy_table[i], f->id))
			continue;
		policy_print(lab, &policy_table[i], f->id, value, sizeof(value));
		len += (size_t)snprintf(row->overrides + len, sizeof(row->overrides) - len, "%s%s=%s", len ? " " : "",
					policy_part(&policy_table[i]), value);
	}
	if (!len && f->merge_asked)
		snprintf(row->overrides, sizeof(row->overrides), "%s", f->merge_asked == MERGE_OFF ? "merge=off" : "merge=on");
}

static void row_fill(struct lab *lab, const struct cache_figures *f, const struct store_figures *s, struct live_cache *row)
{
	row->id = f->id;
	snprintf(row->name, sizeof(row->name), "%s", f->name);
	row->object_size = f->size_asked;
	row->store = s->serial;
	row->engine = s->engine;
	row->size = s->size;
	row->order = s->order;
	row->objs_per_slab = s->objs;
	row->aliases = s->aliases > 0 ? (uint32_t)s->aliases : 0;
	row->objects = f->objects;
	row->allocs = f->allocs;
	row->frees = f->frees;
	row->total_objects = s->total_objects;
	row->slabs = s->slabs;
	row->partial = s->partial;
	row->pages = s->pages;
	row->starts_up = f->starts_up;
	row->waste_bytes = (int64_t)(s->pages << PAGE_SHIFT);
	overrides_fill(lab, f, row);
}

/* The row that stands for a store: its first name's. */
static struct live_cache *first_of_store(struct live_caches *c, unsigned int i)
{
	for (unsigned int k = 0; c->v[i].aliases && k < i; k++)
		if (c->v[k].store == c->v[i].store)
			return &c->v[k];
	return &c->v[i];
}

/* Memory of a store less what all its names have out; shown with the first name. */
static void waste_fill(struct live_caches *c)
{
	for (unsigned int i = 0; i < c->nr; i++) {
		struct live_cache *row = &c->v[i], *first = first_of_store(c, i);

		first->waste_bytes -= (int64_t)(row->objects * row->object_size);
		if (first->waste_bytes < 0)	/* running CPUs; objects in shared stores that drain */
			first->waste_bytes = 0;
		if (first != row)
			row->waste_bytes = -1;
	}
}

/* What a cache left in a store that drains is its memory too, where it was the only one there. */
static void draining_fill(struct lab *lab, struct live_caches *c)
{
	uint32_t cursor = 0, store;
	struct store_figures s;

	while ((store = store_next(lab, &cursor))) {
		struct live_cache *row = NULL;
		unsigned int served = 0;

		if (store_figures(lab, store, &s) || s.state != STORE_DRAINING)
			continue;
		for (unsigned int i = 0; i < c->nr; i++)
			if (store_served(lab, store, c->v[i].id)) {
				row = &c->v[i];
				row->draining++;
				row->draining_store = s.serial;
				served++;
			}
		if (served != 1)
			continue;
		row->total_objects += s.total_objects;
		row->slabs += s.slabs;
		row->pages += s.pages;
		row->waste_bytes += (int64_t)(s.pages << PAGE_SHIFT);
	}
}

void live_caches(struct lab *lab, struct live_caches *c)
{
	uint32_t cursor = 0, id;
	struct cache_figures f;
	struct store_figures s;

	c->nr = 0;
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE) {
		struct live_cache *row;

		if (cache_figures(lab, id, &f) || store_figures(lab, f.store, &s))
			continue;
		row = next_row(c);
		if (!row)
			return;
		row_fill(lab, &f, &s, row);
	}
	draining_fill(lab, c);
	waste_fill(c);
}

void live_caches_free(struct live_caches *c)
{
	free(c->v);
	*c = (struct live_caches){ 0 };
}

/* ---- one store ---- */

void live_store_free(struct live_store *s)
{
	store_model_free(s->m);
	memset(s, 0, sizeof(*s));
}

static void drain_fill(struct lab *lab, bool still, struct live_store *s)
{
	uint32_t cursor = 0, store;
	struct store_figures f;

	while (s->nr_draining < LIVE_DRAINING && (store = store_draining_next(lab, s->cache.id, &cursor, &f)))
		s->draining[s->nr_draining++] = (struct live_drain){
			.store = f.serial, .slabs = f.slabs, .order = f.order,
			.objects = still ? store_count_live(lab, store) : UINT64_MAX,
		};
}

static bool pick_line(struct live_store *s, const struct slab_line *l, int cpu, uint64_t wanted)
{
	if (s->has_slab && l->number != wanted)
		return false;
	s->slab = *l;
	s->cpu = cpu;
	s->has_slab = true;
	return l->number == wanted;
}

static void pick_slab(struct live_store *s, uint64_t wanted)
{
	const struct store_model *m = s->m;

	for (uint32_t i = 0; i < m->nr_cpus; i++) {
		if (m->cpus[i].has_slab && pick_line(s, &m->cpus[i].slab, (int)i, wanted))
			return;
		for (uint32_t k = 0; k < m->cpus[i].partial_nr; k++)
			if (pick_line(s, &m->cpus[i].partial[k], -1, wanted))
				return;
	}
	for (uint32_t n = 0; n < m->nr_nodes; n++) {
		const struct node_lines *l = &m->nodes[n];
		const struct { const struct slab_line *v; uint32_t nr; } lists[] = {
			{ l->partial, l->partial_nr }, { l->full, l->full_nr }, { l->free, l->free_nr },
		};

		for (unsigned int i = 0; i < ARRAY_SIZE(lists); i++)
			for (uint32_t k = 0; k < lists[i].nr; k++)
				if (pick_line(s, &lists[i].v[k], -1, wanted))
					return;
	}
	for (uint32_t k = 0; k < m->unlisted_nr; k++)
		if (pick_line(s, &m->unlisted[k], -1, wanted))
			return;
}

struct marks {
	struct live_store *s;
	uint8_t where;
	uint16_t position;
};

static bool mark_free(uint32_t index, pfn_t slab, void *arg)
{
	struct marks *m = arg;

	m->position++;
	if (slab == m->s->slab.pfn && index < LIVE_OBJECTS) {
		m->s->where[index] = m->where;
		m->s->position[index] = m->position;
	}
	return true;
}

/* Objects of the picked slab that wait in a queue, with their place in it: 1 is taken next. */
static void mark_queued(struct live_store *s)
{
	const struct store_model *m = s->m;

	for (uint32_t i = 0; i < m->queues_nr; i++) {
		const struct queue_line *q = &m->queues[i];

		for (uint32_t k = 0; k < q->nr && q->first + k < m->queued_nr; k++) {
			const struct queued_line *e = &m->queued[q->first + k];

			if (e->slab != s->slab.number || e->index >= LIVE_OBJECTS)
				continue;
			s->where[e->index] = LIVE_ON_CPU;
			s->position[e->index] = (uint16_t)(q->newest_first ? k + 1 : q->nr - k);
		}
	}
}

static void look_into_slab(struct lab *lab, struct live_store *s)
{
	struct marks own = { s, LIVE_ON_SLAB, 0 }, cpu = { s, LIVE_ON_CPU, 0 };

	memset(s->where, LIVE_OUT, sizeof(s->where));
	freelist_walk(lab, s->cache.store, -1, s->slab.pfn, mark_free, &own);
	if (s->cpu >= 0)
		freelist_walk(lab, s->cache.store, s->cpu, s->slab.pfn, mark_free, &cpu);
	mark_queued(s);
}

bool live_store(struct lab *lab, const char *cache, uint64_t slab, bool still, struct live_store *s)
{
	const struct policy_row *row = policy_find("slub.partial_add");
	uint32_t id;

	live_store_free(s);
	live_stop(lab);
	id = cache_find(lab, cache);
	if (id != CACHE_NONE && !cache_figures(lab, id, &s->cache))
		s->m = store_model_glance(lab, s->cache.store, still ? LIVE_SLABS : LIVE_SLABS_BUSY);
	if (s->m) {
		pick_slab(s, slab);
		if (s->has_slab)
			look_into_slab(lab, s);
		if (row)
			policy_print(lab, row, id, s->partial_add, sizeof(s->partial_add));
		drain_fill(lab, still, s);
	}
	live_go(lab);
	return s->m != NULL;
}
