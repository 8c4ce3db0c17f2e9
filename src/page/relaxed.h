/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relaxed - words that one side writes and others may look at meanwhile.
 *
 * The writer is one CPU, or whoever holds the zone lock; a reader elsewhere
 * may see a value that is stale by one update, never a torn one.
 */
#ifndef PAGE_RELAXED_H
#define PAGE_RELAXED_H

#define peek(lvalue) __atomic_load_n(&(lvalue), __ATOMIC_RELAXED)
#define poke(lvalue, value) __atomic_store_n(&(lvalue), (value), __ATOMIC_RELAXED)

#endif
