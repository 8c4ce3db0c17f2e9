/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabtop - tables of caches as tools print them: slabtop, and the debugger's
 * `kmem -s`.
 *
 *	OBJS ACTIVE USE OBJ SIZE SLABS OBJ/SLAB CACHE SIZE NAME
 *	CACHE OBJSIZE ALLOCATED TOTAL SLABS SSIZE NAME
 *
 * Both become rows of struct slabinfo. slabtop rounds sizes to a hundredth of
 * a KiB, so an object's size is near the truth; a row of the debugger with `?`
 * in it is listed as skipped.
 */
#ifndef FORMATS_SLABTOP_H
#define FORMATS_SLABTOP_H

#include "formats/slabinfo.h"

/* -ENOENT with a sentence when no line reads as a row. slabinfo_free() the rows. */
int slabtop_parse(const struct paste *text, struct slabinfo *s);
uint32_t slabtop_recognise(const struct paste *text);

int crash_kmem_parse(const struct paste *text, struct slabinfo *s);
uint32_t crash_kmem_recognise(const struct paste *text);

#endif
