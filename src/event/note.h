/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * note - steps of a story that are no events: what was looked at, and what it held.
 *
 * Idea. Events say what changed; whoever asks `why` also wants to know which
 * lists were empty, how long a list was, and between which figures a policy
 * chose. Such steps are told beside events and under numbers behind theirs,
 * but are never counted: in the bare and the counted code they are nothing.
 *
 * Units. As the fields say; a field's values are those of its JSON key.
 */
#ifndef EVENT_NOTE_H
#define EVENT_NOTE_H

#include "event/event.h"

#define NOTE_FIELDS_MAX 6

/* X(name, its fields, what was seen); missing fields are NONE. The first group is told of a zone, the second of a store. */
#define PAGE_NOTES(X)                                                                               \
	X(request,        "a block was asked for",      ORDER, GFP, MTYPE, KIND, ZONE, NODE)        \
	X(mark_seen,      "a watermark was compared",   MARKNAME, NEED, FREE, PROTECTED, FAULT, ORDER) \
	X(mark_terms,     "what the mark is made of",   MARK, BOOST, HEEDED, PROTECTED, RESERVED, SIZE) \
	X(free_drift,     "the count of free pages was off", SEEN, FREE, LIMIT)                    \
	X(zone_left,      "what the zone has at the end", FREE, COUNT, RECLAIMABLE, FOUND, NEED, ORDER) \
	X(zone_rights,    "who would have got in",      NEED, NEEDHIGH, NEEDATOMIC, FREE, FOUND, ORDER) \
	X(walk_again,     "the zones were walked again, with other rights", MARKNAME, RIGHTS, STEP) \
	X(compacted,      "compaction ran for the request", ORDER, MODE, RESULT)                    \
	X(reclaimed,      "the request reclaimed for itself", PAGES, ORDER, READY)                  \
	X(shrunk,         "cached objects were looked at", OBJS, FREED, PAGES)                      \
	X(gave_up,        "the last hope is gone",      STEP, ORDER, GFP, RESULT)                   \
	X(remote_stop,    "a farther node was left for later", ZONE)                                \
	X(pcp_list,       "a CPU's page list was looked at", LIST, BLOCKS, COUNT, HIGH)             \
	X(pcp_wants,      "the list was empty: a batch is wanted", LIST, BLOCKS, BATCH, ORDER)      \
	X(block_found,    "the smallest block that is free was found", PFN, FOUND, ORDER, MTYPE, KEEP) \
	X(none_free,      "no block of this type is free", ORDER, MTYPE)                            \
	X(fallback_none,  "no other type can help out", ORDER, MTYPE, REASON)                       \
	X(fallback_choice,"a block of another type was chosen", PFN, FOUND, VICTIM, MTYPE, WHOLE, ORDER) \
	X(steal_share,    "what of the pageblock goes over was counted", FREE, ALIKE, HALF, MTYPE)  \
	X(buddy_put,      "a free block was put on its list", PFN, ORDER, MTYPE, TAIL)              \
	X(lazy_free,      "how steadily an order is used was looked at", PFN, ORDER, INUSEBLOCKS, DELAYED, PACE) \
	X(lazy_due,       "the oldest delayed block is due", PFN, ORDER)                            \
	X(pcp_put,        "a block was put on the CPU's list", LIST, COUNT, HIGH, PFN)              \
	X(pcp_drain_size, "the CPU's lists were full", PAGES, COUNT, HIGH, BATCH, FACTOR)

#define SLAB_NOTES(X)                                                                               \
	X(cache_store,    "the cache's store was looked up", CACHE, STORE, SHARERS, BYTES)          \
	X(freelist_had,   "the CPU's freelist was looked at", OBJS, SLAB)                           \
	X(first_taken,    "the CPU keeps the rest of a freelist", SLAB, OBJS)                       \
	X(own_slab,       "the CPU's slab was looked at", SLAB, INUSE, OBJS)                        \
	X(no_own_slab,    "the CPU has no slab of this store", CPU)                                 \
	X(chain_had,      "the CPU's partial list was looked at", CPU, SLABS)                       \
	X(slab_had,       "a slab that was taken was looked at", SLAB, FREE, OBJS, SLABS)           \
	X(node_had,       "a node's partial list was looked at", NODE, SLABS)                       \
	X(chain_filled,   "more slabs were taken along", SLABS, LIMIT, UNIT, OBJS)                  \
	X(array_had,      "the CPU's array was looked at", CPU, OBJS, LIMIT)                        \
	X(shared_had,     "a node's shared array was looked at", NODE, OBJS, LIMIT)                 \
	X(sheaf_had,      "the CPU's main sheaf was looked at", CPU, OBJS, LIMIT)                   \
	X(slqb_had,       "the CPU's list was looked at", CPU, OBJS, LIMIT)                         \
	X(refill_wants,   "a batch for the CPU's array is wanted", BATCH, WASFULL)                  \
	X(list_had,       "a slab of a node's list was looked at", SLAB, INUSE, OBJS)               \
	X(node_passed,    "another node was passed over", NODE, SLABS, KEPT)                        \
	X(nodes_off,      "other nodes are not asked", NODE)                                        \
	X(nodes_drawn,    "the draw was against other nodes", NODE)                                 \
	X(pages_asked,    "pages were asked for a new slab", ORDER, OBJS, LEAST, TRY, MOST, WAY)         \
	X(shuffled,       "a new slab's freelist was put in a random order", SLAB, OBJS, PLACE)        \
	X(freed_into,     "a slab after the free", SLAB, INUSE, OBJS, FROZEN, WASFULL, CNT)         \
	X(frozen_by,      "whose slab it is", SLAB, CPU, CHAINED)                                   \
	X(chain_limit,    "the CPU's partial list was compared with its limit", SLABS, LIMIT, DRAINED, CPU, UNIT) \
	X(surplus,        "a node's partial list was compared with what it keeps", NODE, SLABS, KEPT, GONE, TEST, SLAB) \
	X(placing,        "an end of a partial list was chosen", SLAB, INUSE, OBJS, VALUE, SITE, SLABS) \
	X(flushing,       "a CPU's part of the store is flushed", CPU)                              \
	X(given_up,       "a slab was given up by its CPU", SLAB, GIVEN, INUSE, OBJS, REMOTE)

#define NOTE_ENUM(name, text, ...) NOTE_##name,
enum note_id {
	NOTE_BEFORE_FIRST = EV_NR - 1,
	PAGE_NOTES(NOTE_ENUM)
	NOTE_PAGE_END,
	NOTE_SLAB_BEFORE_FIRST = NOTE_PAGE_END - 1,
	SLAB_NOTES(NOTE_ENUM)
	NOTE_END,
};
#define NOTE_NR (NOTE_END - EV_NR)

/* What an event or a note is told of: a zone, a store, or neither. */
static inline bool event_is_of_zone(unsigned int e)
{
	return e < EV_PAGE_NR || (e >= EV_NR && e < NOTE_PAGE_END);
}

static inline bool event_is_of_store(unsigned int e)
{
	return !event_is_of_zone(e) && (e < EV_SLAB_END || e >= EV_NR);
}

struct note_row {
	const char *name, *text;
	enum event_field fields[NOTE_FIELDS_MAX];
};

/* Values of fields that are neither counts nor numbers of the lab's own. */
enum mark_fault { MARK_PASSED, MARK_TOO_FEW, MARK_NO_BLOCK };	/* FAULT: what a zone lacked */
enum lazy_pace { PACE_LAZY, PACE_RECLAIMING, PACE_ACCELERATED };	/* PACE: no merging, this block, and one more */
enum fallback_fault { FALLBACK_NONE, FALLBACK_OFF, FALLBACK_WHOLE };	/* REASON: nothing to take, policy, whole pageblocks only */
enum pcp_bypass { BYPASS_ORDER, BYPASS_LOCK, BYPASS_DISABLED };	/* REASON: why a request went past the CPU's lists */
enum walk_rights { RIGHT_HALF = 1, RIGHT_ALL = 2, RIGHT_NO_WAIT = 4 };	/* RIGHTS: how far below a mark */

/* STEP: what of the slow path was tried (reclaim.md section 1). */
enum slow_step {
	STEP_NONE, STEP_MIN, STEP_COMPACT_FIRST, STEP_RECLAIM, STEP_DRAIN, STEP_COMPACT, STEP_OOM, STEP_NOFAIL, STEP_NR,
};

extern const char *const slow_step_words[STEP_NR];

extern const struct note_row note_table[NOTE_NR];

#endif
