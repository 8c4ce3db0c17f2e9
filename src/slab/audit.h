/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * audit - what a check of a store adds up, and marks.
 *
 * Every free object that is met, on a slab's list, a CPU's or in a queue, is
 * marked in a map of the arena, a bit a word: so none can be free twice.
 */
#ifndef SLAB_AUDIT_H
#define SLAB_AUDIT_H

#include "slab/engine.h"

struct audit {
	struct lab *lab;
	struct store *s;
	uint64_t slabs[MAX_NODES], objects[MAX_NODES];
	uint64_t free_objects;
	uint32_t waiting;		/* sheaves that wait for a grace period, or are held */
	/* for all stores of a lab */
	uint8_t *map;
	uint64_t map_bytes;
};

bool audit_marked(const struct audit *a, uint64_t object);
bool audit_mark(struct audit *a, uint64_t object);	/* false: it was marked already */
int slub_check_slab(struct audit *a, pfn_t pfn);	/* slub_audit.c */

#endif
