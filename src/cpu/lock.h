/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock - a lock that is a few words in the region.
 *
 * Idea. 0 free, 1 held. Waiting spins briefly, then sleeps (futex), so that 64
 * CPUs on two host CPUs progress. Giving back is a plain store and a look at
 * the number of sleepers: who goes to sleep has counted himself first and then
 * ordered every CPU (membarrier), so either the holder sees him or he sees the
 * lock free. The holder counts acquisitions and contention in the lock itself.
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
	uint16_t rank;
	uint16_t sleepers;
	uint64_t acquired;	/* counted variants only */
	uint64_t contended;
	uint64_t wait_ns;	/* of the contended ones */
};

/* Nobody holds it or waits for it, and it is of this rank: so it must be in a stop. */
static inline bool lock_is_idle(const struct lock *lock, enum lock_rank rank)
{
	return !lock->word && !lock->sleepers && lock->rank == rank;
}

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
	if (cpu->alone)
		return;
	__atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
	barrier();
	if (unlikely(__atomic_load_n(&lock->sleepers, __ATOMIC_RELAXED)))
		lock_wake(lock);
}

#endif
