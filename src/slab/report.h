/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report - what slab debugging has to say: reports, tracks and their texts.
 *
 * Idea. A report is a record of fixed size in the region (so undo, clone and
 * save carry it) that holds everything the kernel prints of a finding: what
 * and where, the slab, the object, its bytes as they were found, both tracks,
 * the reporter's stack and what was mended. The last DEBUG_REPORTS are kept.
 * Texts (places, call stacks) are kept once each and go by number.
 *
 * Units. Addresses are region offsets, 0 none; ages and times of tracks are
 * ticks of a millisecond of the lab clock, from 1 on (0: never).
 */
#ifndef SLAB_REPORT_H
#define SLAB_REPORT_H

#include "base/types.h"

struct lab;

/*
 * How a kernel words a finding: SLUB's BUG with all that it knows; a warning; a
 * halt; one line; the two forms of SLAB, which knows less of an object; and, which
 * is nobody's fault, that there was no memory for a slab.
 */
enum debug_form { DEBUG_BUG, DEBUG_WARNING, DEBUG_HALT, DEBUG_REMARK, DEBUG_SLAB_ERROR, DEBUG_CORRUPTION, DEBUG_SHORTAGE };

/* X(name, form, message as the kernel words it; %A an address, %N a number of arg[], %I a signed one, %G flags of a request, %C the cache, %O the other text, %P the place, %T taint) */
#define DEBUG_MESSAGES(X) \
	X(left_redzone,     BUG,        "Left Redzone overwritten")                               \
	X(right_redzone,    BUG,        "Right Redzone overwritten")                              \
	X(alignment,        BUG,        "Alignment padding overwritten")                          \
	X(poison,           BUG,        "Poison overwritten")                                     \
	X(end_poison,       BUG,        "End Poison overwritten")                                 \
	X(object_padding,   BUG,        "Object padding overwritten")                             \
	X(slab_padding,     BUG,        "Padding overwritten. %A-%A @offset=%N")                  \
	X(already_free,     BUG,        "Object already free")                                    \
	X(invalid_object,   BUG,        "Invalid object pointer %A")                              \
	X(freelist_link,    BUG,        "Freelist Pointer check fails")                           \
	X(freechain,        BUG,        "Freechain corrupt")                                      \
	X(freepointer,      BUG,        "Freepointer corrupt")                                    \
	X(wrong_count,      BUG,        "Wrong object count. Counter is %N but counted were %N")  \
	X(too_many,         BUG,        "Slab has %N allocated objects but %N are to be freed")   \
	X(bulk_count,       BUG,        "Bulk free expected %N objects but found %N")             \
	X(disabled,         BUG,        "Slab disabled since SLUB metadata consistency check failed") \
	X(remaining,        BUG,        "Objects remaining in %C on __kmem_cache_shutdown()")     \
	X(wrong_cache,      WARNING,    "cache_from_obj: Wrong slab cache. %C but object is from %O") \
	X(still_used,       WARNING,    "kmem_cache_destroy %C: Slab cache still has objects when called from %P") \
	X(trace_alloc,      REMARK,     "TRACE %C alloc %A inuse=%N fp=%A")                       \
	X(trace_free,       REMARK,     "TRACE %C free %A inuse=%N fp=%A")                        \
	X(wrong_partial,    REMARK,     "SLUB %C: %N partial slabs counted but counter=%N")       \
	X(wrong_slabs,      REMARK,     "SLUB: %C %N slabs counted but counter=%N")               \
	X(set_freepointer,  HALT,       "kernel BUG in set_freepointer: an object of %C is freed that is the first free one of its list") \
	X(cannot_free,      SLAB_ERROR, "slab error in %O(): cache `%C': Can't free all objects")  \
	X(double_free,      SLAB_ERROR, "slab error in %O(): cache `%C': double free detected")   \
	X(outside,          SLAB_ERROR, "slab error in %O(): cache `%C': memory outside object was overwritten") \
	X(twice_or_outside, SLAB_ERROR, "slab error in %O(): cache `%C': double free, or memory outside object was overwritten") \
	X(freed_start,      SLAB_ERROR, "slab error in %O(): cache `%C': start of a freed object was overwritten") \
	X(freed_end,        SLAB_ERROR, "slab error in %O(): cache `%C': end of a freed object was overwritten") \
	X(corruption,       CORRUPTION, "Slab corruption (%T): %C start=%A, len=%N")              \
	X(index_twice,      HALT,       "slab: double free detected in cache '%C', objp %A")      \
	X(no_object,        HALT,       "kernel BUG in cache_free_debugcheck: %A is no object of %C") \
	X(shortage,         SHORTAGE,   "SLUB: Unable to allocate memory on node %I, gfp=%G")

#define DEBUG_MESSAGE_ENUM(name, form, text) DEBUG_##name,
enum debug_message { DEBUG_MESSAGES(DEBUG_MESSAGE_ENUM) DEBUG_MESSAGE_NR };
struct debug_message_row { const char *name, *text; enum debug_form form; };
extern const struct debug_message_row debug_messages[DEBUG_MESSAGE_NR];

/* What was done about it. X(name, words; %R a range of bytes and their value, %A the object) */
#define DEBUG_FIXES(X)                                     \
	X(restored,    "Restoring %W %R")                  \
	X(all_used,    "Marking all objects used")         \
	X(dropped,     "Object at %A dropped")             \
	X(red_words,   "Red words set again")              \
	X(not_freed,   "Object at %A not freed")           \
	X(cleared,     "Freelist cleared")                 \
	X(adjusted,    "Object count adjusted")
#define DEBUG_FIX_ENUM(name, text) FIX_##name,
enum debug_fix { DEBUG_FIXES(DEBUG_FIX_ENUM) FIX_NR };
struct debug_fix_row { const char *name, *text; };
extern const struct debug_fix_row debug_fixes[FIX_NR];

/* An object's own record of an allocation or a free, in its slot (32 bytes, as in the kernel). */
struct debug_track {
	uint64_t place;		/* text number; 0: never written */
	uint32_t stack;		/* text number */
	uint32_t cpu, pid;
	uint32_t spare;
	uint64_t when;		/* tick */
};
_Static_assert(sizeof(struct debug_track) == 32, "two of them stand in a slot");

#define DEBUG_REPORTS 64
#define REPORT_PARTS 5
#define REPORT_DATA 16384
enum report_part { PART_REDZONE, PART_BYTES_B4, PART_OBJECT, PART_PADDING, PART_PREVIOUS, PART_NEXT, PART_NR };

/* What engine slab knows of an object beside its bytes; object 0: there is none. */
struct debug_words {
	uint64_t object, red[2], user;	/* user: text number of who called last */
	uint32_t has_red, has_user;	/* no padding: a region is hashed */
};

struct debug_report {
	uint64_t serial;	/* from 1; 0: nothing here */
	uint64_t time_ns, tick, op;
	uint8_t message;	/* enum debug_message */
	uint8_t taint;		/* TAINT_* before it */
	uint8_t has_range, has_object, nr_fixes, nr_parts, found, expected;
	uint32_t cpu, pid;
	uint64_t store;		/* serial */
	char cache[128], other[128];	/* other: its owner, or the kernel's function */
	uint64_t arg[3];
	uint64_t first, last;	/* of the bad bytes */
	/* the slab */
	pfn_t slab;
	uint32_t slab_nr, order, objects, used, node, zone_bits;
	uint64_t slab_fp;
	/* the object */
	uint64_t object, object_fp;
	struct debug_words words[3];		/* engine slab: the object's, those before and behind it */
	struct debug_track alloc, freed;	/* place 0: not known */
	uint32_t stack, place;			/* texts: of who reports */
	struct { uint8_t fix, word, value; uint64_t first, last; } fix[6];
	struct { uint8_t part; uint32_t bytes; uint64_t at; } part[REPORT_PARTS];
	uint32_t nr_live, data_bytes;	/* live: objects remaining, below */
	uint8_t data[REPORT_DATA];	/* bytes of the parts, struct debug_live, or struct debug_shortage */
};
struct debug_live {
	uint64_t object;
	struct debug_track alloc;
};
/* DEBUG_shortage: what `data` has then. */
enum { HINT_NONE, HINT_SLUB_DEBUG, HINT_SLAB_DEBUG };
struct debug_shortage {
	uint32_t object_size, size, order, min_order;	/* bytes asked for and of a slot; of a slab */
	uint32_t hint;		/* HINT_*: debugging made min_order larger, and the parameter that keeps it from that */
	uint32_t nr_nodes;
	struct { uint64_t slabs, objects, free; } node[MAX_NODES];	/* free: of slabs on its list */
};
_Static_assert(sizeof(struct debug_shortage) <= REPORT_DATA, "a report has room for all nodes");
enum { TAINT_BUG = 1, TAINT_WARN = 2, TAINT_DIE = 4 };

/* ---- reading; needs a stop ---- */

/* Serial of the newest report, 0: none. */
uint64_t debug_reports(const struct lab *lab);
/* No report is kept any more; serials and counts go on. In a stop. */
void debug_reports_forget(struct lab *lab);
/* NULL when it is no longer kept. */
const struct debug_report *debug_report_read(const struct lab *lab, uint64_t serial);
/* Findings of this message since the lab was made. */
uint64_t debug_errors(const struct lab *lab, enum debug_message message);
/* "" for 0. */
const char *debug_text(const struct lab *lab, uint64_t number);

/*
 * As the kernel prints an address: the direct map of x86-64 for what lies in
 * the arena, the raw word for what does not (a broken link), 0 for none. And a
 * slab, by its place in the page array.
 */
#define KERNEL_MAP 0xffff888000000000ULL
#define KERNEL_PAGES 0xffffea0000000000ULL
uint64_t debug_address(const struct lab *lab, uint64_t off);
static inline uint64_t debug_slab_address(pfn_t slab)
{
	return KERNEL_PAGES + (uint64_t)slab * 64;
}

/* ---- tracks of a store, aggregated as the kernel's alloc_traces and free_traces ---- */

struct debug_site {
	uint64_t place, stack, waste;	/* texts by number; bytes wasted an object */
	uint64_t count, sum_age, min_age, max_age;
	uint32_t min_pid, max_pid;
	uint64_t cpus[MAX_CPUS / 64], nodes;
};
/*
 * Of objects that are out; `freed`: by their last free. Most first. *nr of them,
 * the caller frees the array. -EINVAL with a sentence without user tracking,
 * -ENOMEM. Needs a stop.
 */
int debug_sites(struct lab *lab, uint32_t store, bool freed, struct debug_site **sites, uint32_t *nr);

/*
 * Who took the object, or, if it is free, who gave it back: a text's number, 0:
 * not known. Of engine slab too, which keeps only this. Needs a stop.
 */
uint64_t debug_last_user(struct lab *lab, uint64_t object, bool is_out);

/* The track of an object that is out; false where its store keeps none. Needs a stop. */
bool debug_track_read(struct lab *lab, uint64_t object, struct debug_track *t, uint64_t *age);

#endif
