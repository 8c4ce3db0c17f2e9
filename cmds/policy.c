/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy - the table of policies: the lab's present values, those of its
 * preset, and what each does; with --diff those that a preset has otherwise.
 */
#include "policy/policy.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "policy/preset.h"
#include "shell/cmd.h"
#include "shell/help_policy.h"
#include "view/table.h"

static const struct arg policy_args[] = {
	{ "--diff",  ARG_WORD, "", "only those that have another value in this preset, and from where it comes",
	  (const char *const[]){ "PRESET", NULL } },
	{ "PATTERN", ARG_POLICY, "", "a policy (all that is known of it), a glob (slub.*) or a group (slub); all without", NULL },
	{ 0 }
};

/* A bare "slub" means all that begin with "slub.". */
static bool matches(const char *name, const char *pattern)
{
	size_t len;

	if (!pattern || !fnmatch(pattern, name, 0))
		return true;
	len = strlen(pattern);
	return !strncmp(name, pattern, len) && name[len] == '.';
}

static json_t *row_json(struct lab *lab, const struct policy_row *row, const struct preset *preset)
{
	char value[POLICY_TEXT_MAX], range[256];

	policy_print(lab, row, 0, value, sizeof(value));
	policy_range(row, range, sizeof(range));
	return json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:b, s:s, s:s?, s:s?, s:s}", "name", row->name, "value", json_text(value),
			 "preset", preset_value(preset, row), "from", preset_source(preset, row), "default", row->def,
			 "range", range, "per_cache", row->scope == SCOPE_CACHE, "effect", row->effect_text, "parameter",
			 row->param, "source", row->source, "text", row->text);
}

static const char *shown(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return *text ? text : "\"\"";
}

struct look {
	const struct preset *preset;
	bool diff;
};

static void row_cells(struct table *t, const json_t *row, const struct look *look)
{
	const char *value = shown(row, "value"), *preset = shown(row, "preset");

	table_cell(t, "%s", shown(row, "name"));
	table_means(t, strcmp(value, preset) ? MEANS_CHANGED : MEANS_PLAIN);
	table_cell(t, "%s", value);
	table_cell(t, "%s", preset);
	if (!look->diff)
		table_cell(t, "%s", shown(row, "default"));
	table_cell(t, "%s", shown(row, look->diff ? "from" : "text"));
}

static void print_rows(const json_t *rows, const struct look *look, const struct view_args *args, FILE *to)
{
	struct table t = { 0 };
	json_t *row;
	size_t i;

	table_column(&t, TABLE_LEFT, "NAME");
	table_column(&t, TABLE_LEFT, "VALUE");
	table_column(&t, TABLE_LEFT, "%s", look->diff ? preset_name(look->preset) : "PRESET");
	if (!look->diff)
		table_column(&t, TABLE_LEFT, "DEFAULT");
	table_column(&t, TABLE_LEFT, "%s", look->diff ? "FROM" : "MEANING");
	json_array_foreach(rows, i, row)
		row_cells(&t, row, look);
	table_print(&t, args, to);
}

static int none(const char *pattern)
{
	char near_names[256];

	policy_near(pattern, near_names, sizeof(near_names));
	return fail(ENOENT, "no policy is \"%s\" (%s%s)", pattern,
		    near_names[0] ? "near: " : "policy without a word lists them", near_names);
}

/* Rows that match; *known: how many there are at all, before the difference counts. */
static json_t *rows_of(struct lab *lab, const char *pattern, const struct look *look, unsigned int *known)
{
	json_t *rows = json_array();

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];
		char now[POLICY_TEXT_MAX];

		if (!matches(row->name, pattern))
			continue;
		++*known;
		if (!look->diff || preset_differs(look->preset, lab, row, now))
			json_array_append_new(rows, row_json(lab, row, look->preset));
	}
	return rows;
}

static int policy_run(struct ctx *ctx, const struct args *args)
{
	const char *pattern = arg_word(args, "PATTERN"), *other = arg_word(args, "--diff");
	struct look look = { other ? preset_find(other) : preset_of(ctx->lab), other != NULL };
	struct view_args va;
	const struct policy_row *row;
	unsigned int known = 0;
	json_t *rows;

	if (!look.preset)
		return -ENOENT;
	rows = rows_of(ctx->lab, pattern, &look, &known);
	if (!known) {
		json_decref(rows);
		return none(pattern);
	}
	if (ctx->json) {
		ctx_answer(ctx, rows);
		return 0;
	}
	row = other ? NULL : policy_find(pattern ? pattern : "");
	if (row) {
		json_decref(rows);
		return help_policy(ctx, row);
	}
	ctx_view_args(ctx, args, &va);
	print_rows(rows, &look, &va, ctx->out);
	if (look.diff && !json_array_size(rows))
		ctx_note(ctx, "every policy has its value of %s", other);
	json_decref(rows);
	return 0;
}

const struct cmd cmd_policy = {
	.name    = "policy",
	.summary = "list policies: present value, the preset's, default, meaning",
	.args    = policy_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = policy_run,
	.group   = "Session",
};
