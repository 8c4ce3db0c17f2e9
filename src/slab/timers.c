/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timers of queued engines, on the lab's clock: each CPU looks over its
 * part of every store. CPUs come in order of number, caches newest first.
 */
#include "slab/engine.h"
#include "slab/store.h"

#define MS 1000000ULL

struct timer {
	enum engine_id engine;
	uint64_t first, every;		/* ns; every 0: off */
};

/* Node by node, the CPU's own included. */
static int alien_due(struct cpu *cpu)
{
	unsigned int node = (cpu->node + 1 + cpu->part->reap_turn++) % cpu->lab->nr_nodes;

	return node == cpu->node ? -1 : (int)node;
}

static void pass(struct cpu *cpu, const struct timer *t, uint64_t now)
{
	struct reap r = { .now_ns = now, .part = REAP_BY_TIME, .alien = t->engine == ENGINE_SLAB ? alien_due(cpu) : -1 };
	struct lab *lab = cpu->lab;

	for (uint32_t i = slab_state(lab)->newest_store; i; i = lab_store(lab, i)->older)
		if (lab_store(lab, i)->engine == t->engine && lab_store(lab, i)->state == STORE_ACTIVE)
			store_ops[t->engine][cpu->variant]->reap(cpu, lab_store(lab, i), &r);
}

static void fire(struct lab *lab, const struct timer *t, uint64_t now)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (lab->cpus[i]->part->online)
			pass(lab->cpus[i], t, now);
}

/* The first moment after `now`. */
static uint64_t next(const struct timer *t, uint64_t now)
{
	if (!t->every)
		return UINT64_MAX;
	return now < t->first ? t->first : t->first + ((now - t->first) / t->every + 1) * t->every;
}

static bool is_used(struct lab *lab, enum engine_id engine)
{
	for (uint32_t i = slab_state(lab)->oldest_store; i; i = lab_store(lab, i)->newer)
		if (lab_store(lab, i)->engine == engine)
			return true;
	return false;
}

void slab_timers(struct lab *lab, uint64_t from, uint64_t to)
{
	const struct slab_policy *p = lab_slab_policy(lab);
	const struct timer timers[] = {
		{ ENGINE_SLAB, p->slabq_reap_ms * MS, p->slabq_reap_ms * MS },
		{ ENGINE_SLQB, 1000 * MS, p->slqb_trim_ms * MS },	/* the first a second after the start */
	};

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++) {
		if (!is_used(lab, timers[i].engine))
			continue;
		for (uint64_t now = next(&timers[i], from); now <= to; now = next(&timers[i], now))
			fire(lab, &timers[i], now);
	}
}
