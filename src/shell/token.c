/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/token.h"

#include <stdlib.h>
#include <string.h>

#include "base/types.h"

#define NOTHING (-1)

/* The byte `ahead` of the next one, NOTHING at the end. */
static int peek(struct lexer *lx, size_t ahead)
{
	struct input *in = lx->in;

	while (in->pos + ahead >= in->len)
		if (!input_more(in))
			return NOTHING;
	return (unsigned char)in->buf[in->pos + ahead];
}

static void skip(struct lexer *lx, size_t n)
{
	struct input *in = lx->in;

	for (; n; n--)
		if (in->buf[in->pos++] == '\n')
			in->line++;
}

static void keep(struct lexer *lx, int c)
{
	if (lx->len + 1 >= lx->room) {
		lx->room = lx->room ? lx->room * 2 : 256;
		lx->raw = host_grow(lx->raw, lx->room);
	}
	lx->raw[lx->len++] = (char)c;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t';
}

/* Length of a line's end here: 1, 2 for CR LF, 0 for none. */
static size_t at_newline(struct lexer *lx, size_t ahead)
{
	int c = peek(lx, ahead);

	if (c == '\n')
		return 1;
	return c == '\r' && peek(lx, ahead + 1) == '\n' ? 2 : 0;
}

/* Length of a `\` and the line's end behind it. */
static size_t at_continuation(struct lexer *lx)
{
	size_t end;

	if (peek(lx, 0) != '\\')
		return 0;
	end = at_newline(lx, 1);
	return end ? 1 + end : 0;
}

static void skip_comment(struct lexer *lx)
{
	while (peek(lx, 0) != NOTHING && !at_newline(lx, 0))
		skip(lx, 1);
}

static void skip_blanks(struct lexer *lx)
{
	size_t n;

	for (;;)
		if (is_blank(peek(lx, 0)))
			skip(lx, 1);
		else if ((n = at_continuation(lx)))
			skip(lx, n);
		else if (peek(lx, 0) == '#')
			skip_comment(lx);
		else
			return;
}

void token_skip_line(struct lexer *lx)
{
	size_t n;

	for (;;) {
		if (peek(lx, 0) == NOTHING)
			return;
		n = at_newline(lx, 0);
		skip(lx, n ? n : 1);
		if (n)
			return;
	}
}

/* Characters that a `\` takes the meaning from, outside quotes and in "…". */
static bool is_escaped(int c, bool in_double)
{
	return c > 0 && strchr(in_double ? "\"$\\" : "\"$\\'; \t#|{}<>", c);
}

/*
 * A quote in a file ends on its line: one that does not is a mistake, better told there than at
 * the file's end. Who types sees the prompt for more.
 */
static bool ends_quote(struct lexer *lx)
{
	if (!at_newline(lx, 0))
		return peek(lx, 0) == NOTHING;
	lx->in->open = true;
	return !lx->in->ask;
}

/* The inside of a quote, its marks too, goes to lx->raw. NULL or what is wrong. */
static const char *read_quote(struct lexer *lx, unsigned int *flags)
{
	int quote = peek(lx, 0), c;
	size_t n;

	keep(lx, quote);
	skip(lx, 1);
	while ((c = peek(lx, 0)) != quote) {
		if (quote == '"' && (n = at_continuation(lx))) {
			skip(lx, n);
			continue;
		}
		if (ends_quote(lx))
			return quote == '"' ? "a \" is not closed on its line" : "a ' is not closed on its line";
		if (c == 0)
			return "a NUL byte stands in the text";
		if (quote == '"' && c == '$')
			*flags |= WORD_DOLLAR;
		if (quote == '"' && c == '\\' && is_escaped(peek(lx, 1), true)) {
			keep(lx, c);
			skip(lx, 1);
			c = peek(lx, 0);
		}
		keep(lx, c);
		skip(lx, 1);
	}
	keep(lx, quote);
	skip(lx, 1);
	*flags |= WORD_QUOTED;
	return NULL;
}

/* One step of a bare part of a word. NULL or what is wrong. */
static const char *read_bare(struct lexer *lx, unsigned int *flags)
{
	int c = peek(lx, 0);

	if (c == 0)
		return "a NUL byte stands in the text";
	if (c == '\\' && is_escaped(peek(lx, 1), false)) {
		keep(lx, c);
		skip(lx, 1);
		c = peek(lx, 0);
		*flags |= WORD_QUOTED;
	} else if (c == '$') {
		*flags |= WORD_DOLLAR;
	}
	keep(lx, c);
	skip(lx, 1);
	return NULL;
}

static bool ends_word(struct lexer *lx)
{
	int c = peek(lx, 0);

	return c == NOTHING || is_blank(c) || c == ';' || at_newline(lx, 0);
}

/* `>` or `>>` at the front of a word is one of its own, so that >FILE needs no blank; `>=` compares. */
static bool read_redirection(struct lexer *lx)
{
	if (peek(lx, 0) != '>' || peek(lx, 1) == '=')
		return false;
	for (int n = peek(lx, 1) == '>' ? 2 : 1; n; n--) {
		keep(lx, '>');
		skip(lx, 1);
	}
	return true;
}

static struct token bad(struct lexer *lx, struct token t, const char *what)
{
	t.kind = TOKEN_BAD;
	t.word = (struct word){ .text = what };
	token_skip_line(lx);
	return t;
}

static bool at_block_end(struct lexer *lx)
{
	int c;

	if (!lx->depth || peek(lx, 0) != '}')
		return false;
	c = peek(lx, 1);
	return c == NOTHING || is_blank(c) || c == ';' || at_newline(lx, 1);
}

/* A quote in a host command: copied as it is, over lines if need be. */
static bool copy_host_quote(struct lexer *lx)
{
	int quote = peek(lx, 0), c;

	keep(lx, quote);
	skip(lx, 1);
	while ((c = peek(lx, 0)) != quote) {
		if (quote == '"' && c == '\\' && peek(lx, 1) != NOTHING) {
			keep(lx, c);
			skip(lx, 1);
			c = peek(lx, 0);
		}
		if (c == NOTHING || c == 0)
			return false;
		keep(lx, c);
		skip(lx, 1);
	}
	keep(lx, quote);
	skip(lx, 1);
	return true;
}

static struct token host_command(struct lexer *lx, struct token t)
{
	bool word_begins = true;	/* where # and } may mean something */
	int c;

	lx->len = 0;
	skip_blanks(lx);
	for (; (c = peek(lx, 0)) != NOTHING && c != ';' && !at_newline(lx, 0); word_begins = is_blank(c)) {
		if (word_begins && c == '#')
			skip_comment(lx);
		else if (word_begins && at_block_end(lx))
			break;
		else if (c == '\'' || c == '"') {
			if (!copy_host_quote(lx))
				return bad(lx, t, "a quote of the host command is not closed");
		} else if (c == 0) {
			return bad(lx, t, "a NUL byte stands in the text");
		} else {
			if (c == '\\' && peek(lx, 1) > 0) {
				keep(lx, c);
				skip(lx, 1);
			}
			keep(lx, peek(lx, 0));
			skip(lx, 1);
		}
	}
	while (lx->len && is_blank(lx->raw[lx->len - 1]))
		lx->len--;
	if (!lx->len)
		return bad(lx, t, "no host command follows the |");
	t.kind = TOKEN_PIPE;
	t.word.text = arena_text(lx->arena, lx->raw, lx->len);
	return t;
}

static bool raw_is(const struct lexer *lx, char c)
{
	return lx->len == 1 && lx->raw[0] == c;
}

struct token token_next(struct lexer *lx)
{
	struct token t = { .kind = TOKEN_WORD };
	const char *wrong = NULL;
	bool redirects;
	size_t n = 0;
	int c;

	skip_blanks(lx);
	t.line = lx->in->line;
	c = peek(lx, 0);
	if (c == NOTHING || c == ';' || (n = at_newline(lx, 0))) {
		t.kind = c == NOTHING ? TOKEN_END : c == ';' ? TOKEN_SEMICOLON : TOKEN_NEWLINE;
		if (c != NOTHING)
			skip(lx, c == ';' ? 1 : n);
		return t;
	}
	lx->len = 0;
	redirects = read_redirection(lx);
	while (!wrong && !redirects && !ends_word(lx))
		if ((n = at_continuation(lx)))
			skip(lx, n);
		else if ((c = peek(lx, 0)) == '\'' || c == '"')
			wrong = read_quote(lx, &t.word.flags);
		else
			wrong = read_bare(lx, &t.word.flags);
	if (wrong)
		return bad(lx, t, wrong);
	if (!(t.word.flags & WORD_QUOTED)) {
		if (raw_is(lx, '|'))
			return host_command(lx, t);
		if (raw_is(lx, '{') || raw_is(lx, '}')) {
			t.kind = raw_is(lx, '{') ? TOKEN_OPEN : TOKEN_CLOSE;
			return t;
		}
	}
	keep(lx, 0);
	lx->len--;
	t.word.text = t.word.flags & WORD_QUOTED && !(t.word.flags & WORD_DOLLAR)
		? word_expand(lx->arena, lx->raw, NULL, NULL)
		: arena_text(lx->arena, lx->raw, lx->len);
	return t;
}

bool word_is(const struct word *w, const char *text)
{
	return !w->flags && !strcmp(w->text, text);
}

/* ---- taking quotes off, putting values in ---- */

struct writer {
	char *buf;
	size_t len, room;
};

static void put(struct writer *w, const char *text, size_t len)
{
	if (w->room - w->len < len) {
		w->room = (w->len + len) * 2;
		w->buf = host_grow(w->buf, w->room);
	}
	memcpy(w->buf + w->len, text, len);
	w->len += len;
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/*
 * The name behind a `$`: a word, one digit, `#`, `@`, or anything in braces.
 * Returns how many bytes it and its braces take, 0 when this `$` is only a `$`.
 */
static size_t dollar_name(const char *s, const char **name, size_t *len)
{
	const char *end;

	*name = s;
	*len = 1;
	if (*s == '{') {
		end = strchr(s, '}');
		if (!end || end == s + 1)
			return 0;
		*name = s + 1;
		*len = (size_t)(end - s - 1);
		return *len + 2;
	}
	if (*s == '#' || *s == '@' || (*s >= '0' && *s <= '9'))
		return 1;
	if (!is_name_start(*s))
		return 0;
	while (is_name_start(s[*len]) || (s[*len] >= '0' && s[*len] <= '9'))
		++*len;
	return *len;
}

static bool put_value(struct writer *w, const char **s,
		      const char *(*value)(void *, const char *, size_t), void *from)
{
	const char *name, *text;
	size_t len, bytes = dollar_name(*s + 1, &name, &len);

	if (!bytes || !value) {
		put(w, (*s)++, 1);
		return true;
	}
	text = value(from, name, len);
	if (!text)
		return false;
	put(w, text, strlen(text));
	*s += 1 + bytes;
	return true;
}

char *word_expand(struct arena *arena, const char *raw,
		  const char *(*value)(void *from, const char *name, size_t len), void *from)
{
	struct writer w = { 0 };
	char quote = 0, *text = NULL;
	const char *s = raw;

	while (*s) {
		if (quote ? *s == quote : *s == '\'' || *s == '"') {
			quote = quote ? 0 : *s;
			s++;
		} else if (*s == '$' && quote != '\'') {
			if (!put_value(&w, &s, value, from))
				goto out;
		} else {
			if (*s == '\\' && quote != '\'' && is_escaped((unsigned char)s[1], quote == '"'))
				s++;
			put(&w, s++, 1);
		}
	}
	text = arena_text(arena, w.buf ? w.buf : "", w.len);
out:
	free(w.buf);
	return text;
}
