/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem_cache validate - check every object of a cache with debug flags. */
#include "op/debug.h"
#include "base/units.h"
#include "shell/cmd.h"

#define STORES_MOST 16

static const struct arg kmem_cache_validate_args[] = {
	{ "NAME", ARG_CACHE, NULL, "the cache", NULL },
	{ 0 }
};

static json_t *model(const struct op_validated *v, unsigned int nr)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < nr; i++)
		json_array_append_new(list, json_pack("{s:I,s:b,s:I,s:I,s:I}", "store", (json_int_t)v[i].store,
			"draining", (int)v[i].draining, "slabs", (json_int_t)v[i].slabs,
			"objects", (json_int_t)v[i].objects, "errors", (json_int_t)v[i].errors));
	return json_pack("{s:o}", "stores", list);
}

static int kmem_cache_validate_run(struct ctx *ctx, const struct args *args)
{
	struct op_validated v[STORES_MOST];
	unsigned int nr;
	int ret = op_cache_validate(ctx->lab, ctx->cpu, arg_cache(args, "NAME"), v, STORES_MOST, &nr);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < nr && !ctx->json; i++)
		fprintf(ctx->out, "store #%llu%s: %llu slab%s, %llu object%s checked, %u error%s\n", (unsigned long long)v[i].store,
			v[i].draining ? " (draining)" : "", (unsigned long long)v[i].slabs, plural(v[i].slabs),
			(unsigned long long)v[i].objects, plural(v[i].objects), v[i].errors, plural(v[i].errors));
	if (ctx->json)
		ctx_answer(ctx, model(v, nr));
	return 0;
}

const struct cmd cmd_kmem_cache_validate = {
	.name    = "kmem_cache validate",
	.summary = "check every object of a cache with debug flags",
	.args    = kmem_cache_validate_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_validate_run,
	.group   = "Slab",
};
