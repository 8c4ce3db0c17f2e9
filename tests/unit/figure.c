/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths: what a glob lists is what can be read, and what it says is true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "base/fail.h"
#include "op/op.h"
#include "slab/policy.h"
#include "view/figure.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

static struct lab *lab;

static int make_lab(void **state)
{
	struct shape shape;
	char warning[256];

	(void)state;
	shape_default(&shape);
	if (shape_parse(&shape, "zones=N0.DMA:16M:3840p+N0.Normal:64M+N1.Normal:64M,cpus=2,possible=3"))
		return -1;
	return lab_new(&shape, NULL, "main", &lab, warning);
}

static int drop_lab(void **state)
{
	(void)state;
	lab_drop(lab);
	return 0;
}

static uint32_t make_cache(const char *name, uint64_t size)
{
	struct cache_request rq = { .name = name, .size = size, .merge = MERGE_OFF };
	uint32_t cache = 0;

	if (op_cache_create(lab, &rq, &cache))
		fail_msg("%s: %s", name, fail_why());
	return cache;
}

static struct figure_value value(const char *path)
{
	struct figure_value v;

	if (figure_read(lab, path, &v))
		fail_msg("%s: %s", path, fail_why());
	return v;
}

static void assert_text(const char *path, const char *text)
{
	struct figure_value v = value(path);

	if (strcmp(v.text, text))
		fail_msg("%s is %s, not %s", path, v.text, text);
}

static void set(const char *name, const char *text)
{
	if (op_set(lab, name, text))
		fail_msg("set %s %s: %s", name, text, fail_why());
}

/* ---- one path ---- */

static void zones_and_lists_have_their_figures(void **state)
{
	(void)state;
	assert_text("zone.N0.DMA.managed", "3840");
	assert_text("zone.N0.DMA.spanned", "4096");
	assert_text("zone.N1.Normal.free_pages", "16384");
	assert_text("zone.N1.Normal.order.10", "16");
	assert_text("zone.N0.DMA.protection.Normal", "64");
	assert_true(value("zone.N1.Normal.watermark.high").i > value("zone.N1.Normal.watermark.low").i);
	assert_text("pcp.N0.Normal.cpu1.count", "0");
	assert_text("pcp.N0.DMA.cpu0.batch", "1");
	assert_text("lab.cpus", "2");
	assert_text("lab.possible", "3");
	assert_text("lab.mem", "150994944");
	assert_text("lab.name", "main");
	assert_text("slub.max_order", "3");
	assert_text("slub.partial_add", "deactivate");
}

static void a_cache_has_its_geometry_and_its_objects(void **state)
{
	uint32_t cache = make_cache("geo", 192);
	struct op op = { .kind = OP_CACHE_ALLOC, .node = -1, .gfp = GFP_KERNEL, .cache = cache };
	struct op_result r;

	(void)state;
	assert_text("cache.geo.object_size", "192");
	assert_text("cache.geo.size", "192");
	assert_text("cache.geo.objs_per_slab", "21");
	assert_text("cache.geo.slabs", "0");
	assert_text("cache.geo.flags", "0");
	assert_text("cache.geo.aliases", "0");
	assert_int_equal(op_run(lab, &op, &r), 0);
	assert_text("cache.geo.objects", "1");
	assert_text("cache.geo.slabs", "1");
	assert_text("cache.geo.cpu_slabs", "1");
	assert_text("cache.geo.sysfs.slabs", "1 N0=1");
	assert_text("cache.geo.event.alloc_slowpath", "1");
	assert_text("cache.geo.event.alloc_slowpath.cpu0", "1");
	assert_text("cache.geo.event.alloc_slowpath.cpu1", "0");
	assert_text("cache.geo.sysfs.alloc_slowpath", "1 C0=1");
	assert_true(value("cache.geo.N0.lock.acquired").i >= 0);
}

static void events_are_sums_by_cpu_and_by_order(void **state)
{
	struct op op = { .kind = OP_ALLOC_PAGES, .order = 2, .cpu = 1, .node = -1, .gfp = GFP_KERNEL };
	int64_t before = value("event.mm_page_alloc").i, at_two = value("event.mm_page_alloc.order.2").i;
	int64_t pages = value("event.pgalloc_normal").i + value("event.pgalloc_dma").i;
	struct op_result r;

	(void)state;
	assert_int_equal(op_run(lab, &op, &r), 0);
	assert_int_equal(value("event.mm_page_alloc").i, before + 1);
	assert_int_equal(value("event.mm_page_alloc.order.2").i, at_two + 1);
	assert_true(value("event.mm_page_alloc.cpu1").i >= 1);
	assert_int_equal(value("event.pgalloc_normal").i + value("event.pgalloc_dma").i, pages + 4);
	assert_int_equal(value("event.pgalloc").i, pages + 4);
	assert_int_equal(value("zone.N0.Normal.event.mm_page_alloc").i +
			 value("zone.N0.DMA.event.mm_page_alloc").i +
			 value("zone.N1.Normal.event.mm_page_alloc").i, before + 1);
}

static void overrides_are_figures_of_the_cache(void **state)
{
	(void)state;
	make_cache("own", 256);
	assert_text("cache.own.max_order", "3");
	set("cache.own.max_order", "0");
	assert_text("cache.own.max_order", "0");
	assert_text("cache.own.order", "0");
	set("cache.own.min_partial", "9");
	assert_text("cache.own.min_partial", "9");
	assert_text("cache.own.debug", "none");
	set("slub.debug", "FZ;-,ow*");
	assert_text("cache.own.debug", "none");
	assert_text("cache.kmalloc-64.debug", "FZ");
	set("slub.debug", "");
}

static void the_longest_cache_name_that_fits_is_taken(void **state)
{
	(void)state;
	make_cache("dot", 64);
	make_cache("dot.size", 128);
	assert_text("cache.dot.size", "64");
	assert_text("cache.dot.size.size", "128");
	assert_text("cache.dot.order", "0");
	make_cache("dot.sysfs", 32);
	assert_text("cache.dot.sysfs.order", "0");
	assert_text("cache.dot.sysfs.object_size", "32");
	assert_text("cache.dot.sysfs.slab_size", "64");
}

/* ---- fragmentation ---- */

/* The worked example of the specification: 6, 3 and 1 free blocks of orders 0, 1 and 2. */
static void the_indexes_are_the_kernels(void **state)
{
	struct free_wish want = { .free[MT_MOVABLE] = { 6, 3, 1 }, .untyped = true };
	struct held_block *held = NULL;
	uint64_t nr = 0;

	(void)state;
	assert_text("frag.N1.Normal.order.10.unusable", "0.000");
	assert_text("frag.N1.Normal.order.10.extfrag", "-1.000");
	if (op_arrange_free(lab, 2, &want, &held, &nr))
		fail_msg("%s", fail_why());
	assert_text("frag.N1.Normal.order.0.unusable", "0.000");
	assert_text("frag.N1.Normal.order.1.unusable", "0.375");
	assert_text("frag.N1.Normal.order.2.unusable", "0.750");
	assert_text("frag.N1.Normal.order.2.extfrag", "-1.000");
	assert_text("frag.N1.Normal.order.3.unusable", "1.000");
	assert_text("frag.N1.Normal.order.3.extfrag", "0.700");
	assert_text("frag.N1.Normal.order.4.extfrag", "0.800");
	free(held);
}

/* ---- globs ---- */

struct seen {
	unsigned int nr;
	char last[512];
	bool read_again;
};

static int see(const char *path, const struct figure_value *v, void *arg)
{
	struct seen *s = arg;
	struct figure_value again;

	if (s->nr && strcmp(s->last, path) >= 0)
		fail_msg("%s comes after %s", path, s->last);
	snprintf(s->last, sizeof(s->last), "%s", path);
	s->nr++;
	if (!s->read_again)
		return 0;
	if (figure_read(lab, path, &again))
		fail_msg("%s is listed but not read: %s", path, fail_why());
	if (again.type != v->type || strcmp(again.text, v->text))
		fail_msg("%s is %s in a glob and %s alone", path, v->text, again.text);
	return 0;
}

static unsigned int matches(const char *pattern)
{
	struct seen s = { 0 };

	return figure_glob(lab, pattern, see, &s) ? 0 : s.nr;
}

static void all_that_is_listed_can_be_read_and_says_the_same(void **state)
{
	struct seen s = { .read_again = true };

	(void)state;
	assert_int_equal(figure_glob(lab, "*", see, &s), 0);
	assert_true(s.nr > 1000);
}

static void globs_match_any_run_dots_included(void **state)
{
	(void)state;
	assert_int_equal(matches("zone.*.managed"), 3);
	assert_int_equal(matches("zone.*.*.managed"), 3);
	assert_int_equal(matches("zone.N*al.free_pages"), 2);
	assert_int_equal(matches("*free_pages"), 3);
	assert_int_equal(matches("lab.cpus"), 1);
	assert_int_equal(matches("pcp.N0.DMA.cpu*.high"), 2);	/* CPU 2 is not online */
	assert_int_equal(matches("event.mm_page_alloc.order.*"), 11);
	assert_true(matches("cache.kmalloc-*.size") >= 13);
	assert_int_equal(matches("zone.*.nothing"), 0);
	assert_non_null(strstr(fail_why(), "zone.*.nothing"));
}

/* ---- errors ---- */

static void unknown_paths_are_answered_with_near_ones(void **state)
{
	struct figure_value v;

	(void)state;
	assert_int_equal(figure_read(lab, "zone.N0.Normal.fre_pages", &v), -ENOENT);
	assert_non_null(strstr(fail_why(), "zone.N0.Normal.free_pages"));
	assert_int_equal(figure_read(lab, "cache.kmalloc-64.ordr", &v), -ENOENT);
	assert_non_null(strstr(fail_why(), "cache.kmalloc-64.order"));
	assert_int_equal(figure_read(lab, "zone.N0.Normal.order.11", &v), -ENOENT);
	assert_int_equal(figure_read(lab, "zone.N0.Normal.order.3x", &v), -ENOENT);
	assert_int_equal(figure_read(lab, "zone.N0.Normal.", &v), -ENOENT);
	assert_int_equal(figure_read(lab, "pcp.N0.Normal.cpu3.count", &v), -ENOENT);
	assert_int_equal(figure_read(lab, "pcp.N0.Normal.cpu01.count", &v), -ENOENT);
	assert_int_equal(figure_read(lab, "", &v), -ENOENT);
}

static void counters_that_are_off_are_errors_and_left_out(void **state)
{
	unsigned int with = matches("*");
	struct figure_value v;

	(void)state;
	set("event.counters", "off");
	assert_int_equal(figure_read(lab, "event.pgfree", &v), -ENODATA);
	assert_int_equal(figure_read(lab, "event.pgfree.cpu0", &v), -ENODATA);
	assert_int_equal(figure_read(lab, "zone.N0.Normal.lock.acquired", &v), -ENODATA);
	assert_int_equal(figure_read(lab, "cache.kmalloc-64.sysfs.alloc_fastpath", &v), -ENODATA);
	assert_non_null(strstr(fail_why(), "counters are off"));
	assert_int_equal(figure_read(lab, "event.nothing", &v), -ENOENT);
	assert_int_equal(figure_glob(lab, "event.pg*", see, &(struct seen){ 0 }), -ENODATA);
	assert_true(matches("*") < with);
	assert_true(matches("zone.*.free_pages") == 3);
	assert_text("cache.kmalloc-64.sysfs.slabs", "0");
	set("event.counters", "on");
	assert_int_equal(matches("*"), with);
}

/* ---- values ---- */

static int holds(const char *a, const char *op, const char *b)
{
	struct figure_value x, y;

	figure_from_text(&x, a);
	figure_from_text(&y, b);
	return figure_compare(&x, op, &y);
}

static void numbers_compare_as_numbers_and_texts_as_texts(void **state)
{
	(void)state;
	assert_int_equal(holds("10", ">", "9"), 1);
	assert_int_equal(holds("4K", "==", "4096"), 1);
	assert_int_equal(holds("0x10", "==", "16"), 1);
	assert_int_equal(holds("-1.000", "<", "0.375"), 1);
	assert_int_equal(holds("0.375", "==", "0.3750"), 1);
	assert_int_equal(holds("2", "==", "2.0"), 1);
	assert_int_equal(holds("auto", "==", "auto"), 1);
	assert_int_equal(holds("auto", "!=", "3"), 1);
	assert_int_equal(holds("5 N0=5", "==", "5 N0=5"), 1);
	assert_int_equal(holds("9007199254740993", ">", "9007199254740992"), 1);
	assert_int_equal(holds("1", "=", "1"), -EINVAL);
}

/* ---- sources ---- */

static int source_read(struct lab *of, const char *path, struct figure_value *v)
{
	(void)of;
	if (strcmp(path, "testing.two"))
		return (fail)(ENOENT, "no %s", path);
	figure_from_text(v, "2");
	return 0;
}

static void source_list(struct lab *of, void (*emit)(const char *path, void *arg), void *arg)
{
	(void)of;
	emit("testing.two", arg);
}

static void sources_join_the_namespace(void **state)
{
	static const struct figure_source source = { "testing.", source_read, source_list };
	struct figure_value v;

	(void)state;
	assert_int_equal(figure_read(lab, "testing.two", &v), -ENOENT);
	figure_source_add(&source);
	figure_source_add(&source);
	assert_text("testing.two", "2");
	assert_int_equal(matches("test*"), 1);
	assert_int_equal(matches("*.two"), 1);
	assert_int_equal(figure_read(lab, "testing.three", &v), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_and_lists_have_their_figures),
		cmocka_unit_test(a_cache_has_its_geometry_and_its_objects),
		cmocka_unit_test(events_are_sums_by_cpu_and_by_order),
		cmocka_unit_test(overrides_are_figures_of_the_cache),
		cmocka_unit_test(the_longest_cache_name_that_fits_is_taken),
		cmocka_unit_test(the_indexes_are_the_kernels),
		cmocka_unit_test(globs_match_any_run_dots_included),
		cmocka_unit_test(unknown_paths_are_answered_with_near_ones),
		cmocka_unit_test(counters_that_are_off_are_errors_and_left_out),
		cmocka_unit_test(numbers_compare_as_numbers_and_texts_as_texts),
		cmocka_unit_test(sources_join_the_namespace),
		cmocka_unit_test(all_that_is_listed_can_be_read_and_says_the_same),
	};

	return cmocka_run_group_tests(tests, make_lab, drop_lab);
}
