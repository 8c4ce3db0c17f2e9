/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLUB's word on a slab that there was no memory for: which cache, and what it
 * has on each node. Since 2.6.31; not of requests that want no warning, and ten
 * times in five seconds at most. (slab-observables.md section 3)
 */
#include "slab/debug.h"

#include <string.h>

#include "base/bits.h"
#include "base/gfp.h"
#include "slab/store.h"

#define PERIOD_NS 5000000000ULL
#define PER_PERIOD 10

/* Free objects of slabs on the node's list: what its kernel counts. */
static uint64_t free_on(struct cpu *cpu, struct slub_node *n)
{
	uint64_t nr = 0;

	lock_take(cpu, &n->lock, false);
	for (pfn_t pfn = n->partial.head; pfn != PFN_NONE; pfn = lab_page(cpu->lab, pfn)->next) {
		struct slab_counts c = slab_counts(lab_page(cpu->lab, pfn));

		nr += c.objects - c.inuse;
	}
	lock_give(cpu, &n->lock);
	return nr;
}

static void look(struct cpu *cpu, const struct store *s, struct debug_shortage *what)
{
	*what = (struct debug_shortage){ .object_size = s->object_size, .size = s->g.size, .order = s->g.order,
					 .min_order = s->g.min_order, .nr_nodes = cpu->lab->nr_nodes };
	if (s->g.min_order > get_order(s->object_size))
		what->hint = s->era < ERA_6_8 ? HINT_SLUB_DEBUG : HINT_SLAB_DEBUG;
	for (unsigned int i = 0; i < what->nr_nodes; i++) {
		struct slub_node *n = store_node(cpu->lab, s, i);

		what->node[i].slabs = __atomic_load_n(&n->nr_slabs, __ATOMIC_RELAXED);
		what->node[i].objects = __atomic_load_n(&n->total_objects, __ATOMIC_RELAXED);
		what->node[i].free = free_on(cpu, n);
	}
}

/* With state->lock held. */
static bool may_say(struct debug_state *d, uint64_t now)
{
	if (!d->shortages || now - d->shortage_ns > PERIOD_NS) {
		d->shortage_ns = now;
		d->shortages = 0;
	}
	return d->shortages < PER_PERIOD && ++d->shortages;
}

void debug_shortage(struct cpu *cpu, const struct store *s, uint32_t gfp, int node)
{
	struct debug_state *d = debug_state(cpu->lab);
	struct debug_shortage what;
	struct debug_report *r;

	if (gfp & GFP_BIT_NOWARN || s->era < ERA_3_1)
		return;
	look(cpu, s, &what);
	lock_take(cpu, &d->lock, false);
	if (may_say(d, lab_now(cpu->lab))) {
		r = debug_report_new(cpu, s, DEBUG_shortage);
		r->arg[0] = (uint64_t)(int64_t)node;
		r->arg[1] = gfp;
		memcpy(r->data, &what, sizeof(what));
	}
	lock_give(cpu, &d->lock);
}
