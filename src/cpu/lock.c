/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/lock.h"

#include "base/clock.h"
#include "event/stacks.h"

#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS 400	/* some microseconds: lines of a busy lock come from afar; then the holder has lost its host CPU */
#define NAP_NS 1000000

static bool take_now(struct lock *lock)
{
	uint32_t zero = 0;

	return !__atomic_load_n(&lock->word, __ATOMIC_RELAXED) &&
	       __atomic_compare_exchange_n(&lock->word, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static bool spin(struct lock *lock)
{
	for (int i = 0; i < SPINS; i++) {
		if (take_now(lock))
			return true;
		cpu_relax();
	}
	return false;
}

/* A host that orders no CPUs may lose a wake-up: there a sleep is short. */
static void sleep_for(struct lock *lock)
{
	struct timespec nap = { .tv_nsec = NAP_NS };
	bool ordered;

	__atomic_fetch_add(&lock->sleepers, 1, __ATOMIC_SEQ_CST);
	ordered = cpu_order_host();
	while (!take_now(lock))
		syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, 1, ordered ? NULL : &nap, NULL, 0);
	__atomic_fetch_sub(&lock->sleepers, 1, __ATOMIC_RELAXED);
}

uint64_t lock_wait(struct lock *lock, bool counting)
{
	uint64_t from = counting ? host_ns() : 0, waited;

	if (!spin(lock))
		sleep_for(lock);
	if (!counting)
		return 0;
	waited = host_ns() - from;
	__atomic_store_n(&lock->contended, lock->contended + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->wait_ns, lock->wait_ns + waited, __ATOMIC_RELAXED);
	return waited ? waited : 1;
}

void lock_stack(const struct cpu *cpu, const struct lock *lock)
{
	if (lock->rank == RANK_ZONE)
		stacks_note(cpu->stacks, STACK_ZONE_LOCK);
	else if (lock->rank == RANK_NODE_LIST)
		stacks_note(cpu->stacks, STACK_LIST_LOCK);
}

void lock_wake(struct lock *lock)
{
	syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#if defined(SLABLAB_CHECK_RANKS)
#define HELD_MAX 8
static _Thread_local const struct lock *held[HELD_MAX];
static _Thread_local int nr_held;

static void rank_bug(const struct lock *lock, const char *what)
{
	fprintf(stderr, "slablab: bug: lock of rank %u %s\n", lock->rank, what);
	abort();
}

void lock_rank_push(const struct lock *lock)
{
	if (nr_held && held[nr_held - 1]->rank >= lock->rank)
		rank_bug(lock, "taken under one of the same or a higher rank");
	if (nr_held == HELD_MAX)
		rank_bug(lock, "is one too many");
	held[nr_held++] = lock;
}

void lock_rank_pop(const struct lock *lock)
{
	if (!nr_held || held[nr_held - 1] != lock)
		rank_bug(lock, "given back out of order");
	nr_held--;
}
#endif
