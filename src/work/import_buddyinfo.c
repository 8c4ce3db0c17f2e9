/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import_buddyinfo - a fresh lab gets the free lists of a report, to the block.
 *
 * The lab's own zones serve where they bear the names and are large enough.
 * Else the lab becomes one of the report's nodes and zones: of each zone as
 * much memory as its free blocks need when each has a held neighbour, so that
 * none of them can merge.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "formats/buddyinfo.h"
#include "op/op.h"
#include "work/import_priv.h"

#define BLOCKS_MOST ((1ULL << 44) / (BLOCK_PAGES << PAGE_SHIFT))	/* of a lab, 16 TiB */

/* A row of the report as the lab will have it. */
struct wish {
	const struct buddyinfo_row *row;
	unsigned int kind, node;
	uint64_t free[NR_PAGE_ORDERS];
	uint64_t blocks;		/* 4 MiB blocks that surely hold it */
};

static int wish_kind(struct wish *w)
{
	for (w->kind = 0; w->kind < ZONE_KINDS; w->kind++)
		if (!strcmp(w->row->zone, zone_kind_names[w->kind]))
			return 0;
	return fail(EINVAL, "line %u: a lab has no zone %s", w->row->line, w->row->zone);
}

/* Blocks beyond the lab's largest order become as many of that order as they hold. */
static int wish_counts(struct import *im, struct wish *w)
{
	uint64_t pages = 0;

	for (uint32_t o = 0; o < w->row->orders; o++) {
		uint64_t n = w->row->free[o];
		unsigned int up = o > MAX_PAGE_ORDER ? o - MAX_PAGE_ORDER : 0;

		if (n >> (44 - PAGE_SHIFT - o))
			return fail(ERANGE, "line %u: %llu blocks of order %u are more than a lab holds (16 TiB)",
				    w->row->line, (unsigned long long)n, o);
		w->free[o - up] += n << up;
		/* each block below the largest order needs a neighbour that is not free */
		pages += n << (o + (o < MAX_PAGE_ORDER));
	}
	w->blocks = (pages + BLOCK_PAGES - 1) / BLOCK_PAGES;
	if (!w->blocks)
		w->blocks = 1;
	if (w->row->orders != NR_PAGE_ORDERS && !im->note[0])
		import_note(im, "the report has %u orders, a lab %d: %s", w->row->orders, NR_PAGE_ORDERS,
			    w->row->orders > NR_PAGE_ORDERS ? "larger blocks became blocks of order 10"
							    : "there is nothing of the orders it lacks");
	return 0;
}

static int wish_read(struct import *im, const struct buddyinfo_row *row, struct wish *w)
{
	int ret;

	*w = (struct wish){ .row = row, .node = row->node };
	if (row->node >= MAX_NODES)
		return fail(EINVAL, "line %u: node %u; a lab has at most %d", row->line, row->node, MAX_NODES);
	ret = wish_kind(w);
	return ret ? ret : wish_counts(im, w);
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

static bool zones_are_there(const struct lab *lab, const struct wish *w, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		int zone = zone_index(lab, &w[i]);
		uint64_t free = 0;

		for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
			free += w[i].free[o] << o;
		if (zone < 0 || lab->hdr->shape.zone[zone].managed < free)
			return false;
	}
	return true;
}

static int shape_of(const struct lab *lab, const struct wish *w, uint32_t nr, struct shape *s)
{
	uint64_t blocks = 0;

	*s = lab->hdr->shape;
	s->zones = 0;
	s->nodes = 1;
	for (uint32_t i = 0; i < nr; i++) {
		blocks += w[i].blocks;
		if (blocks > BLOCKS_MOST)
			return fail(ERANGE, "its free blocks are more than a lab holds (16 TiB)");
		s->zone[s->zones++] = (struct shape_zone){
			(uint8_t)w[i].kind, (uint8_t)w[i].node, (uint32_t)w[i].blocks, w[i].blocks * BLOCK_PAGES,
		};
		if (w[i].node >= s->nodes)
			s->nodes = w[i].node + 1;
	}
	s->pages = blocks * BLOCK_PAGES;
	return 0;
}

static int reshape(struct import *im, const struct wish *w, uint32_t nr)
{
	struct shape s;
	int ret = shape_of(im->lab, w, nr, &s);

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
		ret = op_arrange_free(lab, (unsigned int)zone_index(lab, &w[i]), w[i].free, &held->v, &held->nr);
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

/* Give back what zones before the failing one got: they are as fresh as they were. */
static void take_back(struct lab *lab, struct held *held)
{
	struct op drain = { .kind = OP_DRAIN };
	struct op_result r;

	for (uint64_t i = 0; i < held->nr; i++) {
		struct op op = { .kind = OP_FREE_PAGES, .off = held->v[i].off, .order = held->v[i].order };

		op_run(lab, &op, &r);
	}
	if (held->nr)
		op_run(lab, &drain, &r);
	held->nr = 0;
}

static int in_place(struct lab *lab, const struct wish *w, uint32_t nr, struct held *held)
{
	char why[256];
	int ret;

	if (!zones_are_there(lab, w, nr))
		return fail(ENOSPC, "lab %s has not the zones of the report", lab->name);
	ret = arrange(lab, w, nr, held);
	if (!ret)
		return 0;
	strncpy(why, fail_why(), sizeof(why) - 1);
	why[sizeof(why) - 1] = 0;
	take_back(lab, held);
	return fail(-ret, "%s", why);
}

static int act(struct import *im, const struct wish *w, uint32_t nr, struct held *held)
{
	bool was_used = im->lab->hdr->done_something;
	int ret = in_place(im->lab, w, nr, held);

	if (ret == -ENOSPC && was_used)
		return fail_in(ret, "a lab in use keeps its shape (lab new makes a fresh one): ");
	if (ret == -ENOSPC) {
		ret = reshape(im, w, nr);
		if (!ret)
			ret = in_place(im->lab, w, nr, held);
	}
	return ret ? ret : held_keep(im->lab, held);
}

/* ---- the answer ---- */

static json_t *zones_json(const struct buddyinfo *b, uint32_t table)
{
	uint32_t nr;
	const struct buddyinfo_row *r = buddyinfo_table(b, table, &nr);
	json_t *zones = json_array();

	for (uint32_t i = 0; i < nr; i++) {
		json_t *free = json_array();

		for (uint32_t o = 0; o < r[i].orders; o++)
			json_array_append_new(free, json_integer((json_int_t)r[i].free[o]));
		json_array_append_new(zones, json_pack("{s:i,s:s,s:o}", "node", (int)r[i].node, "zone", r[i].zone,
						       "free", free));
	}
	return zones;
}

static void answer(const struct import *im, const struct buddyinfo *b, const struct held *held, json_t *data)
{
	char shape[4096];

	json_object_set_new(data, "zones", zones_json(b, b->tables - 1));
	if (b->tables > 1) {
		json_t *tables = json_array();

		for (uint32_t t = 0; t < b->tables; t++)
			json_array_append_new(tables, json_pack("{s:o}", "zones", zones_json(b, t)));
		json_object_set_new(data, "tables", tables);
	}
	json_object_set_new(data, "held_blocks", json_integer((json_int_t)held->nr));
	json_object_set_new(data, "held_pages", json_integer((json_int_t)held->pages));
	json_object_set_new(data, "shape", json_string(shape_print(&im->lab->hdr->shape, shape, sizeof(shape))));
	import_put_lines(data, "skipped", &b->skipped);
}

static int import_rows(struct import *im, const struct buddyinfo *b, json_t *data)
{
	uint32_t nr;
	const struct buddyinfo_row *rows = buddyinfo_table(b, b->tables - 1, &nr);
	struct wish *w = calloc(nr, sizeof(*w));
	struct held held = { 0 };
	int ret = w ? 0 : fail(ENOMEM, "no memory for %u zones", nr);

	if (!ret && nr > MAX_ZONES)
		ret = fail(EINVAL, "%u zones; a lab has at most %d", nr, MAX_ZONES);
	for (uint32_t i = 0; i < nr && !ret; i++)
		ret = wish_read(im, &rows[i], &w[i]);
	if (!ret) {
		qsort(w, nr, sizeof(*w), wish_order);
		ret = act(im, w, nr, &held);
	}
	if (!ret)
		answer(im, b, &held, data);
	free(held.v);
	free(w);
	return ret;
}

int import_buddyinfo(struct import *im, const struct paste *text, json_t *data)
{
	struct buddyinfo b;
	int ret = buddyinfo_parse(text, &b);

	if (ret)
		return ret;
	if (b.tables > 1)
		import_note(im, "%u tables; the last one, from line %u on, counts", b.tables,
			    b.row[b.table[b.tables - 1]].line);
	ret = import_rows(im, &b, data);
	buddyinfo_free(&b);
	return ret;
}
