/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting pageblocks aside and giving them up (pages.md section 3.4). Compiled once a variant. */
#include "page/highatomic.h"

#include "page/emit.h"
#include "page/fallback.h"
#include "page/pageblock.h"
#include "page/request.h"
#include "page/zone_lock.h"

/* Most pages of a zone that may be set aside before one more pageblock. */
static uint64_t reserve_limit(const struct lab *lab, const struct zone *z)
{
	uint64_t block = 1ULL << pageblock_order(lab), share = z->managed / 100;

	switch ((enum highatomic)page_policy(lab)->highatomic) {
	case HIGHATOMIC_6_1:
		return share + block;
	case HIGHATOMIC_6_7:
		return share < block ? 0 : (share + block - 1) & ~(block - 1);
	default:
		return 0;
	}
}

void V(highatomic_reserve)(struct cpu *cpu, struct zone *z, pfn_t pfn)
{
	struct lab *lab = cpu->lab;
	uint64_t limit = reserve_limit(lab, z);

	if (peek(z->reserved_highatomic) >= limit)
		return;
	zone_lock_take(cpu, z);
	if (z->reserved_highatomic < limit && type_is_mergeable(pageblock_type(lab, pfn))) {
		poke(z->reserved_highatomic, z->reserved_highatomic + (1ULL << pageblock_order(lab)));
		pageblock_set_type(lab, pfn, MT_HIGHATOMIC);
		pageblock_share(lab, z, pfn, true, MT_HIGHATOMIC);
		zone_quick_marks_update(lab, z);
		emit_page(cpu, zone_cpu(cpu, z), EV_highatomic_reserve, pfn, 0, 0);
	}
	zone_lock_give(cpu, z);
}

/* The pageblock of the smallest free block set aside. Under the zone lock. */
static bool unreserve_one(struct cpu *cpu, struct zone *z, enum mtype type)
{
	struct lab *lab = cpu->lab;
	uint64_t block = 1ULL << pageblock_order(lab);

	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		pfn_t pfn = z->area[o].list[MT_HIGHATOMIC].head;
		struct block_share share;

		if (pfn == PFN_NONE || pageblock_type(lab, pfn) != MT_HIGHATOMIC)
			continue;
		for (pfn_t b = pfn; b < pfn + (1ULL << o); b += (pfn_t)block) {
			if (pageblock_type(lab, b) != MT_HIGHATOMIC)
				continue;
			poke(z->reserved_highatomic, z->reserved_highatomic - block);
			pageblock_set_type(lab, b, type);
		}
		share = pageblock_share(lab, z, pfn, true, type);
		poke(z->unreserved, 1);
		zone_quick_marks_update(lab, z);
		emit_page(cpu, zone_cpu(cpu, z), EV_highatomic_unreserve, pfn, type, share.free);
		return true;
	}
	return false;
}

bool V(highatomic_unreserve)(struct cpu *cpu, const struct request *rq, bool last)
{
	uint64_t block = 1ULL << pageblock_order(cpu->lab);
	bool done = false;

	if (page_policy(cpu->lab)->highatomic == HIGHATOMIC_RESERVE_BLOCK)
		return false;
	for (unsigned int i = 0; i < rq->nr && !done; i++) {
		struct zone *z = &cpu->lab->zones[rq->list[i]];

		if (z->kind > rq->high || peek(z->reserved_highatomic) <= (last ? 0 : block))
			continue;
		zone_lock_take(cpu, z);
		done = unreserve_one(cpu, z, rq->type);
		zone_lock_give(cpu, z);
	}
	return done;
}
