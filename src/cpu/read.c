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
