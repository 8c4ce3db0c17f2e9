/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drain - emptying another CPU's page lists while it runs.
 *
 * The one place where an operation waits for another CPU. The owner marks
 * itself busy around each operation on its lists and looks at the drain mark;
 * a drainer sets the mark, orders every CPU, waits while busy is set, plays
 * the owner, clears the mark. An owner that finds the mark set goes past its
 * lists (pcp_bypass, reason lock). The drainer is not itself busy and holds no
 * zone lock, so two drainers cannot block each other. (pages.md section 10)
 */
#ifndef CPU_DRAIN_H
#define CPU_DRAIN_H

#include "cpu/cpu.h"

/* The owner is marked busy and met a word of somebody's: is it no drain? Fences for hosts without membarrier, as cpu_enter_slow() does. */
bool cpu_pcp_may(struct cpu *cpu);

/* Try to use one's own page lists. */
static inline bool cpu_pcp_try(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS)
		return pthread_mutex_trylock(&cpu->tsan_drain) == 0;
	*(volatile uint32_t *)&cpu->marks.pcp_busy = 1;
	barrier();
	if (unlikely(*(volatile uint64_t *)&cpu->marks.others) && !cpu_pcp_may(cpu))
		return false;
	barrier();
	return true;
}

static inline void cpu_pcp_done(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS)
		pthread_mutex_unlock(&cpu->tsan_drain);
	else
		__atomic_store_n(&cpu->marks.pcp_busy, 0, __ATOMIC_RELEASE);
}

/* Begin an op that begins with one's own page lists. False: somebody wants the CPU or its lists, and no op was begun. */
static inline bool cpu_try_enter_lists(struct cpu *cpu)
{
	const struct cpu_marks both = { .in_op = 1, .pcp_busy = 1 };

	if (CPU_MARKS_ARE_LOCKS) {
		if (cpu_try_enter(cpu) && cpu_pcp_try(cpu))
			return true;
		cpu_leave(cpu);
		return false;
	}
	*(volatile uint64_t *)&cpu->marks.own = both.own;
	barrier();
	if (unlikely(*(volatile uint64_t *)&cpu->marks.others)) {
		*(volatile uint64_t *)&cpu->marks.own = 0;
		return false;
	}
	barrier();
	return true;
}

static inline void cpu_leave_lists(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS) {
		cpu_pcp_done(cpu);
		cpu_leave(cpu);
	} else {
		__atomic_store_n(&cpu->marks.own, 0, __ATOMIC_RELEASE);
	}
}

/* Keep the owner out of its lists; false if another drainer has them. */
bool cpu_drain_begin(struct cpu *owner);
void cpu_drain_end(struct cpu *owner);

/*
 * The owner as `self` plays it meanwhile: its lists and their counts. What is
 * told goes into the story and the trace of `self`: the owner may be telling
 * its own.
 */
struct cpu cpu_drained(const struct cpu *owner, const struct cpu *self);

#endif
