/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assert - fail unless a figure stands as claimed to a value or another one.
 *
 * Both sides may be paths. A word that is a number, with K, M, G or a unit of
 * time, is one; a word without a dot that is no path is a text, and texts are
 * equal or not but never less or more.
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
	{ "VALUE", ARG_WORD, NULL, "a value, or the path of another figure",
	  (const char *const[]){ "PATH", NULL } },
	{ 0 }
};

static bool read_number(const char *word, struct figure_value *v)
{
	uint64_t ns;
	char *end;

	snprintf(v->text, sizeof(v->text), "%s", word);
	if (!parse_i64(word, &v->i)) {
		v->type = FIGURE_INT;
		v->d = (double)v->i;
		return true;
	}
	if (!parse_ns(word, &ns)) {		/* 10us, 1.5s */
		v->type = FIGURE_INT;
		v->i = (int64_t)ns;
		v->d = (double)ns;
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
	if (ret != -ENOENT || !may_be_text || strchr(word, '.'))
		return ret;	/* a word with a dot is meant as a path: a slip in it must not pass for a text */
	memset(v, 0, sizeof(*v));
	v->type = FIGURE_TEXT;
	snprintf(v->text, sizeof(v->text), "%s", word);
	return 0;
}

/* "cache.foo.objects is 4": nothing of a side that is its own value. */
static int does_not_hold(const char *left, const char *op, const char *right, const struct figure_value *a,
			 const struct figure_value *b)
{
	bool path_a = strcmp(left, a->text), path_b = strcmp(right, b->text);

	if (!path_a && !path_b)
		return fail(EINVAL, "%s %s %s does not hold", left, op, right);
	return fail(EINVAL, "%s %s %s does not hold: %s%s%s%s%s%s%s", left, op, right, path_a ? left : "",
		    path_a ? " is " : "", path_a ? a->text : "", path_a && path_b ? ", " : "", path_b ? right : "",
		    path_b ? " is " : "", path_b ? b->text : "");
}

static json_t *side_json(const struct figure_value *v)
{
	return v->type == FIGURE_TEXT ? json_text(v->text) : figure_json(v);
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
		return does_not_hold(left, op, right, &a, &b);
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:o, s:o}", "left", side_json(&a), "right", side_json(&b)));
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
