/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/partial.h"

#include <stdlib.h>
#include <string.h>

#include "shell/arena.h"

struct cutter {
	struct partial *p;
	const char *line;
	size_t at, end;
	size_t begun;		/* of the word under way */
	size_t len;		/* of p->text so far */
	bool in_word, quoted;	/* quoted: some of the word stood in quotes */
	char quote;
};

static void new_statement(struct partial *p)
{
	while (p->nr)
		free(p->words[--p->nr]);
	p->host = p->comment = false;
}

/* `{`, `}` and `|` mean something as whole bare words. */
static bool takes_effect(struct cutter *c)
{
	struct partial *p = c->p;

	if (c->quoted || c->len != 1 || p->host || !strchr("{}|", p->text[0]))
		return false;
	if (p->text[0] == '|')
		p->host = true;
	else
		new_statement(p);
	return true;
}

static void end_word(struct cutter *c)
{
	struct partial *p = c->p;

	if (!c->in_word)
		return;
	p->text[c->len] = 0;
	if (!takes_effect(c) && p->nr < PARTIAL_WORDS)
		p->words[p->nr++] = host_text(p->text);
	c->len = 0;
	c->in_word = c->quoted = false;
}

static void begin_word(struct cutter *c)
{
	if (c->in_word)
		return;
	c->in_word = true;
	c->begun = c->at;
	c->p->comment |= c->line[c->at] == '#';
}

/* A byte inside quotes or a quote itself. */
static bool take_quoted(struct cutter *c, char byte)
{
	if (c->quote ? byte != c->quote : byte != '\'' && byte != '"')
		return c->quote ? (c->p->text[c->len++] = byte, true) : false;
	begin_word(c);
	/* a word that begins with its quote is completed behind it */
	if (!c->quote && c->begun == c->at)
		c->begun++;
	c->quote = c->quote ? 0 : byte;
	c->quoted = true;
	return true;
}

static void take(struct cutter *c)
{
	char byte = c->line[c->at];

	if ((c->p->comment && byte != '\n') || take_quoted(c, byte))
		return;
	if (byte == ' ' || byte == '\t') {
		end_word(c);
	} else if (byte == ';' || byte == '\n') {
		end_word(c);
		new_statement(c->p);
	} else {
		begin_word(c);
		if (byte == '\\' && c->at + 1 < c->end)
			byte = c->line[++c->at];
		c->p->text[c->len++] = byte;
	}
}

void partial_read(struct partial *p, const char *line, size_t point)
{
	struct cutter c = { .p = p, .line = line, .end = point };

	memset(p, 0, sizeof(*p));
	p->text = host_alloc(point + 1);
	for (c.at = 0; c.at < point; c.at++)
		take(&c);
	p->text[c.len] = 0;
	p->start = c.in_word ? c.begun : point;
	p->plain = point - p->start == c.len && !memcmp(line + p->start, p->text, c.len);
	p->words[p->nr] = NULL;
}

void partial_free(struct partial *p)
{
	new_statement(p);
	free(p->text);
	p->text = NULL;
}
