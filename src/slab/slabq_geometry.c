/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometry of the queued engine in Linux 6.1: where the free indexes lie, the
 * order, the colours, and the sizes of arrays. Pure arithmetic, tested row by
 * row against a kernel. (slab-geometry.md section 5, slab.md section 2)
 */
#include "slab/slabq.h"

#include <errno.h>

#include "base/bits.h"
#include "base/fail.h"
#include "slab/kmalloc.h"

#define LEAST_SIZE 16		/* so that a page has no more objects than a byte counts */
#define LEAST_KMALLOC 32

const char *const slabq_management_words[] = { "in-object", "off-slab", "on-slab" };

static uint32_t objects_in(unsigned int order, uint32_t size, enum slabq_management m, uint32_t *left)
{
	uint32_t each = m == SLABQ_ON_SLAB ? size + 1 : size;

	*left = (uint32_t)((PAGE_SIZE << order) % each);
	return objs_in(order, each);
}

/* An index array is worth an object of its own only for objects much larger than it. */
static bool index_is_small(uint32_t bytes, uint32_t object_size)
{
	uint32_t class = kmalloc_class_size[kmalloc_class(bytes < LEAST_KMALLOC ? LEAST_KMALLOC : bytes)];

	return class <= object_size / 2;
}

/* The smallest order that wastes at most an eighth, or the highest allowed. False if no order will do. */
static bool choose_order(const struct wish *w, struct geometry *g, enum slabq_management m, uint32_t *left)
{
	g->objs = 0;
	for (unsigned int order = 0; order <= MAX_PAGE_ORDER; order++) {
		uint32_t waste, num = objects_in(order, g->size, m, &waste);

		if (!num)
			continue;
		if (num > SLABQ_MAX_OBJS)
			break;
		if (m == SLABQ_OFF_SLAB && !index_is_small(num, w->object_size))
			continue;
		g->order = order;
		g->objs = num;
		*left = waste;
		if (w->flags & CF_RECLAIM || order >= w->slabq_max_order || waste * 8ULL <= PAGE_SIZE << order)
			break;
	}
	return g->objs != 0;
}

static bool fits(const struct wish *w, struct geometry *g, enum slabq_management m, uint32_t *left)
{
	switch (m) {
	case SLABQ_IN_OBJECT:
		return !w->ctor && !(w->flags & CF_RCU) && (!w->wipes || g->flags & CF_POISON) && choose_order(w, g, m, left) && g->objs <= w->object_size;
	case SLABQ_OFF_SLAB:
		return !(w->flags & CF_NOLEAK) && choose_order(w, g, m, left) && *left < g->objs;
	default:
		return choose_order(w, g, m, left);
	}
}

/*
 * | red word | object, to a word | red word | last caller |, each 8 bytes. Where
 * the object is to lie on more than a word there is neither.
 */
static void lay_out(const struct wish *w, uint32_t flags, struct geometry *g)
{
	uint32_t size = (uint32_t)round_up(w->object_size, WORD);

	if (g->align > WORD)
		flags &= ~(uint32_t)(CF_REDZONE | CF_USER);
	g->red_left_pad = flags & CF_REDZONE ? WORD : 0;
	size += 2 * g->red_left_pad + (flags & CF_USER ? WORD : 0);
	g->size = (uint32_t)round_up(size < LEAST_SIZE ? LEAST_SIZE : size, g->align);
	g->flags = flags;
}

int slabq_geometry(const struct wish *w, struct geometry *g)
{
	uint32_t left = 0;

	*g = (struct geometry){ .align = align_compute(w->era, w->flags, w->align, w->object_size) };
	lay_out(w, w->flags, g);
	lay_out(w, debug_flags_kept(w, g->size), g);
	g->inuse = (uint32_t)round_up(w->object_size, WORD);
	while (!fits(w, g, g->management, &left))
		if (++g->management > SLABQ_ON_SLAB)
			return fail(EINVAL, "an object of %u bytes fits into no slab of the queued engine (at most 4M with its index)",
				    g->size);
	g->min_order = g->order;
	g->min_objs = g->objs;
	g->index_bytes = g->objs;
	g->colour_off = g->align > CACHE_LINE ? g->align : CACHE_LINE;
	g->colours = left / g->colour_off;
	return 0;
}
