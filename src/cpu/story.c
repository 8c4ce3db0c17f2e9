/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/story.h"

static void put(struct cpu *cpu, unsigned int point, const struct story_op *o)
{
	const uint32_t b[5] = {
		[TPF_BYTES] = (uint32_t)o->n, [TPF_GFP] = o->gfp, [TPF_NODE] = (uint32_t)o->node,
		[TPF_CACHE] = o->cache, [TPF_ORDER] = o->order,
	};

	trace_put(cpu->trace, story_ns(cpu), point, 0, o->error ? 0 : o->off, b);
}

/* As the kernel has it: an allocation is traced when it is done, a free before it is begun. */
void story_trace_op(struct cpu *cpu, const struct story_op *o, bool ended)
{
	if (ended && o->kind == TOLD_KMALLOC)
		put(cpu, TP_kmalloc, o);
	else if (ended && (o->kind == TOLD_CACHE_ALLOC || o->kind == TOLD_SHEAF_ALLOC))
		put(cpu, TP_kmem_cache_alloc, o);
	else if (!ended && o->kind == TOLD_KFREE)
		put(cpu, TP_kfree, o);
	else if (!ended && o->kind == TOLD_CACHE_FREE)
		put(cpu, TP_kmem_cache_free, o);
}
