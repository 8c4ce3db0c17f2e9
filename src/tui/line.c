/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/line.h"

#include <string.h>

#include "shell/hints.h"

void line_begin(struct line *l, const char *prompt, bool plain)
{
	line_end(l);
	memset(l, 0, sizeof(*l));
	l->prompt = prompt;
	l->plain = plain;
}

void line_end(struct line *l)
{
	candidates_free(&l->found);
	l->listing = false;
	l->picked = 0;
}

/* ---- text ---- */

static bool inside_letter(const struct line *l, size_t at)
{
	return at < l->len && (l->text[at] & 0xc0) == 0x80;
}

static size_t before(const struct line *l, size_t at)
{
	at -= at > 0;
	while (at && inside_letter(l, at))
		at--;
	return at;
}

static size_t after(const struct line *l, size_t at)
{
	at += at < l->len;
	while (inside_letter(l, at))
		at++;
	return at;
}

static void cut(struct line *l, size_t from, size_t to)
{
	memmove(l->text + from, l->text + to, l->len - to + 1);
	l->len -= to - from;
	l->at = from;
}

static void insert(struct line *l, const char *text, size_t len)
{
	if (l->len + len + 1 >= sizeof(l->text))
		return;
	memmove(l->text + l->at + len, l->text + l->at, l->len - l->at + 1);
	memcpy(l->text + l->at, text, len);
	l->at += len;
	l->len += len;
}

static void insert_letter(struct line *l, uint32_t ch)
{
	char utf8[4];

	insert(l, utf8, (size_t)(write_utf8(utf8, ch) - utf8));
}

static void set_text(struct line *l, const char *text)
{
	l->len = strlen(text) < sizeof(l->text) ? strlen(text) : sizeof(l->text) - 1;
	memcpy(l->text, text, l->len);
	l->text[l->len] = 0;
	for (size_t i = 0; i < l->len; i++)	/* a statement over several lines is edited as one */
		if (l->text[i] == '\n')
			l->text[i] = ' ';
	l->at = l->len;
}

static size_t word_before(const struct line *l)
{
	size_t at = l->at;

	while (at && l->text[at - 1] == ' ')
		at--;
	while (at && l->text[at - 1] != ' ')
		at--;
	return at;
}

/* ---- history ---- */

/* The next entry further back (or nearer) that begins as what was typed. */
static void walk_history(struct line *l, const struct history *h, int by)
{
	unsigned int past = l->past;
	size_t len;

	if (!past)
		memcpy(l->kept, l->text, l->len + 1);
	len = strlen(l->kept);
	do {
		if (by < 0 && past <= 1) {
			if (past)
				set_text(l, l->kept);
			l->past = 0;
			return;
		}
		past += (unsigned int)by;
		if (past > h->nr)
			return;
	} while (strncmp(h->v[h->nr - past], l->kept, len));
	l->past = past;
	set_text(l, h->v[h->nr - past]);
}

/* ---- completion ---- */

static size_t common(const struct candidates *c)
{
	size_t n = c->nr ? strlen(c->v[0].text) : 0;

	for (unsigned int i = 1; i < c->nr; i++) {
		size_t k = 0;

		while (k < n && c->v[i].text[k] == c->v[0].text[k])
			k++;
		n = k;
	}
	return n;
}

static void replace_word(struct line *l, const char *text, size_t len, bool blank)
{
	cut(l, l->found.start, l->at);
	insert(l, text, len);
	if (blank && l->text[l->at] != ' ')
		insert(l, " ", 1);
}

static void pick(struct line *l, int by)
{
	unsigned int nr = l->found.nr;
	const struct candidate *c;

	l->picked = l->picked ? (l->picked - 1 + nr + (unsigned int)by) % nr + 1 : by > 0 ? 1 : nr;
	c = &l->found.v[l->picked - 1];
	replace_word(l, c->text, strlen(c->text), false);
}

static void complete(struct line *l, struct shell *sh, int by)
{
	size_t typed;

	if (l->listing && l->found.nr > 1) {
		pick(l, by);
		return;
	}
	candidates_free(&l->found);
	complete_line(sh, l->text, l->at, &l->found);
	typed = l->at - l->found.start;
	if (l->found.nr == 1)
		replace_word(l, l->found.v[0].text, strlen(l->found.v[0].text), !l->found.v[0].open);
	else if (common(&l->found) > typed)
		replace_word(l, l->found.v[0].text, common(&l->found), false);
	l->listing = l->found.nr > 1;
	l->picked = 0;
}

/* ---- keys ---- */

static void edit(struct line *l, int key)
{
	switch (key) {
	case K_LEFT: case CTRL('B'): l->at = before(l, l->at); break;
	case K_RIGHT: case CTRL('F'): l->at = after(l, l->at); break;
	case K_HOME: case CTRL('A'): l->at = 0; break;
	case K_END: case CTRL('E'): l->at = l->len; break;
	case CTRL('K'): cut(l, l->at, l->len); break;
	case CTRL('U'): cut(l, 0, l->at); break;
	case CTRL('W'): cut(l, word_before(l), l->at); break;
	case K_BACKSPACE: cut(l, before(l, l->at), l->at); break;
	case K_DELETE: case CTRL('D'): cut(l, l->at, after(l, l->at)); break;
	default:
		if (key >= ' ' && key < KEYS_BEGIN)
			insert_letter(l, (uint32_t)key);
	}
}

enum line_result line_key(struct line *l, struct shell *sh, int key)
{
	bool was_listing = l->listing;

	if (key == KEY_TAB || key == K_BACKTAB) {
		if (!l->plain)
			complete(l, sh, key == KEY_TAB ? 1 : -1);
		return LINE_GOES_ON;
	}
	if (was_listing && (key == K_DOWN || key == K_UP)) {
		pick(l, key == K_DOWN ? 1 : -1);
		return LINE_GOES_ON;
	}
	line_end(l);
	switch (key) {
	case KEY_RETURN:
		return LINE_DONE;
	case KEY_ESC:
		return was_listing ? LINE_GOES_ON : LINE_LEFT;
	case CTRL('G'):
		return LINE_LEFT;
	case K_UP: case CTRL('P'):
		walk_history(l, &sh->history, 1);
		return LINE_GOES_ON;
	case K_DOWN: case CTRL('N'):
		walk_history(l, &sh->history, -1);
		return LINE_GOES_ON;
	case K_BACKSPACE:
		if (!l->len)
			return LINE_LEFT;
		break;
	}
	l->past = 0;
	edit(l, key);
	return LINE_GOES_ON;
}

/* ---- the picture ---- */

int line_draw(const struct line *l, struct shell *sh, const struct area *a)
{
	char head[LINE_MAX_BYTES], hint[512];
	int cursor, x, shift;

	memcpy(head, l->text, l->at);
	head[l->at] = 0;
	cursor = text_columns(l->prompt) + 1 + text_columns(head);
	shift = cursor >= a->w ? cursor - a->w + 1 : 0;
	x = put(a, -shift, 0, TONE_ACCENT | ATTR_BOLD, "%s ", l->prompt);
	x = put_long(a, x, 0, TONE_PLAIN, l->text);
	if (!l->plain && l->at == l->len && hint_line(sh, l->text, hint, sizeof(hint))[0])
		put(a, x, 0, TONE_DIM, "%s", hint);
	return cursor - shift;
}

int line_list_rows(const struct line *l, int most)
{
	return !l->listing ? 0 : (int)l->found.nr < most ? (int)l->found.nr : most;
}

void line_list_draw(const struct line *l, const struct area *a)
{
	int first = (int)l->picked > a->h ? (int)l->picked - a->h : 0, width = 0;

	for (unsigned int i = 0; i < l->found.nr; i++)
		if (text_columns(l->found.v[i].text) > width)
			width = text_columns(l->found.v[i].text);
	for (int y = 0; y < a->h && first + y < (int)l->found.nr; y++) {
		const struct candidate *c = &l->found.v[first + y];
		unsigned int style = (int)l->picked - 1 == first + y ? TONE_ACCENT | ATTR_REVERSE : TONE_HEAD;

		put_many(a, 0, y, TONE_PLAIN, ' ', a->w);
		put(a, 2, y, style, "%s", c->text);
		put(a, width + 4, y, TONE_DIM, "%s", c->hint);
	}
	if (first + a->h < (int)l->found.nr)
		put_right(a, a->w, a->h - 1, TONE_DIM, " %d more", (int)l->found.nr - first - a->h);
}
