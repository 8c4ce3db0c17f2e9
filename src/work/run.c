/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing a workload. A thread that plays claims a slice of the ops that are
 * left, plays it op by op, and gives back what it could not use; between two
 * slices it looks at the clock and tells how far the run is.
 */
#include "work/run_priv.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/fail.h"

#define SLICE 256		/* ops; a stepped run holds the lab for as long */
#define SPINS 200		/* looks of an idle CPU before its host CPU is given away */
#define YIELDS 50
#define NAP_NS 20000

/* ---- one op ---- */

static inline void count(uint64_t *figure, uint64_t by)
{
	__atomic_store_n(figure, __atomic_load_n(figure, __ATOMIC_RELAXED) + by, __ATOMIC_RELAXED);
}

static bool is_alloc(const struct op *op)
{
	return op->kind == OP_ALLOC_PAGES || op->kind == OP_KMALLOC || op->kind == OP_CACHE_ALLOC;
}

/* The next op of this CPU; false: none. Frees are completed from the slot that they empty. */
static bool next_op(struct work_cpu *w, struct op *op)
{
	const struct member *m;

	*op = (struct op){ .cpu = (uint16_t)w->id };
	w->from = w;
	if (!w->run->o.workload->next(w, op))
		return false;
	if (is_alloc(op)) {
		op->node = -1;
		return true;
	}
	m = &w->from->slot[w->at];
	op->off = m->off;
	op->order = m->order;
	op->cache = m->cache;
	op->owner = m->cache;
	return true;
}

static void allocated(struct work_cpu *w, const struct op *op, const struct op_result *r)
{
	bool pages = op->kind == OP_ALLOC_PAGES;

	w->slot[w->at] = (struct member){
		.off = r->off, .cache = pages ? 0 : r->cache, .kind = pages ? MEMBER_PAGES : MEMBER_OBJECT,
		.order = pages ? op->order : 0, .cpu = op->cpu,
	};
	count(&w->allocs, 1);
}

/* A free that the lab refuses is a fault of ours or of the lab: the run ends there. */
static void refused(struct work_cpu *w, const struct op_result *r)
{
	w->error = r->error ? r->error : -EIO;
	snprintf(w->why, sizeof(w->why), "a free was refused: %s", fail_why());
	run_gate(w->run, GATE_ENDS);
}

/* reclaim.oom=stop: whoever can still look at the run finds it held. */
static void ran_out(struct work_cpu *w)
{
	if (w->run->o.hold_when_out) {
		if (w->run->o.mode == RUN_STEPPED)	/* of several threads none writes it */
			w->run->halted = true;
		run_gate(w->run, GATE_HELD);
		return;
	}
	w->error = -ENOMEM;
	snprintf(w->why, sizeof(w->why), "memory ran out (reclaim.oom=stop): %s", fail_why());
	run_gate(w->run, GATE_ENDS);
}

static void op_done(struct work_cpu *w, const struct op *op, const struct op_result *r)
{
	bool failed = is_alloc(op) && !r->off;

	if (failed) {
		if (!w->failed)
			snprintf(w->why, sizeof(w->why), "%s", fail_why());
		count(&w->failed, 1);
		if (unlikely(r->findings & FINDING_RAN_OUT))
			ran_out(w);
	} else if (is_alloc(op)) {
		allocated(w, op, r);
	} else if (r->error || r->findings & (FINDING_BAD_FREE | FINDING_REFUSED)) {
		refused(w, r);
		return;
	} else {
		w->from->slot[w->at].off = 0;
		count(&w->frees, 1);
	}
	count(&w->ops, 1);
	if (w->run->o.workload->done)
		w->run->o.workload->done(w, op, failed);
}

/* ---- ends ---- */

/* Up to n of the ops that are left; 0: none are. */
static uint64_t claim(struct run *run, uint64_t n)
{
	uint64_t left = __atomic_load_n(&run->left, __ATOMIC_RELAXED), get;

	if (!run->o.ops)
		return n;
	do {
		get = min_u64(left, n);
	} while (get && !__atomic_compare_exchange_n(&run->left, &left, left - get, true, __ATOMIC_RELAXED,
						     __ATOMIC_RELAXED));
	return get;
}

static void give_back(struct run *run, uint64_t n)
{
	if (run->o.ops && n)
		__atomic_add_fetch(&run->left, n, __ATOMIC_RELAXED);
}

/* A stepped run's time is the lab's, so that it ends at the same op each time. */
static bool is_late(const struct run *run)
{
	struct run_figures f;

	if (!run->o.time_ns)
		return false;
	if (run->o.mode == RUN_STEPPED)
		return lab_now(run->lab) - run->lab_from_ns >= run->o.time_ns;
	run_figures(run, &f);
	return f.ns >= run->o.time_ns;
}

/* Whoever comes tells; nobody waits for it. */
static void tick(struct run *run)
{
	struct run_figures f;

	if (!run->o.tick || pthread_mutex_trylock(&run->ticking))
		return;
	run_figures(run, &f);
	if (run->o.tick(run->o.arg, &f))
		run_gate(run, GATE_ENDS);
	pthread_mutex_unlock(&run->ticking);
}

/* ---- stepped ---- */

/* Some CPU's next op, the CPU drawn; NULL when none has anything to do. */
static struct work_cpu *draw(struct run *run, struct op *op)
{
	unsigned int first = (unsigned int)rand_below(&run->rand, run->nr);

	for (unsigned int i = 0; i < run->nr; i++) {
		struct work_cpu *w = &run->cpu[(first + i) % run->nr];

		if (next_op(w, op))
			return w;
	}
	return NULL;
}

/* false: the run is over. */
static bool play_slice(struct run *run)
{
	uint64_t n = claim(run, SLICE), i;
	struct op_result r;
	struct work_cpu *w;
	struct op op;
	bool more = n, halted;

	lab_hold(run->lab);
	for (i = 0; i < n && !(is_late(run) || run_gate_is(run, GATE_ENDS)); i++) {
		w = draw(run, &op);
		if (!w)
			break;
		op_play(run->lab, &op, &r);
		op_done(w, &op, &r);
		if (unlikely(run->halted)) {
			i++;
			break;
		}
	}
	lab_release(run->lab);
	give_back(run, n - i);
	halted = run->halted;
	run->halted = false;
	return more && (i == n || halted);
}

static void play_stepped(struct run *run)
{
	run_enter(run);
	while (run_may_go(run) && play_slice(run)) {
		tick(run);
		lab_give_way(run->lab);
	}
	run_leave(run);
}

/* ---- parallel ---- */

static void rest(unsigned int *looks)
{
	const struct timespec nap = { 0, NAP_NS };

	if (++*looks < SPINS)
		cpu_relax();
	else if (*looks < SPINS + YIELDS)
		sched_yield();
	else
		nanosleep(&nap, NULL);
}

/* Play n ops, or until there is none to do. Returns how many it played. */
static uint64_t play_own(struct work_cpu *w, struct cpu *cpu, uint64_t n)
{
	struct op_result r;
	struct op op;
	uint64_t i;

	for (i = 0; i < n && run_may_go(w->run); i++) {
		if (!next_op(w, &op))
			break;
		op_exec(cpu, &op, &r);
		op_done(w, &op, &r);
	}
	return i;
}

/* Who is idle while another has ended may wait for ever. */
static bool is_stranded(const struct run *run)
{
	return __atomic_load_n(&run->ended, __ATOMIC_RELAXED);
}

static void play_cpu(struct cpu *cpu, unsigned int id, void *arg)
{
	struct run *run = arg;
	struct work_cpu *w = run->of_id[id];
	unsigned int looks = 0;
	uint64_t n, played;

	run_enter(run);
	while (run_may_go(run) && !is_late(run) && (n = claim(run, SLICE))) {
		played = play_own(w, cpu, n);
		give_back(run, n - played);
		run_account(w);
		tick(run);
		if (played) {
			looks = 0;
			continue;
		}
		if (is_stranded(run))
			break;
		rest(&looks);
	}
	run_account(w);
	__atomic_store_n(&run->ended, 1, __ATOMIC_RELAXED);
	run_leave(run);
}

static void play_parallel(struct run *run)
{
	int ret = op_parallel_on(run->lab, run->id, run->nr, play_cpu, run);

	if (ret) {
		run->error = ret;
		snprintf(run->why, sizeof(run->why), "%s", fail_why());
	} else if (run->o.ops && run->left) {
		play_stepped(run);	/* what a CPU was stranded with */
	}
}

void run_play(struct run *run)
{
	if (run->o.mode == RUN_STEPPED)
		play_stepped(run);
	else
		play_parallel(run);
}

/* ---- one by one ---- */

uint64_t run_step(struct run *run, uint64_t n)
{
	struct run_figures f;
	struct op_result r;
	struct work_cpu *w;
	struct op op;
	uint64_t i;

	run_figures(run, &f);
	if (f.state != RUN_HELD)
		return 0;
	for (i = 0; i < n && !is_late(run) && claim(run, 1); i++) {
		w = draw(run, &op);
		if (!w) {
			give_back(run, 1);
			break;
		}
		op_run(run->lab, &op, &r);
		op_done(w, &op, &r);
	}
	return i;
}

/* ---- what is left ---- */

struct handle *run_name_rest(struct run *run, const char *name, char moved[HANDLE_NAME])
{
	struct handle *h = NULL;
	struct run_figures f;

	moved[0] = 0;
	run_figures(run, &f);
	if (!f.live)
		return NULL;
	lab_hold(run->lab);
	h = handle_new(run->lab, name, moved);
	if (h && !handle_reserve(run->lab, h, (uint32_t)f.live)) {
		handle_drop(run->lab, h);
		h = NULL;
	}
	for (unsigned int c = 0; h && c < run->nr; c++)
		for (uint64_t i = 0; i < run->cpu[c].slots; i++)
			if (run->cpu[c].slot[i].off)
				handle_add(run->lab, h, &run->cpu[c].slot[i]);
	lab_release(run->lab);
	return h;
}

static int free_one(struct run *run, struct member *m)
{
	struct op op = {
		.kind = m->kind == MEMBER_PAGES ? OP_FREE_PAGES : m->cache ? OP_CACHE_FREE : OP_KFREE,
		.order = m->order, .cpu = m->cpu, .cache = m->cache, .owner = m->cache, .off = m->off,
	};
	struct op_result r;
	int ret = op_play(run->lab, &op, &r);

	m->off = 0;
	return ret;
}

int run_free_rest(struct run *run)
{
	int ret = 0;

	lab_hold(run->lab);
	for (unsigned int c = 0; c < run->nr; c++)
		for (uint64_t i = 0; i < run->cpu[c].slots && !ret; i++)
			if (run->cpu[c].slot[i].off)
				ret = free_one(run, &run->cpu[c].slot[i]);
	lab_release(run->lab);
	return ret;
}
