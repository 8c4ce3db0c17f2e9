/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy - the table of policies with the lab's present values. */
#include "policy/policy.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "shell/cmd.h"

static const struct arg policy_args[] = {
	{ "PATTERN", ARG_POLICY, "", "a policy, a glob (slub.*) or a group (slub); all without", NULL },
	{ 0 }
};

#define VALUE_TEXT 512

/* A bare "slub" means all that begin with "slub.". */
static bool matches(const char *name, const char *pattern)
{
	size_t len;

	if (!pattern || !fnmatch(pattern, name, 0))
		return true;
	len = strlen(pattern);
	return !strncmp(name, pattern, len) && name[len] == '.';
}

static json_t *row_json(struct lab *lab, const struct policy_row *row)
{
	char value[VALUE_TEXT], range[256];

	policy_print(lab, row, 0, value, sizeof(value));
	policy_range(row, range, sizeof(range));
	return json_pack("{s:s, s:o, s:s, s:s, s:b, s:s, s:s?, s:s}", "name", row->name, "value", json_text(value),
			 "default", row->def, "range", range, "per_cache", row->scope == SCOPE_CACHE,
			 "effect", row->effect_text, "parameter", row->param, "text", row->text);
}

static void print_row(struct ctx *ctx, const struct policy_row *row)
{
	char value[VALUE_TEXT];

	policy_print(ctx->lab, row, 0, value, sizeof(value));
	fprintf(ctx->out, "%-30s %-16s %-16s %s\n", row->name, value[0] ? value : "\"\"",
		row->def[0] ? row->def : "\"\"", row->text);
}

static int none(const char *pattern)
{
	char near_names[256];

	policy_near(pattern, near_names, sizeof(near_names));
	return fail(ENOENT, "no policy is \"%s\" (%s%s)", pattern,
		    near_names[0] ? "near: " : "policy without a word lists them", near_names);
}

static int policy_run(struct ctx *ctx, const struct args *args)
{
	const char *pattern = arg_word(args, "PATTERN");
	json_t *all = json_array();
	unsigned int nr = 0;

	for (unsigned int i = 0; i < policy_nr; i++) {
		const struct policy_row *row = &policy_table[i];

		if (!matches(row->name, pattern))
			continue;
		if (!nr++ && !ctx->json)
			fprintf(ctx->out, "%-30s %-16s %-16s %s\n", "NAME", "VALUE", "DEFAULT", "MEANING");
		if (ctx->json)
			json_array_append_new(all, row_json(ctx->lab, row));
		else
			print_row(ctx, row);
	}
	if (!nr) {
		json_decref(all);
		return none(pattern);
	}
	ctx_answer(ctx, all);
	return 0;
}

const struct cmd cmd_policy = {
	.name    = "policy",
	.summary = "list policies: present value, default, meaning",
	.args    = policy_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = policy_run,
	.group   = "Session",
};
