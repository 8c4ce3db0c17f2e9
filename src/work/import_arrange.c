/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_arrange - a fresh lab gets the free lists of a report, to the block.
 *
 * The lab's own zones serve where they bear the names and are large enough.
 * Else the lab becomes one of the report's nodes and zones: of each zone as
 * much memory as its pages or pageblocks are, where the report counts these, and
 * at least what its free blocks need when each has a held neighbour, so that none
 * of them can merge.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "op/op.h"
#include "work/import_arrange.h"
#include "work/import_priv.h"

#define APART_MOST (1ULL << 24)	/* free blocks of a zone that need a held neighbour */
#define BLOCKS_MOST ((1ULL << 44) / (BLOCK_PAGES << PAGE_SHIFT))	/* of a lab, 16 TiB */

/* A row of the report as the lab will have it. */
struct wish {
	const struct import_zone *row;
	unsigned int kind, node;
	struct free_wish wish;
	uint64_t blocks;		/* of 4 MiB, the last perhaps in part */
	uint64_t pages;			/* managed */
};

/* All of them, and how large the machine's pageblocks are. */
struct wishes {
	struct wish *v;
	uint32_t nr;
	unsigned int pageblock_order;
	bool sized;		/* the report tells how large the machine is */
};

static int wish_kind(struct wish *w)
{
	for (w->kind = 0; w->kind < ZONE_KINDS; w->kind++)
		if (!strcmp(w->row->zone, zone_kind_names[w->kind]))
			return 0;
	return fail(EINVAL, "line %u: a lab has no zone %s", w->row->line, w->row->zone);
}

/* Blocks beyond the lab's largest order become as many of that order as they hold. */
static int wish_counts(struct wish *w)
{
	const struct import_zone *r = w->row;
	uint64_t apart = 0;

	for (unsigned int t = 0; t < MT_NR; t++)
		for (uint32_t o = 0; o < r->orders; o++) {
			uint64_t n = r->free[t][o];
			unsigned int up = o > MAX_PAGE_ORDER ? o - MAX_PAGE_ORDER : 0;

			if (n >> (44 - PAGE_SHIFT - o))
				return fail(ERANGE, "line %u: %llu blocks of order %u are more than a lab holds (16 TiB)",
					    r->line, (unsigned long long)n, o);
			w->wish.free[t][o - up] += n << up;
			apart += o < MAX_PAGE_ORDER ? n : 0;
		}
	if (apart > APART_MOST)
		return fail(ERANGE, "line %u: %llu free blocks below order %d; an import keeps %llu apart at most", r->line,
			    (unsigned long long)apart, MAX_PAGE_ORDER, APART_MOST);
	return 0;
}

static int wish_blocks(struct wish *w, unsigned int pageblock_order)
{
	uint64_t pageblocks = 0, top = BLOCK_PAGES;

	for (unsigned int t = 0; t < MT_NR; t++) {
		if (w->row->blocks[t] >> 32)
			return fail(ERANGE, "line %u: %llu pageblocks are more than a lab holds (16 TiB)", w->row->line,
				    (unsigned long long)w->row->blocks[t]);
		w->wish.blocks[t] = w->row->blocks[t];
		pageblocks += w->row->blocks[t];
	}
	if (w->row->pages / top > BLOCKS_MOST)
		return fail(ERANGE, "line %u: %llu pages are more than a lab holds (16 TiB)", w->row->line,
			    (unsigned long long)w->row->pages);
	w->pages = w->row->pages ? w->row->pages : pageblocks << pageblock_order;
	if (op_arrange_blocks(&w->wish, pageblock_order, w->pages) > w->pages / top)
		w->pages = op_arrange_blocks(&w->wish, pageblock_order, 0) * top;
	if (!w->pages)
		w->pages = top;
	w->blocks = (w->pages + top - 1) / top;
	return 0;
}

static void orders_note(struct import *im, uint32_t orders)
{
	if (orders != NR_PAGE_ORDERS)
		import_note(im, "the report has %u orders, a lab %d: %s", orders, NR_PAGE_ORDERS,
			    orders > NR_PAGE_ORDERS ? "larger blocks became blocks of order 10"
						    : "there is nothing of the orders it lacks");
}

static int wish_read(const struct import_zone *row, unsigned int pageblock_order, struct wish *w)
{
	int ret;

	*w = (struct wish){ .row = row, .node = row->node, .wish.untyped = row->untyped };
	if (row->node >= MAX_NODES)
		return fail(EINVAL, "line %u: node %u; a lab has at most %d", row->line, row->node, MAX_NODES);
	ret = wish_kind(w);
	if (!ret)
		ret = wish_counts(w);
	return ret ? ret : wish_blocks(w, pageblock_order);
}

static int wish_order(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* ---- the lab's zones ---- */

/* Index of that zone, -1 if the lab has none. */
static int zone_index(const struct lab *lab, const struct wish *w)
{
	const struct shape *s = &lab->hdr->shape;

	for (unsigned int i = 0; i < s->zones; i++)
		if (s->zone[i].node == w->node && s->zone[i].kind == w->kind)
			return (int)i;
	return -1;
}

/* A shape that the user gave, or that is in use, is kept where it suffices. */
static bool zones_are_there(const struct lab *lab, const struct wishes *w)
{
	const struct shape *s = &lab->hdr->shape;
	bool as_told = w->sized && !s->given && !lab->hdr->done_something;

	if (as_told && (s->zones != w->nr || s->pageblock_order != w->pageblock_order))
		return false;
	for (uint32_t i = 0; i < w->nr; i++) {
		int zone = zone_index(lab, &w->v[i]);
		uint64_t free = 0;

		for (unsigned int t = 0; t < MT_NR; t++)
			for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
				free += w->v[i].wish.free[t][o] << o;
		if (zone < 0 || s->zone[zone].managed < free || (as_told && s->zone[zone].managed != w->v[i].pages))
			return false;
	}
	return true;
}

static int shape_of(const struct lab *lab, const struct wishes *all, struct shape *s)
{
	const struct wish *w = all->v;
	uint64_t blocks = 0;

	*s = lab->hdr->shape;
	s->zones = 0;
	s->nodes = 1;
	s->pageblock_order = (uint8_t)all->pageblock_order;
	for (uint32_t i = 0; i < all->nr; i++) {
		blocks += w[i].blocks;
		if (blocks > BLOCKS_MOST)
			return fail(ERANGE, "its free blocks are more than a lab holds (16 TiB)");
		s->zone[s->zones++] = (struct shape_zone){
			(uint8_t)w[i].kind, (uint8_t)w[i].node, (uint32_t)w[i].blocks, w[i].pages,
		};
		if (w[i].node >= s->nodes)
			s->nodes = w[i].node + 1;
	}
	s->pages = blocks * BLOCK_PAGES;
	return 0;
}

static int reshape(struct import *im, const struct wishes *w)
{
	struct shape s;
	int ret = shape_of(im->lab, w, &s);

	if (ret)
		return ret;
	if (!im->reshape)
		return fail(ENOSPC, "the lab's zones are not those of the report");
	return im->reshape(im->arg, &s, &im->lab);
}

/* ---- the free lists ---- */

struct held {
	struct held_block *v;
	uint64_t nr, pages;
};

/* -ENOSPC when a zone is too small: then the lab is half arranged. */
static int arrange(struct lab *lab, const struct wish *w, uint32_t nr, struct held *held)
{
	int ret = 0;

	for (uint32_t i = 0; i < nr && !ret; i++) {
		ret = op_arrange_free(lab, (unsigned int)zone_index(lab, &w[i]), &w[i].wish, &held->v, &held->nr);
		if (ret)
			fail_in(ret, "line %u: node %u, zone %s: ", w[i].row->line, w[i].row->node, w[i].row->zone);
	}
	return ret;
}

static int held_keep(struct lab *lab, struct held *held)
{
	struct handle *h = held->nr ? import_handle(lab) : NULL;

	if (!held->nr)
		return 0;
	if (!h || held->nr > UINT32_MAX || !handle_reserve(lab, h, (uint32_t)held->nr))
		return fail(ENOMEM, "no side memory for the handle imported (%llu blocks)",
			    (unsigned long long)held->nr);
	for (uint64_t i = 0; i < held->nr; i++) {
		struct member m = {
			.off = held->v[i].off, .kind = MEMBER_PAGES, .order = held->v[i].order,
		};

		held->pages += 1ULL << m.order;
		if (!handle_add(lab, h, &m))
			return fail(ENOMEM, "no side memory for the handle imported");
	}
	return 0;
}

/* A zone with nothing held. */
static void zone_whole(struct lab *lab, unsigned int zone)
{
	struct free_wish all = { 0 };
	struct held_block *held = NULL;
	uint64_t nr = 0, managed = lab->hdr->shape.zone[zone].managed;

	all.free[MT_MOVABLE][MAX_PAGE_ORDER] = managed >> MAX_PAGE_ORDER;
	for (unsigned int o = 0; o < MAX_PAGE_ORDER; o++)
		all.free[MT_MOVABLE][o] = managed >> o & 1;
	op_arrange_free(lab, zone, &all, &held, &nr);
	free(held);
}

/* Give back what zones before the failing one got: they are as fresh as they were. */
static void take_back(struct lab *lab, const struct wish *w, uint32_t nr, struct held *held)
{
	struct op drain = { .kind = OP_DRAIN };
	struct op_result r;

	for (uint64_t i = 0; i < held->nr; i++) {
		struct op op = { .kind = OP_FREE_PAGES, .off = held->v[i].off, .order = held->v[i].order };

		op_run(lab, &op, &r);
	}
	if (held->nr)
		op_run(lab, &drain, &r);
	for (uint32_t i = 0; i < nr && held->nr; i++)
		if (!w[i].wish.untyped)
			zone_whole(lab, (unsigned int)zone_index(lab, &w[i]));
	held->nr = 0;
}

static int in_place(struct lab *lab, const struct wishes *w, struct held *held)
{
	char why[256];
	int ret;

	if (!zones_are_there(lab, w))
		return fail(ENOSPC, "lab %s has not the zones of the report", lab->name);
	ret = arrange(lab, w->v, w->nr, held);
	if (!ret)
		return 0;
	strncpy(why, fail_why(), sizeof(why) - 1);
	why[sizeof(why) - 1] = 0;
	take_back(lab, w->v, w->nr, held);
	return fail(-ret, "%s", why);
}

static int act(struct import *im, const struct wishes *w, struct held *held)
{
	bool was_used = im->lab->hdr->done_something;
	int ret = in_place(im->lab, w, held);

	if (ret == -ENOSPC && was_used)
		return fail_in(ret, "a lab in use keeps its shape (lab new makes a fresh one): ");
	if (ret == -ENOSPC) {
		ret = reshape(im, w);
		if (!ret)
			ret = in_place(im->lab, w, held);
	}
	return ret ? ret : held_keep(im->lab, held);
}

int import_arrange(struct import *im, const struct import_zone *zone, uint32_t nr, int pageblock_order, json_t *data)
{
	bool known = pageblock_order > 0 && pageblock_order <= MAX_PAGE_ORDER;
	struct wishes w = {
		.v = calloc(nr, sizeof(*w.v)), .nr = nr, .sized = known,
		.pageblock_order = known ? (unsigned int)pageblock_order : im->lab->hdr->shape.pageblock_order,
	};
	struct held held = { 0 };
	char shape[4096];
	int ret = w.v ? 0 : fail(ENOMEM, "no memory for %u zones", nr);

	if (!ret && nr > MAX_ZONES)
		ret = fail(EINVAL, "%u zones; a lab has at most %d", nr, MAX_ZONES);
	for (uint32_t i = 0; i < nr && !ret; i++) {
		ret = wish_read(&zone[i], w.pageblock_order, &w.v[i]);
		w.sized |= zone[i].pages != 0;
	}
	if (!ret) {
		qsort(w.v, nr, sizeof(*w.v), wish_order);
		ret = act(im, &w, &held);
	}
	if (!ret) {
		orders_note(im, zone[0].orders);
		json_object_set_new(data, "held_blocks", json_integer((json_int_t)held.nr));
		json_object_set_new(data, "held_pages", json_integer((json_int_t)held.pages));
		json_object_set_new(data, "shape", json_string(shape_print(&im->lab->hdr->shape, shape, sizeof(shape))));
	}
	free(held.v);
	free(w.v);
	return ret;
}

void import_arrange_or_note(struct import *im, const struct import_zone *zone, uint32_t nr, int pageblock_order, json_t *data)
{
	int ret = nr ? import_arrange(im, zone, nr, pageblock_order, data) : 0;

	if (ret)
		import_note(im, "the lab was not arranged: %s", fail_why());
	json_object_set_new(data, "arranged", json_boolean(nr && !ret));
}
