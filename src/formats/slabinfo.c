/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/slabinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static const char *blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Up to nr numbers, blanks between; how many were there. */
static unsigned int numbers(const char *s, uint64_t *const *n, unsigned int nr)
{
	unsigned int i = 0;

	for (s = blanks(s); i < nr && paste_u64(&s, n[i]) && (!*s || is_blank(*s) || *s == ':'); s = blanks(s))
		i++;
	return i;
}

/* Where the last five words of [s, end) begin, if each is a number; NULL if not. */
static const char *five_numbers(const char *s, const char *end)
{
	const char *at = end;

	for (unsigned int i = 0; i < 5; i++) {
		while (at > s && is_blank(at[-1]))
			at--;
		if (at == s || at[-1] < '0' || at[-1] > '9')
			return NULL;
		while (at > s && at[-1] >= '0' && at[-1] <= '9')
			at--;
		if (at == s || !is_blank(at[-1]))
			return NULL;
	}
	return at;
}

static bool row_name(struct slabinfo_row *r, const char *s, const char *end)
{
	while (end > s && is_blank(end[-1]))
		end--;
	if (end == s || (size_t)(end - s) >= SLABINFO_NAME)
		return false;
	memcpy(r->name, s, (size_t)(end - s));
	r->name[end - s] = 0;
	return true;
}

/* The parts behind the five numbers: tunables and slabdata. */
static void row_parts(struct slabinfo_row *r, const char *s)
{
	const char *part = strstr(s, "tunables");

	if (part)
		r->has_tunables = numbers(part + strlen("tunables"), (uint64_t *const[]){
			&r->limit, &r->batchcount, &r->sharedfactor }, 3) == 3;
	part = strstr(s, "slabdata");
	if (part)
		r->has_slabdata = numbers(part + strlen("slabdata"), (uint64_t *const[]){
			&r->active_slabs, &r->num_slabs, &r->sharedavail }, 3) == 3;
}

static bool parse_row(const char *line, struct slabinfo_row *r)
{
	const char *s = blanks(line), *end = strstr(s, " : tunables"), *five;

	memset(r, 0, sizeof(*r));
	if (!end)
		end = s + strlen(s);
	five = five_numbers(s, end);
	if (*s == '#' || !five || !row_name(r, s, five))
		return false;
	if (numbers(five, (uint64_t *const[]){ &r->active_objs, &r->num_objs, &r->objsize, &r->objperslab,
					      &r->pagesperslab }, 5) != 5)
		return false;
	row_parts(r, end);
	if (!*end && strpbrk(r->name, " \t"))	/* words and five numbers: a sentence, not a row */
		return false;
	return r->objsize && r->objperslab && r->pagesperslab;
}

/* Six numbers behind a name: version 1.x. */
static bool parse_row_1(const char *line, struct slabinfo_row *r)
{
	const char *s = blanks(line), *name = s;

	memset(r, 0, sizeof(*r));
	if (!*s || *s == '#' || *s == ':')
		return false;
	while (*s && !is_blank(*s))
		s++;
	if (!row_name(r, name, s) || numbers(s, (uint64_t *const[]){ &r->active_objs, &r->num_objs, &r->objsize,
					&r->active_slabs, &r->num_slabs, &r->pagesperslab }, 6) != 6)
		return false;
	if (!r->objsize || !r->pagesperslab || r->pagesperslab > 1u << 20 || r->objsize > r->pagesperslab * PAGE_SIZE)
		return false;
	r->objperslab = r->num_slabs ? (r->num_objs + r->num_slabs - 1) / r->num_slabs :
				       r->pagesperslab * PAGE_SIZE / r->objsize;
	r->has_slabdata = true;
	return r->objperslab != 0;
}

/* Bring in line what contradicts itself: more in use than there is, no slab count. */
static bool row_repair(struct slabinfo_row *r)
{
	bool odd = r->active_objs > r->num_objs;

	if (odd)
		r->active_objs = r->num_objs;
	if (!r->has_slabdata)
		r->num_slabs = r->active_slabs = (r->num_objs + r->objperslab - 1) / r->objperslab;
	return odd;
}

int slabinfo_add(struct slabinfo *s, const struct slabinfo_row *r)
{
	if (s->nr == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 128;
		struct slabinfo_row *row = realloc(s->row, cap * sizeof(*row));

		if (!row)
			return fail(ENOMEM, "no memory for the rows");
		s->row = row;
		s->cap = cap;
	}
	s->row[s->nr++] = *r;
	return 0;
}

static bool parse_heading(const char *line, struct slabinfo *s)
{
	const char *version = strstr(line, "slabinfo - version:");

	if (version) {
		sscanf(version, "slabinfo - version: %u.%u", &s->major, &s->minor);
		s->statistics = strstr(line, "statistics") != NULL;
		s->nr = 0;
		s->tables++;
		return true;
	}
	return *blanks(line) == '#' && strstr(line, "<active_objs>");
}

/* A mailer broke a row, or the heading, at its colons. */
static bool parse_rest(const char *line, struct slabinfo *s)
{
	struct slabinfo_row *last = s->nr ? &s->row[s->nr - 1] : NULL;

	if (*blanks(line) != ':' || s->major != 2)
		return false;
	if (last) {
		row_parts(last, line);
		last->slabs_told |= last->has_slabdata;
	}
	return true;
}

static int parse_line(struct slabinfo *s, const char *line, uint32_t number)
{
	struct slabinfo_row r;

	if (!*blanks(line) || parse_heading(line, s) || parse_rest(line, s))
		return 0;
	if (!(s->major == 1 ? parse_row_1(line, &r) : parse_row(line, &r)))
		return line_list_add(&s->skipped, number) ? 0
			: fail(ENOMEM, "no memory for the list of skipped lines");
	r.line = number;
	r.slabs_told = r.has_slabdata;
	if (row_repair(&r) && !line_list_add(&s->repaired, number))
		return fail(ENOMEM, "no memory for the list of repaired lines");
	return slabinfo_add(s, &r);
}

int slabinfo_parse(const struct paste *text, struct slabinfo *s)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; i < text->nr && !ret; i++)
		ret = parse_line(s, text->line[i], i + 1);
	if (!ret && !s->nr)
		ret = fail(ENOENT, "no line reads as a cache: NAME and five numbers, then \": tunables\"");
	if (ret)
		slabinfo_free(s);
	return ret;
}

void slabinfo_free(struct slabinfo *s)
{
	free(s->row);
	line_list_free(&s->skipped);
	line_list_free(&s->repaired);
	memset(s, 0, sizeof(*s));
}

/* Rows that no other table could be mistaken for. */
uint32_t slabinfo_recognise(const struct paste *text)
{
	uint32_t nr = 0;
	bool old = false;

	for (uint32_t i = 0; i < text->nr; i++) {
		struct slabinfo_row r;

		if (strstr(text->line[i], "slabinfo - version: ")) {
			old = strstr(text->line[i], "version: 1.") != NULL;
			nr += 2;
		}
		nr += old ? parse_row_1(text->line[i], &r) : parse_row(text->line[i], &r) && r.has_tunables;
	}
	return nr;
}

static unsigned int least_order(uint64_t bytes)
{
	unsigned int order = 0;

	while (order < 63 - PAGE_SHIFT && PAGE_SIZE << order < bytes)
		order++;
	return order;
}

uint64_t slabinfo_fallback(const struct slabinfo_row *r, uint64_t *missing)
{
	uint64_t whole, least = (PAGE_SIZE << least_order(r->objsize)) / r->objsize;

	*missing = 0;
	if (!r->slabs_told || r->limit || __builtin_mul_overflow(r->num_slabs, r->objperslab, &whole) ||
	    whole <= r->num_objs || least >= r->objperslab)
		return 0;
	*missing = whole - r->num_objs;
	return (*missing + (r->objperslab - least) / 2) / (r->objperslab - least);
}
