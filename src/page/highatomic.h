/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * highatomic - pageblocks kept for urgent requests of high order.
 *
 * Idea (Gorman 2015, Linux 4.4). Who may not wait and wants several pages in a
 * row finds them most likely where such a request found them before: the
 * pageblock it was served from is set aside for its kind, up to about one per
 * cent of the zone. When memory is really short the blocks are given up again.
 *
 * Kernels before 4.4 set aside the first one or two pageblocks of a zone for
 * whoever is left with nothing (buddy.highatomic=reserve-block); these use the
 * same type and lists.
 *
 * Locks. Takes the zone lock.
 */
#ifndef PAGE_HIGHATOMIC_H
#define PAGE_HIGHATOMIC_H

#include "event/variant.h"
#include "page/zone.h"

struct request;

/* After buddy.highatomic changed; after the marks did, which say how much reserve-block keeps. In a stop. */
void highatomic_update(struct lab *lab);
void highatomic_marks_changed(struct lab *lab);

#ifdef VARIANT
/* A HIGHATOMIC request got pfn: set its pageblock aside if there is room for one more. */
void V(highatomic_reserve)(struct cpu *cpu, struct zone *z, pfn_t pfn);

/*
 * Give one pageblock up, for pages of the request's type; last: even the only
 * one of a zone. False if there was none with something free.
 */
bool V(highatomic_unreserve)(struct cpu *cpu, const struct request *rq, bool last);
#endif

#endif
