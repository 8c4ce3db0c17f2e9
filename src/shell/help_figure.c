/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/help_figure.h"

#include <string.h>

#include "event/event.h"
#include "policy/policy.h"
#include "shell/help_policy.h"
#include "view/figure.h"
#include "view/figure_text.h"

bool help_knows_figure(const char *path)
{
	return strchr(path, '.') && (figure_text_find(path) || policy_of_path(path));
}

/* The event that a path counts: the part behind "event.", or a sysfs attribute of its name. */
static const struct event_row *event_of(const char *path)
{
	const char *at = strstr(path, "event."), *dot = strrchr(path, '.');
	char name[64];
	int id;

	at = at ? at + strlen("event.") : dot ? dot + 1 : path;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, "."), at);
	id = event_find(name);
	return id >= 0 ? &event_table[id] : NULL;
}

static bool value_now(struct ctx *ctx, const char *path, char *text, size_t size)
{
	struct figure_value v;

	if (!ctx->lab || figure_read(ctx->lab, path, &v))
		return false;
	snprintf(text, size, "%s", v.text);
	return true;
}

int help_figure(struct ctx *ctx, const char *path)
{
	const struct figure_text *t = figure_text_find(path);
	const struct policy_row *row = t ? NULL : policy_of_path(path);
	const struct event_row *event = event_of(path);
	char now[FIGURE_TEXT_MAX];
	bool known = value_now(ctx, path, now, sizeof(now));
	const char *form = t ? t->form : row->name, *text = t ? t->text : row->text;

	if (ctx->json) {
		ctx_answer(ctx, json_pack("{s:s, s:s, s:s, s:s?, s:o}", "path", path, "form", form, "text", text, "event",
					  event ? event->text : NULL, "value", known ? json_text(now) : json_null()));
		return 0;
	}
	fprintf(ctx->out, "%s\n", path);
	help_paragraph(ctx->out, "    ", text);
	if (event)
		fprintf(ctx->out, "  event    %s: %s\n", event->name, event->text);
	if (row)
		fprintf(ctx->out, "  policy   %s, here for one cache; help %s tells more\n", row->name, row->name);
	else if (strcmp(form, path))
		fprintf(ctx->out, "  one of   %s\n", form);
	if (known)
		fprintf(ctx->out, "  now      %s\n", now);
	return 0;
}

bool help_means_figure(const char *path)
{
	size_t len = strcspn(path, ".");

	for (const struct figure_text *t = figure_texts; path[len] && t->form; t++)
		if (!strncmp(t->form, path, len + 1))
			return true;
	return false;
}

int help_no_figure(struct ctx *ctx, const char *path)
{
	struct figure_value v;

	return figure_read(ctx->lab, path, &v);
}

int help_figures(struct ctx *ctx)
{
	json_t *all = json_array();

	for (const struct figure_text *t = figure_texts; t->form; t++)
		if (ctx->json)
			json_array_append_new(all, json_pack("{s:s, s:s}", "form", t->form, "text", t->text));
		else
			fprintf(ctx->out, "%s\n    %s\n", t->form, t->text);
	if (ctx->json)
		ctx_answer(ctx, all);
	else
		json_decref(all);
	return 0;
}
