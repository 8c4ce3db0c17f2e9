/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pageblock - what a run of 2^pageblock_order pages is kept for.
 *
 * One byte each: the type in the low bits, stored so that 0 is Movable (a
 * fresh zone is all Movable, and all-zero is the fresh state), and the skip
 * bit of compaction. Written under the zone lock; a free reads the type
 * before it takes the lock, as kernels do, so it may be stale there.
 */
#ifndef PAGE_PAGEBLOCK_H
#define PAGE_PAGEBLOCK_H

#include "page/zone.h"

#define PAGEBLOCK_TYPE 0x07
#define PAGEBLOCK_SKIP 0x80

static inline enum mtype pageblock_type_at(const struct lab *lab, uint64_t block)
{
	return (enum mtype)((peek(lab->pageblocks[block]) & PAGEBLOCK_TYPE) ^ MT_MOVABLE);
}

static inline enum mtype pageblock_type(const struct lab *lab, pfn_t pfn)
{
	return pageblock_type_at(lab, pfn >> pageblock_order(lab));
}

/* What the whole 4 MiB around a page are, for struct block. */
static inline void block_type_update(struct lab *lab, pfn_t pfn)
{
	uint64_t per_block = BLOCK_PAGES >> pageblock_order(lab), first = (pfn >> TOP_ORDER) * per_block;
	uint16_t type = (uint16_t)(pageblock_type_at(lab, first) ^ MT_MOVABLE);

	for (uint64_t i = 1; i < per_block; i++)
		if ((pageblock_type_at(lab, first + i) ^ MT_MOVABLE) != type)
			type = BLOCK_MIXED;
	poke(lab->blocks[pfn >> TOP_ORDER].type, type);
}

static inline void pageblock_set_type(struct lab *lab, pfn_t pfn, enum mtype type)
{
	uint8_t *byte = &lab->pageblocks[pfn >> pageblock_order(lab)];

	poke(*byte, (uint8_t)((peek(*byte) & ~PAGEBLOCK_TYPE) | ((uint8_t)type ^ MT_MOVABLE)));
	block_type_update(lab, pfn);
}

/* The skip bit: compaction found nothing to do here. Set without the zone lock; a change of type may lose it. */
static inline bool pageblock_is_skipped(const struct lab *lab, pfn_t pfn)
{
	return peek(lab->pageblocks[pfn >> pageblock_order(lab)]) & PAGEBLOCK_SKIP;
}

static inline void pageblock_set_skip(struct lab *lab, pfn_t pfn, bool skip)
{
	uint8_t *byte = &lab->pageblocks[pfn >> pageblock_order(lab)];

	if (skip)
		__atomic_or_fetch(byte, PAGEBLOCK_SKIP, __ATOMIC_RELAXED);
	else
		__atomic_and_fetch(byte, (uint8_t)~PAGEBLOCK_SKIP, __ATOMIC_RELAXED);
}

static inline bool type_is_mergeable(enum mtype type)
{
	return type < PCP_TYPES;
}

/* By what type a page that is freed goes: its pageblock's, unless types are not kept apart. */
static inline enum mtype pageblock_free_type(const struct lab *lab, pfn_t pfn)
{
	uint16_t all = peek(lab->blocks[pfn >> TOP_ORDER].type);
	enum mtype type = likely(all != BLOCK_MIXED) ? (enum mtype)(all ^ MT_MOVABLE) : pageblock_type(lab, pfn);

	return lab->nodes->grouping || !type_is_mergeable(type) ? type : MT_UNMOVABLE;
}

/* Since 6.10 free lists and pageblocks agree on types, where types are kept apart. Part of the rule of 6.15. */
static inline bool pageblock_follows_lists(const struct lab *lab)
{
	return page_policy(lab)->fallback_rule == FALLBACK_6_15 && lab->nodes->grouping;
}

#endif
