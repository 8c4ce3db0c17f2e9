/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape - what a lab is made of: "mem=1G,cpus=8", "zones=DMA:16M:3840p+Normal:240M".
 *
 * A shape is parsed once and lies in the region's header, so a saved lab
 * carries it. Zones lie one after the other from page 0; a zone's managed
 * pages are its first ones. Sizes are multiples of 4 MiB, so no block of the
 * largest order ever crosses a zone.
 *
 * Units. Zone sizes in pages.
 */
#ifndef LAB_SHAPE_H
#define LAB_SHAPE_H

#include "base/types.h"

/* HighMem is there for machines of 32 bits; a lab that has none does not show it. */
enum zone_kind { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_HIGHMEM, ZONE_MOVABLE, ZONE_DEVICE, ZONE_KINDS };
extern const char *const zone_kind_names[ZONE_KINDS];

#define MAX_ZONES (MAX_NODES * ZONE_KINDS)
#define BLOCK_PAGES (1UL << MAX_PAGE_ORDER)	/* pages of a top-order block */

struct shape_zone {
	uint8_t kind, node;
	uint32_t blocks;	/* size in 4 MiB blocks */
	uint64_t managed;	/* pages */
};

struct shape {
	uint32_t cpus, possible, nodes, zones;
	uint64_t pages;		/* all zones together */
	uint64_t seed;
	uint8_t pageblock_order;
	bool clock_real, given;	/* given: the user asked for this shape */
	bool has_cpus, has_possible, has_mem, has_pageblock_order;
	struct shape_zone zone[MAX_ZONES];
};

/* The first lab's shape: mem=256M,cpus=4,nodes=1. */
void shape_default(struct shape *s);

/* Read "key=value,…" over what s holds. -EINVAL with a sentence that names the key. */
int shape_parse(struct shape *s, const char *text);

/* One line that makes the same lab again. Returns buf. */
char *shape_print(const struct shape *s, char *buf, size_t size);

/* Does a report of this lab name zones of that kind, populated or not? */
bool shape_shows_kind(const struct shape *s, unsigned int kind);

/* CPUs go to nodes in equal blocks, lowest ids to node 0. */
unsigned int shape_cpu_node(const struct shape *s, unsigned int cpu);

#endif
