/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/memreport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/memreport_priv.h"

const char *const memreport_keys[MEM_KEYS] = {
	"free", "boost", "min", "low", "high", "spanned", "present", "managed", "free_pcp", "free_cma", "reserved_highatomic",
};

int memreport_no_memory(void)
{
	return fail(ENOMEM, "no memory for the report");
}

/* ---- "Node 0, zone   Normal" ---- */

/* What stands behind the zone's name; NULL where the line has no such thing. */
static const char *zone_heading(const char *line, uint32_t *node, char zone[MEMREPORT_NAME])
{
	const char *s = strstr(line, "Node ");
	unsigned int n;
	int used = 0;

	if (!s || sscanf(s, "Node %u, zone %23[A-Za-z0-9]%n", &n, zone, &used) != 2)
		return NULL;
	*node = n;
	return s + used;
}

static unsigned int numbers(const char *s, uint64_t *n, unsigned int most)
{
	unsigned int nr = 0;

	for (;; nr++) {
		s += strspn(s, " \t>");		/* ">100000": at least so many */
		if (nr == most || !paste_u64(&s, &n[nr]))
			return nr;
	}
}

/* ---- zoneinfo ---- */

static struct memreport_zone *zone_new(struct memreport *m)
{
	if (m->zones == MEMREPORT_MOST) {
		fail(E2BIG, "more than %d zones", MEMREPORT_MOST);
		return NULL;
	}
	if (!GROW(m->zone, m->zones)) {
		memreport_no_memory();
		return NULL;
	}
	memset(&m->zone[m->zones], 0, sizeof(m->zone[0]));
	return &m->zone[m->zones++];
}

/* "pages free     3975" or "min      33"; the first value of a key counts, later ones are of page lists. */
static void zoneinfo_line(struct memreport_zone *z, const char *line)
{
	line += strspn(line, " \t>");
	if (!strncmp(line, "pages ", 6))
		line += 6 + strspn(line + 6, " ");
	for (unsigned int k = 0; k < MEM_KEYS; k++) {
		size_t n = strlen(memreport_keys[k]);
		const char *s = line + n;

		if (strncmp(line, memreport_keys[k], n) || (*s != ' ' && *s != '\t') || z->has[k])
			continue;
		s += strspn(s, " \t");
		z->has[k] = paste_u64(&s, &z->value[k]);
	}
}

/* ---- pagetypeinfo ---- */

static int type_row(struct memreport *m, uint32_t node, const char *zone, const char *rest, uint32_t number)
{
	struct memreport_type t = { .line = number, .node = node };
	int used = 0;

	if (sscanf(rest, ", type %23[A-Za-z0-9]%n", t.type, &used) != 1)
		return 0;
	snprintf(t.zone, sizeof(t.zone), "%s", zone);
	t.orders = numbers(rest + used, t.count, MEMREPORT_ORDERS);
	t.capped = strchr(rest, '>') != NULL;
	if (!t.orders)
		return 0;
	if (m->types == MEMREPORT_MOST)
		return fail(E2BIG, "line %u: more than %d rows of types", number, MEMREPORT_MOST);
	if (!GROW(m->type, m->types))
		return memreport_no_memory();
	m->type[m->types++] = t;
	return 0;
}

static int block_row(struct memreport *m, uint32_t node, const char *zone, const char *rest, uint32_t number)
{
	struct memreport_blocks b = { .line = number, .node = node };
	unsigned int nr = numbers(rest, b.count, MEMREPORT_TYPES);

	snprintf(b.zone, sizeof(b.zone), "%s", zone);
	for (unsigned int i = 0; i < nr; i++)
		if (__builtin_add_overflow(b.total, b.count[i], &b.total))
			return 0;
	if (!nr)
		return 0;
	if (m->block_rows == MEMREPORT_MOST)
		return fail(E2BIG, "line %u: more than %d rows of pageblocks", number, MEMREPORT_MOST);
	if (!GROW(m->blocks, m->block_rows))
		return memreport_no_memory();
	m->blocks[m->block_rows++] = b;
	return 0;
}

/* "Page block order: 9", and the columns of "Number of blocks type". */
static bool pagetypeinfo_head(struct memreport *m, const char *line)
{
	const char *s = strstr(line, "Page block order:");
	uint64_t n;
	int used;

	if (s) {
		s += strlen("Page block order:");
		s += strspn(s, " \t");
		if (paste_u64(&s, &n) && n < MEMREPORT_ORDERS)
			m->pageblock_order = (int)n;
		return false;
	}
	s = strstr(line, "Number of blocks type");
	if (!s)
		return false;
	s += strlen("Number of blocks type");
	m->type_names = 0;
	while (m->type_names < MEMREPORT_TYPES && sscanf(s, "%23s%n", m->type_name[m->type_names], &used) == 1 &&
	       strcmp(m->type_name[m->type_names], "Node")) {
		s += used;
		m->type_names++;
	}
	return true;
}

static int parse_lines(const struct paste *text, struct memreport *m)
{
	struct memreport_zone *z = NULL;
	bool blocks = false;
	int ret = 0;

	for (uint32_t i = 0; i < text->nr && !ret; i++) {
		const char *line = text->line[i], *rest;
		char zone[MEMREPORT_NAME];
		uint32_t node;

		blocks |= pagetypeinfo_head(m, line);
		rest = zone_heading(line, &node, zone);
		if (!rest) {
			if (z)
				zoneinfo_line(z, line);
			continue;
		}
		if (strstr(rest, ", type ")) {
			blocks = false;
			ret = type_row(m, node, zone, rest, i + 1);
		} else if (rest[strspn(rest, " \t")]) {
			ret = blocks ? block_row(m, node, zone, rest, i + 1) : 0;
		} else {
			z = zone_new(m);
			if (!z)
				return -E2BIG;
			z->line = i + 1;
			z->node = node;
			snprintf(z->zone, sizeof(z->zone), "%s", zone);
		}
	}
	return ret;
}

int memreport_parse(const struct paste *text, struct memreport *m)
{
	int ret;

	memset(m, 0, sizeof(*m));
	m->pageblock_order = -1;
	ret = parse_lines(text, m);
	if (!ret)
		ret = memreport_meminfo(text, m);
	if (!ret && !m->zones && !m->types && !m->block_rows && !m->lists && !m->requests)
		ret = fail(ENOENT, "no line tells of a zone");
	if (ret)
		memreport_free(m);
	return ret;
}

void memreport_free(struct memreport *m)
{
	free(m->zone);
	free(m->type);
	free(m->blocks);
	free(m->list);
	free(m->request);
	line_list_free(&m->repaired);
	line_list_free(&m->skipped);
	memset(m, 0, sizeof(*m));
}

/* ---- which of the three ---- */

enum family { ZONEINFO, PAGETYPEINFO, ALLOCFAIL };

static uint32_t recognise(const struct paste *text, enum family family)
{
	uint32_t nr = 0;
	struct memreport m;

	if (memreport_parse(text, &m))
		return 0;
	for (uint32_t i = 0; i < m.zones; i++) {
		unsigned int keys = 0;

		for (unsigned int k = 0; k < MEM_KEYS; k++)
			keys += m.zone[i].has[k];
		nr += m.zone[i].in_kb == (family == ALLOCFAIL) && family != PAGETYPEINFO ? keys : 0;
	}
	if (family == PAGETYPEINFO)
		nr += 2 * (m.types + m.block_rows) + (m.block_rows ? m.type_names : 0);
	nr += family == ALLOCFAIL ? m.requests : 0;
	for (uint32_t i = 0; family == ALLOCFAIL && i < m.lists; i++)
		nr += m.list[i].orders;
	memreport_free(&m);
	return nr;
}

uint32_t zoneinfo_recognise(const struct paste *text)
{
	return recognise(text, ZONEINFO);
}

uint32_t pagetypeinfo_recognise(const struct paste *text)
{
	return recognise(text, PAGETYPEINFO);
}

uint32_t allocfail_recognise(const struct paste *text)
{
	return recognise(text, ALLOCFAIL);
}
