/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/spot.h"

#include <string.h>

#include "shell/usage.h"

/* The words that are still to be looked at. */
struct rest {
	char **words;
	unsigned int nr;
};

static void skip(struct rest *r, unsigned int n)
{
	r->words += n;
	r->nr -= n;
}

static bool next_is(const struct rest *r, const char *word)
{
	return r->nr && !strcmp(r->words[0], word);
}

static void command(struct spot *s, struct rest r);

static void argument(struct spot *s, struct rest r)
{
	memset(&s->args, 0, sizeof(s->args));
	s->args.cmd = s->cmd;
	s->args.words = r.words;
	s->args.nr = r.nr;
	for (; r.nr; skip(&r, 1)) {
		const char *value;
		int place = args_place(&s->args), row;

		if (place >= 0 && s->cmd->args[place].type == ARG_COMMAND) {
			command(s, r);
			return;
		}
		row = args_option(&s->args, r.words[0]);
		if (row < 0)
			row = args_row(&s->args, r.words[0], &value);
		else if (r.nr > 1)
			value = (skip(&r, 1), r.words[0]);
		else
			break;	/* the cursor is on its value */
		if (row < 0)
			continue;
		s->args.value[row].given = true;
		s->args.value[row].word = value;
		s->args.value[row].nr++;
	}
	s->row = r.nr ? args_option(&s->args, r.words[0]) : args_row(&s->args, s->text, &s->value);
	if (r.nr)
		s->value = s->text;
	s->by_key = s->row >= 0 && !arg_by_place(&s->cmd->args[s->row]);
	if (s->row >= 0 && s->cmd->args[s->row].type == ARG_COMMAND)
		s->kind = SPOT_COMMAND;
}

static void command(struct spot *s, struct rest r)
{
	unsigned int used;

	s->kind = SPOT_COMMAND;
	s->cmd = NULL;
	if (!r.nr)
		return;
	s->cmd = cmd_find(r.words, r.nr, &used);
	if (s->cmd) {
		s->kind = SPOT_ARGUMENT;
		skip(&r, used);
		argument(s, r);
		return;
	}
	s->family = r.words[0];
	s->kind = r.nr == 1 && cmd_is_family(r.words[0]) ? SPOT_MEMBER : SPOT_NOTHING;
}

/* `@LAB` and `on CPU`; false when the cursor is inside them. */
static bool prefixes(struct shell *sh, struct spot *s, struct rest *r)
{
	if (r->nr && r->words[0][0] == '@') {
		struct lab_slot *slot = labs_find(&sh->labs, r->words[0] + 1);

		s->lab = slot ? slot->lab : s->lab;
		skip(r, 1);
	}
	if (next_is(r, "on")) {
		s->kind = SPOT_CPU;
		if (r->nr == 1)
			return false;
		skip(r, 2);
	}
	return true;
}

static bool keyword(struct spot *s, const struct rest *r)
{
	if (next_is(r, "repeat"))
		s->kind = r->nr == 1 ? SPOT_TIMES : SPOT_NOTHING;
	else if (next_is(r, "for"))
		s->kind = r->nr == 2 ? SPOT_IN : SPOT_NOTHING;
	else
		return false;
	return true;
}

static void statement(struct shell *sh, struct spot *s)
{
	struct rest r = { s->partial.words, s->partial.nr };

	if (r.nr > 1 && !strcmp(r.words[1], "=")) {
		s->named = true;
		skip(&r, 2);
	}
	if (!prefixes(sh, s, &r))
		return;
	if (r.nr > 1 && r.words[r.nr - 1][0] == '>' && !cmd_takes_gt(r.words, r.nr))
		s->kind = SPOT_FILE;
	else if (s->named || !keyword(s, &r))
		command(s, r);
	s->bare = !r.nr && !s->named;
}

void spot_find(struct shell *sh, const char *line, size_t point, struct spot *s)
{
	struct lab_slot *slot = labs_current(&sh->labs);

	memset(s, 0, sizeof(*s));
	s->row = -1;
	partial_read(&s->partial, line, point);
	s->text = s->partial.text;
	s->lab = slot ? slot->lab : NULL;
	if (s->partial.host)
		s->kind = SPOT_FILE;
	else if (!s->partial.comment)
		statement(sh, s);
}

const char *spot_policy(const struct spot *s)
{
	for (int i = 0; i < s->row; i++)
		if (s->cmd->args[i].type == ARG_POLICY)
			return s->args.value[i].word;
	return NULL;
}

void spot_end(struct spot *s)
{
	partial_free(&s->partial);
}
