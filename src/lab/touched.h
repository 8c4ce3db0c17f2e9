/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * touched - which host pages of a mapping hold something.
 *
 * The host's page tables know: PAGEMAP_SCAN (Linux 6.7) gives ranges, older
 * hosts a word per page in /proc/self/pagemap. Pages that were only read, and
 * pages that hold nothing but zeros, do not count: so the answer depends on
 * the content alone.
 */
#ifndef LAB_TOUCHED_H
#define LAB_TOUCHED_H

#include "base/types.h"

/* fn for each page with something in it, in order of address; stops when fn returns non-zero. -EIO if the host tells nothing. */
int touched_pages(uint8_t *base, uint64_t bytes, int (*fn)(uint8_t *page, void *arg), void *arg);

#endif
