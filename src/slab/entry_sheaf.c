/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C interface's calls for frees after a grace period and for sheaves that
 * are handed out: no hits of anything, so one code for all variants.
 */
#include "slab/entry_sheaf.h"

#include <errno.h>
#include <sched.h>

#include "base/gfp.h"
#include "cpu/story.h"
#include "slab/engine.h"
#include "slab/kmalloc.h"
#include "slab/prefill.h"
#include "slab/sheaves.h"

static const struct slab_ops *begin(struct cpu *cpu, enum told_kind kind, uint32_t cache, uint64_t n, uint64_t off)
{
	struct story_op what = { .kind = (uint8_t)kind, .cache = cache, .n = n, .off = off, .gfp = GFP_KERNEL, .node = -1,
				 .is_call = true };

	cpu_enter(cpu);
	if (cpu->variant == VARIANT_TOLD) {
		what.op = cpu->lab->hdr->ops;	/* it changes in a stop */
		story_begin(cpu, &what);
	}
	return slab_ops[cpu->variant];
}

static void end(struct cpu *cpu, int error, uint64_t off)
{
	if (cpu->variant == VARIANT_TOLD)
		story_end(cpu, error, off, 0, 0);
	cpu_leave(cpu);
}

/* Between two ops of its own, so that CPUs that wait for each other all are. */
static void wait_for_others(struct cpu *cpu)
{
	cpu_order_all(cpu->lab);
	for (unsigned int i = 0; i < cpu->lab->nr_cpus; i++)
		while (i != cpu->id && !cpu_seen_outside(cpu->lab->cpus[i]))
			sched_yield();
}

void entry_kfree_rcu(struct cpu *cpu, void *p)
{
	uint64_t off = (uint64_t)((uint8_t *)p - cpu->base);
	bool full;

	if ((uintptr_t)p <= ZERO_SIZE)
		return;
	begin(cpu, TOLD_KFREE_RCU, 0, 1, off)->free_rcu(cpu, NULL, off, 0, &full);
	end(cpu, 0, 0);
	if (!full)
		return;
	wait_for_others(cpu);
	begin(cpu, TOLD_KFREE, 0, 1, off)->free(cpu, NULL, off, 0);
	end(cpu, 0, 0);
}

struct sheaf *entry_prefill(struct cpu *cpu, struct cache *c, size_t n)
{
	uint64_t at;

	if (!n || n > PREFILL_MAX)
		return NULL;
	at = begin(cpu, TOLD_SHEAF_PREFILL, c->id, n, 0)->sheaf_prefill(cpu, c, GFP_KERNEL, (uint32_t)n);
	end(cpu, at ? 0 : -ENOMEM, 0);
	return at ? sheaf_at(cpu->lab, at) : NULL;
}

void *entry_alloc_from(struct cpu *cpu, struct sheaf *sheaf)
{
	uint64_t object;

	object = begin(cpu, TOLD_SHEAF_ALLOC, sheaf->cache, 0, 0)->sheaf_alloc(cpu, lab_off(cpu->lab, sheaf), GFP_KERNEL);
	end(cpu, object ? 0 : -ENOMEM, object);
	return object ? cpu->base + object : NULL;
}

int entry_refill(struct cpu *cpu, struct sheaf **sheaf, size_t n)
{
	uint64_t at = lab_off(cpu->lab, *sheaf);
	bool done;

	if (n > PREFILL_MAX)
		return -EINVAL;
	done = begin(cpu, TOLD_SHEAF_REFILL, (*sheaf)->cache, n, 0)->sheaf_refill(cpu, &at, GFP_KERNEL, (uint32_t)n);
	end(cpu, done ? 0 : -ENOMEM, 0);
	*sheaf = sheaf_at(cpu->lab, at);
	return done ? 0 : -ENOMEM;
}

void entry_return(struct cpu *cpu, struct sheaf *sheaf)
{
	begin(cpu, TOLD_SHEAF_RETURN, sheaf->cache, 0, 0)->sheaf_return(cpu, lab_off(cpu->lab, sheaf), GFP_KERNEL);
	end(cpu, 0, 0);
}
