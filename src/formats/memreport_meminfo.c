/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mem-Info: the request that failed and the zones' figures in kB; its free lists
 * are in memreport_lists.c.
 *
 * The text is read as one, since mailers fold it and CPUs interleave it; where
 * each line began is kept, so that what is said of a place names its line.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/memreport_priv.h"

uint32_t line_of(struct joined *j, const char *s)
{
	if (j->at >= j->nr || s < j->begin[j->at])
		j->at = 0;
	while (j->at + 1 < j->nr && j->begin[j->at + 1] <= s)
		j->at++;
	return j->at + 1;
}

int note_line(struct line_list *l, uint32_t line)
{
	if (l->nr && l->line[l->nr - 1] == line)
		return 0;
	return line_list_add(l, line) ? 0 : memreport_no_memory();
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* In order, each line once. */
static void tidy_lines(struct line_list *l)
{
	uint32_t nr = 0;

	if (!l->nr)
		return;
	qsort(l->line, l->nr, sizeof(*l->line), by_number);
	for (uint32_t i = 0; i < l->nr; i++)
		if (!nr || l->line[nr - 1] != l->line[i])
			l->line[nr++] = l->line[i];
	l->nr = nr;
}

/* One text again, the soft line breaks of mail and its =3D taken out. */
static int join(const struct paste *text, struct joined *j, struct line_list *repaired)
{
	char *to;
	int ret = 0;

	*j = (struct joined){ malloc(text->bytes + text->nr + 2), malloc((text->nr + 1) * sizeof(*j->begin)), text->nr, 0, 0 };
	if (!j->all || !j->begin)
		return memreport_no_memory();
	to = j->all;
	for (uint32_t i = 0; i < text->nr; i++) {
		const char *line = text->line[i];
		size_t n = strlen(line);
		bool soft = n > 60 && line[n - 1] == '=' && line[n - 2] != ' ', coded = soft;

		j->begin[i] = to;
		for (size_t c = 0; c < n - soft; c++) {
			*to++ = line[c];
			if (line[c] == '=' && line[c + 1] == '3' && line[c + 2] == 'D') {
				c += 2;
				coded = true;
			}
		}
		if (!soft)
			*to++ = '\n';
		if (coded && !ret)
			ret = line_list_add(repaired, i + 1) ? 0 : memreport_no_memory();
	}
	*to = 0;
	return ret;
}

static void unjoin(struct joined *j)
{
	free(j->all);
	free(j->begin);
}

/* ---- names in front of a place ---- */

/* The word before the colon before s: the zone of a list. Where it begins, NULL if there is none. */
const char *zone_before(const char *all, const char *s, char zone[MEMREPORT_NAME])
{
	const char *end, *word;

	while (s > all && (s[-1] == ' ' || s[-1] == '\n'))
		s--;
	zone[0] = 0;
	if (s == all || s[-1] != ':')
		return NULL;
	end = --s;
	for (word = end; word > all && isalnum((unsigned char)word[-1]); word--)
		;
	if (end == word || end - word >= MEMREPORT_NAME || !isupper((unsigned char)*word))
		return NULL;
	memcpy(zone, word, (size_t)(end - word));
	zone[end - word] = 0;
	return word;
}

/* "Node 3 " before a zone's name; a CPU that was interrupted left it at the end of a line before. */
uint32_t node_before(const char *all, const char *word)
{
	for (const char *s = word; s > all && word - s < 600; s--) {
		char *end;
		unsigned long node;

		if (strncmp(s, "Node ", 5) || !isdigit((unsigned char)s[5]))
			continue;
		node = strtoul(s + 5, &end, 10);
		while (*end == ' ')
			end++;
		if (end == word || *end == '\n')
			return node > UINT32_MAX ? UINT32_MAX : (uint32_t)node;
		if (word - s < 12)
			return node > UINT32_MAX ? UINT32_MAX : (uint32_t)node;
		break;
	}
	return 0;
}

/* ---- zones ---- */

/* The unit behind *n, with a fraction between them where it is larger than kB. */
static bool of_unit(const char **s, uint64_t *n)
{
	const char *unit = *s, *fraction = *s;
	int shift;

	if (*unit == '.' && isdigit((unsigned char)unit[1]))
		unit += 1 + strspn(unit + 1, "0123456789");
	shift = paste_unit(&unit);
	if (shift < 0 || (shift && *n >> (63 - shift)))
		return false;
	*n = (*n << shift) + paste_fraction(&fraction, (unsigned int)shift);
	*s = unit;
	return true;
}

bool kb_wrapped(const char **s, uint64_t *n)
{
	const char *at = *s;
	bool any = false, broken = false;

	for (*n = 0; isdigit((unsigned char)*at) || (*at == '\n' && any && !broken); at++) {
		if (*at == '\n') {
			broken = true;
			continue;
		}
		if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, (uint64_t)(*at - '0'), n))
			return false;
		any = true;
	}
	if (any && (*at == 'k' || *at == 'K') && at[1] == '\n' && at[2] == 'B' && !broken) {
		*s = at + 3;
		return true;
	}
	return any && of_unit(&at, n) && (*s = at);
}

/* "free:15904kB" of one zone's line; false if the key is not there in kB. */
static bool kb_of(const char *s, const char *end, const char *key, uint64_t *n)
{
	size_t len = strlen(key);

	for (const char *at = s; at < end && (at = memmem(at, (size_t)(end - at), key, len)); at += len) {
		const char *unit = at + len + 1;

		if (at[len] != ':' || (at > s && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
			continue;
		unit += strspn(unit, " \n");
		return kb_wrapped(&unit, n);
	}
	return false;
}

/* free: what kernels of this age call it. */
static int zone_add(struct memreport *m, struct joined *j, const char *word, const char *s, const char *end, const char *free)
{
	struct memreport_zone *z;

	if (m->zones == MEMREPORT_MOST)
		return fail(E2BIG, "line %u: more than %d zones", line_of(j, word), MEMREPORT_MOST);
	if (!GROW(m->zone, m->zones))
		return memreport_no_memory();
	z = &m->zone[m->zones++];
	memset(z, 0, sizeof(*z));
	z->in_kb = true;
	z->line = line_of(j, word);
	memcpy(z->zone, word, (size_t)(s - word));
	z->node = node_before(j->all, word);
	for (unsigned int k = 0; k < MEM_KEYS; k++)
		z->has[k] = kb_of(s, end, k == MEM_FREE ? free : memreport_keys[k], &z->value[k]);
	return 0;
}

/* "Node 0 DMA free:15904kB min:168kB …", in old kernels without the node; up to the next one. */
static int parse_zones(struct joined *j, struct memreport *m)
{
	int ret = 0;

	for (const char *s = j->all, *next; !ret && (s = strstr(s, " free:")); s = next) {
		const char *word = s, *end;
		uint64_t n;

		next = s + 6;
		end = strstr(next, " free:");
		end = end ? end : next + strlen(next);
		while (word > j->all && isalnum((unsigned char)word[-1]))
			word--;
		if (word != s && s - word < MEMREPORT_NAME && isupper((unsigned char)*word) && kb_of(s, end, "free", &n) &&
		    kb_of(s, end, "min", &n))
			ret = zone_add(m, j, word, s, end, "free");
	}
	return ret;
}

/* "Zone:DMA freepages:   132kB min:   128kB …" of 2.4. */
static int parse_zones_24(struct joined *j, struct memreport *m)
{
	int ret = 0;

	for (const char *s = j->all; !ret && (s = strstr(s, "Zone:")); ) {
		const char *word = s + strlen("Zone:"), *end = strchr(word, '\n');
		uint64_t n;

		for (s = word; isalnum((unsigned char)*s); s++)
			;
		if (s > word && s - word < MEMREPORT_NAME && end && kb_of(s, end, "freepages", &n))
			ret = zone_add(m, j, word, s, end, "freepages");
	}
	return ret;
}

/* ---- the request ---- */

/* A number behind one of two spellings of a key, before `end`. */
static bool number_of(const char *s, const char *end, const char *key, uint64_t *n)
{
	size_t len = strlen(key);

	for (; s < end && (s = memmem(s, (size_t)(end - s), key, len)); s += len) {
		if (s[len] != ':' && s[len] != '=')
			continue;
		*n = strtoull(s + len + 1, NULL, 0);
		return true;
	}
	return false;
}

static void who_before(const char *all, const char *s, char who[MEMREPORT_NAME])
{
	const char *word;

	while (s > all && (s[-1] == ' ' || s[-1] == ':'))
		s--;
	for (word = s; word > all && !strchr(" \n]", word[-1]) && s - word < MEMREPORT_NAME - 1; word--)
		;
	snprintf(who, MEMREPORT_NAME, "%.*s", (int)(s - word), word);
}

static int request_add(struct memreport *m, struct joined *j, const char *s, const char *before, bool oom)
{
	struct memreport_request r = { .line = line_of(j, s), .order = -1, .oom = oom };
	const char *end = s + strnlen(s, 300);
	uint64_t n;

	if (number_of(s, end, "order", &n) && n < MEMREPORT_ORDERS)
		r.order = (int)n;
	if (before && r.order < 0)
		r.order = atoi(before);
	if (number_of(s, end, "mode", &n) || number_of(s, end, "gfp_mask", &n) || number_of(s, end, "gfp", &n))
		r.gfp = n;
	who_before(j->all, before ? before : s, r.who);
	if (!strncmp(r.who, "__", 2))		/* 2.4 names its function, not the task */
		r.who[0] = 0;
	if (m->requests == MEMREPORT_MOST)
		return fail(E2BIG, "line %u: more than %d requests that failed", r.line, MEMREPORT_MOST);
	if (!GROW(m->request, m->requests))
		return memreport_no_memory();
	m->request[m->requests++] = r;
	return 0;
}

static int by_line(const void *a, const void *b)
{
	return by_number(&((const struct memreport_request *)a)->line, &((const struct memreport_request *)b)->line);
}

/* The next place that says so, on one line or broken over two. */
static const char *phrase(const char *s, const char *words)
{
	size_t first = strcspn(words, " ");

	for (; (s = memmem(s, strlen(s), words, first)); s++) {
		const char *at = s, *w = words;

		for (; *w && (*at == *w || (*w == ' ' && *at == '\n')); w++, at++)
			;
		if (!*w)
			return s;
	}
	return NULL;
}

static int parse_requests(struct joined *j, struct memreport *m)
{
	static const char *const said[] = { "page allocation failure", "invoked oom-killer", "-order allocation failed" };
	int ret = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(said); i++)
		for (const char *s = j->all; !ret && (s = phrase(s, said[i])); s += strlen(said[i])) {
			const char *before = NULL;

			if (i == 2)
				for (before = s; before > j->all && isdigit((unsigned char)before[-1]); before--)
					;
			ret = request_add(m, j, s, before == s ? NULL : before, i == 1);
		}
	if (m->requests)
		qsort(m->request, m->requests, sizeof(*m->request), by_line);
	return ret;
}

int memreport_meminfo(const struct paste *text, struct memreport *m)
{
	struct joined j;
	int ret = join(text, &j, &m->repaired);

	if (!ret)
		ret = parse_requests(&j, m);
	if (!ret)
		ret = parse_zones(&j, m);
	if (!ret)
		ret = parse_zones_24(&j, m);
	if (!ret)
		ret = memreport_lists_parse(&j, m);
	unjoin(&j);
	tidy_lines(&m->repaired);
	tidy_lines(&m->skipped);
	return ret;
}
