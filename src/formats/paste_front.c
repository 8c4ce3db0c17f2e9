/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in front of lines: quote marks, dates and hosts of loggers, numbers
 * of lines, names of files. Several may be nested ("> 12 [  3.4] …"), so rounds
 * go on until nothing more comes off.
 *
 * A line's own look decides for quote marks and loggers; for a number, a name or
 * blanks all lines must agree, since tables begin with such too.
 */
#include <ctype.h>
#include <string.h>

#include "formats/paste_priv.h"

#define LINES_LEAST 3	/* fewer prove nothing about all lines */

/* A piece of a log's prefix: what it looks like, '0' standing for a digit, '?' for a letter, '_' for a blank or a digit. */
static const char *looks_like(const char *s, const char *form)
{
	for (; *form; form++, s++) {
		bool digit = *s >= '0' && *s <= '9', letter = (*s | 0x20) >= 'a' && (*s | 0x20) <= 'z';

		if (*form == '0' ? !digit : *form == '?' ? !letter : *form == '_' ? !digit && *s != ' ' : *s != *form)
			return NULL;
	}
	return s;
}

/* "12345.678901", "+0.000012", "2026-11-30 12:00:00", "Nov30 12:00", "Mon May  1 10:00:00 2023": digits parted by '.' or ':'. */
static bool is_time(const char *s, const char *end)
{
	unsigned int letters = 0;
	bool parted = false;

	for (const char *at = s; at < end; at++) {
		bool alpha = isalpha((unsigned char)*at) != 0;

		letters = alpha ? letters + 1 : 0;
		if (letters > 3 || (!alpha && !isdigit((unsigned char)*at) && !strchr(" .:,+-<>", *at)))
			return false;
		parted |= at > s && (*at == '.' || *at == ':') && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]);
	}
	return parted;
}

/* A bracket with a time, "[   T12]" or "[  C0]": what stands behind, with its blanks. */
static const char *behind_bracket(const char *s)
{
	const char *at = s + 1 + strspn(s + 1, " "), *end = strchr(s, ']');

	if (*s != '[' || !end)
		return NULL;
	if (is_time(at, end) || ((*at == 'T' || *at == 'C') && at[1] >= '0' && at[1] <= '9' &&
				 at + 1 + strspn(at + 1, "0123456789") == end))
		return end + 1;
	return NULL;
}

/* "myhost kernel: ": two words, the second with a colon. */
static const char *behind_host(const char *s)
{
	const char *tag;

	s += strspn(s, " ");
	tag = s + strcspn(s, " ");
	tag += strspn(tag, " ");
	tag += strcspn(tag, " ");
	return tag > s && tag[-1] == ':' ? tag : NULL;
}

/* "May  1 10:00:00" or "2023-05-01T10:00:00.123+02:00", then host and program, which dmesg lacks; or as Android's log has it. */
static const char *behind_date(const char *s)
{
	const char *at = looks_like(s, "??? _0 00:00:00"), *host;
	bool bare = false;

	if (!at)
		at = looks_like(s, "0000-00-00T00:00:00");
	if (!at) {
		at = looks_like(s, "0000-00-00 00:00:00");
		bare = true;
	}
	if (at) {
		bare |= *at == ',';
		at += strcspn(at, " ");
		host = bare ? NULL : behind_host(at);
		return host ? host : at;
	}
	at = looks_like(s, "00-00 00:00:00.000 ");
	if (!at)
		return NULL;
	at = strstr(at, ": ");
	return at && at - s < 64 ? at + 1 : NULL;
}

/* "kernel: " or "myhost kernel: " where a log has no dates. */
static const char *behind_kernel(const char *s)
{
	const char *word = s + strcspn(s, " ");

	if (!strncmp(s, "kernel: ", 8))
		return s + 7;
	return word > s && !strncmp(word, " kernel: ", 9) ? word + 8 : NULL;
}

/* "kern  :warn  : " of dmesg -x. */
static const char *behind_level(const char *s)
{
	if (strncmp(s, "kern ", 5))
		return NULL;
	s += 4 + strspn(s + 4, " ");
	if (*s != ':')
		return NULL;
	for (s++; islower((unsigned char)*s); s++)
		;
	s += strspn(s, " ");
	return *s == ':' ? s + 1 : NULL;
}

/* What loggers write before a line that they were given; one blank of theirs goes with it. */
static char *behind_log(char *line)
{
	const char *s = line, *at;

	if (*s == '<' && strspn(s + 1, "0123456789") && s[1 + strspn(s + 1, "0123456789")] == '>')
		s = strchr(s, '>') + 1;
	at = behind_level(s);
	if (!at)
		at = behind_date(s);
	s = at ? at : s;
	at = behind_kernel(s + strspn(s, " "));
	s = at ? at : s;
	for (at = s; (at = behind_bracket(at + strspn(at, " "))); )
		s = at;
	if (s > line && *s == ' ')
		s++;
	return line + (s - line);
}

static char *behind_quotes(char *line)
{
	char *s = line;

	while (*s == '>' || (s > line && *s == ' ' && s[1] == '>'))
		s++;
	return s > line && *s == ' ' ? s + 1 : s;
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " ")];
}

/* ---- what all lines have ---- */

/* The number in front of a line, and what stands behind it with its one blank or colon; NULL if it has none. */
static char *behind_number(char *line, uint64_t *n)
{
	const char *s = line + strspn(line, " ");

	if (!paste_u64(&s, n) || (*s && *s != ' ' && *s != ':'))
		return NULL;
	return line + (s - line) + (*s != 0);
}

/* Each of the lines that are not blank is numbered, one more than the one before: nl, cat -n, grep -n, an editor. */
static bool numbers_off(struct paste *p)
{
	uint64_t last = 0, n;
	uint32_t lines = 0;

	for (uint32_t i = 0; i < p->nr; i++) {
		if (is_blank(p->line[i]))
			continue;
		if (!behind_number(p->line[i], &n) || (lines && (n <= last || n - last > i + 1)))
			return false;
		if (lines && n != last + 1 && !is_blank(p->line[i - 1]))
			return false;
		last = n;
		lines++;
	}
	if (lines < LINES_LEAST)
		return false;
	for (uint32_t i = 0; i < p->nr; i++)
		if (!is_blank(p->line[i]))
			p->line[i] = behind_number(p->line[i], &n);
	return true;
}

/* "messages:", "MG>", "|", "+": how long the mark is with which a line begins. "Zone:DMA" and "Normal: " are none. */
static size_t mark_length(const char *line)
{
	size_t n = strcspn(line, " :>|+");

	if (line[n] == ':')
		return isupper((unsigned char)*line) || line[n + 1] == ' ' ? 0 : n + 1;
	return line[n] && line[n] != ' ' && (line[n] == '>' || !n) ? n + 1 : 0;
}

static bool mark_off(struct paste *p)
{
	const char *first = NULL;
	uint32_t lines = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < p->nr; i++) {
		if (is_blank(p->line[i]))
			continue;
		if (!first) {
			first = p->line[i];
			n = mark_length(first);
		}
		if (!n || strncmp(p->line[i], first, n))
			return false;
		lines++;
	}
	if (lines < LINES_LEAST)
		return false;
	for (uint32_t i = 0; i < p->nr; i++)
		if (!is_blank(p->line[i]))
			p->line[i] += n;
	return true;
}

static bool indent_off(struct paste *p)
{
	size_t least = SIZE_MAX;

	for (uint32_t i = 0; i < p->nr; i++) {
		size_t n = strspn(p->line[i], " ");

		if (p->line[i][n] && n < least)
			least = n;
	}
	if (!least || least == SIZE_MAX)
		return false;
	for (uint32_t i = 0; i < p->nr; i++)
		if (!is_blank(p->line[i]))
			p->line[i] += least;
	return true;
}

/* ---- rounds ---- */

static bool quotes_off(struct paste *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->nr; i++) {
		char *s = behind_quotes(p->line[i]);

		if (s == p->line[i])
			continue;
		any = true;
		p->line[i] = s;
		if (p->was[i].quoted)
			continue;
		p->was[i].quoted = true;
		if (!p->quoted++)
			p->first_quoted = i + 1;
	}
	return any;
}

static bool logs_off(struct paste *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->nr; i++) {
		char *s = behind_log(p->line[i]);

		any |= s != p->line[i];
		p->was[i].logged |= s != p->line[i];
		p->line[i] = s;
	}
	return any;
}

void paste_fronts_off(struct paste *p)
{
	bool any;

	do {
		any = quotes_off(p);
		any |= logs_off(p);
		any |= numbers_off(p) || mark_off(p);
		any |= indent_off(p);
	} while (any);
}
