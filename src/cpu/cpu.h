/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu - the processors of a lab: who plays them, and how they are stopped.
 *
 * Idea. The CPU is an argument: every allocator function takes the struct cpu
 * it runs on. A CPU is played by the thread that bound it (C interface), by
 * its own pinned thread (parallel runs), or by whoever holds it stopped (all
 * commands). The moments between two ops are its safe points.
 *
 * Protocol. An op stores `in_op`, then loads `stop`, both plainly; a stopper
 * stores `stop`, makes the order certain on every CPU (membarrier, private
 * expedited) and waits until `in_op` is clear. So the op's side costs two
 * plain stores and a load. Where the host refuses membarrier, the bit
 * STOP_FENCE stands in every stop word for ever: an op then sees a non-zero
 * word, goes the slow way in and issues a real fence there.
 * ThreadSanitizer sees neither form: its builds take a real lock per CPU.
 *
 * Tables. A thread looks up a call in the CPU's table before the call begins
 * its op. A stop that lay in between may have changed the table, and what the
 * old call relied on: STOP_STALE then sends one op the slow way, which is
 * right for whatever there is now.
 *
 * Alone. With at most one CPU owned by a thread, and everybody else playing
 * CPUs only in a stop of all, whoever is in an op meets nobody: locks are only
 * counted and exchanges need no lock prefix. `alone` changes in a stop.
 *
 * Invariants (cpu_check() reports them by these labels)
 *   U1  A CPU is bound by at most one thread.
 *   U2  A CPU is `alone` exactly when at most one CPU has a player of its own.
 *   U3  What is kept of told ops names kinds, events and CPUs that there are.
 * (That no stopped CPU is in an op is shown by tests/unit/litmus.c: a mark seen
 * in a stop may be one that its owner is about to take back.)
 *
 * Locks. lab->control (recursive) is taken by stoppers and binders; no op of
 * a bound CPU takes it but in the slow way in, where it holds nothing.
 */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include <stdatomic.h>

#include "base/types.h"
#include "cpu/read.h"
#include "cpu/told.h"
#include "event/event.h"
#include "lab/lab.h"

struct slub_cpu;
struct store;
struct store_stat;
struct cache_cpu;
struct block;
struct zone;
struct zone_cpu;
struct cache;
struct grace;
struct latency;
struct stacks;
struct trace_ring;

#define STOP_FENCE 0x80000000u	/* no membarrier on this host */
#define STOP_HELD 0x00000001u
#define STOP_STALE 0x00000002u	/* the CPU's table of calls changed: the owner takes it back */

/*
 * Words that other threads read or write: kept free of pointers, so that they
 * could be shared. The owner's two may change, and the others' be looked at,
 * together (drain.h).
 */
struct cpu_marks {
	union {
		struct {
			uint32_t in_op;		/* owner: 1 inside an op */
			uint32_t pcp_busy;	/* owner: 1 inside an operation on its page lists */
		};
		uint64_t own;
	};
	union {
		struct {
			uint32_t stop;		/* stopper: STOP_* */
			uint32_t drain;		/* drainer: 1 while it empties them */
		};
		uint64_t others;
	};
};

/* What waits until every CPU was between ops: pieces of side memory, oldest first (slab/deferred.h). */
struct rcu_list {
	uint64_t first, last;
};
struct rcu_batch {
	struct rcu_list sheaves, blocks;
};
/* Came since the present period began; wait for its end; may go. */
enum { RCU_NEXT, RCU_WAITING, RCU_OVER, RCU_BATCHES };

#define STORY_STEPS 1024	/* and of all that are kept */

/* In the region, one per possible CPU. */
struct cpu_part {
	uint64_t rand;
	uint64_t lab_events[EV_LAB_NR];
	uint8_t online;
	uint32_t reap_turn;		/* passes of the slab timer: whose alien array is due (slab/timers.c) */
	struct rcu_batch rcu[RCU_BATCHES];
	struct told_failure failure;	/* the last one */
	struct told_failure reported[FAILURES_KEPT];	/* the last that wanted a report, in turn */
	uint64_t failures;		/* so many ever */
	uint64_t forgotten;		/* of them, by dmesg --clear */
	uint64_t story_ops, story_steps;	/* told so far; the rings hold the last ones (story.h) */
	struct story_op story_op[STORY_OPS];
	struct step story[STORY_STEPS];
};

enum cpu_player { PLAYED_BY_CONTROL, PLAYED_BY_BINDER, PLAYED_BY_THREAD };

/* The C interface's calls in one variant, with the op's marks around them. */
struct cpu_calls {
	void *(*kmalloc)(struct cpu *cpu, uint64_t bytes);
	void (*kfree)(struct cpu *cpu, void *p);
	void *(*cache_alloc)(struct cpu *cpu, struct cache *c);
	void (*cache_free)(struct cpu *cpu, struct cache *c, void *p);
	size_t (*cache_alloc_bulk)(struct cpu *cpu, struct cache *c, size_t n, void **p);
	void (*cache_free_bulk)(struct cpu *cpu, struct cache *c, size_t n, void **p);
	void *(*alloc_pages)(struct cpu *cpu, unsigned int order, uint32_t gfp);
	void (*free_pages)(struct cpu *cpu, void *p, unsigned int order);
	size_t (*alloc_pages_bulk)(struct cpu *cpu, size_t n, void **p);
	void (*free_pages_bulk)(struct cpu *cpu, size_t n, void **p);
};

/* In host memory. The first lines are what an op touches. */
struct cpu {
	struct cpu_marks marks;
	uint8_t *base;			/* the region */
	struct slub_cpu *slub;		/* this CPU's parts of stores, by store number */
	struct cache_cpu *cache_cpu;	/* this CPU's counts of caches, by cache id */
	struct store_stat *stat;
	struct store *stores;		/* of the lab, by number */
	struct cpu_calls calls;		/* in this CPU's variant */
	struct page *pages;
	uint8_t *arena;			/* of the region */
	uint64_t arena_bytes, arena_pages;
	struct slub_cpu *guess;		/* part that served the last kmalloc: a kfree tries it first */
	struct slub_cpu *kmalloc[22];	/* its parts of the normal kmalloc stores, by class index */

	struct zone_cpu *zone_cpu;	/* this CPU's part of each zone, by zone index */
	const struct block *blocks;	/* of the lab */
	struct lab *lab;
	struct cpu_part *part;
	unsigned int id, node;
	bool alone;			/* no other CPU of the lab can be in an op while this one is */
	uint8_t variant;		/* enum variant of its next op */
	uint8_t player;			/* enum cpu_player */
	bool held;			/* stopped by the holder of control, and owned by another thread */
	unsigned int stop_depth;	/* nested cpu_stop() of this CPU */
	struct stacks *stacks;		/* NULL: nobody asks who leads to what (event/stacks.h) */
	struct latency *latency;	/* NULL: nothing is timed */
	uint32_t path;			/* marks of slow steps of this op (cpu/latency.h) */
	uint64_t slab_pages;		/* pages that slabs gave back as this CPU, ever: reclaim looks how many more there are */
	uint32_t refused;		/* objects of this op that checks of a debug store did not let go */
	bool steals;			/* under this hold of a zone's lock a pageblock could not be claimed (page/fallback.c) */
	const struct zone *capture;	/* compacts it for a request: a block of that order which a free of its makes is kept (page/compact.h) */
	uint32_t capture_order, captured;	/* captured: PFN_NONE until then */
	struct grace *grace;		/* what waits for other CPUs (slab/grace.h) */
	struct trace_ring *trace;	/* where told steps go too, NULL while none is on */
	struct cpu *teller;		/* whose story its steps go to: its own but in an op that plays all CPUs */
	pthread_t thread;		/* of the binder */
	pthread_mutex_t tsan_lock;	/* sanitizer builds: stands for in_op/stop */
	pthread_mutex_t tsan_drain;	/* and for pcp_busy/drain */
} __cacheline_aligned;

#if defined(__SANITIZE_THREAD__)
#define CPU_MARKS_ARE_LOCKS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CPU_MARKS_ARE_LOCKS 1
#endif
#endif
#ifndef CPU_MARKS_ARE_LOCKS
#define CPU_MARKS_ARE_LOCKS 0
#endif

void cpu_enter_slow(struct cpu *cpu);

/* Begin an op if nobody wants the CPU stopped; else cpu_enter_slow() has to be called before going on. */
static inline bool cpu_try_enter(struct cpu *cpu)
{
	bool free;

	if (CPU_MARKS_ARE_LOCKS) {
		pthread_mutex_lock(&cpu->tsan_lock);
		return !cpu->marks.stop;
	}
	*(volatile uint32_t *)&cpu->marks.in_op = 1;
	barrier();
	free = likely(!*(volatile uint32_t *)&cpu->marks.stop);
	barrier();
	return free;
}

/* Begin an op: a safe point lies just before. Only the CPU's player calls it. */
static inline void cpu_enter(struct cpu *cpu)
{
	if (unlikely(!cpu_try_enter(cpu)))
		cpu_enter_slow(cpu);
}

/* End an op. */
static inline void cpu_leave(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS) {
		pthread_mutex_unlock(&cpu->tsan_lock);
		return;
	}
	__atomic_store_n(&cpu->marks.in_op, 0, __ATOMIC_RELEASE);
}

/* Make the CPUs of a lab (all possible ones) and their parts; shortcuts are set by page and slab. */
int cpus_make(struct lab *lab);
void cpus_fresh(struct lab *lab);	/* random states and online marks of a fresh region */
void cpus_drop(struct lab *lab);

/*
 * Hold one CPU, or all, between ops. Nests. Who holds all may play any; who
 * holds one may look at it (another may be alone and take no locks).
 */
void cpu_stop(struct cpu *cpu);
void cpu_resume(struct cpu *cpu);
/* lab_stop() and lab_resume(): cpu/read.h */

/*
 * The calling thread becomes this CPU, pinned to a host CPU. -EBUSY if it is
 * taken, -EINVAL if there is no such CPU.
 */
int cpu_bind(struct lab *lab, unsigned int id, struct cpu **cpu);
void cpu_unbind(struct cpu *cpu);

/* Has every CPU but `self` been between ops once since the mask was begun? See grace.c */
bool cpu_seen_outside(struct cpu *cpu);

/* Does this host order all CPUs of a process (membarrier)? Registers the process. */
bool cpu_order_prepare(void);

/* Orders every CPU of the process; false: the host does not. */
bool cpu_order_host(void);

/* After this, stores made before it are seen by every running op. */
void cpu_order_all(struct lab *lab);

/*
 * Run fn(cpu, arg) on each of CPUs 0..n-1, each on its own pinned thread; fn
 * does its own cpu_enter/cpu_leave per op. Returns when all have ended.
 * -EBUSY if one of them is bound.
 */
int cpus_run(struct lab *lab, unsigned int n, void (*fn)(struct cpu *cpu, void *arg), void *arg);
/* The same on the CPUs of these ids. */
int cpus_run_on(struct lab *lab, const uint16_t *ids, unsigned int n, void (*fn)(struct cpu *cpu, void *arg), void *arg);

int cpu_check(struct lab *lab);

#endif
