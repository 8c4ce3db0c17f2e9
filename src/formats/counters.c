/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/counters.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static bool name_take(const char *s, size_t len, struct counter *c)
{
	if (len >= COUNTER_NAME)
		return false;
	memcpy(c->name, s, len);
	c->name[len] = 0;
	return true;
}

/* "pgfree 11124"; blanks alone stand for an empty name. */
static bool vmstat_line(const char *line, struct counter *c)
{
	const char *s = line;
	bool named = false;

	while (islower((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '_') {
		named |= islower((unsigned char)*s) != 0;
		s++;
	}
	if (!named)
		s = line;
	if ((*s != ' ' && *s != '\t') || !name_take(line, (size_t)(s - line), c))
		return false;
	s = blanks(s);
	return paste_u64(&s, &c->value) && !*blanks(s);
}

/* " kB" behind the number, or another unit, then with a fraction too; or nothing. */
static bool meminfo_unit(const char *s, struct counter *c)
{
	const char *fraction = s, *unit = blanks(s + (*s == '.') + (*s == '.' ? strspn(s + 1, "0123456789") : 0));
	int shift = paste_unit(&unit);

	if (shift < 0)
		return !*blanks(s);
	if (shift && c->value >> (63 - shift))
		return false;
	c->in_kb = true;
	c->value = (c->value << shift) + paste_fraction(&fraction, (unsigned int)shift);
	return !*blanks(unit);
}

/* "MemFree:          851960 kB", "HugePages_Total:       0"; some tools say "15.5 GiB". */
static bool meminfo_line(const char *line, struct counter *c)
{
	const char *s = blanks(line), *name = s;

	while (isalnum((unsigned char)*s) || (*s && strchr("_()", *s)))
		s++;
	if (s == name || *s != ':' || !isupper((unsigned char)*name) || !name_take(name, (size_t)(s - name), c))
		return false;
	s = blanks(s + 1);
	return paste_u64(&s, &c->value) && meminfo_unit(s, c);
}

static int add(struct counters *c, const struct counter *one)
{
	if (c->nr == c->cap) {
		uint32_t cap = c->cap ? c->cap * 2 : 128;
		struct counter *v = realloc(c->v, cap * sizeof(*v));

		if (!v)
			return fail(ENOMEM, "no memory for %u counters", cap);
		c->v = v;
		c->cap = cap;
	}
	c->v[c->nr++] = *one;
	return 0;
}

static int parse(const struct paste *text, bool (*line)(const char *, struct counter *), const char *like, struct counters *c)
{
	int ret = 0;

	memset(c, 0, sizeof(*c));
	for (uint32_t i = 0; i < text->nr && !ret; i++) {
		struct counter one = { .line = i + 1 };

		if (line(text->line[i], &one))
			ret = add(c, &one);
		else if (*blanks(text->line[i]) && !line_list_add(&c->skipped, i + 1))
			ret = fail(ENOMEM, "no memory for the list of skipped lines");
	}
	if (!ret && !c->nr)
		ret = fail(ENOENT, "no line reads like \"%s\"", like);
	if (ret)
		counters_free(c);
	return ret;
}

int vmstat_parse(const struct paste *text, struct counters *c)
{
	return parse(text, vmstat_line, "nr_free_pages 213021", c);
}

int meminfo_parse(const struct paste *text, struct counters *c)
{
	return parse(text, meminfo_line, "MemFree: 851960 kB", c);
}

void counters_free(struct counters *c)
{
	free(c->v);
	line_list_free(&c->skipped);
	memset(c, 0, sizeof(*c));
}

/* ---- recognising: only names that these files have speak for them ---- */

static bool begins(const char *name, const char *const *with, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strncmp(name, with[i], strlen(with[i])))
			return true;
	return false;
}

static uint32_t recognise(const struct counters *c, const char *const *with, unsigned int nr)
{
	uint32_t lines = 0;

	for (uint32_t i = 0; i < c->nr; i++)
		lines += begins(c->v[i].name, with, nr);
	return lines;
}

/* "Node 0, zone   Normal" and no more. */
static bool is_zone_heading(const char *line)
{
	unsigned int node;
	char zone[24], more[2];

	return sscanf(line, "Node %u, zone %23s %1s", &node, zone, more) == 2;
}

uint32_t vmstat_recognise(const struct paste *text)
{
	static const char *const names[] = {
		"nr_", "pg", "numa_", "workingset_", "compact_", "htlb_", "unevictable_", "thp_", "allocstall", "kswapd_",
		"slabs_scanned", "pswp", "drop_", "oom_kill", "pageoutrun",
	};
	struct counters c;
	uint32_t nr;

	for (uint32_t i = 0; i < text->nr; i++)
		if (is_zone_heading(text->line[i]))	/* zoneinfo has such lines, too */
			return 0;
	if (vmstat_parse(text, &c))
		return 0;
	nr = recognise(&c, names, ARRAY_SIZE(names));
	counters_free(&c);
	return nr;
}

uint32_t meminfo_recognise(const struct paste *text)
{
	static const char *const names[] = {
		"Mem", "Buffers", "Cached", "Swap", "Active", "Inactive", "Slab", "SReclaimable", "SUnreclaim", "KernelStack",
		"PageTables", "Commit", "Vmalloc", "HugePages_", "Hugepagesize", "DirectMap", "AnonPages", "Shmem", "Dirty",
		"Writeback", "Mapped", "Unevictable", "Mlocked", "Percpu", "KReclaimable", "LowTotal", "HighTotal",
	};
	struct counters c;
	uint32_t nr;

	if (meminfo_parse(text, &c))
		return 0;
	nr = recognise(&c, names, ARRAY_SIZE(names));
	counters_free(&c);
	return nr;
}
