/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relaxed - words that one side writes and others may look at meanwhile.
 *
 * The writer is one CPU, or whoever holds the zone lock; a reader elsewhere
 * may see a value that is stale by one update, never a torn one.
 */
#ifndef PAGE_RELAXED_H
#define PAGE_RELAXED_H

#include "cpu/cpu.h"

#define peek(lvalue) __atomic_load_n(&(lvalue), __ATOMIC_RELAXED)
#define poke(lvalue, value) __atomic_store_n(&(lvalue), (value), __ATOMIC_RELAXED)

/*
 * The owner's own count moves by n. One instruction; where a checker watches
 * (ThreadSanitizer), said as the relaxed load and store that it amounts to.
 */
#if CPU_MARKS_ARE_LOCKS
#define bump(lvalue, n) poke(lvalue, peek(lvalue) + (n))
#else
#define bump(lvalue, n) ((lvalue) += (n))
#endif

#endif
