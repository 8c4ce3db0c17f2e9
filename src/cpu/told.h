/* SPDX-License-Identifier: GPL-3.0-or-later */
/* told - what is kept of an op that was told: the record and its steps (see story.h). */
#ifndef CPU_TOLD_H
#define CPU_TOLD_H

#include "base/types.h"

enum told_kind {
	TOLD_NOTHING,
	TOLD_ALLOC_PAGES, TOLD_ALLOC_PAGES_BULK, TOLD_FREE_PAGES, TOLD_FREE_PAGES_LIST,
	TOLD_KMALLOC, TOLD_KFREE, TOLD_CACHE_ALLOC, TOLD_CACHE_FREE, TOLD_CACHE_ALLOC_BULK,
	TOLD_CACHE_FREE_BULK, TOLD_SHRINK, TOLD_DESTROY, TOLD_DRAIN, TOLD_REAP,
	TOLD_LRU_ADD, TOLD_LRU_TOUCH, TOLD_LRU_DROP, TOLD_RECLAIM, TOLD_COMPACT,
	TOLD_LRU_CACHE, TOLD_LRU_UNCACHE,
	TOLD_KFREE_RCU, TOLD_CACHE_FREE_RCU, TOLD_SHEAF_PREFILL, TOLD_SHEAF_ALLOC, TOLD_SHEAF_REFILL, TOLD_SHEAF_RETURN,
	TOLD_GRACE,		/* the end of grace periods, between two ops */
	TOLD_RUN,		/* many ops at once, on threads of their own */
	TOLD_KINDS,
};

static inline bool told_is_alloc(unsigned int kind)
{
	return kind == TOLD_ALLOC_PAGES || kind == TOLD_ALLOC_PAGES_BULK || kind == TOLD_KMALLOC ||
	       kind == TOLD_CACHE_ALLOC || kind == TOLD_CACHE_ALLOC_BULK || kind == TOLD_SHEAF_PREFILL ||
	       kind == TOLD_SHEAF_ALLOC || kind == TOLD_SHEAF_REFILL;
}

struct step {			/* an event or a note, and its fields */
	uint64_t a;
	uint32_t b[5];
	uint16_t event, where;
};

/* A request for pages that came to nothing. */
struct told_failure {
	uint64_t op, time_ns;
	uint32_t gfp, node, flags;	/* flags: enum alloc_flag of its passes */
	uint8_t order, step;		/* enum slow_step: its last hope */
	uint8_t high, type;		/* highest kind of zone; enum mtype */
	uint8_t result;			/* enum compact_result of its last compaction */
	uint8_t failed;			/* 0: there was none */
	uint8_t stop;			/* memory ran out, and whatever runs is to stop for it (reclaim.oom=stop) */
};

#define FAILURES_KEPT 16	/* by each CPU, and shown of all */

#define STORY_OPS 128	/* told ops that a CPU keeps */
#define STORY_MAX 256	/* steps kept of one op: */
#define STORY_LAST 96	/* its last ones, and before them its first */
#define STORY_FIRST (STORY_MAX - STORY_LAST)

/* Where step nr of an op lies behind its first one: the last ones take turns. */
static inline uint32_t story_place(uint32_t nr)
{
	return nr < STORY_MAX ? nr : STORY_FIRST + (nr - STORY_FIRST) % STORY_LAST;
}

struct story_op {
	uint64_t op;		/* its number; of a call of the C interface, that of the op before */
	uint64_t off;		/* object or block given or taken back, 0 none or many */
	uint64_t n;		/* bytes or count asked for */
	uint64_t got;
	uint64_t first;		/* place of its first step among all told */
	uint32_t steps;		/* told; of these STORY_MAX are kept (story_place()) */
	uint32_t cache, gfp;
	int32_t node, error;
	uint8_t kind, order, is_call;
};

#endif
