/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value - texts to fields and back, by the row's type. */
#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/units.h"
#include "policy/custom.h"

/* ---- finding rows ---- */

const struct policy_row *policy_find(const char *name)
{
	for (unsigned int i = 0; i < policy_nr; i++)
		if (!strcmp(policy_table[i].name, name))
			return &policy_table[i];
	return NULL;
}

const char *policy_part(const struct policy_row *row)
{
	return strchr(row->name, '.') + 1;
}

/* Rows by the engine whose they are; SLUB's serve it below sheaves too. */
static const struct { const char *engine, *prefix; } prefixes[] = {
	{ "slub", "slub." }, { "sheaves", "sheaves." }, { "sheaves", "slub." }, { "slab", "slabq." }, { "slqb", "slqb." },
};

static bool is_of_engine(const struct policy_row *row, const char *engine)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strcmp(prefixes[i].engine, engine) && !strncmp(row->name, prefixes[i].prefix, strlen(prefixes[i].prefix)))
			return true;
	return false;
}

const struct policy_row *policy_find_part_of(const char *part, const char *engine)
{
	const struct policy_row *found = NULL;

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (row->scope != SCOPE_CACHE || strcmp(policy_part(row), part))
			continue;
		if (!found || is_of_engine(row, engine))
			found = row;
	}
	return found;
}

const struct policy_row *policy_find_part(const char *part)
{
	return policy_find_part_of(part, "slub");
}

const struct policy_row *policy_of_path(const char *path)
{
	const char *last = strrchr(path, '.');

	/* a cache's name, of one letter or more, stands between */
	if (!strncmp(path, "cache.", 6) && last > path + 6)
		return policy_find_part(last + 1);
	return policy_find(path);
}

const struct policy_row *policy_find_param(const char *param)
{
	for (unsigned int i = 0; i < policy_nr; i++)
		if (policy_table[i].param && !strcmp(policy_table[i].param, param))
			return &policy_table[i];
	return NULL;
}

/* ---- fields ---- */

int64_t policy_field(const struct policy_row *row, const void *home)
{
	const void *f = (const char *)home + row->field;

	switch (row->bytes) {
	case 1:
		return *(const uint8_t *)f;
	case 2:
		return *(const uint16_t *)f;
	case 4:	/* those of fault injection count down while CPUs run */
		return __atomic_load_n((const int32_t *)f, __ATOMIC_RELAXED);
	default:
		return __atomic_load_n((const int64_t *)f, __ATOMIC_RELAXED);
	}
}

void policy_field_set(const struct policy_row *row, void *home, int64_t value)
{
	void *f = (char *)home + row->field;
	int32_t v32 = (int32_t)value;
	uint16_t v16 = (uint16_t)value;
	uint8_t v8 = (uint8_t)value;

	switch (row->bytes) {
	case 1:
		memcpy(f, &v8, 1);
		break;
	case 2:
		memcpy(f, &v16, 2);
		break;
	case 4:
		memcpy(f, &v32, 4);
		break;
	default:
		memcpy(f, &value, 8);
	}
}

static void *home_of(struct lab *lab, const struct policy_row *row)
{
	switch (row->home) {
	case HOME_PAGE:
		return lab_page_policy(lab);
	case HOME_SLAB:
		return lab_slab_policy(lab);
	case HOME_STORE:
		return &lab_slab_policy(lab)->store;
	default:
		return lab->hdr;
	}
}

/* ---- ranges ---- */

static void range_number(const struct policy_row *row, char *buf, size_t size)
{
	const char *automatic = row->type == POLICY_AUTO_INT ? "auto or " : "";

	snprintf(buf, size, "%s%lld .. %lld", automatic, (long long)row->min, (long long)row->max);
}

static void range_words(const struct policy_row *row, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = 0;
	for (int64_t i = row->min; i <= row->max && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "", row->words[i]);
}

char *policy_range(const struct policy_row *row, char *buf, size_t size)
{
	switch (row->type) {
	case POLICY_BOOL:
		snprintf(buf, size, "on, off");
		break;
	case POLICY_ENUM:
		range_words(row, buf, size);
		break;
	case POLICY_CUSTOM:
		snprintf(buf, size, "%s", row->range);
		break;
	default:
		range_number(row, buf, size);
	}
	return buf;
}

int policy_bad(const struct policy_row *row, int err, const char *value)
{
	char range[256];

	return fail(err, "%s %s is %s: %s", row->name, *value ? value : "\"\"",
		    err == ERANGE ? "out of range" : "no value of this policy",
		    policy_range(row, range, sizeof(range)));
}

int policy_number(const struct policy_row *row, const char *value, int64_t min, int64_t max, int64_t *n)
{
	int ret = parse_i64(value, n);

	if (ret)
		return policy_bad(row, -ret, value);
	return *n < min || *n > max ? policy_bad(row, ERANGE, value) : 0;
}

/* ---- in and out ---- */

static int parse_bool(const struct policy_row *row, void *home, const char *value)
{
	bool on = !strcmp(value, "on") || !strcmp(value, "1");

	if (!on && strcmp(value, "off") && strcmp(value, "0"))
		return policy_bad(row, EINVAL, value);
	policy_field_set(row, home, on);
	return 0;
}

static int parse_word(const struct policy_row *row, void *home, const char *value)
{
	for (int64_t i = row->min; i <= row->max; i++)
		if (!strcmp(value, row->words[i])) {
			policy_field_set(row, home, i);
			return 0;
		}
	return policy_bad(row, EINVAL, value);
}

static int parse_number(const struct policy_row *row, void *home, const char *value)
{
	int64_t n = row->auto_value;
	int ret = 0;

	if (row->type == POLICY_INT || strcmp(value, "auto"))
		ret = policy_number(row, value, row->min, row->max, &n);
	if (!ret)
		policy_field_set(row, home, n);
	return ret;
}

/* Is the text that of the default, where the default holds? Then nobody asks for more than the rule. */
static bool is_by_rule(struct lab *lab, const struct policy_row *row, const char *value)
{
	char now[32];

	if (!row->by_rule || value == row->def)
		return row->by_rule;
	snprintf(now, sizeof(now), "%lld", (long long)row->by_rule(lab, &lab_slab_policy(lab)->store));
	return !strcmp(value, row->def) && !strcmp(now, row->def);
}

/* home: the struct that .field lies in. */
static int parse_into(struct lab *lab, const struct policy_row *row, void *home, bool cache,
		      const char *value)
{
	if (!cache && is_by_rule(lab, row, value)) {
		policy_field_set(row, home, row->unset);
		return 0;
	}
	switch (row->type) {
	case POLICY_BOOL:
		return parse_bool(row, home, value);
	case POLICY_ENUM:
		return parse_word(row, home, value);
	case POLICY_CUSTOM:
		return cache && row->parse_cache ? row->parse_cache(lab, row, home, value)
						 : row->parse(lab, row, home, value);
	default:
		return parse_number(row, home, value);
	}
}

static void print_from(struct lab *lab, const struct policy_row *row, const void *home, bool cache,
		       char *buf, size_t size)
{
	int64_t n;

	if (row->by_rule && policy_field(row, home) == row->unset) {
		snprintf(buf, size, "%lld", (long long)row->by_rule(lab, &lab_slab_policy(lab)->store));
		return;
	}
	if (row->type == POLICY_CUSTOM) {
		if (cache && row->print_cache)
			row->print_cache(lab, row, home, buf, size);
		else
			row->print(lab, row, home, buf, size);
		return;
	}
	n = policy_field(row, home);	/* what is no number lies where only its own printer looks */
	if (row->type == POLICY_BOOL)
		snprintf(buf, size, "%s", n ? "on" : "off");
	else if (row->type == POLICY_ENUM)
		snprintf(buf, size, "%s", row->words[n]);
	else if (row->type == POLICY_AUTO_INT && n == row->auto_value)
		snprintf(buf, size, "auto");
	else
		snprintf(buf, size, "%lld", (long long)n);
}

bool policy_is_unset(struct lab *lab, const struct policy_row *row)
{
	return row->by_rule && policy_field(row, home_of(lab, row)) == row->unset;
}

bool policy_is_overridden(struct lab *lab, const struct policy_row *row, uint32_t cache)
{
	return row->scope == SCOPE_CACHE && cache && (*cache_override_mask(lab, cache) & row->store_field);
}

void policy_print(struct lab *lab, const struct policy_row *row, uint32_t cache, char *buf, size_t size)
{
	struct store_policy now;

	if (policy_is_overridden(lab, row, cache)) {
		print_from(lab, row, cache_override(lab, cache), true, buf, size);
	} else if (cache && row->scope == SCOPE_CACHE && (row->store_field == SF_MERGE || row->store_field == SF_DEBUG ||
			     row->store_field == SF_SHEAF_CAPACITY || row->by_rule)) {
		/* kmem_cache create has a say in it, or the cache's own era */
		cache_policy_now(lab, cache, &now);
		print_from(lab, row, &now, true, buf, size);
	} else {
		print_from(lab, row, home_of(lab, row), false, buf, size);
	}
}

static int store_override(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value)
{
	uint32_t *mask = cache_override_mask(lab, cache);
	struct store_policy *own = cache_override(lab, cache);
	int ret;

	if (row->scope != SCOPE_CACHE)
		return fail(EINVAL, "%s is one value for the whole lab, not for a cache", row->name);
	if (!strcmp(value, "auto")) {
		*mask &= ~row->store_field;
		if (row->store_field == SF_DEBUG)
			own->has_debug = 0;
		return 0;
	}
	ret = parse_into(lab, row, own, true, value);
	if (!ret)
		*mask |= row->store_field;
	return ret;
}

int policy_store(struct lab *lab, const struct policy_row *row, uint32_t cache, const char *value)
{
	if (cache)
		return store_override(lab, row, cache, value);
	return parse_into(lab, row, home_of(lab, row), false, value);
}

/* ---- is what a lab came with possible? ---- */

static bool plain_is_possible(const struct policy_row *row, int64_t n)
{
	if (row->type == POLICY_BOOL)
		return n == 0 || n == 1;
	if ((row->type == POLICY_AUTO_INT && n == row->auto_value) || (row->by_rule && n == row->unset))
		return true;
	return n >= row->min && n <= row->max;
}

int policy_check(struct lab *lab)
{
	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (row->type == POLICY_CUSTOM || policy_is_of_shape(row))
			continue;
		if (!plain_is_possible(row, policy_field(row, home_of(lab, row))))
			return fail(EUCLEAN, "policy %s has a value that it cannot have", row->name);
	}
	return 0;
}

/* ---- rows of the shape ---- */

bool policy_is_of_shape(const struct policy_row *row)
{
	size_t shape = offsetof(struct header, shape);

	return row->home == HOME_HEADER && row->field >= shape && row->field < shape + sizeof(struct shape);
}

int policy_store_shape(struct shape *shape, const struct policy_row *row, const char *value)
{
	if (!policy_is_of_shape(row))
		return fail(EINVAL, "%s is no part of a lab's shape", row->name);
	return parse_into(NULL, row, (char *)shape - offsetof(struct header, shape), false, value);
}

/*
 * From all zeroes, field by field: a struct copied whole might bring padding
 * along, and then two equal labs would not hash alike. What the host cannot
 * do stays off.
 */
void policy_defaults(struct lab *lab)
{
	memset(lab_page_policy(lab), 0, sizeof(struct page_policy));
	memset(lab_slab_policy(lab), 0, sizeof(struct slab_policy));
	for (unsigned int i = 0; i < policy_nr; i++)
		if (!policy_is_of_shape(&policy_table[i]))
			policy_store(lab, &policy_table[i], 0, policy_table[i].def);
}
