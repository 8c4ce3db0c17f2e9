/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap - side memory inside the region, given out by offset.
 *
 * Pieces are powers of two (16 bytes up); a freed piece goes on the list of
 * its size, whose link is the piece's first word. Not for hot paths: a word
 * that is spun upon guards the lists, for a few stores each time.
 *
 * Invariant (heap_audit_end() reports it)
 *   M1  Every byte given out is in exactly one place: a piece that one owner
 *       names, or a piece on the free list of its size.
 */
#ifndef LAB_HEAP_H
#define LAB_HEAP_H

#include "lab/lab.h"

/* A zeroed piece of at least `bytes`; 0 when the section is full. */
uint64_t heap_alloc(struct lab *lab, uint64_t bytes);
void heap_free(struct lab *lab, uint64_t off, uint64_t bytes);

/*
 * An audit, in a stop. Each owner names its pieces, then the end looks for
 * what nobody named. -EUCLEAN with a sentence; the end frees the audit.
 */
struct heap_audit {
	struct lab *lab;
	uint8_t *taken;		/* by 16 bytes of what was given out */
};
int heap_audit_begin(struct heap_audit *a, struct lab *lab);
/* `who` was given this piece for so many bytes; 0 is no piece and fine. */
int heap_audit_piece(struct heap_audit *a, const char *who, uint64_t off, uint64_t bytes);
int heap_audit_end(struct heap_audit *a, int ret);	/* ret: what was found so far; returned if it is not 0 */

#endif
