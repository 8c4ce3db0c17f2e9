/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stopper's side of the protocol in cpu.h and drain.h.
 *
 * A stopper holds lab->control for as long as it holds CPUs stopped, so there
 * is one at a time and the words of a CPU that nobody owns need no order.
 */
#include "cpu/cpu.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "cpu/drain.h"

/* Grace periods and drainers look at it without control. */
static bool load_held(const struct cpu *cpu)
{
	return __atomic_load_n(&cpu->held, __ATOMIC_RELAXED);
}

static void set_held(struct cpu *cpu, bool held)
{
	__atomic_store_n(&cpu->held, held, __ATOMIC_RELAXED);
}

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

/* ThreadSanitizer knows no fences; its builds take locks instead of marks. */
static void fence(void)
{
#if !CPU_MARKS_ARE_LOCKS
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

bool cpu_order_prepare(void)
{
	return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

bool cpu_order_host(void)
{
	fence();
	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
}

void cpu_order_all(struct lab *lab)
{
	fence();
	if (!lab->fenced)
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

static uint32_t load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Wait for a word to become 0: the other side never waits for us, so it is soon. */
static void wait_clear(const uint32_t *word)
{
	for (unsigned int spins = 0; load(word); spins++) {
		if (spins < 200)
			cpu_relax();
		else
			sched_yield();
	}
}

/* The owner met a stop word: take the mark back, wait until it is lifted, try again. */
void cpu_enter_slow(struct cpu *cpu)
{
	struct cpu_marks *m = &cpu->marks;

	for (;;) {
		uint32_t stop;

		fence();
		stop = load(&m->stop);
		if (stop & STOP_STALE)
			stop = __atomic_and_fetch(&m->stop, ~STOP_STALE, __ATOMIC_SEQ_CST);
		if (!(stop & STOP_HELD))
			return;
		__atomic_store_n(&m->in_op, 0, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &m->stop, FUTEX_WAIT_PRIVATE, stop, NULL, NULL, 0);
		__atomic_store_n(&m->in_op, 1, __ATOMIC_SEQ_CST);
	}
}

static void mark_stop(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS)
		return;
	__atomic_or_fetch(&cpu->marks.stop, STOP_HELD, __ATOMIC_SEQ_CST);
}

static void mark_go(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS) {
		pthread_mutex_unlock(&cpu->tsan_lock);
		return;
	}
	__atomic_and_fetch(&cpu->marks.stop, ~STOP_HELD, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &cpu->marks.stop, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void wait_stopped(struct cpu *cpu)
{
	if (CPU_MARKS_ARE_LOCKS)
		pthread_mutex_lock(&cpu->tsan_lock);
	else
		wait_clear(&cpu->marks.in_op);
}

static bool is_owned(const struct cpu *cpu)
{
	return cpu->player != PLAYED_BY_CONTROL;
}

static void take_control(struct lab *lab)
{
	if (!pthread_mutex_trylock(&lab->control))
		return;
	__atomic_add_fetch(&lab->wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&lab->control);
	__atomic_sub_fetch(&lab->wanted, 1, __ATOMIC_RELAXED);
}

void cpu_stop(struct cpu *cpu)
{
	struct lab *lab = cpu->lab;

	take_control(lab);
	if (cpu->stop_depth++ || lab->stop_depth || !is_owned(cpu))
		return;
	mark_stop(cpu);
	cpu_order_all(lab);
	wait_stopped(cpu);
	set_held(cpu, true);
}

void cpu_resume(struct cpu *cpu)
{
	if (!--cpu->stop_depth && cpu->held && !cpu->lab->stop_depth) {
		set_held(cpu, false);
		mark_go(cpu);
	}
	pthread_mutex_unlock(&cpu->lab->control);
}

void lab_stop(struct lab *lab)
{
	take_control(lab);
	if (lab->stop_depth++ || !lab->owned_cpus)
		return;
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (is_owned(lab->cpus[i]) && !lab->cpus[i]->held)
			mark_stop(lab->cpus[i]);
	cpu_order_all(lab);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (is_owned(lab->cpus[i]) && !lab->cpus[i]->held) {
			wait_stopped(lab->cpus[i]);
			set_held(lab->cpus[i], true);
		}
	lab->stopped_ns = host_ns();
}

static void note_stop(struct lab *lab)
{
	uint64_t ns = lab->stopped_ns ? host_ns() - lab->stopped_ns : 0;

	lab->stopped_ns = 0;
	if (ns > lab->longest_stop_ns)
		lab->longest_stop_ns = ns;
}

void lab_resume(struct lab *lab)
{
	if (!--lab->stop_depth) {
		for (unsigned int i = 0; i < lab->nr_cpus; i++)
			if (lab->cpus[i]->held && !lab->cpus[i]->stop_depth) {
				set_held(lab->cpus[i], false);
				mark_go(lab->cpus[i]);
			}
		note_stop(lab);
	}
	pthread_mutex_unlock(&lab->control);
}

bool cpu_seen_outside(struct cpu *cpu)
{
	if (!is_owned(cpu) || load_held(cpu))
		return true;
	if (CPU_MARKS_ARE_LOCKS) {
		if (pthread_mutex_trylock(&cpu->tsan_lock))
			return false;
		pthread_mutex_unlock(&cpu->tsan_lock);
		return true;
	}
	return !load(&cpu->marks.in_op);
}

/* ---- draining another CPU's page lists ---- */

bool cpu_pcp_may(struct cpu *cpu)
{
	if (!load(&cpu->marks.drain)) {
		fence();
		if (!load(&cpu->marks.drain))
			return true;
	}
	__atomic_store_n(&cpu->marks.pcp_busy, 0, __ATOMIC_RELEASE);
	return false;
}

bool cpu_drain_begin(struct cpu *owner)
{
	uint32_t none = 0;

	if (CPU_MARKS_ARE_LOCKS) {
		pthread_mutex_lock(&owner->tsan_drain);
		return true;
	}
	if (!__atomic_compare_exchange_n(&owner->marks.drain, &none, 1, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	/* a worker may play it even while it is held; of one that is alone only a stop or its thread does */
	if (!owner->alone || (is_owned(owner) && !load_held(owner)))
		cpu_order_all(owner->lab);
	wait_clear(&owner->marks.pcp_busy);
	return true;
}

struct cpu cpu_drained(const struct cpu *owner, const struct cpu *self)
{
	return (struct cpu){
		.lab = owner->lab, .base = owner->base, .pages = owner->pages, .arena = owner->arena,
		.arena_bytes = owner->arena_bytes, .arena_pages = owner->arena_pages,
		.zone_cpu = owner->zone_cpu, .blocks = owner->blocks, .id = owner->id, .node = owner->node,
		.part = self->part, .teller = self->teller, .trace = self->trace, .stacks = self->stacks,
		.alone = self->alone, .variant = self->variant, .player = self->player, .held = load_held(self),
	};
}

void cpu_drain_end(struct cpu *owner)
{
	if (CPU_MARKS_ARE_LOCKS)
		pthread_mutex_unlock(&owner->tsan_drain);
	else
		__atomic_store_n(&owner->marks.drain, 0, __ATOMIC_RELEASE);
}
