/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pagetypeinfo - free blocks by migratetype and order, and pageblocks by
 * migratetype, as /proc/pagetypeinfo: all of it once for each node.
 *
 * Units. Blocks of 2^order pages; pageblocks.
 */
#include "view/list.h"
#include "view/look.h"

#define COUNT_LIMIT 100000	/* where the kernel stops counting a list */

static void types_fill(json_t *types, const struct zone_figures *z)
{
	for (unsigned int t = 0; t < MT_NR; t++) {
		json_t *o = zone_object(z), *free = json_array();
		uint64_t pages = 0;

		for (unsigned int c = 0; c < NR_PAGE_ORDERS; c++) {
			json_array_append_new(free, look_int(z->free_by_type[c][t]));
			pages += z->free_by_type[c][t] << c;
		}
		look_set_text(o, "type", mtype_name(t));
		json_object_set_new(o, "free", free);
		look_set(o, "pages", pages);
		json_array_append_new(types, o);
	}
}

static json_t *blocks_object(struct lab *lab, unsigned int zone, const struct zone_figures *z)
{
	json_t *o = zone_object(z), *by_type = json_object();
	uint64_t blocks[MT_NR], total = 0;

	zone_pageblocks(lab, zone, blocks);
	for (unsigned int t = 0; t < MT_NR; t++) {
		look_set(by_type, mtype_name(t), blocks[t]);
		total += blocks[t];
	}
	look_set(o, "total", total);
	json_object_set_new(o, "types", by_type);
	return o;
}

static json_t *pagetypeinfo_model(struct lab *lab, const struct view_args *args)
{
	unsigned int order = lab->hdr->shape.pageblock_order;
	json_t *types, *blocks;
	struct zone_figures z;

	if (look_begin(lab, args, "pagetypeinfo", 0))
		return NULL;
	types = json_array();
	blocks = json_array();
	for (unsigned int i = 0; i < lab->nr_zones; i++) {
		zone_figures(lab, i, true, &z);
		types_fill(types, &z);
		json_array_append_new(blocks, blocks_object(lab, i, &z));
	}
	return look_end(lab, json_pack("{s:i,s:i,s:o,s:o}", "page_block_order", (int)order,
				       "pages_per_block", 1 << order, "types", types,
				       "blocks", blocks));
}

static void types_text(const json_t *types, uint64_t node, FILE *to)
{
	json_t *t, *n;
	size_t i, o;

	fprintf(to, "%-43s ", "Free pages count per migrate type at order");
	for (o = 0; o < NR_PAGE_ORDERS; o++)
		fprintf(to, "%6d ", (int)o);
	putc('\n', to);
	json_array_foreach(types, i, t) {
		if (look_get(t, "node") != node)
			continue;
		fprintf(to, "Node %4d, zone %8s, type %12s ", (int)node, look_get_text(t, "zone"),
			look_get_text(t, "type"));
		json_array_foreach(json_object_get(t, "free"), o, n) {
			if (json_integer_value(n) >= COUNT_LIMIT)
				fprintf(to, ">%d ", COUNT_LIMIT);
			else
				fprintf(to, "%6d ", (int)json_integer_value(n));
		}
		putc('\n', to);
	}
}

static void blocks_text(const json_t *blocks, uint64_t node, FILE *to)
{
	const char *type;
	json_t *b, *n;
	size_t i;

	fprintf(to, "%-23s", "Number of blocks type ");
	for (unsigned int t = 0; t < MT_NR; t++)
		fprintf(to, "%12s ", mtype_name(t));
	putc('\n', to);
	json_array_foreach(blocks, i, b) {
		if (look_get(b, "node") != node)
			continue;
		fprintf(to, "Node %d, zone %8s ", (int)node, look_get_text(b, "zone"));
		json_object_foreach(json_object_get(b, "types"), type, n)
			fprintf(to, "%12llu ", (unsigned long long)json_integer_value(n));
		putc('\n', to);
	}
}

static void pagetypeinfo_text(const json_t *model, const struct view_args *args, FILE *to)
{
	const json_t *blocks = json_object_get(model, "blocks");
	int64_t last = -1;
	json_t *b;
	size_t i;

	(void)args;
	json_array_foreach(blocks, i, b) {
		uint64_t node = look_get(b, "node");

		if ((int64_t)node == last)
			continue;
		last = (int64_t)node;
		fprintf(to, "Page block order: %d\nPages per block:  %d\n\n",
			(int)look_get(model, "page_block_order"), (int)look_get(model, "pages_per_block"));
		types_text(json_object_get(model, "types"), node, to);
		putc('\n', to);
		blocks_text(blocks, node, to);
	}
}

const struct view view_pagetypeinfo = {
	.name = "pagetypeinfo",
	.summary = "free blocks and pageblocks by migratetype, in the kernel's format",
	.usage = "",
	.model = pagetypeinfo_model,
	.text = pagetypeinfo_text,
};
