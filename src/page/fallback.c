/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom a type takes from, and how much (pages.md section 3; history-pages.md section 2). Compiled once a variant. */
#include "page/fallback.h"

#include "page/area.h"
#include "page/boost.h"
#include "page/buddy.h"
#include "page/emit.h"
#include "page/pageblock.h"

struct victim {
	unsigned int order;
	enum mtype type;
	bool whole;		/* its pageblock goes along */
};

static bool find_at(const struct zone *z, unsigned int order, enum mtype want, struct victim *v)
{
	for (unsigned int i = 0; i < 2; i++)
		if (z->area[order].list[fallback_victims[want][i]].head != PFN_NONE) {
			*v = (struct victim){ order, fallback_victims[want][i], false };
			return true;
		}
	return false;
}

static bool find_smallest(const struct zone *z, unsigned int order, enum mtype want, struct victim *v)
{
	for (unsigned int c = order; c < NR_PAGE_ORDERS; c++)
		if (find_at(z, c, want, v))
			return true;
	return false;
}

/* The largest block; only where little is wanted, since 6.1's rule, the smallest. */
static bool find_victim(const struct lab *lab, const struct zone *z, unsigned int order, unsigned int lowest,
			enum mtype want, struct victim *v)
{
	for (unsigned int c = NR_PAGE_ORDERS; c-- > lowest;) {
		if (!find_at(z, c, want, v))
			continue;
		v->whole = fallback_takes_whole(lab, c, want);
		if (!v->whole && c > order && page_policy(lab)->fallback_rule == FALLBACK_6_1)
			find_smallest(z, order, want, v);
		return true;
	}
	return false;
}

/* ---- taking over ---- */

/* A block of at least a pageblock: all of it changes sides, but for what is set aside, as it is counted. */
static void claim_blocks(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype want)
{
	unsigned int pbo = pageblock_order(cpu->lab);

	for (unsigned int i = 0; i < 1U << (order - pbo); i++)
		if (pageblock_type(cpu->lab, pfn + (i << pbo)) != MT_HIGHATOMIC)
			pageblock_set_type(cpu->lab, pfn + (i << pbo), want);
	emit_page(cpu, zone_cpu(cpu, z), EV_block_claim, pfn, want, 1U << order);
	area_move(cpu->lab, z, pfn, order, want);
}

/* Pages of like kind: what could move; for others, of a Movable block, what is neither free nor movable. */
static unsigned int alike_pages(const struct lab *lab, enum mtype was, enum mtype want, struct block_share share)
{
	enum fallback_rule rule = page_policy(lab)->fallback_rule;

	if (rule == FALLBACK_2_6_24 || rule == FALLBACK_4_0)
		return 0;
	if (want == MT_MOVABLE)
		return share.movable;
	return was == MT_MOVABLE ? (1U << pageblock_order(lab)) - share.free - share.movable : 0;
}

/* Move what is free in the pageblock; half of it free or alike makes it the wanted type's. */
static void steal_part(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype want)
{
	struct lab *lab = cpu->lab;
	unsigned int half = 1U << (pageblock_order(lab) - 1), alike;
	enum mtype was = pageblock_type(lab, pfn);
	struct block_share share = pageblock_share(lab, z, pfn, true, want);

	alike = alike_pages(lab, was, want, share);
	tell(cpu, z->index, NOTE_steal_share, share.free, alike, half, want);
	if (share.free + alike >= half || !lab->nodes->grouping) {
		pageblock_set_type(lab, pfn, want);
		emit_page(cpu, zone_cpu(cpu, z), EV_block_claim, pfn, want, share.free);
	} else {
		emit_page(cpu, zone_cpu(cpu, z), EV_block_mixed_steal, pfn, want, share.free);
	}
}

static void raise_marks(struct cpu *cpu, struct zone *z, unsigned int flags)
{
	uint64_t pages = zone_boost(cpu->lab, z, flags & ALLOC_KSWAPD);

	if (pages)
		emit_page(cpu, zone_cpu(cpu, z), EV_watermark_boost, pages, 0, 0);
}

static void steal(struct cpu *cpu, struct zone *z, pfn_t pfn, const struct victim *v, enum mtype want,
		  unsigned int flags)
{
	struct lab *lab = cpu->lab;

	if (pageblock_type(lab, pfn) == MT_HIGHATOMIC) {
		area_move(lab, z, pfn, v->order, want);
		return;
	}
	if (v->order >= pageblock_order(lab)) {
		claim_blocks(cpu, z, pfn, v->order, want);
		return;
	}
	if (page_policy(lab)->fallback_rule == FALLBACK_6_1)
		raise_marks(cpu, z, flags);
	if (v->whole)
		steal_part(cpu, z, pfn, want);
	else
		area_move(lab, z, pfn, v->order, want);
}

static void emit_extfrag(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, const struct victim *v,
			 enum mtype want)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	emit_page(cpu, zc, EV_mm_page_alloc_extfrag, pfn, order, want);
	tell_more(cpu, EV_mm_page_alloc_extfrag, TPX_FALLBACK, v->order, v->type, pageblock_type(cpu->lab, pfn) == want);
	if (COUNTING)
		bump(zc->extfrag[want][v->type], 1);
}

static pfn_t take_stolen(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype want, unsigned int flags,
			 const struct victim *v)
{
	pfn_t pfn = z->area[v->order].list[v->type].head;

	tell(cpu, z->index, NOTE_fallback_choice, pfn, v->order, v->type, want, v->whole, order);
	steal(cpu, z, pfn, v, want, flags);
	emit_extfrag(cpu, z, pfn, order, v, want);
	return V(rmqueue_smallest)(cpu, z, order, want);
}

/* ---- 6.15: claim a pageblock, or take one block and leave the rest ---- */

static bool claim_part(struct cpu *cpu, struct zone *z, pfn_t pfn, enum mtype want, unsigned int flags)
{
	struct lab *lab = cpu->lab;
	unsigned int half = 1U << (pageblock_order(lab) - 1), alike;
	struct block_share share;

	raise_marks(cpu, z, flags);
	share = pageblock_share(lab, z, pfn, false, want);
	alike = alike_pages(lab, pageblock_type(lab, pfn), want, share);
	tell(cpu, z->index, NOTE_steal_share, share.free, alike, half, want);
	if (share.free + alike < half && lab->nodes->grouping)
		return false;
	pageblock_share(lab, z, pfn, true, want);
	pageblock_set_type(lab, pfn, want);
	emit_page(cpu, zone_cpu(cpu, z), EV_block_claim, pfn, want, share.free);
	return true;
}

static pfn_t take_claimed(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int lowest, enum mtype want,
			  unsigned int flags)
{
	struct victim v;

	for (unsigned int c = NR_PAGE_ORDERS; c-- > lowest;) {
		pfn_t pfn;

		if (!find_at(z, c, want, &v))
			continue;
		if (!fallback_takes_whole(cpu->lab, c, want))
			break;
		v.whole = true;
		pfn = z->area[c].list[v.type].head;
		if (pageblock_type(cpu->lab, pfn) == MT_HIGHATOMIC)	/* freed by its old type: no claim */
			continue;
		tell(cpu, z->index, NOTE_fallback_choice, pfn, c, v.type, want, true, order);
		if (c >= pageblock_order(cpu->lab))
			claim_blocks(cpu, z, pfn, c, want);
		else if (!claim_part(cpu, z, pfn, want, flags))
			continue;
		emit_extfrag(cpu, z, pfn, order, &v, want);
		return V(rmqueue_smallest)(cpu, z, order, want);
	}
	return PFN_NONE;
}

static pfn_t take_6_15(struct cpu *cpu, struct zone *z, unsigned int order, unsigned int lowest, enum mtype want,
		       unsigned int flags)
{
	pfn_t pfn = cpu->steals ? PFN_NONE : take_claimed(cpu, z, order, lowest, want, flags);
	struct victim v;

	if (pfn != PFN_NONE || lowest > order || !find_smallest(z, order, want, &v))
		return pfn;
	pfn = z->area[v.order].list[v.type].head;
	tell(cpu, z->index, NOTE_fallback_choice, pfn, v.order, v.type, want, false, order);
	emit_extfrag(cpu, z, pfn, order, &v, want);
	cpu->steals = true;	/* of the next page of a refill the same would come */
	return V(rmqueue_smallest)(cpu, z, order, v.type);
}

/* ---- all rules ---- */

/* The last resort of kernels before 4.4: a few pageblocks kept from everybody. */
static pfn_t take_reserve(struct cpu *cpu, struct zone *z, unsigned int order)
{
	if (page_policy(cpu->lab)->highatomic != HIGHATOMIC_RESERVE_BLOCK)
		return PFN_NONE;
	return V(rmqueue_smallest)(cpu, z, order, MT_HIGHATOMIC);
}

pfn_t V(fallback_take)(struct cpu *cpu, struct zone *z, unsigned int order, enum mtype want, unsigned int flags)
{
	unsigned int pbo = pageblock_order(cpu->lab), lowest = order;
	bool on = page_policy(cpu->lab)->fallback && type_is_mergeable(want);
	struct victim v;
	pfn_t pfn = PFN_NONE;

	if (flags & ALLOC_NOFRAGMENT && order < pbo)
		lowest = pbo;
	if (on && page_policy(cpu->lab)->fallback_rule == FALLBACK_6_15)
		pfn = take_6_15(cpu, z, order, lowest, want, flags);
	else if (on && find_victim(cpu->lab, z, order, lowest, want, &v))
		pfn = take_stolen(cpu, z, order, want, flags, &v);
	if (pfn != PFN_NONE)
		return pfn;
	tell(cpu, z->index, NOTE_fallback_none, order, want,
	     !on && type_is_mergeable(want) ? FALLBACK_OFF : lowest > order ? FALLBACK_WHOLE : FALLBACK_NONE);
	return lowest > order ? pfn : take_reserve(cpu, z, order);
}
