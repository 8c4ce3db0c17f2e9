/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of lazy coalescing (lazy.h; history-pages.md section 4). Compiled once a variant. */
#include "page/lazy.h"

#include "page/area.h"
#include "page/buddy.h"
#include "page/emit.h"
#include "page/pageblock.h"
#include "page/zone_lock.h"

/* ---- take ---- */

pfn_t V(lazy_take)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int high, unsigned int order, enum mtype type)
{
	bool keep_low = page_policy(cpu->lab)->split_keep == SPLIT_KEEP_LOW;

	area_del(cpu->lab, z, pfn, high);
	bump(z->lazy[high].used, 1);
	while (high-- > order) {
		pfn_t upper = pfn + (1U << high);
		pfn_t stays = keep_low ? upper : pfn;

		area_add_delayed(cpu->lab, z, stays, high, type, false);
		bump(z->lazy[high].used, 1);
		emit_page_order(cpu, zone_cpu(cpu, z), EV_buddy_split, high, stays, high, type);
		if (!keep_low)
			pfn = upper;
	}
	return pfn;
}

/* ---- give back ---- */

/* The form of 1988 asks which part of the order's blocks is free, the later one for the slack. */
static enum lazy_pace pace_of(const struct lab *lab, const struct zone *z, unsigned int order)
{
	const struct page_policy *p = page_policy(lab);
	uint64_t used = z->lazy[order].used, local = z->lazy[order].local, free = z->area[order].nr_free;

	if (p->lazy_rule == LAZY_WATERMARK)
		return free * 100 <= p->lazy_theta_low * (used + free) ? PACE_LAZY :
		       free * 100 <= p->lazy_theta_high * (used + free) ? PACE_RECLAIMING : PACE_ACCELERATED;
	return used >= local + 2 ? PACE_LAZY : used == local + 1 ? PACE_RECLAIMING : PACE_ACCELERATED;
}

static void use_less(struct zone *z, unsigned int order)
{
	if (z->lazy[order].used)
		bump(z->lazy[order].used, -1);
}

/* Would an eager free have merged here? */
static bool buddy_is_free(const struct lab *lab, pfn_t pfn, unsigned int order)
{
	return area_is_free(lab, pfn ^ (1U << order), order);
}

static void free_at(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type);

static void free_local(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);

	if (buddy_is_free(cpu->lab, pfn, order))
		emit_page_order(cpu, zc, EV_buddy_merge_avoided, order + 1, pfn, order + 1, 0);
	area_add_delayed(cpu->lab, z, pfn, order, type, false);
	emit_page_order(cpu, zc, EV_buddy_local_free, order, pfn, order, type);
}

static void free_global(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	struct zone_cpu *zc = zone_cpu(cpu, z);
	pfn_t buddy = pfn ^ (1U << order);

	if (order < TOP_ORDER && buddy_may_merge(cpu->lab, buddy, order, type)) {
		area_del(cpu->lab, z, buddy, order);
		emit_page_order(cpu, zc, EV_buddy_merge, order + 1, pfn & buddy, order + 1, 0);
		free_at(cpu, z, pfn & buddy, order + 1, type);
		return;
	}
	area_add(cpu->lab, z, pfn, order, type, true);
	emit_page_order(cpu, zc, EV_buddy_global_free, order, pfn, order, type);
}

/* Of all types, those of the freed block's first. */
static pfn_t oldest_delayed(const struct zone *z, unsigned int order, enum mtype *type)
{
	if (z->delayed_tail[order][*type] != PFN_NONE)
		return z->delayed_tail[order][*type];
	for (unsigned int t = 0; t < MT_NR; t++)
		if (z->delayed_tail[order][t] != PFN_NONE) {
			*type = (enum mtype)t;
			return z->delayed_tail[order][t];
		}
	return PFN_NONE;
}

static void free_at(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	enum lazy_pace pace;

	if (order >= TOP_ORDER) {
		use_less(z, order);
		free_global(cpu, z, pfn, order, type);
		return;
	}
	pace = pace_of(cpu->lab, z, order);
	tell(cpu, z->index, NOTE_lazy_free, pfn, order, z->lazy[order].used, z->lazy[order].local, pace);
	use_less(z, order);
	if (pace == PACE_LAZY) {
		free_local(cpu, z, pfn, order, type);
		return;
	}
	free_global(cpu, z, pfn, order, type);
	if (pace == PACE_RECLAIMING)
		return;
	pfn = oldest_delayed(z, order, &type);
	if (pfn == PFN_NONE)
		return;
	tell(cpu, z->index, NOTE_lazy_due, pfn, order);
	area_del(cpu->lab, z, pfn, order);
	free_global(cpu, z, pfn, order, type);
}

void V(lazy_free)(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type)
{
	free_at(cpu, z, pfn, order, type);
}

/* ---- flush ---- */

/* As far up as it goes; each block that becomes whole again was counted as cut. */
static void merge_fully(struct cpu *cpu, struct zone *z, pfn_t pfn, unsigned int order, enum mtype type, uint64_t *merges)
{
	struct lab *lab = cpu->lab;

	while (order < TOP_ORDER && buddy_may_merge(lab, pfn ^ (1U << order), order, type)) {
		area_del(lab, z, pfn ^ (1U << order), order);
		pfn &= ~(1U << order);
		order++;
		use_less(z, order);
		++*merges;
		emit_page_order(cpu, zone_cpu(cpu, z), EV_buddy_merge, order, pfn, order, 0);
	}
	area_add(lab, z, pfn, order, type, true);
}

uint64_t V(lazy_flush)(struct cpu *cpu, struct zone *z, unsigned int order, uint64_t *merges)
{
	uint64_t pages = 0;

	for (unsigned int o = 0; o < order && o < TOP_ORDER; o++)
		for (unsigned int t = 0; t < MT_NR; t++)
			for (pfn_t pfn; (pfn = z->delayed_tail[o][t]) != PFN_NONE; pages += 1ULL << o) {
				area_del(cpu->lab, z, pfn, o);
				merge_fully(cpu, z, pfn, o, (enum mtype)t, merges);
			}
	if (pages)
		emit_page_n(cpu, zone_cpu(cpu, z), EV_lazy_flush, pages, pages, order, 0);
	return pages;
}

bool V(lazy_flush_zones)(struct cpu *cpu, const uint16_t *zones, unsigned int nr, unsigned int high, unsigned int order)
{
	uint64_t pages = 0, merges = 0;

	for (unsigned int i = 0; i < nr; i++) {
		struct zone *z = &cpu->lab->zones[zones[i]];

		if (z->kind > high)
			continue;
		zone_lock_take(cpu, z);
		pages += V(lazy_flush)(cpu, z, order, &merges);
		zone_lock_give(cpu, z);
	}
	return pages;
}
