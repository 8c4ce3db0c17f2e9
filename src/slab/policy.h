/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy - the slab layer's variables, plainly.
 *
 * struct store_policy is what one cache may override: the lab-wide values lie
 * in struct slab_policy, a cache holds its own copy and a mask that says
 * which fields of it count. Changes marked "re" act by re-store
 * (slab/store.h), the others in place.
 */
#ifndef SLAB_POLICY_H
#define SLAB_POLICY_H

#include "base/types.h"

#define CPU_PARTIAL_AUTO (-1)
#define CPU_PARTIAL_OFF (-2)
#define MIN_PARTIAL_AUTO (-1)
#define QUEUE_AUTO (-1)
#define ORDER_AUTO 0xff		/* nobody set it: what era or machine had */

/* Flags of a cache, in the words of `kmem_cache create`. */
enum cache_flag {
	CF_HWCACHE = 1 << 0, CF_RCU = 1 << 1, CF_ACCOUNT = 1 << 2, CF_RECLAIM = 1 << 3,
	CF_DMA = 1 << 4, CF_DMA32 = 1 << 5, CF_NOLEAK = 1 << 6, CF_POISON = 1 << 7,
	CF_REDZONE = 1 << 8, CF_USER = 1 << 9, CF_CONSIST = 1 << 10, CF_TRACE = 1 << 11,
	CF_SPREAD = 1 << 12, CF_NOMERGE = 1 << 13, CF_FAILSLAB = 1 << 14,
};
#define CF_DEBUG (CF_POISON | CF_REDZONE | CF_USER | CF_CONSIST | CF_TRACE)
#define CF_WORDS 15
extern const char *const cache_flag_words[CF_WORDS];	/* by bit */

/* "HWCACHE|RCU" or "hwcache,rcu", "0" and "none" for none, case ignored. -EINVAL with a sentence. */
int cache_flags_parse(const char *text, uint32_t *flags);
char *cache_flags_print(uint32_t flags, char *buf, size_t size);	/* "0" for none */

enum partial_add {
	PARTIAL_DEACTIVATE, PARTIAL_HEAD, PARTIAL_TAIL, PARTIAL_HALF, PARTIAL_QUARTER,
	PARTIAL_EMPTIER_HEAD, PARTIAL_HALF_ONLY, PARTIAL_FULLER_HEAD, PARTIAL_CRITERION,
};

extern const char *const partial_add_words[PARTIAL_CRITERION];	/* by value; a criterion has parameters */

/* Which end of a list a value chooses for a slab with so many in use (PARTIAL_CRITERION knows itself). */
static inline bool partial_add_is_tail(enum partial_add value, bool site_tail, uint64_t inuse, uint64_t objects)
{
	switch (value) {
	case PARTIAL_HEAD:
		return false;
	case PARTIAL_TAIL:
		return true;
	case PARTIAL_HALF:
		return site_tail || 2 * inuse > objects;
	case PARTIAL_QUARTER:
		return site_tail || 4 * inuse > objects;
	case PARTIAL_EMPTIER_HEAD:
		return 4 * inuse > objects;
	case PARTIAL_HALF_ONLY:
		return 2 * inuse > objects;
	case PARTIAL_FULLER_HEAD:
		return 2 * inuse <= objects;
	default:
		return site_tail;
	}
}

enum merge_wish { MERGE_AUTO, MERGE_ON, MERGE_OFF };	/* lab-wide: on or off only */
enum fastpath { FASTPATH_OWNER, FASTPATH_CMPXCHG };
/* How the pages of a new slab are asked for (slab/slub_pages.c). */
enum order_fallback { ORDER_NORETRY, ORDER_NOWAIT, ORDER_NOKSWAPD, ORDER_NOPAGE, ORDER_FREECOUNT, ORDER_MINORDER, ORDER_NONE };
enum discard_test { DISCARD_GE, DISCARD_GT, DISCARD_LT };
enum cpu_partial_unit { UNIT_SLABS, UNIT_OBJECTS };
/*
 * Rules that no other policy names, each obeyed where it belongs: alignment,
 * link, red zone, order and limits in geometry.c, deactivation, chains and
 * counters in slub.c and slub_early.c, what may merge in merge.c, kmalloc's
 * names in kmalloc.c, attributes in sysfs.c.
 */
enum slab_era { ERA_2_6_24, ERA_2_6_29, ERA_3_1, ERA_3_2, ERA_4_2, ERA_6_1, ERA_6_8, ERA_6_18 };
enum bulk_form { BULK_FALLBACK, BULK_4_3, BULK_4_4, BULK_5_18, BULK_SHEAVES };

struct store_policy {
	uint8_t merge;			/* slab.merge, enum merge_wish (re) */
	uint8_t era;			/* slab.era, enum slab_era (re) */
	uint8_t min_order, max_order;	/* slub.min_order, slub.max_order, ORDER_AUTO (re) */
	uint8_t partial_add;		/* slub.partial_add (now) */
	uint8_t criterion_side;		/* criterion:N/D:side, 0 head 1 tail */
	uint8_t discard_test;		/* slub.discard_test (now) */
	uint8_t cpu_partial_unit;	/* slub.cpu_partial_unit (now with a flush) */
	uint8_t engine;			/* slab.engine, enum engine_id (re) */
	uint8_t bulk_form;		/* slab.bulk_form, enum bulk_form (now) */
	uint32_t criterion_num, criterion_den;
	int32_t min_objects;		/* slub.min_objects, 0 = derive (re) */
	int32_t min_partial;		/* slub.min_partial, MIN_PARTIAL_AUTO (now) */
	int32_t cpu_partial;		/* slub.cpu_partial, CPU_PARTIAL_* (now with a flush; off: re) */
	int32_t defrag_ratio;		/* slub.remote_node_defrag_ratio, 0..100 (now) */
	uint32_t debug;			/* slub.debug of a cache: CF_* flags (re) */
	uint8_t has_debug;		/* the override is in force even when empty */
	uint8_t slabq_max_order;	/* slabq.max_order, ORDER_AUTO (re) */
	uint8_t slabq_colour;		/* slabq.colour (next slab) */
	uint8_t slqb_colour, slqb_min_order;	/* slqb.colour (next slab), slqb.min_order (re) */
	uint8_t order_fallback;		/* slub.order_fallback (now) */
	uint8_t fallback_nomemalloc;	/* slub.fallback_nomemalloc (now) */
	int32_t slabq_limit, slabq_batchcount, slabq_shared;	/* slabq.…, QUEUE_AUTO (now) */
	int32_t slqb_hiwater, slqb_freebatch;	/* slqb.…, QUEUE_AUTO (now) */
	int32_t slqb_min_objects;	/* slqb.min_objects (re) */
	uint8_t fastpath;		/* slub.fastpath (now) */
	uint8_t owner_map;		/* slab.owner_map (re) */
	uint8_t freelist_random, freelist_hardened;	/* slub.freelist_random, slub.freelist_hardened (re) */
	int32_t sheaf_capacity;		/* sheaves.capacity, QUEUE_AUTO: the rule of later kernels (re) */
};

/* Bits of the override mask, one a field. */
enum store_field {
	SF_MERGE = 1 << 0, SF_MIN_ORDER = 1 << 1, SF_MAX_ORDER = 1 << 2, SF_PARTIAL_ADD = 1 << 3,
	SF_DISCARD_TEST = 1 << 4, SF_MIN_OBJECTS = 1 << 5, SF_MIN_PARTIAL = 1 << 6,
	SF_CPU_PARTIAL = 1 << 7, SF_DEFRAG_RATIO = 1 << 8, SF_DEBUG = 1 << 9,
	SF_ENGINE = 1 << 10, SF_BULK_FORM = 1 << 11,
	SF_SLABQ_LIMIT = 1 << 12, SF_SLABQ_BATCHCOUNT = 1 << 13, SF_SLABQ_SHARED = 1 << 14,
	SF_SLABQ_MAX_ORDER = 1 << 15, SF_SLABQ_COLOUR = 1 << 16,
	SF_SLQB_HIWATER = 1 << 17, SF_SLQB_FREEBATCH = 1 << 18, SF_SLQB_MIN_ORDER = 1 << 19,
	SF_SLQB_MIN_OBJECTS = 1 << 20, SF_SLQB_COLOUR = 1 << 21, SF_SHEAF_CAPACITY = 1 << 22,
	SF_FASTPATH = 1 << 23, SF_ORDER_FALLBACK = 1 << 24, SF_FALLBACK_NOMEMALLOC = 1 << 25,
	SF_ERA = 1 << 26, SF_CPU_PARTIAL_UNIT = 1 << 27,
	SF_FREELIST_RANDOM = 1 << 28, SF_FREELIST_HARDENED = 1 << 29,
	SF_OWNER_MAP = 1 << 30,
};

/* Fault injection for objects, with the attributes of the kernel's failslab. */
struct fail_policy {
	uint8_t probability;		/* failslab.probability, per cent; 0: off (now) */
	uint8_t ignore_wait, cache_filter;	/* failslab.ignore_wait, .cache_filter (now) */
	uint32_t interval;		/* failslab.interval: every n-th request only (now) */
	int32_t times;			/* failslab.times: failures left, -1 endless (now) */
	uint64_t space;			/* failslab.space: bytes that succeed first (now) */
};

#define DEBUG_STRING 256
struct slab_policy {
	struct store_policy store;	/* lab-wide values */
	char debug[DEBUG_STRING];	/* slub.debug: the option string */
	int32_t cpus_for_min_objects;	/* slab.cpus_for_min_objects, 0 = auto (re) */
	uint8_t fallback_strict;	/* slub.order_fallback_strict (now) */
	uint8_t wrong_cache_refuse;	/* slab.wrong_cache: 0 free, 1 refuse (now) */
	uint8_t reset_on_restore;	/* slab.counter_reset_on_restore (next re-store) */
	uint8_t cas16;			/* slab.cas16 (shape) */
	uint8_t kmalloc_types;		/* kmalloc.types (shape): bit 0 normal, 1 cg, 2 rcl, 3 dma */
	uint8_t init_on_alloc, init_on_free;	/* slab.init_on_alloc, slab.init_on_free (now) */
	uint8_t shrink_promote;		/* slub.shrink_promote, 0..32 (next shrink) */
	uint8_t slabq_alien;		/* slabq.alien (now) */
	uint32_t slabq_reap_ms, slabq_reap_node_ms;	/* slabq.reap_ms, slabq.reap_node_ms (next timer) */
	uint32_t slqb_trim_ms;		/* slqb.trim_ms (next timer) */
	uint32_t barn_max_full, barn_max_empty;	/* sheaves.barn_max_full, sheaves.barn_max_empty (now) */
	uint32_t kmalloc_max_class;	/* kmalloc.max_class, 0: as the engine has it (now) */
	struct fail_policy fail;
};

/* What `kmem_cache create` asks for. */
struct cache_request {
	const char *name;
	uint64_t size, align;
	uint32_t flags;		/* CF_* of slab/policy.h */
	uint64_t usersize;
	bool ctor;
	uint8_t merge;		/* enum merge_wish: MERGE_OFF keeps it alone */
	int engine;		/* enum engine_id of its own + 1; 0: as slab.engine says */
	int sheaf_capacity;	/* of its own + 1; 0: as sheaves.capacity says */
	int64_t link_at;	/* offset of a free object's link + 1; 0: not said */
};

void slab_policy_default(struct slab_policy *p);

/*
 * Debug flags that an option string (letters FZPUTAO, blocks, names, `*`)
 * gives a cache of this name. *drop_high: letter O was among them.
 */
uint32_t debug_string_flags(const char *string, const char *name, uint32_t flags, bool *drop_high);

/* -EINVAL with a sentence when it cannot be read; unknown letters are named in `unknown` and skipped. */
int debug_string_check(const char *string, char unknown[32]);

struct lab;
/* What counts where nobody set slub.max_order, slabq.max_order or kmalloc.max_class. */
uint8_t slub_max_order_auto(const struct lab *lab, const struct store_policy *p);
uint8_t slabq_max_order_auto(const struct lab *lab, const struct store_policy *p);
uint32_t kmalloc_max_class_auto(const struct lab *lab, const struct store_policy *p);

/*
 * Bring every cache concerned in line after a lab-wide field was written (in
 * a stop): re-store those whose wanted store differs, or change in place.
 * `fields` is a mask of SF_*; ~0 for rows outside struct store_policy that
 * are marked "re". Returns 0 or -errno (out of memory for a new store:
 * caches done so far keep their new store, the sentence says which is left).
 */
int slab_policy_changed(struct lab *lab, uint32_t fields);

/* The same for one cache's overrides. */
int cache_policy_changed(struct lab *lab, uint32_t cache, uint32_t fields);
struct store_policy *cache_override(struct lab *lab, uint32_t cache);	/* its own values */
uint32_t *cache_override_mask(struct lab *lab, uint32_t cache);
/* What counts for a cache: its overrides, what it asked for when it was made, the lab's values. */
void cache_policy_now(struct lab *lab, uint32_t cache, struct store_policy *p);
struct slab_policy *lab_slab_policy(struct lab *lab);

#endif
