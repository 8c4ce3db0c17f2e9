/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/complete.h"

#include <string.h>

#include "policy/policy.h"
#include "shell/offer.h"
#include "shell/spot.h"
#include "shell/topics.h"

/* ---- commands ---- */

static bool may_stand(const struct spot *s, const struct cmd *cmd)
{
	return !s->named || cmd->flags & (CMD_MAKES_HANDLE | CMD_TAKES_NAME | CMD_RUNS_COMMAND);
}

/* The family's name once, with its members as the line about it. */
static unsigned int offer_family(const struct offer *o, const struct spot *s, unsigned int i)
{
	size_t len = strcspn(cmd_table[i]->name, " ");
	char name[64], members[160] = "";
	unsigned int first = i;

	snprintf(name, sizeof(name), "%.*s", (int)len, cmd_table[i]->name);
	for (; i < cmd_nr && !strncmp(cmd_table[i]->name, cmd_table[first]->name, len + 1); i++) {
		size_t at = strlen(members);

		if (may_stand(s, cmd_table[i]))
			snprintf(members + at, sizeof(members) - at, "%s%s", at ? ", " : "", cmd_table[i]->name + len + 1);
	}
	if (members[0])
		candidates_add(o->to, name, false, "%s", members);
	return i;
}

static void offer_commands(const struct offer *o, const struct spot *s)
{
	for (unsigned int i = 0; i < cmd_nr; ) {
		if (strchr(cmd_table[i]->name, ' ')) {
			i = offer_family(o, s, i);
			continue;
		}
		if (may_stand(s, cmd_table[i]))
			candidates_add(o->to, cmd_table[i]->name, false, "%s", cmd_table[i]->summary);
		i++;
	}
	if (!s->bare)
		return;
	candidates_add(o->to, "repeat", false, "repeat N { commands }");
	candidates_add(o->to, "for", false, "for NAME in WORD... { commands }");
	candidates_add(o->to, "on", false, "on CPU|all: where the command runs");
}

static void offer_members(const struct offer *o, const struct spot *s, const char *family)
{
	size_t len = strlen(family);

	for (unsigned int i = 0; i < cmd_nr; i++)
		if (!strncmp(cmd_table[i]->name, family, len) && cmd_table[i]->name[len] == ' ' &&
		    may_stand(s, cmd_table[i]))
			candidates_add(o->to, cmd_table[i]->name + len + 1, false, "%s", cmd_table[i]->summary);
}

/* ---- values ---- */

/* "list" behind "partial". */
static void offer_longer_topics(const struct offer *o, const char *first)
{
	size_t len = strlen(first);

	for (unsigned int i = 0; topics[i].name; i++)
		if (!strncmp(topics[i].name, first, len) && topics[i].name[len] == ' ')
			candidates_add(o->to, topics[i].name + len + 1, false, "%s", topics[i].text);
}

static void offer_topics(const struct offer *o, const struct spot *s)
{
	const char *first = s->args.value[s->row].given ? s->args.value[s->row].word : NULL;

	if (first) {
		offer_members(o, s, first);
		offer_longer_topics(o, first);
		return;
	}
	offer_commands(o, s);
	for (unsigned int i = 0; i < policy_nr; i++)
		candidates_add_dotted(o->to, policy_table[i].name, "%s", policy_table[i].text);
	for (unsigned int i = 0; topics[i].name; i++)
		if (!candidates_has(o->to, topics[i].name))	/* a command, too */
			candidates_add(o->to, topics[i].name, false, "%s", topics[i].text);
	candidates_add(o->to, "topics", false, "all words of the field");
	candidates_add(o->to, "figures", false, "all that get can read");
	if (s->value[0])
		offer_events(o);
	if (strchr(s->value, '.') && o->lab)
		offer_paths(o);
}

/* A word of a row's list: what it stands for, see struct arg. */
static void offer_listed(const struct offer *o, const struct spot *s, const char *word)
{
	const char *policy;

	if (!strcmp(word, "CACHE"))
		offer_caches(o);
	else if (!strcmp(word, "CPU"))
		offer_cpus(o);
	else if (!strcmp(word, "ZONE"))
		offer_zones(o);
	else if (!strcmp(word, "HANDLE"))
		offer_handles(o, 0);
	else if (!strcmp(word, "PATH"))
		offer_paths(o);
	else if (!strcmp(word, "LAB"))
		offer_labs(o);
	else if (!strcmp(word, "SNAPSHOT"))
		offer_snapshots(o);
	else if (!strcmp(word, "PRESET"))
		offer_presets(o);
	else if (!strcmp(word, "SHAPE"))
		offer_shape(o);
	else if (!strcmp(word, "TRACE"))
		offer_traced(o);
	else if (!strcmp(word, "WORKKEY"))
		offer_work_keys(o, s->args.value[0].word, s->args.words, s->args.nr);
	else if (!strcmp(word, "TOPIC"))
		offer_topics(o, s);
	else if (strcmp(word, "VALUE") && !offer_kinds((const char *const[]){ word, NULL }))
		candidates_add(o->to, word, false, "%s", "");
	else if ((policy = spot_policy(s)))
		offer_values(o, policy);
}

static void offer_row(const struct offer *o, const struct spot *s, const struct arg *a)
{
	switch (a->type) {
	case ARG_ENUM:
		offer_words(o, a->words);
		break;
	case ARG_GFP:
		offer_gfp(o);
		break;
	case ARG_CACHE_FLAGS:
		offer_cache_flags(o);
		break;
	case ARG_MTYPE:
		offer_mtypes(o);
		break;
	case ARG_ORDER:
		offer_orders(o);
		break;
	case ARG_NODE:
		offer_nodes(o);
		break;
	case ARG_CPU:
		offer_cpus(o);
		break;
	case ARG_CACHE:
		offer_caches(o);
		break;
	case ARG_LAB:
		offer_labs(o);
		break;
	case ARG_HANDLE:
	case ARG_HANDLES:
		offer_handles(o, offer_kinds(a->words));
		break;
	case ARG_PATH:
		offer_paths(o);
		break;
	case ARG_POLICY:
		offer_policies(o);
		break;
	case ARG_FILE:
		o->to->files = true;
		break;
	case ARG_WORD:
	case ARG_WORDS:
		if (offer_kinds(a->words))
			offer_handles(o, offer_kinds(a->words));
		for (const char *const *w = a->words; w && *w; w++)
			offer_listed(o, s, *w);
		break;
	default:
		break;
	}
}

/* What may stand behind a comma or bar of the value is completed by itself. */
static const char *piece(const struct arg *a, const char *value)
{
	bool bars = a->type == ARG_GFP || a->type == ARG_CACHE_FLAGS;
	bool shape = a->type == ARG_WORD && a->words && !strcmp(a->words[0], "SHAPE");
	const char *cut = bars ? strrchr(value, '|') : shape ? strrchr(value, ',') : NULL;

	return cut ? cut + 1 : value;
}

/* ---- arguments ---- */

static void offer_keys(const struct offer *o, const struct spot *s)
{
	char key[64];

	for (unsigned int i = 0; s->cmd->args && s->cmd->args[i].name; i++) {
		const struct arg *a = &s->cmd->args[i];
		bool flag = a->type == ARG_FLAG, tells = a->def && a->def[0];

		if (arg_by_place(a) || s->args.value[i].given)
			continue;
		snprintf(key, sizeof(key), "%s%s", a->name, flag ? "" : "=");
		candidates_add(o->to, key, !flag, "%s%s%s%s", a->text, tells ? " (default: " : "", tells ? a->def : "",
			       tells ? ")" : "");
	}
	if (s->text[0] == '-') {
		candidates_add(o->to, "--help", false, "what this command does");
		candidates_add(o->to, "--json", false, "answer with a line of JSON");
	}
}

/* Must a word by place come first? Then keys are offered only to who begins one. */
static bool place_is_due(const struct spot *s)
{
	const struct arg *a = s->row >= 0 ? &s->cmd->args[s->row] : NULL;

	return a && !a->def && !s->args.value[s->row].given;
}

static void offer_arguments(const struct offer *o, const struct spot *s, const char *line)
{
	if (!s->by_key && (s->text[0] || !place_is_due(s)))
		offer_keys(o, s);
	if (s->row < 0)
		return;
	o->to->typed = piece(&s->cmd->args[s->row], s->value);
	if (s->by_key || o->to->typed != s->value)
		o->to->start = strlen(line) - strlen(o->to->typed);
	offer_row(o, s, &s->cmd->args[s->row]);
}

static void offer_spot(const struct offer *o, const struct spot *s, const char *line)
{
	switch (s->kind) {
	case SPOT_COMMAND:
		if (s->text[0] == '@' && s->bare) {
			o->to->typed++;
			o->to->start++;
			offer_labs(o);
		} else {
			offer_commands(o, s);
		}
		break;
	case SPOT_MEMBER:
		offer_members(o, s, s->family);
		break;
	case SPOT_ARGUMENT:
		offer_arguments(o, s, line);
		break;
	case SPOT_CPU:
		candidates_add(o->to, "all", false, "every CPU in turn");
		offer_cpus(o);
		break;
	case SPOT_IN:
		candidates_add(o->to, "in", false, "for NAME in WORD... { commands }");
		break;
	case SPOT_FILE:
		o->to->files = true;
		break;
	default:
		break;
	}
}

void complete_line(struct shell *sh, const char *line, size_t point, struct candidates *c)
{
	const char *cut = strndupa(line, point);
	struct offer o = { .sh = sh, .to = c };
	struct spot s;

	spot_find(sh, line, point, &s);
	*c = (struct candidates){ .typed = s.text, .start = s.partial.start };
	o.lab = s.lab;
	/* where quotes or backslashes stand inside the word, bytes of it and of the line are not the same */
	if (s.partial.plain)
		offer_spot(&o, &s, cut);
	else
		c->files = s.kind == SPOT_FILE || (s.row >= 0 && s.cmd->args[s.row].type == ARG_FILE);
	c->typed = "";
	spot_end(&s);
}
