/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency - how long ops take, by what they are and which way they went.
 *
 * Idea. Measured on request only: while it is off, CPUs call the same code as
 * ever and nothing looks at a clock. On, every op and every call of the C
 * interface is timed, each CPU into histograms of its own whose buckets are a
 * sixteenth of a power of two wide. Slow steps leave a mark in cpu->path, by
 * which the op is put down: what left none was a hit.
 *
 * Ownership. Histograms are host memory; a CPU's are written by its player.
 *
 * Units. Ticks of the host's cycle counter; readers get nanoseconds.
 */
#ifndef CPU_LATENCY_H
#define CPU_LATENCY_H

#include "base/clock.h"
#include "cpu/read.h"

struct cpu;

struct latency {
	uint64_t count[LATENCY_OPS][LATENCY_PATHS], sum[LATENCY_OPS][LATENCY_PATHS], max[LATENCY_OPS][LATENCY_PATHS];
	uint32_t bucket[LATENCY_OPS][LATENCY_PATHS][LATENCY_BUCKETS];
};

/* Marks of cpu->path, of this op; the last two: an object or a page was refused on purpose. */
enum { WENT_SLOW = 1, WENT_NEW = 2, WENT_BACK = 4, WENT_NOWHERE = 8, WENT_TO_NO_ZONE = 16 };

static inline uint64_t latency_clock(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return host_ns();
#endif
}

/* In a stop. -ENOMEM with a sentence. */
int latency_on(struct lab *lab);
void latency_off(struct lab *lab);
void latency_clear(struct lab *lab);

/* An op took so many ticks of latency_clock(). */
void latency_add(struct cpu *cpu, enum latency_op op, uint64_t ticks);

#endif
