/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/heap.h"

#include <string.h>

#include "base/bits.h"

#define SMALLEST 4	/* 16 bytes */

static unsigned int piece_shift(uint64_t bytes)
{
	unsigned int shift = bytes > 1 ? fls(bytes - 1) : 0;

	return shift < SMALLEST ? SMALLEST : shift;
}

uint64_t heap_alloc(struct lab *lab, uint64_t bytes)
{
	struct header *h = lab->hdr;
	unsigned int shift = piece_shift(bytes);
	uint64_t off;

	if (shift >= ARRAY_SIZE(h->heap_free))
		return 0;
	off = h->heap_free[shift];
	if (off) {
		h->heap_free[shift] = *(uint64_t *)lab_ptr(lab, off);
		memset(lab_ptr(lab, off), 0, 1UL << shift);
		return off;
	}
	if (h->heap_top + (1UL << shift) > h->bytes[SEC_HEAP])
		return 0;
	off = h->offset[SEC_HEAP] + h->heap_top;
	h->heap_top += 1UL << shift;	/* never touched before: it is zero */
	return off;
}

void heap_free(struct lab *lab, uint64_t off, uint64_t bytes)
{
	unsigned int shift = piece_shift(bytes);

	if (!off)
		return;
	*(uint64_t *)lab_ptr(lab, off) = lab->hdr->heap_free[shift];
	lab->hdr->heap_free[shift] = off;
}
