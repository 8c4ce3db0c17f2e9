/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmalloc - which class serves a size, and which of the four kinds a request. (slab-geometry.md section 4) */
#ifndef SLAB_KMALLOC_H
#define SLAB_KMALLOC_H

#include "base/bits.h"
#include "base/gfp.h"
#include "slab/slab.h"

/* What a request for 0 bytes gets: an address of nothing. Freeing it does nothing. */
#define ZERO_SIZE 16

/* By steps of 8 bytes up to 192; classes are indexed by log2, 96 is 1 and 192 is 2. */
extern const uint8_t kmalloc_small[24];
extern const uint16_t kmalloc_class_size[KMALLOC_CLASSES];

/* bytes in 1 .. KMALLOC_MAX */
static inline unsigned int kmalloc_class(uint64_t bytes)
{
	return bytes <= 192 ? kmalloc_small[(bytes - 1) / 8] : fls(bytes - 1);
}

static inline enum kmalloc_type kmalloc_type(uint32_t gfp)
{
	if (likely(!(gfp & (GFP_BIT_DMA | GFP_BIT_RECLAIMABLE | GFP_BIT_ACCOUNT))))
		return KMALLOC_NORMAL;
	if (gfp & GFP_BIT_DMA)
		return KMALLOC_DMA;
	return gfp & GFP_BIT_RECLAIMABLE ? KMALLOC_RCL : KMALLOC_CG;
}

#endif
