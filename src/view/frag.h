/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frag - the fragmentation indexes of free blocks by order, in thousandths, as the kernel computes them. */
#ifndef VIEW_FRAG_H
#define VIEW_FRAG_H

#include "base/types.h"

/* Part of free memory in blocks too small for the order: 0 .. 1000. */
int64_t frag_unusable(const uint64_t nr_free[NR_PAGE_ORDERS], unsigned int order);
/* Why a request of the order would fail: -1000 it would not, near 0 too little memory, near 1000 too scattered. */
int64_t frag_extfrag(const uint64_t nr_free[NR_PAGE_ORDERS], unsigned int order);

#endif
