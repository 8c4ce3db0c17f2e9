/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_parallel - each CPU's steps on its own thread.
 *
 * A slot is the meeting point: who allocates into it waits until it is empty,
 * who frees from it waits until it is filled. Everybody waits only for steps
 * that stand earlier in the trace, and each CPU keeps the trace's order, so
 * the earliest step not yet run can always go on: no circle of waits. Waiting
 * is between ops, where a CPU counts as stopped.
 *
 * Which object a step gets depends on the threads; how many of each cache and
 * order does not.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "work/replay_priv.h"

#define SPINS 200		/* looks before the host CPU is given away */
#define YIELDS 50		/* times it is, before sleeping */
#define NAP_NS 20000

struct worker {			/* one CPU */
	struct crew *crew;
	struct program_cursor cursor;
	struct run_counts counts;
	int error;
	char why[200];
} __cacheline_aligned;

struct crew {
	struct runner *runner;
	struct program *program;
	const struct replay_options *options;
	struct worker *worker;
	uint64_t done, total;		/* steps; done is shared */
	int stop;			/* somebody failed: all end at their next wait or step */
	pthread_mutex_t tick;
};

static bool crew_stops(const struct crew *c)
{
	return __atomic_load_n(&c->stop, __ATOMIC_RELAXED);
}

static inline void rest(unsigned int *looks)
{
	const struct timespec nap = { 0, NAP_NS };

	if (++*looks < SPINS)
		cpu_relax();
	else if (*looks < SPINS + YIELDS)
		sched_yield();
	else
		nanosleep(&nap, NULL);
}

/* Until the slot is filled (or, to fill it, empty). false: the run is over. */
static bool slot_wait(const struct crew *c, const uint64_t *slot, bool filled, uint64_t *off)
{
	unsigned int looks = 0;

	while ((*off = __atomic_load_n(slot, __ATOMIC_ACQUIRE), (*off != 0) != filled)) {
		if (crew_stops(c))
			return false;
		rest(&looks);
	}
	return true;
}

static int worker_step(struct worker *w, struct cpu *cpu, const struct step *st)
{
	struct runner *r = w->crew->runner;
	uint64_t *slot = &r->slot[st->slot], off;
	struct op_result res;
	struct op op;
	int ret = 0;

	if (!slot_wait(w->crew, slot, !step_allocates(st), &off))
		return -ECANCELED;
	if (off == SLOT_FAILED) {
		__atomic_store_n(slot, 0, __ATOMIC_RELEASE);
		return 0;
	}
	step_to_op(r, st, off, &op);
	op_exec(cpu, &op, &res);
	if (step_allocates(st))
		off = step_allocated(r, &w->counts, st, &res), ret = step_ran_out(st, &res);
	else
		off = 0, ret = step_freed(st, &res);
	__atomic_store_n(slot, off, __ATOMIC_RELEASE);
	return ret;
}

/* Progress, and is it to go on? Whoever comes asks; nobody waits for it. */
static int crew_tick(struct crew *c)
{
	uint64_t done = __atomic_add_fetch(&c->done, REPLAY_TICK, __ATOMIC_RELAXED);
	bool stop;

	if (!c->options->tick || pthread_mutex_trylock(&c->tick))
		return 0;
	stop = c->options->tick(c->options->arg, REPLAY_RUNNING, done, c->total);
	pthread_mutex_unlock(&c->tick);
	return stop ? fail(EINTR, "stopped after %llu of %llu ops", (unsigned long long)done,
			   (unsigned long long)c->total) : 0;
}

static int worker_steps(struct worker *w, struct cpu *cpu, uint64_t *ran)
{
	struct program_cursor *c = &w->cursor;
	int error = 0;

	while (!error && program_next_block(c, &error)) {
		for (; c->at < c->end && !error; c->at++) {
			if (crew_stops(w->crew))
				return -ECANCELED;
			error = worker_step(w, cpu, c->at);
			if (!error && ++*ran % REPLAY_TICK == 0)
				error = crew_tick(w->crew);
		}
	}
	return error;
}

static void worker_main(struct cpu *cpu, unsigned int id, void *arg)
{
	struct crew *crew = arg;
	struct worker *w = &crew->worker[id];

	w->error = worker_steps(w, cpu, &crew->program->stream[id].ran);
	w->counts.steps = crew->program->stream[id].ran;
	if (!w->error)
		return;
	strncpy(w->why, fail_why(), sizeof(w->why) - 1);
	__atomic_store_n(&crew->stop, 1, __ATOMIC_RELAXED);
}

/* The earliest failure in the trace is the one to tell. */
static void counts_add(struct run_counts *to, const struct run_counts *from)
{
	if (from->lab_failed && (!to->lab_failed || from->lab_failed_line < to->lab_failed_line)) {
		to->lab_failed_line = from->lab_failed_line;
		memcpy(to->lab_failed_why, from->lab_failed_why, sizeof(to->lab_failed_why));
	}
	to->lab_failed += from->lab_failed;
	to->class_differs += from->class_differs;
	to->steps += from->steps;
	for (unsigned int i = 0; i < REPLAY_ORDERS; i++)
		to->large_allocs[i] += from->large_allocs[i];
}

/* Sum up; the error of whoever was the first to have one of his own. */
static int crew_sum(struct crew *c, unsigned int cpus)
{
	int error = 0;

	for (unsigned int i = 0; i < cpus; i++) {
		struct worker *w = &c->worker[i];

		program_cursor_fini(&w->cursor);
		counts_add(c->runner->counts, &w->counts);
		if (w->error && w->error != -ECANCELED && !error)
			error = fail(-w->error, "%s", w->why);
	}
	return error;
}

int runner_parallel(struct runner *r, struct program *p, unsigned int cpus,
		    const struct replay_options *o, uint64_t total)
{
	struct crew c = { .runner = r, .program = p, .options = o, .total = total,
			  .tick = PTHREAD_MUTEX_INITIALIZER };
	int ret = 0;

	c.worker = aligned_alloc(CACHE_LINE, cpus * sizeof(*c.worker));
	if (!c.worker)
		return fail(ENOMEM, "no memory for %u CPUs", cpus);
	memset(c.worker, 0, cpus * sizeof(*c.worker));
	for (unsigned int i = 0; i < cpus && !ret; i++) {
		c.worker[i].crew = &c;
		ret = program_rewind(p, i, &c.worker[i].cursor);
	}
	if (!ret)
		ret = op_parallel(r->lab, cpus, worker_main, &c);
	if (!ret)
		ret = crew_sum(&c, cpus);
	free(c.worker);
	return ret;
}
