/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making CPUs, binding threads to them, running one thread a CPU.
 * Stops are in stop.c, waiting on words in lock.c.
 */
#include "cpu/cpu.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cpu/read.h"
#include "cpu/worker.h"
#include "event/note.h"

static void part_init(struct lab *lab, struct cpu *cpu)
{
	cpu->part = (struct cpu_part *)lab_section(lab, SEC_CPU) + cpu->id;
	cpu->base = lab->base;
}

static struct cpu *cpu_make(struct lab *lab, unsigned int id)
{
	struct cpu *cpu = aligned_alloc(CACHE_LINE, sizeof(*cpu));

	if (!cpu)
		return NULL;
	memset(cpu, 0, sizeof(*cpu));
	cpu->id = id;
	cpu->node = shape_cpu_node(&lab->hdr->shape, id);
	cpu->lab = lab;
	cpu->teller = cpu;
	cpu->variant = 1;
	cpu->alone = true;
	pthread_mutex_init(&cpu->tsan_lock, NULL);
	pthread_mutex_init(&cpu->tsan_drain, NULL);
	if (lab->fenced)
		cpu->marks.stop = STOP_FENCE;
	part_init(lab, cpu);
	return cpu;
}

int cpus_make(struct lab *lab)
{
	lab->cpus = calloc(lab->nr_cpus, sizeof(*lab->cpus));
	if (!lab->cpus)
		return fail(ENOMEM, "the host has no memory for %u CPUs", lab->nr_cpus);
	lab->fenced = !cpu_order_prepare();
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		lab->cpus[i] = cpu_make(lab, i);
		if (!lab->cpus[i]) {
			cpus_drop(lab);
			return fail(ENOMEM, "the host has no memory for %u CPUs", lab->nr_cpus);
		}
	}
	return 0;
}

void cpus_fresh(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct cpu_part *part = lab->cpus[i]->part;

		part->rand = lab->hdr->shape.seed * 0x9e3779b97f4a7c15ULL + i;
		part->online = i < lab->hdr->shape.cpus;
	}
}

void cpus_drop(struct lab *lab)
{
	lab_worker_end(lab);
	for (unsigned int i = 0; lab->cpus && i < lab->nr_cpus; i++) {
		if (!lab->cpus[i])
			continue;
		pthread_mutex_destroy(&lab->cpus[i]->tsan_lock);
		pthread_mutex_destroy(&lab->cpus[i]->tsan_drain);
		free(lab->cpus[i]->latency);
		free(lab->cpus[i]);
	}
	free(lab->cpus);
	lab->cpus = NULL;
}

/*
 * CPU i goes to the i mod k-th of the k host CPUs that the process may use. They
 * are read before main(): a program may pin threads of its own, and a mask that
 * is read in such a thread would put all CPUs in one place.
 */
static cpu_set_t allowed;

static __attribute__((constructor)) void read_allowed(void)
{
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
}

static void pin(unsigned int id)
{
	cpu_set_t one;
	int nth;

	if (!CPU_COUNT(&allowed))
		return;
	nth = (int)(id % (unsigned int)CPU_COUNT(&allowed));
	for (int c = 0; c < CPU_SETSIZE; c++)
		if (CPU_ISSET(c, &allowed) && nth-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(c, &one);
			sched_setaffinity(0, sizeof(one), &one);	/* a hint: a refusal costs speed only */
			return;
		}
}

/* What a thread that binds CPUs of labs was allowed before the first, and how many it has bound. */
static _Thread_local struct {
	cpu_set_t was;
	unsigned int bound;
} host;

static void pin_binder(unsigned int id)
{
	if (!host.bound && sched_getaffinity(0, sizeof(host.was), &host.was))
		CPU_ZERO(&host.was);
	host.bound++;
	pin(id);
}

static void unpin_binder(void)
{
	if (host.bound && !--host.bound && CPU_COUNT(&host.was))
		sched_setaffinity(0, sizeof(host.was), &host.was);
}

/* In a stop: is whoever runs next in company? */
static void company_changed(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		lab->cpus[i]->alone = lab->owned_cpus <= 1;
}

/* With control held. */
static int take(struct lab *lab, unsigned int id, enum cpu_player player, struct cpu **cpu)
{
	if (id >= lab->nr_cpus || !lab->cpus[id]->part->online)
		return fail(EINVAL, "the lab has no CPU %u online (it has %u CPUs)", id, lab->nr_cpus);
	if (lab->cpus[id]->player != PLAYED_BY_CONTROL)
		return fail(EBUSY, "CPU %u is taken by another thread", id);
	*cpu = lab->cpus[id];
	lab_stop(lab);			/* who was alone until now is told between two ops */
	(*cpu)->player = (uint8_t)player;
	lab->owned_cpus++;
	company_changed(lab);
	lab_resume(lab);
	return 0;
}

static void give_back(struct cpu *cpu)
{
	lab_stop(cpu->lab);
	cpu->player = PLAYED_BY_CONTROL;
	cpu->lab->owned_cpus--;
	company_changed(cpu->lab);
	lab_resume(cpu->lab);
}

int cpu_bind(struct lab *lab, unsigned int id, struct cpu **cpu)
{
	int ret;

	pthread_mutex_lock(&lab->control);
	lab_worker_start(lab);
	ret = take(lab, id, PLAYED_BY_BINDER, cpu);
	pthread_mutex_unlock(&lab->control);
	if (ret)
		return ret;
	(*cpu)->thread = pthread_self();
	pin_binder(id);
	return 0;
}

void cpu_unbind(struct cpu *cpu)
{
	if (pthread_equal(cpu->thread, pthread_self()))
		unpin_binder();
	give_back(cpu);
}

/* ---- one thread a CPU ---- */

struct runner {
	struct cpu *cpu;
	void (*fn)(struct cpu *cpu, void *arg);
	void *arg;
	pthread_t thread;
};

static void *run_thread(void *p)
{
	struct runner *r = p;

	pin(r->cpu->id);
	r->fn(r->cpu, r->arg);
	return NULL;
}

/* Take these CPUs, or none. */
static int take_all(struct lab *lab, const uint16_t *ids, unsigned int n, struct runner *runners)
{
	int ret = 0;

	pthread_mutex_lock(&lab->control);
	lab_worker_start(lab);
	for (unsigned int i = 0; i < n && !ret; i++) {
		ret = take(lab, ids[i], PLAYED_BY_THREAD, &runners[i].cpu);
		if (ret)
			while (i-- > 0)
				give_back(runners[i].cpu);
	}
	pthread_mutex_unlock(&lab->control);
	return ret;
}

int cpus_run(struct lab *lab, unsigned int n, void (*fn)(struct cpu *cpu, void *arg), void *arg)
{
	uint16_t ids[MAX_CPUS];

	for (unsigned int i = 0; i < n && i < MAX_CPUS; i++)
		ids[i] = (uint16_t)i;
	return cpus_run_on(lab, ids, n, fn, arg);
}

int cpus_run_on(struct lab *lab, const uint16_t *ids, unsigned int n, void (*fn)(struct cpu *cpu, void *arg), void *arg)
{
	struct runner *runners = calloc(n, sizeof(*runners));
	unsigned int started;
	int ret;

	if (!runners)
		return fail(ENOMEM, "the host has no memory for %u threads", n);
	ret = take_all(lab, ids, n, runners);
	if (ret) {
		free(runners);
		return ret;
	}
	for (started = 0; started < n; started++) {
		struct runner *r = &runners[started];

		r->fn = fn;
		r->arg = arg;
		if (pthread_create(&r->thread, NULL, run_thread, r))
			break;
	}
	for (unsigned int i = 0; i < started; i++)
		pthread_join(runners[i].thread, NULL);
	for (unsigned int i = 0; i < n; i++)
		give_back(runners[i].cpu);
	free(runners);
	return started == n ? 0 : fail(EAGAIN, "the host refused thread %u of %u; the others ran", started, n);
}

/* Readers look kinds and events up in tables: a file of `lab save` may say anything. */
static int check_stories(const struct lab *lab, unsigned int cpu)
{
	const struct story_op *o;

	for (unsigned int back = 0; (o = story_read(lab, cpu, back)); back++) {
		uint32_t kept = story_kept(lab, cpu, o);

		if (o->kind >= TOLD_KINDS)
			return fail(EUCLEAN, "U3: CPU %u tells of an op of kind %u", cpu, o->kind);
		for (uint32_t i = 0; i < kept; i++)
			if (story_step_read(lab, cpu, o, i)->event >= NOTE_END)
				return fail(EUCLEAN, "U3: CPU %u tells of an event that there is not", cpu);
	}
	return 0;
}

int cpu_check(struct lab *lab)
{
	unsigned int owned = 0;
	int ret = 0;

	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		owned += lab->cpus[i]->player != PLAYED_BY_CONTROL;
	if (owned != lab->owned_cpus)
		return fail(EUCLEAN, "U1: %u CPUs have players, %u are counted", owned, lab->owned_cpus);
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (lab->cpus[i]->alone != (lab->owned_cpus <= 1))
			return fail(EUCLEAN, "U2: CPU %u takes itself for %s, %u CPUs have players", i,
				    lab->cpus[i]->alone ? "alone" : "one of several", owned);
	if (lab->hdr->last_cpu >= lab->nr_cpus || lab->hdr->last_kind >= TOLD_KINDS)
		return fail(EUCLEAN, "U3: the last op was of kind %u, on CPU %u", lab->hdr->last_kind, lab->hdr->last_cpu);
	for (unsigned int i = 0; i < lab->nr_cpus && !ret; i++)
		ret = check_stories(lab, i);
	return ret;
}
