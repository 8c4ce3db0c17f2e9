/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export - write a report as the kernel would, to a file or standard output.
 *
 * The text is the view's of that name, so what `import` reads here is what
 * `slabinfo` and `buddyinfo` print. cmdline and sysctl are the policies in the
 * words of a kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/export.h"
#include "shell/cmd.h"
#include "view/sysfs_tree.h"
#include "view/view.h"

static const char *const kinds[] = { "buddyinfo", "slabinfo", "sysfs", "cmdline", "sysctl", NULL };

static const struct arg export_args[] = {
	{ "KIND", ARG_ENUM, NULL, "buddyinfo, slabinfo or sysfs; the policies as cmdline or sysctl", kinds },
	{ "FILE", ARG_FILE, "",   "where to; standard output if none is named; of sysfs a folder", NULL },
	{ 0 }
};

static int paint(struct ctx *ctx, const char *kind, FILE *to)
{
	static const char *const no_words[] = { NULL };
	const struct view_args args = { .words = no_words, .width = 80 };
	const struct view *view = view_find(kind);
	json_t *model;

	if (!strcmp(kind, "cmdline"))
		return policy_export_cmdline(ctx->lab, to), 0;
	if (!strcmp(kind, "sysctl"))
		return policy_export_sysctl(ctx->lab, to), 0;
	model = view ? view->model(ctx->lab, &args) : NULL;
	if (!model)
		return -EINVAL;
	view->text(model, &args, to);
	json_decref(model);
	return 0;
}

static int host_error(const char *file)
{
	int err = errno ? errno : EIO;

	return fail(err, "%s: %s", file, strerror(err));
}

static json_t *text_of(struct ctx *ctx, const char *kind)
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	json_t *s = NULL;

	if (!to) {
		fail(ENOMEM, "no memory for the report");
		return NULL;
	}
	if (!paint(ctx, kind, to) && !fflush(to))
		s = json_stringn(text, len);
	fclose(to);
	free(text);
	return s;
}

/* Painted whole before the file is touched: a report that fails leaves the old one. */
static int write_file(struct ctx *ctx, const char *kind, const char *file)
{
	json_t *text = text_of(ctx, kind);
	FILE *to;
	int ret = 0;

	if (!text)
		return -EINVAL;
	to = fopen(file, "w");
	if (!to) {
		json_decref(text);
		return host_error(file);
	}
	if (fwrite(json_string_value(text), 1, json_string_length(text), to) != json_string_length(text))
		ret = host_error(file);
	if (fclose(to) && !ret)
		ret = host_error(file);
	json_decref(text);
	return ret;
}

/* What the kernel has under /sys/kernel/slab, for tools that read it there. */
static int write_tree(struct ctx *ctx, const char *dir)
{
	unsigned int folders, links;
	int ret = dir ? sysfs_tree(ctx->lab, dir, &folders, &links) : fail(EINVAL, "which folder shall it be written to?");

	if (ret)
		return ret;
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:s,s:o,s:i,s:i}", "kind", "sysfs", "file", json_text(dir), "folders", (int)folders,
					  "links", (int)links));
	else
		fprintf(ctx->out, "%s: %u folders, %u links\n", dir, folders, links);
	return 0;
}

static int export_command(struct ctx *ctx, const struct args *args)
{
	const char *kind = kinds[arg_enum(args, "KIND")], *file = arg_word(args, "FILE");
	json_t *text;
	int ret;

	if (!strcmp(kind, "sysfs"))
		return write_tree(ctx, file);
	if (file && strcmp(file, "-")) {
		ret = write_file(ctx, kind, file);
		if (!ret && ctx->json)
			ctx_answer(ctx, json_pack("{s:s,s:o}", "kind", kind, "file", json_text(file)));
		return ret;
	}
	if (!ctx->json)
		return paint(ctx, kind, ctx->out);
	text = text_of(ctx, kind);
	if (!text)
		return -EINVAL;
	ctx_answer(ctx, json_pack("{s:s,s:o}", "kind", kind, "text", text));
	return 0;
}

const struct cmd cmd_export = {
	.name    = "export",
	.summary = "write a report as the kernel would",
	.args    = export_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = export_command,
	.group   = "Work",
};
