/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes by formula (pages.md 4.1, 5) and the watermark check. Cold but for the check. */
#include "page/watermark.h"

#include "base/bits.h"
#include "page/drift.h"
#include "page/fair.h"
#include "page/lru.h"
#include "page/pcp_model.h"

#define KB_PER_PAGE (PAGE_SIZE / 1024)

/* ---- min_free_kbytes ---- */

static uint64_t managed_total(const struct lab *lab, unsigned int highest_kind)
{
	uint64_t pages = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].kind <= highest_kind)
			pages += lab->zones[i].managed;
	return pages;
}

/*
 * A zone that no kernel allocation comes from, Movable since 6.7, has no share
 * in min_free_kbytes: its min follows from its own size. (pages.md 5.2)
 */
static bool has_own_min(const struct page_policy *p, enum zone_kind kind)
{
	return kind == ZONE_HIGHMEM || (kind == ZONE_MOVABLE && p->era >= PAGE_ERA_6_18);
}

static uint64_t own_min(uint64_t managed)
{
	return clamp_u64(managed / 1024, 32, 128);
}

uint64_t empty_zone_min(const struct lab *lab, enum zone_kind kind)
{
	return has_own_min(page_policy(lab), kind) ? own_min(0) : 0;
}

bool page_names_618(const struct lab *lab)
{
	return page_policy(lab)->era >= PAGE_ERA_6_18;
}

static uint64_t share_of(const struct lab *lab, const struct zone *z, uint64_t min_kb)
{
	uint64_t sharing = 0;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (!has_own_min(page_policy(lab), lab->zones[i].kind))
			sharing += lab->zones[i].managed;
	return sharing ? min_kb / KB_PER_PAGE * z->managed / sharing : 0;
}

/* What remains when marks are rounded: the step between marks and min itself. */
static void marks_of(const struct lab *lab, const struct zone *z, uint64_t min_kb, uint64_t mark[WMARKS])
{
	const struct page_policy *p = page_policy(lab);
	uint64_t share = share_of(lab, z, min_kb), min = has_own_min(p, z->kind) ? own_min(z->managed) : share;
	uint64_t step = share / 4;

	switch (p->watermark_rule) {
	case WMARK_SCALE:
		step = max_u64(step, z->managed * (uint64_t)p->scale_factor / 10000);
		mark[WMARK_LOW] = min + step;
		mark[WMARK_HIGH] = min + 2 * step;
		break;
	case WMARK_QUARTER:
		mark[WMARK_LOW] = min + step;
		mark[WMARK_HIGH] = min + share / 2;
		break;
	case WMARK_TRIPLE:
		/* Linux 2.5.9 knew no min_free_kbytes: a share of the zone, within bounds */
		if (p->min_free_kbytes == AUTO64)
			min = clamp_u64(z->managed / 128, 20, 255);
		mark[WMARK_LOW] = 2 * min;
		mark[WMARK_HIGH] = 3 * min;
		break;
	}
	mark[WMARK_MIN] = min;
}

/* What khugepaged asks for: two pageblocks and one a pair of types, in each zone; 5 % of memory at most. */
static uint64_t thp_min_free_kbytes(const struct lab *lab, uint64_t first_kb)
{
	uint64_t zones = 0, room = 0, mark[WMARKS], block = 1ULL << pageblock_order(lab);

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		const struct zone *z = &lab->zones[i];

		if (!z->managed)
			continue;
		marks_of(lab, z, first_kb, mark);
		zones++;
		if (z->managed > mark[WMARK_HIGH])
			room += z->managed - mark[WMARK_HIGH];
	}
	return KB_PER_PAGE * min_u64((2 + PCP_TYPES * PCP_TYPES) * block * zones, room / 20);
}

uint64_t min_free_kbytes(struct lab *lab)
{
	const struct page_policy *p = page_policy(lab);
	uint64_t kb;

	if (p->min_free_kbytes != AUTO64)
		return (uint64_t)p->min_free_kbytes;
	kb = clamp_u64(isqrt(16 * managed_total(lab, ZONE_NORMAL) * KB_PER_PAGE), 128, 262144);
	if (p->thp_adjust && managed_total(lab, ZONE_KINDS) >= 131072)
		kb = max_u64(kb, thp_min_free_kbytes(lab, kb));
	return kb;
}

/* ---- per zone and CPU ---- */

static const struct cpu_part *cpu_parts(const struct lab *lab)
{
	return lab_section(lab, SEC_CPU);
}

/* CPUs online: of one node, or of all (node < 0). */
static unsigned int online_cpus(const struct lab *lab, int node)
{
	const struct shape *shape = &lab->hdr->shape;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < shape->possible; i++)
		nr += cpu_parts(lab)[i].online && (node < 0 || shape_cpu_node(shape, i) == (unsigned int)node);
	return nr;
}

#define NO_SCALE_MAX 31		/* 5.14 had no limit but that of high */
#define CACHE_SHARE_PAGES 256	/* of a CPU in the last cache: the lab has no model of caches */

static void pcps_update(struct lab *lab, const struct zone *z)
{
	const struct page_policy *p = page_policy(lab);

	for (unsigned int cpu = 0; cpu < lab->hdr->shape.possible; cpu++) {
		struct pcp *pcp = &zone_cpu_of(lab, cpu, z->index)->pcp;

		pcp->model = p->pcp_model;
		pcp->mixed = p->pcp_model == PCP_MODEL_HOTCOLD1;
		pcp->batch = (uint16_t)z->batch;
		pcp->high_min = z->high;
		pcp->high_max = z->high_max;
		if (!pcp_model_tunes(pcp))
			pcp->high = z->high;
		pcp->flags = (uint8_t)((pcp->flags & PCP_PREV_HIGH_ORDER) |
				       (CACHE_SHARE_PAGES > 3 * z->batch ? PCP_HIGH_BATCH : 0));
		pcp->orders = pcp_model_orders(p);
		poke(pcp->look_at, pcp_look_at(pcp, zone_is_reclaimed(lab, z)));
		pcp->scale_max = p->pcp_model == PCP_MODEL_5_14 ? NO_SCALE_MAX : p->pcp_scale_max;
		if (pcp->free_factor > pcp->scale_max)
			pcp->free_factor = pcp->scale_max;
		if (pcp->alloc_factor > pcp->scale_max)
			pcp->alloc_factor = pcp->scale_max;
	}
}

/* A request that could have used zone j leaves protection[j] pages here. */
static void protection_update(const struct lab *lab, struct zone *z)
{
	const struct page_policy *p = page_policy(lab);
	static const int8_t ratio_of[ZONE_KINDS] = { 0, 1, 2, -1, 3, -1 };	/* the policy's list: DMA, DMA32, Normal, Movable */
	uint64_t ratio = ratio_of[z->kind] < 0 ? 0 : (uint64_t)p->reserve_ratio[ratio_of[z->kind]], above = 0;

	for (unsigned int j = 0; j < ZONE_KINDS; j++) {
		for (unsigned int i = 0; j > z->kind && i < lab->nr_zones; i++)
			if (lab->zones[i].node == z->node && lab->zones[i].kind == j)
				above += lab->zones[i].managed;
		z->protection[j] = j > z->kind && ratio && z->managed ? above / ratio : 0;
	}
}

/*
 * The check of 2.6.0 needs its walk, zones that take turns theirs, a drifting
 * count its own look: then nothing is quick. From 6.7 on an allocation below
 * the high mark leaves a note.
 */
void zone_quick_marks_update(const struct lab *lab, struct zone *z)
{
	enum wmark mark = page_policy(lab)->pcp_model >= PCP_MODEL_6_7 ? WMARK_HIGH : WMARK_LOW;

	for (unsigned int high = 0; high < QUICK_MARKS; high++)
		poke(z->quick_mark[high],
			high == QUICK_NEVER || page_policy(lab)->order_check == WMARK_ORDER_SIZE ||
			fair_is_on(lab) || drift_is_on(lab) ? UINT64_MAX :
			zone_mark(z, mark) + z->protection[high] + zone_reserved(lab, z));
}

void zone_sizes_update(struct lab *lab)
{
	uint64_t kb = min_free_kbytes(lab);
	unsigned int all = online_cpus(lab, -1);

	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone *z = &lab->zones[i];
		unsigned int here = online_cpus(lab, z->node), cpus;

		marks_of(lab, z, kb, z->mark);
		z->boost = 0;
		cpus = here ? here : all ? all : 1;
		z->batch = pcp_model_batch(page_policy(lab), z->managed);
		z->high = pcp_model_high(page_policy(lab), z->managed, z->batch, zone_mark(z, WMARK_LOW), cpus);
		z->high_max = pcp_model_high_max(page_policy(lab), z->managed, z->high, cpus);
		z->boosted = 0;
		drift_sizes(lab, z, all);
		fair_refill(z);
		protection_update(lab, z);
		zone_quick_marks_update(lab, z);
		pcps_update(lab, z);
	}
	quick_update(lab);
}

/* Types are kept apart only where there are blocks enough: five for each kernel type's share. */
void grouping_update(struct lab *lab)
{
	uint64_t room = 0;
	bool on;

	for (unsigned int i = 0; i < lab->nr_zones; i++)
		if (lab->zones[i].managed > lab->zones[i].mark[WMARK_HIGH])
			room += lab->zones[i].managed - lab->zones[i].mark[WMARK_HIGH];
	on = page_policy(lab)->mobility && room >= (uint64_t)MT_NR << pageblock_order(lab);
	for (unsigned int n = 0; n < lab->nr_nodes; n++) {
		lab->nodes[n].grouping = on;
		for (unsigned int bits = 0; bits < 4; bits++)
			lab->nodes[n].type_of[bits] = on ? (uint8_t)gfp_mtype(bits << 3) : MT_UNMOVABLE;
	}
	quick_update(lab);
}

/* ---- the check ---- */

/*
 * Who may go how far below the mark (6.1 with its later fixes). To 4.2 to be
 * unable to wait was right enough for a quarter, whatever else was asked for.
 */
static uint64_t reduced(const struct page_policy *p, uint64_t mark, unsigned int flags)
{
	bool old = p->era < PAGE_ERA_6_1, high = flags & ALLOC_MIN_RESERVE, oom = flags & ALLOC_OOM;

	if (high)
		mark -= mark / 2;
	if (flags & ALLOC_NON_BLOCK && (old ? !oom : high))
		mark -= mark / 4;
	if (oom)
		mark -= mark / 2;
	return mark;
}

/* Is there a block that could serve? */
static bool has_block(const struct zone *z, unsigned int order, unsigned int flags)
{
	for (unsigned int c = order; c < NR_PAGE_ORDERS; c++) {
		for (unsigned int type = 0; type < PCP_TYPES; type++)
			if (peek(z->area[c].list[type].head) != PFN_NONE)
				return true;
		if (flags & (ALLOC_HIGHATOMIC | ALLOC_OOM) &&
		    peek(z->area[c].list[MT_HIGHATOMIC].head) != PFN_NONE)
			return true;
	}
	return false;
}

/* To 4.3: blocks that are too small do not count, and the mark halves with each order. */
static bool halving_ok(const struct zone *z, unsigned int order, int64_t free, int64_t mark)
{
	for (unsigned int c = 0; c < order; c++) {
		free -= (int64_t)(peek(z->area[c].nr_free) << c);
		mark /= 2;
		if (free <= mark)
			return false;
	}
	return true;
}

/* Free pages by the walk's way to count. A drifting count may hide a zone below its marks where it is near them. */
static uint64_t free_of(const struct lab *lab, const struct zone *z, const struct wmark_walk *walk)
{
	uint64_t seen = zone_free_seen(lab, z);

	if (walk->count == COUNT_AS_SEEN || (walk->count == COUNT_NEAR_MARK && seen >= peek(z->drift_mark)))
		return seen;
	return peek(z->free_pages);
}

/* 2.6.0: marks add up along the zonelist; who cannot wait may enter where much is free. */
static bool size_ok(const struct lab *lab, const struct zone *z, uint64_t mark, unsigned int flags, struct wmark_walk *walk)
{
	uint64_t free = free_of(lab, z, walk) + walk->more;

	if (flags & ALLOC_MIN_RESERVE)
		mark /= 4;
	walk->sum += mark;
	return free >= walk->sum || (!walk->may_wait && free >= z->mark[WMARK_HIGH]);
}

bool zone_watermark_ok(const struct lab *lab, const struct zone *z, unsigned int order, uint64_t mark,
		       unsigned int high, unsigned int flags, struct wmark_walk *walk)
{
	const struct page_policy *p = page_policy(lab);
	int64_t free = (int64_t)(free_of(lab, z, walk) + walk->more) - ((1 << order) - 1);
	int64_t m = (int64_t)reduced(p, mark, flags);

	if (p->order_check == WMARK_ORDER_SIZE)
		return size_ok(lab, z, mark, flags, walk);
	if (!(flags & (ALLOC_HIGHATOMIC | ALLOC_OOM)))
		free -= (int64_t)zone_reserved(lab, z);
	if (free <= m + (int64_t)z->protection[high])
		return false;
	if (!order)
		return true;
	if (p->order_check == WMARK_ORDER_HALVING)
		return halving_ok(z, order, free, m);
	return has_block(z, order, flags);
}

/* The comparison of zone_watermark_ok() once more, turned so that the zone's own count stands on one side. */
void zone_watermark_terms(const struct lab *lab, const struct zone *z, unsigned int order, uint64_t mark,
			  unsigned int high, unsigned int flags, struct wmark_walk walk, struct wmark_terms *t)
{
	bool passes = zone_watermark_ok(lab, z, order, mark, high, flags, &walk);

	t->free = free_of(lab, z, &walk);
	if (page_policy(lab)->order_check == WMARK_ORDER_SIZE) {
		t->protection = t->reserved = 0;
		t->heeded = mark;
		t->need = walk.sum - 1;
	} else {
		t->protection = z->protection[high];
		t->heeded = reduced(page_policy(lab), mark, flags);
		t->reserved = flags & (ALLOC_HIGHATOMIC | ALLOC_OOM) ? 0 : zone_reserved(lab, z);
		t->need = t->heeded + t->protection + t->reserved + (1ULL << order) - 1;
	}
	t->fault = passes ? MARK_PASSED : t->free <= t->need ? MARK_TOO_FEW : MARK_NO_BLOCK;
}
