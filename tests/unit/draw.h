/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw - any policy, set to any value that it can have, at random.
 *
 * Rows and values come from the policy table, so that a new row is drawn from
 * the day it is there. What is not a plain number or word is drawn from the
 * text of its range and from the values that presets have.
 *
 * Invariants
 *   A plain value within its row's range is refused only for want of memory,
 *   or by the rules that refusal_is_fair() names; and what was refused is as
 *   it was.
 */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "op/op.h"
#include "op/tracing.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "slab/read.h"
#include "test_lab.h"

/* By row: how often it got another value than it had; over all labs of a program. */
static unsigned int draw_changes[POLICY_MOST];

/* 0 at least, any power of two as likely as any other. */
static inline int64_t draw_size(uint64_t *rand, uint64_t most)
{
	unsigned int bits = most ? 64 - (unsigned int)__builtin_clzll(most) : 0;
	uint64_t n = rand_next(rand) >> (64 - 1 - rand_below(rand, bits + 1)) >> 1;

	return (int64_t)(n > most ? most : n);
}

static inline int64_t draw_number(uint64_t *rand, int64_t min, int64_t max)
{
	switch (rand_below(rand, 12)) {
	case 0:
		return min;
	case 1:
		return max;
	case 2:
		return min + draw_size(rand, (uint64_t)(max - min));
	case 3:
	case 4:
	case 5:
		return min + (int64_t)rand_below(rand, (uint64_t)(max - min) < 300 ? (uint64_t)(max - min) + 1 : 300);
	default:	/* most often small ones, which do more */
		return min + draw_size(rand, (uint64_t)(max - min) < 300 ? (uint64_t)(max - min) : 300);
	}
}

/* One of the words of a text that stand between blanks and commas. */
static inline void draw_word(uint64_t *rand, const char *text, char *buf, size_t size)
{
	char copy[256], *save = NULL, *words[48];
	unsigned int nr = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *w = strtok_r(copy, ", ", &save); w && nr < 48; w = strtok_r(NULL, ", ", &save))
		words[nr++] = w;
	snprintf(buf, size, "%s", nr ? words[rand_below(rand, nr)] : "");
}

static inline void draw_numbers(uint64_t *rand, unsigned int nr, char *buf, size_t size)
{
	size_t n = 0;

	for (unsigned int i = 0; i < nr; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%lld", i ? "," : "", (long long)draw_number(rand, 0, 1000));
}

/* What the forms of such values have in common is little: letters, one number, four, a share. */
static inline void draw_custom(uint64_t *rand, const struct policy_row *row, bool cache, char *buf, size_t size)
{
	static const char *const letters[] = { "none", "F", "Z", "P", "U", "FZ", "FZP", "FZPU", "PU", "A", "FA", "T", "ZT" };

	if (row->store_field == SF_DEBUG) {
		unsigned int i = (unsigned int)rand_below(rand, ARRAY_SIZE(letters) + (cache ? 0 : 2));

		snprintf(buf, size, "%s", i < ARRAY_SIZE(letters) ? letters[i] : i & 1 ? "FZ,t1,t2,kmalloc-64" : "FZP;-,t3,kmalloc*;O");
		return;
	}
	switch (rand_below(rand, 6)) {
	case 0:
		draw_word(rand, row->range, buf, size);
		break;
	case 1:
		draw_numbers(rand, 4, buf, size);
		break;
	case 2:
		snprintf(buf, size, "criterion:%u/16:%s", (unsigned int)rand_below(rand, 17), rand_next(rand) & 1 ? "head" : "tail");
		break;
	case 3:
		snprintf(buf, size, "%s", preset_value(preset_at((unsigned int)rand_below(rand, PRESETS)), row));
		break;
	default:
		snprintf(buf, size, "%lld", (long long)(row->max && row->max < 100 ? (int64_t)rand_below(rand, (uint64_t)row->max + 1) :
							draw_number(rand, row->min, row->max ? row->max : INT32_MAX)));
	}
}

static inline void draw_value(uint64_t *rand, const struct policy_row *row, bool cache, char *buf, size_t size)
{
	/* arrays of a million for each CPU and cache are possible; to walk them all takes long */
	int64_t most = row->store_field & (SF_SLABQ_LIMIT | SF_SLABQ_BATCHCOUNT | SF_SLABQ_SHARED) && row->max > 2000 ? 2000 : row->max;

	switch (row->type) {
	case POLICY_BOOL:
		snprintf(buf, size, "%s", rand_next(rand) & 1 ? "on" : "off");
		break;
	case POLICY_ENUM:
		snprintf(buf, size, "%s", row->words[row->min + (int64_t)rand_below(rand, (uint64_t)(row->max - row->min) + 1)]);
		break;
	case POLICY_CUSTOM:
		draw_custom(rand, row, cache, buf, size);
		break;
	default:
		if (row->type == POLICY_AUTO_INT && !rand_below(rand, 4))
			snprintf(buf, size, "auto");
		else
			snprintf(buf, size, "%lld", (long long)draw_number(rand, row->min, most));
	}
}

/* By turns and at random, so that none is left out for long. */
static unsigned int draw_turn;

static inline const struct policy_row *draw_row(uint64_t *rand, bool cache)
{
	bool in_turn = !cache && rand_below(rand, 4);
	const struct policy_row *row;

	do
		row = &policy_table[in_turn ? draw_turn++ % policy_nr : rand_below(rand, policy_nr)];
	while (row->scope == SCOPE_SHAPE || (cache && row->scope != SCOPE_CACHE));
	return row;
}

/* A cache of the lab, those made with it included. */
static inline uint32_t draw_cache(struct lab *lab, uint64_t *rand)
{
	uint32_t cursor = 0, id, nr = 0, chosen = CACHE_NONE;

	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (!rand_below(rand, ++nr))
			chosen = id;
	return chosen;
}

/* Sizes that go together (a batch and its list), letters and forms, what a debug store or a machine cannot have. */
static inline bool refusal_is_fair(const struct policy_row *row, bool cache, int error)
{
	const uint32_t together = SF_SLABQ_LIMIT | SF_SLABQ_BATCHCOUNT | SF_SLABQ_SHARED | SF_SLQB_HIWATER | SF_SLQB_FREEBATCH | SF_FASTPATH;

	return error == -ENOMEM || (error == -ERANGE && (row->type == POLICY_CUSTOM || row->store_field & together)) ||
	       (error == -EINVAL && (row->type == POLICY_CUSTOM || row->store_field & together || (cache && row->store_field == SF_CPU_PARTIAL)));
}

/* 0, or why the value drawn was refused. */
static inline int draw_one_value(struct lab *lab, uint64_t *rand, const struct policy_row *row, uint32_t cache)
{
	char name[CACHE_NAME + 64], value[POLICY_TEXT_MAX], was[POLICY_TEXT_MAX], is[POLICY_TEXT_MAX];
	bool unset = !rand_below(rand, cache ? 3 : 8);	/* what nobody set is seldom worth an unset */
	int ret;

	if (cache)
		snprintf(name, sizeof(name), "cache.%s.%s", cache_name(lab, cache), policy_part(row));
	else
		snprintf(name, sizeof(name), "%s", row->name);
	policy_print(lab, row, cache, was, sizeof(was));
	for (unsigned int i = 0; i < 3 && (!i || !strcmp(value, was)); i++)
		draw_value(rand, row, cache != 0, value, sizeof(value));
	if (getenv("SLABLAB_TEST_TELL"))
		print_message("%s %s %s\n", unset ? "unset" : "set", name, unset ? "" : value);
	ret = unset ? op_unset(lab, name) : op_set(lab, name, value);
	policy_print(lab, row, cache, is, sizeof(is));
	if (ret && !refusal_is_fair(row, cache, ret))
		fail_msg("%s %s %s: %s", unset ? "unset" : "set", name, value, fail_why());
	if (ret && strcmp(was, is))
		fail_msg("set %s %s was refused, and yet it went from %s to %s", name, value, was, is);
	draw_changes[row - policy_table] += strcmp(was, is) != 0;
	return ret;
}

/* Set or unset `row`, for one cache or for the lab. Of values that need luck to be possible some more. */
static inline void draw_one(struct lab *lab, uint64_t *rand, const struct policy_row *row, uint32_t cache)
{
	if (cache)
		row = policy_find_part_of(policy_part(row), op_cache_engine(lab, cache));
	for (unsigned int i = 0; i < 5 && draw_one_value(lab, rand, row, cache) && row->type == POLICY_CUSTOM; i++)
		;
}

/* Every value at once, to see whether any is another one: the number of a text. */
static inline uint64_t draw_all_values(struct lab *lab)
{
	uint64_t sum = lab->hdr->preset;
	char text[POLICY_TEXT_MAX];

	for (unsigned int i = 0; i < policy_nr; i++) {
		policy_print(lab, &policy_table[i], 0, text, sizeof(text));
		for (const char *c = text; ; c++) {
			sum = (sum ^ (uint8_t)*c) * 0x100000001b3ULL;
			if (!*c)
				break;
		}
	}
	return sum;
}

/* Refused only for want of memory. */
static inline void draw_preset(struct lab *lab, uint64_t *rand)
{
	const struct preset *p = preset_at((unsigned int)rand_below(rand, PRESETS));
	uint64_t was = draw_all_values(lab);
	int ret;

	if (getenv("SLABLAB_TEST_TELL"))
		print_message("preset %s\n", preset_name(p));
	ret = op_preset(lab, p);
	if (ret && ret != -ENOMEM)
		fail_msg("preset %s: %s", preset_name(p), fail_why());
	if (ret && was != draw_all_values(lab))
		fail_msg("preset %s was refused, and yet it changed something", preset_name(p));
}

/* Any policy of any kind, now and then a whole preset. */
static inline void draw_switch(struct lab *lab, uint64_t *rand)
{
	uint64_t kind = rand_below(rand, 40);
	uint32_t cache = kind < 14 ? draw_cache(lab, rand) : CACHE_NONE;

	if (kind == 39)
		draw_preset(lab, rand);
	else
		draw_one(lab, rand, draw_row(rand, cache != CACHE_NONE), cache);
}

/* Which row a part stands for follows the cache's engine: so each engine in turn. */
static inline void draw_no_overrides(struct lab *lab, uint32_t cache)
{
	static const char *const engines[] = { "", "slab", "slqb", "sheaves", "slub", "auto" };
	char name[CACHE_NAME + 64];

	for (unsigned int e = 0; e < ARRAY_SIZE(engines); e++) {
		snprintf(name, sizeof(name), "cache.%s.engine", cache_name(lab, cache));
		if (engines[e][0] && op_set(lab, name, engines[e]))
			fail_msg("%s %s: %s", name, engines[e], fail_why());
		for (unsigned int i = 0; i < policy_nr; i++) {
			if (!policy_is_overridden(lab, &policy_table[i], cache) || policy_table[i].store_field == SF_ENGINE)
				continue;
			snprintf(name, sizeof(name), "cache.%s.%s", cache_name(lab, cache), policy_part(&policy_table[i]));
			if (op_set(lab, name, "auto"))
				fail_msg("%s auto: %s", name, fail_why());
		}
	}
	if (*cache_override_mask(lab, cache))
		fail_msg("cache %s keeps overrides: %#x", cache_name(lab, cache), *cache_override_mask(lab, cache));
}

/* As a lab is made: no overrides, every policy as in linux-6.1. */
static inline void draw_nothing(struct lab *lab)
{
	uint32_t cursor = 0, id;

	if (op_preset(lab, preset_at(PRESET_DEFAULT)))
		fail_msg("preset: %s", fail_why());
	while ((id = cache_next(lab, &cursor)) != CACHE_NONE)
		if (*cache_override_mask(lab, id))
			draw_no_overrides(lab, id);
}

/* A row that nothing ever switched; NULL: there is none. */
static inline const char *draw_left_out(void)
{
	for (unsigned int i = 0; i < policy_nr; i++)
		if (policy_table[i].scope != SCOPE_SHAPE && !draw_changes[i])
			return policy_table[i].name;
	return NULL;
}

/* Who watches: traces, stacks, latency. */
static inline void draw_watching(struct lab *lab, uint64_t *rand)
{
	switch (rand_below(rand, 5)) {
	case 0:
		op_trace_on(lab, NULL, 0, 1024);
		break;
	case 1:
		op_trace_off(lab);
		break;
	case 2:
		op_stacks(lab, EV_alloc_slab, rand_next(rand) & 1);
		break;
	default:
		op_latency(lab, (enum op_latency)rand_below(rand, 3));
	}
}

#endif
