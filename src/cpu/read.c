/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/read.h"

#include "cpu/cpu.h"

bool lab_cpu_online(const struct lab *lab, unsigned int cpu)
{
	return lab->cpus[cpu]->part->online;
}

uint64_t cpu_event(const struct lab *lab, unsigned int cpu, enum event_id ev)
{
	return __atomic_load_n(&lab->cpus[cpu]->part->lab_events[ev - EV_LAB_FIRST], __ATOMIC_RELAXED);
}

const struct story_op *story_read(const struct lab *lab, unsigned int cpu, unsigned int back)
{
	const struct cpu_part *part = lab->cpus[cpu]->part;

	if (back >= STORY_OPS || back >= part->story_ops)
		return NULL;
	return &part->story_op[(part->story_ops - 1 - back) % STORY_OPS];
}

uint32_t story_kept(const struct lab *lab, unsigned int cpu, const struct story_op *o)
{
	if (lab->cpus[cpu]->part->story_steps - o->first > STORY_STEPS)
		return 0;
	return o->steps < STORY_MAX ? o->steps : STORY_MAX;
}

const struct step *story_step_read(const struct lab *lab, unsigned int cpu, const struct story_op *o, uint32_t nr)
{
	if (nr >= STORY_FIRST && o->steps > STORY_MAX)
		nr += o->steps - STORY_MAX;
	return &lab->cpus[cpu]->part->story[(o->first + story_place(nr)) % STORY_STEPS];
}
