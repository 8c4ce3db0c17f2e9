/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "base/gfp.h"
#include "cpu/story.h"
#include "lab/heap.h"
#include "page/zone.h"
#include "slab/engine.h"
#include "slab/grace.h"
#include "slab/list.h"

/* ---- slots ---- */

static uint32_t take_slot(struct lab *lab)
{
	struct slab_state *st = slab_state(lab);
	uint32_t i = st->free_store;

	if (i) {
		st->free_store = lab_store(lab, i)->newer;
		return i;
	}
	if (!st->nr_stores)
		st->nr_stores = 1;	/* 0 means no store */
	return st->nr_stores < MAX_STORES ? st->nr_stores++ : 0;
}

static void link_newest(struct lab *lab, struct store *s)
{
	struct slab_state *st = slab_state(lab);

	s->older = st->newest_store;
	s->newer = 0;
	if (s->older)
		lab_store(lab, s->older)->newer = s->number;
	else
		st->oldest_store = s->number;
	st->newest_store = s->number;
}

static void unlink_store(struct lab *lab, struct store *s)
{
	struct slab_state *st = slab_state(lab);

	*(s->older ? &lab_store(lab, s->older)->newer : &st->oldest_store) = s->newer;
	*(s->newer ? &lab_store(lab, s->newer)->older : &st->newest_store) = s->older;
}

/* ---- making ---- */

static void init_parts(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		*front_part(lab->cpus[i], s) = (struct slub_cpu){
			.tid = has_slub(s) ? i : 0, .slab = PFN_NONE, .partial = PFN_NONE, .freeptr = s->g.freeptr,
			.number = s->number };
		memset(&lab->cpus[i]->stat[s->number], 0, sizeof(struct store_stat));
	}
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		struct slub_node *node = store_node(lab, s, n);

		memset(node, 0, sizeof(*node));
		node->lock.rank = RANK_NODE_LIST;
		slab_list_init(&node->partial);
		slab_list_init(&node->full);
	}
}

static uint32_t page_flags_of(uint32_t flags)
{
	return (flags & CF_DMA ? GFP_BIT_DMA : 0) | (flags & CF_DMA32 ? GFP_BIT_DMA32 : 0) |
	       (flags & CF_RECLAIM ? GFP_BIT_RECLAIMABLE : 0);
}

static void free_slot(struct lab *lab, uint32_t i)
{
	struct store *s = lab_store(lab, i);

	s->state = STORE_FREE;
	s->newer = slab_state(lab)->free_store;
	slab_state(lab)->free_store = i;
}

/* What a store is before it has parts. */
static void describe(struct lab *lab, struct store *s, uint32_t number, const struct wish *w, const struct geometry *g,
		     const char *name)
{
	memset(s, 0, sizeof(*s));
	s->number = s->part = number;
	s->engine = w->engine;
	s->ops = store_ops_of(w, (g->flags & CF_DEBUG) != 0);
	s->era = w->era;
	s->state = STORE_ACTIVE;
	s->g = *g;
	s->wish = *w;
	s->object_size = w->object_size;
	s->inuse_now = g->inuse;
	s->debug = (g->flags & CF_DEBUG) != 0;
	s->rcu = (g->flags & CF_RCU) != 0;
	s->page_gfp = page_flags_of(g->flags);
	s->owner_map = w->owner_map;
	s->cas16 = lab_slab_policy(lab)->cas16;
	s->held_lock.rank = RANK_QUEUE;
	s->born_op = lab->hdr->ops;
	snprintf(s->name, sizeof(s->name), "%s", name);
}

int store_slot(struct lab *lab, uint32_t *number)
{
	*number = take_slot(lab);
	return *number ? 0 : fail(ENOMEM, "a lab holds at most %d stores", MAX_STORES - 1);
}

void store_slot_free(struct lab *lab, uint32_t number)
{
	free_slot(lab, number);
}

enum route store_route(const struct store *s)
{
	if (s->debug && !has_slub(s))
		return ROUTE_NONE;	/* each object is looked at */
	if (engines[s->engine]->route && (s->engine != ENGINE_SHEAVES || s->sheaf.capacity))
		return engines[s->engine]->route;
	return s->ways ? ROUTE_WAYS : ROUTE_OWNER;
}

/* Whatever the route: the engine puts objects there, too. */
bool store_has_room(const struct store *s)
{
	return s->engine == ENGINE_SLQB || (s->engine == ENGINE_SHEAVES && s->sheaf.capacity);
}

uint32_t store_room(const struct store *s)
{
	return s->engine == ENGINE_SLQB ? s->slqb.hiwater : s->sheaf.room;
}

/* What hits need to know of the store, in each CPU's part. */
static void route(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct slub_cpu *c = front_part(lab->cpus[i], s);

		c->route = store_route(s);
		if (is_queue(c->route))
			c->store = s->number;
		if (store_has_room(s))
			c->room = store_room(s);
	}
}

int store_make(struct lab *lab, const struct wish *w, const char *name, uint32_t *number)
{
	struct geometry g;
	struct store *s;
	uint32_t i;
	int ret = geometry_compute(w, &g);

	if (!ret)
		ret = store_slot(lab, &i);
	if (ret)
		return ret;
	s = lab_store(lab, i);
	describe(lab, s, i, w, &g, name);
	init_parts(lab, s);
	ret = engines[s->engine]->make(lab, s);
	if (ret) {
		free_slot(lab, i);
		return ret;
	}
	route(lab, s);
	slab_state(lab)->owner_maps += s->owner_map;
	s->serial = ++slab_state(lab)->serial;
	link_newest(lab, s);
	*number = i;
	return 0;
}

/* Readers, constructors and poison need what is in a free object. */
static void tune_wiping(const struct slab_policy *p, struct store *s)
{
	bool may = !s->wish.ctor && !(s->g.flags & (CF_RCU | CF_POISON));

	s->init_on_alloc = p->init_on_alloc && may;
	s->init_on_free = p->init_on_free && may;
}

int store_tune(struct lab *lab, struct store *s)
{
	struct store_policy p;
	int ret;

	if (s->state != STORE_ACTIVE || !s->caches)
		return 0;
	cache_policy(lab, lab_cache(lab, s->caches), &p);
	s->bulk_form = p.bulk_form;
	tune_wiping(lab_slab_policy(lab), s);
	ret = engines[s->engine]->tune(lab, s, &p);
	route(lab, s);
	return ret;
}

enum route stores_usual_route(struct lab *lab)
{
	const struct store_policy *p = &lab_slab_policy(lab)->store;

	if (engines[p->engine]->route && (p->engine != ENGINE_SHEAVES || p->sheaf_capacity))
		return engines[p->engine]->route;
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		if (lab_store(lab, i)->ways)
			return ROUTE_WAYS;
	return p->fastpath || p->freelist_hardened ? ROUTE_WAYS : ROUTE_OWNER;	/* those to come */
}

/* ---- which caches a store has, and ever had ---- */

bool store_had_cache(const struct lab *lab, const struct store *s, uint32_t cache)
{
	const uint32_t *ids = lab_ptr(lab, s->history);

	for (uint32_t i = 0; i < s->history_nr; i++)
		if (ids[i] == cache)
			return true;
	return false;
}

static void history_add(struct lab *lab, struct store *s, uint32_t cache)
{
	if (store_had_cache(lab, s, cache))
		return;
	if (s->history_nr == s->history_cap) {
		uint32_t cap = s->history_cap ? s->history_cap * 2 : 4;
		uint64_t piece = heap_alloc(lab, cap * sizeof(uint32_t));

		if (!piece)
			return;		/* the name then counts as foreign to older objects */
		if (s->history)
			memcpy(lab_ptr(lab, piece), lab_ptr(lab, s->history), s->history_nr * sizeof(uint32_t));
		heap_free(lab, s->history, s->history_cap * sizeof(uint32_t));
		s->history = piece;
		s->history_cap = cap;
	}
	((uint32_t *)lab_ptr(lab, s->history))[s->history_nr++] = cache;
	lab_cache(lab, cache)->nr_stores++;
}

void store_count_for(struct lab *lab, struct store *s, uint32_t cache)
{
	s->count_cache = cache;
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct slub_cpu *c = front_part(lab->cpus[i], s);
		struct cache_cpu *counts = lab->cpus[i]->cache_cpu;

		/* hits until now were the old name's; what it reads as does not change */
		counts[c->name].allocs += c->alloc_fastpath;
		counts[c->name].frees += c->free_fastpath;
		counts[cache].allocs -= c->alloc_fastpath;
		counts[cache].frees -= c->free_fastpath;
		c->name = cache;
	}
}

void store_attach(struct lab *lab, struct store *s, struct cache *c)
{
	uint32_t *link = &s->caches;
	uint32_t inuse = (uint32_t)round_up(c->object_size, WORD);

	while (*link)
		link = &lab_cache(lab, *link)->next_in_store;
	*link = c->id;
	c->next_in_store = 0;
	c->store = s->number;
	c->part = s->number * (uint32_t)sizeof(struct slub_cpu);
	if (s->refcount >= 0)
		s->refcount++;
	if (s->object_size < c->object_size)
		s->object_size = c->object_size;
	if (s->inuse_now < inuse)
		s->inuse_now = inuse;
	store_count_for(lab, s, s->caches);
	history_add(lab, s, c->id);
	store_tune(lab, s);
	for (unsigned int i = 0; c->kmalloc && i < lab->nr_cpus; i++)
		kmalloc_attach(lab, lab->cpus[i]);
}

/* What the first flush gave to the end of grace periods goes to slabs, some of which become CPUs'. */
void store_empty(struct cpu *self, struct store *s)
{
	store_flush_all(self, s);
	if (!slab_state(self->lab)->rcu)
		return;
	store_rcu_over(self->lab, self->variant);
	store_flush_all(self, s);
}

static void drain_begin(struct lab *lab, struct store *s)
{
	s->state = STORE_DRAINING;
	engines[s->engine]->drain(lab, s);
	route(lab, s);
	store_empty(lab->cpus[0], s);
	store_discard_empty(lab, s);
	store_note_death(lab, s);
}

void store_detach(struct lab *lab, struct cache *c)
{
	struct store *s = lab_store(lab, c->store);
	uint32_t *link = &s->caches;

	while (*link != c->id)
		link = &lab_cache(lab, *link)->next_in_store;
	*link = c->next_in_store;
	c->next_in_store = 0;
	c->store = c->part = 0;
	if (s->refcount > 0)
		s->refcount--;
	if (s->caches) {
		store_count_for(lab, s, s->caches);
		store_tune(lab, s);
	} else {
		drain_begin(lab, s);
	}
}

/* ---- the one act ---- */

bool cache_may_merge(struct lab *lab, const struct cache *c)
{
	struct store_policy p;

	cache_policy(lab, c, &p);
	return p.merge == MERGE_ON && !c->starts_up;
}

void stores_open(struct lab *lab)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer) {
		struct store *s = lab_store(lab, i);

		if (s->caches)
			s->closed = !cache_may_merge(lab, lab_cache(lab, s->caches));
	}
}

/* Is the store a cache has the one it wants? */
static bool is_right(struct lab *lab, const struct cache *c, const struct wish *w, bool may_merge)
{
	const struct store *s = lab_store(lab, c->store);
	bool alone = s->caches == c->id && !c->next_in_store;

	if (!alone)
		return may_merge && merge_find(lab, c, w) == s->number;
	return !memcmp(w, &s->wish, sizeof(*w)) || (s->object_size == w->object_size && merge_fits(lab, s, c, w));
}

#define MARKS (CF_TRACE | CF_FAILSLAB)

/*
 * Trace and failslab mark are switched in place: no slab looks other for them,
 * and who has a store for itself has nobody to mind. But a trace alone makes
 * a debug store, or ends one.
 */
static bool switch_marks(struct store *s, const struct cache *c, const struct wish *w)
{
	struct wish was = *w;

	was.flags = (w->flags & ~(uint32_t)MARKS) | (s->wish.flags & MARKS);
	was.own_debug = s->wish.own_debug;
	if (s->caches != c->id || c->next_in_store || memcmp(&was, &s->wish, sizeof(was)) || s->debug != ((w->flags & CF_DEBUG) != 0))
		return false;
	s->wish = *w;
	s->g.flags = (s->g.flags & ~(uint32_t)MARKS) | (w->flags & MARKS);
	return true;
}

static void note_switch(struct lab *lab, struct cache *c, const struct store *from, const struct store *to)
{
	struct cache_switch *w = &c->switched[c->nr_switches++ % CACHE_SWITCHES];

	*w = (struct cache_switch){ .op = lab->hdr->ops, .from = from->serial, .to = to->serial, .order = to->g.order,
				    .objs = to->g.objs, .from_engine = from->engine, .engine = to->engine };
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		w->slabs += store_node(lab, from, n)->nr_slabs;
		w->objects += store_node(lab, from, n)->total_objects;
	}
}

int cache_restore(struct lab *lab, struct cache *c)
{
	struct wish w;
	struct store *s = lab_store(lab, c->store);
	bool may_merge = cache_may_merge(lab, c), right;
	uint32_t to;
	int ret;

	cache_wish(lab, c, &w);
	right = is_right(lab, c, &w, may_merge);
	to = may_merge ? merge_find(lab, c, &w) : 0;
	right |= to == c->store;	/* what it would join, though others that left made it larger */
	if (right && (!to || to == c->store || lab_store(lab, to)->serial > s->serial)) {
		s->closed = !may_merge;
		return 0;
	}
	if (!to && switch_marks(s, c, &w)) {
		s->closed = !may_merge;
		return 0;
	}
	if (!to) {
		ret = store_make(lab, &w, c->name, &to);
		if (ret)
			return ret;
	}
	if (s->refcount < 0)
		lab_store(lab, to)->refcount = -1;
	lab_store(lab, to)->closed = !may_merge;
	note_switch(lab, c, s, lab_store(lab, to));
	store_detach(lab, c);
	store_attach(lab, lab_store(lab, to), c);
	return 1;
}

/* ---- flush, shrink, discard: outside hot paths, in a stop ---- */

static const struct store_ops *ops_of(const struct cpu *cpu, const struct store *s)
{
	return store_ops[s->ops][cpu->variant];
}

static void flush_cpu(struct cpu *cpu, struct store *s)
{
	if (!engines[s->engine]->has_cpu_part(cpu, s))
		return;
	if (cpu->variant == VARIANT_TOLD)
		story_note(cpu, s->number, NOTE_flushing, (const uint64_t[NOTE_FIELDS_MAX]){ cpu->id });
	ops_of(cpu, s)->flush_cpu(cpu, s);
}

/* Objects that a CPU's flush has to walk before it reaches a node's list. */
static uint32_t flush_walk(struct cpu *cpu, const struct store *s)
{
	uint32_t n = 0;

	for (uint64_t o = has_slub(s) ? store_cpu(cpu, s)->freelist : 0; o; o = object_next(cpu->base, s, o))
		n++;
	return n;
}

static struct cpu *first_to_flush(struct cpu *self, const struct store *s)
{
	struct cpu *other;

	if (self->lab->nr_cpus != 2)
		return self;
	other = self->lab->cpus[!self->id];
	return flush_walk(other, s) < flush_walk(self, s) ? other : self;
}

void store_flush_all(struct cpu *self, struct store *s)
{
	struct lab *lab = self->lab;
	struct cpu *first = first_to_flush(self, s);

	flush_cpu(first, s);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (lab->cpus[i] != first)
			flush_cpu(lab->cpus[i], s);
	if (ops_of(self, s)->flush_nodes)
		ops_of(self, s)->flush_nodes(self, s);
}

/* Played as the first CPU: who empties lists for all belongs to none. */
void store_discard_empty(struct lab *lab, struct store *s)
{
	for (unsigned int i = 0; i < lab->nr_nodes; i++)
		ops_of(lab->cpus[0], s)->discard_empty(lab->cpus[0], s, i);
}

/*
 * Slabs with few free objects come first; those with more than `promote` keep
 * their order behind them. Within one count the order turns round.
 */
static void sort_partial(struct lab *lab, struct slub_node *n, unsigned int promote)
{
	struct slab_list bucket[33];

	for (unsigned int f = 0; f <= promote; f++)
		slab_list_init(&bucket[f]);
	for (pfn_t pfn = n->partial.head, next; pfn != PFN_NONE; pfn = next) {
		struct page *slab = lab_page(lab, pfn);
		struct slab_counts c = slab_counts(slab);

		next = slab->next;
		if (c.objects - c.inuse > promote)
			continue;
		slab_list_del(lab, &n->partial, slab);
		slab_list_add_head(lab, &bucket[c.objects - c.inuse], slab);
	}
	for (unsigned int f = promote; f > 0; f--)
		for (pfn_t pfn = bucket[f].tail, prev; pfn != PFN_NONE; pfn = prev) {
			prev = lab_page(lab, pfn)->prev;
			slab_list_add_head(lab, &n->partial, lab_page(lab, pfn));
		}
}

bool store_shrink(struct cpu *self, struct store *s)
{
	struct lab *lab = self->lab;
	bool left = false;

	if (ops_of(self, s)->shrink) {
		ops_of(self, s)->shrink(self, s);
	} else {
		store_flush_all(self, s);
		store_discard_empty(lab, s);
	}
	for (unsigned int i = 0; i < lab->nr_nodes; i++) {
		if (has_slub(s))
			sort_partial(lab, store_node(lab, s, i), lab_slab_policy(lab)->shrink_promote);
		left |= store_node(lab, s, i)->nr_slabs != 0;
	}
	return left;
}

void stores_counting(struct lab *lab, bool on)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		for (unsigned int n = 0; n < lab->nr_cpus; n++) {
			struct fast_event fast[4];
			unsigned int nr = fast_events(lab->cpus[n], lab_store(lab, i), fast);

			for (unsigned int e = 0; e < nr; e++)
				lab->cpus[n]->stat[i].ev[fast[e].ev - EV_SLAB_FIRST] -= on ? *fast[e].hits : -*fast[e].hits;
		}
}

void store_rcu_over(struct lab *lab, enum variant v)
{
	if (likely(!slab_state(lab)->rcu))
		return;
	slab_state(lab)->rcu = 0;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		slab_ops[v]->rcu_all(lab->cpus[i]);
}

/* ---- death ---- */

void store_finish_grace(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cpu *cpu = lab->cpus[i];

		for (pfn_t done = grace_take_all(cpu), next; done != PFN_NONE; done = next) {
			next = lab_page(lab, done)->next;
			store_ops[ENGINE_SLUB][cpu->variant]->give_back(cpu, done);
		}
	}
}

/* Counters of a dead store, which nobody looks up any more: the lab's totals keep them (slot 0), and each cache it served. */
static void carry_counters(struct lab *lab, struct store *s)
{
	const uint32_t *ids = lab_ptr(lab, s->history);

	for (uint32_t h = 0; h < s->history_nr; h++) {
		struct cache *c = lab_cache(lab, ids[h]);

		c->nr_stores--;
		if (!c->carry)
			c->carry = heap_alloc(lab, (uint64_t)lab->nr_cpus * EV_SLAB_NR * sizeof(uint64_t));
		if (!c->carry)
			continue;
		for (unsigned int i = 0; i < lab->nr_cpus; i++)
			for (int e = 0; e < EV_SLAB_NR; e++)
				((uint64_t *)lab_ptr(lab, c->carry))[i * EV_SLAB_NR + e] +=
					store_event(lab, s->number, (int)i, (enum event_id)(EV_SLAB_FIRST + e));
	}
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		for (int e = 0; e < EV_SLAB_NR; e++)
			lab->cpus[i]->stat[0].ev[e] +=
				store_event(lab, s->number, (int)i, (enum event_id)(EV_SLAB_FIRST + e));
}

/* Hits lie in the parts, which somebody else will use: they go to whom they are counted for, and so to nobody. */
static void give_up_hits(struct lab *lab, struct store *s)
{
	store_count_for(lab, s, CACHE_NONE);
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct slub_cpu *c = front_part(lab->cpus[i], s);

		lab->cpus[i]->cache_cpu[CACHE_NONE].allocs += c->alloc_fastpath;
		lab->cpus[i]->cache_cpu[CACHE_NONE].frees += c->free_fastpath;
	}
}

static void bury(struct lab *lab, struct store *s)
{
	carry_counters(lab, s);
	give_up_hits(lab, s);
	unlink_store(lab, s);
	heap_free(lab, s->history, s->history_cap * sizeof(uint32_t));
	s->history = s->history_nr = s->history_cap = 0;
	engines[s->engine]->unmake(lab, s);
	slab_state(lab)->owner_maps -= s->owner_map;
	free_slot(lab, s->number);
}

void store_reap(struct lab *lab)
{
	struct slab_state *st = slab_state(lab);

	if (!__atomic_exchange_n(&st->reap, 0, __ATOMIC_ACQ_REL))
		return;
	for (uint32_t i = st->oldest_store, next; i; i = next) {
		next = lab_store(lab, i)->newer;
		if (lab_store(lab, i)->state == STORE_DEAD)
			bury(lab, lab_store(lab, i));
	}
}

/* ---- slab by slab ---- */

int store_each_slab(const struct lab *lab, const struct store *s, int (*fn)(pfn_t slab, uint32_t objects, void *arg), void *arg)
{
	int ret = 0;

	for (uint64_t pfn = 0; pfn < lab->hdr->shape.pages && !ret; ) {
		const struct page *page = lab_page(lab, (pfn_t)pfn);

		if (lab->blocks[pfn >> MAX_PAGE_ORDER].is_free && !(pfn & ((1u << MAX_PAGE_ORDER) - 1))) {
			pfn += 1u << MAX_PAGE_ORDER;
			continue;
		}
		if (page->role == PAGE_SLAB && page->store == s->number && page->head == pfn)
			ret = fn((pfn_t)pfn, slab_counts(page).objects, arg);
		pfn += page->role == PAGE_SLAB && page->head == pfn ? 1u << page->order : 1u;
	}
	return ret;
}
