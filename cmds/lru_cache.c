/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lru cache - give objects up without freeing them: they stay until memory is short.
 *
 * Each member becomes an entry, which stays the handle's own when a shrinker
 * frees its object.
 */
#include <errno.h>

#include "op/op.h"
#include "shell/cmd.h"

static const struct arg lru_cache_args[] = {
	{ "HANDLE", ARG_HANDLES, NULL, "handles of objects, or slices of them",
	  (const char *const[]){ "CACHE_OBJECTS", NULL } },
	{ "gfp",    ARG_GFP, "GFP_KERNEL", "flags of the request for another object, should one be touched that was shrunk", NULL },
	{ 0 }
};

static int check(const struct ctx *ctx, struct refs refs)
{
	for (size_t i = 0; i < refs.nr; i++) {
		const struct member *m = ref_member(ctx->lab, refs.v[i]);

		if (m->kind == MEMBER_CACHED)
			return fail(EINVAL, "%s[%u] is a cached object already (lru touch uses it)", refs.v[i].h->name, refs.v[i].index);
		if (m->kind != MEMBER_OBJECT || !m->cache)
			return fail(EINVAL, "%s[%u] is no object of a cache: a shrinker frees those of kmem_cache alloc and kmalloc alone",
				    refs.v[i].h->name, refs.v[i].index);
	}
	return 0;
}

static int cache_one(struct ctx *ctx, struct member *m, uint32_t gfp)
{
	struct op op = { .kind = OP_LRU_CACHE, .cpu = (uint16_t)ctx->cpu, .node = -1, .gfp = gfp, .cache = m->cache, .off = m->off };
	struct op_result r;
	int ret = op_run(ctx->lab, &op, &r);

	if (!ret) {
		m->kind = MEMBER_CACHED;
		m->off = r.off;
	}
	return ret;
}

static int lru_cache_run(struct ctx *ctx, const struct args *args)
{
	struct refs refs = arg_refs(args, "HANDLE");
	int ret = check(ctx, refs);

	if (ret)
		return ret;
	lab_hold(ctx->lab);
	for (size_t i = 0; i < refs.nr && !ret; i++) {
		ret = cache_one(ctx, ref_member(ctx->lab, refs.v[i]), arg_gfp(args, "gfp"));
		if (ret)
			fail_in(ret, "%s[%u], after %zu of %zu: ", refs.v[i].h->name, refs.v[i].index, i, refs.nr);
	}
	lab_release(ctx->lab);
	if (!ret && ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "cached", (json_int_t)refs.nr));
	return ret;
}

const struct cmd cmd_lru_cache = {
	.name    = "lru cache",
	.summary = "give objects up to reclaim without freeing them",
	.args    = lru_cache_args,
	.flags   = CMD_NEEDS_LAB | CMD_CHANGES,
	.run     = lru_cache_run,
	.group   = "Pages",
};
