/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help - what there is, and what one of it is.
 *
 * All of it is read off the tables of commands, policies and events.
 */
#include <errno.h>
#include <string.h>

#include "event/event.h"
#include "policy/policy.h"
#include "shell/cmd.h"
#include "shell/usage.h"

static const struct arg help_args[] = {
	{ "WHAT", ARG_WORDS, "", "a command, a policy or an event; all commands without", NULL },
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
		      "help COMMAND, help POLICY and help EVENT tell of one; policy lists the policies.\n", to);
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

static int help_policy(struct ctx *ctx, const struct policy_row *row)
{
	char range[256];

	policy_range(row, range, sizeof(range));
	if (ctx->json) {
		ctx_answer(ctx, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s}", "name", row->name, "text", row->text,
					  "range", range, "default", row->def, "effect", row->effect_text,
					  "parameter", row->param, "source", row->source));
		return 0;
	}
	fprintf(ctx->out, "%s\n    %s\n  values   %s (default: %s)\n  effect   %s\n  kernel   %s\n", row->name,
		row->text, range, row->def, row->effect_text, row->param ? row->param : "offers none");
	if (row->scope == SCOPE_CACHE)
		fprintf(ctx->out, "  scope    the lab, and one cache as cache.NAME.%s\n", policy_part(row));
	if (row->source)
		fprintf(ctx->out, "  source   %s\n", row->source);
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

static int help_unknown(char *const *words, unsigned int nr)
{
	char near_names[256];

	policy_near(words[0], near_names, sizeof(near_names));
	if (near_names[0] && nr == 1)
		return fail(ENOENT, "there is no command, policy or event \"%s\" (policies near it: %s)", words[0],
			    near_names);
	cmd_unknown(words, nr);
	return -ENOENT;
}

static int help_run(struct ctx *ctx, const struct args *args)
{
	unsigned int nr, used;
	char *const *words = arg_words(args, "WHAT", &nr);
	const struct policy_row *row;
	const struct cmd *cmd;
	int event;

	if (!nr)
		return list(ctx, NULL);
	cmd = cmd_find(words, nr, &used);
	if (cmd && used == nr)
		return help_cmd(ctx, cmd);
	if (nr == 1 && cmd_is_family(words[0]))
		return list(ctx, words[0]);
	row = policy_find(words[0]);
	if (row && nr == 1)
		return help_policy(ctx, row);
	event = event_find(strncmp(words[0], "event.", 6) ? words[0] : words[0] + 6);
	if (event >= 0 && nr == 1)
		return help_event(ctx, event);
	return help_unknown(words, nr);
}

const struct cmd cmd_help = {
	.name    = "help",
	.summary = "list the commands, or tell of a command, a policy or an event",
	.args    = help_args,
	.run     = help_run,
	.group   = "Session",
};
