/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLQB's stores with debug flags: lists and queues as without, but what leaves
 * them is checked before it is used, and what comes back before it joins them.
 * An object that is found damaged is left out; the next one is tried.
 * (slab-debug.md section 10)
 */
#include "slab/slqb.h"

#include "slab/checked.h"
#include "slab/pages.h"

static bool may_use(struct cpu *cpu, struct store *s, uint64_t object)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab_of(cpu->lab, object), .alloc = true };
	bool good = slqb_debug_take(&ck, object);

	tell_checks(cpu, s, &ck);
	if (!good)
		emit_slab(cpu, s, EV_debug_object_dropped, object, ck.slab->slab_nr, 0);
	return good;
}

static uint64_t slqb_debug_alloc(struct cpu *cpu, struct store *s, uint32_t gfp, int node)
{
	uint64_t object;

	do
		object = slqb_take(cpu, s, gfp, node);
	while (object && !may_use(cpu, s, object));
	if (!object)
		return 0;
	debug_track_alloc(cpu, s, object);
	emit_slab(cpu, s, EV_alloc, object, 0, 0);
	return object;
}

static void slqb_debug_free(struct cpu *cpu, struct store *s, struct page *slab, uint64_t head, uint64_t tail,
			    unsigned int cnt)
{
	struct check ck = { .cpu = cpu, .s = s, .slab = slab };
	bool good = slqb_debug_give(&ck, head);

	tell_checks(cpu, s, &ck);
	if (good)
		slqb_free(cpu, s, slab, head, tail, cnt);
	else
		tell_refused(cpu, s, slab, head, cnt);
}

#define slqb_debug_ops V(slqb_debug_ops)
const struct store_ops slqb_debug_ops = {
	.name = "slqb",
	.alloc = slqb_debug_alloc,
	.free = slqb_debug_free,
	.free_elsewhere = slqb_debug_free,
	.flush_cpu = slqb_flush_cpu,
	.flush_nodes = slqb_flush_nodes,
	.shrink = slqb_shrink,
	.discard_empty = slqb_discard_empty,
	.reap = slqb_reap,
	.give_back = slab_give_back,
};
