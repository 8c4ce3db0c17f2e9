/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_lab - models taken of a live lab say what is, agree with each other,
 * and taking them changes nothing.
 */
#include "test_lab.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/handle.h"
#include "op/op.h"
#include "slab/read.h"
#include "view/view.h"

static struct lab *lab;

static void lab_end(void)
{
	assert_int_equal(lab_check(lab), 0);
	lab_drop(lab);
	lab = NULL;
}

static uint32_t cache_make(const char *name, uint64_t size)
{
	struct cache_request rq = { .name = name, .size = size, .merge = MERGE_OFF };
	uint32_t cache;

	assert_int_equal(op_cache_create(lab, &rq, &cache), 0);
	return cache;
}

/* n objects of a cache on a CPU, under a handle. */
static void take(const char *handle, uint32_t cache, unsigned int cpu, unsigned int n)
{
	struct handle *h = handle_new(lab, handle, NULL);

	for (unsigned int i = 0; i < n; i++) {
		struct op op = { .kind = OP_CACHE_ALLOC, .cpu = (uint16_t)cpu, .node = -1,
				 .gfp = GFP_KERNEL, .cache = cache };
		struct op_result r;
		struct member m;

		assert_int_equal(op_run(lab, &op, &r), 0);
		m = (struct member){ .off = r.off, .cache = cache, .kind = MEMBER_OBJECT };
		assert_true(handle_add(lab, h, &m));
	}
}

static void give(const char *handle, unsigned int index)
{
	struct handle *h = handle_find(lab, handle);
	struct member *m = handle_members(lab, h) + index;
	struct op op = { .kind = OP_CACHE_FREE, .cache = m->cache, .node = -1, .off = m->off };
	struct op_result r;

	assert_int_equal(op_run(lab, &op, &r), 0);
	handle_forget(h, m);
}

static json_t *look_at(const char *view, const char *name)
{
	const char *words[] = { name, NULL };
	struct view_args args = { .name = name, .words = words, .width = 80, .quiet = true };
	json_t *model = view_find(view)->model(lab, &args);

	if (!model)
		fail_msg("%s %s: %s", view, name ? name : "", fail_why());
	return model;
}

static void a_cpus_private_freelist_is_not_in_use(void **state)
{
	json_t *m;
	json_int_t inuse, cpu_free, slab_free, slab_inuse;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 64), 1, 5);
	m = look_at("slabs", "A");
	assert_int_equal(json_unpack(m, "{s:[{},{s:{s:I},s:I,s:I,s:I}]}", "cpus", "slab", "inuse", &inuse,
				     "cpu_free", &cpu_free, "slab_free", &slab_free, "slab_inuse",
				     &slab_inuse), 0);
	assert_int_equal(inuse, 5);
	assert_int_equal(cpu_free, 59);
	assert_int_equal(slab_free, 0);
	assert_int_equal(slab_inuse, 64);
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(m, "cpus"), 0), "slab")));
	json_decref(m);
	lab_end();
}

static void where_keeps_indexes_and_leaves_out_freed_members(void **state)
{
	json_t *m;
	json_int_t index, address, slab;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 17);
	give("a", 15);
	m = look_at("where", "a");
	assert_int_equal(json_array_size(m), 16);
	assert_int_equal(json_unpack(json_array_get(m, 15), "{s:I,s:I,s:I}", "index", &index, "slab", &slab,
				     "address", &address), 0);
	assert_int_equal(index, 16);
	assert_int_equal(slab, 1);
	assert_int_equal(address, handle_members(lab, handle_find(lab, "a"))[16].off - lab->arena_off);
	json_decref(m);
	lab_end();
}

static void an_address_names_the_member_that_holds_it(void **state)
{
	const char *handle;
	char place[64];
	json_int_t index;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 20);
	snprintf(place, sizeof(place), "addr:%llu", (unsigned long long)
		 (handle_members(lab, handle_find(lab, "a"))[18].off - lab->arena_off + 100));
	m = look_at("where", place);
	assert_int_equal(json_unpack(m, "[{s:s,s:I}]", "handle", &handle, "index", &index), 0);
	assert_string_equal(handle, "a");
	assert_int_equal(index, 18);
	json_decref(m);
	lab_end();
}

static void stores_name_what_pins_a_draining_one(void **state)
{
	json_t *m;
	const char *handle;
	json_int_t index, objects;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 3);
	give("a", 0);
	give("a", 2);
	assert_int_equal(op_set(lab, "cache.A.max_order", "1"), 0);
	assert_int_equal(op_set(lab, "cache.A.min_order", "1"), 0);
	m = look_at("stores", NULL);
	assert_int_equal(json_unpack(m, "{s:[{s:I,s:[{s:s,s:I}]}]}", "draining", "objects", &objects,
				     "pinned_by", "handle", &handle, "index", &index), 0);
	assert_int_equal(objects, 1);
	assert_string_equal(handle, "a");
	assert_int_equal(index, 1);
	json_decref(m);
	lab_end();
}

static void counts_are_null_while_counters_are_off(void **state)
{
	const json_t *e, *stopped;
	const char *name;
	json_t *m;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 3);
	assert_int_equal(op_set(lab, "event.counters", "off"), 0);
	m = look_at("stat", "A");
	json_object_foreach(json_object_get(m, "event"), name, e)
		assert_true(json_is_null(e));
	json_decref(m);
	m = look_at("vmstat", NULL);
	stopped = json_object_get(m, "stopped");
	assert_true(json_is_null(json_object_get(m, "pgalloc_normal")));
	assert_int_equal(json_integer_value(json_object_get(stopped, "pgalloc_normal")), 1);
	assert_true(json_is_integer(json_object_get(m, "nr_free_pages")));
	json_decref(m);
	lab_end();
}

static void reports_agree_about_free_pages(void **state)
{
	json_int_t count, total = 0, free_pages, managed, held = 0, kept;
	json_t *m, *n;
	size_t o;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 100);
	m = look_at("buddyinfo", NULL);
	json_array_foreach(json_object_get(json_array_get(json_object_get(m, "zones"), 0), "free"), o, n)
		total += json_integer_value(n) << o;
	json_decref(m);
	m = look_at("zoneinfo", NULL);
	n = json_array_get(json_object_get(m, "zones"), ZONE_NORMAL);
	assert_int_equal(json_unpack(n, "{s:I,s:I}", "free", &free_pages, "managed", &managed), 0);
	json_array_foreach(json_object_get(n, "pagesets"), o, n)
		held += json_integer_value(json_object_get(n, "count"));
	json_decref(m);
	m = look_at("meminfo", NULL);
	kept = json_integer_value(json_object_get(m, "Slab")) / 4;
	count = json_integer_value(json_object_get(m, "MemFree")) / 4;
	json_decref(m);
	assert_int_equal(total, free_pages);
	assert_int_equal(count, free_pages);
	assert_int_equal(free_pages + held + kept, managed);
	assert_int_equal(kept, 7);
	lab_end();
}

static size_t painted_bytes(const struct view *view, const json_t *model)
{
	static const struct view_args plain = { .width = 80 };
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	view->text(model, &plain, to);
	fclose(to);
	free(text);
	return bytes;
}

static void no_view_changes_a_lab(void **state)
{
	static const char *const names[] = {
		[0] = NULL, "A", "cpu0", "Normal", "a", "N0.Normal", "pfn:3",
	};
	unsigned int seen = 0;
	uint64_t before;

	lab = test_lab("mem=16M,cpus=2");
	take("a", cache_make("A", 256), 0, 40);
	give("a", 3);
	before = lab_hash(lab);
	for (unsigned int v = 0; views[v]; v++)
		for (unsigned int n = 0; n < ARRAY_SIZE(names); n++) {
			const char *words[] = { names[n], NULL };
			struct view_args args = { .name = names[n], .words = words, .quiet = true };
			json_t *m = views[v]->model(lab, &args);

			if (!m)
				continue;
			seen++;
			assert_true(painted_bytes(views[v], m) > 0);
			json_decref(m);
			if (lab_hash(lab) != before)
				fail_msg("%s %s changed the lab", views[v]->name, names[n] ? names[n] : "");
		}
	assert_true(seen >= 24);
	lab_end();
}

static void words_that_name_nothing_are_refused_with_a_sentence(void **state)
{
	static const struct { const char *view, *name; } asked[] = {
		{ "slabs", "nosuch" }, { "freelist", "nosuch" }, { "pcp", "cpu7" }, { "frag", "DMA" },
		{ "where", "pfn:4096" }, { "where", "nosuch" }, { "stat", "nosuch" }, { "caches", "nosuch" },
		{ "buddyinfo", "extra" },
	};

	lab = test_lab("mem=16M,cpus=2");
	for (unsigned int i = 0; i < ARRAY_SIZE(asked); i++) {
		const char *words[] = { asked[i].name, NULL };
		struct view_args args = { .name = asked[i].name, .words = words };

		assert_null(view_find(asked[i].view)->model(lab, &args));
		assert_non_null(strstr(fail_why(), asked[i].name));
	}
	lab_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpus_private_freelist_is_not_in_use),
		cmocka_unit_test(where_keeps_indexes_and_leaves_out_freed_members),
		cmocka_unit_test(an_address_names_the_member_that_holds_it),
		cmocka_unit_test(stores_name_what_pins_a_draining_one),
		cmocka_unit_test(counts_are_null_while_counters_are_off),
		cmocka_unit_test(reports_agree_about_free_pages),
		cmocka_unit_test(no_view_changes_a_lab),
		cmocka_unit_test(words_that_name_nothing_are_refused_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
