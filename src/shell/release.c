/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/release.h"

#include <errno.h>
#include <stdlib.h>

#include "op/op.h"

#define ASK_EVERY 64	/* ops between two looks at Ctrl-C */

static int wrong_kind(const struct ref *r, bool pages)
{
	const char *what = pages ? "a block of pages" : "an object";
	const char *remedy = pages ? "free_pages or free" : "kfree, kmem_cache free or free";

	return fail(EINVAL, "%s[%u] is %s: use %s", r->h->name, r->index, what, remedy);
}

static int check_kinds(const struct ctx *ctx, struct refs refs, enum release_as as)
{
	if (as == RELEASE_ANY)
		return 0;
	for (size_t i = 0; i < refs.nr; i++) {
		bool pages = ref_member(ctx->lab, refs.v[i])->kind == MEMBER_PAGES;

		if (pages != (as == RELEASE_PAGES))
			return wrong_kind(&refs.v[i], pages);
		if (!pages && as != RELEASE_KFREE && !ref_member(ctx->lab, refs.v[i])->cache)
			return fail(EINVAL, "%s[%u] is a large block of kmalloc, of no cache: use kfree or free",
				    refs.v[i].h->name, refs.v[i].index);
	}
	return 0;
}

static struct op op_for(const struct ctx *ctx, const struct member *m, enum release_as as, uint32_t cache)
{
	struct op op = { .kind = OP_KFREE, .cpu = (uint16_t)ctx->cpu, .node = -1, .off = m->off };

	if (m->kind == MEMBER_PAGES) {
		op.kind = OP_FREE_PAGES;
		op.order = m->order;
		return op;
	}
	op.owner = m->cache;
	if (as == RELEASE_CACHE) {
		op.kind = OP_CACHE_FREE;
		op.cache = cache;
	}
	return op;
}

/* What a run of frees found out. */
struct findings {
	uint64_t freed, wrong_cache;
	struct ref first_wrong;
};

static int release_one(struct ctx *ctx, struct ref ref, enum release_as as, uint32_t cache, struct findings *f)
{
	struct op op = op_for(ctx, ref_member(ctx->lab, ref), as, cache);
	struct op_result r = { 0 };
	int ret = op_run(ctx->lab, &op, &r);

	if (!ret && r.findings & (FINDING_REFUSED | FINDING_BAD_FREE))
		ret = fail(EINVAL, "the lab refused it");
	if (ret)
		return fail_in(ret, "%s[%u]: ", ref.h->name, ref.index);
	if (r.findings & FINDING_WRONG_CACHE && !f->wrong_cache++)
		f->first_wrong = ref;
	handle_forget(ref.h, ref_member(ctx->lab, ref));
	f->freed++;
	return 0;
}

static int release_each(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache, struct findings *f)
{
	int ret = 0;

	for (size_t i = 0; i < refs.nr && !ret; i++)
		if (i % ASK_EVERY == ASK_EVERY - 1 && ctx_stopped(ctx))
			ret = fail(EINTR, "stopped");
		else
			ret = release_one(ctx, refs.v[i], as, cache, f);
	return ret;
}

static int release_bulk(struct ctx *ctx, struct refs refs, uint32_t cache, struct findings *f)
{
	struct op op = { .kind = OP_CACHE_FREE_BULK, .cpu = (uint16_t)ctx->cpu, .node = -1,
			 .cache = cache, .n = refs.nr };
	struct op_result r = { 0 };
	int ret;

	op.vec = malloc(refs.nr * sizeof(*op.vec));
	if (!op.vec)
		return fail(ENOMEM, "the host has no memory for a list of %zu", refs.nr);
	for (size_t i = 0; i < refs.nr; i++)
		op.vec[i] = ref_member(ctx->lab, refs.v[i])->off;
	ret = op_run(ctx->lab, &op, &r);
	free(op.vec);
	if (!ret && r.findings & (FINDING_REFUSED | FINDING_BAD_FREE))
		ret = fail(EINVAL, "the lab refused it");
	if (ret)
		return ret;
	for (size_t i = 0; i < refs.nr; i++)
		handle_forget(refs.v[i].h, ref_member(ctx->lab, refs.v[i]));
	f->freed = refs.nr;
	if (r.findings & FINDING_WRONG_CACHE) {
		f->wrong_cache = 1;
		f->first_wrong = refs.v[0];
	}
	return 0;
}

static void tell(struct ctx *ctx, const struct findings *f, bool bulk)
{
	if (f->wrong_cache && bulk)
		ctx_note(ctx, "some of the objects are not of the cache named; each went back to its own");
	else if (f->wrong_cache)
		ctx_note(ctx, "%llu freed to a cache they are not of, the first %s[%u]; each went back to its own",
			 (unsigned long long)f->wrong_cache, f->first_wrong.h->name, f->first_wrong.index);
	if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "freed", (json_int_t)f->freed));
}

int ctx_release(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache)
{
	struct findings f = { 0 };
	int ret = check_kinds(ctx, refs, as);

	if (ret)
		return ret;
	lab_hold(ctx->lab);
	ret = as == RELEASE_BULK ? release_bulk(ctx, refs, cache, &f) : release_each(ctx, refs, as, cache, &f);
	lab_release(ctx->lab);
	if (ret && refs.nr > 1)
		fail_in(ret, "%llu of %zu freed; ", (unsigned long long)f.freed, refs.nr);
	if (!ret)
		tell(ctx, &f, as == RELEASE_BULK);
	return ret;
}
