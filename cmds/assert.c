/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assert - fail unless a figure stands as claimed to a value or another one.
 *
 * Both sides may be paths. A word that is a number is one; a word that is no
 * path is a text.
 */
#include "view/figure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "shell/cmd.h"

static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=", NULL };

static const struct arg assert_args[] = {
	{ "PATH",  ARG_PATH, NULL, "a figure", NULL },
	{ "OP",    ARG_ENUM, NULL, "how it stands", operators },
	{ "VALUE", ARG_WORD, NULL, "a value, or the path of another figure", NULL },
	{ 0 }
};

static bool read_number(const char *word, struct figure_value *v)
{
	char *end;

	snprintf(v->text, sizeof(v->text), "%s", word);
	if (!parse_i64(word, &v->i)) {
		v->type = FIGURE_INT;
		v->d = (double)v->i;
		return true;
	}
	v->d = strtod(word, &end);
	v->type = FIGURE_REAL;
	return end != word && !*end && strspn(word, "+-.0123456789") == strlen(word);
}

static int read_side(struct lab *lab, const char *word, bool may_be_text, struct figure_value *v)
{
	int ret;

	memset(v, 0, sizeof(*v));
	if (read_number(word, v))
		return 0;
	ret = figure_read(lab, word, v);
	if (ret != -ENOENT || !may_be_text)
		return ret;
	memset(v, 0, sizeof(*v));
	v->type = FIGURE_TEXT;
	snprintf(v->text, sizeof(v->text), "%s", word);
	return 0;
}

static int assert_run(struct ctx *ctx, const struct args *args)
{
	const char *left = arg_word(args, "PATH"), *op = arg_word(args, "OP"), *right = arg_word(args, "VALUE");
	struct figure_value a, b;
	int ret = read_side(ctx->lab, left, false, &a);

	if (!ret)
		ret = read_side(ctx->lab, right, true, &b);
	if (ret)
		return ret;
	ret = figure_compare(&a, op, &b);
	if (ret < 0)
		return ret;
	if (!ret)
		return fail(EINVAL, "%s %s %s does not hold: %s is %s%s%s%s%s", left, op, right, left, a.text,
			    strcmp(right, b.text) ? ", " : "", strcmp(right, b.text) ? right : "",
			    strcmp(right, b.text) ? " is " : "", strcmp(right, b.text) ? b.text : "");
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:o, s:o}", "left", json_text(a.text), "right", json_text(b.text)));
	return 0;
}

const struct cmd cmd_assert = {
	.name    = "assert",
	.summary = "fail unless a figure stands as claimed",
	.args    = assert_args,
	.flags   = CMD_NEEDS_LAB | CMD_TAKES_GT,
	.run     = assert_run,
	.group   = "Session",
};
