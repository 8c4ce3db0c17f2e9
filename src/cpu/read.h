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

/*
 * Its steps: how many of o->steps are still kept (0: newer ops wrote over them),
 * and one of these. Where it told more than STORY_MAX, those missing are
 * before nr STORY_FIRST.
 */
uint32_t story_kept(const struct lab *lab, unsigned int cpu, const struct story_op *o);
const struct step *story_step_read(const struct lab *lab, unsigned int cpu, const struct story_op *o, uint32_t nr);

/* A counter of room LAB on one CPU. */
uint64_t cpu_event(const struct lab *lab, unsigned int cpu, enum event_id ev);

/* ---- latency, measured on request (cpu/latency.h) ---- */

enum latency_op { LATENCY_ALLOC, LATENCY_FREE, LATENCY_BULK_ALLOC, LATENCY_BULK_FREE, LATENCY_PAGE_ALLOC, LATENCY_PAGE_FREE,
		  LATENCY_PAGE_BULK_ALLOC, LATENCY_PAGE_BULK_FREE, LATENCY_OPS };
enum latency_path { LATENCY_FAST, LATENCY_SLOW, LATENCY_NEW, LATENCY_BACK, LATENCY_PATHS };
#define LATENCY_BUCKETS 480	/* sixteen to a power of two, of a cycle counter's ticks */
#define LATENCY_QUANTILES 4	/* 50, 90, 99, 99.9 per cent */
#define LATENCY_POWERS 24
extern const char *const latency_op_names[LATENCY_OPS];
extern const char *const latency_path_names[LATENCY_PATHS];

struct latency_figures {
	uint64_t count;
	double mean_ns, max_ns, quantile_ns[LATENCY_QUANTILES];
	double power_ns;			/* power[0] is below this, power[i] below 2^i times it */
	uint64_t power[LATENCY_POWERS];
};
/* Of all CPUs together; false while it is off. */
bool latency_read(const struct lab *lab, enum latency_op op, enum latency_path path, struct latency_figures *f);

#endif
