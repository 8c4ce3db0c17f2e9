/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How characters were written down: UTF-16 of some shells, colours of terminals,
 * entities and tags of web pages. All in place, since what comes out is no longer.
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
