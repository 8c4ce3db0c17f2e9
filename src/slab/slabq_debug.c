/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queued engine's stores with debug flags: arrays as without, but each
 * object is looked at on its way out of them and back. What is found damaged is
 * reported and handed out all the same; only what is no object, or free
 * already, is not freed. (slab-debug.md section 10)
 */
#include "slab/slabq.h"

#include "slab/checked.h"
#include "slab/pages.h"

static uint64_t slabq_debug_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	uint64_t object = slabq_alloc(cpu, s, gfp, node);
	struct check ck = { .cpu = cpu, .s = s, .alloc = true };

	if (!object)
		return 0;
	ck.slab = slab_of(cpu->lab, object);
	slabq_debug_take(&ck, object);
	tell_checks(cpu, s, &ck);
	return object;
}

static void slabq_debug_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			     unsigned int cnt)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	bool good = slabq_debug_give(&ck, head);

	tell_checks(cpu, s, &ck);
	if (good)
		slabq_free(cpu, s, slab, head, tail, cnt);
	else
		tell_refused(cpu, s, slab, head, cnt);
}

#define slabq_debug_ops V(slabq_debug_ops)
const struct store_ops slabq_debug_ops = {
	.name = "slab",
	.alloc = slabq_debug_alloc,
	.free = slabq_debug_free,
	.free_elsewhere = slabq_debug_free,
	.flush_cpu = slabq_flush_cpu,
	.flush_nodes = slabq_flush_nodes,
	.discard_empty = slabq_discard_empty,
	.reap = slabq_reap,
	.give_back = slab_give_back,
};
