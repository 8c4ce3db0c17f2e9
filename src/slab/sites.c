/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracks of objects that are out, put together by who wrote them. (slab-debug.md section 7) */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "slab/checks.h"
#include "slab/store.h"

struct gather {
	struct lab *lab;
	const struct store *s;
	bool freed;
	uint64_t tick;
	struct debug_site *site;
	uint32_t nr, cap;
	int error;
};

static struct debug_site *find(const struct gather *g, const struct debug_site *like)
{
	for (uint32_t i = 0; i < g->nr; i++)
		if (g->site[i].place == like->place && g->site[i].stack == like->stack && g->site[i].waste == like->waste)
			return &g->site[i];
	return NULL;
}

static void widen(struct debug_site *to, const struct debug_track *t, uint64_t age)
{
	to->sum_age += age;
	to->min_age = age < to->min_age ? age : to->min_age;
	to->max_age = age > to->max_age ? age : to->max_age;
	to->min_pid = t->pid < to->min_pid ? t->pid : to->min_pid;
	to->max_pid = t->pid > to->max_pid ? t->pid : to->max_pid;
}

/* A track that was never written adds to the count, and only as the first of its kind to the age. */
static void add(struct gather *g, const struct debug_track *t, uint64_t waste, unsigned int node)
{
	uint64_t age = g->tick - t->when;
	struct debug_site want = { .place = t->place, .stack = t->stack, .waste = waste, .min_age = age, .max_age = age,
				   .min_pid = t->pid, .max_pid = t->pid };
	struct debug_site *site = find(g, &want);
	bool first = !site;

	if (first && g->nr == g->cap) {
		uint32_t cap = g->cap ? g->cap * 2 : 64;
		struct debug_site *more = realloc(g->site, cap * sizeof(*more));

		if (!more) {
			g->error = -ENOMEM;
			return;
		}
		g->site = more;
		g->cap = cap;
	}
	if (first) {
		site = &g->site[g->nr++];
		*site = want;
	}
	site->count++;
	if (t->when || first) {
		widen(site, t, age);
		site->cpus[t->cpu % MAX_CPUS / 64] |= 1ULL << t->cpu % 64;
	}
	site->nodes |= 1ULL << node;
}

/* A bit for each object of the slab that is not out. */
static void mark_free(const struct gather *g, pfn_t pfn, uint32_t objects, uint8_t *map)
{
	const struct page *slab = lab_page(g->lab, pfn);
	uint64_t first = slab_object(g->lab, g->s, pfn, 0);
	uint32_t n = 0;

	memset(map, 0, (objects + 7u) / 8);
	for (uint32_t i = 0; i < objects && debug_has_bits(g->s); i++)
		if (!debug_is_out(g->lab, first + (uint64_t)i * g->s->g.size))
			map[i / 8] |= (uint8_t)(1u << i % 8);
	if (debug_has_bits(g->s))
		return;
	for (uint64_t o = slab->freelist; o && n < objects && slab_is_object(g->lab, g->s, slab, o); n++) {
		uint64_t i = (o - first) / g->s->g.size;

		map[i / 8] |= (uint8_t)(1u << i % 8);
		o = object_next(g->lab->base, g->s, o);
	}
}

static int add_slab(pfn_t pfn, uint32_t objects, void *arg)
{
	static __thread uint8_t map[(MAX_OBJS_PER_SLAB + 8) / 8];
	struct gather *g = arg;
	const struct page *slab = lab_page(g->lab, pfn);
	uint64_t first = slab_object(g->lab, g->s, pfn, 0);

	mark_free(g, pfn, objects, map);
	for (uint32_t i = 0; i < objects && !g->error; i++) {
		uint64_t object = first + (uint64_t)i * g->s->g.size, waste = 0;

		if (map[i / 8] & 1u << i % 8)
			continue;
		if (!g->freed && debug_has_size(g->s) && *debug_size_of(g->lab, g->s, object) < g->s->object_size)
			waste = g->s->object_size - *debug_size_of(g->lab, g->s, object);
		add(g, debug_track_of(g->lab, g->s, object, g->freed), waste, slab->node);
	}
	return g->error;
}

static void add_list(struct gather *g, const struct slab_list *l)
{
	for (pfn_t pfn = l->head; pfn != PFN_NONE; pfn = lab_page(g->lab, pfn)->next)
		add_slab(pfn, slab_counts(lab_page(g->lab, pfn)).objects, g);
}

static int by_count(const void *a, const void *b)
{
	const struct debug_site *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->place != y->place ? (x->place < y->place ? -1 : 1) : x->stack < y->stack ? -1 : x->stack > y->stack;
}

int debug_sites(struct lab *lab, uint32_t store, bool freed, struct debug_site **sites, uint32_t *nr)
{
	struct gather g = { .lab = lab, .s = lab_store(lab, store), .freed = freed, .tick = debug_tick(lab) };

	if (g.s->engine == ENGINE_SLAB)
		return fail(EINVAL, "%s keeps no tracks: with letter U engine slab notes only who used an object last (where shows it)", g.s->name);
	if (!debug_has_tracks(g.s))
		return fail(EINVAL, "%s keeps no tracks (set cache.%s.debug U)", g.s->name, g.s->name);
	for (unsigned int i = 0; i < lab->nr_nodes && has_slub(g.s); i++) {
		add_list(&g, &store_node(lab, g.s, i)->partial);
		add_list(&g, &store_node(lab, g.s, i)->full);
	}
	if (!has_slub(g.s))
		store_each_slab(lab, g.s, add_slab, &g);
	if (g.error) {
		free(g.site);
		return fail(ENOMEM, "the host has no memory for the sites of %s", g.s->name);
	}
	if (g.nr)
		qsort(g.site, g.nr, sizeof(*g.site), by_count);
	*sites = g.site;
	*nr = g.nr;
	return 0;
}

/* The store of an object, if it keeps who used it; else NULL. */
static const struct store *store_that_knows(const struct lab *lab, uint64_t object)
{
	const struct page *page;
	const struct store *s;

	if (object - lab->arena_off >= lab->arena_bytes)
		return NULL;
	page = lab_page(lab, off_pfn(lab, object));
	s = page->store ? lab_store(lab, page->store) : NULL;
	return s && s->g.flags & CF_USER && slab_is_object(lab, s, lab_page(lab, page->head), object) ? s : NULL;
}

uint64_t debug_last_user(struct lab *lab, uint64_t object, bool is_out)
{
	const struct store *s = store_that_knows(lab, object);

	if (!s)
		return 0;
	if (!debug_has_tracks(s))
		return slabq_words(lab, s, object).user;
	return debug_track_copy(lab, debug_track_of(lab, s, object, !is_out)).place;
}

bool debug_track_read(struct lab *lab, uint64_t object, struct debug_track *t, uint64_t *age)
{
	const struct store *s = store_that_knows(lab, object);

	if (!s || !debug_has_tracks(s))
		return false;
	*t = *debug_track_of(lab, s, object, false);
	*age = debug_tick(lab) - t->when;
	return t->place != 0;
}
