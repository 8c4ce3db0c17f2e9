/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of a cache that is to be destroyed while objects of it are out.
 *
 * SLUB lists the objects of each listed slab, slab by slab. SLAB never did: it
 * says only that there are some, up to 3.5 in words of its own. For readers of
 * JSON its objects go with that.
 */
#include "slab/checks.h"

#include <stdio.h>
#include <string.h>

#include "slab/engine.h"
#include "slab/list.h"
#include "slab/store.h"

struct remaining {
	struct check ck;
	const char *name;
	struct debug_report *report;	/* that objects are added to */
	uint8_t map[(MAX_OBJS_PER_SLAB + 8) / 8];	/* a bit for each object that is free */
};

static void add_live(struct remaining *rm, pfn_t slab, uint32_t objects)
{
	struct debug_report *r = rm->report;
	struct debug_live *live = (struct debug_live *)r->data;
	const struct lab *lab = rm->ck.cpu->lab;

	for (uint32_t i = 0; i < objects && r->nr_live < REPORT_DATA / sizeof(*live); i++) {
		uint64_t object = slab_object(lab, rm->ck.s, slab, i);

		if (rm->map[i / 8] & 1u << i % 8)
			continue;
		live[r->nr_live] = (struct debug_live){ .object = object };
		if (debug_has_tracks(rm->ck.s))
			live[r->nr_live].alloc = debug_track_copy(lab, debug_track_of(lab, rm->ck.s, object, false));
		r->nr_live++;
	}
}

/* ---- SLUB's and SLQB's: a report a slab ---- */

static int report_slab(pfn_t pfn, uint32_t objects, void *arg)
{
	struct remaining *rm = arg;

	rm->ck.slab = lab_page(rm->ck.cpu->lab, pfn);
	rm->report = debug_begin(&rm->ck, DEBUG_remaining);
	snprintf(rm->report->cache, sizeof(rm->report->cache), "%s", rm->name);
	debug_mark_free(&rm->ck, rm->map, objects);
	add_live(rm, pfn, objects);
	debug_end(&rm->ck);
	return 0;
}

/* Full slabs are on no list, and so the kernel does not find them. */
static void report_slub(struct remaining *rm)
{
	const struct lab *lab = rm->ck.cpu->lab;

	for (unsigned int i = 0; i < lab->nr_nodes; i++)
		for (pfn_t pfn = store_node(lab, rm->ck.s, i)->partial.head; pfn != PFN_NONE; pfn = rm->ck.slab->next)
			report_slab(pfn, slab_counts(lab_page(lab, pfn)).objects, rm);
}

/* ---- SLAB's: one in all ---- */

static bool mark_free(uint32_t index, pfn_t slab, void *arg)
{
	struct remaining *rm = arg;

	rm->map[index / 8] |= (uint8_t)(1u << index % 8);
	return true;
}

static int add_slab(pfn_t pfn, uint32_t objects, void *arg)
{
	struct remaining *rm = arg;

	memset(rm->map, 0, sizeof(rm->map));
	engines[rm->ck.s->engine]->walk_slab(rm->ck.cpu->lab, rm->ck.s, pfn, mark_free, rm);
	add_live(rm, pfn, objects);
	return 0;
}

/* ---- the stores of a cache ---- */

/* Its present one, and those that it left and that were no other cache's: what is out there is surely its own. */
static bool is_of(const struct lab *lab, const struct store *s, const struct cache *c)
{
	if (s->number == c->store)
		return true;
	return s->state == STORE_DRAINING && s->history_nr == 1 && store_had_cache(lab, s, c->id);
}

static void each_store(struct remaining *rm, const struct cache *c, void (*fn)(struct remaining *rm))
{
	struct lab *lab = rm->ck.cpu->lab;
	uint32_t cursor = 0, number;

	while ((number = store_next(lab, &cursor))) {
		rm->ck.s = lab_store(lab, number);
		if (is_of(lab, rm->ck.s, c))
			fn(rm);
	}
}

static void report_listed(struct remaining *rm)
{
	if (has_slub(rm->ck.s))
		report_slub(rm);
	else if (rm->ck.s->engine == ENGINE_SLQB)
		store_each_slab(rm->ck.cpu->lab, rm->ck.s, report_slab, rm);
}

static void add_unlisted(struct remaining *rm)
{
	if (rm->ck.s->engine == ENGINE_SLAB)
		store_each_slab(rm->ck.cpu->lab, rm->ck.s, add_slab, rm);
}

void debug_remaining(struct cpu *cpu, const struct cache *c)
{
	struct store *s = lab_store(cpu->lab, c->store);
	bool own_words = s->engine == ENGINE_SLAB && s->era < ERA_4_2;
	static __thread struct remaining rm;

	rm = (struct remaining){ .ck = { .cpu = cpu, .s = s }, .name = c->name };
	each_store(&rm, c, report_listed);
	rm.ck.slab = NULL;
	rm.ck.s = s;
	rm.report = debug_begin(&rm.ck, own_words ? DEBUG_cannot_free : DEBUG_still_used);
	snprintf(rm.report->cache, sizeof(rm.report->cache), "%s", c->name);
	snprintf(rm.report->other, sizeof(rm.report->other), "%s", own_words ? "kmem_cache_destroy" : "");
	each_store(&rm, c, add_unlisted);
	debug_end(&rm.ck);
}
