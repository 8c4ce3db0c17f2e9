/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tui_events - the pane of events: model and painter against a small lab, without a terminal. */
#include <stdio.h>
#include <string.h>

#include "op/tracing.h"
#include "tui/events.h"
#include "tui/panes.h"
#include "test_lab.h"

#define W 90
#define H 40

static struct scene scene;
static struct events state;
static struct grid grid;

static void begin(struct lab *lab)
{
	memset(&scene, 0, sizeof(scene));
	memset(&state, 0, sizeof(state));
	memset(&grid, 0, sizeof(grid));
	scene.lab = lab;
	grid_size(&grid, W, H);
}

/* One frame, `ns` after the one before. */
static void frame(uint64_t ns)
{
	struct area a = { &grid, 0, 0, W, H };

	scene.now_ns += ns;
	grid_clear(&grid);
	pane_events.take(&scene, &state);
	pane_events.draw(&scene, &state, &a);
}

/* The row that begins with this event's name, "" if there is none. */
static const char *row_of(const char *name)
{
	static char text[4 * W + 1];

	for (int y = 0; y < H; y++) {
		grid_text(&grid, y, text, sizeof(text));
		if (!strncmp(text + 1, name, strlen(name)) && text[1 + strlen(name)] == ' ')
			return text;
	}
	return "";
}

static bool shows(const char *words)
{
	char text[4 * W + 1];

	for (int y = 0; y < H; y++)
		if (strstr(grid_text(&grid, y, text, sizeof(text)), words))
			return true;
	return false;
}

static void kmalloc(struct lab *lab, unsigned int n)
{
	struct op op = { .kind = OP_KMALLOC, .size = 64, .gfp = GFP_KERNEL, .node = -1 };
	struct op_result r;

	while (n--)
		assert_int_equal(op_run(lab, &op, &r), 0);
}

static void rates_are_what_happened_over_the_time(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	frame(1000000000);
	assert_true(shows("nothing happened yet"));
	kmalloc(lab, 1);
	frame(1000000000);
	kmalloc(lab, 30);
	frame(500000000);		/* 30 in half a second */
	assert_non_null(strstr(row_of("alloc_fastpath"), " 30 "));
	assert_non_null(strstr(row_of("alloc_fastpath"), " 60 "));
	assert_non_null(strstr(row_of("alloc_slowpath"), " 1 "));
	frame(500000000);		/* nothing in another half */
	assert_null(strstr(row_of("alloc_fastpath"), " 60 "));
	assert_string_equal(row_of("free_fastpath"), "");	/* never happened: no row */
	pane_events.key(&scene, &state, 'a');
	frame(1);
	assert_string_not_equal(row_of("mm_page_free"), "");
	lab_drop(lab);
	grid_free(&grid);
}

static void the_trace_scrolls_and_is_filtered(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	kmalloc(lab, 1);
	frame(1);
	assert_true(shows("no trace: t begins one"));
	pane_events.key(&scene, &state, 't');
	assert_string_equal(scene.wish, "trace on");
	op_trace_on(lab, NULL, 0, 0);
	kmalloc(lab, 2);
	frame(1);
	assert_true(shows("kmalloc call_site=kmalloc-64+0x0/0x0 ptr="));
	assert_true(shows("alloc_fastpath store="));
	snprintf(scene.filter, sizeof(scene.filter), "kmalloc");
	frame(1);
	assert_true(shows("kmalloc call_site"));
	assert_false(shows("alloc_fastpath store="));
	op_trace_off(lab);
	frame(1);
	assert_true(shows("trace, off"));
	lab_drop(lab);
	grid_free(&grid);
}

static void a_click_right_behind_the_wheel_picks_a_row(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	kmalloc(lab, 10);
	strcpy(scene.filter, "alloc_fastpath");
	frame(0);
	pane_events.mouse(&scene, &state, &(struct mouse){ MOUSE_WHEEL_UP, 1, 1 });
	pane_events.mouse(&scene, &state, &(struct mouse){ MOUSE_PRESS, 1, 1 });
	assert_int_equal(state.picked, EV_alloc_fastpath);
	lab_drop(lab);
	grid_free(&grid);
}

static void a_small_area_is_enough(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	op_trace_on(lab, NULL, 0, 0);
	kmalloc(lab, 100);
	pane_events.take(&scene, &state);
	for (int h = 0; h < 12; h++)
		for (int w = 0; w < W; w += 7) {
			struct area a = { &grid, 0, 0, w, h };

			pane_events.draw(&scene, &state, &a);
			pane_events.key(&scene, &state, K_DOWN);
		}
	lab_drop(lab);
	grid_free(&grid);
}

static void counters_off_is_said(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	kmalloc(lab, 5);
	op_set(lab, "event.counters", "off");
	frame(1);
	assert_true(shows("counters are off"));
	lab_drop(lab);
	grid_free(&grid);
}

static void call_stacks_stand_below_their_event(void **test)
{
	struct lab *lab = test_lab("mem=16M,cpus=2");

	(void)test;
	begin(lab);
	frame(1000000000);
	state.picked = EV_alloc_slab;
	pane_events.key(&scene, &state, 'c');
	assert_string_equal(scene.wish, "stack alloc_slab");
	assert_int_equal(op_stacks(lab, EV_alloc_slab, true), 0);
	kmalloc(lab, 200);	/* of 64 bytes, 64 in a slab */
	frame(1000000000);
	assert_true(shows("call stacks at alloc_slab"));
	assert_true(shows("alloc_slab: 4 times, by 1 path"));
	assert_true(shows("100.0%"));
	pane_events.key(&scene, &state, 'c');
	assert_string_equal(scene.wish, "stack alloc_slab off");
	assert_int_equal(op_stacks(lab, EV_alloc_slab, false), 0);
	frame(1000000000);
	assert_false(shows("call stacks"));
	pane_events.fini(&state);
	lab_drop(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_stacks_stand_below_their_event),
		cmocka_unit_test(rates_are_what_happened_over_the_time),
		cmocka_unit_test(the_trace_scrolls_and_is_filtered),
		cmocka_unit_test(a_click_right_behind_the_wheel_picks_a_row),
		cmocka_unit_test(a_small_area_is_enough),
		cmocka_unit_test(counters_off_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
