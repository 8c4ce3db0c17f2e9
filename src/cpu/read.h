/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read - CPUs as views may see them: stops, who is online, counters; no playing. */
#ifndef CPU_READ_H
#define CPU_READ_H

#include "cpu/told.h"
#include "event/event.h"
#include "lab/lab.h"

/* Hold all CPUs between ops, for a consistent picture. Nests. */
void lab_stop(struct lab *lab);
void lab_resume(struct lab *lab);

bool lab_cpu_online(const struct lab *lab, unsigned int cpu);

/*
 * A told op of one CPU, `back` of them ago (0: the newest); NULL when that is
 * no longer kept. Needs a stop; valid until the lab goes on.
 */
const struct story_op *story_read(const struct lab *lab, unsigned int cpu, unsigned int back);

/* Its steps: how many of o->steps are still kept (0: newer ops wrote over them), and one of them. */
uint32_t story_kept(const struct lab *lab, unsigned int cpu, const struct story_op *o);
const struct step *story_step_read(const struct lab *lab, unsigned int cpu, const struct story_op *o, uint32_t nr);

/* A counter of room LAB on one CPU. */
uint64_t cpu_event(const struct lab *lab, unsigned int cpu, enum event_id ev);

#endif
