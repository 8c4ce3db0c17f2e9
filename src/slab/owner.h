/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner - which cache took each object: policy slab.owner_map.
 *
 * Idea. Caches that share a store leave no trace in its slabs of who took
 * what. A store with an owner map has a word for each object, written by each
 * allocation and each free. So a free by a name that did not take the object
 * is found, a kfree counts for the right name, and a cache that is merged
 * cannot be destroyed while it has objects out. The words of a slab's objects
 * lie one behind the other in a section of their own, at the place of its
 * first page; nobody touches it where no store has a map.
 *
 * Invariant S13. An object is out exactly if its word names a cache that did
 * not give it back.
 *
 * Cost. Calls of the C interface take the long way (no inline hit), each
 * alloc and free one more cache line; memory, four bytes an object.
 */
#ifndef SLAB_OWNER_H
#define SLAB_OWNER_H

#include "slab/slab.h"

#define OWNER_FREED (1u << 31)	/* it gave the object back; the name stays, to tell of */
#define OWNER_SECTION_SHARE 2	/* the section has one byte for so many of the arena: a word for objects of 8 bytes */

/* The words of a slab. */
static inline uint32_t *owner_words(const struct lab *lab, pfn_t slab)
{
	return (uint32_t *)((uint8_t *)lab_section(lab, SEC_OWNER) + ((uint64_t)slab << PAGE_SHIFT) / OWNER_SECTION_SHARE);
}

static inline uint32_t *owner_word(const struct lab *lab, const struct store *s, uint64_t object)
{
	const struct page *slab = slab_of(lab, object);

	return owner_words(lab, page_pfn(lab, slab)) + object_index(lab, s, slab, object);
}

static inline void owner_take(const struct lab *lab, const struct store *s, uint64_t object, uint32_t cache)
{
	__atomic_store_n(owner_word(lab, s, object), cache, __ATOMIC_RELAXED);
}

/* The word of an object that is out; NULL of an address that is none, or of a free one. */
uint32_t *owner_word_out(const struct lab *lab, const struct store *s, uint64_t off);

static inline void owner_give(uint32_t *word)
{
	__atomic_store_n(word, *word | OWNER_FREED, __ATOMIC_RELAXED);
}

/* The free was refused. */
static inline void owner_keep(uint32_t *word)
{
	__atomic_store_n(word, *word & ~OWNER_FREED, __ATOMIC_RELAXED);
}

/* Does any store have a map, or will one to come? */
bool owner_maps(const struct lab *lab);

/* In a stop. Objects of this cache that are out, in stores with a map. */
uint64_t owner_count(const struct lab *lab, uint32_t cache);

struct audit;
int owner_check(struct audit *a);	/* after the engine's check, which marks free objects */

#endif
