/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/sheaf_ref.h"

#include <errno.h>

int sheaf_ref(struct ctx *ctx, struct refs refs, uint64_t *off)
{
	const struct member *m = ref_member(ctx->lab, refs.v[0]);

	if (m->kind != MEMBER_SHEAF)
		return fail(EINVAL, "%s[%u] is no prefilled sheaf (kmem_cache prefill gives some)", refs.v[0].h->name, refs.v[0].index);
	if (refs.nr > 1)
		return fail(EINVAL, "one sheaf at a time: %s[%u], or another one of these %zu", refs.v[0].h->name, refs.v[0].index, refs.nr);
	*off = m->off;
	return 0;
}
