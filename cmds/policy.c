/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy - the table of policies: the lab's present values, those of its
 * preset, and what each does; with --diff those that a preset has otherwise.
 * What single caches have for themselves stands behind.
 */
#include "policy/policy.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "op/op.h"
#include "policy/preset.h"
#include "shell/cmd.h"
#include "shell/help_figure.h"
#include "shell/help_policy.h"
#include "view/figure.h"
#include "view/table.h"

static const struct arg policy_args[] = {
	{ "--diff",  ARG_WORD, "", "only those that have another value in this preset, and from where it comes",
	  (const char *const[]){ "PRESET", NULL } },
	{ "--changed", ARG_FLAG, "", "only those that have another value than in the lab's preset", NULL },
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
	bool diff;		/* only what differs, and where the preset has it from */
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

/* ---- what single caches have for themselves ---- */

struct overrides {
	struct lab *lab;
	const struct preset *preset;
	const char *pattern;	/* NULL: all */
	json_t *rows;
};

static void add_override(struct overrides *o, const char *cache_name, uint32_t cache, const struct policy_row *row)
{
	char value[POLICY_TEXT_MAX], name[FIGURE_TEXT_MAX + 64];
	json_t *r;

	snprintf(name, sizeof(name), "cache.%s.%s", cache_name, policy_part(row));
	if (o->pattern && !matches(name, o->pattern))
		return;
	r = row_json(o->lab, row, o->preset);
	policy_print(o->lab, row, cache, value, sizeof(value));
	json_object_set_new(r, "name", json_string(name));
	json_object_set_new(r, "value", json_text(value));
	json_object_set_new(r, "from", json_string("of this cache alone (unset takes it back)"));
	json_array_append_new(o->rows, r);
}

static int add_overrides(const char *path, const struct figure_value *v, void *arg)
{
	struct overrides *o = arg;
	char name[FIGURE_TEXT_MAX];
	uint32_t cache;

	(void)v;
	cache = figure_cache_name(path, name, sizeof(name)) ? op_cache_find(o->lab, name) : 0;
	for (unsigned int i = 0; cache && i < policy_nr; i++)
		if (policy_table[i].scope == SCOPE_CACHE && policy_is_overridden(o->lab, &policy_table[i], cache))
			add_override(o, name, cache, &policy_table[i]);
	return 0;
}

static int policy_run(struct ctx *ctx, const struct args *args)
{
	const char *pattern = arg_word(args, "PATTERN"), *other = arg_word(args, "--diff");
	bool changed = arg_given(args, "--changed");
	struct look look = { other ? preset_find(other) : preset_of(ctx->lab), other || changed };
	struct overrides own = { .lab = ctx->lab, .preset = look.preset, .pattern = pattern };
	struct view_args va;
	const struct policy_row *row;
	unsigned int known = 0;
	json_t *rows;

	if (!look.preset)
		return -ENOENT;
	if (pattern && help_knows_figure(pattern) && !policy_find(pattern) && !other)	/* cache.NAME.POLICY */
		return help_figure(ctx, pattern);
	rows = rows_of(ctx->lab, pattern, &look, &known);
	own.rows = rows;
	figure_glob(ctx->lab, "cache.*.store", add_overrides, &own);
	if (!known && !json_array_size(rows)) {
		json_decref(rows);
		return none(pattern);
	}
	if (ctx->json) {
		ctx_answer(ctx, rows);
		return 0;
	}
	row = look.diff ? NULL : policy_find(pattern ? pattern : "");
	if (row) {
		json_decref(rows);
		return help_policy(ctx, row);
	}
	ctx_view_args(ctx, args, &va);
	print_rows(rows, &look, &va, ctx->out);
	if (look.diff && !json_array_size(rows))
		ctx_note(ctx, "every policy has its value of %s", preset_name(look.preset));
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
