/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/release.h"

#include <errno.h>
#include <stdlib.h>

#include "op/debug.h"

#define ASK_EVERY 64	/* ops between two looks at Ctrl-C */

static int wrong_kind(const struct ref *r, enum member_kind kind)
{
	static const struct { const char *what, *remedy; } of[] = {
		[MEMBER_OBJECT] = { "an object", "kfree, kmem_cache free or free" },
		[MEMBER_PAGES] = { "a block of pages", "free_pages or free" },
		[MEMBER_LRU] = { "a page of a filler", "free" },
		[MEMBER_CACHED] = { "an object", "kfree, kmem_cache free or free" },
		[MEMBER_SHEAF] = { "a prefilled sheaf", "kmem_cache return or free" },
	};
	const char *what = of[kind].what, *remedy = of[kind].remedy;

	return fail(EINVAL, "%s[%u] is %s: use %s", r->h->name, r->index, what, remedy);
}

static int check_kinds(const struct ctx *ctx, struct refs refs, enum release_as as)
{
	if (as == RELEASE_ANY)
		return 0;
	for (size_t i = 0; i < refs.nr; i++) {
		enum member_kind kind = (enum member_kind)ref_member(ctx->lab, refs.v[i])->kind;
		bool pages = kind == MEMBER_PAGES;

		if (kind == MEMBER_LRU || (kind == MEMBER_SHEAF) != (as == RELEASE_SHEAF) || pages != (as == RELEASE_PAGES))
			return wrong_kind(&refs.v[i], kind);
		if (!pages && as != RELEASE_KFREE && as != RELEASE_KFREE_RCU && as != RELEASE_SHEAF && !ref_member(ctx->lab, refs.v[i])->cache)
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
	if (m->kind == MEMBER_LRU) {
		op.kind = OP_LRU_DROP;
		return op;
	}
	if (m->kind == MEMBER_SHEAF) {
		op.kind = OP_SHEAF_RETURN;
		op.gfp = GFP_KERNEL;
		return op;
	}
	op.owner = m->cache;
	if (as == RELEASE_KFREE_RCU)
		op.kind = OP_KFREE_RCU;
	if (as == RELEASE_CACHE || as == RELEASE_CACHE_RCU) {
		op.kind = as == RELEASE_CACHE ? OP_CACHE_FREE : OP_CACHE_FREE_RCU;
		op.cache = cache;
	}
	return op;
}

/* What a run of frees found out. */
struct findings {
	bool force;		/* asked for: do what is known to be wrong, at so many bytes from the object */
	int64_t offset;
	uint64_t freed, wrong_cache, kept;	/* kept: checks of a debug store did not let them go */
	struct ref first_wrong, first_kept;
};

/* Free it although it was freed before, or at some bytes from where it begins. */
static int run_forced(struct ctx *ctx, struct ref ref, struct op *op, int64_t offset, struct op_result *r)
{
	if (!op->off)
		op->off = op_freed(ctx->lab, ref.h->serial, ref.index);
	if (!op->off)
		return fail(ENOENT, "it was freed too long ago to know where it was");
	op->off += (uint64_t)offset;
	return op_free_forced(ctx->lab, op, r);
}

static int release_one(struct ctx *ctx, struct ref ref, enum release_as as, uint32_t cache, struct findings *f)
{
	struct op op = op_for(ctx, ref_member(ctx->lab, ref), as, cache);
	struct op_result r = { 0 };
	bool live = op.off != 0;
	int ret = f->force ? run_forced(ctx, ref, &op, f->offset, &r) : op_run(ctx->lab, &op, &r);

	if (!ret && r.findings & (FINDING_REFUSED | FINDING_BAD_FREE))
		ret = fail(EINVAL, "the lab refused it");
	if (ret)
		return fail_in(ret, "%s[%u]: ", ref.h->name, ref.index);
	if (r.findings & FINDING_WRONG_CACHE && !f->wrong_cache++)
		f->first_wrong = ref;
	if (r.findings & FINDING_DEBUG) {
		if (!f->kept++)
			f->first_kept = ref;
		return 0;
	}
	if (ref_member(ctx->lab, ref)->kind == MEMBER_OBJECT)
		op_note_freed(ctx->lab, ref.h->serial, ref.index, op.off);
	if (live)
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
	if (r.findings & FINDING_DEBUG) {
		f->kept = refs.nr;
		f->first_kept = refs.v[0];
		return 0;
	}
	for (size_t i = 0; i < refs.nr; i++) {
		struct member *m = ref_member(ctx->lab, refs.v[i]);

		op_note_freed(ctx->lab, refs.v[i].h->serial, refs.v[i].index, m->off);
		handle_forget(refs.v[i].h, m);
	}
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
	if (f->kept)
		ctx_note(ctx, "%llu not freed, the first %s[%u]: see the report", (unsigned long long)f->kept,
			 f->first_kept.h->name, f->first_kept.index);
	if (ctx->json && f->kept)
		ctx_answer(ctx, json_pack("{s:I,s:I}", "freed", (json_int_t)f->freed, "refused", (json_int_t)f->kept));
	else if (ctx->json)
		ctx_answer(ctx, json_pack("{s:I}", "freed", (json_int_t)f->freed));
}

/* Cached objects are their handle's alone again; one that was shrunk is gone, and its member with it. */
static int take_from_cache(struct ctx *ctx, struct refs refs, struct ref *left, size_t *nr)
{
	int ret = 0;

	for (size_t i = 0; i < refs.nr; i++) {
		struct member *m = ref_member(ctx->lab, refs.v[i]);
		struct op op = { .kind = OP_LRU_UNCACHE, .cpu = (uint16_t)ctx->cpu, .node = -1, .off = m->off };
		struct op_result r = { 0 };

		if (m->kind == MEMBER_CACHED && m->off && !ret) {
			ret = op_run(ctx->lab, &op, &r);
			m->kind = MEMBER_OBJECT;
			if (!r.off)
				handle_forget(refs.v[i].h, m);
			m->off = r.off;
			if (!r.off)
				continue;
		}
		left[(*nr)++] = refs.v[i];
	}
	return ret;
}

static int release(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache, struct findings f)
{
	int ret = check_kinds(ctx, refs, as);
	struct ref *left;
	size_t nr = 0;

	if (ret)
		return ret;
	left = malloc(refs.nr * sizeof(*left) + 1);
	if (!left)
		return fail(ENOMEM, "the host has no memory for a list of %zu", refs.nr);
	lab_hold(ctx->lab);
	ret = take_from_cache(ctx, refs, left, &nr);
	refs = (struct refs){ left, nr };
	if (!ret && nr)
		ret = as == RELEASE_BULK ? release_bulk(ctx, refs, cache, &f) : release_each(ctx, refs, as, cache, &f);
	lab_release(ctx->lab);
	free(left);
	if (ret && refs.nr > 1)
		fail_in(ret, "%llu of %zu freed; ", (unsigned long long)f.freed, refs.nr);
	if (!ret)
		tell(ctx, &f, as == RELEASE_BULK);
	return ret;
}

int ctx_release(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache)
{
	return release(ctx, refs, as, cache, (struct findings){ 0 });
}

int ctx_release_forced(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache, int64_t offset)
{
	return release(ctx, refs, as, cache, (struct findings){ .force = true, .offset = offset });
}
