/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/buddyinfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

#define ORDERS_LEAST 7	/* fewer columns are a table of pageblock types, or damage */

static const char *blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static bool word(const char **s, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*s, word, len))
		return false;
	*s = blanks(*s + len);
	return true;
}

/* The zone's name, letters and digits. */
static bool zone_name(const char **s, char name[BUDDYINFO_ZONE])
{
	size_t len = strcspn(*s, " \t,");

	if (!len || len >= BUDDYINFO_ZONE || (*s)[len] == ',')
		return false;
	memcpy(name, *s, len);
	name[len] = 0;
	*s = blanks(*s + len);
	return true;
}

static bool counts(const char *s, struct buddyinfo_row *r)
{
	for (r->orders = 0; *s; s = blanks(s)) {
		if (r->orders == BUDDYINFO_ORDERS || !paste_u64(&s, &r->free[r->orders]))
			return false;
		if (*s && *s != ' ' && *s != '\t')	/* 0.002: an index, not a count */
			return false;
		r->orders++;
	}
	return r->orders >= ORDERS_LEAST;
}

static bool parse_row(const char *s, struct buddyinfo_row *r)
{
	uint64_t node;

	memset(r, 0, sizeof(*r));
	s = strstr(s, "Node ");		/* whatever a log or a listing put in front */
	if (!s || !word(&s, "Node") || !paste_u64(&s, &node) || node > UINT32_MAX || *s != ',')
		return false;
	s = blanks(s + 1);
	r->node = (uint32_t)node;
	return word(&s, "zone") && zone_name(&s, r->zone) && counts(s, r);
}

/* ---- tables ---- */

static const struct buddyinfo_row *table_has(const struct buddyinfo *b, const struct buddyinfo_row *r)
{
	uint32_t first = b->tables ? b->table[b->tables - 1] : 0;

	for (uint32_t i = first; i < b->nr; i++)
		if (b->row[i].node == r->node && !strcmp(b->row[i].zone, r->zone))
			return &b->row[i];
	return NULL;
}

static int table_begin(struct buddyinfo *b)
{
	if (b->tables == b->table_cap) {
		uint32_t cap = b->table_cap ? b->table_cap * 2 : 4;
		uint32_t *table = realloc(b->table, cap * sizeof(*table));

		if (!table)
			return fail(ENOMEM, "no memory for the tables");
		b->table = table;
		b->table_cap = cap;
	}
	b->table[b->tables++] = b->nr;
	return 0;
}

static int row_add(struct buddyinfo *b, const struct buddyinfo_row *r, bool apart)
{
	bool begins = !b->nr || apart || table_has(b, r) || b->row[b->nr - 1].orders != r->orders;
	int ret = begins ? table_begin(b) : 0;

	if (ret)
		return ret;
	if (b->nr == b->cap) {
		uint32_t cap = b->cap ? b->cap * 2 : 16;
		struct buddyinfo_row *row = realloc(b->row, cap * sizeof(*row));

		if (!row)
			return fail(ENOMEM, "no memory for the rows");
		b->row = row;
		b->cap = cap;
	}
	b->row[b->nr++] = *r;
	return 0;
}

/* A heading under which rows of the same look count something else. */
static bool is_foreign_heading(const char *line)
{
	return strstr(line, "Number of blocks type") || strstr(line, "Free pages count per migrate type");
}

static int parse_lines(const struct paste *text, struct buddyinfo *b)
{
	bool foreign = false, apart = false;

	for (uint32_t i = 0; i < text->nr; i++) {
		struct buddyinfo_row r;
		int ret = 0;

		if (!*blanks(text->line[i])) {
			foreign = false;
			continue;
		}
		if (!foreign && parse_row(text->line[i], &r)) {
			r.line = i + 1;
			ret = row_add(b, &r, apart);
			apart = false;
		} else {
			foreign |= is_foreign_heading(text->line[i]);
			apart = true;
			if (!line_list_add(&b->skipped, i + 1))
				ret = fail(ENOMEM, "no memory for the list of skipped lines");
		}
		if (ret)
			return ret;
	}
	return b->nr ? 0 : fail(ENOENT, "no line reads \"Node 0, zone NAME\" and counts by order");
}

int buddyinfo_parse(const struct paste *text, struct buddyinfo *b)
{
	int ret;

	memset(b, 0, sizeof(*b));
	ret = parse_lines(text, b);
	if (ret)
		buddyinfo_free(b);
	return ret;
}

void buddyinfo_free(struct buddyinfo *b)
{
	free(b->row);
	free(b->table);
	line_list_free(&b->skipped);
	memset(b, 0, sizeof(*b));
}

const struct buddyinfo_row *buddyinfo_table(const struct buddyinfo *b, uint32_t t, uint32_t *nr)
{
	uint32_t end = t + 1 < b->tables ? b->table[t + 1] : b->nr;

	*nr = end - b->table[t];
	return &b->row[b->table[t]];
}

uint32_t buddyinfo_recognise(const struct paste *text)
{
	struct buddyinfo b;
	uint32_t nr;

	if (buddyinfo_parse(text, &b))
		return 0;
	nr = b.nr;
	buddyinfo_free(&b);
	return nr;
}
