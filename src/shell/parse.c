/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

void parser_init(struct parser *p, struct input *in, struct arena *arena)
{
	*p = (struct parser){ .lexer = { .in = in, .arena = arena } };
}

void parser_fini(struct parser *p)
{
	free(p->lexer.raw);
	p->lexer.raw = NULL;
}

bool is_name(const char *text)
{
	const char *s = text;

	if (!((*s | 32) >= 'a' && (*s | 32) <= 'z') && *s != '_')
		return false;
	while (*++s)
		if (!((*s | 32) >= 'a' && (*s | 32) <= 'z') && !(*s >= '0' && *s <= '9') && !strchr("_.-", *s))
			return false;
	return true;
}

/* Remember the first thing that is wrong; what comes of it later is noise. */
static int wrong(struct parser *p, unsigned long line, const char *what)
{
	if (!p->wrong) {
		p->wrong = arena_text(p->lexer.arena, what, strlen(what));
		p->wrong_line = line;
	}
	return -EINVAL;
}

static int step(struct parser *p)
{
	p->lexer.in->open = true;	/* a terminal shows the prompt for more */
	p->now = token_next(&p->lexer);
	return p->now.kind == TOKEN_BAD ? wrong(p, p->now.line, p->now.word.text) : 0;
}

/* Words up to whatever is none, in one piece of the arena. */
struct words {
	struct word *v;
	unsigned int nr, room;
};

static void words_add(struct parser *p, struct words *w)
{
	if (w->nr == w->room) {
		struct word *v;

		w->room = w->room ? w->room * 2 : 8;
		v = arena_get(p->lexer.arena, w->room * sizeof(*v));
		if (w->nr)
			memcpy(v, w->v, w->nr * sizeof(*v));
		w->v = v;
	}
	w->v[w->nr++] = p->now.word;
}

static int parse_words(struct parser *p, struct words *w)
{
	int ret = 0;

	while (!ret && p->now.kind == TOKEN_WORD) {
		words_add(p, w);
		ret = step(p);
	}
	return ret;
}

static int parse_list(struct parser *p, struct node **list, bool in_block);

/* From `{` to behind `}`. */
static int parse_body(struct parser *p, struct node *n)
{
	unsigned long line = p->now.line;
	char text[80];
	int ret;

	if (p->now.kind != TOKEN_OPEN)
		return wrong(p, p->now.line, n->kind == NODE_REPEAT
			? "repeat N is followed by { commands } (the { on the same line)"
			: "for NAME in WORD... is followed by { commands } (the { on the same line)");
	if (p->lexer.depth == BLOCKS_DEEP)
		return wrong(p, line, "blocks are nested deeper than 64");
	p->lexer.depth++;
	ret = step(p);
	if (!ret)
		ret = parse_list(p, &n->body, true);
	p->lexer.depth--;
	if (ret)
		return ret;
	if (p->now.kind != TOKEN_CLOSE) {
		snprintf(text, sizeof(text), "the { of line %lu has no }", line);
		return wrong(p, p->now.line, text);
	}
	return step(p);
}

static int parse_repeat(struct parser *p, struct node *n)
{
	struct words w = { 0 };
	int ret = parse_words(p, &w);

	n->kind = NODE_REPEAT;
	if (ret)
		return ret;
	if (w.nr != 1)
		return wrong(p, n->line, "repeat takes one number, then { commands }");
	n->words = w.v;
	n->nr = w.nr;
	return parse_body(p, n);
}

static int parse_for(struct parser *p, struct node *n)
{
	struct words w = { 0 };
	int ret = parse_words(p, &w);

	n->kind = NODE_FOR;
	if (ret)
		return ret;
	if (w.nr < 2 || !word_is(&w.v[1], "in"))
		return wrong(p, n->line, "for is written: for NAME in WORD... { commands }");
	if (w.v[0].flags || !is_name(w.v[0].text) || strpbrk(w.v[0].text, ".-"))
		return wrong(p, n->line, "the name after for has letters, digits and _ only");
	n->var = w.v[0].text;
	n->words = w.v + 2;
	n->nr = w.nr - 2;
	return parse_body(p, n);
}

/* NAME =, @LAB, on CPU, in this order; leaves p->now at the first word behind them. */
static int parse_prefixes(struct parser *p, struct node *n, struct words *w)
{
	int ret = 0;

	words_add(p, w);
	ret = step(p);
	if (!ret && p->now.kind == TOKEN_WORD && word_is(&p->now.word, "=")) {
		n->name = w->v[0];
		if (!(n->name.flags & WORD_DOLLAR) && !is_name(n->name.text))
			return wrong(p, n->line,
				     "a handle's name begins with a letter and has letters, digits, _ . - only");
		w->nr = 0;
		ret = step(p);
		if (!ret && p->now.kind != TOKEN_WORD)
			return wrong(p, n->line, "a command that allocates follows NAME =");
		if (!ret) {
			words_add(p, w);
			ret = step(p);
		}
	}
	if (!ret && w->v[0].text[0] == '@' && !(w->v[0].flags & WORD_QUOTED)) {
		n->lab = w->v[0];
		n->lab.text++;
		w->nr = 0;
		if (p->now.kind != TOKEN_WORD)
			return p->now.kind == TOKEN_OPEN ? 0 : wrong(p, n->line, "a command follows @LAB");
		words_add(p, w);
		ret = step(p);
	}
	if (!ret && word_is(&w->v[0], "on")) {
		if (p->now.kind != TOKEN_WORD)
			return wrong(p, n->line, "on is followed by a CPU or all, then a command");
		n->on = p->now.word;
		w->nr = 0;
		ret = step(p);
		if (ret || p->now.kind == TOKEN_OPEN)
			return ret;
		if (p->now.kind != TOKEN_WORD)
			return wrong(p, n->line, "a command follows on CPU");
		words_add(p, w);
		ret = step(p);
	}
	return ret;
}

/* `| HOST` behind anything; `> FILE` behind a block (commands look for it in their own words). */
static int parse_output(struct parser *p, struct node *n)
{
	if (n->kind != NODE_COMMAND && p->now.kind == TOKEN_WORD &&
	    (word_is(&p->now.word, ">") || word_is(&p->now.word, ">>"))) {
		n->append = p->now.word.text[1] == '>';
		if (step(p))
			return -EINVAL;
		if (p->now.kind != TOKEN_WORD)
			return wrong(p, n->line, "a file's name follows >");
		n->file = p->now.word;
		if (step(p))
			return -EINVAL;
	}
	if (p->now.kind != TOKEN_PIPE)
		return 0;
	n->host = p->now.word.text;
	return step(p);
}

/* Does a block begin at p->now? */
static bool at_block(const struct parser *p)
{
	return p->now.kind == TOKEN_OPEN || (p->now.kind == TOKEN_WORD &&
	       (word_is(&p->now.word, "repeat") || word_is(&p->now.word, "for")));
}

/* `time` before a block is no command: it goes with the block. */
static int take_time(struct parser *p, struct node *n, struct words *w)
{
	int ret = 0;

	if (w->nr != 1 || !word_is(&w->v[0], "time") || !at_block(p))
		return 0;
	n->timed = true;
	w->nr = 0;
	if (p->now.kind == TOKEN_WORD) {
		words_add(p, w);
		ret = step(p);
	}
	return ret;
}

static int parse_statement(struct parser *p, struct node **node)
{
	struct node *n = arena_get(p->lexer.arena, sizeof(*n));
	struct words w = { 0 };
	int ret = 0;

	n->line = p->now.line;
	if (p->now.kind == TOKEN_WORD)
		ret = parse_prefixes(p, n, &w);
	if (!ret)
		ret = take_time(p, n, &w);
	if (ret)
		return ret;
	if (!w.nr) {
		n->kind = NODE_BLOCK;
		ret = parse_body(p, n);
	} else if (word_is(&w.v[0], "repeat")) {
		ret = parse_repeat(p, n);
	} else if (word_is(&w.v[0], "for")) {
		ret = parse_for(p, n);
	} else {
		ret = parse_words(p, &w);
		n->words = w.v;
		n->nr = w.nr;
	}
	if (ret)
		return ret;
	if (n->kind != NODE_COMMAND && n->name.text)
		return wrong(p, n->line, "NAME = stands before one command, not before a block");
	*node = n;
	return parse_output(p, n);
}

/* Has a statement ended here? Takes the `;` or, in a block, the line's end. */
static int parse_separator(struct parser *p, bool in_block)
{
	switch (p->now.kind) {
	case TOKEN_SEMICOLON:
		return step(p);
	case TOKEN_NEWLINE:
		return in_block ? step(p) : 0;
	case TOKEN_END:
		return 0;
	case TOKEN_CLOSE:
		return in_block ? 0 : wrong(p, p->now.line, "a } closes nothing");
	case TOKEN_OPEN:
		return wrong(p, p->now.line, "a { stands only after repeat N, for NAME in WORD..., @LAB or on CPU");
	default:
		return wrong(p, p->now.line, "a ; or a new line was expected here");
	}
}

static int parse_list(struct parser *p, struct node **list, bool in_block)
{
	int ret;

	for (;;) {
		while (p->now.kind == TOKEN_SEMICOLON || (in_block && p->now.kind == TOKEN_NEWLINE))
			if (step(p))
				return -EINVAL;
		if (p->now.kind == TOKEN_END || p->now.kind == TOKEN_NEWLINE ||
		    (in_block && p->now.kind == TOKEN_CLOSE))
			return 0;
		if (p->now.kind == TOKEN_WORD || p->now.kind == TOKEN_OPEN) {
			ret = parse_statement(p, list);
			if (ret)
				return ret;
			list = &(*list)->next;
		} else if (p->now.kind == TOKEN_PIPE) {
			return wrong(p, p->now.line, "a | follows no command");
		}
		ret = parse_separator(p, in_block);
		if (ret)
			return ret;
	}
}

/* The rest of a line that went wrong says nothing; a line's end in p->now is taken already. */
static void resume_after(struct parser *p)
{
	if (p->now.kind != TOKEN_NEWLINE && p->now.kind != TOKEN_BAD && p->now.kind != TOKEN_END)
		token_skip_line(&p->lexer);
}

/* Ctrl-C while a statement was typed: nothing of it counts. */
static int drop_typed(struct input *in)
{
	in->dropped = false;
	in->pos = in->len;
	return -EINTR;
}

int parse_line(struct parser *p, struct node **list)
{
	struct input *in = p->lexer.in;
	int ret;

	*list = NULL;
	p->wrong = NULL;
	p->lexer.depth = 0;
	do {
		input_forget(in);
		in->open = false;
		p->now = token_next(&p->lexer);
	} while (p->now.kind == TOKEN_NEWLINE || p->now.kind == TOKEN_SEMICOLON);
	in->open = false;
	if (p->now.kind == TOKEN_END)
		return in->dropped ? drop_typed(in) : 0;
	ret = p->now.kind == TOKEN_BAD ? wrong(p, p->now.line, p->now.word.text)
				       : parse_list(p, list, false);
	in->open = false;
	if (in->dropped)
		return drop_typed(in);
	if (ret)
		resume_after(p);
	return ret ? ret : 1;
}
