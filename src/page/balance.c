/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a node has enough, and who plays its workers: what needs no telling. */
#include "base/bits.h"
#include "page/kswapd.h"
#include "page/ops.h"
#include "page/watermark.h"

static bool zone_passes(const struct lab *lab, const struct zone *z, unsigned int order, unsigned int high)
{
	struct wmark_walk walk = { .sum = 1ULL << order, .may_wait = true, .count = COUNT_NEAR_MARK };

	return zone_watermark_ok(lab, z, order, zone_mark(z, WMARK_HIGH), high, 0, &walk);
}

/* Before 4.8 every zone had to pass; for a large block, zones with a quarter of the node's pages. */
static bool all_balanced(const struct lab *lab, unsigned int node, unsigned int order, unsigned int high)
{
	uint64_t managed = 0, passing = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		if (z->node != node || z->kind > high || !z->managed)
			continue;
		managed += z->managed;
		if (zone_passes(lab, z, order, high))
			passing += z->managed;
		else if (!order)
			return false;
	}
	return passing >= managed / 4;
}

bool node_is_balanced(const struct lab *lab, unsigned int node, unsigned int order, unsigned int high)
{
	bool any = false;

	if (page_policy(lab)->balance == BALANCE_ALL)
		return all_balanced(lab, node, order, high);
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		if (z->node != node || z->kind > high || !z->managed)
			continue;
		if (zone_passes(lab, z, order, high))
			return true;
		any = true;
	}
	return !any;
}

struct cpu *worker_cpu(const struct lab *lab, unsigned int node)
{
	struct cpu *first = NULL;

	for (unsigned int i = 0; i < lab->nr_cpus; i++) {
		if (!lab->cpus[i]->part->online)
			continue;
		if (lab->cpus[i]->node == node)
			return lab->cpus[i];
		if (!first)
			first = lab->cpus[i];
	}
	return first;
}

static bool is_due(const struct lab *lab, unsigned int node)
{
	return peek(reclaim_node(lab, node)->kswapd.state) != KSWAPD_ASLEEP || peek(reclaim_node(lab, node)->kcompactd.wanted);
}

/*
 * The CPU it plays is stopped meanwhile. A CPU that is alone takes no locks,
 * so then all are.
 */
static bool round_of(struct lab *lab, unsigned int node)
{
	struct cpu *cpu;
	bool more = false;

	pthread_mutex_lock(&lab->control);
	cpu = worker_cpu(lab, node);
	if (cpu && lab->owned_cpus) {
		bool all = lab->owned_cpus <= 1;

		all ? lab_stop(lab) : cpu_stop(cpu);
		more = page_ops_of(lab)->work_round(cpu, node);
		all ? lab_resume(lab) : cpu_resume(cpu);
	}
	pthread_mutex_unlock(&lab->control);
	return more;
}

bool page_work_in_parallel(struct lab *lab)
{
	bool any = false;

	poke(reclaim_head(lab)->work, 0);
	for (unsigned int n = 0; n < lab->nr_nodes; n++)
		if (is_due(lab, n))
			any |= round_of(lab, n);
	return any;
}
