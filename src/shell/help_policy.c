/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/help_policy.h"

#include "policy/policy.h"
#include "policy/preset.h"
#include "shell/colour.h"
#include "shell/shell.h"
#include "view/flow.h"

#define HELP_WIDTH 78

void help_paragraph(FILE *to, const char *first, const char *text)
{
	const struct view_args args = { .width = HELP_WIDTH };
	struct flow f;

	flow_begin(&f, &args, to, "%s", first);
	flow_sentence(&f, MEANS_PLAIN, text);
	flow_end(&f);
}

static const char *or_quotes(const char *value)
{
	return *value ? value : "\"\"";
}

/* "  now      0, where linux-6.1 has 3" */
static void print_now(struct ctx *ctx, const struct policy_row *row)
{
	const struct preset *preset = preset_of(ctx->lab);
	bool colour = colour_wanted(ctx->sh, ctx->out), differs;
	char now[POLICY_TEXT_MAX];

	differs = preset_differs(preset, ctx->lab, row, now);
	fprintf(ctx->out, "  now      %s%s%s", colour_on(colour && differs, MEANS_CHANGED), or_quotes(now),
		colour_off(colour && differs));
	if (differs)
		fprintf(ctx->out, ", where %s has %s", preset_name(preset), or_quotes(preset_value(preset, row)));
	fputc('\n', ctx->out);
}

static void print_text(struct ctx *ctx, const struct policy_row *row, const char *range)
{
	char values[512];

	fprintf(ctx->out, "%s\n", row->name);
	help_paragraph(ctx->out, "    ", row->text);
	if (ctx->lab)
		print_now(ctx, row);
	snprintf(values, sizeof(values), "%s (default: %s)", range, or_quotes(row->def));
	help_paragraph(ctx->out, "  values   ", values);
	help_paragraph(ctx->out, "  effect   ", row->effect_text);
	help_paragraph(ctx->out, "  kernel   ", row->param ? row->param : "offers none");
	if (row->scope == SCOPE_CACHE)
		fprintf(ctx->out, "  scope    the lab, and one cache as cache.NAME.%s\n", policy_part(row));
	if (row->source)
		help_paragraph(ctx->out, "  source   ", row->source);
	if (row->detail)
		help_paragraph(ctx->out, "    ", row->detail);
}

int help_policy(struct ctx *ctx, const struct policy_row *row)
{
	char range[256], now[POLICY_TEXT_MAX];
	json_t *o;

	policy_range(row, range, sizeof(range));
	if (!ctx->json) {
		print_text(ctx, row, range);
		return 0;
	}
	o = json_pack("{s:s, s:s, s:s?, s:s, s:s, s:s, s:s?, s:s?}", "name", row->name, "text", row->text, "detail",
		      row->detail, "range", range, "default", row->def, "effect", row->effect_text, "parameter", row->param,
		      "source", row->source);
	if (ctx->lab) {
		policy_print(ctx->lab, row, 0, now, sizeof(now));
		json_object_set_new(o, "value", json_text(now));
		json_object_set_new(o, "preset", json_string(preset_value(preset_of(ctx->lab), row)));
	}
	ctx_answer(ctx, o);
	return 0;
}
