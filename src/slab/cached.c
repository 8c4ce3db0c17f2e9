/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shrinking and using cached objects (reclaim.md section 4). Compiled once a variant. */
#include "slab/cached.h"

#include <errno.h>

#include "base/bits.h"
#include "cpu/latency.h"
#include "page/zone.h"
#include "slab/bulk.h"
#include "slab/emit.h"

#define AT_ONCE 64	/* objects that one hold of the node's lock takes off */

/* ---- how many ---- */

/*
 * The part of a list that this call should look at. By priority: of so many
 * pages that reclaim looks at one of 2^priority, times 4, over what an object
 * costs to make again. By what was scanned, as before Linux 4.16: the share of
 * its pages that reclaim looked at. A cost of 0: half of them.
 */
static uint64_t share_of(const struct page_policy *p, const struct shrink *s, uint64_t freeable)
{
	if (p->slab_by == SLAB_BY_SCANNED)
		return 4 * max_u64(s->lru_scanned, p->reclaim_batch) / max_u64(p->slab_cost, 1) * freeable / (s->lru_pages + 1);
	return p->slab_cost ? (freeable >> s->priority) * 4 / p->slab_cost : freeable / 2;
}

/* Whole batches; the rest, if that is all there is. */
static uint64_t in_batches(uint64_t total, uint64_t batch, uint64_t freeable)
{
	uint64_t rest = total % batch;

	return rest >= freeable ? total : total - rest;
}

/* ---- one list ---- */

/* Off the old end, up to n looked at and AT_ONCE taken; how many of each. */
static unsigned int take_old(struct cpu *cpu, struct cached_node *n, struct cached_list *l, uint64_t *left, uint64_t *objects)
{
	unsigned int nr = 0;

	lock_take(cpu, &n->lock, COUNTING);
	while (*left && nr < AT_ONCE && l->oldest) {
		uint32_t at = l->oldest - 1;
		struct cached *e = cached_entry(cpu->lab, at);

		--*left;
		cached_unlink(cpu->lab, at);
		if (peek(e->referenced)) {	/* used meanwhile: another round */
			poke(e->referenced, 0);
			cached_link(cpu->lab, at);
			continue;
		}
		objects[nr++] = e->off;
		e->off = 0;
		__atomic_store_n(&e->state, CACHED_GONE, __ATOMIC_RELEASE);	/* from here on it is its user's */
	}
	if (!l->oldest)
		*left = 0;
	poke(n->shrunk, n->shrunk + nr);
	lock_give(cpu, &n->lock);
	return nr;
}

/* The marks of slow steps are those of the op itself, whatever is freed on its way. */
static void free_objects(struct cpu *cpu, uint32_t cache, const uint64_t *objects, unsigned int nr)
{
	/* told where a trace wants it; a story of reclaim would be of little else */
	const struct slab_ops *ops = slab_ops[TELLING && !cpu->trace ? VARIANT_COUNTED : THIS_VARIANT];
	uint32_t path = cpu->path;

	for (unsigned int i = 0; i < nr; i++)
		ops->free(cpu, NULL, objects[i], cache);
	cpu->path = path;
}

static uint64_t scan_list(struct cpu *cpu, unsigned int node, uint32_t cache, uint64_t n)
{
	uint64_t objects[AT_ONCE], freed = 0, left = n;

	emit_lab_n(cpu, EV_slabs_scanned, n, n, 0, 0);
	while (left) {
		unsigned int nr = take_old(cpu, cached_node(cpu->lab, node), cached_list(cpu->lab, node, cache), &left, objects);

		free_objects(cpu, cache, objects, nr);
		freed += nr;
	}
	return freed;
}

static void shrink_cache(struct cpu *cpu, struct shrink *s, uint32_t cache)
{
	const struct page_policy *p = page_policy(cpu->lab);
	struct cached_list *l = cached_list(cpu->lab, s->node, cache);
	uint64_t freeable = peek(l->nr) * p->cache_pressure / 100, before, due, total, todo = 0, freed = 0;

	if (!freeable)
		return;
	before = __atomic_exchange_n(&l->deferred, 0, __ATOMIC_RELAXED);
	due = share_of(p, s, freeable);
	total = min_u64((before >> s->priority) + due, 2 * freeable);
	emit_lab(cpu, EV_mm_shrink_slab_start, cache, total, s->priority);
	if (s->may_fs)
		todo = in_batches(total, p->slab_batch, freeable);
	if (todo)
		freed = scan_list(cpu, s->node, cache, todo);
	due += before;
	due -= min_u64(due, todo);
	__atomic_fetch_add(&l->deferred, min_u64(due, 2 * freeable), __ATOMIC_RELAXED);
	emit_lab(cpu, EV_mm_shrink_slab_end, cache, todo, freed);
	s->scanned += todo;
	s->freed += freed;
}

void V(cached_shrink)(struct cpu *cpu, struct shrink *s)
{
	const struct cached_node *n = cached_node(cpu->lab, s->node);
	uint64_t pages = cpu->slab_pages;

	for (uint32_t id = 1; id < peek(slab_state(cpu->lab)->nr_caches) && peek(n->nr); id++)
		if (peek(cached_list(cpu->lab, s->node, id)->nr))
			shrink_cache(cpu, s, id);
	s->pages += cpu->slab_pages - pages;
}

static void drop_node(struct cpu *cpu, unsigned int node, struct shrink *s)
{
	unsigned int rounds = 0;
	uint64_t before;

	/* as if all pages had been looked at */
	*s = (struct shrink){ .node = node, .may_fs = true, .lru_scanned = 1000, .lru_pages = 1000 };
	do {		/* again while that frees enough: of each round twice as much is wanted */
		before = s->freed;
		V(cached_shrink)(cpu, s);
	} while ((s->freed - before) >> rounds++ > 1);
	if (s->scanned)
		tell(cpu, node_first_zone(cpu->lab, node), NOTE_shrunk, s->scanned, s->freed, s->pages);
}

uint64_t V(cached_drop)(struct cpu *cpu, int node)
{
	uint64_t pages = 0;

	emit_lab(cpu, EV_drop_slab, 0, 0, 0);
	for (unsigned int n = 0; n < cpu->lab->nr_nodes; n++) {
		struct shrink s;

		if (node >= 0 && (unsigned int)node != n)
			continue;
		drop_node(cpu, n, &s);
		pages += s.pages;
	}
	return pages;
}

/* ---- use ---- */

int V(cached_touch)(struct cpu *cpu, uint32_t nr, bool *again)
{
	struct cached *e = cached_entry(cpu->lab, nr);
	uint64_t object;

	*again = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE) == CACHED_GONE;
	if (!*again) {	/* shrunk just now: then it was used too late, as it may be in the kernel */
		poke(e->referenced, 1);
		return 0;
	}
	if (!e->cache)
		return -ENOENT;
	object = slab_cache_alloc(cpu, lab_cache(cpu->lab, e->cache), e->gfp, -1);
	if (!object)
		return -ENOMEM;
	e->off = object;
	e->on = slab_of(cpu->lab, object)->node;
	e->state = CACHED_HERE;
	e->referenced = 0;
	lock_take(cpu, &cached_node(cpu->lab, e->on)->lock, COUNTING);
	cached_link(cpu->lab, nr);
	lock_give(cpu, &cached_node(cpu->lab, e->on)->lock);
	return 0;
}
