/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Importers: what their readers take for a row, and what the lab is afterwards. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/rand.h"
#include "formats/buddyinfo.h"
#include "formats/memreport.h"
#include "formats/slabinfo.h"
#include "lab/handle.h"
#include "op/op.h"
#include "page/read.h"
#include "slab/read.h"
#include "work/import.h"

/* Last: it has a macro of the name of our fail(). */
#include <cmocka.h>

/* ---- readers ---- */

static struct paste pasted(const char *text)
{
	struct paste p;

	assert_int_equal(paste_memory(text, strlen(text), &p), 0);
	return p;
}

static struct buddyinfo buddies(const char *text)
{
	struct paste p = pasted(text);
	struct buddyinfo b;

	if (buddyinfo_parse(&p, &b))
		fail_msg("%s", fail_why());
	paste_free(&p);
	return b;
}

/* A line is what the kernel wrote, whoever logged, coloured, quoted, broke or copied it. */
static void what_others_put_around_a_line_goes(void **state)
{
	static const char *const lines[] = {
		"Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\r\n", "> > Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"\xef\xbb\xbfNode 0, zone\tNormal\t1 2 3 4 5 6 7 8 9 10 11\n", "Node\xc2\xa0""0, zone Normal 1 2 3 4 5 6 7 8 9 10\xc2\xa0""11\n",
		"\033[0mNode 0, zone Normal \033[1;31m1\033[0m 2 3 4 5 6 7 8 9 10 11\033[K\n",
		"[12345.678901] Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n", "<4>[    1.5] Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"[   17.250000][  T311] Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"[Mon May  1 10:00:00 2023] Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"Nov  3 10:11:12 a-host kernel: [12.5] Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"2023-05-01T10:00:00.123456+02:00 host script[71]: Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"05-01 10:00:00.123     0     0 W         : Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11\n",
		"> Nov  3 10:11:12 h kernel: Node 0, zone Normal 1 2 3\n> 4 5 6 7 8\n9 10 11\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct buddyinfo b = buddies(lines[i]);

		assert_int_equal(b.nr, 1);
		assert_int_equal(b.row[0].orders, 11);
		for (unsigned int o = 0; o < 11; o++)
			assert_int_equal(b.row[0].free[o], o + 1);
		buddyinfo_free(&b);
	}
}

/* Mailers break between any two words. */
static void a_request_that_was_broken_is_one(void **state)
{
	struct paste p = pasted("> [1.5] ksoftirqd/0: page\n> allocation failure: order:3,\n> mode:0x20\n");
	struct memreport m;

	(void)state;
	assert_int_equal(memreport_parse(&p, &m), 0);
	assert_int_equal(m.requests, 1);
	assert_int_equal(m.request[0].order, 3);
	assert_int_equal(m.request[0].gfp, 0x20);
	assert_string_equal(m.request[0].who, "ksoftirqd/0");
	memreport_free(&m);
	paste_free(&p);
}

/* What only looks like it is a part of the line. */
static void what_a_line_says_itself_stays(void **state)
{
	static const char *const lines[] = {
		"[12345] kept", "[kept.5] kept", "May be: kept", "2023-05-01 kept: it", "<4kept>", "<kept>4", "1 2 3 kept", "[", "<", "<4", "[1.5", "\033[",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct paste p = pasted(lines[i]);

		if (lines[i][0] != '\033')
			assert_string_equal(p.line[0], lines[i]);
		paste_free(&p);
	}
}

#define ROW(node, zone, first) "Node " #node ", zone " zone " " #first " 0 0 0 0 0 0 0 0 0 1 \r\n"

static void a_zone_that_comes_again_begins_another_table(void **state)
{
	struct buddyinfo b = buddies("$ cat /proc/buddyinfo\n" ROW(0, "DMA", 1) ROW(0, "Normal", 2)
				     ROW(0, "DMA", 3) ROW(0, "Normal", 4));
	const struct buddyinfo_row *r;
	uint32_t nr;

	(void)state;
	assert_int_equal(b.tables, 2);
	r = buddyinfo_table(&b, 1, &nr);
	assert_int_equal(nr, 2);
	assert_string_equal(r[1].zone, "Normal");
	assert_int_equal(r[1].free[0], 4);
	assert_int_equal(r[1].free[10], 1);
	assert_int_equal(r[1].orders, 11);
	assert_int_equal(r[1].line, 5);
	assert_int_equal(b.skipped.nr, 1);
	buddyinfo_free(&b);
}

static void rows_that_count_something_else_are_not_taken(void **state)
{
	struct buddyinfo b = buddies("> Node 7, zone  Movable  1 2 3 4 5 6 7 8 9 10 11\n"
				     "Node 0, zone   Normal 0.000 0.000 0.000 0.002 0.004 0.016 0.032 0.065 0.097 0.097 0.226\n"
				     "Node 0, zone   Normal, type Unmovable 1 2 3 4 5 6 7 8 9 10 11\n"
				     "Number of blocks type Unmovable Movable Reclaimable HighAtomic CMA Isolate Other\n"
				     "Node 0, zone   Normal 1 2 3 4 5 6 7\n"
				     "Node 0, zone   Normal 1 2 3 4 5 6 99999999999999999999 8 9 10 11\n");

	(void)state;
	assert_int_equal(b.nr, 1);
	assert_int_equal(b.row[0].node, 7);
	assert_int_equal(b.skipped.nr, 5);
	buddyinfo_free(&b);
}

static struct slabinfo slabs(const char *text)
{
	struct paste p = pasted(text);
	struct slabinfo s;

	if (slabinfo_parse(&p, &s))
		fail_msg("%s", fail_why());
	paste_free(&p);
	return s;
}

#define REST " : tunables 0 0 0 : slabdata 3 4 5\n"

static void a_cache_row_is_known_by_its_five_numbers(void **state)
{
	struct slabinfo s = slabs("slabinfo - version: 2.1 (statistics)\n"
				  "# name <active_objs> <num_objs> <objsize>\n"
				  "old 1 1 8 512 1" REST
				  "slabinfo - version: 2.1\n"
				  "kmalloc-64  10 20 64 64 1" REST
				  "fuse inode (2:a/b) 30 40 832 19 4" REST
				  "bare 5 6 128 32 1\n"
				  "the answer is 1 2 3 4 5\n"
				  "none 1 2 0 0 0" REST
				  "odd 9 4 64 64 1" REST);

	(void)state;
	assert_int_equal(s.tables, 2);
	assert_int_equal(s.nr, 4);
	assert_string_equal(s.row[1].name, "fuse inode (2:a/b)");
	assert_int_equal(s.row[1].pagesperslab, 4);
	assert_int_equal(s.row[1].sharedavail, 5);
	assert_int_equal(s.row[2].num_slabs, 1);
	assert_int_equal(s.row[3].active_objs, 4);	/* more in use than there are */
	assert_int_equal(s.repaired.nr, 1);
	assert_int_equal(s.skipped.nr, 2);
	slabinfo_free(&s);
}

/* ---- acting ---- */

static struct lab *lab;
static struct shape reshaped;

static struct lab *new_lab(const struct shape *shape)
{
	struct lab *l;
	char warning[256];

	if (lab_new(shape, NULL, "test", &l, warning))
		fail_msg("%s", fail_why());
	return l;
}

static void make_lab(const char *text)
{
	struct shape shape;

	shape_default(&shape);
	assert_int_equal(shape_parse(&shape, text), 0);
	lab = new_lab(&shape);
}

static int reshape(void *arg, const struct shape *shape, struct lab **l)
{
	(void)arg;
	reshaped = *shape;
	*l = new_lab(shape);
	lab_drop(lab);
	lab = *l;
	return 0;
}

static int import_text(const char *kind, const char *text, bool fill, json_t **data)
{
	char path[] = "/tmp/import-XXXXXX";
	struct import im = { .lab = lab, .fill = fill, .reshape = reshape };
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ret = import_run(&im, kind, path, data);
	assert_ptr_equal(im.lab, lab);
	close(fd);
	unlink(path);
	if (lab_check(lab))
		fail_msg("%s", fail_why());
	return ret;
}

static void free_lists_are(unsigned int zone, const uint64_t want[NR_PAGE_ORDERS])
{
	struct zone_figures z;

	zone_figures(lab, zone, false, &z);
	for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++)
		if (z.nr_free[o] != want[o])
			fail_msg("zone %u, order %u: %llu free blocks, should be %llu", zone, o,
				 (unsigned long long)z.nr_free[o], (unsigned long long)want[o]);
}

static void a_fresh_lab_gets_the_free_lists_to_the_block(void **state)
{
	uint64_t rand = 5;

	(void)state;
	for (unsigned int round = 0; round < 40; round++) {
		uint64_t want[NR_PAGE_ORDERS];
		char text[512];
		json_t *data;
		size_t at = (size_t)snprintf(text, sizeof(text), "Node 0, zone Normal");

		for (unsigned int o = 0; o < NR_PAGE_ORDERS; o++) {
			want[o] = rand_below(&rand, 2) ? rand_below(&rand, 2000 >> o) : rand_below(&rand, 3);
			at += (size_t)snprintf(text + at, sizeof(text) - at, " %llu", (unsigned long long)want[o]);
		}
		/* in its own zone or in one made for it */
		make_lab(round & 1 ? "mem=64M,cpus=1" : "mem=1G,cpus=2");
		assert_int_equal(import_text("auto", text, false, &data), 0);
		free_lists_are(0, want);
		json_decref(data);
		lab_drop(lab);
	}
}

static void a_lab_without_the_zones_becomes_one_that_has_them(void **state)
{
	static const uint64_t dma[NR_PAGE_ORDERS] = { 1, 0, 3 }, normal[NR_PAGE_ORDERS] = { [10] = 1 };
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=3");
	assert_int_equal(import_text("buddyinfo", "Node 2, zone Normal 0 0 0 0 0 0 0 0 0 0 1\n"
				     "Node 0, zone DMA 1 0 3 0 0 0 0 0 0 0 0\n", false, &data), 0);
	assert_int_equal(reshaped.nodes, 3);
	assert_int_equal(reshaped.cpus, 3);
	free_lists_are(0, dma);
	free_lists_are(1, normal);
	assert_non_null(handle_find(lab, "imported"));
	json_decref(data);
	lab_drop(lab);
}

static void a_lab_in_use_is_left_as_it_was(void **state)
{
	struct op op = { .kind = OP_ALLOC_PAGES, .gfp = GFP_KERNEL, .node = -1 };
	struct zone_figures before, after;
	struct op_result r;
	json_t *data;

	(void)state;
	make_lab("zones=DMA:16M+Normal:64M,cpus=1");
	assert_int_equal(op_run(lab, &op, &r), 0);	/* of Normal: DMA is still fresh */
	zone_figures(lab, 0, false, &before);
	assert_int_equal(import_text("buddyinfo", "Node 0, zone DMA 1 1 1 0 0 0 0 0 0 0 0\n"
				     "Node 0, zone Normal 1 0 0 0 0 0 0 0 0 0 1\n", false, &data), -EBUSY);
	zone_figures(lab, 0, false, &after);
	assert_memory_equal(before.nr_free, after.nr_free, sizeof(before.nr_free));
	assert_null(handle_find(lab, "imported"));
	lab_drop(lab);
}

static void a_report_of_caches_makes_them_and_their_objects(void **state)
{
	uint32_t foo;
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=1");
	assert_int_equal(import_text("auto", "slabinfo - version: 2.1\n"
				     "foo a 100 640 64 64 1 : tunables 0 0 0 : slabdata 10 10 0\n"
				     "kmalloc-64 7 64 64 64 1 : tunables 0 0 0 : slabdata 1 1 0\n", true, &data), 0);
	foo = op_cache_find(lab, "foo_a");
	assert_int_equal(cache_objects(lab, foo), 100);
	assert_int_equal(cache_objects(lab, op_cache_find(lab, "kmalloc-64")), 7);
	assert_int_equal(handle_find(lab, "imported")->live, 107);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(data, "totals"), "slab_kb")), 44);
	json_decref(data);
	lab_drop(lab);
}

static void a_report_with_an_impossible_cache_makes_none(void **state)
{
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=1");
	assert_true(import_text("slabinfo", "foo 0 0 64 64 1 : tunables 0 0 0 : slabdata 0 0 0\n"
				"huge 0 0 99999999999 1 1 : tunables 0 0 0 : slabdata 0 0 0\n"
				"bar 0 0 64 64 1 : tunables 0 0 0 : slabdata 0 0 0\n", false, &data) < 0);
	assert_non_null(strstr(fail_why(), "line 2"));
	assert_int_equal(op_cache_find(lab, "foo"), 0);
	assert_int_equal(op_cache_find(lab, "bar"), 0);
	lab_drop(lab);
}

/* Damage that says nothing of a size: there is a lab all the same. */
static void a_report_of_nothing_is_a_small_lab(void **state)
{
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=1");
	assert_int_equal(import_text("auto", "Node 0 DMA: 0*64kB 0*128kB 0*256kB 0*512kB = 258956kB\n", false, &data), 0);
	assert_string_equal(json_string_value(json_object_get(data, "kind")), "allocfail");
	assert_true(json_is_true(json_object_get(data, "arranged")));
	assert_int_equal(lab_check(lab), 0);
	json_decref(data);
	lab_drop(lab);
}

/* A lab in use is told what the report says, and stays. */
static void a_failure_is_told_to_a_lab_in_use(void **state)
{
	struct op op = { .kind = OP_ALLOC_PAGES, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r;
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=1");
	assert_int_equal(op_run(lab, &op, &r), 0);
	assert_int_equal(import_text("allocfail", "Node 0 DMA: 1*4kB (U) 1*8kB (H) = 12kB\n", false, &data), 0);
	assert_true(json_is_false(json_object_get(data, "arranged")));
	assert_int_equal(lab->hdr->shape.zones, 1);
	assert_null(handle_find(lab, "imported"));
	json_decref(data);
	lab_drop(lab);
}

static void what_is_no_report_is_refused(void **state)
{
	json_t *data;

	(void)state;
	make_lab("mem=64M,cpus=1");
	assert_int_equal(import_text("auto", "hello\nworld 1 2 3\n", false, &data), -ENOENT);
	assert_int_equal(import_text("buddyinfo", "", false, &data), -ENOENT);
	assert_int_equal(import_text("nonsense", "hello", false, &data), -EINVAL);
	assert_int_equal(import_text("buddyinfo", "Node 0, zone Lowmem 1 0 0 0 0 0 0 0 0 0 0\n", false, &data), -EINVAL);
	assert_int_equal(import_text("buddyinfo", "Node 0, zone DMA 649418679 0 0 0 0 0 0 0 0 0 0\n", false, &data), -ERANGE);
	assert_int_equal(import_text("buddyinfo", "Node 99, zone DMA 1 0 0 0 0 0 0 0 0 0 0\n", false, &data), -EINVAL);
	assert_int_equal(import_text("buddyinfo", "Node 0, zone DMA 1 0 0 0 0 0 0 0 0 0 9999999999\n", false, &data), -ERANGE);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_others_put_around_a_line_goes),
		cmocka_unit_test(what_a_line_says_itself_stays),
		cmocka_unit_test(a_request_that_was_broken_is_one),
		cmocka_unit_test(a_zone_that_comes_again_begins_another_table),
		cmocka_unit_test(rows_that_count_something_else_are_not_taken),
		cmocka_unit_test(a_cache_row_is_known_by_its_five_numbers),
		cmocka_unit_test(a_fresh_lab_gets_the_free_lists_to_the_block),
		cmocka_unit_test(a_lab_without_the_zones_becomes_one_that_has_them),
		cmocka_unit_test(a_lab_in_use_is_left_as_it_was),
		cmocka_unit_test(a_report_of_caches_makes_them_and_their_objects),
		cmocka_unit_test(a_report_with_an_impossible_cache_makes_none),
		cmocka_unit_test(a_report_of_nothing_is_a_small_lab),
		cmocka_unit_test(a_failure_is_told_to_a_lab_in_use),
		cmocka_unit_test(what_is_no_report_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
