/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preset - give every policy the value that it has in a kernel, or list the
 * kernels there are.
 *
 * A lab that is at work can take one too: objects and pages stay where they
 * are, what is fixed since the lab was made is named, and so are the caches
 * that keep a value of their own.
 */
#include "policy/preset.h"

#include <errno.h>

#include "shell/cmd.h"
#include "shell/switch.h"
#include "view/flow.h"
#include "view/table.h"

static const struct arg preset_args[] = {
	{ "NAME", ARG_WORD, "", "a kernel by name; those there are without", (const char *const[]){ "PRESET", NULL } },
	{ 0 }
};

/* ---- which there are ---- */

static unsigned int differing(struct lab *lab, const struct preset *p)
{
	char now[POLICY_TEXT_MAX];
	unsigned int nr = 0;

	for (unsigned int i = 0; i < policy_nr; i++)
		nr += preset_differs(p, lab, &policy_table[i], now);
	return nr;
}

static json_t *list_model(struct lab *lab)
{
	json_t *all = json_array();

	for (unsigned int i = 0; i < PRESETS; i++) {
		const struct preset *p = preset_at(i);

		json_array_append_new(all, json_pack("{s:s, s:b, s:i, s:s}", "name", preset_name(p), "current",
						     p == preset_of(lab), "differ", (int)differing(lab, p), "summary",
						     preset_summary(p)));
	}
	return all;
}

static void list_text(const json_t *model, const struct view_args *args, FILE *to)
{
	struct table t = { 0 };
	json_t *row;
	size_t i;

	table_column(&t, TABLE_LEFT, "preset");
	table_column(&t, TABLE_RIGHT, "differ");
	table_column(&t, TABLE_LEFT, "what it is");
	json_array_foreach(model, i, row) {
		table_cell(&t, "%s%s", json_string_value(json_object_get(row, "name")),
			   json_is_true(json_object_get(row, "current")) ? " *" : "");
		table_count(&t, (uint64_t)json_integer_value(json_object_get(row, "differ")));
		table_cell(&t, "%s", json_string_value(json_object_get(row, "summary")));
	}
	table_print(&t, args, to);
}

/* ---- taking one ---- */

/* Rows that differ, before anything was changed: those that will be set, or those that cannot be. */
static json_t *rows_model(struct lab *lab, const struct preset *p, bool shape)
{
	json_t *rows = json_array();

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];
		char now[POLICY_TEXT_MAX];

		if ((row->scope == SCOPE_SHAPE) == shape && preset_differs(p, lab, row, now))
			json_array_append_new(rows, json_pack("{s:s, s:o, s:s, s:s}", "name", row->name, "was", json_text(now),
							      "now", preset_value(p, row), "from", preset_source(p, row)));
	}
	return rows;
}

static const char *shown(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return *text ? text : "\"\"";
}

static void taken_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *changed = json_object_get(model, "changed"), *left = json_object_get(model, "left");
	struct table t = { 0 };
	json_t *row;
	size_t i;

	flow_line(args, to, "%s: %s", json_string_value(json_object_get(model, "preset")),
		json_string_value(json_object_get(model, "summary")));
	table_column(&t, TABLE_LEFT, "policy");
	table_column(&t, TABLE_LEFT, "was");
	table_column(&t, TABLE_LEFT, "now");
	table_column(&t, TABLE_LEFT, "from");
	json_array_foreach(changed, i, row)
		for (unsigned int c = 0; c < 4; c++)
			table_cell(&t, "%s", shown(row, (const char *const[]){ "name", "was", "now", "from" }[c]));
	table_print(&t, args, to);
	if (!json_array_size(changed))
		fputs("every policy has its value there already\n", to);
	json_array_foreach(left, i, row)
		flow_line(args, to, "%s stays %s, there %s: it is fixed when a lab is made (lab new NAME preset=%s)",
			shown(row, "name"), shown(row, "was"), shown(row, "now"),
			json_string_value(json_object_get(model, "preset")));
}

static int take(struct ctx *ctx, const struct preset *p, const struct args *args)
{
	json_t *changed = rows_model(ctx->lab, p, false), *left = rows_model(ctx->lab, p, true), *moves;
	int ret = ctx_preset(ctx, p, &moves);
	struct view_args va;

	if (ret) {
		json_decref(changed);
		json_decref(left);
		json_decref(moves);
		return ret;
	}
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, json_pack("{s:s, s:s, s:o, s:o, s:o}", "preset", preset_name(p), "summary", preset_summary(p),
				 "changed", changed, "left", left, "moves", moves), taken_text, &va);
	return 0;
}

static int preset_run(struct ctx *ctx, const struct args *args)
{
	const char *name = arg_word(args, "NAME");
	const struct preset *p = name ? preset_find(name) : NULL;
	struct view_args va;

	if (name)
		return p ? take(ctx, p, args) : -ENOENT;
	ctx_view_args(ctx, args, &va);
	ctx_model(ctx, list_model(ctx->lab), list_text, &va);
	return 0;
}

const struct cmd cmd_preset = {
	.name    = "preset",
	.summary = "give every policy its value in a kernel",
	.args    = preset_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = preset_run,
	.group   = "Session",
};
