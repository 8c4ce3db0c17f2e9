/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pingpong - what one CPU allocates, another frees.
 *
 * The CPUs stand in a ring. Each allocates objects of one cache and hands them
 * to the next, which frees them in the order in which they came, as a network
 * receiver frees what an interrupt on another CPU allocated. A CPU whose hand
 * is full (depth= objects that were not taken) frees, one whose neighbour gave
 * it nothing allocates, and where both would do a coin decides.
 *
 * The slots of a CPU are the queue between it and the next: it fills at
 * `given`, the next empties at `taken`. Each of the two moves one of them, so
 * nobody waits for a lock.
 */
#include <errno.h>
#include <stdio.h>

#include "base/fail.h"
#include "work/workload.h"

struct pingpong {
	uint64_t given __cacheline_aligned;	/* this CPU's */
	uint64_t taken __cacheline_aligned;	/* the next CPU's */
};

static int pingpong_prepare(struct run *run)
{
	uint32_t bytes = (uint32_t)run_key(run, "size");
	char name[32];

	if (run_cpus(run) < 2)
		return fail(EINVAL, "pingpong needs two CPUs that are online: one allocates, the other frees");
	snprintf(name, sizeof(name), "pingpong-%u", bytes);
	return run_cache(run, name, bytes);
}

static int pingpong_prepare_cpu(struct run *run, struct work_cpu *w)
{
	w->own = run_alloc(run, sizeof(struct pingpong) + CACHE_LINE);
	if (!w->own)
		return -ENOMEM;
	w->own = (void *)(((uintptr_t)w->own + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1));
	return run_slots(run, w, run_key(run, "depth"));
}

static struct work_cpu *before(const struct work_cpu *w)
{
	return run_cpu(w->run, (w->nr + run_cpus(w->run) - 1) % run_cpus(w->run));
}

static uint64_t waiting(const struct work_cpu *w)
{
	const struct pingpong *p = w->own;

	return __atomic_load_n(&p->given, __ATOMIC_ACQUIRE) - __atomic_load_n(&p->taken, __ATOMIC_ACQUIRE);
}

static bool pingpong_next(struct work_cpu *w, struct op *op)
{
	struct work_cpu *from = before(w);
	bool may_give = waiting(w) < w->slots, may_take = waiting(from);

	if (!may_give && !may_take)
		return false;
	if (may_give && may_take)
		may_give = rand_next(&w->rand) & 1;
	if (may_give) {
		op->kind = OP_CACHE_ALLOC;
		op->gfp = GFP_ATOMIC;
		op->cache = run_caches(w->run)->id[0];
		w->at = (uint32_t)(((struct pingpong *)w->own)->given % w->slots);
		return true;
	}
	op->kind = OP_CACHE_FREE;
	w->from = from;
	w->at = (uint32_t)(((struct pingpong *)from->own)->taken % from->slots);
	return true;
}

static void pingpong_done(struct work_cpu *w, const struct op *op, bool failed)
{
	struct pingpong *p = w->own, *from = before(w)->own;

	if (failed)
		return;
	if (op->kind == OP_CACHE_ALLOC)
		__atomic_store_n(&p->given, p->given + 1, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&from->taken, from->taken + 1, __ATOMIC_RELEASE);
}

const struct workload workload_pingpong = {
	.name = "pingpong",
	.summary = "objects allocated on one CPU and freed on the next",
	.keys = {
		{ "size", 256, 8, 8192, "bytes of an object; the cache is pingpong-BYTES" },
		{ "depth", 64, 1, 1 << 20, "objects on their way to the next CPU, at most" },
	},
	.prepare = pingpong_prepare,
	.prepare_cpu = pingpong_prepare_cpu,
	.next = pingpong_next,
	.done = pingpong_done,
};
