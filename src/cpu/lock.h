/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock - a lock that is three words in the region.
 *
 * Idea. 0 free, 1 held, 2 held and somebody sleeps. Waiting spins briefly,
 * then sleeps (futex), so that 64 CPUs on two host CPUs progress. The holder
 * counts acquisitions and contention in the lock itself.
 *
 * Ranks, lowest first: cache list < alien arrays < node list < barns and
 * remote queues < LRU lists < entries < page lists < zone < debug texts. A thread
 * takes only locks of a higher rank than those it holds; debug and sanitizer
 * builds verify it.
 */
#ifndef CPU_LOCK_H
#define CPU_LOCK_H

#include "base/types.h"
#include "cpu/cpu.h"

enum lock_rank { RANK_CACHES = 1, RANK_ALIEN, RANK_NODE_LIST, RANK_QUEUE, RANK_LRU, RANK_ENTRIES, RANK_PCP, RANK_ZONE, RANK_DEBUG };

struct lock {
	uint32_t word;
	uint32_t rank;
	uint64_t acquired;	/* counted variants only */
	uint64_t contended;
	uint64_t wait_ns;	/* of the contended ones */
};

#if defined(SLABLAB_CHECK_RANKS)
void lock_rank_push(const struct lock *lock);
void lock_rank_pop(const struct lock *lock);
#else
#define lock_rank_push(lock) ((void)(lock))
#define lock_rank_pop(lock) ((void)(lock))
#endif

/* Returns the ns it took, at least 1, or 0 when not counting. */
uint64_t lock_wait(struct lock *lock, bool counting);
void lock_wake(struct lock *lock);
void lock_stack(const struct cpu *cpu, const struct lock *lock);	/* who takes it is wanted */

/*
 * Taken as `cpu`. A CPU that is alone in its lab (cpu.h) meets nobody: it only
 * counts. Returns the ns that it had to wait, 0 if it had not (or nobody counts).
 */
static inline uint64_t lock_take(const struct cpu *cpu, struct lock *lock, bool counting)
{
	uint32_t free_word = 0;
	uint64_t waited = 0;

	lock_rank_push(lock);
	if (unlikely(cpu->stacks))
		lock_stack(cpu, lock);
	if (!cpu->alone && unlikely(!__atomic_compare_exchange_n(&lock->word, &free_word, 1, false,
						  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
		waited = lock_wait(lock, counting);
	if (counting)	/* written by the holder alone, read by anybody */
		__atomic_store_n(&lock->acquired, lock->acquired + 1, __ATOMIC_RELAXED);
	return waited;
}

static inline void lock_give(const struct cpu *cpu, struct lock *lock)
{
	lock_rank_pop(lock);
	if (!cpu->alone && unlikely(__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2))
		lock_wake(lock);
}

#endif
