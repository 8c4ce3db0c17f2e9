/* SPDX-License-Identifier: GPL-3.0-or-later */
/* get - figures and policies by path, `*` standing for any run of characters. */
#include "shell/cmd.h"
#include "view/figure.h"

static const struct arg get_args[] = {
	{ "-v",   ARG_FLAG,  "",   "print the value alone", NULL },
	{ "PATH", ARG_WORDS, NULL, "paths or globs of them",
	  (const char *const[]){ "PATH", NULL } },
	{ 0 }
};

struct sink {
	struct ctx *ctx;
	bool value_only;
	json_t *all;
};

static json_t *value_json(const struct figure_value *v)
{
	return v->type == FIGURE_INT ? json_integer(v->i) :
	       v->type == FIGURE_REAL ? json_real(v->d) : json_text(v->text);
}

static int print_one(const char *path, const struct figure_value *v, void *arg)
{
	struct sink *s = arg;

	if (s->all)
		json_object_set_new(s->all, path, value_json(v));
	else if (s->value_only)
		fprintf(s->ctx->out, "%s\n", v->text);
	else
		fprintf(s->ctx->out, "%s = %s\n", path, v->text);
	return 0;
}

static int get_run(struct ctx *ctx, const struct args *args)
{
	struct sink s = { .ctx = ctx, .value_only = arg_flag(args, "-v"), .all = ctx->json ? json_object() : NULL };
	char *const *paths = arg_words(args, "PATH", NULL);
	int ret = 0;

	for (; *paths && !ret; paths++)
		ret = figure_glob(ctx->lab, *paths, print_one, &s);
	if (s.all)
		ctx_answer(ctx, s.all);
	return ret;
}

const struct cmd cmd_get = {
	.name    = "get",
	.summary = "print figures and policies by path",
	.args    = get_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = get_run,
	.group   = "Session",
};
