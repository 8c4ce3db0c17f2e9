/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that drift (drift.h): what needs no telling. */
#include "page/drift.h"

#include <errno.h>

#include "base/bits.h"
#include "base/fail.h"
#include "page/fair.h"

static void fold(struct zone *z, struct zone_cpu *zc)
{
	__atomic_fetch_add(&z->free_seen, zc->free_diff, __ATOMIC_RELAXED);
	__atomic_fetch_add(&z->fair_batch, zc->fair_diff, __ATOMIC_RELAXED);
	poke(zc->free_diff, 0);
	poke(zc->fair_diff, 0);
}

void drift_fold(struct cpu *cpu)
{
	if (!drift_is_on(cpu->lab))
		return;
	for (unsigned int i = 0; i < cpu->lab->nr_zones; i++)
		fold(&cpu->lab->zones[i], zone_cpu(cpu, &cpu->lab->zones[i]));
}

void drift_sizes(struct lab *lab, struct zone *z, unsigned int cpus)
{
	const struct cpu_part *part = lab_section(lab, SEC_CPU);
	uint64_t gap = z->mark[WMARK_LOW] - z->mark[WMARK_MIN], most;

	z->stat_normal = (uint32_t)min_u64(DRIFT_MOST, 2ULL * fls(cpus) * (1 + fls(z->managed >> 15)));
	z->stat_pressure = (uint32_t)clamp_u64(gap / (cpus ? cpus : 1), 1, DRIFT_MOST);
	z->stat_threshold = z->stat_normal;
	most = (uint64_t)cpus * z->stat_normal;
	z->drift_mark = most > gap ? z->mark[WMARK_HIGH] + most : 0;
	for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++)
		if (!part[cpu].online)
			fold(z, zone_cpu_of(lab, cpu, z->index));
}

void drift_reset(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone *z = &lab->zones[i];

		z->free_seen = (int64_t)z->free_pages;
		z->stat_threshold = z->stat_normal;
		for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++) {
			struct zone_cpu *zc = zone_cpu_of(lab, cpu, i);

			zc->free_diff = zc->fair_diff = 0;
		}
		fair_refill(z);
		zone_quick_marks_update(lab, z);
	}
}

void drift_pressure(struct lab *lab, unsigned int node, bool awake)
{
	if (!drift_is_on(lab))
		return;
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone *z = &lab->zones[i];

		if (z->node == node && peek(z->drift_mark))
			poke(z->stat_threshold, awake ? peek(z->stat_pressure) : peek(z->stat_normal));
	}
}

static int wrong(const char *label, const struct zone *z, const char *what, int64_t is, int64_t should)
{
	return fail(EUCLEAN, "%s: zone N%u.%s: %s is %lld, not %lld", label, z->node, zone_kind_names[z->kind], what,
		    (long long)is, (long long)should);
}

int drift_check(const struct lab *lab, const struct zone *z)
{
	int64_t seen = z->free_seen;

	if (z->stat_threshold > DRIFT_MOST || z->stat_normal > DRIFT_MOST || z->stat_pressure > DRIFT_MOST)
		return wrong("V2", z, "a threshold", z->stat_threshold, DRIFT_MOST);
	if (!drift_is_on(lab))
		return 0;
	for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++) {
		const struct zone_cpu *zc = zone_cpu_of(lab, cpu, z->index);

		if (zc->free_diff > DRIFT_MOST || zc->free_diff < -DRIFT_MOST)
			return wrong("V2", z, "a CPU's difference", zc->free_diff, DRIFT_MOST);
		seen += zc->free_diff;
	}
	return seen == (int64_t)z->free_pages ? 0 : wrong("V1", z, "the drifting count with all differences", seen,
							   (int64_t)z->free_pages);
}
