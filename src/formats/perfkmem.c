/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/perfkmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

#define COLUMNS_MOST 6

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* Digits, with commas between the thousands where perf put them. */
static bool number(const char **s, uint64_t *n)
{
	if (!paste_u64(s, n))
		return false;
	while (**s == ',') {
		const char *at = *s + 1;
		uint64_t more;

		if (!paste_u64(&at, &more) || at - *s != 4 || __builtin_mul_overflow(*n, 1000, n) ||
		    __builtin_add_overflow(*n, more, n))
			return false;
		*s = at;
	}
	return true;
}

/* "790528/4096" */
static bool pair(const char *s, uint64_t *all, uint64_t *each)
{
	s = blanks(s);
	if (!number(&s, all) || *s++ != '/' || !number(&s, each))
		return false;
	s = blanks(s);
	return !*s || *s == '|';
}

static bool single(const char *s, uint64_t *n)
{
	s = blanks(s);
	if (!number(&s, n))
		return false;
	s = blanks(s);
	return !*s || *s == '|';
}

static bool percent(const char *s, double *pct)
{
	char *end;

	s = blanks(s);
	*pct = strtod(s, &end);
	return end > s && *end == '%' && *pct > -1e9 && *pct < 1e9;
}

/* Where each cell begins; a cell ends at the next bar. */
static unsigned int cells(const char *line, const char *cell[COLUMNS_MOST])
{
	unsigned int nr = 0;

	for (const char *s = line; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL) {
		if (nr == COLUMNS_MOST)
			return 0;
		cell[nr++] = s;
	}
	return nr;
}

static void site_name(const char *s, char site[PERFKMEM_SITE])
{
	size_t len;

	s = blanks(s);
	len = strcspn(s, "|");
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	if (len >= PERFKMEM_SITE)
		len = PERFKMEM_SITE - 1;
	memcpy(site, s, len);
	site[len] = 0;
}

static bool parse_row(const char *line, struct perfkmem_row *r)
{
	const char *cell[COLUMNS_MOST];
	unsigned int nr = cells(line, cell);

	if (nr < 5)
		return false;
	site_name(cell[0], r->site);
	r->has_pingpong = nr == 6;
	return r->site[0] && pair(cell[1], &r->allocated, &r->allocated_each) && pair(cell[2], &r->requested, &r->requested_each) &&
	       single(cell[3], &r->hits) && (nr == 5 || single(cell[4], &r->pingpong)) && percent(cell[nr - 1], &r->waste_pct);
}

/* "Total bytes requested: 2,333,626" */
static bool behind(const char *line, const char *what, const char **value)
{
	const char *s = strstr(line, what);

	if (!s)
		return false;
	*value = blanks(s + strlen(what));
	return true;
}

static bool parse_summary(const char *line, struct perfkmem *p)
{
	const char *s;

	if (behind(line, "Total bytes requested:", &s))
		return p->has_requested = number(&s, &p->requested);
	if (behind(line, "Total bytes allocated:", &s))
		return p->has_allocated = number(&s, &p->allocated);
	if (behind(line, "Total bytes wasted on internal fragmentation:", &s))
		return p->has_waste = number(&s, &p->waste);
	if (behind(line, "Internal fragmentation:", &s))
		return p->has_pct = percent(s, &p->waste_pct);
	return false;
}

static int row_add(struct perfkmem *p, const struct perfkmem_row *r)
{
	if (p->rows == p->cap) {
		uint32_t cap = p->cap ? p->cap * 2 : 64;
		struct perfkmem_row *row = realloc(p->row, cap * sizeof(*row));

		if (!row)
			return fail(ENOMEM, "no memory for %u call sites", cap);
		p->row = row;
		p->cap = cap;
	}
	p->row[p->rows++] = *r;
	return 0;
}

/* Headings, and "... | ..." where perf cut the table. */
static bool is_heading(const char *line)
{
	return strstr(line, "Total_alloc") || strstr(line, "... ");
}

int perfkmem_parse(const struct paste *text, struct perfkmem *p)
{
	bool any = false;
	int ret = 0;

	memset(p, 0, sizeof(*p));
	for (uint32_t i = 0; i < text->nr && !ret; i++) {
		struct perfkmem_row r = { .line = i + 1 };

		if (parse_row(text->line[i], &r))
			ret = row_add(p, &r);
		else if (parse_summary(text->line[i], p))
			any = true;
		else if (strchr(text->line[i], '|') && !is_heading(text->line[i]) && !line_list_add(&p->skipped, i + 1))
			ret = fail(ENOMEM, "no memory for the list of skipped lines");
	}
	if (!ret && !p->rows && !any)
		ret = fail(ENOENT, "no line is of a table of perf kmem (call site | bytes got/each | bytes asked/each | hits | …)");
	if (ret)
		perfkmem_free(p);
	return ret;
}

void perfkmem_free(struct perfkmem *p)
{
	free(p->row);
	line_list_free(&p->skipped);
	memset(p, 0, sizeof(*p));
}

uint32_t perfkmem_recognise(const struct paste *text)
{
	struct perfkmem p;
	uint32_t nr;

	if (perfkmem_parse(text, &p))
		return 0;
	nr = p.rows + p.has_requested + p.has_allocated + p.has_waste + p.has_pct;
	perfkmem_free(&p);
	return nr;
}
