/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * front - from caches, sizes and addresses to stores.
 *
 * An allocation goes to its cache's store; a free to the store of the
 * object's page, whatever cache is named. What went out and came back is
 * counted by name here, so that `objects` is the lab's truth.
 */
#include "slab/bulk.h"

#include "base/bits.h"
#include "base/finding.h"
#include "base/gfp.h"
#include "page/alloc.h"
#include "cpu/latency.h"
#include "slab/debug.h"
#include "slab/emit.h"
#include "slab/kmalloc.h"
#include "slab/lifetime.h"
#include "slab/owner.h"
#include "slab/slub_fast.h"

/* Whose objects these are, and how many names share them. */
void slab_tell_store(struct cpu *cpu, const struct store *s, uint32_t cache)
{
	unsigned int sharers = 0;

	/* nobody shares what its cache has left */
	if (cache && lab_cache(cpu->lab, cache)->store == s->number)
		for (uint32_t id = s->caches; id; id = lab_cache(cpu->lab, id)->next_in_store)
			sharers++;
	tell(cpu, s->number, NOTE_cache_store, cache, s->serial, sharers, lab_cache(cpu->lab, cache)->object_size);
}

/* slab.init_on_alloc: nothing of the last user; slab.init_on_free: nothing of the freelist, all else is gone already. */
void object_init(struct cpu *cpu, const struct store *s, uint64_t object)
{
	if (s->init_on_alloc)
		__builtin_memset(cpu->base + object, 0, s->object_size);
	else if (s->engine != ENGINE_SLAB)
		*object_link(cpu->base, &s->g, object) = 0;
}

/* Before it goes anywhere: the body, and what the slot keeps behind it, but no red zone. */
void object_wipe(struct cpu *cpu, const struct store *s, uint64_t object)
{
	uint32_t end = s->g.size - object_at(&s->g);

	__builtin_memset(cpu->base + object, 0, s->object_size);
	if (has_slub(s) && end > s->inuse_now)
		__builtin_memset(cpu->base + object + s->inuse_now, 0, end - s->inuse_now);
}

uint64_t slab_cache_alloc(struct cpu *cpu, struct cache *c, uint32_t gfp, int node)
{
	struct store *s = lab_store(cpu->lab, c->store);
	struct slub_cpu *part = front_part(cpu, s);
	uint64_t hits = part->alloc_fastpath;
	uint64_t object;

	if (slab_should_fail(cpu, c, gfp)) {
		cpu->path |= WENT_NOWHERE;
		emit_lab(cpu, EV_failslab_hits, c->id, c->object_size, 0);
		return 0;
	}
	if (TELLING)
		slab_tell_store(cpu, s, c->id);
	object = store_ops[s->ops][THIS_VARIANT]->alloc(cpu, s, gfp, node);
	if (unlikely(!object))
		return 0;
	if (unlikely(s->owner_map))
		owner_take(cpu->lab, s, object, c->id);
	if (unlikely(cpu->lab->lifetimes))
		lifetime_begin(cpu->lab, s, object);
	slab_count_allocs(cpu, part, c->id, 1, part->alloc_fastpath - hits);
	if (unlikely(gfp & GFP_BIT_ZERO))
		__builtin_memset(cpu->base + object, 0, c->object_size);
	else if (unlikely(s->init_on_alloc | s->init_on_free))
		object_init(cpu, s, object);
	return object;
}

/* SLQB had no large kmalloc behind its largest class. */
static bool kmalloc_goes_on(const struct lab *lab)
{
	return ((const struct slab_policy *)lab_section(lab, SEC_SLAB_POLICY))->store.engine != ENGINE_SLQB;
}

/* Large kmalloc: whole pages, recognised at free by the role of the first. */
static uint64_t kmalloc_large(struct cpu *cpu, uint64_t bytes, uint32_t gfp, int node)
{
	unsigned int order = get_order(bytes);
	pfn_t pfn = PFN_NONE;

	if (bytes <= KMALLOC_MOST || kmalloc_goes_on(cpu->lab))
		pfn = V(alloc_pages)(cpu, order, order ? gfp | GFP_BIT_COMP : gfp, node);
	if (pfn == PFN_NONE)
		return 0;
	page_set_role(lab_page(cpu->lab, pfn), PAGE_LARGE);
	emit_lab(cpu, EV_kmalloc_large, bytes, order, 0);
	return pfn_off(cpu->lab, pfn);
}

uint64_t slab_kmalloc(struct cpu *cpu, uint64_t bytes, uint32_t gfp, int node, uint32_t *cache)
{
	struct store *s;
	uint64_t object;

	*cache = 0;
	if (unlikely(!bytes))
		return ZERO_SIZE;
	if (bytes > slab_state(cpu->lab)->kmalloc_max)
		return kmalloc_large(cpu, bytes, gfp, node);
	*cache = slab_state(cpu->lab)->kmalloc[kmalloc_type(gfp)][kmalloc_class(bytes)];
	object = slab_cache_alloc(cpu, lab_cache(cpu->lab, *cache), gfp, node);
	s = lab_store(cpu->lab, lab_cache(cpu->lab, *cache)->store);
	if (unlikely(s->debug) && object)
		debug_set_size(cpu->lab, s, object, bytes);
	return object;
}

static uint32_t bad_free(struct cpu *cpu, uint64_t off)
{
	emit_lab(cpu, EV_bad_free, off, 0, 0);
	return FINDING_BAD_FREE;
}

static uint32_t free_large(struct cpu *cpu, uint64_t off)
{
	struct page *page;

	if (off - cpu->lab->arena_off >= cpu->lab->arena_bytes)
		return bad_free(cpu, off);
	page = lab_page(cpu->lab, off_pfn(cpu->lab, off));
	if (page->role != PAGE_LARGE || off & (PAGE_SIZE - 1))
		return bad_free(cpu, off);
	page_set_role(page, PAGE_ALLOCATED);
	V(free_pages)(cpu, off_pfn(cpu->lab, off), page->order);
	return 0;
}

/*
 * The store never was this cache's, or its map says that another took the
 * object: say so, and go on by the page unless policy refuses.
 */
static uint32_t wrong_cache(struct cpu *cpu, struct store *s, struct cache *c, uint64_t off, uint32_t taker)
{
	const struct store *given = lab_store(cpu->lab, c->store);
	const struct slab_policy *policy = lab_section(cpu->lab, SEC_SLAB_POLICY);
	uint32_t findings = FINDING_WRONG_CACHE;

	if (taker ? taker == c->id : store_had_cache(cpu->lab, s, c->id))
		return 0;
	emit_lab(cpu, EV_free_wrong_cache, off, s->serial, 0);
	if ((s->g.flags | given->g.flags) & CF_CONSIST || s->secret || given->secret)
		findings |= FINDING_WARNED;
	if (findings & FINDING_WARNED)
		debug_wrong_cache(cpu, s, lab_page(cpu->lab, lab_page(cpu->lab, off_pfn(cpu->lab, off))->head), off, c->name,
				  taker ? lab_cache(cpu->lab, taker)->name : s->name);
	return policy->wrong_cache_refuse ? findings | FINDING_REFUSED : findings;
}

uint32_t slab_wrong_cache(struct cpu *cpu, struct store *s, struct cache *c, uint64_t off)
{
	const uint32_t *word = s->owner_map ? owner_word_out(cpu->lab, s, off) : NULL;

	return c->store != s->number || word ? wrong_cache(cpu, s, c, off, word ? *word : 0) : 0;
}

uint32_t slab_free(struct cpu *cpu, struct cache *c, uint64_t off, uint32_t owner)
{
	struct lab *lab = cpu->lab;
	uint32_t findings = 0, refused, *word = NULL;
	struct page *page;
	struct store *s;
	uint64_t hits, born;

	if (off <= ZERO_SIZE)
		return 0;	/* nothing was given, nothing comes back */
	if (off - lab->arena_off >= lab->arena_bytes)
		return bad_free(cpu, off);
	page = lab_page(lab, off_pfn(lab, off));
	if (!page->store)
		return free_large(cpu, off);
	s = lab_store(lab, page->store);
	if (unlikely(s->owner_map) && (word = owner_word_out(lab, s, off)))
		owner = *word;
	if (TELLING)
		slab_tell_store(cpu, s, store_had_cache(lab, s, owner) ? owner : c ? c->id : s->count_cache);
	if (c && unlikely(c->store != page->store || word)) {
		findings = wrong_cache(cpu, s, c, off, word ? *word : 0);
		if (findings & FINDING_REFUSED)
			return findings;
	}
	if (unlikely(s->init_on_free))
		object_wipe(cpu, s, off);
	if (!owner || (owner != s->count_cache && !store_had_cache(lab, s, owner)))
		owner = c && !findings ? c->id : s->count_cache;
	if (unlikely(word != NULL))
		owner_give(word);
	hits = front_part(cpu, s)->free_fastpath;
	born = unlikely(lab->lifetimes) ? lifetime_born(lab, s, off) : 0;
	if (unlikely(s->ways) ? slub_free_ways(cpu, front_part(cpu, s), page, off)
			      : slub_free_fast(cpu, front_part(cpu, s), page, off)) {
		slub_free_by(cpu, front_part(cpu, s), owner);
		if (unlikely(born))
			lifetime_end(lab, owner, born);
		return findings;
	}
	store_ops[s->ops][THIS_VARIANT]->free_elsewhere(cpu, s, lab_page(lab, page->head), off, off, 1);
	slab_count_frees(cpu, front_part(cpu, s), owner, 1, front_part(cpu, s)->free_fastpath - hits);
	refused = slab_free_refused(cpu, owner);
	if (unlikely(refused && word))
		owner_keep(word);
	if (unlikely(born && !refused))
		lifetime_end(lab, owner, born);
	return findings | refused;
}
