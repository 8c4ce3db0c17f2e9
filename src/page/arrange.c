/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idea. A free block below the top order stays as it is only if its buddy is
 * not free as a whole. So work in regions that are cut: a cut region of order
 * k + 1 has two halves of order k, each free, cut again or held, and not both
 * free. With n[k] free blocks and cut[k] cut regions of order k to be placed,
 *
 *	cut[k + 1] = max(n[k], ceil((n[k] + cut[k]) / 2))
 *
 * regions are enough and needed. The zone's last block may be managed in part;
 * it gives one region of each order that is a bit of the rest, whose buddy is
 * never free as a whole: it serves a free block first, else a cut one.
 *
 * Planned upward from order 0, laid out downward from the top. Up to the order
 * of pageblocks each type has a plan of its own, for a pageblock is of one type;
 * from there on the types share one, and their pageblocks lie side by side.
 */
#include "page/arrange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "page/area.h"
#include "page/ops.h"
#include "page/pageblock.h"

enum rest_use { REST_NONE, REST_FREE, REST_CUT, REST_HELD };

/* For blocks of the orders [from, to); those of order `to` are regions for somebody else to place. */
struct plan {
	unsigned int from, to;
	uint64_t free[NR_PAGE_ORDERS];	/* blocks to be placed in cut regions */
	uint64_t cut[NR_PAGE_ORDERS];	/* regions of this order to be cut */
	enum rest_use rest[TOP_ORDER];	/* what the odd region of each order is for */
	uint64_t held;			/* blocks that will be held in them */
};

/* cut: regions of order `from` that are to be placed, too; rest: the odd regions that there are. */
static void plan_make(struct plan *p, unsigned int from, unsigned int to, uint64_t rest, uint64_t cut,
		      const uint64_t nr_free[NR_PAGE_ORDERS])
{
	memset(p, 0, sizeof(*p));
	p->from = from;
	p->to = to;
	for (unsigned int k = from; k < to; k++) {
		uint64_t n = nr_free[k], both;

		if (rest >> k & 1) {
			p->rest[k] = n ? REST_FREE : cut ? REST_CUT : REST_HELD;
			n -= p->rest[k] == REST_FREE;
			p->held += p->rest[k] == REST_HELD;
		}
		p->free[k] = n;
		p->cut[k] = cut;
		cut -= p->rest[k] == REST_CUT;
		both = (n + cut + 1) / 2;
		p->held += 2 * (n > both ? n : both) - n - cut;
		cut = n > both ? n : both;
	}
	p->cut[to] = cut;
}

/* The plans of a zone. */
struct plans {
	struct plan type[MT_NR], common;
	enum mtype last;	/* whose is the part of a pageblock that the zone ends with */
	uint64_t tops;		/* whole top-order blocks that it takes */
	uint64_t held;
};

static void plans_try(struct plans *p, unsigned int pageblock_order, uint64_t managed, const struct free_wish *wish, enum mtype last)
{
	uint64_t rest = managed & (BLOCK_PAGES - 1), in_pageblock = rest & ((1ULL << pageblock_order) - 1), cut = 0;
	uint64_t nr_free[NR_PAGE_ORDERS] = { 0 };

	p->held = 0;
	p->last = last;
	for (unsigned int t = 0; t < MT_NR; t++) {
		plan_make(&p->type[t], 0, pageblock_order, t == last ? in_pageblock : 0, 0, wish->free[t]);
		cut += p->type[t].cut[pageblock_order];
		p->held += p->type[t].held;
		for (unsigned int k = pageblock_order; k < NR_PAGE_ORDERS; k++)
			nr_free[k] += wish->free[t][k];
	}
	plan_make(&p->common, pageblock_order, TOP_ORDER, rest - in_pageblock, cut, nr_free);
	p->held += p->common.held;
	p->tops = p->common.cut[TOP_ORDER] + nr_free[TOP_ORDER];
}

/* The zone's end is Movable, but of another type where that spares a block. */
static void plans_make(struct plans *p, unsigned int pageblock_order, uint64_t managed, const struct free_wish *wish)
{
	plans_try(p, pageblock_order, managed, wish, MT_MOVABLE);
	for (unsigned int t = 0; t < MT_NR && !wish->untyped && managed & ((1ULL << pageblock_order) - 1); t++) {
		struct plans other;

		plans_try(&other, pageblock_order, managed, wish, t);
		if (other.tops < p->tops)
			*p = other;
	}
}

static int zone_is_fresh(const struct lab *lab, const struct zone *z)
{
	uint64_t listed = z->free_pages;

	for (unsigned int c = 0; c < lab->nr_cpus; c++)
		listed += zone_cpu(lab->cpus[c], z)->pcp.count;
	if (listed == z->managed)
		return 0;
	return fail(EBUSY, "%llu pages of zone N%u.%s are in use; its free lists can be set only while all are free",
		    (unsigned long long)(z->managed - listed), z->node, zone_kind_names[z->kind]);
}

struct builder {
	struct lab *lab;
	struct zone *z;
	const struct plans *plans;
	unsigned int pageblock_order;
	bool untyped;		/* pageblocks stay, and say what type a block is */
	uint64_t left[MT_NR][NR_PAGE_ORDERS];	/* free blocks of pageblocks and more that are still to be placed */
	uint64_t missing[MT_NR];	/* pageblocks of a type, to the wish */
	pfn_t *room[3];		/* regions to be cut: of pageblocks, and two that change places */
	struct held_pages *held;
	uint64_t nr, nr_before;	/* held: now, and by others */
	enum mtype type;	/* of what is laid now, below the order of pageblocks */
};

static void hold(struct builder *b, pfn_t pfn, unsigned int order)
{
	page_set_kind(&b->lab->pages[pfn], page_kind(PAGE_ALLOCATED, order, MT_UNMOVABLE));
	b->held[b->nr++] = (struct held_pages){ pfn, order };
	b->z->free_pages -= 1ULL << order;
	b->z->free_seen -= 1LL << order;
}

/* ---- pageblocks ---- */

static void pageblock_becomes(struct builder *b, pfn_t pfn, enum mtype type)
{
	if (b->untyped)
		return;
	if (pageblock_type(b->lab, pfn) != type)
		pageblock_set_type(b->lab, pfn, type);
	if (type == MT_HIGHATOMIC)
		b->z->reserved_highatomic += 1ULL << b->pageblock_order;
	if (b->missing[type])
		b->missing[type]--;
}

static void pageblocks_become(struct builder *b, pfn_t pfn, unsigned int order, enum mtype type)
{
	for (pfn_t end = pfn + (1U << order); pfn < end; pfn += 1U << b->pageblock_order)
		pageblock_becomes(b, pfn, type);
}

/* Those that no free block needs are of the types still missing. */
static void type_held(struct builder *b)
{
	unsigned int t = 0;

	for (uint64_t i = b->nr_before; i < b->nr; i++)
		for (pfn_t pfn = b->held[i].pfn, end = pfn + (1U << b->held[i].order); pfn < end; pfn += 1U << b->pageblock_order) {
			while (t < MT_ISOLATE && (t == MT_MOVABLE || !b->missing[t]))
				t++;
			pageblock_becomes(b, pfn, t < MT_ISOLATE ? t : MT_MOVABLE);
		}
}

/* ---- regions ---- */

static void place_free(struct builder *b, pfn_t pfn, unsigned int order)
{
	enum mtype type = b->type;

	if (order >= b->pageblock_order) {
		for (type = 0; !b->left[type][order]; type++)
			;
		b->left[type][order]--;
		pageblocks_become(b, pfn, order, type);
	}
	area_add(b->lab, b->z, pfn, order, b->untyped ? pageblock_type(b->lab, pfn) : type, true);
}

/* The odd region of order k that the zone ends with. */
static pfn_t odd_region(const struct zone *z, unsigned int k)
{
	return (pfn_t)(zone_managed_end(z) - (z->managed & ((2ULL << k) - 1)));
}

/* Halves of order k of the regions in `above`; regions to be cut are put in `cut`, and how many is returned. */
static uint64_t lay_order(struct builder *b, const struct plan *p, unsigned int k, const pfn_t *above, uint64_t nr_above, pfn_t *cut)
{
	uint64_t free_left = p->free[k], cut_left = p->cut[k] - (p->rest[k] == REST_CUT), nr_cut = 0;

	for (uint64_t i = 0; i < nr_above; i++)
		for (unsigned int half = 0; half < 2; half++) {
			pfn_t pfn = above[i] + (half << k);

			if (!half && free_left) {
				place_free(b, pfn, k);
				free_left--;
			} else if (cut_left) {
				cut[nr_cut++] = pfn;
				cut_left--;
			} else {
				hold(b, pfn, k);
			}
		}
	if (p->rest[k] == REST_FREE)
		place_free(b, odd_region(b->z, k), k);
	else if (p->rest[k] == REST_CUT)
		cut[nr_cut++] = odd_region(b->z, k);
	else if (p->rest[k] == REST_HELD)
		hold(b, odd_region(b->z, k), k);
	return nr_cut;
}

/* All orders of a plan, from regions to be cut; those of its lowest order are left in `last`. */
static void lay_plan(struct builder *b, const struct plan *p, const pfn_t *regions, uint64_t nr, pfn_t *last)
{
	pfn_t *next = b->room[1], *other = b->room[2];

	for (unsigned int k = p->to; k-- > p->from;) {
		pfn_t *cut = k > p->from || !last ? next : last, *swap = next;

		nr = lay_order(b, p, k, regions, nr, cut);
		regions = cut;
		next = other;
		other = swap;
	}
}

/* Whole blocks: those to be cut lie lowest, then the free ones, then what is held. */
static void lay_tops(struct builder *b, pfn_t *cut)
{
	uint64_t nr_cut = b->plans->common.cut[TOP_ORDER];
	pfn_t pfn = (pfn_t)b->z->start;

	for (uint64_t i = 0; i < b->z->managed >> TOP_ORDER; i++, pfn += BLOCK_PAGES)
		if (i < nr_cut)
			cut[i] = pfn;
		else if (i < b->plans->tops)
			place_free(b, pfn, TOP_ORDER);
		else
			hold(b, pfn, TOP_ORDER);
}

static void take_all(struct lab *lab, struct zone *z)
{
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		for (unsigned int t = 0; t < MT_NR; t++)
			while (z->area[o].list[t].head != PFN_NONE)
				area_del(lab, z, z->area[o].list[t].head, o);
}

static uint64_t most_cuts(const struct plans *p)
{
	uint64_t most = 0;

	for (unsigned int t = 0; t <= MT_NR; t++)
		for (unsigned int k = 0; k < NR_PAGE_ORDERS; k++) {
			uint64_t cut = t < MT_NR ? p->type[t].cut[k] : p->common.cut[k];

			most = cut > most ? cut : most;
		}
	return most;
}

/* Types in turn get the pageblocks to be cut, lowest first; the odd one at the zone's end comes last. */
static void type_cut(struct builder *b, const pfn_t *pageblocks)
{
	for (unsigned int t = 0; t < MT_NR; t++)
		for (uint64_t i = 0; i < b->plans->type[t].cut[b->pageblock_order]; i++)
			pageblock_becomes(b, *pageblocks++, t);
}

static void lay_pageblocks(struct builder *b, const pfn_t *pageblocks)
{
	for (unsigned int t = 0; t < MT_NR; t++) {
		const struct plan *p = &b->plans->type[t];

		b->type = t;
		lay_plan(b, p, pageblocks, p->cut[b->pageblock_order], NULL);
		pageblocks += p->cut[b->pageblock_order];
	}
}

static int lay_out(struct builder *b)
{
	uint64_t most = most_cuts(b->plans) + 1;
	uint64_t in_pageblock = b->z->managed & ((1ULL << b->pageblock_order) - 1);

	b->room[0] = malloc(3 * most * sizeof(pfn_t));
	if (!b->room[0])
		return fail(ENOMEM, "the host has no memory to arrange %llu cut regions", (unsigned long long)most);
	b->room[1] = b->room[0] + most;
	b->room[2] = b->room[1] + most;
	for (unsigned int c = 0; c < b->lab->nr_cpus; c++)
		page_ops_of(b->lab)->drain_zone(b->lab->cpus[c], b->z, UINT32_MAX);
	take_all(b->lab, b->z);
	if (!b->untyped)
		b->z->reserved_highatomic = 0;
	if (in_pageblock)
		pageblock_becomes(b, (pfn_t)(zone_managed_end(b->z) - in_pageblock), b->plans->last);
	lay_tops(b, b->room[2]);
	if (b->pageblock_order == TOP_ORDER)
		memcpy(b->room[0], b->room[2], b->plans->common.cut[TOP_ORDER] * sizeof(pfn_t));
	lay_plan(b, &b->plans->common, b->room[2], b->plans->common.cut[TOP_ORDER], b->room[0]);
	type_cut(b, b->room[0]);
	type_held(b);
	lay_pageblocks(b, b->room[0]);
	zone_quick_marks_update(b->lab, b->z);
	free(b->room[0]);
	return 0;
}

uint64_t page_arrange_tops(const struct free_wish *wish, unsigned int pageblock_order, uint64_t managed)
{
	struct plans p;

	plans_make(&p, pageblock_order, managed, wish);
	return p.tops;
}

static int plan_all(const struct lab *lab, const struct zone *z, const struct free_wish *wish, struct plans *p)
{
	uint64_t have = z->managed >> TOP_ORDER;

	for (unsigned int t = 0; t < MT_NR; t++)
		for (unsigned int k = 0; k < NR_PAGE_ORDERS; k++)
			if (wish->free[t][k] > z->managed)
				return fail(ENOSPC, "zone N%u.%s has %llu pages, too few for %llu blocks of order %u", z->node,
					    zone_kind_names[z->kind], (unsigned long long)z->managed,
					    (unsigned long long)wish->free[t][k], k);
	plans_make(p, pageblock_order(lab), z->managed, wish);
	if (p->tops > have)
		return fail(ENOSPC, "zone N%u.%s has %llu blocks of 4 MiB; these counts need %llu (a free block's buddy must not be free)",
			    z->node, zone_kind_names[z->kind], (unsigned long long)have, (unsigned long long)p->tops);
	p->held += have - p->tops;
	return 0;
}

int page_arrange(struct cpu *cpu, unsigned int zone, const struct free_wish *wish, struct held_pages **held,
		 uint64_t *held_nr)
{
	struct zone *z = &cpu->lab->zones[zone];
	struct plans plans;
	struct builder b = {
		.lab = cpu->lab, .z = z, .plans = &plans, .pageblock_order = pageblock_order(cpu->lab),
		.nr = *held_nr, .nr_before = *held_nr, .untyped = wish->untyped,
	};
	int ret = zone_is_fresh(b.lab, z);

	if (!ret)
		ret = plan_all(b.lab, z, wish, &plans);
	if (ret)
		return ret;
	memcpy(b.left, wish->free, sizeof(b.left));
	memcpy(b.missing, wish->blocks, sizeof(b.missing));
	b.held = realloc(*held, (*held_nr + plans.held + 1) * sizeof(**held));
	if (!b.held)
		return fail(ENOMEM, "the host has no memory for %llu held blocks", (unsigned long long)plans.held);
	*held = b.held;
	ret = lay_out(&b);
	if (!ret)
		*held_nr = b.nr;
	return ret;
}
