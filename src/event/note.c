/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event/note.h"

#define FIELDS_1(a) FIELD_##a
#define FIELDS_2(a, ...) FIELD_##a, FIELDS_1(__VA_ARGS__)
#define FIELDS_3(a, ...) FIELD_##a, FIELDS_2(__VA_ARGS__)
#define FIELDS_4(a, ...) FIELD_##a, FIELDS_3(__VA_ARGS__)
#define FIELDS_5(a, ...) FIELD_##a, FIELDS_4(__VA_ARGS__)
#define FIELDS_6(a, ...) FIELD_##a, FIELDS_5(__VA_ARGS__)
#define FIELDS_PICK(a, b, c, d, e, f, form, ...) form
#define FIELDS(...) \
	FIELDS_PICK(__VA_ARGS__, FIELDS_6, FIELDS_5, FIELDS_4, FIELDS_3, FIELDS_2, FIELDS_1, )(__VA_ARGS__)

#define NOTE_ROW(name, text, ...) { #name, text, { FIELDS(__VA_ARGS__) } },

const struct note_row note_table[NOTE_NR] = {
	PAGE_NOTES(NOTE_ROW)
	SLAB_NOTES(NOTE_ROW)
};

const char *const slow_step_words[STEP_NR] = {
	[STEP_NONE] = "the first pass",
	[STEP_MIN] = "the pass at the min mark",
	[STEP_COMPACT_FIRST] = "compaction before anything else",
	[STEP_RECLAIM] = "direct reclaim",
	[STEP_DRAIN] = "draining all CPUs' page lists",
	[STEP_COMPACT] = "compaction after reclaim",
	[STEP_OOM] = "the decision that memory has run out",
	[STEP_NOFAIL] = "all that is free, as the request must not fail",
};
