/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run - workloads at work in a lab: stepped or in parallel, held and stepped on.
 *
 * Idea. run_main() plays a workload (workload.h) until it is over: one thread
 * for all CPUs in an order drawn from the seed (stepped), or a pinned thread
 * a CPU (parallel). It runs on the caller's thread, or by run_start() on one
 * of its own, so that whoever started it can go on. Between any two ops a run
 * can be held; while it is held, run_step() plays single ops of it on the
 * caller's thread, which are told like a command's, so that `why` explains
 * them.
 *
 * How it is held. Workers look at one word, the gate, before each op; when it
 * is not 0 they park themselves behind run->mutex. run_pause() returns when
 * all have. A parked worker is between two ops, so a stop of its CPU waits
 * for nobody.
 *
 * Invariants
 *   W1  ops = allocs + frees + failed.
 *   W2  allocs - frees = slots that are filled.
 *   W3  stepped runs of one lab state, workload, keys and seed end in the same
 *       state to the byte: slices are counted in ops, never in time.
 *
 * Ownership. The struct belongs to one thread, which makes, holds, ends and
 * frees it. Figures may be read by that thread at any time. While a run goes
 * on, its lab is not restored, reshaped or dropped, and its caches are not
 * destroyed.
 *
 * Units. Times in ns of the host's clock, but for time_ns of a stepped run in
 * a lab with a virtual clock: that is the lab's, 1 us an op.
 */
#ifndef WORK_RUN_H
#define WORK_RUN_H

#include "work/workload.h"

enum run_mode { RUN_STEPPED, RUN_PARALLEL };
enum run_state { RUN_GOING, RUN_HELD, RUN_OVER };

struct run_figures {
	enum run_state state;
	enum run_mode mode;
	unsigned int cpus;
	uint64_t seed;
	uint64_t ops, allocs, frees, failed;
	uint64_t live;		/* filled slots */
	uint64_t ns;		/* time it ran, without the time it was held */
	uint64_t cpu_ns;	/* the same, summed over the threads that played */
	uint64_t of_ops, of_ns;	/* what was asked for, 0: no such end */
};

struct run_options {
	const struct workload *workload;
	uint64_t key[WORK_KEYS_MAX];	/* in the order of workload->keys */
	enum run_mode mode;
	uint64_t ops, time_ns;		/* when it ends; both 0: when run_end() says so */
	uint64_t seed;
	int cpu;			/* on this CPU alone; -1: on all that are online */
	bool hold_when_out;		/* memory runs out with reclaim.oom=stop: hold it; else it ends with an error */

	/* Called now and then by a thread that plays; true ends the run. May be NULL. */
	bool (*tick)(void *arg, const struct run_figures *f);
	void *arg;
};

/* Everything that can go wrong does so here, before the first op. */
int run_make(struct lab *lab, const struct run_options *options, struct run **run);
void run_free(struct run *run);

/* Play it to its end. An error of an op is in run_error(). */
void run_main(struct run *run);
/* The same on a thread of its own; run_end() or run_wait() joins it. -EAGAIN when the host has none. */
int run_start(struct run *run);

/* Hold all CPUs of the run between ops, and let them go on. No effect on a run that is over. */
void run_pause(struct run *run);
void run_resume(struct run *run);
/* Play up to n ops of a held run, told. Returns how many it played: fewer when it is over or nobody has anything to do. */
uint64_t run_step(struct run *run, uint64_t n);

/* Ask it to end between two ops, and wait until it has (also a held one). Ends of its own accord: run_wait(). */
void run_end(struct run *run);
/* Wait at most ms milliseconds; true when it is over. */
bool run_wait(struct run *run, unsigned int ms);

void run_figures(const struct run *run, struct run_figures *f);
const struct workload *run_workload(const struct run *run);
uint64_t run_key_value(const struct run *run, unsigned int key);
bool run_uses_cache(const struct run *run, uint32_t cache);
/* 0, or -errno with the sentence in fail_why(). Once it is over. */
int run_error(const struct run *run);
/* Why an allocation failed, of the first that did; "" if none. Once it is over. */
const char *run_failed_why(const struct run *run);

/*
 * What it holds, as a handle, named as handle_new() does. NULL when it holds
 * nothing or side memory is out. Of a run that is over, held, or stopped.
 * Objects are in the order of CPUs and slots.
 */
struct handle *run_name_rest(struct run *run, const char *name, char moved[HANDLE_NAME]);
/* Free what it holds. Of a run that is over. */
int run_free_rest(struct run *run);

#endif
