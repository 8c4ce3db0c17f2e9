/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slab/grace.h"

#include <stdlib.h>

struct grace {
	pfn_t waiting;			/* this period's slabs */
	pfn_t next;			/* came later: they wait for the next one */
	unsigned int nr_unseen;
	uint8_t unseen[];		/* by CPU: not yet seen outside in this period */
};

static struct grace *grace_of(struct cpu *cpu)
{
	if (!cpu->grace) {
		cpu->grace = calloc(1, sizeof(struct grace) + cpu->lab->nr_cpus);
		if (!cpu->grace)
			abort();	/* a few hundred bytes */
		cpu->grace->waiting = cpu->grace->next = PFN_NONE;
	}
	return cpu->grace;
}

bool grace_is_over(struct cpu *cpu)
{
	if (cpu->grace && (cpu->grace->waiting != PFN_NONE || cpu->grace->next != PFN_NONE))
		return false;		/* keep the order of those that wait */
	return cpu->alone;
}

void grace_wait(struct cpu *cpu, pfn_t slab)
{
	struct grace *g = grace_of(cpu);

	lab_page(cpu->lab, slab)->next = g->next;
	g->next = slab;
}

static void begin_period(struct cpu *cpu, struct grace *g)
{
	g->waiting = g->next;
	g->next = PFN_NONE;
	g->nr_unseen = 0;
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

pfn_t grace_take(struct cpu *cpu)
{
	struct grace *g = grace_of(cpu);
	pfn_t done;

	if (g->waiting == PFN_NONE) {
		if (g->next == PFN_NONE)
			return PFN_NONE;
		begin_period(cpu, g);
	}
	look_around(cpu, g);
	if (g->nr_unseen)
		return PFN_NONE;
	done = g->waiting;
	g->waiting = PFN_NONE;
	return done;
}

pfn_t grace_take_all(struct cpu *cpu)
{
	struct grace *g = cpu->grace;
	pfn_t chain, last;

	if (!g)
		return PFN_NONE;
	chain = g->waiting;
	if (chain == PFN_NONE) {
		chain = g->next;
	} else if (g->next != PFN_NONE) {
		for (last = chain; lab_page(cpu->lab, last)->next != PFN_NONE; )
			last = lab_page(cpu->lab, last)->next;
		lab_page(cpu->lab, last)->next = g->next;
	}
	g->waiting = g->next = PFN_NONE;
	return chain;
}

void grace_drop(struct cpu *cpu)
{
	free(cpu->grace);
	cpu->grace = NULL;
}
