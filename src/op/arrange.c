/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ops that shape a lab as a whole: free lists to given counts, CPUs in and out, every check. */
#include <errno.h>
#include <stdlib.h>

#include "base/fail.h"
#include "cpu/cpu.h"
#include "lab/handle.h"
#include "lab/heap.h"
#include "op/op.h"
#include "page/arrange.h"
#include "page/ops.h"
#include "policy/policy.h"
#include "slab/engine.h"
#include "slab/prefill.h"
#include "slab/read.h"
#include "slab/store.h"

int op_arrange_free(struct lab *lab, unsigned int zone, const struct free_wish *wish, struct held_block **held,
		    uint64_t *held_nr)
{
	struct held_pages *pages = NULL;
	uint64_t nr = 0;
	struct held_block *more;
	int ret;

	lab_stop(lab);
	ret = page_arrange(lab->cpus[0], zone, wish, &pages, &nr);
	lab->hdr->ops++;
	lab->hdr->done_something = 1;
	lab_resume(lab);
	if (!ret && nr) {
		more = realloc(*held, (*held_nr + nr) * sizeof(**held));
		if (!more) {
			free(pages);
			return fail(ENOMEM, "the host has no memory for a list of %llu blocks", (unsigned long long)nr);
		}
		for (uint64_t i = 0; i < nr; i++)
			more[*held_nr + i] = (struct held_block){ pfn_off(lab, pages[i].pfn), (uint8_t)pages[i].order };
		*held = more;
		*held_nr += nr;
	}
	free(pages);
	return ret;
}

uint64_t op_arrange_blocks(const struct free_wish *wish, unsigned int pageblock_order, uint64_t managed)
{
	return page_arrange_tops(wish, pageblock_order, managed);
}

static unsigned int nr_online(const struct lab *lab)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		nr += lab->cpus[i]->part->online;
	return nr;
}

/* A CPU that leaves gives up its slabs, chains and page lists. */
static void empty_cpu(struct lab *lab, struct cpu *cpu)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor))) {
		struct store *s = lab_store(lab, store);

		if (engines[s->engine]->has_cpu_part(cpu, s))
			store_ops[s->ops][cpu->variant]->flush_cpu(cpu, s);
	}
	page_ops[cpu->variant].drain_held(cpu);
}

static void tell_engines(struct lab *lab, struct cpu *cpu)
{
	uint32_t cursor = 0, store;

	while ((store = store_next(lab, &cursor)))
		if (engines[lab_store(lab, store)->engine]->cpus_changed)
			engines[lab_store(lab, store)->engine]->cpus_changed(lab, lab_store(lab, store), cpu);
}

int op_cpu_online(struct lab *lab, unsigned int id, bool online)
{
	struct cpu *cpu;
	int ret = 0;

	if (id >= lab->nr_cpus)
		return fail(EINVAL, "CPU %u is out of range (0 .. %u)", id, lab->nr_cpus - 1);
	cpu = lab->cpus[id];
	lab_stop(lab);
	store_rcu_over(lab, cpu->variant);
	if (cpu->part->online == online)
		ret = 0;
	else if (cpu->player != PLAYED_BY_CONTROL)
		ret = fail(EBUSY, "CPU %u is bound by a thread", id);
	else if (!online && nr_online(lab) == 1)
		ret = fail(EBUSY, "CPU %u is the last one online", id);
	else {
		if (!online)
			empty_cpu(lab, cpu);
		cpu->part->online = online;
		tell_engines(lab, cpu);
		page_policy_changed(lab, PAGE_CHANGE_SIZES);
		lab->hdr->ops++;
		lab->hdr->done_something = 1;
	}
	lab_release(lab);
	return ret;
}

static int heap_check(struct lab *lab)
{
	struct heap_audit a;
	int ret = heap_audit_begin(&a, lab);

	if (ret)
		return ret;
	ret = handle_audit(lab, &a);
	if (!ret)
		ret = slab_audit(lab, &a);
	return heap_audit_end(&a, ret);
}

/* A member that is a sheaf is one that was handed out. */
static int check_sheaves(struct lab *lab)
{
	uint64_t cursor = 0;
	struct handle *h;

	while ((h = handle_next(lab, &cursor)))
		for (uint32_t i = 0; i < h->nr; i++) {
			const struct member *m = handle_members(lab, h) + i;

			if (m->kind == MEMBER_SHEAF && m->off && !sheaf_is_held(lab, m->off))
				return fail(EUCLEAN, "H4: %s[%u] names a sheaf that was not handed out", h->name, i);
		}
	return 0;
}

int lab_check(struct lab *lab)
{
	int ret;

	lab_stop(lab);
	store_finish_grace(lab);
	store_reap(lab);
	ret = heap_check(lab);
	if (!ret)
		ret = policy_check(lab);
	if (!ret)
		ret = cpu_check(lab);
	if (!ret)
		ret = page_check(lab);
	if (!ret)
		ret = slab_check(lab);
	if (!ret)
		ret = handle_check(lab);
	if (!ret)
		ret = check_sheaves(lab);
	lab_resume(lab);
	return ret;
}
