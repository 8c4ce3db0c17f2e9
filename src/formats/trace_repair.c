/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Undo what mailers and logs did to a line: quote marks, quoted-printable, and
 * what a log writes in front: numbers of a list, a level `<4>`, a date and host up
 * to `kernel:`, and brackets with a time, a caller or a task.
 */
#include "formats/trace_priv.h"

struct trace_slice trace_unquote(struct trace_slice line, bool *quoted)
{
	struct trace_slice rest = slice_trim(line);

	*quoted = false;
	while (rest.len && *rest.s == '>') {
		*quoted = true;
		rest.s++;
		rest.len--;
		line = rest;
		rest = slice_trim_left(rest);
	}
	return slice_trim(line);
}

static struct trace_slice behind(struct trace_slice line, size_t n)
{
	return slice_trim_left((struct trace_slice){ line.s + n, line.len - n });
}

/* `12.`, `12)`, `12:` or `12`, and a blank. */
static size_t list_number(struct trace_slice line)
{
	size_t n = 0;

	while (n < line.len && n < 8 && is_digit(line.s[n]))
		n++;
	if (n == 0)
		return 0;
	if (n < line.len && strchr(".):", line.s[n]))
		n++;
	return n < line.len && is_blank(line.s[n]) ? n : 0;
}

static size_t level(struct trace_slice line)
{
	size_t n = 1;

	if (line.len < 3 || line.s[0] != '<')
		return 0;
	while (n < line.len && n < 4 && is_digit(line.s[n]))
		n++;
	return n > 1 && n < line.len && line.s[n] == '>' ? n + 1 : 0;
}

static size_t bracket(struct trace_slice line)
{
	const char *end;

	if (!line.len || line.s[0] != '[')
		return 0;
	end = memchr(line.s, ']', line.len < 64 ? line.len : 64);
	return end ? (size_t)(end - line.s) + 1 : 0;
}

/* A date and a host before it are of no interest. */
static size_t log_source(struct trace_slice line)
{
	size_t max = line.len < 128 ? line.len : 128;

	for (size_t n = 7; n <= max; n++)
		if (line.s[n - 1] == ':' && !memcmp(line.s + n - 7, "kernel:", 7))
			return n == line.len || is_blank(line.s[n]) ? n : 0;
	return 0;
}

static size_t byte_order_mark(struct trace_slice line)
{
	return slice_starts(line, "\xef\xbb\xbf") ? 3 : 0;
}

/* Cut one prefix off; false if there is none. */
bool trace_strip_prefix(struct trace_slice *line)
{
	static size_t (*const prefixes[])(struct trace_slice) = {
		byte_order_mark, level, log_source, bracket, list_number
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t n = prefixes[i](*line);

		if (!n)
			continue;
		*line = behind(*line, n);
		return true;
	}
	return false;
}

/* Every `=` of an encoded line is `=3D`, so a record cannot hide it. */
bool trace_is_encoded(struct trace_slice line)
{
	const char *p = line.s, *end = slice_end(line);

	while ((p = memchr(p, '=', (size_t)(end - p))) && end - p >= 3) {
		if (p[1] == '3' && p[2] == 'D')
			return true;
		p++;
	}
	return false;
}

static int hex_upper(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void trace_decode(struct trace_slice from, struct trace_text *to)
{
	const char *p = from.s, *end = slice_end(from);
	char *out = to->s;

	while (p < end) {
		if (*p == '=' && end - p >= 3 && hex_upper(p[1]) >= 0 && hex_upper(p[2]) >= 0) {
			*out++ = (char)(hex_upper(p[1]) << 4 | hex_upper(p[2]));
			p += 3;
		} else {
			*out++ = *p++;
		}
	}
	to->len = (size_t)(out - to->s);
}
