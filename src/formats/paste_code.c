/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How characters were written down: UTF-16 of some shells, quoted-printable of
 * mails, colours of terminals, entities and tags of web pages. All in place, since what comes out is no longer.
 */
#include <string.h>

#include "formats/paste_priv.h"

/* UTF-16 with its mark becomes bytes; what has no byte is '?'. */
void paste_narrow(struct paste *p)
{
	const unsigned char *s = (const unsigned char *)p->text;
	size_t nr = p->bytes / 2, high;

	if (p->bytes < 2 || (memcmp(s, "\xff\xfe", 2) && memcmp(s, "\xfe\xff", 2)))
		return;
	high = s[0] == 0xff;
	for (size_t i = 1; i < nr; i++)
		p->text[i - 1] = s[2 * i + high] || s[2 * i + !high] > 126 ? '?' : (char)s[2 * i + !high];
	p->bytes = nr - 1;
}

/* ---- quoted-printable ---- */

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "=3D" at s; -1: none. The text ends in a NUL. */
static int printable(const char *s)
{
	return *s == '=' && hex(s[1]) >= 0 && hex(s[2]) >= 0 ? hex(s[1]) << 4 | hex(s[2]) : -1;
}

/* A line that goes on, "=" and its end at s: what is behind them, else NULL. */
static const char *soft_break(const char *s)
{
	const char *end = s + 1 + strspn(s + 1, " \t\r");

	return *s == '=' && *end == '\n' ? end + 1 : NULL;
}

/* An '=' is always written as "=3D" there, so any other that begins nothing says that it is none. */
static bool is_printable(const char *text)
{
	bool sure = false;

	for (const char *s = text; (s = strchr(s, '=')); s++) {
		int c = printable(s);

		if (c < 0 && !soft_break(s))
			return false;
		sure |= c == '=' || c == ' ' || c >= 0x80 || c < 0;
	}
	return sure;
}

/* Behind the header of a mail that says so; NULL: there is none. */
static char *printable_body(char *text)
{
	char *header = strcasestr(text, "content-transfer-encoding: quoted-printable"), *crlf, *lf;

	if (!header)
		return NULL;
	lf = strstr(header, "\n\n");
	crlf = strstr(header, "\n\r\n");
	return lf && (!crlf || lf < crlf) ? lf + 2 : crlf ? crlf + 3 : NULL;
}

/*
 * Joined lines leave empty ones behind them, so that numbers of lines stay. What
 * comes out is no longer than what was there.
 */
void paste_unprint(struct paste *p)
{
	char *body = printable_body(p->text), *to;
	uint32_t joined = 0;

	if (!body && is_printable(p->text))
		body = p->text;
	if (!body)
		return;
	to = body;
	for (const char *s = body, *next; s < p->text + p->bytes; s = next) {
		int c = printable(s);

		next = soft_break(s);
		if (next) {
			joined++;
			continue;
		}
		next = c < 0 ? s + 1 : s + 3;
		*to++ = c < 0 ? *s : c ? (char)c : '?';
		for (; *s == '\n' && joined; joined--)
			*to++ = '\n';
	}
	p->bytes = (size_t)(to - p->text);
}

/* ---- a line ---- */

static bool begins(const char *s, const char *end, const char *with, size_t n)
{
	return (size_t)(end - s) >= n && !memcmp(s, with, n);
}

/* "&gt;" at s: its character, and how long it was; 0 if there is none. */
static size_t entity(const char *s, const char *end, char *c)
{
	static const struct { const char *is; char c; } known[] = {
		{ "&gt;", '>' }, { "&lt;", '<' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&nbsp;", ' ' }, { "&#39;", '\'' },
		{ "&#x27;", '\'' }, { "&#160;", ' ' }, { "&#43;", '+' }, { "&#42;", '*' }, { "&apos;", '\'' },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(known); i++)
		if (begins(s, end, known[i].is, strlen(known[i].is))) {
			*c = known[i].c;
			return strlen(known[i].is);
		}
	return 0;
}

/* "<br>", "</pre>": how long a tag is that says nothing but how to show a line; 0 if there is none. */
static size_t tag(const char *s, const char *end)
{
	static const char *const known[] = { "br", "br/", "br /", "pre", "p", "tt", "code", "div", "span" };
	const char *name = s + 1, *close;

	if (*s != '<')
		return 0;
	name += name < end && *name == '/';
	close = memchr(name, '>', (size_t)(end - name));
	for (unsigned int i = 0; close && i < ARRAY_SIZE(known); i++)
		if ((size_t)(close - name) == strlen(known[i]) && !memcmp(name, known[i], (size_t)(close - name)))
			return (size_t)(close + 1 - s);
	return 0;
}

/* "\033[31m" at s. */
static size_t colour(const char *s, const char *end)
{
	const char *at = s + 2;

	if (!begins(s, end, "\033[", 2))
		return 0;
	while (at < end && (unsigned char)*at < 0x40)
		at++;
	return (size_t)(at - s) + (at < end);
}

/* The characters of a line as they would be in a plain text; where they end. */
char *paste_plain(char *line, char *end)
{
	char *to = line, c;

	for (char *s = line; s < end; ) {
		size_t n;

		if (begins(s, end, "\xc2\xa0", 2)) {
			*to++ = ' ';
			s += 2;
		} else if ((n = colour(s, end)) || (n = tag(s, end))) {
			s += n;
		} else if ((n = entity(s, end, &c))) {
			*to++ = c;
			s += n;
		} else {
			*to++ = *s == '\t' ? ' ' : *s;
			s++;
		}
	}
	return to;
}
