/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug - staging wrong acts, and asking for checks: all by command.
 *
 * Idea. What a kernel would survive, or notice, is done as told, byte for
 * byte. What would send a kernel into nowhere unnoticed (the link of a free
 * object, where no consistency check reads it first) is refused with a
 * sentence that says which flag would notice: a lab is never killed.
 */
#ifndef OP_DEBUG_H
#define OP_DEBUG_H

#include "op/op.h"

/* Bytes of a slab or of held pages, at a region offset. -EINVAL/-EPERM with a sentence; nothing is written then. */
int op_poke(struct lab *lab, uint64_t off, const uint8_t *bytes, size_t n);
/* Bytes of the object that begins there, 0 if none does. */
/* The object of an entry of cached objects, 0 if it was shrunk. */
uint64_t op_cached_object(const struct lab *lab, uint64_t entry);
uint64_t op_object_bytes(struct lab *lab, uint64_t off);
int op_peek(struct lab *lab, uint64_t off, uint8_t *bytes, size_t n);

/*
 * Free an address that is no object now: freed before, or inside one. Runs
 * op (OP_KFREE or OP_CACHE_FREE) where its store's checks notice; -EPERM with a
 * sentence where nobody would.
 */
int op_free_forced(struct lab *lab, const struct op *op, struct op_result *r);

/* Frees by command are remembered, so that they can be done twice. */
void op_note_freed(struct lab *lab, uint64_t handle, uint32_t index, uint64_t off);
uint64_t op_freed(struct lab *lab, uint64_t handle, uint32_t index);	/* 0: not, or too long ago */

/* What `kmem_cache validate` found in one store. */
struct op_validated {
	uint64_t store, slabs, objects;
	uint32_t errors;
	bool draining;
};
/* Each store of the cache: the present one first. *nr of at most `max`. -EINVAL when none has debug flags. */
int op_cache_validate(struct lab *lab, unsigned int cpu, uint32_t cache, struct op_validated *v, unsigned int max,
		      unsigned int *nr);

/* dmesg begins anew; counts go on. */
void op_dmesg_clear(struct lab *lab);

#endif
