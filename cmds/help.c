/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help - what there is, and what one of it is.
 *
 * All of it is read off the tables of commands, policies, events and topics.
 */
#include <errno.h>
#include <string.h>

#include "event/event.h"
#include "policy/policy.h"
#include "shell/cmd.h"
#include "shell/help_figure.h"
#include "shell/help_policy.h"
#include "shell/topics.h"
#include "shell/usage.h"

static const struct arg help_args[] = {
	{ "WHAT", ARG_WORDS, "", "a command, a policy, an event, a figure or a topic; all commands without",
	  (const char *const[]){ "TOPIC", NULL } },
	{ 0 }
};

/* ---- all commands ---- */

static void list_text(FILE *to, const char *family)
{
	const char *group = "";
	size_t len = family ? strlen(family) : 0;

	for (unsigned int i = 0; i < cmd_nr; i++) {
		const struct cmd *c = cmd_table[i];

		if (family && (strncmp(c->name, family, len) || c->name[len] != ' '))
			continue;
		if (strcmp(group, c->group))
			fprintf(to, "%s%s\n", *group ? "\n" : "", c->group);
		group = c->group;
		fprintf(to, "  %-22s %s\n", c->name, c->summary);
	}
	if (!family)
		fputs("\nBefore a command: NAME = (a handle), @LAB, on CPU|all.\n"
		      "Behind it: xN, --json, > FILE, | HOST COMMAND.\n"
		      "repeat N { } and for NAME in WORD... { } run blocks; ; stands between commands,\n"
		      "# before a comment.\n"
		      "help COMMAND, help POLICY and help EVENT tell of one; policy lists the policies.\n"
		      "help topics lists the words of the field, help TOPIC explains one;\n"
		      "help figures lists what get can read, help PATH tells of one.\n", to);
}

static int list(struct ctx *ctx, const char *family)
{
	size_t len = family ? strlen(family) : 0;
	json_t *all;

	if (!ctx->json) {
		list_text(ctx->out, family);
		return 0;
	}
	all = json_array();
	for (unsigned int i = 0; i < cmd_nr; i++)
		if (!family || (!strncmp(cmd_table[i]->name, family, len) && cmd_table[i]->name[len] == ' '))
			json_array_append_new(all, usage_json(cmd_table[i]));
	ctx_answer(ctx, all);
	return 0;
}

/* ---- one of something ---- */

static int help_cmd(struct ctx *ctx, const struct cmd *cmd)
{
	if (ctx->json)
		ctx_answer(ctx, usage_json(cmd));
	else
		usage_print(cmd, ctx->out);
	return 0;
}

static int help_event(struct ctx *ctx, int id)
{
	const struct event_row *row = &event_table[id];
	json_t *fields = json_array();

	for (unsigned int i = 0; i < 3 && row->fields[i] != FIELD_NONE; i++)
		json_array_append_new(fields, json_string(event_fields[row->fields[i]].key));
	if (ctx->json) {
		ctx_answer(ctx, json_pack("{s:s, s:s, s:b, s:o}", "name", row->name, "text", row->text,
					  "ordered", row->ordered, "fields", fields));
		return 0;
	}
	fprintf(ctx->out, "%s\n    %s\n  counter  event.%s%s\n", row->name, row->text, row->name,
		row->ordered ? ", by order as .order.N" : "");
	for (size_t i = 0; i < json_array_size(fields); i++)
		fprintf(ctx->out, "%s%s", i ? ", " : "  fields   ", json_string_value(json_array_get(fields, i)));
	if (json_array_size(fields))
		fputc('\n', ctx->out);
	json_decref(fields);
	return 0;
}

static int help_topic(struct ctx *ctx, const struct topic *t)
{
	if (ctx->json) {
		ctx_answer(ctx, json_pack("{s:s, s:s, s:s, s:s}", "topic", t->name, "others", t->others, "text", t->text,
					  "see", t->see));
		return 0;
	}
	fprintf(ctx->out, "%s%s%s%s\n", t->name, *t->others ? " (" : "", t->others, *t->others ? ")" : "");
	help_paragraph(ctx->out, "    ", t->text);
	fprintf(ctx->out, "  shown by  %s\n", t->see);
	return 0;
}

static int list_topics(struct ctx *ctx)
{
	json_t *all = json_array();

	for (const struct topic *t = topics; t->name; t++)
		if (ctx->json)
			json_array_append_new(all, json_string(t->name));
		else
			fprintf(ctx->out, *t->others ? "  %-18s %s\n" : "  %s\n", t->name, t->others);
	if (ctx->json)
		ctx_answer(ctx, all);
	else
		json_decref(all);
	return 0;
}

/* Some words of the field are commands too: then both are told. */
static int and_topic(struct ctx *ctx, const char *name, int ret)
{
	const struct topic *t = ret || ctx->json ? NULL : topic_find(name);

	if (!t)
		return ret;
	fputc('\n', ctx->out);
	return help_topic(ctx, t);
}

/* "partial list" of its words. */
static char *joined(char *const *words, unsigned int nr, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = 0;
	for (unsigned int i = 0; i < nr && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? " " : "", words[i]);
	return buf;
}

#define WORDS_MOST 8

/* 'kmem_cache free', quoted, is two words as well. */
static char *const *unquoted(char *const *words, unsigned int *nr, char *text, size_t size, char *cut[WORDS_MOST + 1])
{
	unsigned int n = 0;
	char *rest;

	joined(words, *nr, text, size);
	for (char *word = strtok_r(text, " ", &rest); word && n < WORDS_MOST; word = strtok_r(NULL, " ", &rest))
		cut[n++] = word;
	cut[n] = NULL;
	if (!n || n < *nr)
		return words;
	*nr = n;
	return cut;
}

static bool is_policy_group(const char *word)
{
	size_t len = strlen(word);

	for (unsigned int i = 0; i < policy_nr; i++)
		if (!strncmp(policy_table[i].name, word, len) && policy_table[i].name[len] == '.')
			return true;
	return false;
}

static int help_unknown(char *const *words, unsigned int nr)
{
	char near_names[256];

	if (nr == 1 && is_policy_group(words[0]))
		return fail(ENOENT, "%s is a group of policies (policy %s lists them, help tells of one of them)", words[0],
			    words[0]);
	policy_near(words[0], near_names, sizeof(near_names));
	if (near_names[0] && nr == 1)
		return fail(ENOENT, "there is no command, policy, event, figure or topic \"%s\" (policies near it: %s)", words[0],
			    near_names);
	if (nr > 1 && !cmd_is_family(words[0]))
		return fail(ENOENT, "there is no command or topic \"%s\" (help tells of one at a time)",
			    joined(words, nr, near_names, sizeof(near_names)));
	cmd_unknown(words, nr);
	return -ENOENT;
}

static int help_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr, used;
	char *const *words = arg_words(args, "WHAT", &nr);
	const struct policy_row *row;
	const struct topic *topic;
	const struct cmd *cmd;
	char name[64], text[256], *cut[WORDS_MOST + 1];
	int event;

	if (!nr)
		return list(ctx, NULL);
	words = unquoted(words, &nr, text, sizeof(text), cut);
	cmd = cmd_find(words, nr, &used);
	if (cmd && used == nr)
		return nr == 1 ? and_topic(ctx, words[0], help_cmd(ctx, cmd)) : help_cmd(ctx, cmd);
	if (nr == 1 && cmd_is_family(words[0]))
		return and_topic(ctx, words[0], list(ctx, words[0]));
	row = policy_find(words[0]);
	if (row && nr == 1)
		return help_policy(ctx, row);
	if (nr == 1 && !strcmp(words[0], "figures"))
		return help_figures(ctx);
	event = event_find(strncmp(words[0], "event.", 6) ? words[0] : words[0] + 6);
	if (event >= 0 && nr == 1)
		return help_event(ctx, event);
	if (nr == 1 && help_knows_figure(words[0]))
		return help_figure(ctx, words[0]);
	if (nr == 1 && (!strncmp(words[0], "GFP_", 4) || !strncmp(words[0], "__GFP_", 6)))
		return help_topic(ctx, topic_find("gfp"));
	topic = !strcmp(words[0], "topic") && nr > 1 ? topic_find(joined(words + 1, nr - 1, name, sizeof(name))) :
						       topic_find(joined(words, nr, name, sizeof(name)));
	if (topic)
		return help_topic(ctx, topic);
	if (!strcmp(name, "topics"))
		return list_topics(ctx);
	if (nr == 1 && ctx->lab && help_means_figure(words[0]))
		return help_no_figure(ctx, words[0]);
	return help_unknown(words, nr);
}

const struct cmd cmd_help = {
	.name    = "help",
	.summary = "list the commands, or tell of a command, a policy, an event, a figure or a topic",
	.args    = help_args,
	.run     = help_run,
	.group   = "Session",
};
