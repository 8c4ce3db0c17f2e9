/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * storeline - one store as an object, the same wherever it is shown.
 *
 * Units. age_ops counts ops since the store was made; sizes in bytes.
 */
#ifndef VIEW_STORELINE_H
#define VIEW_STORELINE_H

#include "slab/read.h"
#include "view/look.h"

/* Needs a stop: objects really out are counted by walking. */
json_t *store_object(struct lab *lab, uint32_t store);

/* Its slabs, as view `slabs` has them of a cache's own store; cache: whom it serves or served. In a stop; NULL: no memory. */
json_t *store_slabs(struct lab *lab, uint32_t cache, uint32_t store);

/* The next draining store that once served the cache, oldest first, and its figures; 0 at the end. */
uint32_t store_draining_next(struct lab *lab, uint32_t cache, uint32_t *cursor, struct store_figures *s);
/* All of them as an array of store_object(). */
json_t *stores_draining(struct lab *lab, uint32_t cache);

/* What a cache left in draining stores that served it alone. */
struct stores_left {
	uint64_t objects, total_objects, slabs, pages;
	uint64_t used_bytes, room_bytes;	/* of the objects out, and of all, in their stores' sizes */
};
void stores_left(struct lab *lab, uint32_t cache, struct stores_left *left);

/* "3 slabs, 24 of 48 objects" of such an object. Returns buf. */
char *store_words(const json_t *store, char *buf, size_t size);

/* With slab.owner_map: whose objects are out of a slab, as "owners" {cache: objects}; and "a 10, b 6" of that, "" without. */
void owners_fill(struct lab *lab, pfn_t slab, json_t *o);
char *owners_words(const json_t *o, char *buf, size_t size);

/* What waits for a grace period, and sheaves that were handed out: fields, and a sentence after `before` if there is any. */
void waiting_fill(const struct store_figures *s, json_t *o);
void waiting_text(const json_t *o, const char *before, FILE *to);

#endif
