/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release - members of handles go back, in the order in which they were named.
 *
 * Kinds are checked before the first op, so a wrong word frees nothing. What
 * the lab itself refuses later (slab.wrong_cache=refuse) ends the command
 * there; members freed before stay freed and are counted in the sentence.
 */
#ifndef SHELL_RELEASE_H
#define SHELL_RELEASE_H

#include "shell/cmd.h"

enum release_as {
	RELEASE_ANY,	/* each by what it is */
	RELEASE_KFREE,
	RELEASE_PAGES,
	RELEASE_CACHE,	/* to this cache, one op a member */
	RELEASE_KFREE_RCU, RELEASE_CACHE_RCU,	/* the same after a grace period */
	RELEASE_SHEAF,	/* sheaves of kmem_cache prefill */
	RELEASE_BULK,	/* to this cache, one op in all */
};

int ctx_release(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache);

/* The same of members that were freed before, or at `offset` bytes from where they begin (op/debug.h). */
int ctx_release_forced(struct ctx *ctx, struct refs refs, enum release_as as, uint32_t cache, int64_t offset);

#endif
