/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometry of SLUB: alignment, object layout, slab order and the limits of
 * partial lists, by era. Pure arithmetic: nothing here knows a lab.
 * Agreement with a running kernel is tested row by row (tests/data, calc).
 */
#include "slab/engine.h"

#include <errno.h>

#include "base/bits.h"
#include "base/fail.h"

#define TRACK_BYTES 32		/* one allocation or free record (user tracking) */

uint32_t objs_in(unsigned int order, uint32_t size)
{
	return (uint32_t)min_u64((PAGE_SIZE << order) / size, UINT32_MAX);
}

/* A cache line for large objects; halved while two objects fit into the half (2.6.24: then none). */
uint32_t align_compute(enum slab_era era, uint32_t flags, uint32_t align, uint32_t size)
{
	if (flags & CF_HWCACHE) {
		uint32_t line = CACHE_LINE;

		while (size <= line / 2)
			line = era == ERA_2_6_24 ? 0 : line / 2;
		if (align < line)
			align = line;
	}
	if (align < WORD)
		align = WORD;
	return (uint32_t)round_up(align, WORD);
}

/* Since 6.12 a cache whose readers may still look at a freed object can name a word that they do not need. */
static bool link_is_named(const struct wish *w)
{
	return w->era >= ERA_6_18 && w->link_at >= 0;
}

/*
 * Where the link of a free object lies: in the object, unless that must stay
 * as it was while free (constructor, RCU readers, poison) or is too small
 * under a red zone.
 */
static bool link_is_outside(const struct wish *w, uint32_t flags)
{
	return flags & CF_POISON || (flags & CF_RCU && !link_is_named(w)) || w->ctor ||
	       (flags & CF_REDZONE && w->object_size < WORD);
}

/* In the middle, away from the edges, since 5.7; before, in front. */
static uint32_t link_inside(const struct wish *w, uint32_t flags)
{
	if (flags & CF_RCU)
		return (uint32_t)w->link_at;
	return w->era < ERA_6_1 ? 0 : (uint32_t)round_down(w->object_size / 2, WORD);
}

void slub_lay_out(const struct wish *w, uint32_t flags, struct geometry *g)
{
	uint32_t size = (uint32_t)round_up(w->object_size, WORD);

	if (flags & CF_REDZONE && size == w->object_size)
		size += WORD;		/* so that a right red zone exists */
	g->inuse = size;
	if (link_is_outside(w, flags)) {
		g->freeptr = size;
		size += WORD;
	} else {
		g->freeptr = link_inside(w, flags);
	}
	if (flags & CF_USER) {
		size += 2 * TRACK_BYTES;
		if (w->kmalloc && w->era >= ERA_6_1)
			size += 4;	/* the size asked for */
	}
	if (flags & CF_REDZONE) {
		size += WORD;		/* guard behind everything */
		g->red_left_pad = w->era < ERA_6_1 ? 0 : (uint32_t)round_up(WORD, g->align);	/* since 4.6 */
		size += g->red_left_pad;
	}
	g->size = (uint32_t)round_up(size, g->align);
	g->flags = flags;
}

/* First order from `lo` up whose left-over is at most 1/fraction of the slab; hi + 1 if none. */
static unsigned int first_order(uint32_t size, unsigned int lo, unsigned int hi, unsigned int fraction)
{
	for (unsigned int o = lo; o <= hi; o++) {
		uint64_t slab = PAGE_SIZE << o;

		if (slab % size <= slab / fraction)
			return o;
	}
	return hi + 1;
}

static unsigned int try_order(const struct wish *w, uint32_t size, uint32_t objs, unsigned int hi,
			      unsigned int fraction)
{
	unsigned int lo = get_order((uint64_t)objs * size);

	if (lo < w->min_order)
		lo = w->min_order;
	if (objs_in(w->min_order, size) > MAX_OBJS_PER_SLAB)
		return get_order((uint64_t)size * MAX_OBJS_PER_SLAB) - 1;
	return first_order(size, lo, hi, fraction);
}

/*
 * Objects that a slab should hold: more for more CPUs, which share the node's
 * list lock. Since 2.6.30 not more than the largest slab has room for.
 */
static uint32_t wanted_objects(const struct wish *w, uint32_t size)
{
	uint32_t wanted = w->min_objects ? (uint32_t)w->min_objects : w->era == ERA_2_6_24 ? 4 : 4 * (fls(w->cpus) + 1);
	uint32_t most = objs_in(w->max_order, size);

	return wanted < most || w->era < ERA_3_1 ? wanted : most;
}

/* Fewer and fewer objects, for each count less and less choosy; one of them may take any order that holds it. */
static unsigned int order_of_loops(const struct wish *w, uint32_t size)
{
	bool halves = w->era < ERA_3_1;
	unsigned int order;

	for (uint32_t objs = wanted_objects(w, size); objs > 1; objs = halves ? objs / 2 : objs - 1)
		for (unsigned int fraction = w->era == ERA_2_6_24 ? 8 : 16; fraction >= 4; fraction /= 2) {
			order = try_order(w, size, objs, w->max_order, fraction);
			if (order <= w->max_order)
				return order;
		}
	/* one object a slab, whatever is left over; if need be above max_order */
	order = try_order(w, size, 1, w->max_order, 1);
	return order <= w->max_order ? order : try_order(w, size, 1, MAX_PAGE_ORDER, 1);
}

/* Since 6.8: the objects wanted say where to begin, and up to half of a slab may be left over. */
static unsigned int order_of_one_loop(const struct wish *w, uint32_t size)
{
	uint32_t objs = wanted_objects(w, size);

	for (unsigned int fraction = 16; fraction >= 2; fraction /= 2) {
		unsigned int order = try_order(w, size, objs ? objs : 1, w->max_order, fraction);

		if (order <= w->max_order)
			return order;
	}
	return get_order(size);
}

uint32_t debug_flags_kept(const struct wish *w, uint32_t size)
{
	bool grows = get_order(size) > get_order(w->object_size);

	return w->drop_high && grows ? w->flags & ~(uint32_t)(CF_REDZONE | CF_POISON | CF_USER) : w->flags;
}

int slot_too_large(const struct wish *w, uint32_t size)
{
	bool of_debug = w->flags & (CF_REDZONE | CF_POISON | CF_USER) && get_order(w->object_size) <= MAX_PAGE_ORDER;

	return fail(EINVAL, "an object slot of %u bytes fits into no block of the page allocator (at most 4M)%s", size,
		    !of_debug ? "" : "; it is debug flags that make it so large (cache.NAME.debug F for it alone, or O among the "
		    "letters of slub.debug, keeps Z, P and U from slabs that would grow)");
}

static int choose_order(const struct wish *w, uint32_t size, unsigned int *order)
{
	*order = w->era < ERA_6_8 ? order_of_loops(w, size) : order_of_one_loop(w, size);
	return *order <= MAX_PAGE_ORDER ? 0 : slot_too_large(w, size);
}

int geometry_compute(const struct wish *w, struct geometry *g)
{
	return engines[w->engine]->geometry(w, g);
}

int slub_geometry(const struct wish *w, struct geometry *g)
{
	int ret;

	*g = (struct geometry){ .align = align_compute(w->era, w->flags, w->align, w->object_size) };
	slub_lay_out(w, w->flags, g);
	slub_lay_out(w, debug_flags_kept(w, g->size), g);	/* the pad figure keeps its first value */
	ret = choose_order(w, g->size, &g->order);
	if (ret)
		return ret;
	g->objs = objs_in(g->order, g->size);
	g->min_order = get_order(g->size);
	g->min_objs = objs_in(g->min_order, g->size);
	if (g->objs > MAX_OBJS_PER_SLAB)
		g->objs = MAX_OBJS_PER_SLAB;
	if (g->min_objs > MAX_OBJS_PER_SLAB)
		g->min_objs = MAX_OBJS_PER_SLAB;
	return 0;
}

/* Slabs that a node keeps: 5 to 2.6.29, more for large objects since. */
uint32_t min_partial_auto(enum slab_era era, uint32_t size)
{
	if (era <= ERA_2_6_29)
		return 5;
	return (uint32_t)clamp_u64(era == ERA_3_1 ? ilog2(size) : ilog2(size) / 2, 5, 10);
}

/* Objects that may wait on a CPU's partial list: four times as many since 5.16, but for the largest. */
uint32_t cpu_partial_auto(enum slab_era era, uint32_t size)
{
	bool few = era < ERA_6_1;

	if (size >= PAGE_SIZE)
		return few ? 2 : 6;
	if (size >= 1024)
		return few ? 6 : 24;
	if (size >= 256)
		return few ? 13 : 52;
	return few ? 30 : 120;
}

/* The limit that is applied: slabs, taken to be half full. */
uint32_t cpu_partial_slabs(uint32_t cpu_partial, uint32_t objs)
{
	return (2 * cpu_partial + objs - 1) / objs;
}

#define SHEAF_HEADER 32

/* Of later kernels, where every cache has sheaves: so many that the sheaf fills its kmalloc class. */
uint32_t sheaf_capacity_auto(uint32_t size)
{
	uint32_t base = size >= PAGE_SIZE ? 4 : size >= 1024 ? 12 : size >= 256 ? 26 : 60;
	uint64_t bytes = SHEAF_HEADER + 8ULL * base;

	return (uint32_t)(((1ULL << fls(bytes - 1)) - SHEAF_HEADER) / 8);
}
