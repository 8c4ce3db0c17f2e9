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
 * Planned upward from order 0, laid out downward from the top. Types do not
 * share a top-order block: each has its own run of them, so that a free block's
 * list is that of its pageblock. The zone's last block is Movable.
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

struct plan {
	uint64_t free[NR_PAGE_ORDERS];	/* blocks to be placed in cut regions; of the top order: whole blocks */
	uint64_t cut[NR_PAGE_ORDERS];	/* regions of this order to be cut, of those in cut regions */
	enum rest_use rest[TOP_ORDER];	/* what the odd region of each order is for */
	uint64_t tops;			/* whole top-order blocks that it takes */
	uint64_t last;			/* managed pages of the zone's last block */
	uint64_t held;			/* blocks that will be held in them */
};

static void plan_make(uint64_t rest, const uint64_t nr_free[NR_PAGE_ORDERS], struct plan *p)
{
	uint64_t cut = 0;

	memset(p, 0, sizeof(*p));
	p->last = rest;
	for (unsigned int k = 0; k < TOP_ORDER; k++) {
		uint64_t n = nr_free[k], both;

		if (rest >> k & 1) {
			p->rest[k] = n ? REST_FREE : cut ? REST_CUT : REST_HELD;
			n -= p->rest[k] == REST_FREE;
			cut -= p->rest[k] == REST_CUT;
			p->held += p->rest[k] == REST_HELD;
		}
		p->free[k] = n;
		p->cut[k] = cut;
		both = (n + cut + 1) / 2;
		cut = n > both ? n : both;
		p->held += 2 * cut - n - p->cut[k];
	}
	p->free[TOP_ORDER] = nr_free[TOP_ORDER];
	p->cut[TOP_ORDER] = cut;
	p->tops = p->free[TOP_ORDER] + cut;
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
	struct held_pages *held;
	uint64_t nr;
	pfn_t next;		/* the first top-order block that nobody has yet */
	enum mtype type;	/* of what is laid now */
	bool untyped;		/* pageblocks stay, and say what type a block is */
};

static void hold(struct builder *b, pfn_t pfn, unsigned int order)
{
	page_set_kind(&b->lab->pages[pfn], page_kind(PAGE_ALLOCATED, order, MT_UNMOVABLE));
	b->held[b->nr++] = (struct held_pages){ pfn, order };
	b->z->free_pages -= 1ULL << order;
	b->z->free_seen -= 1LL << order;
}

static void place_free(struct builder *b, pfn_t pfn, unsigned int order)
{
	area_add(b->lab, b->z, pfn, order, b->untyped ? pageblock_type(b->lab, pfn) : b->type, true);
}

/* Halves of order k of the regions in `above`; regions to be cut are put in `cut`. */
static void lay_order(struct builder *b, const struct plan *p, unsigned int k, const pfn_t *above, uint64_t nr_above,
		      pfn_t *cut, uint64_t *nr_cut)
{
	uint64_t free_left = p->free[k], cut_left = p->cut[k], rest = p->last;

	*nr_cut = 0;
	for (uint64_t i = 0; i < nr_above; i++)
		for (unsigned int half = 0; half < 2; half++) {
			pfn_t pfn = above[i] + (half << k);

			if (!half && free_left) {
				place_free(b, pfn, k);
				free_left--;
			} else if (cut_left) {
				cut[(*nr_cut)++] = pfn;
				cut_left--;
			} else {
				hold(b, pfn, k);
			}
		}
	if (k < TOP_ORDER && rest >> k & 1) {
		pfn_t pfn = (pfn_t)(zone_managed_end(b->z) - (rest & ((2ULL << k) - 1)));

		if (p->rest[k] == REST_FREE)
			place_free(b, pfn, k);
		else if (p->rest[k] == REST_CUT)
			cut[(*nr_cut)++] = pfn;
		else
			hold(b, pfn, k);
	}
}

/* Whole blocks: those to be cut lie lowest, then the free ones. */
static void lay_tops(struct builder *b, const struct plan *p, pfn_t *cut, uint64_t *nr_cut)
{
	*nr_cut = 0;
	for (uint64_t i = 0; i < p->tops; i++, b->next += BLOCK_PAGES)
		if (i < p->cut[TOP_ORDER])
			cut[(*nr_cut)++] = b->next;
		else
			place_free(b, b->next, TOP_ORDER);
}

static void take_all(struct lab *lab, struct zone *z)
{
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		for (unsigned int t = 0; t < MT_NR; t++)
			while (z->area[o].list[t].head != PFN_NONE)
				area_del(lab, z, z->area[o].list[t].head, o);
}

static uint64_t most_cuts(const struct plan plan[MT_NR])
{
	uint64_t most = 0;

	for (unsigned int t = 0; t < MT_NR; t++)
		for (unsigned int k = 0; k < NR_PAGE_ORDERS; k++)
			if (plan[t].cut[k] + 1 > most)
				most = plan[t].cut[k] + 1;
	return most;
}

/* ---- pageblocks ---- */

/* Those of [from, to) of a type: at most so many, the others stay. Returns how many. */
static uint64_t pageblocks_become(struct builder *b, pfn_t from, pfn_t to, enum mtype type, uint64_t most)
{
	uint64_t size = 1ULL << pageblock_order(b->lab), nr = 0;

	if (b->untyped)
		return 0;
	for (uint64_t pfn = from; pfn < to && nr < most; pfn += size, nr++) {
		if (pageblock_type(b->lab, (pfn_t)pfn) != type)
			pageblock_set_type(b->lab, (pfn_t)pfn, type);
		if (type == MT_HIGHATOMIC)
			b->z->reserved_highatomic += size;
	}
	return nr;
}

/* What no free block needs is of the types that are still missing to the wish. */
static void type_the_rest(struct builder *b, const struct plan plan[MT_NR], const uint64_t blocks[MT_NR], pfn_t end)
{
	unsigned int per_top = TOP_ORDER - pageblock_order(b->lab);
	pfn_t at = b->next;

	for (unsigned int t = 0; t < MT_NR && t < MT_ISOLATE; t++) {
		uint64_t has = plan[t].tops << per_top;

		if (t != MT_MOVABLE && blocks[t] > has)
			at += (pfn_t)(pageblocks_become(b, at, end, t, blocks[t] - has) << pageblock_order(b->lab));
	}
	pageblocks_become(b, at, end, MT_MOVABLE, UINT64_MAX);
}

static void lay_type(struct builder *b, const struct plan *p, pfn_t *above, pfn_t *cut)
{
	uint64_t nr_above, nr_cut;
	pfn_t first = b->next;

	pageblocks_become(b, first, first + (pfn_t)(p->tops << TOP_ORDER), b->type, UINT64_MAX);
	lay_tops(b, p, above, &nr_above);
	for (unsigned int k = TOP_ORDER; k-- > 0;) {
		pfn_t *swap = above;

		lay_order(b, p, k, above, nr_above, cut, &nr_cut);
		above = cut;
		nr_above = nr_cut;
		cut = swap;
	}
}

static int lay_out(struct builder *b, const struct plan plan[MT_NR], const struct free_wish *wish)
{
	pfn_t end = (pfn_t)(b->z->start + (b->z->managed & ~(uint64_t)(BLOCK_PAGES - 1)));
	uint64_t most = most_cuts(plan);
	pfn_t *above = malloc(2 * most * sizeof(*above));

	if (!above)
		return fail(ENOMEM, "the host has no memory to arrange %llu cut regions", (unsigned long long)most);
	for (unsigned int c = 0; c < b->lab->nr_cpus; c++)
		page_ops_of(b->lab)->drain_zone(b->lab->cpus[c], b->z, UINT32_MAX);
	take_all(b->lab, b->z);
	if (!b->untyped)
		b->z->reserved_highatomic = 0;
	pageblocks_become(b, end, (pfn_t)zone_managed_end(b->z), MT_MOVABLE, UINT64_MAX);
	for (unsigned int t = 0; t < MT_NR; t++) {
		b->type = t;
		lay_type(b, &plan[t], above, above + most);
	}
	type_the_rest(b, plan, wish->blocks, end);
	for (; b->next < end; b->next += BLOCK_PAGES)
		hold(b, b->next, TOP_ORDER);
	zone_quick_marks_update(b->lab, b->z);
	free(above);
	return 0;
}

uint64_t page_arrange_tops(const struct free_wish *wish, uint64_t managed)
{
	uint64_t tops = 0;
	struct plan p;

	for (unsigned int t = 0; t < MT_NR; t++) {
		plan_make(t == MT_MOVABLE ? managed & (BLOCK_PAGES - 1) : 0, wish->free[t], &p);
		tops += p.tops;
	}
	return tops;
}

static int plan_all(const struct zone *z, const struct free_wish *wish, struct plan plan[MT_NR], uint64_t *held)
{
	uint64_t tops = 0, have = z->managed >> TOP_ORDER;

	*held = 0;
	for (unsigned int t = 0; t < MT_NR; t++) {
		for (unsigned int k = 0; k < NR_PAGE_ORDERS; k++)
			if (wish->free[t][k] > z->managed)
				return fail(ENOSPC, "zone N%u.%s has %llu pages, too few for %llu blocks of order %u", z->node,
					    zone_kind_names[z->kind], (unsigned long long)z->managed,
					    (unsigned long long)wish->free[t][k], k);
		plan_make(t == MT_MOVABLE ? z->managed & (BLOCK_PAGES - 1) : 0, wish->free[t], &plan[t]);
		tops += plan[t].tops;
		*held += plan[t].held;
	}
	if (tops > have)
		return fail(ENOSPC, "zone N%u.%s has %llu blocks of 4 MiB; these counts need %llu (a free block's buddy must not be free)",
			    z->node, zone_kind_names[z->kind], (unsigned long long)have, (unsigned long long)tops);
	*held += have - tops;
	return 0;
}

int page_arrange(struct cpu *cpu, unsigned int zone, const struct free_wish *wish, struct held_pages **held,
		 uint64_t *held_nr)
{
	struct zone *z = &cpu->lab->zones[zone];
	struct builder b = {
		.lab = cpu->lab, .z = z, .nr = *held_nr, .next = (pfn_t)z->start, .untyped = wish->untyped,
	};
	struct plan plan[MT_NR];
	uint64_t will_hold;
	int ret = zone_is_fresh(b.lab, z);

	if (!ret)
		ret = plan_all(z, wish, plan, &will_hold);
	if (ret)
		return ret;
	b.held = realloc(*held, (*held_nr + will_hold + 1) * sizeof(**held));
	if (!b.held)
		return fail(ENOMEM, "the host has no memory for %llu held blocks", (unsigned long long)will_hold);
	*held = b.held;
	ret = lay_out(&b, plan, wish);
	if (!ret)
		*held_nr = b.nr;
	return ret;
}
