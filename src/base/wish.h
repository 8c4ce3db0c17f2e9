/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wish - free lists as somebody wants a zone to have them.
 *
 * Units. free: blocks by type and order. blocks: pageblocks of a type, at
 * least what the free blocks need; all that is left over is Movable.
 */
#ifndef BASE_WISH_H
#define BASE_WISH_H

#include "base/gfp.h"
#include "base/types.h"

struct free_wish {
	uint64_t free[MT_NR][NR_PAGE_ORDERS];
	uint64_t blocks[MT_NR];
	bool untyped;	/* all are counted as Movable but of the types that their pageblocks have, which stay */
};

#endif
