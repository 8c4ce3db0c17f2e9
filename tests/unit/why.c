/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * why - what is told of an op agrees with the counters and with the state:
 * each event as often as it was counted, each list as long as it was.
 */
#include "test_lab.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "cpu/cpu.h"
#include "cpu/read.h"
#include "event/note.h"
#include "lab/handle.h"
#include "op/op.h"
#include "page/read.h"
#include "slab/read.h"
#include "slablab.h"
#include "view/view.h"

static struct lab *lab;
static uint64_t before[EV_NR];

static void lab_end(void)
{
	assert_int_equal(lab_check(lab), 0);
	lab_drop(lab);
	lab = NULL;
}

static uint64_t count_of(enum event_id ev)
{
	uint64_t n = 0;

	if (ev >= EV_LAB_FIRST)
		for (unsigned int i = 0; i < lab->nr_cpus; i++)
			n += cpu_event(lab, i, ev);
	else if (ev >= EV_SLAB_FIRST)
		n = slab_event_total(lab, -1, ev);
	else
		for (unsigned int z = 0; z < lab->nr_zones; z++)
			n += zone_event(lab, z, -1, ev, -1);
	return n;
}

static void remember(void)
{
	for (int ev = 0; ev < EV_NR; ev++)
		before[ev] = count_of((enum event_id)ev);
}

static json_t *why_last(void)
{
	struct view_args args = { .width = 80, .quiet = true };
	json_t *m = view_find("why")->model(lab, &args);

	assert_non_null(m);
	return m;
}

static json_int_t number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_integer(v))
		fail_msg("no number %s in %s", key, json_dumps(o, 0));
	return json_integer_value(v);
}

static const json_t *step_of(const json_t *m, const char *event)
{
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(m, "steps"), i, s)
		if (!strcmp(json_string_value(json_object_get(s, "event")), event))
			return s;
	return NULL;
}

static uint64_t steps_of(const json_t *m, const char *event, const char *weight)
{
	uint64_t n = 0;
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(m, "steps"), i, s)
		if (!strcmp(json_string_value(json_object_get(s, "event")), event))
			n += weight ? (uint64_t)number(s, weight) : 1;
	return n;
}

/* What some events are counted in. */
static const char *weight_of(int ev)
{
	if (ev == EV_pgalloc || ev == EV_pgfree)
		return "pages";
	if (ev == EV_compact_migrate_scanned || ev == EV_compact_free_scanned || ev == EV_compact_isolated ||
	    ev == EV_pgmigrate_success || ev == EV_pgmigrate_fail || ev == EV_drain_all_pages_moved)
		return "pages";
	return ev == EV_bulk_alloc_objs || ev == EV_bulk_free_objs ? "objects" : NULL;
}

/* Every event since remember() is told as often as it was counted. NUMA's count blocks of a whole bulk in one step. */
static void agrees(const json_t *m, bool bulk)
{
	assert_true(json_is_true(json_object_get(m, "told")));
	if ((size_t)number(m, "steps_told") > json_array_size(json_object_get(m, "steps")))
		return;
	for (int ev = 0; ev < EV_NR; ev++) {
		uint64_t told, counted = count_of((enum event_id)ev) - before[ev];

		if (bulk && ev >= EV_numa_hit && ev <= EV_numa_other)
			continue;
		told = steps_of(m, event_table[ev].name, weight_of(ev));
		if (told != counted)
			fail_msg("%s: told %llu, counted %llu in %s", event_table[ev].name, (unsigned long long)told,
				 (unsigned long long)counted, json_dumps(m, 0));
	}
}

/* Run an op, check its story against the counters; the model. */
static json_t *run(struct op op, struct op_result *r)
{
	bool bulk = op.kind == OP_ALLOC_PAGES_BULK;
	json_t *m;

	remember();
	op_run(lab, &op, r);
	m = why_last();
	agrees(m, bulk);
	return m;
}

static uint32_t cache_make(const char *name, uint64_t size)
{
	struct cache_request rq = { .name = name, .size = size, .merge = MERGE_OFF };
	uint32_t cache;

	assert_int_equal(op_cache_create(lab, &rq, &cache), 0);
	return cache;
}

static json_t *take(uint32_t cache, unsigned int cpu, uint64_t *off)
{
	struct op op = { .kind = OP_CACHE_ALLOC, .cpu = (uint16_t)cpu, .node = -1, .gfp = GFP_KERNEL, .cache = cache };
	struct op_result r;
	json_t *m = run(op, &r);

	assert_int_equal(r.error, 0);
	*off = r.off;
	return m;
}

static json_t *give(uint32_t cache, unsigned int cpu, uint64_t off)
{
	struct op op = { .kind = OP_CACHE_FREE, .cpu = (uint16_t)cpu, .cache = cache, .off = off };
	struct op_result r;

	return run(op, &r);
}

static void take_many(uint32_t cache, uint64_t *off, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		json_decref(take(cache, 0, &off[i]));
}

/* The step is there, and its number under `key` is n. */
static void has(json_t *m, const char *event, const char *key, json_int_t n)
{
	const json_t *s = step_of(m, event);

	if (!s)
		fail_msg("no step %s in %s", event, json_dumps(m, JSON_INDENT(1)));
	if (key && number(s, key) != n)
		fail_msg("%s: %s is %lld, not %lld", event, key, (long long)number(s, key), (long long)n);
}

static void lacks(json_t *m, const char *event)
{
	if (step_of(m, event))
		fail_msg("a step %s in %s", event, json_dumps(m, JSON_INDENT(1)));
}

static void set(const char *name, const char *value)
{
	if (op_set(lab, name, value))
		fail_msg("%s", fail_why());
}

/* ---- slabs ---- */

static void a_fast_allocation_tells_how_many_the_freelist_has(void **state)
{
	uint32_t c;
	uint64_t off;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	c = cache_make("A", 256);
	m = take(c, 0, &off);
	has(m, "no_own_slab", "cpu", 0);
	has(m, "chain_had", "slabs", 0);
	has(m, "node_had", "slabs", 0);
	has(m, "pages_asked", "objects", 16);
	has(m, "alloc_slab", "slab", 0);
	has(m, "block_found", NULL, 0);
	assert_true(steps_of(m, "buddy_split", NULL) > 0);
	json_decref(m);
	m = take(c, 0, &off);
	has(m, "freelist_had", "objects", 15);
	lacks(m, "alloc_slowpath");
	json_decref(m);
	m = give(c, 0, off);
	has(m, "freelist_had", "objects", 14);
	has(m, "free_fastpath", NULL, 0);
	json_decref(m);
	lab_end();
}

static void frees_tell_the_slab_they_meet(void **state)
{
	uint64_t off[64];
	uint32_t c;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	c = cache_make("A", 256);
	take_many(c, off, 64);		/* S0 to S2 full, S3 is cpu0's */
	m = give(c, 1, off[0]);
	has(m, "freed_into", "inuse", 15);
	has(m, "freed_into", "was_full", 1);
	has(m, "chain_limit", "slabs", 0);
	has(m, "cpu_partial_free", "slabs", 1);
	json_decref(m);
	m = give(c, 1, off[1]);
	has(m, "freed_into", "inuse", 14);
	has(m, "frozen_by", "cpu", 1);
	has(m, "frozen_by", "on_chain", 1);
	json_decref(m);
	m = give(c, 1, off[48]);
	has(m, "frozen_by", "cpu", 0);
	has(m, "frozen_by", "on_chain", 0);
	json_decref(m);
	m = take(c, 0, &off[1]);
	has(m, "own_slab", "slab", 3);
	has(m, "alloc_refill", "objects", 1);
	json_decref(m);
	m = take(c, 1, &off[0]);
	has(m, "chain_had", "slabs", 1);
	has(m, "slab_had", "free", 2);
	has(m, "cpu_partial_alloc", "slab", 0);
	json_decref(m);
	lab_end();
}

static void node_lists_are_told_with_their_length_and_what_they_keep(void **state)
{
	uint64_t off[64], got;
	uint32_t c;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	set("slub.cpu_partial", "0");
	c = cache_make("A", 256);
	set("cache.A.min_partial", "1");
	take_many(c, off, 64);
	for (unsigned int slab = 0; slab < 2; slab++) {	/* a chain of one slab: the next free sends it to the node */
		m = give(c, 1, off[16 * slab]);
		json_decref(m);
	}
	m = give(c, 1, off[32]);
	has(m, "chain_limit", "drained", 1);
	has(m, "placing", "slabs", 1);
	has(m, "cpu_partial_drain", NULL, 0);
	assert_string_equal(json_string_value(json_object_get(step_of(m, "placing"), "policy")), "slub.partial_add");
	json_decref(m);
	for (unsigned int i = 1; i < 15; i++)
		json_decref(give(c, 1, off[i]));
	m = give(c, 1, off[15]);	/* S0 is empty now, and two are listed where one is kept */
	has(m, "freed_into", "inuse", 0);
	has(m, "surplus", "slabs", 2);
	has(m, "surplus", "min_partial", 1);
	has(m, "surplus", "discard", 1);
	has(m, "free_slab", "slab", 0);
	json_decref(m);
	m = take(c, 1, &got);		/* its chain has S2 */
	json_decref(m);
	m = take(c, 1, &got);
	has(m, "chain_had", "slabs", 0);
	has(m, "node_had", "slabs", 1);
	has(m, "alloc_from_partial", "slab", 1);
	has(m, "slab_had", "free", 1);
	json_decref(m);
	lab_end();
}

static void a_shrink_tells_of_every_cpu(void **state)
{
	uint64_t off[64];
	struct op_result r;
	uint32_t c;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	c = cache_make("A", 256);
	take_many(c, off, 20);
	json_decref(take(c, 1, &off[20]));
	json_decref(give(c, 1, off[20]));
	json_decref(give(c, 1, off[0]));
	m = run((struct op){ .kind = OP_CACHE_SHRINK, .cache = c }, &r);
	assert_int_equal(steps_of(m, "flushing", NULL), 2);
	has(m, "given_up", "given_back", 12);
	has(m, "slab_discard", "slab", 2);
	json_decref(m);
	lab_end();
}

/* ---- pages ---- */

static json_t *take_pages(unsigned int order, uint32_t gfp, struct op_result *r)
{
	return run((struct op){ .kind = OP_ALLOC_PAGES, .order = (uint8_t)order, .gfp = gfp, .node = -1 }, r);
}

static void pages_are_told_from_list_to_split(void **state)
{
	struct op_result r;
	json_t *m;

	lab = test_lab("mem=64M,cpus=1");
	m = take_pages(0, GFP_KERNEL, &r);
	has(m, "pcp_list", "blocks", 0);
	has(m, "pcp_wants", "blocks", 3);
	has(m, "pcp_refill", "blocks", 3);
	has(m, "fallback_choice", "found_order", 10);
	has(m, "mm_page_alloc_extfrag", NULL, 0);
	assert_string_equal(json_string_value(json_object_get(step_of(m, "fallback_choice"), "taken_from")), "Movable");
	json_decref(m);
	m = take_pages(0, GFP_KERNEL, &r);
	has(m, "pcp_list", "blocks", 2);
	lacks(m, "pcp_refill");
	json_decref(m);
	m = run((struct op){ .kind = OP_FREE_PAGES, .off = r.off }, &r);
	has(m, "pcp_put", "count", 2);
	json_decref(m);
	m = run((struct op){ .kind = OP_DRAIN }, &r);
	has(m, "pcp_bulk_free", "pages", 2);
	json_decref(m);
	set("pcp.enabled", "off");
	m = take_pages(2, GFP_KERNEL, &r);
	has(m, "pcp_bypass", "reason", BYPASS_DISABLED);
	json_decref(m);
	lab_end();
}

static void a_failure_tells_marks_and_why_each_zone_was_passed(void **state)
{
	struct op_result r = { 0 };
	struct zone_figures z;
	json_t *m = NULL;

	lab = test_lab("mem=16M,cpus=1");
	set("reclaim.kswapd", "off");	/* what it does after an op is not told by that */
	do {
		json_decref(m);
		m = take_pages(3, GFP_KERNEL, &r);
	} while (!r.error);
	assert_int_equal(r.error, -ENOMEM);
	zone_figures(lab, 0, false, &z);
	has(m, "mark_seen", "free", (json_int_t)z.free);
	has(m, "mark_seen", "need", (json_int_t)z.low + 7);
	has(m, "walk_again", "mark", 0);
	has(m, "alloc_fail", "order", 3);
	assert_true(json_is_true(json_object_get(m, "failed")));
	json_decref(m);
	lab_end();
}

/* ---- whatever comes ---- */

static void storms_agree_with_their_counters(void **state)
{
	enum { SLOTS = 400, OPS = 6000 };
	static struct { uint64_t off; bool pages; uint8_t order; uint32_t cache; } slot[SLOTS];
	uint32_t caches[3];
	uint64_t rand = 7;

	lab = test_lab("nodes=2,mem=8M,cpus=4");
	memset(slot, 0, sizeof(slot));
	caches[0] = cache_make("A", 64);
	caches[1] = cache_make("B", 700);
	caches[2] = cache_make("C", 2000);
	set("cache.B.debug", "U");
	set("cache.C.cpu_partial", "2");
	for (unsigned int i = 0; i < OPS; i++) {
		unsigned int s = (unsigned int)rand_below(&rand, SLOTS);
		struct op op = { .cpu = (uint16_t)rand_below(&rand, 4), .node = -1, .gfp = GFP_KERNEL };
		struct op_result r;

		if (slot[s].off) {
			op.node = 0;
			op.kind = slot[s].pages ? OP_FREE_PAGES : OP_KFREE;
			op.off = slot[s].off;
			op.order = slot[s].order;
			slot[s].off = 0;
			json_decref(run(op, &r));
			assert_int_equal(r.error, 0);
			continue;
		}
		slot[s].pages = rand_below(&rand, 4) == 0;
		op.order = slot[s].order = slot[s].pages ? (uint8_t)rand_below(&rand, 5) : 0;
		op.kind = slot[s].pages ? OP_ALLOC_PAGES : OP_CACHE_ALLOC;
		if (rand_below(&rand, 3) == 0)
			op.gfp |= GFP_BIT_MOVABLE;
		op.cache = slot[s].pages ? 0 : caches[rand_below(&rand, 3)];
		json_decref(run(op, &r));
		slot[s].off = r.error ? 0 : r.off;
	}
	lab_end();
}

/* ---- handles, and what is not told ---- */

static void a_member_is_explained_as_long_as_its_story_is_kept(void **state)
{
	struct op op = { .kind = OP_KMALLOC, .size = 100, .gfp = GFP_KERNEL, .node = -1 };
	struct handle *h;
	struct op_result r;
	json_t *m;

	lab = test_lab("mem=16M,cpus=1");
	h = NULL;
	for (unsigned int i = 0; i < 3; i++) {
		op_run(lab, &op, &r);
		h = h ? h : handle_new(lab, "a", NULL);
		assert_true(handle_add(lab, h, &(struct member){ .off = r.off, .cache = r.cache }));
	}
	m = view_why_member(lab, h, 1);
	assert_int_equal(number(m, "op"), h->op + 1);
	has(m, "freelist_had", "objects", 31);
	assert_int_equal(json_array_size(json_object_get(m, "now")), 1);
	json_decref(m);
	for (unsigned int i = 0; i < 2000; i++)		/* newer stories push it out of the rings */
		op_run(lab, &op, &r);
	m = view_why_member(lab, h, 1);
	assert_true(json_is_false(json_object_get(m, "told")));
	json_decref(m);
	lab_end();
}

static void an_op_that_was_not_told_is_said_to_be(void **state)
{
	struct op op = { .kind = OP_KMALLOC, .size = 100, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r;
	json_t *m;

	lab = test_lab("mem=16M,cpus=1");
	m = why_last();
	assert_non_null(strstr(json_string_value(json_object_get(m, "note")), "yet"));
	json_decref(m);
	op_run(lab, &op, &r);
	set("event.story", "off");
	op_run(lab, &op, &r);
	m = why_last();
	assert_true(json_is_false(json_object_get(m, "told")));
	assert_non_null(strstr(json_string_value(json_object_get(m, "note")), "event.story"));
	json_decref(m);
	set("event.story", "auto");
	op_run(lab, &op, &r);
	m = why_last();
	assert_true(json_is_true(json_object_get(m, "told")));
	json_decref(m);
	set("event.story", "on");
	lab_hold(lab);
	op_play(lab, &op, &r);
	lab_release(lab);
	m = why_last();
	assert_true(json_is_true(json_object_get(m, "told")));
	has(m, "freelist_had", "objects", 29);
	json_decref(m);
	lab_end();
}

/* `why` speaks of calls of the C interface as of ops, told or counted. */
static void a_call_tells_what_it_asked_for_and_got(void **state)
{
	void *p[20], *page;
	slablab_cache *c;
	slablab_cpu *cpu;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	set("event.story", "on");
	c = slablab_cache_create(lab, "A", 256, 0, "", NULL);
	cpu = slablab_bind(lab, 0);
	assert_int_equal(slablab_cache_alloc_bulk(cpu, c, 20, p), 20);
	m = why_last();
	assert_int_equal(number(m, "count"), 20);
	assert_int_equal(number(m, "got"), 20);
	json_decref(m);
	assert_int_equal(slablab_alloc_pages_bulk(cpu, 3, p), 3);
	m = why_last();
	assert_int_equal(number(m, "got"), 3);
	json_decref(m);
	page = slablab_alloc_pages(cpu, 1, "GFP_ATOMIC");
	m = why_last();
	assert_string_equal(json_string_value(json_object_get(m, "gfp")), "GFP_ATOMIC");
	json_decref(m);
	slablab_free_pages(cpu, (char *)page + 8, 1);
	m = why_last();
	has(m, "bad_free", "object", (json_int_t)((uint8_t *)page + 8 - lab->base));
	json_decref(m);
	slablab_unbind(cpu);
	lab_end();
}

/* What the first step with words of its own, from `first` on, says is missing before it. */
static json_int_t missing_in(const json_t *m, size_t first)
{
	const json_t *steps = json_object_get(m, "steps");

	while (json_is_true(json_object_get(json_array_get(steps, first), "count_only")))
		first++;
	return number(json_array_get(steps, first), "missing_before");
}

static void a_long_story_says_what_is_missing(void **state)
{
	uint64_t vec[600], last;
	struct op op = { .kind = OP_FREE_PAGES_LIST, .n = 600, .vec = vec, .cpu = 0 };
	struct op_result r;
	json_t *m;

	lab = test_lab("mem=16M,cpus=1");
	m = run((struct op){ .kind = OP_ALLOC_PAGES_BULK, .n = 600, .vec = vec, .gfp = GFP_KERNEL, .node = -1 }, &r);
	json_decref(m);
	op.n = r.got;
	assert_true(op.n > 300);
	last = (vec[op.n - 1] - lab->arena_off) >> PAGE_SHIFT;
	m = run(op, &r);
	assert_int_equal(json_array_size(json_object_get(m, "steps")), STORY_MAX);
	assert_true(number(m, "steps_told") > STORY_MAX);
	assert_int_equal(missing_in(m, STORY_FIRST), number(m, "steps_told") - STORY_MAX);
	/* what came last is there: the block freed last */
	assert_int_equal(number(json_array_get(json_object_get(m, "steps"), STORY_MAX - 1), "pfn"), last);
	json_decref(m);
	lab_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fast_allocation_tells_how_many_the_freelist_has),
		cmocka_unit_test(frees_tell_the_slab_they_meet),
		cmocka_unit_test(node_lists_are_told_with_their_length_and_what_they_keep),
		cmocka_unit_test(a_shrink_tells_of_every_cpu),
		cmocka_unit_test(pages_are_told_from_list_to_split),
		cmocka_unit_test(a_failure_tells_marks_and_why_each_zone_was_passed),
		cmocka_unit_test(storms_agree_with_their_counters),
		cmocka_unit_test(a_member_is_explained_as_long_as_its_story_is_kept),
		cmocka_unit_test(an_op_that_was_not_told_is_said_to_be),
		cmocka_unit_test(a_call_tells_what_it_asked_for_and_got),
		cmocka_unit_test(a_long_story_says_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
