/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making runs, holding them at a safe point, ending them, and their figures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fail.h"
#include "work/run_priv.h"

/* ---- for workloads ---- */

uint64_t run_key(const struct run *run, const char *name)
{
	const struct workload *w = run->o.workload;

	for (unsigned int i = 0; i < workload_keys(w); i++)
		if (!strcmp(w->keys[i].name, name))
			return run->o.key[i];
	__builtin_trap();	/* a workload asks for a key that its own row lacks */
}

unsigned int run_cpus(const struct run *run)
{
	return run->nr;
}

struct work_cpu *run_cpu(struct run *run, unsigned int nr)
{
	return &run->cpu[nr];
}

struct run_caches *run_caches(struct run *run)
{
	return &run->caches;
}

void *run_alloc(struct run *run, size_t bytes)
{
	void **piece = realloc(run->piece, (run->pieces + 1) * sizeof(*piece)), *p;

	if (piece)
		run->piece = piece;
	p = piece ? calloc(1, bytes) : NULL;
	if (!p) {
		fail(ENOMEM, "the host has no memory for what %s notes down", run->o.workload->name);
		return NULL;
	}
	return run->piece[run->pieces++] = p;
}

int run_slots(struct run *run, struct work_cpu *w, uint64_t n)
{
	w->slots = n;
	w->slot = run_alloc(run, n * sizeof(*w->slot));
	return w->slot ? 0 : -ENOMEM;
}

int run_cache(struct run *run, const char *name, uint32_t bytes)
{
	struct cache_request rq = { .name = name, .size = bytes };
	uint32_t cache = op_cache_find(run->lab, name);
	int ret = 0;

	if (run->caches.nr == WORK_CACHES_MAX)
		return fail(ENOSPC, "a run uses at most %d caches", WORK_CACHES_MAX);
	if (cache && op_cache_bytes(run->lab, cache) != bytes)
		return fail(EEXIST, "cache %s is there already, with objects of %u bytes and not of %u", name,
			    op_cache_bytes(run->lab, cache), bytes);
	if (!cache)
		ret = op_cache_create(run->lab, &rq, &cache);
	if (!ret)
		run->caches.id[run->caches.nr++] = cache;
	return ret;
}

/* ---- making ---- */

static int find_cpus(struct run *run)
{
	struct lab *lab = run->lab;

	run->cpu = aligned_alloc(CACHE_LINE, lab->nr_cpus * sizeof(*run->cpu));
	run->of_id = calloc(lab->nr_cpus, sizeof(*run->of_id));
	run->id = calloc(lab->nr_cpus, sizeof(*run->id));
	if (!run->cpu || !run->of_id || !run->id)
		return fail(ENOMEM, "the host has no memory for %u CPUs", lab->nr_cpus);
	memset(run->cpu, 0, lab->nr_cpus * sizeof(*run->cpu));
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		if (!op_cpu_is_online(lab, i) || (run->o.cpu >= 0 && run->o.cpu != (int)i))
			continue;
		run->cpu[run->nr].id = i;
		run->of_id[i] = &run->cpu[run->nr];
		run->id[run->nr++] = (uint16_t)i;
	}
	return run->nr ? 0 : fail(EINVAL, "CPU %d is not online", run->o.cpu);
}

static void seed(struct run *run)
{
	uint64_t rand = run->o.seed;

	run->rand = rand_next(&rand);
	for (unsigned int i = 0; i < run->nr; i++) {
		struct work_cpu *w = &run->cpu[i];

		w->run = run;
		w->nr = i;
		w->rand = rand_next(&rand);
	}
}

static int prepare(struct run *run)
{
	const struct workload *wl = run->o.workload;
	int ret = find_cpus(run);

	if (ret)
		return ret;
	seed(run);
	ret = wl->prepare ? wl->prepare(run) : 0;
	for (unsigned int i = 0; i < run->nr && !ret; i++)
		ret = wl->prepare_cpu(run, &run->cpu[i]);
	return ret;
}

int run_make(struct lab *lab, const struct run_options *options, struct run **out)
{
	struct run *run = aligned_alloc(CACHE_LINE, sizeof(*run));
	pthread_condattr_t attr;
	int ret;

	if (!run)
		return fail(ENOMEM, "the host has no memory for a run");
	memset(run, 0, sizeof(*run));
	run->lab = lab;
	run->o = *options;
	run->left = options->ops;
	run->lab_from_ns = lab_now(lab);
	pthread_mutex_init(&run->mutex, NULL);
	pthread_mutex_init(&run->ticking, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&run->moved, &attr);
	pthread_condattr_destroy(&attr);
	ret = prepare(run);
	if (ret) {
		run_free(run);
		return ret;
	}
	*out = run;
	return 0;
}

void run_free(struct run *run)
{
	if (!run)
		return;
	for (unsigned int i = 0; i < run->pieces; i++)
		free(run->piece[i]);
	free(run->piece);
	free(run->cpu);
	free(run->of_id);
	free(run->id);
	pthread_cond_destroy(&run->moved);
	pthread_mutex_destroy(&run->mutex);
	pthread_mutex_destroy(&run->ticking);
	free(run);
}

/* ---- the gate ---- */

static void stop_clock(struct run *run)
{
	if (run->since_ns)
		run->sum_ns += host_ns() - run->since_ns;
	run->since_ns = 0;
}

static void start_clock(struct run *run)
{
	if (!run->since_ns && run->begun && !run->over)
		run->since_ns = host_ns();
}

void run_gate(struct run *run, enum run_gate g)
{
	pthread_mutex_lock(&run->mutex);
	if (run_gate_now(run) != GATE_ENDS)
		__atomic_store_n(&run->gate, g, __ATOMIC_RELAXED);
	if (run_gate_now(run) != GATE_HELD)
		start_clock(run);
	pthread_cond_broadcast(&run->moved);
	pthread_mutex_unlock(&run->mutex);
}

static void wait_while_held(struct run *run)
{
	while (run_gate_is(run, GATE_HELD))
		pthread_cond_wait(&run->moved, &run->mutex);
}

void run_enter(struct run *run)
{
	pthread_mutex_lock(&run->mutex);
	wait_while_held(run);
	run->playing++;
	pthread_mutex_unlock(&run->mutex);
}

void run_leave(struct run *run)
{
	pthread_mutex_lock(&run->mutex);
	run->playing--;
	pthread_cond_broadcast(&run->moved);
	pthread_mutex_unlock(&run->mutex);
}

bool run_park(struct run *run)
{
	run_leave(run);
	run_enter(run);
	return !run_gate_is(run, GATE_ENDS);
}

void run_pause(struct run *run)
{
	run_gate(run, GATE_HELD);
	pthread_mutex_lock(&run->mutex);
	while (run->playing && run_gate_is(run, GATE_HELD))
		pthread_cond_wait(&run->moved, &run->mutex);
	stop_clock(run);
	pthread_mutex_unlock(&run->mutex);
}

void run_resume(struct run *run)
{
	run_gate(run, GATE_OPEN);
}

/* ---- beginning and ending ---- */

void run_main(struct run *run)
{
	pthread_mutex_lock(&run->mutex);
	run->begun = true;
	if (!run_gate_is(run, GATE_HELD))
		start_clock(run);
	pthread_mutex_unlock(&run->mutex);
	run_play(run);
	pthread_mutex_lock(&run->mutex);
	stop_clock(run);
	run->over = true;
	pthread_cond_broadcast(&run->moved);
	pthread_mutex_unlock(&run->mutex);
}

static void *thread_main(void *arg)
{
	run_main(arg);
	return NULL;
}

int run_start(struct run *run)
{
	if (pthread_create(&run->thread, NULL, thread_main, run))
		return fail(EAGAIN, "the host refused a thread for the run");
	run->has_thread = true;
	return 0;
}

static void join(struct run *run)
{
	if (run->has_thread)
		pthread_join(run->thread, NULL);
	run->has_thread = false;
}

bool run_wait(struct run *run, unsigned int ms)
{
	struct timespec until;
	bool over;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ms % 1000 * 1000000;
	until.tv_sec += (time_t)(ms / 1000) + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&run->mutex);
	while (!run->over && pthread_cond_timedwait(&run->moved, &run->mutex, &until) != ETIMEDOUT)
		;
	over = run->over;
	pthread_mutex_unlock(&run->mutex);
	if (over)
		join(run);
	return over;
}

void run_end(struct run *run)
{
	run_gate(run, GATE_ENDS);
	join(run);
}

/* ---- figures ---- */

void run_account(struct work_cpu *w)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	__atomic_store_n(&w->cpu_ns, (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec, __ATOMIC_RELAXED);
}

static uint64_t load(const uint64_t *figure)
{
	return __atomic_load_n(figure, __ATOMIC_RELAXED);
}

static void add_cpu(const struct work_cpu *w, struct run_figures *f)
{
	f->ops += load(&w->ops);
	f->allocs += load(&w->allocs);
	f->frees += load(&w->frees);
	f->failed += load(&w->failed);
	f->cpu_ns += load(&w->cpu_ns);
}

void run_figures(const struct run *run, struct run_figures *f)
{
	pthread_mutex_t *mutex = (pthread_mutex_t *)&run->mutex;

	*f = (struct run_figures){
		.mode = run->o.mode, .cpus = run->nr, .seed = run->o.seed,
		.of_ops = run->o.ops, .of_ns = run->o.time_ns,
	};
	pthread_mutex_lock(mutex);
	f->state = run->over ? RUN_OVER : run_gate_is(run, GATE_HELD) ? RUN_HELD : RUN_GOING;
	f->ns = run->sum_ns + (run->since_ns ? host_ns() - run->since_ns : 0);
	pthread_mutex_unlock(mutex);
	for (unsigned int i = 0; i < run->nr; i++)
		add_cpu(&run->cpu[i], f);
	/* a free may be counted before its allocation, which is another CPU's */
	f->live = f->allocs > f->frees ? f->allocs - f->frees : 0;
	if (run->o.mode == RUN_STEPPED)
		f->cpu_ns = f->ns;
}

const struct workload *run_workload(const struct run *run)
{
	return run->o.workload;
}

uint64_t run_key_value(const struct run *run, unsigned int key)
{
	return run->o.key[key];
}

bool run_uses_cache(const struct run *run, uint32_t cache)
{
	for (unsigned int i = 0; i < run->caches.nr; i++)
		if (run->caches.id[i] == cache)
			return true;
	return false;
}

int run_error(const struct run *run)
{
	if (run->error)
		return fail(-run->error, "%s", run->why);
	for (unsigned int i = 0; i < run->nr; i++)
		if (run->cpu[i].error)
			return fail(-run->cpu[i].error, "%s", run->cpu[i].why);
	return 0;
}

const char *run_failed_why(const struct run *run)
{
	for (unsigned int i = 0; i < run->nr; i++)
		if (load(&run->cpu[i].failed) && !run->cpu[i].error)
			return run->cpu[i].why;
	return "";
}
