/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/live_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/preset.h"
#include "slab/read.h"

#define SMALL_RANGE 64

const char *live_preset(const struct lab *lab)
{
	return preset_name(preset_of(lab));
}

static bool fill(struct lab *lab, const struct policy_row *row, uint32_t cache, struct live_policy *p)
{
	const struct preset *preset = preset_of(lab);

	if (cache && row->scope != SCOPE_CACHE)
		return false;
	memset(p, 0, sizeof(*p));
	p->row = row;
	p->fixed = row->scope == SCOPE_SHAPE;
	p->source = preset_source(preset, row);
	policy_print(lab, row, cache, p->value, sizeof(p->value));
	if (cache) {
		policy_print(lab, row, 0, p->def, sizeof(p->def));
		p->differs = policy_is_overridden(lab, row, cache);
	} else {
		char now[POLICY_TEXT_MAX];

		snprintf(p->def, sizeof(p->def), "%s", preset_value(preset, row));
		p->differs = !p->fixed && preset_differs(preset, lab, row, now);
	}
	return true;
}

unsigned int live_policies(struct lab *lab, const char *cache, struct live_policy *p)
{
	uint32_t id = cache[0] ? cache_find(lab, cache) : CACHE_NONE;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < policy_nr; i++)
		nr += fill(lab, &policy_table[i], id, &p[nr]);
	return nr;
}

/* ---- turning ---- */

static bool turn_word(const struct live_policy *p, int by, char *buf, size_t size)
{
	const struct policy_row *row = p->row;
	int64_t n = row->max - row->min + 1, at = -1;

	for (int64_t i = row->min; i <= row->max; i++)
		if (!strcmp(row->words[i], p->value))
			at = i - row->min;
	if (n < 1)
		return false;
	snprintf(buf, size, "%s", row->words[row->min + (at + by + n) % n]);
	return true;
}

static bool turn_number(const struct live_policy *p, int by, char *buf, size_t size)
{
	const struct policy_row *row = p->row;
	char *end;
	long long v = strtoll(p->value, &end, 0);

	if (end == p->value)	/* auto */
		v = by > 0 ? row->min - 1 : row->min;
	else if (*end)
		return false;
	if (row->max - row->min <= SMALL_RANGE)
		v += by;
	else
		v = by > 0 ? (v ? v * 2 : 1) : v / 2;
	if (v < row->min && row->type == POLICY_AUTO_INT) {
		snprintf(buf, size, "auto");
		return true;
	}
	v = v < row->min ? row->min : v > row->max ? row->max : v;
	snprintf(buf, size, "%lld", v);
	return true;
}

/* Is this the whole of a value that somebody could choose: a bare word? */
static bool is_choice(const char *word, size_t len)
{
	return len && strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") >= len && !(word[0] >= '0' && word[0] <= '9');
}

/* Of values with rules of their own, the bare words of their range. */
static bool turn_range(const struct live_policy *p, int by, char *buf, size_t size)
{
	char range[256], *word[32], *at = range;
	int nr = 0, now = 0;

	policy_range(p->row, range, sizeof(range));
	for (char *next; at && nr < 32; at = next) {
		next = strstr(at, ", ");
		if (next) {
			*next = 0;
			next += 2;
		}
		if (!is_choice(at, strlen(at)))
			continue;
		if (!strcmp(at, p->value))
			now = nr;
		word[nr++] = at;
	}
	if (nr < 2)
		return false;
	snprintf(buf, size, "%s", word[(now + by + nr) % nr]);
	return true;
}

bool live_policy_turn(const struct live_policy *p, int by, char *buf, size_t size)
{
	switch (p->row->type) {
	case POLICY_BOOL:
		snprintf(buf, size, "%s", strcmp(p->value, "on") ? "on" : "off");
		return true;
	case POLICY_ENUM:
		return turn_word(p, by, buf, size);
	case POLICY_INT:
	case POLICY_AUTO_INT:
		return turn_number(p, by, buf, size);
	default:
		return turn_range(p, by, buf, size);
	}
}
