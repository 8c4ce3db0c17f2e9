/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caches - every cache: geometry, objects, slabs, use; sorted, and where its memory goes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shell/cmd.h"
#include "view/caches.h"

static const char *const orders[] = { "age", "name", "objects", "slabs", "memory", "waste", "use", "size", NULL };
/* What is compared, by the same index; use is worked out, and name the only text. */
static const char *const keys[] = { NULL, "name", "objects", "slabs", "memory_bytes", "waste_bytes", NULL, "object_size" };
enum { BY_AGE, BY_NAME, BY_USE = 6 };

static const struct arg caches_args[] = {
	{ "WHICH", ARG_WORD, "", "all, or a pattern of names; without it those that hold something", NULL },
	{ "sort",  ARG_ENUM, "age", "most first by this; names from a to z, use from the emptiest", orders },
	{ "waste", ARG_FLAG, "", "where the memory goes: free objects, overhead of objects, tails of slabs", NULL },
	{ "-v",    ARG_FLAG, "", "with each cache's stores: the present one, those that drain, and how it came by them", NULL },
	{ 0 }
};

static double use(const json_t *c)
{
	json_int_t all = json_integer_value(json_object_get(c, "total_objects"));

	return all ? (double)json_integer_value(json_object_get(c, "store_objects")) / (double)all : 2;
}

static int compare(const json_t *a, const json_t *b, unsigned int by)
{
	json_int_t x, y;

	if (by == BY_NAME)
		return strcmp(json_string_value(json_object_get(a, "name")), json_string_value(json_object_get(b, "name")));
	if (by == BY_USE)
		return use(a) < use(b) ? -1 : use(a) > use(b);
	x = json_integer_value(json_object_get(a, keys[by]));
	y = json_integer_value(json_object_get(b, keys[by]));
	return x > y ? -1 : x < y;
}

/* In place; equals keep their order. There are hundreds at most. */
static void sort(json_t *list, unsigned int by)
{
	for (size_t i = 1; by != BY_AGE && i < json_array_size(list); i++) {
		json_t *c = json_incref(json_array_get(list, i));
		size_t at = i;

		while (at && compare(json_array_get(list, at - 1), c, by) > 0)
			at--;
		json_array_remove(list, i);
		json_array_insert_new(list, at, c);
	}
}

static int caches_run(struct ctx *ctx, const struct args *args)
{
	const char *words[3] = { arg_word(args, "WHICH") };
	struct view_args va;
	json_t *model;
	size_t nr = words[0] != NULL;

	if (arg_flag(args, "-v"))
		words[nr] = "-v";

	ctx_view_args(ctx, args, &va);
	va.name = nr ? words[0] : NULL;
	va.words = words;
	model = view_find("caches")->model(ctx->lab, &va);
	if (!model)
		return -EINVAL;
	sort(json_object_get(model, "caches"), arg_enum(args, "sort"));
	ctx_model(ctx, model, arg_flag(args, "waste") ? view_caches_waste_text : view_find("caches")->text, &va);
	return 0;
}

const struct cmd cmd_caches = {
	.name    = "caches",
	.summary = "every cache: geometry, objects, slabs, use",
	.args    = caches_args,
	.flags   = CMD_NEEDS_LAB,
	.run     = caches_run,
	.group   = "Views",
};
