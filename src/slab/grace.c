/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/grace.h"

#include <stdlib.h>

#include "slab/deferred.h"

struct grace {
	pfn_t slabs[RCU_OVER];		/* which go as soon as they may */
	unsigned int nr_unseen;
	uint8_t unseen[];		/* by CPU: not yet seen outside in this period */
};

static struct grace *grace_of(struct cpu *cpu)
{
	if (!cpu->grace) {
		cpu->grace = calloc(1, sizeof(struct grace) + cpu->lab->nr_cpus);
		if (!cpu->grace)
			abort();	/* a few hundred bytes */
		cpu->grace->slabs[RCU_NEXT] = cpu->grace->slabs[RCU_WAITING] = PFN_NONE;
	}
	return cpu->grace;
}

bool grace_is_over(struct cpu *cpu)
{
	if (cpu->grace && (cpu->grace->slabs[RCU_WAITING] != PFN_NONE || cpu->grace->slabs[RCU_NEXT] != PFN_NONE))
		return false;		/* keep the order of those that wait */
	return cpu->alone;
}

void grace_wait(struct cpu *cpu, pfn_t slab)
{
	struct grace *g = grace_of(cpu);

	lab_page(cpu->lab, slab)->next = g->slabs[RCU_NEXT];
	g->slabs[RCU_NEXT] = slab;
}

static void begin_period(struct cpu *cpu, struct grace *g)
{
	g->slabs[RCU_WAITING] = g->slabs[RCU_NEXT];
	g->slabs[RCU_NEXT] = PFN_NONE;
	rcu_move(cpu->lab, &cpu->part->rcu[RCU_WAITING], &cpu->part->rcu[RCU_NEXT]);
	g->nr_unseen = 0;
	if (cpu->alone)
		return;
	cpu_order_all(cpu->lab);
	for (unsigned int i = 0; i < cpu->lab->nr_cpus; i++) {
		g->unseen[i] = i != cpu->id;
		g->nr_unseen += g->unseen[i];
	}
}

static void look_around(struct cpu *cpu, struct grace *g)
{
	for (unsigned int i = 0; i < cpu->lab->nr_cpus && g->nr_unseen; i++)
		if (g->unseen[i] && cpu_seen_outside(cpu->lab->cpus[i])) {
			g->unseen[i] = 0;
			g->nr_unseen--;
		}
}

/* A period costs every CPU an interruption: single objects wait for company, unless nobody else is there. */
static bool is_enough(const struct cpu *cpu, const struct grace *g)
{
	const struct rcu_batch *next = &cpu->part->rcu[RCU_NEXT];

	if (g->slabs[RCU_NEXT] != PFN_NONE || next->sheaves.first)
		return true;
	return next->blocks.first && (cpu->alone || next->blocks.first != next->blocks.last);
}

bool grace_poll(struct cpu *cpu)
{
	struct rcu_batch *waiting = &cpu->part->rcu[RCU_WAITING];
	struct grace *g = grace_of(cpu);

	if (g->slabs[RCU_WAITING] == PFN_NONE && !waiting->sheaves.first && !waiting->blocks.first) {
		if (!is_enough(cpu, g))
			return false;
		begin_period(cpu, g);
	}
	look_around(cpu, g);
	if (g->nr_unseen)
		return false;
	rcu_move(cpu->lab, &cpu->part->rcu[RCU_OVER], waiting);
	return true;
}

pfn_t grace_take(struct cpu *cpu)
{
	struct grace *g = grace_of(cpu);
	pfn_t done = g->slabs[RCU_WAITING];

	g->slabs[RCU_WAITING] = PFN_NONE;
	return done;
}

pfn_t grace_take_all(struct cpu *cpu)
{
	struct grace *g = cpu->grace;
	pfn_t chain, last;

	if (!g)
		return PFN_NONE;
	chain = g->slabs[RCU_WAITING];
	if (chain == PFN_NONE) {
		chain = g->slabs[RCU_NEXT];
	} else if (g->slabs[RCU_NEXT] != PFN_NONE) {
		for (last = chain; lab_page(cpu->lab, last)->next != PFN_NONE; )
			last = lab_page(cpu->lab, last)->next;
		lab_page(cpu->lab, last)->next = g->slabs[RCU_NEXT];
	}
	g->slabs[RCU_WAITING] = g->slabs[RCU_NEXT] = PFN_NONE;
	return chain;
}

void grace_drop(struct cpu *cpu)
{
	free(cpu->grace);
	cpu->grace = NULL;
}
