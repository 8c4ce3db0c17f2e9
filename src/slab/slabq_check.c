/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of SLAB's debug stores, in the words of Linux 6.1.
 *
 *	| red word | object, to a whole word | red word | last caller |
 *
 * Red words say whether the object is out, and whether somebody wrote beside
 * it; a free object's body is poison; who allocated or freed it last is one
 * word. An object is known by its place and by whether it is free, so with any
 * debug flag an address that is none, and a second free, are found, which halts
 * such a kernel; here the object is not freed. What else is found is reported
 * and goes on. (slab-debug.md section 10)
 */
#include "slab/checks.h"

#include <stdio.h>
#include <string.h>

#include "page/relaxed.h"
#include "slab/slabq.h"

#define RED_WORD_FREE 0x09f911029d74e35bULL
#define RED_WORD_OUT 0xd84156c5635688c0ULL
#define POISON_TAKEN 0x5a
#define NEIGHBOUR_BYTES 32	/* so much of the objects beside a damaged one is shown */

/* ---- the words of a slot ---- */

static uint64_t slot_of(const struct store *s, uint64_t object)
{
	return object - object_at(&s->g);
}

static uint64_t *last_user(const struct lab *lab, const struct store *s, uint64_t object)
{
	return (uint64_t *)(lab->base + slot_of(s, object) + s->g.size - WORD);
}

/* before: the one in front of the object; else the one behind it. */
static uint64_t *red_word(const struct lab *lab, const struct store *s, uint64_t object, bool before)
{
	uint64_t behind = slot_of(s, object) + s->g.size - (s->g.flags & CF_USER ? 2 : 1) * WORD;

	return (uint64_t *)(lab->base + (before ? object - WORD : behind));
}

static bool red_is(const struct check *ck, uint64_t object, uint64_t value)
{
	return *red_word(ck->cpu->lab, ck->s, object, true) == value && *red_word(ck->cpu->lab, ck->s, object, false) == value;
}

static void set_red(const struct cpu *cpu, const struct store *s, uint64_t object, uint64_t value)
{
	if (!(s->g.flags & CF_REDZONE))
		return;
	*red_word(cpu->lab, s, object, true) = value;
	*red_word(cpu->lab, s, object, false) = value;
}

struct debug_words slabq_words(const struct lab *lab, const struct store *s, uint64_t object)
{
	struct debug_words w = { .object = object, .has_red = (s->g.flags & CF_REDZONE) != 0, .has_user = (s->g.flags & CF_USER) != 0 };

	if (w.has_red) {
		w.red[0] = *red_word(lab, s, object, true);
		w.red[1] = *red_word(lab, s, object, false);
	}
	if (w.has_user) {
		uint64_t user = peek(*last_user(lab, s, object));

		w.user = user <= debug_state(lab)->texts ? user : 0;	/* anything may have been written there */
	}
	return w;
}

static void poison(const struct cpu *cpu, const struct store *s, uint64_t object)
{
	memset(cpu->base + object, POISON_BODY, s->object_size - 1);
	cpu->base[object + s->object_size - 1] = POISON_LAST;
}

static void note_user(struct check *ck, uint64_t object)
{
	uint32_t place, stack;

	if (!(ck->s->g.flags & CF_USER))
		return;
	debug_here(ck->cpu, &place, &stack);
	*last_user(ck->cpu->lab, ck->s, object) = place;
}

/* ---- reports ---- */

static struct debug_report *begin(struct check *ck, enum debug_message message, uint64_t object)
{
	const struct store *s = ck->s;
	struct debug_report *r = debug_begin(ck, message);

	r->has_object = true;
	r->object = object;
	r->arg[0] = object;
	r->arg[1] = s->object_size;
	r->words[0] = slabq_words(ck->cpu->lab, s, object);
	if (r->words[0].has_red)
		debug_part(ck, r, PART_REDZONE, object - WORD, WORD);
	debug_part(ck, r, PART_OBJECT, object, s->object_size);
	if (r->words[0].has_red)
		debug_part(ck, r, PART_REDZONE, (uint64_t)((uint8_t *)red_word(ck->cpu->lab, s, object, false) - ck->cpu->base), WORD);
	return r;
}

/* `function`: the kernel's, which its words name. */
static void red_error(struct check *ck, enum debug_message message, uint64_t object, const char *function)
{
	struct debug_report *r = begin(ck, message, object);

	snprintf(r->other, sizeof(r->other), "%s", function);
	debug_end(ck);
}

static void neighbour(struct check *ck, struct debug_report *r, uint32_t index, bool next)
{
	uint64_t at;

	if (next ? index + 1 >= slab_counts(ck->slab).objects : !index)
		return;
	at = slab_object(ck->cpu->lab, ck->s, page_pfn(ck->cpu->lab, ck->slab), next ? index + 1 : index - 1);
	r->words[next ? 2 : 1] = slabq_words(ck->cpu->lab, ck->s, at);
	debug_part(ck, r, next ? PART_NEXT : PART_PREVIOUS, at,
		   ck->s->object_size < NEIGHBOUR_BYTES ? ck->s->object_size : NEIGHBOUR_BYTES);
}

/*
 * The body of a free object; `skip` bytes of it hold free indexes. True when it
 * is poison all over.
 */
static bool check_poison(struct check *ck, uint64_t object, uint32_t skip)
{
	const uint8_t *body = ck->cpu->base + object;
	uint32_t size = ck->s->object_size, index = object_index(ck->cpu->lab, ck->s, ck->slab, slot_of(ck->s, object));
	uint64_t first, last;
	struct debug_report *r;
	bool bad_body = skip < size - 1 && debug_differs(body + skip, size - 1 - skip, POISON_BODY, &first, &last);
	bool bad_end = skip < size && body[size - 1] != POISON_LAST;

	if (likely(!bad_body && !bad_end))
		return true;
	r = begin(ck, DEBUG_corruption, object);
	r->has_range = true;
	r->first = bad_body ? object + skip + first : object + size - 1;
	r->last = bad_end ? object + size - 1 : object + skip + last;
	r->found = ck->cpu->base[r->first];
	r->expected = bad_body ? POISON_BODY : POISON_LAST;
	neighbour(ck, r, index, false);
	neighbour(ck, r, index, true);
	debug_end(ck);
	return false;
}

/* ---- objects ---- */

void slabq_init_slab(struct cpu *cpu, struct store *s, struct page *slab)
{
	for (uint32_t i = 0; i < s->g.objs; i++) {
		uint64_t object = slab_object(cpu->lab, s, page_pfn(cpu->lab, slab), i);

		set_red(cpu, s, object, RED_WORD_FREE);
		if (debug_poisons(s))
			poison(cpu, s, object);
		if (s->g.flags & CF_USER)
			*last_user(cpu->lab, s, object) = 0;
	}
}

void slabq_debug_home(struct cpu *cpu, const struct store *s, uint64_t object)
{
	if (debug_poisons(s))
		poison(cpu, s, object);
}

void slabq_debug_take(struct check *ck, uint64_t object)
{
	struct cpu *cpu = ck->cpu;
	struct store *s = ck->s;

	if (debug_poisons(s)) {
		check_poison(ck, object, 0);
		memset(cpu->base + object, POISON_TAKEN, s->object_size);
	}
	note_user(ck, object);
	if (s->g.flags & CF_REDZONE && !red_is(ck, object, RED_WORD_FREE))
		red_error(ck, DEBUG_twice_or_outside, object, "cache_alloc_debugcheck_after");
	set_red(cpu, s, object, RED_WORD_OUT);
	debug_trace(ck, DEBUG_trace_alloc, object);
	debug_set_out(cpu->lab, object);
}

/* The kernel would have it twice in its arrays, and halt when the second one reaches its slab. */
static bool freed_twice(struct check *ck, uint64_t object)
{
	if (ck->s->g.flags & CF_REDZONE) {
		red_error(ck, DEBUG_double_free, object, "verify_redzone_free");
	} else {
		begin(ck, DEBUG_index_twice, object);
		debug_end(ck);
	}
	debug_fixed(ck, FIX_not_freed, 0, object, 0, 0);
	return false;
}

bool slabq_debug_give(struct check *ck, uint64_t object)
{
	struct store *s = ck->s;

	if (!slab_is_object(ck->cpu->lab, s, ck->slab, object)) {
		debug_slab_error(ck, DEBUG_no_object, object, 0);
		debug_fixed(ck, FIX_not_freed, 0, object, 0, 0);
		return false;
	}
	if (!debug_clear_out(ck->cpu->lab, object))
		return freed_twice(ck, object);
	if (s->g.flags & CF_REDZONE && !red_is(ck, object, RED_WORD_OUT))
		red_error(ck, red_is(ck, object, RED_WORD_FREE) ? DEBUG_double_free : DEBUG_outside, object, "verify_redzone_free");
	set_red(ck->cpu, s, object, RED_WORD_FREE);
	note_user(ck, object);
	debug_trace(ck, DEBUG_trace_free, object);
	if (debug_poisons(s))
		poison(ck->cpu, s, object);
	return true;
}

/* ---- slabs ---- */

/* A free object that is in its slab; it is mended. */
static void check_free(struct check *ck, uint64_t object)
{
	const struct store *s = ck->s;
	const struct lab *lab = ck->cpu->lab;
	bool is_home = s->g.management == SLABQ_IN_OBJECT && ck->slab->freelist == object;

	if (debug_poisons(s) && !check_poison(ck, object, is_home ? s->g.index_bytes : 0)) {
		const struct debug_report *r = debug_report_read(lab, ck->report);

		if (!is_home)
			poison(ck->cpu, s, object);
		debug_fixed(ck, FIX_restored, DEBUG_poison, r->first, r->last, POISON_BODY);
	}
	if (!(s->g.flags & CF_REDZONE))
		return;
	if (*red_word(lab, s, object, true) != RED_WORD_FREE)
		red_error(ck, DEBUG_freed_start, object, "slab_destroy_debugcheck");
	if (*red_word(lab, s, object, false) != RED_WORD_FREE)
		red_error(ck, DEBUG_freed_end, object, "slab_destroy_debugcheck");
	if (!red_is(ck, object, RED_WORD_FREE))
		debug_fixed(ck, FIX_red_words, 0, 0, 0, 0);
	set_red(ck->cpu, s, object, RED_WORD_FREE);
}

static void check_out(struct check *ck, uint64_t object)
{
	if (!(ck->s->g.flags & CF_REDZONE) || red_is(ck, object, RED_WORD_OUT))
		return;
	red_error(ck, DEBUG_outside, object, "verify_redzone_free");
	set_red(ck->cpu, ck->s, object, RED_WORD_OUT);
	debug_fixed(ck, FIX_red_words, 0, 0, 0, 0);
}

void slabq_check_empty(struct check *ck)
{
	for (uint32_t i = 0; i < slab_counts(ck->slab).objects; i++)
		check_free(ck, slab_object(ck->cpu->lab, ck->s, page_pfn(ck->cpu->lab, ck->slab), i));
}

void slabq_validate_slab(struct check *ck, uint64_t *looked)
{
	const struct lab *lab = ck->cpu->lab;

	for (uint32_t i = 0; i < slab_counts(ck->slab).objects; i++, ++*looked) {
		uint64_t object = slab_object(lab, ck->s, page_pfn(lab, ck->slab), i);

		debug_is_out(lab, object) ? check_out(ck, object) : check_free(ck, object);
	}
}
