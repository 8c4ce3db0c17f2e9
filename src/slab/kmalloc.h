/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kmalloc - which class serves a size, and which of the four kinds a request.
 *
 * Idea. Classes are numbered by the logarithm of their size, up to 2 MiB,
 * whatever the lab has: slab_state.kmalloc says for each kind which cache
 * serves a class, and kmalloc.max_class from which size on requests are whole
 * pages. A CPU's array names the parts of the normal kind; where a class is
 * not served by a cache it names the blind part 0, which never has anything,
 * so that a hit asks nothing. (slab-geometry.md section 4)
 */
#ifndef SLAB_KMALLOC_H
#define SLAB_KMALLOC_H

#include "base/bits.h"
#include "base/gfp.h"
#include "slab/slab.h"

/* What a request for 0 bytes gets: an address of nothing. Freeing it does nothing. */
#define ZERO_SIZE 16

/*
 * By steps of 8 bytes; classes are indexed by log2, 96 is 1 and 192 is 2. Up to
 * 1024, where a logarithm would do from 192 on: a program's small sizes come as
 * they like, and which side of 192 the next one lies is guessed wrong often.
 */
extern const uint8_t kmalloc_small[128];
extern const uint32_t kmalloc_class_size[KMALLOC_CLASSES];

/* bytes in 1 .. KMALLOC_MOST */
static inline unsigned int kmalloc_class(uint64_t bytes)
{
	return bytes <= 1024 ? kmalloc_small[(bytes - 1) / 8] : fls(bytes - 1);
}

static inline enum kmalloc_type kmalloc_type(uint32_t gfp)
{
	if (likely(!(gfp & (GFP_BIT_DMA | GFP_BIT_RECLAIMABLE | GFP_BIT_ACCOUNT))))
		return KMALLOC_NORMAL;
	if (gfp & GFP_BIT_DMA)
		return KMALLOC_DMA;
	return gfp & GFP_BIT_RECLAIMABLE ? KMALLOC_RCL : KMALLOC_CG;
}

/* What kernels of the era aligned these objects to. */
uint32_t kmalloc_align(enum slab_era era, uint32_t size);

/*
 * In a stop: the classes that kmalloc.max_class asks for are there, and larger
 * ones serve nobody. -EEXIST or -ENOMEM with a sentence.
 */
int kmalloc_in_line(struct lab *lab);

#endif
