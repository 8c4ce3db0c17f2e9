/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lazy coalescing keeps in a zone: counted when it begins, settled when it ends, checked. */
#include "page/lazy.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "page/area.h"
#include "page/ops.h"
#include "page/read.h"

struct counting {
	uint64_t end;		/* of the managed pages */
	uint64_t *used;
};

/* Extents tile the zone, so the first one in a region that is cut begins where the region does. */
static bool count_extent(const struct page_extent *e, void *arg)
{
	struct counting *c = arg;
	bool is_free = e->role == PAGE_BUDDY || e->role == PAGE_DELAYED;

	if (e->role == PAGE_RESERVED)
		return false;
	c->used[e->order] += !is_free;
	for (unsigned int o = e->order + 1; o < NR_PAGE_ORDERS; o++) {
		uint64_t pages = 1ULL << o;

		if (e->pfn & (pages - 1))
			break;
		c->used[o] += e->pfn + pages <= c->end;
	}
	return true;
}

void lazy_count_used(const struct lab *lab, const struct zone *z, uint64_t used[NR_PAGE_ORDERS])
{
	struct counting c = { zone_managed_end(z), used };

	memset(used, 0, NR_PAGE_ORDERS * sizeof(*used));
	if (z->managed)
		page_extents(lab, z->start, (pfn_t)zone_managed_end(z), count_extent, &c);
}

void lazy_update(struct lab *lab)
{
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		struct zone *z = &lab->zones[i];
		uint64_t used[NR_PAGE_ORDERS] = { 0 };

		z->due_merges = 0;
		if (lazy_is_on(lab))
			lazy_count_used(lab, z, used);
		else
			page_ops_of(lab)->lazy_flush(lab->cpus[0], z, TOP_ORDER, &z->due_merges);
		for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
			z->lazy[o].used = used[o];
	}
}

/* ---- the check ---- */

static int wrong(const char *label, const struct zone *z, unsigned int order, const char *what, uint64_t is, uint64_t should)
{
	return fail(EUCLEAN, "%s: zone N%u.%s, order %u: %s is %llu, not %llu", label, z->node, zone_kind_names[z->kind],
		    order, what, (unsigned long long)is, (unsigned long long)should);
}

/* Delayed blocks of a list, which stand in front; -1: they do not, or the oldest is not the one that is known. */
static int64_t delayed_on(const struct lab *lab, const struct zone *z, unsigned int order, unsigned int type)
{
	pfn_t oldest = PFN_NONE;
	int64_t nr = 0;
	bool ended = false;

	for (pfn_t pfn = z->area[order].list[type].head; pfn != PFN_NONE; pfn = *area_next(lab, pfn, order)) {
		bool delayed = area_is_delayed(lab, pfn, order);

		if (delayed && ended)
			return -1;
		ended |= !delayed;
		oldest = delayed ? pfn : oldest;
		nr += delayed;
	}
	return oldest == z->delayed_tail[order][type] ? nr : -1;
}

int lazy_check(const struct lab *lab, const struct zone *z)
{
	uint64_t used[NR_PAGE_ORDERS] = { 0 };

	if (lazy_is_on(lab))
		lazy_count_used(lab, z, used);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
		uint64_t delayed = 0;

		for (unsigned int t = 0; t < MT_NR; t++) {
			int64_t nr = delayed_on(lab, z, o, t);

			if (nr < 0)
				return wrong("L1", z, o, "the place of a delayed block on its list", 0, 1);
			delayed += (uint64_t)nr;
		}
		if (delayed != z->lazy[o].local || (delayed && (o == TOP_ORDER || !lazy_is_on(lab))))
			return wrong("L1", z, o, "the number of delayed blocks", z->lazy[o].local, delayed);
		if (used[o] != z->lazy[o].used)
			return wrong("L2", z, o, "the number of blocks in use or cut", z->lazy[o].used, used[o]);
	}
	return 0;
}
