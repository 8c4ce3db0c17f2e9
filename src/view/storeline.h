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

/* Draining stores that once served the cache, oldest first, as an array of store_object(). */
json_t *stores_draining(struct lab *lab, uint32_t cache);

/* "3 slabs, 24 of 48 objects" of such an object. Returns buf. */
char *store_words(const json_t *store, char *buf, size_t size);

#endif
