/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kmem_cache create - a cache for objects of SIZE bytes.
 *
 * Where merging is on, the cache may share the store of one that is like it;
 * merge=off keeps it alone and changes nothing of its geometry.
 */
#include <string.h>

#include "op/op.h"
#include "shell/cmd.h"
#include "view/figure.h"

static const char *const merge_words[] = { "auto", "on", "off", NULL };	/* as enum merge_wish */

static const char *const engine_words[] = { "auto", "slub", "slab", "slqb", "sheaves", NULL };

static const struct arg kmem_cache_create_args[] = {
	{ "NAME",     ARG_WORD,        NULL,   "the cache's name", NULL },
	{ "SIZE",     ARG_SIZE,        NULL,   "bytes of an object", NULL },
	{ "align",    ARG_SIZE,        "0",    "bytes that an object's address is a multiple of", NULL },
	{ "flags",    ARG_CACHE_FLAGS, "",     "HWCACHE, RCU, ACCOUNT, RECLAIM, DMA, DMA32, NOLEAK, POISON, "
						"REDZONE, USER, CONSIST, TRACE, SPREAD, NOMERGE, joined by |", NULL },
	{ "ctor",     ARG_FLAG,        "",     "objects have a constructor", NULL },
	{ "usersize", ARG_SIZE,        "0",    "bytes that may be copied to user space", NULL },
	{ "merge",    ARG_ENUM,        "auto", "whether it may share a store", merge_words },
	{ "capacity", ARG_NUMBER,      "0",    "engine sheaves: objects in a sheaf, for this cache", NULL },
	{ "freeptr",  ARG_SIZE,        "",     "flag RCU, slab.era 6.18: where a free object keeps its link, which stays inside then", NULL },
	{ "engine",   ARG_ENUM,        "auto", "the allocator that serves it; auto: as slab.engine says", engine_words },
	{ 0 }
};

struct search {
	const char *name;	/* of the cache itself */
	int64_t store;
	char with[256];		/* the first that has this store */
};

static int compare_store(const char *path, const struct figure_value *v, void *arg)
{
	struct search *s = arg;
	char name[sizeof(s->with)];

	if (v->type != FIGURE_INT || v->i != s->store || !figure_cache_name(path, name, sizeof(name)) ||
	    !strcmp(name, s->name))
		return 0;
	memcpy(s->with, name, sizeof(name));
	return 1;
}

/* Merging is the kernel's habit, and a surprise to whoever did not ask for it. */
static void tell_sharing(struct ctx *ctx, const char *name)
{
	struct search s = { .name = name };
	struct figure_value v;
	char path[256];

	snprintf(path, sizeof(path), "cache.%s.aliases", name);
	if (ctx->quiet || figure_read(ctx->lab, path, &v) || v.i <= 0)
		return;
	snprintf(path, sizeof(path), "cache.%s.store", name);
	if (figure_read(ctx->lab, path, &v))
		return;
	s.store = v.i;
	figure_glob(ctx->lab, "cache.*.store", compare_store, &s);
	if (s.with[0])
		ctx_note(ctx, "%s shares store #%lld with %s (merge=off keeps it alone)", name, (long long)s.store, s.with);
}

static int kmem_cache_create_run(struct ctx *ctx, const struct args *args)
{
	struct cache_request rq = {
		.name     = arg_word(args, "NAME"),
		.size     = arg_u64(args, "SIZE"),
		.align    = arg_u64(args, "align"),
		.flags    = (uint32_t)arg_u64(args, "flags"),
		.usersize = arg_u64(args, "usersize"),
		.ctor     = arg_flag(args, "ctor"),
		.merge    = (uint8_t)arg_enum(args, "merge"),
		.engine   = (int)arg_enum(args, "engine"),
		.link_at  = arg_given(args, "freeptr") ? (int64_t)arg_u64(args, "freeptr") + 1 : 0,
		.sheaf_capacity = arg_given(args, "capacity") ? (int)arg_u64(args, "capacity") + 1 : 0,
	};
	uint32_t cache;
	int ret = op_cache_create(ctx->lab, &rq, &cache);

	if (!ret)
		tell_sharing(ctx, rq.name);
	if (!ret && ctx->json)
		ctx_answer(ctx, json_pack("{s:o, s:i}", "cache", json_text(rq.name), "id", (int)cache));
	return ret;
}

const struct cmd cmd_kmem_cache_create = {
	.name    = "kmem_cache create",
	.summary = "make a cache for objects of SIZE bytes",
	.args    = kmem_cache_create_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = kmem_cache_create_run,
	.group   = "Slab",
};
