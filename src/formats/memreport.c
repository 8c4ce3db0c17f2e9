/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/memreport.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

const char *const memreport_keys[MEM_KEYS] = { "free", "min", "low", "high", "spanned", "present", "managed" };

#define GROW(array, nr) ({ void *more_ = realloc((array), ((nr) + 1) * sizeof(*(array))); if (more_) (array) = more_; more_ != NULL; })

static int no_memory(void)
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
	if (!GROW(m->zone, m->zones))
		return NULL;
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
	if (!t.orders)
		return 0;
	if (!GROW(m->type, m->types))
		return no_memory();
	m->type[m->types++] = t;
	return 0;
}

static int block_row(struct memreport *m, uint32_t node, const char *zone, const char *rest, uint32_t number)
{
	struct memreport_blocks b = { .line = number, .node = node };
	uint64_t n[16];
	unsigned int nr = numbers(rest, n, ARRAY_SIZE(n));

	snprintf(b.zone, sizeof(b.zone), "%s", zone);
	for (unsigned int i = 0; i < nr; i++)
		b.total += n[i];
	if (!nr)
		return 0;
	if (!GROW(m->blocks, m->block_rows))
		return no_memory();
	m->blocks[m->block_rows++] = b;
	return 0;
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

		blocks |= strstr(line, "Number of blocks type") != NULL;
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
				return no_memory();
			z->line = i + 1;
			z->node = node;
			snprintf(z->zone, sizeof(z->zone), "%s", zone);
		}
	}
	return ret;
}

/* ---- Mem-Info ---- */

/* The whole as one text again, soft line breaks of mail taken out; the caller frees it. */
static char *joined(const struct paste *text)
{
	char *all = malloc(text->bytes + text->nr + 2), *to = all;

	for (uint32_t i = 0; all && i < text->nr; i++) {
		const char *line = text->line[i];
		size_t n = strlen(line);
		bool soft = n > 60 && line[n - 1] == '=' && line[n - 2] != ' ';

		for (size_t c = 0; c < n - soft; c++) {
			*to++ = line[c];
			if (line[c] == '=' && line[c + 1] == '3' && line[c + 2] == 'D')
				c += 2;
		}
		if (!soft)
			*to++ = '\n';
	}
	if (all)
		*to = 0;
	return all;
}

/* The word before the colon before s: the zone of a list. */
static void zone_before(const char *all, const char *s, char zone[MEMREPORT_NAME])
{
	const char *end, *word;

	while (s > all && (s[-1] == ' ' || s[-1] == '\n'))
		s--;
	zone[0] = 0;
	if (s == all || s[-1] != ':')
		return;
	end = --s;
	for (word = end; word > all && isalnum((unsigned char)word[-1]); word--)
		;
	if (end > word && end - word < MEMREPORT_NAME) {
		memcpy(zone, word, (size_t)(end - word));
		zone[end - word] = 0;
	}
}

/* "505*4kB" at s: count and size; what stands behind, NULL if it is no cell. */
static const char *cell(const char *s, uint64_t *count, uint64_t *kb)
{
	char *end;

	*count = strtoull(s, &end, 10);
	if (end == s || (*end != '*' && *end != '_') || !isdigit((unsigned char)end[1]))
		return NULL;
	*kb = strtoull(end + 1, &end, 10);
	return !strncmp(end, "kB", 2) && *kb && !(*kb & (*kb - 1)) ? end + 2 : NULL;
}

/* " = 15908kB", where a line's end may stand anywhere; or nothing of the kind. */
static void stated(const char *s, struct memreport_list *l)
{
	uint64_t n = 0;
	bool any = false;

	while (*s == ' ' || *s == '\n' || *s == '(' || isalpha((unsigned char)*s) || *s == ')') {
		if (*s == '(' || isalpha((unsigned char)*s))	/* "(UME)", of the last cell */
			if (*s != '(' && s[-1] != '(' && !isalpha((unsigned char)s[-1]))
				return;
		s++;
	}
	if (*s++ != '=')
		return;
	s += strspn(s, " \n");
	for (; isdigit((unsigned char)*s) || (*s == '\n' && any && isdigit((unsigned char)s[1])); s++)
		if (*s != '\n')
			n = n * 10 + (uint64_t)(*s - '0'), any = true;
	s += strspn(s, "\n");
	if (any && !strncmp(s, "kB", 2)) {
		l->stated = true;
		l->stated_kb = n;
	}
}

static int parse_lists(const char *all, struct memreport *m)
{
	struct memreport_list *l = NULL;

	for (const char *s = all, *end; *s; s++) {
		uint64_t count, kb;

		if (*s == '=' && l && !l->stated)	/* behind foreign lines */
			stated(s, l);
		if (!isdigit((unsigned char)*s) || (s > all && (isdigit((unsigned char)s[-1]) || s[-1] == '.')))
			continue;
		end = cell(s, &count, &kb);
		if (!end)
			continue;
		if (!l || kb != 2 * l->kb[l->orders - 1] || l->orders == MEMREPORT_ORDERS) {
			if (!GROW(m->list, m->lists))
				return no_memory();
			l = &m->list[m->lists++];
			memset(l, 0, sizeof(*l));
			zone_before(all, s, l->zone);
		}
		l->count[l->orders] = count;
		l->kb[l->orders++] = kb;
		l->sum_kb += count * kb;
		stated(end, l);
		s = end - 1;
	}
	return 0;
}

/* "free:15904kB" of one zone's line; false if the key is not there in kB. */
static bool kb_of(const char *s, const char *end, const char *key, uint64_t *n)
{
	size_t len = strlen(key);

	for (const char *at = s; (at = strstr(at, key)) && at < end; at += len) {
		char *unit;

		if (at[len] != ':' || (at > s && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
			continue;
		*n = strtoull(at + len + 1, &unit, 10);
		return unit > at + len + 1 && !strncmp(unit, "kB", 2);
	}
	return false;
}

/* "Node 0 DMA free:15904kB min:168kB …", in old kernels without the node; up to the next one. */
static int parse_zones(const char *all, struct memreport *m)
{
	for (const char *s = all, *next; (s = strstr(s, " free:")); s = next) {
		const char *word = s, *end;
		struct memreport_zone *z;
		uint64_t n;

		next = s + 6;
		end = strstr(next, " free:");
		end = end ? end : next + strlen(next);
		while (word > all && isalnum((unsigned char)word[-1]))
			word--;
		if (word == s || s - word >= MEMREPORT_NAME || !isupper((unsigned char)*word) || !kb_of(s, end, "free", &n) ||
		    !kb_of(s, end, "min", &n))
			continue;
		z = zone_new(m);
		if (!z)
			return no_memory();
		z->in_kb = true;
		memcpy(z->zone, word, (size_t)(s - word));
		for (const char *node = word; node > all && word - node < 12; node--)
			if (!strncmp(node, "Node ", 5)) {
				z->node = (uint32_t)strtoul(node + 5, NULL, 10);
				break;
			}
		for (unsigned int k = 0; k < MEM_KEYS; k++)
			z->has[k] = kb_of(s, end, memreport_keys[k], &z->value[k]);
	}
	return 0;
}

int memreport_parse(const struct paste *text, struct memreport *m)
{
	char *all = joined(text);
	int ret;

	memset(m, 0, sizeof(*m));
	ret = all ? parse_lines(text, m) : no_memory();
	if (!ret)
		ret = parse_zones(all, m);
	if (!ret)
		ret = parse_lists(all, m);
	free(all);
	if (!ret && !m->zones && !m->types && !m->block_rows && !m->lists)
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
		nr += 2 * (m.types + m.block_rows);
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
