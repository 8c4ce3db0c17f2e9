/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * failslab - requests for objects that fail on purpose. (slab-debug.md section 9)
 *
 * Asked before any path is entered, so that no counter of allocations moves.
 */
#include "slab/debug.h"

#include "base/gfp.h"
#include "base/rand.h"

/* Is this request one that may fail at all? */
static bool concerns(const struct fail_policy *f, const struct store *s, const struct cache *c, uint32_t gfp)
{
	if (c->id == 1)			/* the cache of caches */
		return false;
	if (gfp & GFP_BIT_NOFAIL || (f->ignore_wait && gfp & GFP_BIT_DIRECT_RECLAIM))
		return false;
	return !f->cache_filter || s->g.flags & CF_FAILSLAB;
}

/* With the lock held. */
static bool decide(struct lab *lab, struct fail_policy *f, const struct cache *c)
{
	struct debug_state *d = debug_state(lab);

	if (!f->times)
		return false;
	if (f->space > c->object_size) {
		__atomic_store_n(&f->space, f->space - c->object_size, __ATOMIC_RELAXED);	/* figures look meanwhile */
		return false;
	}
	if (f->interval > 1 && ++d->fail_asked % f->interval)
		return false;
	if (!d->fail_rand)
		d->fail_rand = lab->hdr->shape.seed + 1;
	if (f->probability <= rand_below(&d->fail_rand, 100))
		return false;
	if (f->times > 0)
		__atomic_store_n(&f->times, f->times - 1, __ATOMIC_RELAXED);
	d->fail_hits++;
	return true;
}

bool slab_decide_to_fail(struct cpu *cpu, const struct cache *c, uint32_t gfp)
{
	struct fail_policy *f = &lab_slab_policy(cpu->lab)->fail;
	bool fails;

	if (!concerns(f, lab_store(cpu->lab, c->store), c, gfp))
		return false;
	lock_take(cpu, &debug_state(cpu->lab)->lock, false);
	fails = decide(cpu->lab, f, c);
	lock_give(cpu, &debug_state(cpu->lab)->lock);
	return fails;
}
