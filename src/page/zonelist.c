/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zonelists: where a node's requests look for memory, nearest node first and
 * in each node from the highest zone down (pages.md section 1).
 *
 * Nodes at the same distance are ordered so that each node's overflow goes to
 * another one first: `load` counts how often a node was the first of its
 * distance group in the lists made so far.
 */
#include "page/pcp_model.h"
#include "page/zone.h"

#define DISTANCE_SELF 10
#define DISTANCE_OTHER 20

struct order_state {
	unsigned int load[MAX_NODES];
	bool has_memory[MAX_NODES], has_cpus[MAX_NODES];
};

static unsigned int distance(unsigned int a, unsigned int b)
{
	return a == b ? DISTANCE_SELF : DISTANCE_OTHER;
}

static void look_at_nodes(const struct lab *lab, struct order_state *st)
{
	const struct shape *shape = &lab->hdr->shape;
	const struct cpu_part *parts = lab_section(lab, SEC_CPU);

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].managed)
			st->has_memory[lab->zones[i].node] = true;
	for (unsigned int i = 0; i < shape->possible; i++)
		if (parts[i].online)
			st->has_cpus[shape_cpu_node(shape, i)] = true;
}

/* The best node not used yet, -1 when all with memory are. A node itself comes first. */
static int next_node(const struct lab *lab, const struct order_state *st, unsigned int self, uint64_t used)
{
	unsigned int best_value = UINT32_MAX;
	int best = -1;

	if (!(used >> self & 1))
		return (int)self;
	for (unsigned int m = 0; m < lab->nr_nodes; m++) {
		unsigned int value = distance(self, m) + (m < self) + st->has_cpus[m];

		if (used >> m & 1 || !st->has_memory[m])
			continue;
		value = value * MAX_NODES + st->load[m];
		if (value < best_value) {
			best_value = value;
			best = (int)m;
		}
	}
	return best;
}

/* Zones of one node, highest first; zones of a node lie together in order of kind. */
static unsigned int append_zones(const struct lab *lab, unsigned int node, uint16_t *list, unsigned int nr)
{
	for (unsigned int i = lab->nr_zones; i-- > 0;)
		if (lab->zones[i].node == node && lab->zones[i].managed)
			list[nr++] = (uint16_t)i;
	return nr;
}

static void build_one(struct lab *lab, struct order_state *st, unsigned int self)
{
	struct node *n = &lab->nodes[self];
	unsigned int prev = self;
	uint64_t used = 0;
	int m;

	n->nr_list = 0;
	while ((m = next_node(lab, st, self, used)) >= 0) {
		if (distance(self, (unsigned int)m) != distance(self, prev))
			st->load[m]++;
		used |= 1ULL << m;
		prev = (unsigned int)m;
		n->nr_list = (uint16_t)append_zones(lab, prev, n->list, n->nr_list);
	}
	n->nr_own = (uint16_t)append_zones(lab, self, n->own, 0);
}

/* The zone of its own node that a CPU's request begins with; NULL if the node has none for it. */
static struct zone *first_own(struct lab *lab, const struct node *n, unsigned int high)
{
	for (unsigned int i = 0; i < n->nr_own; i++)
		if (lab->zones[n->own[i]].kind <= high)
			return &lab->zones[n->own[i]];
	return NULL;
}

/* A highest zone of QUICK_NEVER: the long way. What the kernels to 4.3 ask of smaller blocks takes its time. */
static void quick_fill(const struct lab *lab, struct quick *q, const struct zone *z, const struct zone_cpu *parts, unsigned int high)
{
	const struct pcp *pcp = &parts[z->index].pcp;
	bool halving = page_policy(lab)->order_check == WMARK_ORDER_HALVING;
	const uint64_t *single = &z->quick_mark[pcp_model_is_quick(pcp) ? high : QUICK_NEVER];
	const uint64_t *block = &z->quick_mark[halving ? QUICK_NEVER : high];

	q->zone = (int32_t)((const uint8_t *)z - (const uint8_t *)parts);
	q->mark = (int32_t)((const uint8_t *)single - (const uint8_t *)parts);
	q->mark_block = (int32_t)((const uint8_t *)block - (const uint8_t *)parts);
	q->part = z->index * (uint32_t)sizeof(struct zone_cpu);
	q->list = pcp_model_has_types(pcp) ? q->type : 0;
}

static void quick_cpu_update(struct lab *lab, unsigned int cpu)
{
	const struct node *n = &lab->nodes[shape_cpu_node(&lab->hdr->shape, cpu)];
	struct zone_cpu *parts = zone_cpu_of(lab, cpu, 0);
	struct cpu_quick *mine = cpu_quick(parts);
	const struct zone *usual = &lab->zones[0];

	for (uint32_t gfp = 0; gfp <= QUICK_GFP; gfp++) {
		unsigned int high = node_high_zone(n, gfp);
		struct zone *z = first_own(lab, n, high);
		struct quick *q = &mine->by_gfp[gfp];

		*q = (struct quick){ .type = n->type_of[gfp >> 3] };
		q->kind = page_kind(PAGE_ALLOCATED, 0, q->type);
		if (!z || page_policy(lab)->fail.probability)
			high = QUICK_NEVER;
		if (!z)
			z = lab->zones;
		quick_fill(lab, q, z, parts, high);
		if (gfp == (GFP_KERNEL & QUICK_GFP))
			usual = z;
	}
	mine->part = usual->index * (uint32_t)sizeof(struct zone_cpu);
	mine->list_of = pcp_model_has_types(&parts[usual->index].pcp) ? UINT32_MAX : 0;
	for (unsigned int t = 0; t < PCP_TYPES; t++) {
		bool listed = pcp_has_order(&parts[usual->index].pcp, 0) &&
			      pcp_model_is_quick(&parts[usual->index].pcp) && (n->grouping || t == MT_UNMOVABLE);

		mine->key[t] = listed ? block_key(usual->index, t) : QUICK_NO_KEY;
	}
}

void quick_update(struct lab *lab)
{
	for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++)
		quick_cpu_update(lab, cpu);
}

void zonelists_build(struct lab *lab)
{
	struct order_state st = { 0 };
	uint8_t lowest = ZONE_KINDS;

	look_at_nodes(lab, &st);
	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].managed && lab->zones[i].kind < lowest)
			lowest = lab->zones[i].kind;
	for (unsigned int self = 0; self < lab->nr_nodes; self++) {
		lab->nodes[self].lowest_kind = lowest;
		lab->nodes[self].has_highmem = shape_shows_kind(&lab->hdr->shape, ZONE_HIGHMEM);
		build_one(lab, &st, self);
	}
}
