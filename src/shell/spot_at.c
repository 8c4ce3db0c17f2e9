/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/spot_at.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "op/debug.h"
#include "shell/handle_ref.h"

static int of_address(struct ctx *ctx, const char *word, uint64_t *off)
{
	uint64_t n;

	if (parse_u64(word, &n) || n >= ctx->lab->arena_bytes)
		return fail(EINVAL, "\"%s\" is no address in this lab (below %llu)", word,
			    (unsigned long long)ctx->lab->arena_bytes);
	*off = ctx->lab->arena_off + n;
	return 0;
}

static int of_member(struct ctx *ctx, struct ref ref, uint64_t *off)
{
	const struct member *m = ref_member(ctx->lab, ref);

	if (m->off && m->kind == MEMBER_LRU)
		return fail(EINVAL, "%s[%u] is a page of a filler, wherever that is just now (where says)", ref.h->name, ref.index);
	if (m->kind == MEMBER_SHEAF)	/* it lies in side memory, not in the arena */
		return fail(EINVAL, "%s[%u] %s a prefilled sheaf, no object (kmem_cache alloc_from takes one of it)", ref.h->name,
			    ref.index, m->off ? "is" : "was");
	if (m->off && m->kind == MEMBER_CACHED) {
		*off = op_cached_object(ctx->lab, m->off);
		return *off ? 0 : fail(ENOENT, "%s[%u] was freed by a shrinker", ref.h->name, ref.index);
	}
	*off = m->off ? m->off : op_freed(ctx->lab, ref.h->serial, ref.index);
	return *off ? 0 : fail(ENOENT, "%s[%u] was freed too long ago to know where it was", ref.h->name, ref.index);
}

int spot_at(struct ctx *ctx, const char *word, uint64_t *off, uint64_t *bytes)
{
	uint64_t rand = ctx->lab->hdr->rand;
	struct ref_list refs = { .freed_too = true };
	const struct member *m;
	int ret;

	*bytes = 0;
	if (!strncmp(word, "addr:", 5))
		return of_address(ctx, word + 5, off);
	ret = refs_read(ctx->lab, &rand, word, &refs);
	if (!ret && refs.nr != 1)
		ret = fail(EINVAL, "%s means %zu members: name one, as %s[0]", word, refs.nr, refs.v[0].h->name);
	if (!ret)
		ret = of_member(ctx, refs.v[0], off);
	if (!ret) {
		m = ref_member(ctx->lab, refs.v[0]);
		*bytes = m->kind == MEMBER_PAGES ? PAGE_SIZE << m->order : op_object_bytes(ctx->lab, *off);
	}
	refs_free(&refs);
	return ret;
}

int spot_offset(const char *word, int64_t *n)
{
	bool minus = *word == '-';
	uint64_t value;

	if (parse_u64(word + minus, &value) || value > INT32_MAX)
		return fail(EINVAL, "\"%s\" is no offset in bytes", word);
	*n = minus ? -(int64_t)value : (int64_t)value;
	return 0;
}
