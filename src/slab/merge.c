/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which store a cache may share: the merging rules of Linux, by era.
 *
 * Stores are asked oldest first; the first that fits is taken. A store fits if
 * its objects are of the size wanted (rounded), lie as the newcomer's
 * alignment asks, and its pages are accounted alike. (slab-stores.md section 1)
 */
#include "base/bits.h"
#include "slab/slab.h"

#define NEVER_MERGE (CF_REDZONE | CF_POISON | CF_USER | CF_TRACE | CF_RCU | CF_NOLEAK | CF_FAILSLAB | CF_NOMERGE)
#define SAME_IN_BOTH (CF_RECLAIM | CF_DMA | CF_DMA32 | CF_ACCOUNT)

/* Does a kernel of this engine share caches? The queued one does since 3.18. */
static bool engine_merges(const struct wish *w)
{
	return w->engine != ENGINE_SLQB && (w->engine != ENGINE_SLAB || w->era >= ERA_4_2);
}

static bool wish_may_merge(const struct wish *w)
{
	return !w->ctor && !w->usersize && !w->kmalloc && !(w->flags & NEVER_MERGE) && engine_merges(w) &&
	       !w->sheaf_capacity;
}

bool store_may_merge(const struct store *s)
{
	return s->refcount >= 0 && !s->closed && wish_may_merge(&s->wish) && !(s->g.flags & NEVER_MERGE);
}

/* Consistency checks are part of the kernel's comparison to 3.x; since then only an override of one cache's is. */
static bool same_checks(const struct wish *a, const struct wish *b)
{
	return (a->era >= ERA_4_2 && !a->own_debug && !b->own_debug) || (a->flags & CF_CONSIST) == (b->flags & CF_CONSIST);
}

static bool same_policy(const struct wish *a, const struct wish *b)
{
	return a->engine == b->engine && a->era == b->era && a->wipes == b->wipes && a->owner_map == b->owner_map &&
	       a->slabq_max_order == b->slabq_max_order &&
	       a->min_order == b->min_order && a->max_order == b->max_order &&
	       a->min_objects == b->min_objects && a->cpu_partial_off == b->cpu_partial_off &&
	       a->cpus == b->cpus && a->freelist_random == b->freelist_random &&
	       a->freelist_hardened == b->freelist_hardened && same_checks(a, b);
}

/* The queued engine, whose objects all lie on the store's own alignment. */
static bool alignment_fits(const struct store *s, uint32_t align)
{
	return s->engine != ENGINE_SLAB || (align <= s->g.align && s->g.align % align == 0);
}

/*
 * Since consistency checks are no part of the comparison, those who share a
 * store have the checks of the one that made it. When its checks are switched
 * the store is nobody's to join: it is left, by all.
 */
static bool has_its_checks(struct lab *lab, const struct store *s)
{
	struct wish w;

	if (!s->caches)
		return false;
	cache_wish(lab, lab_cache(lab, s->caches), &w);
	return !((w.flags ^ s->wish.flags) & CF_CONSIST);
}

bool merge_fits(struct lab *lab, const struct store *s, const struct cache *c, const struct wish *w)
{
	uint32_t size = (uint32_t)round_up(w->object_size, WORD);
	uint32_t align = align_compute(w->era, w->flags, w->align, size);

	(void)c;
	size = (uint32_t)round_up(size, align);
	return store_may_merge(s) && s->state == STORE_ACTIVE && wish_may_merge(w) &&
	       size <= s->g.size && (w->flags & SAME_IN_BOTH) == (s->g.flags & SAME_IN_BOTH) &&
	       s->g.size % align == 0 && s->g.size - size < WORD && alignment_fits(s, align) &&
	       same_policy(w, &s->wish) && has_its_checks(lab, s);
}

uint32_t merge_find(struct lab *lab, const struct cache *c, const struct wish *w)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		if (merge_fits(lab, lab_store(lab, i), c, w))
			return i;
	return 0;
}
