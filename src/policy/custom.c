/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/custom.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/bits.h"
#include "base/fail.h"

/* ---- pcp.high ---- */

/* More than half of a zone on one CPU's lists would leave nothing for the others. */
static int64_t high_limit(const struct lab *lab)
{
	const struct shape *s = &lab->hdr->shape;
	uint64_t most = 0;

	for (uint32_t z = 0; z < s->zones; z++)
		most = max_u64(most, s->zone[z].managed);
	return (int64_t)(most / 2);
}

int pcp_high_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t n = AUTO64, limit = high_limit(lab);

	if (strcmp(value, "auto")) {
		int ret = policy_number(row, value, 0, INT64_MAX, &n);

		if (ret)
			return ret;
		if (n > limit)
			return fail(ERANGE, "%s %s is out of range: auto or 0 .. %lld (half of the largest zone's managed pages)",
				    row->name, value, (long long)limit);
	}
	policy_field_set(row, home, n);
	return 0;
}

void pcp_high_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	int64_t n = policy_field(row, home);

	(void)lab;
	if (n == AUTO64)
		snprintf(buf, size, "auto");
	else
		snprintf(buf, size, "%lld", (long long)n);
}

/* ---- buddy.lazy_theta_low, buddy.lazy_theta_high ---- */

int theta_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	struct page_policy *p = home;
	uint8_t low = p->lazy_theta_low, high = p->lazy_theta_high;
	int64_t n;
	int ret = policy_number(row, value, row->min, row->max, &n);

	(void)lab;
	if (ret)
		return ret;
	policy_field_set(row, home, n);
	if (p->lazy_theta_low <= p->lazy_theta_high)
		return 0;
	p->lazy_theta_low = low;
	p->lazy_theta_high = high;
	return policy_bad(row, ERANGE, value);
}

void theta_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	(void)lab;
	snprintf(buf, size, "%lld", (long long)policy_field(row, home));
}

/* ---- pcp.high_fraction ---- */

int high_fraction_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t n;
	int ret = policy_number(row, value, 0, row->max, &n);

	(void)lab;
	if (ret)
		return ret;
	if (n && n < row->min)
		return policy_bad(row, ERANGE, value);
	policy_field_set(row, home, n);
	return 0;
}

void high_fraction_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
			 size_t size)
{
	(void)lab;
	snprintf(buf, size, "%lld", (long long)policy_field(row, home));
}

/* ---- zone.lowmem_reserve_ratio ---- */

#define RATIOS 4

/* Commas or blanks between numbers: what the sysctl prints can be pasted, its fifth number (Device) too. */
static int ratios_read(const struct policy_row *row, const char *value, int64_t ratio[RATIOS])
{
	char copy[128], *save = NULL;
	unsigned int nr = 0;

	if (strlen(value) >= sizeof(copy))
		return policy_bad(row, EINVAL, value);
	strcpy(copy, value);
	for (char *w = strtok_r(copy, ", \t", &save); w; w = strtok_r(NULL, ", \t", &save), nr++) {
		int64_t n;
		int ret = policy_number(row, w, 0, row->max, &n);

		if (ret)
			return ret;
		if (nr < RATIOS)
			ratio[nr] = n;
	}
	return nr == RATIOS || nr == RATIOS + 1 ? 0 : policy_bad(row, EINVAL, value);
}

int reserve_ratio_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t ratio[RATIOS] = { 0 };
	int ret = strcmp(value, "none") ? ratios_read(row, value, ratio) : 0;

	(void)lab;
	if (!ret)
		memcpy((char *)home + row->field, ratio, sizeof(ratio));
	return ret;
}

void reserve_ratio_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
			 size_t size)
{
	int64_t r[RATIOS];

	(void)lab;
	memcpy(r, (const char *)home + row->field, sizeof(r));
	if (!r[0] && !r[1] && !r[2] && !r[3])
		snprintf(buf, size, "none");
	else
		snprintf(buf, size, "%lld,%lld,%lld,%lld", (long long)r[0], (long long)r[1],
			 (long long)r[2], (long long)r[3]);
}

/* ---- slub.partial_add ---- */

static const char *const sides[] = { "head", "tail" };

/* N/D:side behind "criterion:". */
static int criterion_read(const struct policy_row *row, const char *value, struct store_policy *p)
{
	unsigned int num, den;
	char side[8];
	int end = 0;

	if (sscanf(value, "criterion:%5u/%5u:%7[a-z]%n", &num, &den, side, &end) != 3 || value[end])
		return policy_bad(row, EINVAL, value);
	/* 16 bits each, so that the product with an object count fits in 32. */
	if (!den || num > den || den > UINT16_MAX)
		return fail(ERANGE, "%s %s is out of range: N/D is a share of a slab's objects, 0/1 .. 1/1 with D up to %u",
			    row->name, value, UINT16_MAX);
	for (uint8_t i = 0; i < ARRAY_SIZE(sides); i++)
		if (!strcmp(side, sides[i])) {
			p->partial_add = PARTIAL_CRITERION;
			p->criterion_num = num;
			p->criterion_den = den;
			p->criterion_side = i;
			return 0;
		}
	return policy_bad(row, EINVAL, value);
}

int partial_add_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	struct store_policy *p = home;

	(void)lab;
	for (uint8_t i = 0; i < PARTIAL_CRITERION; i++)
		if (!strcmp(value, partial_add_words[i])) {
			p->partial_add = i;
			return 0;
		}
	if (!strncmp(value, "criterion:", 10))
		return criterion_read(row, value, p);
	return policy_bad(row, EINVAL, value);
}

void partial_add_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
		       size_t size)
{
	const struct store_policy *p = home;

	(void)lab;
	(void)row;
	if (p->partial_add < PARTIAL_CRITERION)
		snprintf(buf, size, "%s", partial_add_words[p->partial_add]);
	else
		snprintf(buf, size, "criterion:%u/%u:%s", p->criterion_num, p->criterion_den,
			 sides[p->criterion_side & 1]);
}

/* ---- slub.cpu_partial ---- */

int cpu_partial_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t n;
	int ret = 0;

	(void)lab;
	if (!strcmp(value, "auto"))
		n = CPU_PARTIAL_AUTO;
	else if (!strcmp(value, "off"))
		n = CPU_PARTIAL_OFF;
	else
		ret = policy_number(row, value, row->min, row->max, &n);
	if (!ret)
		policy_field_set(row, home, n);
	return ret;
}

void cpu_partial_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
		       size_t size)
{
	int64_t n = policy_field(row, home);

	(void)lab;
	if (n == CPU_PARTIAL_AUTO)
		snprintf(buf, size, "auto");
	else if (n == CPU_PARTIAL_OFF)
		snprintf(buf, size, "off");
	else
		snprintf(buf, size, "%lld", (long long)n);
}

/* ---- slub.debug ---- */

int debug_store(struct slab_policy *p, const char *string, char unknown[32])
{
	int ret;

	if (!strcmp(string, "none") || !strcmp(string, "off"))
		string = "";
	if (strlen(string) >= sizeof(p->debug))
		return fail(ERANGE, "slub.debug: the option string is longer than %zu letters",
			    sizeof(p->debug) - 1);
	ret = debug_string_check(string, unknown);
	if (ret)
		return fail_in(ret, "slub.debug: ");
	/* The rest is zeroed, so that a region's hash depends on the string alone. */
	memset(p->debug, 0, sizeof(p->debug));
	strcpy(p->debug, string);
	return 0;
}

int debug_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	char unknown[32] = "", old[DEBUG_STRING];
	struct slab_policy *p = home;
	int ret;

	(void)lab;
	memcpy(old, p->debug, sizeof(old));
	ret = debug_store(p, value, unknown);
	if (ret || !unknown[0])
		return ret;
	memcpy(p->debug, old, sizeof(old));
	return fail(EINVAL, "%s %s: unknown letter %s (%s)", row->name, value, unknown, row->range);
}

void debug_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	(void)lab;
	(void)row;
	snprintf(buf, size, "%s", ((const struct slab_policy *)home)->debug);
}

/* A cache's override is one block of letters: it names no caches, and O asks about all of them. */
static const struct { char letter; uint32_t flag; } debug_flags[] = {
	{ 'F', CF_CONSIST }, { 'Z', CF_REDZONE }, { 'P', CF_POISON },
	{ 'U', CF_USER }, { 'T', CF_TRACE }, { 'A', CF_FAILSLAB },
};

int debug_letters_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	struct store_policy *p = home;
	uint32_t flags = 0;

	(void)lab;
	if (!strcmp(value, "none") || !strcmp(value, "off") || !strcmp(value, "-"))
		value = "";
	for (const char *c = value; *c; c++) {
		unsigned int i = 0;

		while (i < ARRAY_SIZE(debug_flags) && debug_flags[i].letter != (*c & ~0x20))
			i++;
		if (i == ARRAY_SIZE(debug_flags))
			return fail(EINVAL, "%s of one cache: \"%s\" is not of the letters F Z P U T A (none: no debugging)",
				    policy_part(row), value);
		flags |= debug_flags[i].flag;
	}
	p->debug = flags;
	p->has_debug = 1;
	return 0;
}

void debug_letters_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
			 size_t size)
{
	const struct store_policy *p = home;
	size_t n = 0;

	(void)lab;
	(void)row;
	for (unsigned int i = 0; i < ARRAY_SIZE(debug_flags) && n + 1 < size; i++)
		if (p->debug & debug_flags[i].flag)
			buf[n++] = debug_flags[i].letter;
	buf[n] = 0;
	if (!n)
		snprintf(buf, size, "none");
}

/* ---- kmalloc.max_class ---- */

int max_class_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t n;
	int ret = policy_number(row, value, row->min, row->max, &n);

	(void)lab;
	if (!ret && !is_pow2((uint64_t)n))
		return policy_bad(row, ERANGE, value);
	if (!ret)
		policy_field_set(row, home, n);
	return ret;
}

void max_class_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	(void)lab;
	snprintf(buf, size, "%lld", (long long)policy_field(row, home));
}

/* ---- kmalloc.types ---- */

static const char *const type_words[] = { "normal", "cg", "rcl", "dma" };

int kmalloc_types_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	char copy[64], *save = NULL;
	int64_t set = 0;

	(void)lab;
	if (strlen(value) >= sizeof(copy))
		return policy_bad(row, EINVAL, value);
	strcpy(copy, value);
	for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		unsigned int i = 0;

		while (i < ARRAY_SIZE(type_words) && strcmp(w, type_words[i]))
			i++;
		if (i == ARRAY_SIZE(type_words))
			return policy_bad(row, EINVAL, value);
		set |= 1 << i;
	}
	if (!(set & 1))
		return fail(EINVAL, "%s %s: every set holds normal (%s)", row->name, value, row->range);
	policy_field_set(row, home, set);
	return 0;
}

void kmalloc_types_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf,
			 size_t size)
{
	int64_t set = policy_field(row, home);
	size_t n = 0;

	(void)lab;
	buf[0] = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(type_words); i++)
		if (set & (1 << i))
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? "," : "", type_words[i]);
}

/* ---- slab.cas16 ---- */

static bool host_has_cas16(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_CMPXCHG16B);
#elif defined(__aarch64__)
	return true;	/* load and store exclusive of a pair */
#else
	return false;
#endif
}

int cas16_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	bool on = !strcmp(value, "on");

	(void)lab;
	if (!on && strcmp(value, "off"))
		return policy_bad(row, EINVAL, value);
	if (on && !host_has_cas16())
		return fail(EINVAL, "%s on: this machine has no 16-byte compare-exchange", row->name);
	policy_field_set(row, home, on);
	return 0;
}

void cas16_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	(void)lab;
	snprintf(buf, size, "%s", policy_field(row, home) ? "on" : "off");
}

/* ---- lab.undo_mem ---- */

int undo_mem_parse(struct lab *lab, const struct policy_row *row, void *home, const char *value)
{
	int64_t bytes;
	int ret = policy_number(row, value, 0, INT64_MAX, &bytes);

	(void)lab;
	if (!ret)
		policy_field_set(row, home, bytes);
	return ret;
}

/* Exact: the largest unit of which it is a whole number. */
void undo_mem_print(struct lab *lab, const struct policy_row *row, const void *home, char *buf, size_t size)
{
	static const char *const units[] = { "", "K", "M", "G", "T" };
	int64_t bytes = policy_field(row, home);
	unsigned int unit = 0;

	(void)lab;
	for (; bytes && !(bytes % 1024) && unit + 1 < ARRAY_SIZE(units); unit++)
		bytes /= 1024;
	snprintf(buf, size, "%lld%s", (long long)bytes, units[unit]);
}
