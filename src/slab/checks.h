/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checks - what the checks of all engines are made of: reports begun, filled
 * in and ended, bytes compared, objects prepared. (slub_check.c)
 *
 * Between debug_begin() and debug_end() debug_state.lock is held.
 */
#ifndef SLAB_CHECKS_H
#define SLAB_CHECKS_H

#include "slab/debug.h"

struct debug_report *debug_begin(struct check *ck, enum debug_message message);
void debug_end(struct check *ck);
/* Bytes as they are found; more than a page of one part, or than a report has room for, is left out. */
void debug_part(const struct check *ck, struct debug_report *r, enum report_part part, uint64_t at, uint64_t bytes);
/* Whole reports: of an object with all that is known of it, of a slab with two numbers. */
void debug_object_error(struct check *ck, enum debug_message message, uint64_t object);
void debug_slab_error(struct check *ck, enum debug_message message, uint64_t a, uint64_t b);
/* What was done about the last report of this run. */
void debug_fixed(struct check *ck, enum debug_fix fix, enum debug_message word, uint64_t first, uint64_t last, uint8_t value);
/* The range from the first to the last byte that is not `value`; false if all are. */
bool debug_differs(const uint8_t *at, uint64_t bytes, uint8_t value, uint64_t *first, uint64_t *last);
/* A line of trace (flag T); a free prints the object, too. */
void debug_trace(struct check *ck, enum debug_message message, uint64_t object);

/* SLUB's layout, which is SLQB's but for the red zone on the left. */
bool debug_check_slab(struct check *ck);
/* An object that should be free (RED_FREE) or out (RED_OUT). Padding is mended and forgiven. */
bool debug_check_object(struct check *ck, uint64_t object, uint8_t red);
void debug_prepare(const struct cpu *cpu, const struct store *s, uint64_t object, uint8_t red);
void debug_set_track(struct cpu *cpu, struct store *s, uint64_t object, bool freed);
/* A free that is done: its track, its line of trace, the object as free ones look. */
void debug_given(struct check *ck, uint64_t object);

/* A bit for each object of the slab that is on its own freelist, as far as that can be followed. */
void debug_mark_free(const struct check *ck, uint8_t *map, uint32_t objects);

/* slqb_check.c, slabq_check.c: an empty slab; a slab of a store whose queues were flushed, objects looked at. */
void slqb_check_empty(struct check *ck);
void slqb_validate_slab(struct check *ck, uint64_t *looked);
void slabq_check_empty(struct check *ck);
void slabq_validate_slab(struct check *ck, uint64_t *looked);
/* A new slab's red words, poison and last callers. */
void slabq_init_slab(struct cpu *cpu, struct store *s, struct page *slab);
/* What engine slab knows of an object beside its bytes. */
struct debug_words slabq_words(const struct lab *lab, const struct store *s, uint64_t object);

#endif
