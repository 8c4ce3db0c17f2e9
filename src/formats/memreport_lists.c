/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The free lists of a Mem-Info: "Normal: 505*4kB (H) 357*8kB … = 10236kB".
 *
 * Cells stand for each order; a forum may have eaten the asterisk, a terminal
 * have broken a number, CPUs have written each cell on a line between others.
 * What is missing is told (memreport_verdict), never made up.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/memreport_priv.h"

const char *const memreport_verdicts[] = { "ok", "wrong sum", "damaged", "truncated" };

/*
 * Where CPUs wrote between each other, a zone's name may stand alone at the end
 * of one of the lines before.
 */
static void zone_lines_before(const char *all, const char *s, char zone[MEMREPORT_NAME])
{
	for (unsigned int lines = 0; lines < 12; lines++) {
		while (s > all && s[-1] != '\n')
			s--;
		if (s == all)
			return;
		if (zone_before(all, --s, zone) && (!strncmp(zone, "DMA", 3) || !strcmp(zone, "Normal") ||
						    !strcmp(zone, "HighMem") || !strcmp(zone, "Movable")))
			return;
		zone[0] = 0;
	}
}

/* Where the digits at s begin: on the line before, if that ends in the middle of the number. */
static const char *count_begin(const char *all, const char *s)
{
	const char *at = s;

	if (s < all + 2 || s[-1] != '\n' || !isdigit((unsigned char)s[-2]))
		return s;
	for (at = s - 1; at > all && isdigit((unsigned char)at[-1]); at--)
		;
	return at > all && (at[-1] == ' ' || at[-1] == '\n') ? at : s;
}

static bool count_wrapped(const char **s, uint64_t *n)
{
	const char *at = *s;
	uint64_t low = 0, scale = 1;

	if (!paste_u64(&at, n))
		return false;
	if (*at == '\n' && isdigit((unsigned char)at[1])) {
		const char *more = at + 1;

		if (!paste_u64(&more, &low) || (*more != '*' && *more != '_'))
			return false;
		for (at++; at < more; at++)
			if (__builtin_mul_overflow(scale, 10, &scale))
				return false;
		if (__builtin_mul_overflow(*n, scale, n) || __builtin_add_overflow(*n, low, n))
			return false;
	}
	*s = at;
	return true;
}

/* "505*4kB" at s: count and size; what stands behind, NULL if it is no cell. odd: not as the kernel wrote it. */
static const char *cell(const char *all, const char *s, uint64_t *count, uint64_t *kb, bool *odd)
{
	const char *at = count_begin(all, s), *begin = at;

	if (!count_wrapped(&at, count))
		return NULL;
	at += strspn(at, " \n") == 1;
	if (*at != '*' && *at != '_')
		return NULL;
	*odd = at[-1] == '\n' || *at == '_' || begin != s;
	at++;
	at += *at == '\n' && isdigit((unsigned char)at[1]);
	if (!isdigit((unsigned char)*at))
		return NULL;
	begin = at;
	if (!kb_wrapped(&at, kb) || !*kb || *kb & (*kb - 1) || *kb >> 40)
		return NULL;
	*odd |= memchr(begin, '\n', (size_t)(at - begin)) != NULL;
	return at;
}

/* " (UME)" behind a cell. */
static const char *cell_types(const char *s, char types[8])
{
	const char *at = s + strspn(s, " \n");
	size_t n;

	types[0] = 0;
	if (*at != '(')
		return s;
	n = strspn(at + 1, "UMERHCI");
	if (!n || n >= 8 || at[1 + n] != ')')
		return s;
	memcpy(types, at + 1, n);
	types[n] = 0;
	return at + n + 2;
}

/* "= 15908kB", the sum. */
static bool stated(const char *s, struct memreport_list *l)
{
	const char *at;
	uint64_t n;

	s++;
	s += strspn(s, " \n");
	if (!kb_wrapped(&s, &n))
		return false;
	l->stated = true;
	l->stated_kb = n;
	at = s - (s[-2] == 'i' ? 3 : 2);
	l->rounded_kb = *at == 'M' ? 1024 : *at == 'G' ? 1 << 20 : 0;
	return true;
}

/* Orders between the last cell and this one were lost. */
static bool list_gap(struct memreport_list *l, uint64_t kb)
{
	uint64_t next = l->kb[l->orders - 1];
	uint32_t orders = l->orders;

	while ((next *= 2) < kb) {
		if (orders == MEMREPORT_ORDERS - 1)
			return false;
		l->kb[orders] = next;
		l->count[orders++] = 0;
	}
	l->broken |= orders != l->orders;
	l->orders = orders;
	return true;
}

/* A cell that has lost characters: "10*3B". */
static bool is_broken_cell(const char *s)
{
	uint64_t n;

	if (!paste_u64(&s, &n))
		return false;
	s += *s == '\n';
	return *s == '*' && (isdigit((unsigned char)s[1]) || s[1] == '\n');
}

/*
 * In 2.4 lists bear no names: they come in the order of the zones, which the
 * lines before tell, and an empty one is only "= 0kB)".
 */
static void zone_by_turn(struct memreport *m, struct memreport_list *l, uint32_t turn)
{
	static const char *const usual[] = { "DMA", "Normal", "HighMem" };
	uint32_t last = 0, first;

	for (uint32_t i = 0; i < m->zones; i++)
		if (m->zone[i].in_kb && m->zone[i].line < l->line)
			last = i + 1;
	for (first = last; first && m->zone[first - 1].in_kb && strcmp(m->zone[first - 1].zone, "DMA"); first--)
		;
	first -= first != 0;
	if (last && first + turn < last)
		strcpy(l->zone, m->zone[first + turn].zone);
	else if (!last && turn < ARRAY_SIZE(usual))
		strcpy(l->zone, usual[turn]);
}

static int list_begin(struct memreport *m, struct joined *j, const char *s)
{
	struct memreport_list *l;
	const char *word;

	if (m->lists == MEMREPORT_MOST)
		return fail(E2BIG, "line %u: more than %d free lists", line_of(j, s), MEMREPORT_MOST);
	if (!GROW(m->list, m->lists))
		return memreport_no_memory();
	l = &m->list[m->lists++];
	memset(l, 0, sizeof(*l));
	word = zone_before(j->all, s, l->zone);
	l->line = line_of(j, s);
	if (!word)
		zone_lines_before(j->all, s, l->zone);
	if (!l->zone[0])
		zone_by_turn(m, l, j->turn++);
	l->node = node_before(j->all, word ? word : s);
	return 0;
}

static bool belongs(const struct memreport_list *l, const char *all, const char *s, uint64_t kb)
{
	char zone[MEMREPORT_NAME];

	return l && !l->stated && l->orders < MEMREPORT_ORDERS && kb > l->kb[l->orders - 1] && !zone_before(all, s, zone);
}

static int list_cell(struct memreport_list *l, uint64_t count, uint64_t kb, const char types[8])
{
	uint64_t bytes;

	if (l->orders && !list_gap(l, kb)) {
		l->broken = true;
		return 0;
	}
	if (__builtin_mul_overflow(count, kb, &bytes) || __builtin_add_overflow(l->sum_kb, bytes, &bytes)) {
		l->broken = true;
		return 0;
	}
	l->sum_kb = bytes;
	strcpy(l->types[l->orders], types);
	l->typed |= types[0] != 0;
	l->count[l->orders] = count;
	l->kb[l->orders++] = kb;
	return 0;
}

/* A cell that stands alone and states nothing is something else, or what damage left. */
static int drop_strays(struct memreport *m)
{
	uint32_t nr = 0;
	int ret = 0;

	for (uint32_t i = 0; i < m->lists && !ret; i++)
		if (m->list[i].orders == 1 && !m->list[i].stated)
			ret = note_line(&m->skipped, m->list[i].line);
		else
			m->list[nr++] = m->list[i];
	m->lists = nr;
	return ret;
}

int memreport_lists_parse(struct joined *j, struct memreport *m)
{
	struct memreport_list *l = NULL;
	int ret = 0;

	for (const char *s = j->all, *end; *s && !ret; s++) {
		uint64_t count, kb;
		char types[8];
		bool odd;

		if (*s == 'Z' && !strncmp(s, "Zone:DMA ", 9))
			j->turn = 0;
		if (*s == '=' && l && !l->stated && stated(s, l))	/* maybe behind foreign lines */
			l->last_line = line_of(j, s);
		else if (!strncmp(s, "= 0kB)", 6))
			j->turn++;
		if (*s == '(' && l && !l->stated && l->count[l->orders - 1] && !l->types[l->orders - 1][0]) {
			cell_types(s, l->types[l->orders - 1]);
			l->typed |= l->types[l->orders - 1][0] != 0;
		}
		if (!isdigit((unsigned char)*s) || (s > j->all && (isalnum((unsigned char)s[-1]) || s[-1] == '.' || s[-1] == '*')))
			continue;
		end = cell(j->all, s, &count, &kb, &odd);
		if (!end) {
			if (l && !l->stated && is_broken_cell(s)) {
				l->broken = true;
				ret = note_line(&m->skipped, line_of(j, s));
			}
			continue;
		}
		if (!belongs(l, j->all, s, kb)) {
			ret = list_begin(m, j, s);
			if (ret)
				return ret;
			l = &m->list[m->lists - 1];
		}
		end = cell_types(end, types);
		ret = list_cell(l, count, kb, types);
		l->last_line = line_of(j, s);
		if (!ret && (odd || l->last_line != l->line))
			ret = note_line(&m->repaired, l->last_line);
		s = end - 1;
	}
	return ret ? ret : drop_strays(m);
}

enum memreport_verdict memreport_verdict(const struct memreport_list *l)
{
	if (l->broken)
		return LIST_DAMAGED;
	if (!l->stated)
		return LIST_TRUNCATED;
	return l->stated_kb <= l->sum_kb + l->rounded_kb && l->sum_kb <= l->stated_kb + l->rounded_kb ? LIST_OK : LIST_WRONG_SUM;
}
