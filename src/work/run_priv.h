/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_priv - struct run, shared by run.c (playing) and run_hold.c (making, holding, figures). */
#ifndef WORK_RUN_PRIV_H
#define WORK_RUN_PRIV_H

#include <pthread.h>

#include "work/run.h"

enum run_gate { GATE_OPEN, GATE_HELD, GATE_ENDS };

struct run {
	uint32_t gate;			/* what whoever plays looks at before each op */
	uint64_t left __cacheline_aligned;	/* ops that nobody has claimed yet, with o.ops */
	uint32_t ended;			/* a CPU has */

	struct lab *lab;
	struct run_options o;
	struct work_cpu *cpu;		/* nr of them */
	struct work_cpu **of_id;	/* by the lab's number of a CPU */
	uint16_t *id;			/* the reverse */
	unsigned int nr;
	uint64_t rand;			/* which CPU a stepped run plays next */
	uint64_t lab_from_ns;		/* lab clock at the beginning */
	struct run_caches caches;
	void **piece;			/* of run_alloc() */
	unsigned int pieces;

	pthread_mutex_t mutex;		/* the rest */
	pthread_cond_t moved;
	pthread_mutex_t ticking;
	pthread_t thread;
	unsigned int playing;		/* threads that are not parked */
	bool has_thread, begun, over;
	bool halted;			/* memory ran out in this slice of a stepped run */
	uint64_t since_ns, sum_ns;	/* going since, went before that */
	int error;
	char why[320];
};

static inline uint32_t run_gate_now(const struct run *run)
{
	return __atomic_load_n(&run->gate, __ATOMIC_RELAXED);
}

static inline bool run_gate_is(const struct run *run, enum run_gate g)
{
	return run_gate_now(run) == (uint32_t)g;
}

/* Move the gate; an end stays one. */
void run_gate(struct run *run, enum run_gate g);

/* A thread that plays begins and ends; between these it looks at the gate with run_may_go(). */
void run_enter(struct run *run);
void run_leave(struct run *run);
bool run_park(struct run *run);

/* false: the run ends. May stand still here for as long as the run is held. */
static inline bool run_may_go(struct run *run)
{
	return likely(!run_gate_now(run)) || run_park(run);
}

/* Note how long this thread has used a host CPU. */
void run_account(struct work_cpu *w);

void run_play(struct run *run);

#endif
