/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/paste.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"

/* ---- the text ---- */

static int text_room(struct paste *p, size_t *cap)
{
	char *text;

	if (p->bytes + 1 < *cap)
		return 0;
	if (*cap > PASTE_MAX)
		return fail(EFBIG, "larger than %u MiB: not one of the formats that import knows", PASTE_MAX >> 20);
	*cap = *cap ? *cap * 2 : 64 << 10;
	text = realloc(p->text, *cap);
	if (!text)
		return fail(ENOMEM, "no memory for the text");
	p->text = text;
	return 0;
}

static int text_load(gzFile f, struct paste *p)
{
	size_t cap = 0;

	for (;;) {
		int ret = text_room(p, &cap), n;

		if (ret)
			return ret;
		n = gzread(f, p->text + p->bytes, (unsigned int)(cap - p->bytes - 1));
		if (n < 0)
			return fail(EIO, "%s", gzerror(f, &n));
		if (!n)
			return 0;
		p->bytes += (size_t)n;
	}
}

/* ---- lines ---- */

/* What a web page or a terminal put between the characters: no-break blanks, tabs, colours. In place. */
static char *plain(char *line, char *end)
{
	char *to = line;

	for (char *s = line; s < end; ) {
		if (s + 1 < end && !memcmp(s, "\xc2\xa0", 2)) {
			*to++ = ' ';
			s += 2;
		} else if (*s == '\033' && s + 1 < end && s[1] == '[') {
			for (s += 2; s < end && (unsigned char)*s < 0x40; s++)
				;
			s += s < end;
		} else {
			*to++ = *s == '\t' ? ' ' : *s;
			s++;
		}
	}
	return to;
}

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

/* "[12345.678901]", "[Mon May  1 10:00:00 2023]", "[   T12]", "[  C0]": what stands behind, with its blanks. */
static const char *behind_bracket(const char *s)
{
	const char *at = s + 1 + strspn(s + 1, " "), *end = strchr(s, ']');
	size_t digits;

	if (*s != '[' || !end)
		return NULL;
	digits = strspn(at, "0123456789");
	if ((digits && at[digits] == '.' && at + digits + 1 + strspn(at + digits + 1, "0123456789,") == end) ||
	    (looks_like(s, "[??? ??? _0 00:00:00 0000]")) ||
	    ((*at == 'T' || *at == 'C') && at[1] >= '0' && at[1] <= '9' && at + 1 + strspn(at + 1, "0123456789") == end))
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

/* "May  1 10:00:00" or "2023-05-01T10:00:00.123+02:00", then host and program; or as Android's log has it. */
static const char *behind_date(const char *s)
{
	const char *at = looks_like(s, "??? _0 00:00:00 ");

	if (!at)
		at = looks_like(s, "0000-00-00T00:00:00");
	if (at)
		return behind_host(at + (at[-1] == ' ' ? 0 : strcspn(at, " ")));
	at = looks_like(s, "00-00 00:00:00.000 ");
	if (!at)
		return NULL;
	at = strstr(at, ": ");
	return at && at - s < 64 ? at + 1 : NULL;
}

/* What loggers write before a line that they were given; one blank of theirs goes with it. */
static char *behind_log_prefix(char *line)
{
	const char *s = line, *at;

	if (*s == '<' && strspn(s + 1, "0123456789") && s[1 + strspn(s + 1, "0123456789")] == '>')
		s = strchr(s, '>') + 1;
	at = behind_date(s);
	s = at ? at : s;
	for (at = s; (at = behind_bracket(at + strspn(at, " "))); )
		s = at;
	if (s > line && *s == ' ')
		s++;
	return line + (s - line);
}

static char *strip(struct paste *p, char *line, char *end, uint32_t number)
{
	char *s = line;

	end = plain(line, end);
	while (end > s && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = 0;
	if (number == 1 && !strncmp(s, "\xef\xbb\xbf", 3))
		line = s += 3;		/* some editors' mark of UTF-8 */
	while (*s == '>' || (s > line && *s == ' ' && s[1] == '>'))
		s++;
	if (s == line)
		return behind_log_prefix(line);
	if (*s == ' ')
		s++;
	if (!p->quoted++)
		p->first_quoted = number;
	return behind_log_prefix(s);
}

static int cut(struct paste *p)
{
	uint32_t cap = 0;

	for (char *s = p->text, *stop = p->text + p->bytes; s < stop;) {
		char *end = memchr(s, '\n', (size_t)(stop - s));

		if (!end)
			end = stop;
		if (p->nr == cap) {
			char **line;

			cap = cap ? cap * 2 : 256;
			line = realloc(p->line, cap * sizeof(*line));
			if (!line)
				return fail(ENOMEM, "no memory for the lines");
			p->line = line;
		}
		p->line[p->nr] = strip(p, s, end, p->nr + 1);
		p->nr++;
		s = end + 1;
	}
	return 0;
}

static bool is_row(const char *line)
{
	size_t n = strlen(line);
	const char *s = strstr(line, "Node ");

	return s && strstr(s, ", zone ") && line[n - 1] >= '0' && line[n - 1] <= '9';
}

/* Counts of a zone that a mailer broke: a line of nothing but numbers goes on with the row before it. */
static void join_rows(struct paste *p)
{
	char *row = NULL;

	for (uint32_t i = 0; i < p->nr; i++) {
		char *line = p->line[i];

		if (row && *line && !line[strspn(line, "0123456789 ")]) {
			char *end = row + strlen(row);

			memset(end, ' ', (size_t)(line - end));
			p->line[i] = line + strlen(line);
		} else {
			row = is_row(line) ? line : NULL;
		}
	}
}

int paste_read(const char *path, struct paste *p)
{
	bool is_stdin = !strcmp(path, "-");
	gzFile f = is_stdin ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
	int ret;

	memset(p, 0, sizeof(*p));
	if (!f)
		return fail(errno ? errno : ENOMEM, "%s: %s", path, strerror(errno));
	ret = text_load(f, p);
	gzclose_r(f);
	if (!ret)
		ret = cut(p);
	if (!ret) {
		join_rows(p);
		return 0;
	}
	paste_free(p);
	return fail_in(ret, "%s: ", path);
}

int paste_memory(const void *data, size_t len, struct paste *p)
{
	int ret;

	memset(p, 0, sizeof(*p));
	p->text = malloc(len + 1);
	if (!p->text)
		return fail(ENOMEM, "no memory for the text");
	memcpy(p->text, data, len);
	p->bytes = len;
	ret = cut(p);
	if (ret)
		paste_free(p);
	else
		join_rows(p);
	return ret;
}

void paste_free(struct paste *p)
{
	free(p->line);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

/* ---- pieces ---- */

bool line_list_add(struct line_list *l, uint32_t line)
{
	if (l->nr == l->cap) {
		uint32_t cap = l->cap ? l->cap * 2 : 16;
		uint32_t *v = realloc(l->line, cap * sizeof(*v));

		if (!v)
			return false;
		l->line = v;
		l->cap = cap;
	}
	l->line[l->nr++] = line;
	return true;
}

void line_list_free(struct line_list *l)
{
	free(l->line);
	memset(l, 0, sizeof(*l));
}

bool paste_u64(const char **s, uint64_t *n)
{
	const char *p = *s;
	uint64_t v = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	*n = v;
	*s = p;
	return true;
}

char *paste_cache_name(const char *name, char buf[LAB_NAME])
{
	size_t len = strnlen(name, LAB_NAME - 1);

	for (size_t i = 0; i < len; i++)
		buf[i] = strchr(" \t:/", name[i]) ? '_' : name[i];
	buf[len] = 0;
	return buf;
}
