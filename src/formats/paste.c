/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fail.h"
#include "formats/paste_priv.h"

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

static char *strip(char *line, char *end, uint32_t number)
{
	end = paste_plain(line, end);
	while (end > line && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	*end = 0;
	return line + (number == 1 && !strncmp(line, "\xef\xbb\xbf", 3) ? 3 : 0);	/* some editors' mark of UTF-8 */
}

static int lines_room(struct paste *p, uint32_t *cap)
{
	struct paste_was *was;
	char **line;

	if (p->nr < *cap)
		return 0;
	*cap = *cap ? *cap * 2 : 256;
	line = realloc(p->line, *cap * sizeof(*line));
	if (!line)
		return fail(ENOMEM, "no memory for the lines");
	p->line = line;
	was = realloc(p->was, *cap * sizeof(*was));
	if (!was)
		return fail(ENOMEM, "no memory for the lines");
	p->was = was;
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
			p->line[i] = p->text + p->bytes;	/* an empty one that no other row fills */
		} else {
			row = is_row(line) ? line : NULL;
		}
	}
}

static int cut(struct paste *p)
{
	uint32_t cap = 0;

	paste_narrow(p);
	p->text[p->bytes] = 0;
	paste_unprint(p);
	p->text[p->bytes] = 0;
	for (char *s = p->text, *stop = p->text + p->bytes; s < stop;) {
		char *end = memchr(s, '\n', (size_t)(stop - s));
		int ret;

		if (!end)
			end = stop;
		ret = lines_room(p, &cap);
		if (ret)
			return ret;
		p->line[p->nr] = strip(s, end, p->nr + 1);
		p->was[p->nr] = (struct paste_was){ .width = (uint32_t)strlen(p->line[p->nr]) };
		p->nr++;
		s = end + 1;
	}
	paste_fronts_off(p);
	join_rows(p);
	return 0;
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
	if (!ret)
		return 0;
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
	return ret;
}

void paste_free(struct paste *p)
{
	free(p->line);
	free(p->was);
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

int paste_unit(const char **s)
{
	static const char letters[] = "kmgt";
	const char *at = *s, *letter = *at ? strchr(letters, *at | 0x20) : NULL;

	if (!letter)
		return -1;
	at++;
	at += *at == 'i';
	if (*at != 'B')
		return -1;
	*s = at + 1;
	return 10 * (int)(letter - letters);
}

uint64_t paste_fraction(const char **s, unsigned int shift)
{
	uint64_t digits = 0, scale = 1;

	if (**s != '.' || (*s)[1] < '0' || (*s)[1] > '9')
		return 0;
	for (++*s; **s >= '0' && **s <= '9'; ++*s)
		if (scale < 1000000) {
			digits = digits * 10 + (uint64_t)(**s - '0');
			scale *= 10;
		}
	return ((digits << shift) + scale / 2) / scale;
}

char *paste_cache_name(const char *name, char buf[LAB_NAME])
{
	size_t len = strnlen(name, LAB_NAME - 1);

	for (size_t i = 0; i < len; i++)
		buf[i] = strchr(" \t:/", name[i]) ? '_' : name[i];
	buf[len] = 0;
	return buf;
}
