/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that is free goes back: empty slabs to the page layer, page lists to the buddy lists, free blocks to the host. */
#include <sys/mman.h>

#include "cpu/cpu.h"
#include "op/op.h"
#include "page/ops.h"
#include "page/read.h"
#include "slab/store.h"

struct give {
	struct lab *lab;
	unsigned int order;
};

static bool give_block(pfn_t pfn, void *arg)
{
	struct give *g = arg;

	madvise(g->lab->base + pfn_off(g->lab, pfn), PAGE_SIZE << g->order, MADV_DONTNEED);
	return true;
}

static void shrink_all(struct lab *lab)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor)))
		store_shrink(lab->cpus[0], lab_store(lab, store));
}

void op_trim(struct lab *lab)
{
	lab_stop(lab);
	store_rcu_over(lab, lab->cpus[0]->variant);
	shrink_all(lab);
	if (slab_state(lab)->rcu) {	/* what that gave to the end of grace periods leaves slabs empty */
		store_rcu_over(lab, lab->cpus[0]->variant);
		shrink_all(lab);
	}
	store_finish_grace(lab);
	store_reap(lab);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		page_ops_of(lab)->drain_held(lab->cpus[i]);
	for (unsigned int z = 0; z < lab->nr_zones; z++)
		for (unsigned int order = 0; order < NR_PAGE_ORDERS; order++)
			for (unsigned int type = 0; type < MT_NR; type++)
				free_list_walk(lab, z, order, type, give_block, &(struct give){ lab, order });
	lab->hdr->ops++;
	lab->hdr->done_something = 1;
	lab_resume(lab);
}
