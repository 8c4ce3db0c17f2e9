/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read - CPUs as views may see them: stops, who is online, counters; no playing. */
#ifndef CPU_READ_H
#define CPU_READ_H

#include "event/event.h"
#include "lab/lab.h"

/* Hold all CPUs between ops, for a consistent picture. Nests. */
void lab_stop(struct lab *lab);
void lab_resume(struct lab *lab);

bool lab_cpu_online(const struct lab *lab, unsigned int cpu);

/* A counter of room LAB on one CPU. */
uint64_t cpu_event(const struct lab *lab, unsigned int cpu, enum event_id ev);

#endif
