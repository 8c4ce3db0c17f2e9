/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/fail.h"

#define SMALLEST 4	/* 16 bytes */

static unsigned int piece_shift(uint64_t bytes)
{
	unsigned int shift = bytes > 1 ? fls(bytes - 1) : 0;

	return shift < SMALLEST ? SMALLEST : shift;
}

static void heap_lock(struct header *h)
{
	while (__atomic_exchange_n(&h->heap_lock, 1, __ATOMIC_ACQUIRE))
		cpu_relax();
}

static void heap_unlock(struct header *h)
{
	__atomic_store_n(&h->heap_lock, 0, __ATOMIC_RELEASE);
}

static void put(struct header *h, const struct lab *lab, unsigned int shift, uint64_t off)
{
	*(uint64_t *)lab_ptr(lab, off) = h->heap_free[shift];
	h->heap_free[shift] = off;
}

/* Pieces of a line or more begin on one, so that none shares it with what another CPU writes. What is skipped is smaller pieces. */
static void go_to_line(struct header *h, const struct lab *lab)
{
	for (unsigned int shift = SMALLEST; 1UL << shift < CACHE_LINE; shift++)
		if (h->heap_top & 1UL << shift && h->heap_top + (1UL << shift) <= h->bytes[SEC_HEAP]) {
			put(h, lab, shift, h->offset[SEC_HEAP] + h->heap_top);
			h->heap_top += 1UL << shift;
		}
}

/* A piece that was used before, or one never touched, which is zero. */
static uint64_t take(struct header *h, const struct lab *lab, unsigned int shift, bool *used)
{
	uint64_t off = h->heap_free[shift];

	*used = off != 0;
	if (off) {
		h->heap_free[shift] = *(uint64_t *)lab_ptr(lab, off);
		return off;
	}
	if (1UL << shift >= CACHE_LINE)
		go_to_line(h, lab);
	if (h->heap_top + (1UL << shift) > h->bytes[SEC_HEAP])
		return 0;
	off = h->offset[SEC_HEAP] + h->heap_top;
	h->heap_top += 1UL << shift;
	return off;
}

uint64_t heap_alloc(struct lab *lab, uint64_t bytes)
{
	unsigned int shift = piece_shift(bytes);
	uint64_t off;
	bool used;

	if (shift >= ARRAY_SIZE(lab->hdr->heap_free))
		return 0;
	heap_lock(lab->hdr);
	off = take(lab->hdr, lab, shift, &used);
	heap_unlock(lab->hdr);
	if (off && used)
		memset(lab_ptr(lab, off), 0, 1UL << shift);
	return off;
}

void heap_free(struct lab *lab, uint64_t off, uint64_t bytes)
{
	unsigned int shift = piece_shift(bytes);

	if (!off)
		return;
	heap_lock(lab->hdr);
	put(lab->hdr, lab, shift, off);
	heap_unlock(lab->hdr);
}

/* ---- the audit ---- */

int heap_audit_begin(struct heap_audit *a, struct lab *lab)
{
	if (lab->hdr->heap_top > lab->hdr->bytes[SEC_HEAP])
		return fail(EUCLEAN, "M1: more side memory is given out than there is");
	*a = (struct heap_audit){ lab, calloc((lab->hdr->heap_top >> SMALLEST) + 1, 1) };
	return a->taken ? 0 : fail(ENOMEM, "the host has no memory to check a lab");
}

static int claim(struct heap_audit *a, const char *who, uint64_t off, unsigned int shift)
{
	const struct header *h = a->lab->hdr;
	uint64_t at = off - h->offset[SEC_HEAP];

	if (shift >= ARRAY_SIZE(h->heap_free) || at & ((1UL << SMALLEST) - 1) || at >= h->heap_top ||
	    h->heap_top - at < 1UL << shift)
		return fail(EUCLEAN, "M1: %s is no piece of side memory", who);
	if (memchr(a->taken + (at >> SMALLEST), 1, 1UL << (shift - SMALLEST)))
		return fail(EUCLEAN, "M1: side memory of %s is somebody else's, too", who);
	memset(a->taken + (at >> SMALLEST), 1, 1UL << (shift - SMALLEST));
	return 0;
}

int heap_audit_piece(struct heap_audit *a, const char *who, uint64_t off, uint64_t bytes)
{
	return off ? claim(a, who, off, piece_shift(bytes)) : 0;
}

/* A list that runs in a ring meets a piece that is taken. */
static int claim_free(struct heap_audit *a)
{
	const struct header *h = a->lab->hdr;
	int ret = 0;

	for (unsigned int shift = 0; shift < ARRAY_SIZE(h->heap_free) && !ret; shift++) {
		if (h->heap_free[shift] && shift < SMALLEST)
			return fail(EUCLEAN, "M1: there are no pieces of %u bytes", 1U << shift);
		for (uint64_t off = h->heap_free[shift]; off && !ret; off = ret ? 0 : *(uint64_t *)lab_ptr(a->lab, off))
			ret = claim(a, "a free piece", off, shift);
	}
	return ret;
}

int heap_audit_end(struct heap_audit *a, int ret)
{
	const uint8_t *lost;

	if (!ret)
		ret = claim_free(a);
	lost = ret ? NULL : memchr(a->taken, 0, a->lab->hdr->heap_top >> SMALLEST);
	if (lost)
		ret = fail(EUCLEAN, "M1: nobody has side memory at 0x%llx", (unsigned long long)(lost - a->taken) << SMALLEST);
	free(a->taken);
	return ret;
}
