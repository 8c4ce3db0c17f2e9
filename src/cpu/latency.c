/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu/latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"
#include "cpu/cpu.h"

const char *const latency_op_names[LATENCY_OPS] = {
	"alloc", "free", "bulk alloc", "bulk free", "page alloc", "page free", "page bulk alloc", "page bulk free",
};
const char *const latency_path_names[LATENCY_PATHS] = { "fast", "slow", "new slab", "slab given back" };

static double ns_per_tick = 1;
static uint64_t empty_ticks;		/* what looking at the clock twice costs */

/* How fast the counter runs, and what measuring nothing gives. */
static void calibrate(void)
{
	uint64_t from_ns = host_ns(), from = latency_clock(), ns;

	do {
		ns = host_ns() - from_ns;
	} while (ns < 5000000);
	ns_per_tick = (double)ns / (double)(latency_clock() - from);
	empty_ticks = UINT64_MAX;
	for (int i = 0; i < 1000; i++) {
		uint64_t a = latency_clock(), b = latency_clock();

		empty_ticks = b - a < empty_ticks ? b - a : empty_ticks;
	}
}

int latency_on(struct lab *lab)
{
	calibrate();
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		if (!lab->cpus[i]->latency)
			__atomic_store_n(&lab->cpus[i]->latency, calloc(1, sizeof(struct latency)), __ATOMIC_RELAXED);
		if (!lab->cpus[i]->latency) {
			latency_off(lab);
			return fail(ENOMEM, "the host has no memory for histograms of %u CPUs", lab->nr_cpus);
		}
	}
	return 0;
}

void latency_off(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		struct latency *was = lab->cpus[i]->latency;

		__atomic_store_n(&lab->cpus[i]->latency, NULL, __ATOMIC_RELAXED);
		free(was);
	}
}

void latency_clear(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_cpus; i++)
		if (lab->cpus[i]->latency)
			memset(lab->cpus[i]->latency, 0, sizeof(struct latency));
}

static unsigned int bucket_of(uint64_t ticks)
{
	unsigned int top, bucket;

	if (ticks < 16)
		return (unsigned int)ticks;
	top = fls((uint32_t)(ticks > UINT32_MAX ? UINT32_MAX : ticks)) - 1;
	bucket = (top - 3) * 16 + (unsigned int)((ticks > UINT32_MAX ? UINT32_MAX : ticks) >> (top - 4) & 15);
	return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

/* Its middle. */
static double bucket_ticks(unsigned int bucket)
{
	unsigned int top = bucket / 16 + 3;

	return bucket < 16 ? bucket : ((double)(16 + bucket % 16) + 0.5) * (double)(1ULL << (top - 4));
}

void latency_add(struct cpu *cpu, enum latency_op op, uint64_t ticks)
{
	enum latency_path path = cpu->path & WENT_BACK ? LATENCY_BACK : cpu->path & WENT_NEW ? LATENCY_NEW :
				 cpu->path & WENT_SLOW ? LATENCY_SLOW : LATENCY_FAST;
	struct latency *l = cpu->latency;

	cpu->path = 0;
	ticks = ticks > empty_ticks ? ticks - empty_ticks : 0;
	l->count[op][path]++;
	l->sum[op][path] += ticks;
	l->max[op][path] = ticks > l->max[op][path] ? ticks : l->max[op][path];
	l->bucket[op][path][bucket_of(ticks)]++;
}

/* ---- reading ---- */

bool latency_read(const struct lab *lab, enum latency_op op, enum latency_path path, struct latency_figures *f)
{
	uint64_t bucket[LATENCY_BUCKETS] = { 0 }, seen = 0, sum = 0, max = 0;
	static const double at[LATENCY_QUANTILES] = { 0.5, 0.9, 0.99, 0.999 };
	unsigned int q = 0;

	*f = (struct latency_figures){ 0 };
	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		const struct latency *l = lab->cpus[i]->latency;

		if (!l)
			return false;
		f->count += l->count[op][path];
		sum += l->sum[op][path];
		max = l->max[op][path] > max ? l->max[op][path] : max;
		for (unsigned int b = 0; b < LATENCY_BUCKETS; b++)
			bucket[b] += l->bucket[op][path][b];
	}
	if (!f->count)
		return true;
	f->mean_ns = ns_per_tick * (double)sum / (double)f->count;
	f->max_ns = ns_per_tick * (double)max;
	for (unsigned int b = 0; b < LATENCY_BUCKETS; b++) {
		seen += bucket[b];
		for (; q < LATENCY_QUANTILES && seen && (double)seen >= at[q] * (double)f->count; q++)
			f->quantile_ns[q] = ns_per_tick * bucket_ticks(b);
		f->power[b / 16 < LATENCY_POWERS ? b / 16 : LATENCY_POWERS - 1] += bucket[b];
	}
	f->power_ns = ns_per_tick * 16;
	return true;
}
