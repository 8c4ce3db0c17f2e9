/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap - side memory inside the region, given out by offset.
 *
 * Pieces are powers of two (16 bytes up); a freed piece goes on the list of
 * its size, whose link is the piece's first word. Not for hot paths, and not
 * locked: whoever holds the lab's control uses it.
 */
#ifndef LAB_HEAP_H
#define LAB_HEAP_H

#include "lab/lab.h"

/* A zeroed piece of at least `bytes`; 0 when the section is full. */
uint64_t heap_alloc(struct lab *lab, uint64_t bytes);
void heap_free(struct lab *lab, uint64_t off, uint64_t bytes);

#endif
