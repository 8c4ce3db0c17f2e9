/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What waits for a grace period, walked and checked in a stop. */
#include "slab/deferred.h"

#include <errno.h>

#include "base/fail.h"
#include "lab/heap.h"
#include "slab/audit.h"
#include "slab/sheaves.h"

void deferred_walk(struct lab *lab, bool (*fn)(uint32_t cpu, uint64_t off, void *arg), void *arg)
{
	for (uint32_t i = 0; i < lab->nr_cpus; i++)
		for (int batch = RCU_BATCHES; batch-- > 0; )
			for (uint64_t p = lab->cpus[i]->part->rcu[batch].blocks.first; p; p = deferred_block(lab, p)->next)
				for (uint64_t n = 0; n < deferred_block(lab, p)->nr; n++)
					if (!fn(i, DEFERRED_OFF(deferred_block(lab, p)->object[n]), arg))
						return;
}

/* ---- check ---- */

static int check_object(struct lab *lab, struct audit *a, uint64_t off)
{
	const struct page *page;

	if (off - lab->arena_off >= lab->arena_bytes)
		return fail(EUCLEAN, "R2: what waits for a grace period at 0x%llx is no object", (unsigned long long)off);
	page = lab_page(lab, off_pfn(lab, off));
	if (!page->store)
		return page->role == PAGE_LARGE && audit_mark(a, off) ? 0
			: fail(EUCLEAN, "R2: what waits for a grace period at 0x%llx is no large block, or waits twice", (unsigned long long)off);
	a->s = lab_store(lab, page->store);
	return audit_out(a, "R2", off);
}

static int check_blocks(struct lab *lab, struct audit *a, const struct rcu_list *list)
{
	uint64_t p = list->first, last = 0, most = lab->hdr->heap_top / sizeof(struct deferred_block);
	int ret = 0;

	for (; p && !ret; last = p, p = deferred_block(lab, p)->next) {
		const struct deferred_block *b = deferred_block(lab, p);

		if (!audit_piece(lab, p, sizeof(*b)) || !most-- || !b->nr || b->nr > DEFERRED_BLOCK)
			return fail(EUCLEAN, "R1: a block of objects that wait for a grace period is damaged");
		for (uint64_t i = 0; i < b->nr && !ret; i++)
			ret = check_object(lab, a, DEFERRED_OFF(b->object[i]));
	}
	return ret || last == list->last ? ret : fail(EUCLEAN, "R1: the list of objects that wait ends before its last block");
}

/* Whose they are, and that they are on the list; what they hold the store's check looks at. */
static int check_sheaves(struct lab *lab, struct audit *a, unsigned int cpu, const struct rcu_list *list, uint32_t *nr)
{
	uint64_t last = 0, most = lab->hdr->heap_top / sizeof(struct sheaf);

	for (uint64_t p = list->first; p; last = p, p = sheaf_at(lab, p)->next) {
		const struct sheaf *sheaf = sheaf_at(lab, p);

		if (!audit_piece(lab, p, sizeof(*sheaf)) || !most-- || !sheaf->store || sheaf->store >= slab_state(lab)->nr_stores ||
		    lab_store(lab, sheaf->store)->engine != ENGINE_SHEAVES || !lab_store(lab, sheaf->store)->sheaf.capacity ||
		    lab_store(lab, sheaf->store)->state == STORE_FREE || sheaf->node >= lab->nr_nodes)
			return fail(EUCLEAN, "R1: CPU %u: a sheaf that waits for a grace period is of no store", cpu);
		if (sheaf->store == a->s->number)
			++*nr;
	}
	return last == list->last ? 0 : fail(EUCLEAN, "R1: CPU %u: the list of sheaves that wait ends before its last one", cpu);
}

int deferred_check_sheaves(struct lab *lab, struct audit *a, unsigned int cpu, uint32_t *nr)
{
	int ret = 0;

	*nr = 0;
	for (int batch = 0; batch < RCU_BATCHES && !ret; batch++)
		ret = check_sheaves(lab, a, cpu, &lab->cpus[cpu]->part->rcu[batch].sheaves, nr);
	return ret;
}

int deferred_check(struct lab *lab, struct audit *a)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++)
		for (int batch = 0; batch < RCU_BATCHES && !ret; batch++) {
			const struct rcu_batch *rcu = &lab->cpus[i]->part->rcu[batch];

			ret = check_blocks(lab, a, &rcu->blocks);
			if (!ret && (rcu->blocks.first || rcu->sheaves.first) && !slab_state(lab)->rcu)
				ret = fail(EUCLEAN, "R1: CPU %u has what waits for a grace period, and nobody would look", i);
		}
	return ret;
}

static int batch_pieces(struct lab *lab, struct heap_audit *a, const struct rcu_batch *rcu)
{
	int ret = 0;

	for (uint64_t p = rcu->blocks.first; p && !ret; p = ret ? 0 : deferred_block(lab, p)->next)
		ret = heap_audit_piece(a, "a block of deferred frees", p, sizeof(struct deferred_block));
	for (uint64_t p = ret ? 0 : rcu->sheaves.first; p && !ret; p = ret ? 0 : sheaf_at(lab, p)->next)
		ret = audit_piece(lab, p, sizeof(struct sheaf))
			      ? heap_audit_piece(a, "a waiting sheaf", p, sheaf_bytes(sheaf_at(lab, p)->capacity))
			      : fail(EUCLEAN, "M1: a waiting sheaf is no piece of side memory");
	return ret;
}

/* First of all: a list that runs in a ring meets a piece that is taken. */
int deferred_pieces(struct lab *lab, struct heap_audit *a)
{
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		for (int batch = 0; batch < RCU_BATCHES && !ret; batch++)
			ret = batch_pieces(lab, a, &lab->cpus[i]->part->rcu[batch]);
	return ret;
}
